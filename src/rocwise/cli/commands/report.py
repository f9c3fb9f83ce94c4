"""``rocwise report``: a self-contained HTML report."""

from os.path import isfile
from typing import Any

import rocwise as rw
from rocwise.cli import terminal
from rocwise.cli.data import (
    columns_named,
    label_value,
    read_columns,
    read_follow_up,
    read_pairs,
    score_names,
    typed_labels,
)
from rocwise.cli.options import Options, Parser
from rocwise.errors import InputError

DESCRIPTION = """\
Write a self-contained HTML report: which model is better, its ROC curve with a movable threshold,
costs, abstention, and the methods in words. It opens offline."""
EXAMPLES = """\
  rocwise report scores.csv --label ill --score a --score b -o report.html
  rocwise report scores.csv --label ill --score a --cost-fp 1 --cost-fn 20 --prevalence 0.02
  rocwise report patients.csv --label ill --score a --min-cell 5 --title 'Ward 3'
  rocwise report grades.csv --task ordinal --label grade --score a --score b
  rocwise report forecasts.csv --task regression --label y --score m1 --score m2
  rocwise report cohort.csv --task survival --time days --label died --score a --times 365
  rocwise report study.csv --task readers --label truth --score score \\
      --case case --reader reader --modality modality"""
TASKS = ("binary", "multiclass", "ordinal", "regression", "readers", "survival")
CELLS = ("case", "reader", "modality")
OF_STUDY = ("ai", "difference")
OF_FOLLOW_UP = ("time", "times", "entry", "censored")


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
    parser.choice(
        "--task", TASKS, f"{task}ordered classes, a number; a reader study; censored times"
    )
    text = "ordered classes from the lowest to the highest (default: as numbers sort)"
    parser.option("--order", text, nargs="+", metavar="LABEL")
    for name in CELLS:
        parser.column(f"--{name}", f"the {name} of the reading, for a reader study")
    parser.option("--ai", "the reader that is a standalone model", metavar="READER")
    text = "difference that the next reader study is to detect, for a table of its sizes"
    parser.option("--difference", text, type=float)
    text = "the time of follow-up; --label is the event, --pos-label its code"
    parser.column("--time", text)
    parser.column("--entry", "the time of entry (delayed entry), for censored times")
    parser.option("--censored", "the code of censored rows (default: 0)", metavar="CODE")
    text = "a time of the page; repeat it for several"
    parser.option("--times", text, type=float, action="append", metavar="TIME")
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
    cells = {name: value for name, value in options.given(*CELLS, *OF_STUDY).items() if value}
    if options.order and options.task != "ordinal":
        raise InputError("--order goes with --task ordinal.")
    if options.task == "readers":
        made = _reader_study(options, cells, arguments)
    elif cells:
        raise InputError(f"--{next(iter(cells))} goes with --task readers.")
    elif options.task == "survival":
        made = _of_follow_up(options, arguments)
    elif given := [name for name in OF_FOLLOW_UP if getattr(options, name)]:
        raise InputError(f"--{given[0]} goes with --task survival.")
    elif options.task == "binary":
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


def _reader_study(options: Options, cells: dict[str, str], arguments: dict[str, Any]) -> Any:
    """The report of readings, whose columns of cases, readers and modalities are `cells`."""
    if len(options.score) > 1:
        raise InputError("--task readers takes one --score; modalities are in a column of theirs.")
    study = {name: cells.pop(name) for name in OF_STUDY if name in cells}
    groups = {} if options.groups is None else {"groups": options.groups}
    roles = {"label": options.label, "score": options.score[0], **cells, **groups}
    columns = read_columns(options.file, list(roles.values()))
    given = {role: columns[name] for role, name in roles.items()}
    label, score = given.pop("label"), given.pop("score")
    given["pos_label"] = label_value(options.pos_label, label)
    given |= study | options.given("direction", "missing")
    return rw.report(label, score, task="readers", **given, **arguments)


def _of_follow_up(options: Options, arguments: dict[str, Any]) -> Any:
    """The report of censored outcomes."""
    if options.time is None:
        raise InputError("--task survival needs --time, the column with times of follow-up.")
    codes = {"cause": options.pos_label, "censored": options.censored}
    f = read_follow_up(options, options.label, **codes)
    return rw.report(f, task="survival", times=options.times, **arguments)


def _other_task(options: Options, arguments: dict[str, Any]) -> Any:
    columns = read_columns(options.file, [options.label, *options.score])
    labels, scores = columns[options.label], {name: columns[name] for name in options.score}
    if options.task == "ordinal":
        arguments["direction"] = options.direction
        arguments["order"] = typed_labels(options.order, labels)
    models: dict[str, Any] = {"model": scores} if options.task == "multiclass" else scores
    with columns_named(score_names(options), y_true=options.label):
        return rw.report(labels, models, task=options.task, missing=options.missing, **arguments)
