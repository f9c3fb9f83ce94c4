"""``rocwise costs``: the cost curve of each model, and who is cheaper where."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from rocwise.cli.options import add_data_options, add_output_options

if TYPE_CHECKING:
    from rocwise.binary.costs import CostCurve
    from rocwise.pairs import Pairs

DESCRIPTION = """\
The cost curve: the least expected cost over all shares of positives and all costs of the two
errors, as a share of the largest possible cost. The probability cost is p FN / (p FN + (1-p) FP).
Two models are also compared: where each is cheaper, and where that is beyond doubt."""
EXAMPLES = """\
  rocwise costs scores.csv --label ill --score risk
  rocwise costs scores.csv --label ill --score a --score b --seed 1 --plot costs.svg
  rocwise costs scores.csv --label ill --score risk --net-benefit"""
PLACES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser)
    group = parser.add_argument_group("costs")
    group.add_argument(
        "--net-benefit",
        action="store_true",
        help="decision curves in place of cost curves: net benefit over threshold probabilities",
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
    from rocwise.binary.benefits import decision_curve
    from rocwise.binary.costs import cost_curve
    from rocwise.cli.asking import ask_each, heading
    from rocwise.cli.documents import document
    from rocwise.cli.drawing import check_picture_path, save_picture
    from rocwise.cli.reading import read_pairs, source_name

    check_picture_path(options.plot)
    pairs = read_pairs(options)
    question: Any = decision_curve if options.net_benefit else cost_curve
    curves: dict[str, Any] = ask_each(pairs, question)
    if options.json:
        print(document(curves))
    else:
        print(heading(source_name(options.file), pairs))
        print()
        print(_benefits(pairs) if options.net_benefit else _costs(pairs, curves))
        if len(pairs.names) == 2:
            print()
            print(_winner(pairs, options))
    if options.plot:
        save_picture(curves, options.plot)


def _costs(pairs: Pairs, curves: dict[str, CostCurve]) -> str:
    import warnings

    from rocwise.binary.costs import h_measure
    from rocwise.cli.tables import aligned
    from rocwise.errors import DirectionWarning

    rows = [
        [f"{place:g}", *(f"{float(curve.at(place)):.3f}" for curve in curves.values())]
        for place in PLACES
    ]
    for row, place in zip(rows, PLACES, strict=True):
        row.append(f"{min(place, 1 - place):.3f}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DirectionWarning)  # it was said with the curve
        measures = [f"{h_measure(pairs.tally(name)):.3f}" for name in curves]
    rows.append(["area", *(f"{curve.area:.3f}" for curve in curves.values()), "0.250"])
    rows.append(["H-measure", *measures, "0.000"])
    return aligned(["probability cost", *curves, "trivial"], rows, "l" + "r" * (len(curves) + 1))


def _benefits(pairs: Pairs) -> str:
    from rocwise.binary.benefits import decision_curve
    from rocwise.cli.tables import aligned

    curves = [decision_curve(pairs.tally(name), thresholds=PLACES) for name in pairs.names]
    rows = [
        [
            f"{place:g}",
            *(f"{curve.net_benefit[k]:.3f}" for curve in curves),
            f"{curves[0].treat_all[k]:.3f}",
        ]
        for k, place in enumerate(PLACES)
    ]
    header = ["threshold", *pairs.names, "treat all"]
    return aligned(header, rows, "l" + "r" * (len(curves) + 1))


def _winner(pairs: Pairs, options: Namespace) -> str:
    import warnings

    from rocwise.binary.cost_bands import compare_costs, compare_decisions
    from rocwise.cli.screen import folded
    from rocwise.errors import DirectionWarning

    question = compare_decisions if options.net_benefit else compare_costs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DirectionWarning)
        answer = question(
            pairs, level=options.level, n_resamples=options.resamples, rng=options.seed
        )
    return folded(f"{answer}")
