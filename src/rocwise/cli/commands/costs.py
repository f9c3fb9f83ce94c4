"""``rocwise costs``: the cost curve of each model, and who is cheaper where."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rocwise.cli.arguments.options import add_data_options, add_output_options
from rocwise.cli.output.terminal import folded
from rocwise.cli.output.text_tables import aligned
from rocwise.cli.runner import Answers, run_and_answer
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.binary.compare_curves import CurveDifference
    from rocwise.binary.cost_curves import CostCurve
    from rocwise.data.pairs import Pairs

DESCRIPTION = """\
The cost curve: the least expected cost over all shares of positives and all costs of the two
errors, as a share of the largest possible cost. The probability cost is p FN / (p FN + (1-p) FP).
Every two models are also compared: where each is cheaper, and where that is significant."""
EXAMPLES = """\
  rocwise costs scores.csv --label ill --score risk
  rocwise costs scores.csv --label ill --score a --score b --seed 1 --plot costs.svg
  rocwise costs scores.csv --label ill --score risk --net-benefit --prevalence 0.05"""
PLACES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True)
    group = parser.add_argument_group("costs")
    group.add_argument(
        "--net-benefit",
        action="store_true",
        help="decision curves in place of cost curves: net benefit over threshold probabilities",
    )
    group.add_argument(
        "--prevalence",
        type=float,
        metavar="SHARE",
        help="share of positives where the model will be used, for --net-benefit "
        "(default: that of the file)",
    )
    group.add_argument(
        "--severity",
        type=float,
        metavar="RATIO",
        help="of the H-measure: a false alarm costs as much as this many misses "
        "(default: positives per negative)",
    )
    group.add_argument(
        "--level", type=float, default=0.95, help="of the limits of a difference (default: 0.95)"
    )
    group.add_argument(
        "--resamples", type=int, default=1000, metavar="N", help="of the bootstrap (default: 1000)"
    )
    group.add_argument("--seed", type=int, metavar="N", help="makes the bootstrap repeatable")
    add_output_options(parser, "the curves")


def run(options: Namespace) -> None:
    """Print the curves at round places, and where each of two models wins."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The curve of each model, and every two models compared."""
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output.per_model import ask_each, heading

    _refuse_idle_options(options)
    pairs = read_pairs(options)
    curves: dict[str, Any] = ask_each(options, pairs, _question(options))
    tables = _benefits(pairs, options) if options.net_benefit else _costs(pairs, curves, options)
    table = (_benefit_table if options.net_benefit else _cost_table)(tables)
    differences = _differences(pairs, options)
    alone = len(curves) == 1 and not options.net_benefit
    return Answers(
        curves,
        table=lambda: "\n\n".join([table, *(folded(f"{answer}") for answer in differences)]),
        heading=heading(options, pairs),
        of_each=tables,
        of_all={"differences": differences} if differences else None,
        picture=lambda: (curves, {"lines": True} if alone else {}),
    )


def _refuse_idle_options(options: Namespace) -> None:
    if options.prevalence is not None and not options.net_benefit:
        raise InputError("--prevalence has a meaning with --net-benefit only; leave it out.")
    if options.severity is not None and options.net_benefit:
        raise InputError("--severity is about the H-measure; leave it out with --net-benefit.")


def _question(options: Namespace) -> Any:
    import rocwise as rw

    if options.net_benefit:
        return partial(rw.decision_curve, prevalence=options.prevalence)
    return rw.cost_curve


def _costs(
    pairs: Pairs, curves: dict[str, CostCurve], options: Namespace
) -> dict[str, dict[str, Any]]:
    """What is printed of each model: costs at round places, and the H-measure."""
    import rocwise as rw
    from rocwise.cli.output import terminal

    trivial = [min(place, 1 - place) for place in PLACES]
    with terminal.said_already(rw.errors.DirectionWarning):
        return {
            name: {
                "h_measure": rw.h_measure(pairs.tally(name), severity=options.severity),
                "at": {
                    "probability_cost": PLACES,
                    "cost": curve.at(PLACES),
                    "trivial": trivial,
                    "area": curve.area,
                },
            }
            for name, curve in curves.items()
        }


def _cost_table(tables: dict[str, dict[str, Any]]) -> str:
    columns = [found["at"] for found in tables.values()]
    rows = [
        [
            f"{place:g}",
            *(f"{column['cost'][k]:.3f}" for column in columns),
            f"{columns[0]['trivial'][k]:.3f}",
        ]
        for k, place in enumerate(PLACES)
    ]
    rows.append(["area", *(f"{column['area']:.3f}" for column in columns), "0.250"])
    measures = (f"{found['h_measure']:.3f}" for found in tables.values())
    rows.append(["H-measure", *measures, "0.000"])
    return aligned(["probability cost", *tables, "trivial"], rows, "l" + "r" * (len(tables) + 1))


def _benefits(pairs: Pairs, options: Namespace) -> dict[str, dict[str, Any]]:
    """What is printed of each model: net benefits at round thresholds."""
    import rocwise as rw

    found = {}
    for name in pairs.names:
        curve = rw.decision_curve(
            pairs.tally(name), thresholds=PLACES, prevalence=options.prevalence
        )
        found[name] = {
            "at": {
                "thresholds": PLACES,
                "net_benefit": curve.net_benefit,
                "treat_all": curve.treat_all,
            }
        }
    return found


def _benefit_table(tables: dict[str, dict[str, Any]]) -> str:
    columns = [found["at"] for found in tables.values()]
    rows = [
        [
            f"{place:g}",
            *(f"{column['net_benefit'][k]:.3f}" for column in columns),
            f"{columns[0]['treat_all'][k]:.3f}",
        ]
        for k, place in enumerate(PLACES)
    ]
    return aligned(["treat from risk", *tables, "treat all"], rows, "l" + "r" * (len(tables) + 1))


def _differences(pairs: Pairs, options: Namespace) -> list[CurveDifference]:
    """Every two models compared, in the order they were named."""
    import rocwise as rw
    from rocwise.cli.output import terminal

    with terminal.said_already(rw.errors.DirectionWarning):
        return [
            rw.compare_curves(
                pairs.select(two),
                curve="decision" if options.net_benefit else "cost",
                prevalence=options.prevalence,
                level=options.level,
                n_resamples=options.resamples,
                rng=options.seed,
            )
            for two in combinations(pairs.names, 2)
        ]
