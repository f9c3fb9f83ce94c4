"""``rocwise costs``: cost curves or decision curves, and where each model is better."""

from itertools import combinations
from typing import Any

import rocwise as rw
from rocwise.cli.data import read_pairs
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, for_each, heading
from rocwise.cli.terminal import aligned, folded, without_warning
from rocwise.errors import InputError

DESCRIPTION = """\
The cost curve: the lowest expected cost over all prevalences and costs of the two errors,
as a fraction of the largest possible cost. The probability cost is p FN / (p FN + (1-p) FP).
Every two models are also compared: where each is cheaper, and where that is significant."""
EXAMPLES = """\
  rocwise costs scores.csv --label ill --score risk
  rocwise costs scores.csv --label ill --score a --score b --seed 1 --plot costs.svg
  rocwise costs scores.csv --label ill --score risk --net-benefit --prevalence 0.05"""
POSITIONS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def add_options(parser: Parser) -> None:
    parser.data("sample_weight", "groups")
    parser.section("costs")
    parser.flag(
        "--net-benefit",
        "decision curves in place of cost curves: net benefit over threshold probabilities",
    )
    parser.arguments(
        "h_measure",
        severity="of the H-measure: cost of a false positive relative to a false negative "
        "(default: positives per negative)",
    )
    parser.arguments("compare_curves", prevalence=None, level=None, n_resamples=None, rng=None)
    parser.output("the curves")


def compute(options: Options) -> Output:
    """The curve of each model, and every two models compared."""
    if options.prevalence is not None and not options.net_benefit:
        raise InputError("--prevalence has a meaning with --net-benefit only; leave it out.")
    if options.severity is not None and options.net_benefit:
        raise InputError("--severity is about the H-measure; leave it out with --net-benefit.")
    pairs = read_pairs(options)
    if options.net_benefit:
        function: Any = rw.decision_curve
        curves = for_each(options, pairs, function, prevalence=options.prevalence)
    else:
        curves = for_each(options, pairs, rw.cost_curve)
    with without_warning(rw.errors.DirectionWarning):
        tables = (_benefits if options.net_benefit else _costs)(pairs, curves, options)
        differences = _differences(pairs, options)
    text = (_benefit_table if options.net_benefit else _cost_table)(tables)
    alone = len(curves) == 1 and not options.net_benefit
    return Output(
        curves,
        table=lambda _: "\n\n".join([text, *(folded(f"{each}") for each in differences)]),
        heading=heading(options, pairs),
        of_each=tables,
        of_all={"differences": differences} if differences else None,
        plot=lambda: (curves, {"lines": True} if alone else {}),
    )


def _costs(pairs: rw.Pairs, curves: dict[str, Any], options: Options) -> dict[str, Any]:
    """Costs at round positions, and the H-measure."""
    trivial = [min(position, 1 - position) for position in POSITIONS]
    return {
        name: {
            "h_measure": rw.h_measure(pairs.tally(name), **options.settings("h_measure")),
            "at": {
                "probability_cost": POSITIONS,
                "cost": curve.at(POSITIONS),
                "trivial": trivial,
                "area": curve.area,
            },
        }
        for name, curve in curves.items()
    }


def _cost_table(tables: dict[str, Any]) -> str:
    rows = _rows(tables, "cost", "trivial")
    areas = (f"{found['at']['area']:.3f}" for found in tables.values())
    measures = (f"{found['h_measure']:.3f}" for found in tables.values())
    rows += [["area", *areas, "0.250"], ["H-measure", *measures, "0.000"]]
    return aligned(["probability cost", *tables, "trivial"], rows, "l" + "r" * (len(tables) + 1))


def _benefits(pairs: rw.Pairs, curves: dict[str, Any], options: Options) -> dict[str, Any]:
    """Net benefits at round threshold probabilities."""
    found = {}
    for name in curves:
        curve = rw.decision_curve(
            pairs.tally(name), thresholds=POSITIONS, prevalence=options.prevalence
        )
        columns = {"net_benefit": curve.net_benefit, "treat_all": curve.treat_all}
        found[name] = {"at": {"thresholds": POSITIONS, **columns}}
    return found


def _benefit_table(tables: dict[str, Any]) -> str:
    rows = _rows(tables, "net_benefit", "treat_all")
    return aligned(["treat from risk", *tables, "treat all"], rows, "l" + "r" * (len(tables) + 1))


def _rows(tables: dict[str, Any], field: str, reference: str) -> list[list[str]]:
    columns = [found["at"] for found in tables.values()]
    return [
        [
            f"{position:g}",
            *(f"{column[field][k]:.3f}" for column in columns),
            f"{columns[0][reference][k]:.3f}",
        ]
        for k, position in enumerate(POSITIONS)
    ]


def _differences(pairs: rw.Pairs, options: Options) -> list[Any]:
    """Every two models compared, in the order they were named."""
    curve: Any = "decision" if options.net_benefit else "cost"
    drawn = options.settings("compare_curves")
    return [
        rw.compare_curves(pairs.select(two), curve=curve, **drawn)
        for two in combinations(pairs.names, 2)
    ]
