"""``rocwise rec``: regression error characteristic curves, and models compared."""

from collections.abc import Mapping
from contextlib import suppress
from itertools import combinations
from typing import Any, NamedTuple

import rocwise as rw
from rocwise import checks, printing
from rocwise.cli import data
from rocwise.cli.commands.compare import pair_table
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output
from rocwise.cli.terminal import folded, printable
from rocwise.errors import InputError, count_of, in_words_of
from rocwise.regression import block_length
from rocwise.results import ModelResults

DESCRIPTION = """\
REC curves of predictions of a number: the proportion of cases within each tolerance. The area over
the curve (AOC) is the mean error. With several models: which dominates, where their curves cross,
and whether their mean errors differ significantly."""
EXAMPLES = """\
  rocwise rec forecasts.csv --target y --prediction a
  rocwise rec forecasts.csv --target y --prediction a --prediction b --tolerance 2
  rocwise rec forecasts.csv --target y --prediction a --null mean --train past.csv
  rocwise rec monthly.csv --target y --prediction a --prediction b \\
      --order time --horizon 3
  rocwise rec forecasts.csv --target y --prediction a --band dkw --plot rec.svg"""
NULL_MODELS = ("mean", "median", "last")
FOR_SERIES = ("diebold-mariano", "diebold-mariano-hac", "block-bootstrap")


class Found(NamedTuple):
    """Results about the models."""

    curves: Any  # RecCurves
    accuracy: dict[str, Any]
    bands: dict[str, Any]
    orders: list[Any]
    comparison: Any
    up_to: float | None = None

    def areas_up_to(self) -> dict[str, float]:
        """AOC up to the given error of each model, and last of the null model."""
        null = next(iter(self.curves.results.values())).null_curve
        every = {**self.curves.results, **({} if null is None else {None: null})}
        return {} if self.up_to is None else {k: v.aoc_up_to(self.up_to) for k, v in every.items()}

    def members(self) -> dict[str, Any]:
        """What is not in the curves, for one JSON document."""
        areas: dict[Any, Any] = self.areas_up_to()
        null = areas.pop(None, None)
        others = {name: each for name, each in self._asdict().items() if name != "curves"}
        return {**others, "aoc_up_to": areas, "null_aoc_up_to": null}


def add_options(parser: Parser) -> None:
    parser.table()
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
        "independent rows: permutation (default), permutation-sup, wilcoxon, bootstrap; rows in "
        "time order: diebold-mariano-hac (default there), diebold-mariano, block-bootstrap",
    )
    text = "time: rows are a series, for --method diebold-mariano-hac and bands in blocks"
    parser.option("--order", text, choices=("time",))
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
    series = _is_series(options)
    columns, null, y_train = _read(options)
    both = ("y_pred", "predictions")
    named = {f"{each}[{name!r}]": name for each in both for name in options.prediction}
    with data.columns_named(named, y_true=options.target, sample_weight=options.sample_weight):
        _check_numbers(options)
        found = _found(options, columns, null, y_train, series)
    return Output(
        found.curves.results,
        lambda _: _report(found, options.words),
        _heading(found.curves, options),
        of_all=found.members(),
        plot=lambda: (found.bands or found.curves.results, {}),
    )


def _is_series(options: Options) -> bool:
    """Whether rows are in time order; raises for options of the other kind of rows."""
    series = options.order is not None or options.method in FOR_SERIES
    if options.train is not None and options.null not in NULL_MODELS:
        raise InputError("--train is for --null mean, median or last; add one of them.")
    blocks = options.method == "block-bootstrap" or (options.order and options.band == "bootstrap")
    if options.block is not None and not blocks:
        raise InputError(
            "--block is for --method block-bootstrap, and for --order time with --band bootstrap."
        )
    if options.horizon != 1 and not series:
        raise InputError("--horizon is for forecasts of a series; add --order time.")
    return series


