"""``rocwise report``: a self-contained HTML report."""

from os.path import isfile
from typing import Any

import rocwise as rw
from rocwise.cli import terminal
from rocwise.cli.data import read_columns, read_pairs
from rocwise.cli.options import Options, Parser

DESCRIPTION = """\
Write a self-contained HTML report: which model is better, its ROC curve with a movable threshold,
costs, abstention, and the methods in words. It opens offline."""
EXAMPLES = """\
  rocwise report scores.csv --label ill --score a --score b -o report.html
  rocwise report scores.csv --label ill --score a --cost-fp 1 --cost-fn 20 --prevalence 0.02
  rocwise report patients.csv --label ill --score a --min-cell 5 --title 'Ward 3'
  rocwise report grades.csv --task ordinal --label grade --score a --score b
  rocwise report forecasts.csv --task regression --label y --score m1 --score m2"""
TASKS = ("binary", "multiclass", "ordinal", "regression")


def add_options(parser: Parser) -> None:
    parser.data("sample_weight", "groups")
    parser.section("page")
    parser.into.add_argument(
        "-o",
        "--output",
        dest="path",
        default="report.html",
        metavar="PATH",
        help="file to write (default: report.html)",
    )
    languages = ("en", "de", "fr", "es", "zh")
    text = "language of the page (default: that of the browser)"
    parser.option("--language", text, choices=languages)
    task = "type of the label: two classes (default), several classes (one --score for each), "
    parser.choice("--task", TASKS, f"{task}ordered classes, or a number")
    parser.costs("fp", "fn")
    parser.arguments(
        "report",
        title="heading of the page",
        prevalence="initial prevalence (default: that of the file)",
        min_cell="smallest number of cases in a step of a curve",
        method="interval of the AUC of all models: auto (default: wilson) or as in `rocwise auc`",
        level=None,
        n_resamples="number of resamples of bands",
        rng=None,
    )


def run(options: Options) -> None:
    """Write the page and print its path."""
    arguments = {
        "costs": _costs(options),
        **options.given("path", "language"),
        **options.settings("report"),
    }
    if options.task == "binary":
        made = rw.report(read_pairs(options), **arguments)
    else:
        made = _other_task(options, arguments)
    written = f"wrote {made.path} ({len(made.page.encode()) / 1000:.0f} kB)"
    if isfile(options.path):
        print(written)
    else:  # it may be standard output
        terminal.note(written)


def _costs(options: Options) -> Any:
    """Both costs, or none; one alone has the other as 1."""
    if options.cost_fp is None and options.cost_fn is None:
        return None
    return rw.Costs(*(1.0 if cost is None else cost for cost in (options.cost_fp, options.cost_fn)))


def _other_task(options: Options, arguments: dict[str, Any]) -> Any:
    columns = read_columns(options.file, [options.label, *options.score])
    scores: dict[str, Any] = {name: columns[name] for name in options.score}
    if options.task == "multiclass":
        scores = {"model": scores}
    if options.task == "ordinal":
        arguments["direction"] = options.direction
    return rw.report(
        columns[options.label], scores, task=options.task, missing=options.missing, **arguments
    )
