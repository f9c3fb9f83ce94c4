"""``rocwise rec``: how far forecasts of a number are off, and which forecaster is better."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from rocwise.cli.arguments.options import add_choice, add_plot_options, add_table_options
from rocwise.cli.runner import Answers, run_and_answer
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.arrays import Floats
    from rocwise.regression.comparisons import RecComparison
    from rocwise.regression.rec_bands import RecBand
    from rocwise.regression.rec_curves import RecAccuracy, RecCurve, RecOrder
    from rocwise.results import Origin

DESCRIPTION = """\
REC curves of forecasts of a number: the share of cases within each tolerance. The area over the
curve (AOC) is the mean error. With several forecasters: which dominates, where their curves cross,
and whether their mean errors differ by more than chance."""
EXAMPLES = """\
  rocwise rec forecasts.csv --target y --prediction a
  rocwise rec forecasts.csv --target y --prediction a --prediction b --tolerance 2
  rocwise rec forecasts.csv --target y --prediction a --null mean --train past.csv
  rocwise rec monthly.csv --target y --prediction a --prediction b \\
      --time-series --horizon 3
  rocwise rec forecasts.csv --target y --prediction a --band dkw --plot rec.svg"""

IN_TIME_ORDER = ("diebold-mariano", "block-bootstrap")


class Found(NamedTuple):
    """Everything the command has to say."""

    curves: dict[str, RecCurve]
    accuracy: dict[str, RecAccuracy]
    bands: dict[str, RecBand]
    orders: list[RecOrder]
    comparison: RecComparison | None
    up_to: float | None = None

    def areas_up_to(self) -> dict[str, float]:
        """The AOC of each model up to the tolerance that was asked for, if one was."""
        if self.up_to is None:
            return {}
        return {name: curve.aoc_up_to(self.up_to) for name, curve in self.curves.items()}

    def null_area_up_to(self) -> float | None:
        """That of the null model; None without one."""
        null = next(iter(self.curves.values())).null_curve
        return None if null is None or self.up_to is None else null.aoc_up_to(self.up_to)

    def members(self) -> dict[str, Any]:
        """All of it, for one JSON document."""
        return {
            "curves": self.curves,
            "up_to": self.up_to,
            "aoc_up_to": self.areas_up_to(),
            "null_aoc_up_to": self.null_area_up_to(),
            "accuracy": self.accuracy,
            "bands": self.bands,
            "orders": self.orders,
            "comparison": self.comparison,
        }


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    parser.add_argument(
        "file", metavar="FILE", help=".csv, .tsv (also .gz), .parquet, or - for standard input"
    )
    data = parser.add_argument_group("data")
    data.add_argument("--target", required=True, metavar="COLUMN", help="what happened")
    data.add_argument(
        "--prediction",
        required=True,
        action="append",
        metavar="COLUMN",
        help="what a model said; repeat it for several models",
    )
    data.add_argument("--weight", metavar="COLUMN", help="weight of each row, for one model")
    add_choice(
        data,
        "--missing",
        ("raise", "drop"),
        "rows that miss a value: refuse the file (default), or leave them out",
    )
    group = parser.add_argument_group("curves")
    add_choice(group, "--loss", ("absolute", "squared"), "size of an error")
    group.add_argument(
        "--null",
        metavar="MODEL",
        help="model to beat: mean, median or last of the target in --train; a number; or a column",
    )
    group.add_argument("--train", metavar="FILE", help="training data with the target, for --null")
    group.add_argument(
        "--tolerance",
        type=float,
        action="append",
        metavar="ERROR",
        help="share of cases within this error, with its interval; repeat it for several",
    )
    group.add_argument("--band", choices=("dkw", "bootstrap"), help="band around each curve")
    _add_test_options(parser)
    output = parser.add_argument_group("output")
    form = output.add_mutually_exclusive_group()
    add_table_options(form)
    form.add_argument(
        "--json",
        action="store_true",
        help="one JSON document, with every digit: curves, aoc_up_to, accuracy and bands by model, "
        "orders of pairs, comparison",
    )
    add_plot_options(output, "the curves")


def _add_test_options(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--method",
        help="independent rows: swap (default), swap-sup, wilcoxon, bootstrap; rows in time "
        "order: diebold-mariano, block-bootstrap",
    )
    group.add_argument(
        "--time-series",
        action="store_true",
        help="rows are in time order: --method diebold-mariano, bands in blocks",
    )
    group.add_argument("--horizon", type=int, default=1, help="steps ahead of the forecasts")
    group.add_argument("--block", type=int, metavar="ROWS", help="of block-bootstrap")
    group.add_argument(
        "--up-to", type=float, metavar="ERROR", help="give and compare the AOC up to this"
    )
    group.add_argument("--level", type=float, default=0.95, help="confidence level (default: 0.95)")
    group.add_argument(
        "--resamples", type=int, default=10_000, metavar="N", help="default: 10000, if needed"
    )
    group.add_argument("--seed", type=int, metavar="N", help="makes random numbers repeatable")


def run(options: Namespace) -> None:
    """Print curves, shares within tolerances, order and comparison."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """Everything about the forecasts that the options ask for."""
    from rocwise.cli.input_files import as_columns
    from rocwise.cli.reports import forecasts

    method = _method(options)
    columns, null, y_train = _read(options)
    named = {f"predictions[{name!r}]": name for name in options.prediction}
    named |= {"y_true": options.target, "y_pred": options.prediction[0]}
    named |= {"sample_weight": options.weight}
    try:
        _check_numbers(options)
        found = _asked(options, columns, null, y_train, method)
    except InputError as problem:
        raise problem.in_words_of(as_columns(named)) from None
    return Answers(
        {},
        table=partial(forecasts.report, found, options.words),
        heading=forecasts.heading(found, options),
        of_all=found.members(),
        picture=lambda: (found.bands or found.curves, {}),
    )


def _method(options: Namespace) -> str:
    """The test that was asked for, or that fits the kind of rows."""
    method: str = options.method or ("diebold-mariano" if options.time_series else "swap")
    if options.time_series and method not in IN_TIME_ORDER:
        raise InputError(
            f"--method {method} takes rows for independent, but --time-series says that they "
            f"follow each other; use one of {', '.join(IN_TIME_ORDER)}."
        )
    if options.train is not None and options.null not in ("mean", "median", "last"):
        raise InputError("--train is for --null mean, median or last; add one of them.")
    blocks = method == "block-bootstrap" or (options.time_series and options.band == "bootstrap")
    if options.block is not None and not blocks:
        raise InputError(
            "--block is for --method block-bootstrap, and for --time-series with --band bootstrap."
        )
    if options.horizon != 1 and method not in IN_TIME_ORDER:
        raise InputError("--horizon is for forecasts of a series; add --time-series.")
    return method


def _check_numbers(options: Namespace) -> None:
    """Refuse what is wrong even where nothing that was asked for would use it."""
    from rocwise import checks

    if options.weight is not None and len(options.prediction) > 1:
        raise InputError(
            "--weight is for one --prediction at a time: the tests that compare forecasters take "
            "rows for equal."
        )
    if options.method is not None and len(options.prediction) < 2:
        raise InputError("--method compares models; give --prediction at least twice.")
    checks.level(options.level)
    checks.whole(options.horizon, "horizon")
    checks.whole(options.resamples, "n_resamples", at_least=100)
    if options.up_to is not None:
        checks.not_negative(options.up_to, "up_to")


def _read(options: Namespace) -> tuple[dict[str, Any], Any, Any]:
    """The columns by name, the null model, and the training targets."""
    from rocwise.cli.input_files import read_columns, refuse_repeated

    refuse_repeated(options.prediction, "--prediction")
    null = _null_option(options.null)
    column = null if isinstance(null, str) and null not in ("mean", "median", "last") else None
    extra = [name for name in (column, options.weight) if name is not None]
    columns = read_columns(options.file, [options.target, *options.prediction, *extra])
    y_train = None
    if options.train is not None:
        y_train = read_columns(options.train, [options.target])[options.target]
    return columns, null if column is None else columns[column], y_train


def _null_option(text: str | None) -> str | float | None:
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        return text


def _asked(
    options: Namespace, columns: dict[str, Any], null: Any, y_train: Any, method: Any
) -> Found:
    """Ask every question that the options name; rows left out are the same for all models."""
    from dataclasses import replace

    import rocwise as rw

    y_true, models, null, weights, origin = _complete(options, columns, null, method)
    asked = {"loss": options.loss, "null": null, "y_train": y_train, "sample_weight": weights}
    curves = {
        name: replace(rw.regression.rec(y_true, values, **asked), origin=origin)
        for name, values in models.items()
    }
    accuracy = {
        name: curve.within(options.tolerance, level=options.level)
        for name, curve in curves.items()
        if options.tolerance
    }
    orders = [curves[a].order(curves[b], names=(a, b)) for a, b in combinations(models, 2)]
    comparison = None
    if len(models) > 1:
        comparison = rw.regression.compare(
            y_true,
            models,
            loss=options.loss,
            method=method,
            horizon=options.horizon,
            block=options.block if method == "block-bootstrap" else None,
            up_to=options.up_to,
            level=options.level,
            n_resamples=options.resamples,
            rng=options.seed,
        )
    return Found(curves, accuracy, _bands(options, curves), orders, comparison, options.up_to)


def _complete(
    options: Namespace, columns: dict[str, Any], null: Any, method: str
) -> tuple[Floats, dict[str, Floats], Any, Floats | None, Origin]:
    """Targets, forecasts by model, null model and weights where nothing is missing."""
    from dataclasses import replace

    from rocwise.cli.output import terminal
    from rocwise.errors import count_of
    from rocwise.inputs import forecast_rows

    named = {f"predictions[{name!r}]": columns[name] for name in options.prediction}
    given = null is not None and not isinstance(null, (str, float))
    extra = {"null": null} if given else {}
    weights = None if options.weight is None else columns[options.weight]
    rows = forecast_rows(
        columns[options.target], named | extra, sample_weight=weights, missing=options.missing
    )
    null = rows.predictions.pop("null") if given else null
    if rows.origin.n_dropped:
        if options.time_series or method in IN_TIME_ORDER:
            raise InputError(
                "--missing drop does not go with rows in time order: without those that miss a "
                "value the others are no longer one step apart. Fill the gaps, or cut the series."
            )
        terminal.warning(f"{count_of(rows.origin.n_dropped, 'row')} with missing values left out.")
    models = dict(zip(options.prediction, rows.predictions.values(), strict=True))
    return rows.y_true, models, null, rows.weights, replace(rows.origin, name=None)


def _bands(options: Namespace, curves: dict[str, RecCurve]) -> dict[str, RecBand]:
    import rocwise as rw
    from rocwise.regression import block_length

    if options.band is None:
        return {}
    block = 1
    if options.band == "bootstrap" and options.time_series:
        n = next(iter(curves.values())).n
        block = options.block or block_length(n, options.horizon)
    return {
        name: rw.regression.band(
            curve,
            kind=options.band,
            level=options.level,
            block=block,
            n_resamples=options.resamples,
            rng=options.seed,
        )
        for name, curve in curves.items()
    }