def _check_numbers(options: Options) -> None:
    """Raise for what is wrong even where nothing requested would use it."""
    if options.sample_weight is not None and len(options.prediction) > 1:
        raise InputError(
            "--weight is for one --prediction at a time: the tests that compare models take "
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
    data.check_distinct(options.prediction, "--prediction")
    null: Any = options.null
    if null is not None:
        with suppress(ValueError):
            null = float(null)
    column = null if isinstance(null, str) and null not in NULL_MODELS else None
    extra = [name for name in (column, options.sample_weight) if name is not None]
    columns = data.read_columns(options.file, [options.target, *options.prediction, *extra])
    y_train = None
    if options.train is not None:
        y_train = data.read_columns(options.train, [options.target])[options.target]
    return columns, null if column is None else columns[column], y_train


def _found(
    options: Options, columns: dict[str, Any], null: Any, y_train: Any, series: bool
) -> Found:
    """All requested results; rows left out are the same for all models."""
    y_true = columns[options.target]
    models = {name: columns[name] for name in options.prediction}
    weights = None if options.sample_weight is None else columns[options.sample_weight]
    how = {"null": null, "y_train": y_train, "sample_weight": weights, "missing": options.missing}
    curves: Any = rw.regression.rec(y_true, models, loss=options.loss, **how)
    dropped = curves.origin.n_dropped > 0
    if dropped and series:
        raise InputError(
            "--missing drop does not go with rows in time order: without those that miss a "
            "value the others are no longer one step apart. Fill the gaps, or cut the series."
        )
    data.warn_of_dropped(curves.origin)
    accuracy = {
        name: curve.within(options.tolerance, level=options.level)
        for name, curve in curves.results.items()
        if options.tolerance
    }
    orders = [curves[a].order(curves[b], names=(a, b)) for a, b in combinations(models, 2)]
    comparison = None
    if len(models) > 1:
        comparison = rw.regression.compare(
            y_true,
            models,
            loss=options.loss,
            method=options.method,
            order=options.order,
            block=options.block if options.method == "block-bootstrap" else None,
            missing="drop" if dropped else "raise",
            **options.settings("regression.compare"),
        )
    bands = _bands(options, curves.results)
    return Found(curves, accuracy, bands, orders, comparison, options.up_to)


def _bands(options: Options, curves: dict[str, Any]) -> dict[str, Any]:
    if options.band is None:
        return {}
    block = 1
    if options.band == "bootstrap" and options.order:
        n = next(iter(curves.values())).n
        block = options.block or block_length(n, options.horizon)
    drawn = options.given("level", "n_resamples", "rng")
    return {
        name: rw.regression.band(curve, kind=options.band, block=block, **drawn)
        for name, curve in curves.items()
    }


def _heading(curves: Any, options: Options) -> str:
    first = curves[options.prediction[0]]
    cases = count_of(first.n, "case")
    size = f"{data.source_name(options)}: {cases}; AOC is the mean {first.loss} error, with 95% CI"
    return "; ".join([size, *curves.origin.remarks()])


def _report(found: Found, words: Mapping[str, str]) -> str:
    parts = [_areas(found)]
    if found.accuracy:
        first = next(iter(found.accuracy.values()))
        level = f"limits with a level of {printing.percent(first.level)} ({first.method})"
        table = ModelResults(results=found.accuracy).to_string()
        parts.append(f"Proportions of cases within tolerances, {level}:\n{table}")
    if found.bands:
        parts.append(_band_lines(found.bands))
    if found.orders:
        parts.append("\n".join(folded(f"{order}.") for order in found.orders))
    if found.comparison is not None:
        parts.append(_comparison(found.comparison, words))
    return "\n\n".join(parts)


def _areas(found: Found) -> str:
    """The table of the curves, the null model, and areas up to the given error."""
    lines = [found.curves.to_string(digits=4)]
    first = next(iter(found.curves.results.values()))
    if first.null_curve is not None:
        lines.append(f"null model ({first.null}): AOC {first.null_aoc:.4g}")
    areas = [f"{name or 'null model'} {area:.4g}" for name, area in found.areas_up_to().items()]
    if areas:
        lines.append(folded(f"AOC up to {found.up_to:g}: {', '.join(areas)}"))
    return "\n".join(lines)


def _band_lines(bands: Mapping[str, Any]) -> str:
    first = next(iter(bands.values()))
    lines = [folded(f"{first.description()}:")]
    for name, band in bands.items():
        doubt = band.doubt()
        remark = f"; {doubt}: use --order time --band bootstrap" if doubt else ""
        lines.append(folded(f"{printable(name)} ± {band.half_width:.3g}{remark}"))
    return "\n".join(lines)


def _comparison(result: Any, words: Mapping[str, str]) -> str:
    """One difference as a sentence, or every pair as a table."""
    if result.pairwise is None:
        return folded(in_words_of(result._sentence(), words))
    note = [] if result.note is None else [folded(in_words_of(result.note, words))]
    p = "" if result.p_value is None else f"{printing.p_value(result.p_value)}, "
    level = printing.percent(result.level)
    test = f"{result.quantity}, all equal: {p}{result.method}; limits of each pair: {level}"
    table = pair_table(result.pairwise, "low", "high", digits=5)
    return "\n".join([folded(test), "", table, *note])
