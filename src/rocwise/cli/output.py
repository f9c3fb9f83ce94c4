"""Output of a command: text for the terminal, JSON, tables, plots."""

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import Any, NamedTuple, TypeVar

import rocwise as rw
from rocwise import printing
from rocwise.about import VERSION
from rocwise.cli import terminal
from rocwise.cli.data import STDIN, column_of_file, read_pairs, source_name
from rocwise.cli.options import FORMATS, Options
from rocwise.cli.requirements import check_met, outcomes_of, requirements_of
from rocwise.errors import InputError, ScoreRangeError, missing_package, spelled_out
from rocwise.inputs import files_of
from rocwise.results import ModelResults, json_safe
from rocwise.tables import plain_text

INPUTS = ("file", "train", "cases")  # options that name files to read
SCHEMA = 1  # of the document of --json: grows when a member changes its name or its meaning
R = TypeVar("R")
Plot = tuple[object, dict[str, Any]]  # what `rocwise.plotting.save` draws, and its options


class Output(NamedTuple):
    """Results of a command. The text and the plot are made only when they are wanted."""

    by_model: Mapping[str, Any]
    table: Callable[[Any], str]  # the results by model as text
    heading: str = ""
    of_each: Mapping[str, Mapping[str, Any]] | None = None  # further members of each in --json
    of_all: Mapping[str, Any] | None = None  # members next to the results in --json
    plot: Callable[[], Plot] | None = None  # the results by model where there is none


def run_and_print(options: Any, compute: Callable[[Any], Output]) -> None:
    """Compute, then print and plot as the options require."""
    check_plot_options(options)
    requirements = requirements_of(options.require or [])
    output = compute(options)
    outcomes = outcomes_of(requirements, output.by_model)
    form = next((name for name in FORMATS if getattr(options, name, False)), None)
    if form == "json":
        print_text(document(output, options.command, outcomes))
    elif form is not None:
        models = {*(getattr(options, "score", None) or getattr(options, "prediction", None) or [])}
        print_text(table_text(output.by_model, form, of_models=models >= output.by_model.keys()))
    else:
        # names of columns may contain anything, also control characters
        heading = "\n".join(
            line if len(line) <= terminal.width() else line.replace("; ", ";\n  ")
            for line in output.heading.splitlines()
        )
        text = "\n\n".join(part for part in (heading, output.table(output.by_model)) if part)
        print_text(spelled_out(text))
    if options.plot:
        results, how = output.plot() if output.plot else (output.by_model, {})
        save_plot(results, options, **how)
    check_met(outcomes)


def print_text(text: str) -> None:
    """Print; an error of writing, as on a full disk, names standard output."""
    try:
        sys.stdout.writelines((text, "\n"))
    except BrokenPipeError:  # the reader has closed the pipe; plots and requirements remain
        terminal.discard_output()
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, "standard output") from None


def per_model(
    options: Options,
    function: str,
    table: Callable[[Any], str],
    arguments: Mapping[str, Any] = {},
    **more: Any,
) -> Output:
    """The results of a function of one model for each model, with the options of the function."""
    pairs = read_pairs(options)
    compute = resolve_name(f"rocwise.{function}")
    found = for_each(options, pairs, compute, **{**options.settings(function), **arguments})
    return Output(found, table, heading(options, pairs), **more)


def one_by_one(report: Callable[[str, Any], str]) -> Callable[[Any], str]:
    """The table of several results: a text about each, with its name."""
    return lambda results: "\n\n".join(report(name, each) for name, each in results.items())


def for_each(
    options: Options, pairs: rw.Pairs, function: Callable[..., R], **arguments: Any
) -> dict[str, R]:
    """The result for each model by name; a warning names its model."""
    results = {}
    for name in pairs.names:
        about = name if len(pairs.names) > 1 else None
        with terminal.warnings_as_lines(options.words, about):
            try:
                results[name] = function(pairs.tally(name), **arguments)
            except ScoreRangeError as problem:
                located = problem.located(column_of_file(options, name))
                raise located.in_words_of({"y_score": f"column {name!r}"}) from None
    return results


def heading(options: Options, pairs: rw.Pairs) -> str:
    """What was read: ``scores.csv: 41 positives, 72 negatives``."""
    first = pairs.tally(pairs.names[0])  # has sums of weights, where there are weights
    unit = "weighted " if first.weighted else ""
    sizes = f"{source_name(options)}: {unit}{printing.classes(first.n_pos, first.n_neg)}"
    return "; ".join([sizes, *pairs.origin.remarks()])


def document(output: Output, command: str, outcomes: Sequence[Mapping[str, Any]] = ()) -> str:
    """One document as in `output.schema.json`: the `to_dict()` of each result by name, and more."""
    more = output.of_each or {}
    results = {
        name: {**result.to_dict(), **json_safe(more.get(name, {}))}
        for name, result in output.by_model.items()
    }
    content = {
        "kind": "Output",
        "schema": SCHEMA,
        "rocwise": VERSION,
        "command": command,
        "results": results,
        **json_safe(dict(output.of_all or {})),
        "requirements": list(outcomes),
        "warnings": list(terminal.printed_warnings),
    }
    return json_text(content)


