"""``rocwise rec``: regression error characteristic curves, and models compared."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import rocwise as rw
from rocwise import checks, printing
from rocwise.cli.commands.compare import pair_table
from rocwise.cli.data import (
    check_distinct,
    columns_named,
    read_columns,
    source_name,
    warn_of_dropped,
)
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output
from rocwise.cli.terminal import folded, printable
from rocwise.errors import InputError, count_of, in_words_of
from rocwise.inputs import forecast_rows
from rocwise.regression import block_length
from rocwise.results import ModelAnswers
from rocwise.tables import plain_text

DESCRIPTION = """\
REC curves of predictions of a number: the proportion of cases within each tolerance. The area over
the curve (AOC) is the mean error. With several models: which dominates, where their curves cross,
and whether their mean errors differ significantly."""
EXAMPLES = """\
  rocwise rec forecasts.csv --target y --prediction a
  rocwise rec forecasts.csv --target y --prediction a --prediction b --tolerance 2
  rocwise rec forecasts.csv --target y --prediction a --null mean --train past.csv
  rocwise rec monthly.csv --target y --prediction a --prediction b \\
      --time-series --horizon 3
  rocwise rec forecasts.csv --target y --prediction a --band dkw --plot rec.svg"""
TIME_SERIES_METHODS = ("diebold-mariano", "block-bootstrap")
NULL_MODELS = ("mean", "median", "last")


class Found(NamedTuple):
    """Results about the models."""

    curves: dict[str, Any]
    accuracy: dict[str, Any]
    bands: dict[str, Any]
    orders: list[Any]
    comparison: Any
    up_to: float | None = None

    def members(self) -> dict[str, Any]:
        """All of it, for one JSON document."""
        null = next(iter(self.curves.values())).null_curve
        up_to = {} if self.up_to is None else self.curves
        return {
            **self._asdict(),
            "aoc_up_to": {name: curve.aoc_up_to(self.up_to) for name, curve in up_to.items()},
            "null_aoc_up_to": None if null is None or not up_to else null.aoc_up_to(self.up_to),
        }


def add_options(parser: Parser) -> None:
    """Options of this command."""
    file = ".csv, .tsv (also .gz), .parquet, or - for standard input"
    parser.option("file", file, metavar="FILE")
    parser.section("data")
    parser.column("--target", "the observed value", required=True)
    text = "a model's prediction; repeat it for several models"
    parser.column("--prediction", text, required=True, action="append")
    parser.column("--weight", "weight of each row, for one model", dest="sample_weight")
    parser.missing()
    parser.section("curves")
    parser.choice("--loss", ("absolute", "squared"), "loss function")
    text = "null model: mean, median or last of the target in --train; a number; or a column"
    parser.option("--null", text, metavar="MODEL")
    parser.option("--train", "training data with the target, for --null", metavar="FILE")
    text = "proportion of cases within this error, with its interval; repeat it for several"
    parser.option("--tolerance", text, type=float, action="append", metavar="ERROR")
    parser.option("--band", "band around each curve", choices=("dkw", "bootstrap"))
    parser.section("comparison")
    parser.option(
        "--method",
        "independent rows: swap (default), swap-sup, wilcoxon, bootstrap; rows in time order: "
        "diebold-mariano, block-bootstrap",
    )
    parser.flag(
        "--time-series", "rows are in time order: --method diebold-mariano, bands in blocks"
    )
    parser.option("--block", "length of blocks", type=int, metavar="ROWS")
    parser.arguments(
        "regression.compare",
        horizon="steps ahead of the predictions",
        up_to="compute and compare the AOC up to this error",
        level=None,
        n_resamples=None,
        rng=None,
    )
    parser.output("the curves")


def compute(options: Options) -> Output:
    """Curves, accuracies, bands, orders and comparison of the models."""
    method = _method(options)
    columns, null, y_train = _read(options)
    named = {f"predictions[{name!r}]": name for name in options.prediction}
    named |= {"y_true": options.target, "y_pred": options.prediction[0]}
    with columns_named(named, sample_weight=options.sample_weight):
        _check_numbers(options)
        found = _found(options, columns, null, y_train, method)
    return Output(
        found.curves,
        lambda _: _report(found, options.words),
        _heading(found, options),
        document=found.members(),
        plot=lambda: (found.bands or found.curves, {}),
    )


def _method(options: Options) -> str:
    """The requested test, or the default for the kind of rows."""
    method: str = options.method or ("diebold-mariano" if options.time_series else "swap")
    if options.time_series and method not in TIME_SERIES_METHODS:
        raise InputError(
            f"--method {method} takes rows for independent, but --time-series says that they "
            f"follow each other; use one of {', '.join(TIME_SERIES_METHODS)}."
        )
    if options.train is not None and options.null not in NULL_MODELS:
        raise InputError("--train is for --null mean, median or last; add one of them.")
    blocks = method == "block-bootstrap" or (options.time_series and options.band == "bootstrap")
    if options.block is not None and not blocks:
        raise InputError(
            "--block is for --method block-bootstrap, and for --time-series with --band bootstrap."
        )
    if options.horizon != 1 and method not in TIME_SERIES_METHODS:
        raise InputError("--horizon is for forecasts of a series; add --time-series.")
    return method


def _check_numbers(options: Options) -> None:
    """Raise for what is wrong even where nothing requested would use it."""
    if options.sample_weight is not None and len(options.prediction) > 1:
        raise InputError(
            "--weight is for one --prediction at a time: the tests that compare forecasters take "
            "rows for equal."
        )
    if options.method is not None and len(options.prediction) < 2:
        raise InputError("--method compares models; give --prediction at least twice.")
    checks.level(options.level)
    checks.whole(options.horizon, "horizon")
    checks.whole(options.n_resamples, "n_resamples", at_least=100)
    if options.up_to is not None:
        checks.not_negative(options.up_to, "up_to")


def _read(options: Options) -> tuple[dict[str, Any], Any, Any]:
    """The columns by name, the null model, and the training targets."""
    check_distinct(options.prediction, "--prediction")
    null: Any = options.null
    if null is not None:
        with suppress(ValueError):
            null = float(null)
    column = null if isinstance(null, str) and null not in NULL_MODELS else None
    extra = [name for name in (column, options.sample_weight) if name is not None]
    columns = read_columns(options.file, [options.target, *options.prediction, *extra])
    y_train = None
    if options.train is not None:
        y_train = read_columns(options.train, [options.target])[options.target]
    return columns, null if column is None else columns[column], y_train


def _found(
    options: Options, columns: dict[str, Any], null: Any, y_train: Any, method: Any
) -> Found:
    """All requested results; rows left out are the same for all models."""
    y_true, models, null, weights, origin = _complete(options, columns, null, method)
    given = {"loss": options.loss, "null": null, "y_train": y_train, "sample_weight": weights}
    curves = {
        name: replace(rw.regression.rec(y_true, values, **given), origin=origin)
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
            block=options.block if method == "block-bootstrap" else None,
            **options.settings("regression.compare"),
        )
    return Found(curves, accuracy, _bands(options, curves), orders, comparison, options.up_to)


def _complete(
    options: Options, columns: dict[str, Any], null: Any, method: str
) -> tuple[Any, dict[str, Any], Any, Any, Any]:
    """Targets, predictions by model, null model and weights of the complete rows."""
    named = {f"predictions[{name!r}]": columns[name] for name in options.prediction}
    given = null is not None and not isinstance(null, str | float)
    extra = {"null": null} if given else {}
    weights = None if options.sample_weight is None else columns[options.sample_weight]
    rows = forecast_rows(
        columns[options.target], named | extra, sample_weight=weights, missing=options.missing
    )
    null = rows.predictions.pop("null") if given else null
    if rows.origin.n_dropped and (options.time_series or method in TIME_SERIES_METHODS):
        raise InputError(
            "--missing drop does not go with rows in time order: without those that miss a "
            "value the others are no longer one step apart. Fill the gaps, or cut the series."
        )
    warn_of_dropped(rows.origin)
    models = dict(zip(options.prediction, rows.predictions.values(), strict=True))
    return rows.y_true, models, null, rows.weights, replace(rows.origin, name=None)


def _bands(options: Options, curves: dict[str, Any]) -> dict[str, Any]:
    if options.band is None:
        return {}
    block = 1
    if options.band == "bootstrap" and options.time_series:
        n = next(iter(curves.values())).n
        block = options.block or block_length(n, options.horizon)
    drawn = options.given("level", "n_resamples", "rng")
    return {
        name: rw.regression.band(curve, kind=options.band, block=block, **drawn)
        for name, curve in curves.items()
    }


def _heading(found: Found, options: Options) -> str:
    first = next(iter(found.curves.values()))
    cases = count_of(first.n, "case")
    size = f"{source_name(options)}: {cases}; AOC is the mean {first.loss} error, with 95 % CI"
    return "; ".join([size, *first.origin.remarks()])


def _report(found: Found, words: Mapping[str, str]) -> str:
    parts = [_area_table(found.curves, found.up_to)]
    if found.accuracy:
        first = next(iter(found.accuracy.values()))
        level = f"limits with a level of {printing.percent(first.level)} ({first.method})"
        table = ModelAnswers(answers=found.accuracy).to_string()
        parts.append(f"Proportions of cases within tolerances, {level}:\n{table}")
    if found.bands:
        parts.append(_band_lines(found.bands))
    if found.orders:
        parts.append("\n".join(folded(f"{order}.") for order in found.orders))
    if found.comparison is not None:
        parts.append(_comparison(found.comparison, words))
    return "\n\n".join(parts)


def _area_table(curves: Mapping[str, Any], up_to: float | None) -> str:
    """One row per model: AOC and its limits, median and largest error, ratio to the null model."""
    first = next(iter(curves.values()))
    null = {} if first.null_curve is None else {"null model": first.null_curve}
    every = [*curves.values(), *null.values()]
    limits = [(None, None) if curve.interval is None else curve.interval for curve in every]
    columns: dict[str, Any] = {
        "model": [*map(printable, curves), *null],
        "AOC": [curve.aoc for curve in every],
        "low": [low for low, _ in limits],
        "high": [high for _, high in limits],
        "median": [curve.median_loss for curve in every],
        "largest": [float(curve.losses.max()) for curve in every],
    }
    if null:
        columns["of null"] = [*(curve.relative_aoc for curve in curves.values()), 1.0]
    if up_to is not None:
        columns[f"AOC up to {up_to:g}"] = [curve.aoc_up_to(up_to) for curve in every]
    table = plain_text(columns, 4, most=len(every))
    return f"{table}\n(null model: {first.null})" if null else table


def _band_lines(bands: Mapping[str, Any]) -> str:
    first = next(iter(bands.values()))
    lines = [folded(f"{first.promise()}:")]
    for name, band in bands.items():
        doubt = band.doubt()
        remark = f"; {doubt}: use --time-series --band bootstrap" if doubt else ""
        lines.append(folded(f"{printable(name)} ± {band.half_width:.3g}{remark}"))
    return "\n".join(lines)


def _comparison(result: Any, words: Mapping[str, str]) -> str:
    """One difference as a sentence, or every pair as a table."""
    if result.pairwise is None:
        return folded(in_words_of(result._sentence(), words))
    note = [] if result.note is None else [folded(in_words_of(result.note, words))]
    p = "" if result.p_value is None else f"{printing.p_value(result.p_value)}, "
    level = printing.percent(result.level)
    test = f"{result.quantity}, all alike: {p}{result.method}; limits: {level}"
    table = pair_table(result.pairwise, "low", "high", digits=5)
    return "\n".join([folded(test), "", table, *note])
