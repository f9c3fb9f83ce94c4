"""``rocwise report``: one page with everything, to read, to send and to drag about."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from rocwise.cli.arguments.options import add_choice, add_data_options

DESCRIPTION = """\
Write one self-contained HTML page: which model is better, its ROC curve with a threshold to drag,
costs, abstaining, and the methods in words. It opens offline and sends nothing anywhere."""
EXAMPLES = """\
  rocwise report scores.csv --label ill --score a --score b -o report.html
  rocwise report scores.csv --label ill --score a --cost-fp 1 --cost-fn 20 --prevalence 0.02
  rocwise report patients.csv --label ill --score a --min-cell 5 --title 'Ward 3'
  rocwise report grades.csv --task ordinal --label grade --score a --score b
  rocwise report forecasts.csv --task regression --label y --score m1 --score m2"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True)
    group = parser.add_argument_group("page")
    group.add_argument(
        "-o",
        "--output",
        dest="path",
        default="report.html",
        metavar="PATH",
        help="where the page goes (default: report.html)",
    )
    group.add_argument("--title", help="heading of the page")
    group.add_argument(
        "--language",
        choices=("en", "de", "fr", "es", "zh"),
        help="of the page (default: that of the browser)",
    )
    add_choice(
        group,
        "--task",
        ("binary", "multiclass", "ordinal", "regression"),
        "what the label is: one of two classes (default), of several (one --score for each "
        "class), of ordered classes, or a number",
    )
    group.add_argument("--cost-fp", type=float, metavar="COST", help="of a false alarm, to start")
    group.add_argument("--cost-fn", type=float, metavar="COST", help="of a miss, to start")
    group.add_argument(
        "--prevalence", type=float, help="share of positives, to start (default: as in the data)"
    )
    group.add_argument(
        "--min-cell",
        type=int,
        default=1,
        metavar="N",
        help="no step of a curve on the page holds fewer cases than this (default: 1)",
    )
    group.add_argument("--level", type=float, default=0.95, help="confidence level (default: 0.95)")
    group.add_argument(
        "--resamples", type=int, default=400, metavar="N", help="of bands (default: 400)"
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="of bands (default: 0)")


def run(options: Namespace) -> None:
    """Write the page and say where it is."""
    import rocwise as rw
    from rocwise.cli.output import terminal

    settings = _settings(options)
    with terminal.warnings_as_sentences(options.words):
        if options.task == "binary":
            from rocwise.cli.input_files import read_pairs

            made = rw.report(read_pairs(options), options.path, **settings)
        else:
            made = _other_task(options, settings)
    print(f"wrote {made.path} ({len(made.page.encode()) / 1000:.0f} kB)")


def _settings(options: Namespace) -> dict[str, Any]:
    return {
        "title": options.title,
        "language": options.language,
        "costs": _costs(options),
        "prevalence": options.prevalence,
        "min_cell": options.min_cell,
        "level": options.level,
        "n_resamples": options.resamples,
        "rng": options.seed,
    }


def _costs(options: Namespace) -> Any:
    """Both costs, or none; one alone has the other as 1."""
    import rocwise as rw

    if options.cost_fp is None and options.cost_fn is None:
        return None
    given = (1.0 if cost is None else cost for cost in (options.cost_fp, options.cost_fn))
    return rw.Costs(*given)


def _other_task(options: Namespace, settings: dict[str, Any]) -> Any:
    import rocwise as rw
    from rocwise.cli.input_files import read_columns

    columns = read_columns(options.file, [options.label, *options.score])
    scores: dict[str, Any] = {name: columns[name] for name in options.score}
    if options.task == "multiclass":
        scores = {"model": scores}
    more = {} if options.task != "ordinal" else {"direction": options.direction}
    return rw.report(
        columns[options.label],
        options.path,
        scores=scores,
        task=options.task,
        missing=options.missing,
        **more,
        **settings,
    )