def json_text(content: Mapping[str, Any], indent: str = "") -> str:
    """An object with one member per line; lists stay on one line."""
    deeper = indent + "  "
    members = [
        f"{deeper}{json.dumps(name)}: "
        + (
            json_text(value, deeper)
            if isinstance(value, dict) and value
            else json.dumps(value, allow_nan=False)
        )
        for name, value in content.items()
    ]
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"


def table_text(results: Mapping[str, Any], form: str, *, of_models: bool = True) -> str:
    """The table of the results; of models one table, with the model in the first column.

    That of one model has this column in csv, for programs.
    """
    (first, *others) = results.values()
    columns = list(first._table_columns())
    joined = others or (of_models and form == "csv")
    if joined and all(list(each._table_columns()) == columns for each in others):
        tables: list[Any] = [ModelResults(results=dict(results))]
    else:  # one result, or results with different columns
        tables = [first, *others]
    texts = [str(getattr(table, f"to_{form}")()) for table in tables]
    if form == "csv":
        return "\n".join(texts).rstrip("\n")
    return "\n\n".join("\n".join(map(spelled_out, text.splitlines())) for text in texts)


def edge_table(at: str, quantity: str, positions: Any, *edges: Any) -> str:
    """The lower and upper edge of a band at each position, and the estimate if it comes first."""
    heads = (quantity, f"lower {quantity}", f"upper {quantity}")[-len(edges) :]
    columns = {at: positions, **dict(zip(heads, edges, strict=True))}
    return plain_text(columns, most=len(positions))


def rate_text(result: Any, value: float) -> str:
    """A rate with the digits that the cases of a result support."""
    classes = getattr(result, "sizes", None) or (result.n_pos, result.n_neg)
    return printing.rate(value, sum(classes))


def sign_of(result: Any) -> str:
    """The comparison of a score with the threshold."""
    return ">=" if result.origin.direction == "higher" else "<="


def interval_table(
    first: str,
    quantity: str,
    results: Mapping[str, Any],
    text: Callable[[Any, float], str] = rate_text,
    *,
    errors: bool = True,
    **more: Sequence[str],
) -> str:
    """One row per result: value, interval, standard error, method of the interval, and `more`."""
    rows = []
    for (name, each), *cells in zip(results.items(), *more.values(), strict=True):
        limits = ["-", "-", "a class has one row"]
        if getattr(each, "has_interval", True):
            error = "-" if each.standard_error is None else f"{each.standard_error:.4f}"
            interval = " to ".join(text(each, end) for end in each.interval)
            limits = [interval, error, each.interval.method]
        rows.append([name, text(each, each.value), *limits, *cells])
    some = next(iter(results.values()))
    level = printing.percent(some.level if hasattr(some, "level") else some.interval.level)
    titles = [name.replace("_", " ") for name in more]
    header = [first, quantity, f"{level} CI", "SE", "interval by", *titles]
    if not errors:
        header, *rows = ([*row[:3], *row[4:]] for row in (header, *rows))
    return terminal.aligned(header, rows, ("lrlrl" if errors else "lrll") + "l" * len(more))


def check_output(options: Options) -> None:
    """Raise an error if a file of the input would be overwritten, also through links."""
    target = getattr(options, "path", None) or getattr(options, "plot", None)
    if target is None or not os.path.isfile(target):
        return
    read: list[Any] = []
    for source in filter(None, (getattr(options, name, None) for name in INPUTS)):
        with suppress(InputError, OSError):  # which reading raises
            read += [sys.stdin.fileno()] if source == STDIN else files_of(source).paths
    if any(os.path.samefile(each, target) for each in read):
        raise InputError(f"`path` {target!r} is a file of the input; choose another name.")


def check_plot_options(options: Options) -> None:
    """Raise for what cannot be drawn before anything is computed."""
    if options.plot is None:
        given = {
            "--plot-title": options.plot_title,
            "--plot-width": options.plot_width,
            "--clinical": getattr(options, "clinical", False) or None,
        }
        for option, value in given.items():
            if value is not None:
                raise InputError(f"{option} is about the plot; add --plot PATH.")
        return
    from rocwise.plotting import checked_path

    checked_path(options.plot)
    if find_spec("matplotlib") is None:
        raise missing_package("matplotlib", "plot", "--plot")


def curves_of(pairs: rw.Pairs, areas: Mapping[str, Any] | None = None) -> Plot:
    """ROC curves of all models, with intervals in the legend where areas are given."""
    with terminal.without_warning(rw.errors.DirectionWarning):
        curves = {name: rw.roc(pairs.tally(name)) for name in pairs.names}
    return curves, {"auc": areas} if areas else {}


def save_plot(results: object, options: Options, **how: Any) -> None:
    """Write a result, or results by name, to the path of --plot."""
    from rocwise.plotting import options_of, save

    if options.plot_title is not None:
        if how.get("subplots"):  # each panel has its own title
            raise InputError("--plot-title is for one plot; this one has several panels.")
        how["title"] = options.plot_title
    if getattr(options, "clinical", False):
        drawn = results.values() if isinstance(results, Mapping) else (results,)
        if not any("axis" in options_of(each) for each in drawn):
            raise InputError("--clinical labels axes of rates; this plot has none; leave it out.")
        how["axis"] = "clinical"
    save(results, options.plot, width=options.plot_width or "column", **how)
    terminal.note(f"wrote {options.plot}")
