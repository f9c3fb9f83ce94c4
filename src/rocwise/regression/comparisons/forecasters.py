"""Forecasters compared on the same rows, by one of six methods."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Floats
from rocwise.errors import InputError, warn
from rocwise.inference.proportions import tango_interval
from rocwise.inference.significance import holm
from rocwise.inputs.coercion import Missing
from rocwise.inputs.forecasts import forecast_rows, named_predictions
from rocwise.progress import Report, reporter
from rocwise.regression.comparisons.designs import (
    IN_TIME_ORDER,
    METHODS,
    ComparisonDesign,
    ForecastTest,
    checked_block,
    refuse_mixed,
)
from rocwise.regression.comparisons.loss_tests import (
    LossTest,
    diebold_mariano,
    signed_rank,
    studentised_bootstrap,
)
from rocwise.regression.comparisons.results import RecComparison
from rocwise.regression.comparisons.swap_tests import SwapTest, mean_swap_test, supremum_swap_test
from rocwise.regression.rec_curves.losses import (
    Loss,
    Losses,
    LossFunction,
    exact_mean,
    losses_of,
    pooled_losses,
)
from rocwise.results import Interval, Origin, Table

LONG = 20.0  # seconds that nobody should wait for unwarned
SMALLEST, LARGEST = 1e-100, 1e100  # losses whose squares and their sums are floats


def compare_rec(
    y_true: Any,
    predictions: Any,
    *,
    loss: Loss | LossFunction = "absolute",
    method: ForecastTest = "swap",
    horizon: int = 1,
    block: int | None = None,
    tolerance: float | None = None,
    up_to: float | None = None,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Any = None,
    missing: Missing = "raise",
    progress: bool | Report | None = None,
) -> RecComparison:
    """Is one forecaster better than another on the same rows? More than two: every pair.

    Parameters
    ----------
    y_true, predictions : array-like, and dict of name to array-like, data frame or 2-D array
        Targets, and the forecasts of each model.
    loss, missing
        "absolute", "squared" or a function of both columns; "raise", or "drop" for leaving out
        rows that miss something, which rows in time order do not allow.
    method : {"swap", "swap-sup", "wilcoxon", "diebold-mariano", "bootstrap", "block-bootstrap"}
        The first three and "bootstrap" take rows for independent; the other two take them in time
        order. "swap-sup" compares whole curves.
    horizon : int, default 1
        Steps ahead of the forecasts, for the methods in time order.
    block : int, optional
        Rows per block of "block-bootstrap"; by default the cube root of n, at least `horizon`.
    tolerance, up_to : float, optional
        Compare the shares of cases within this tolerance, or the AOC up to it.
    level, n_resamples, rng
        Of the interval; random swaps (where not all are counted) or resamples; seed or generator.
    progress : optional
        Whether to show how far long work has come.

    Returns
    -------
    RecComparison

    Examples
    --------
    >>> import rocwise as rw
    >>> models = {"a": [1.2, 1.7, 3.1, 4.8, 4.6, 6.0], "b": [1.1, 2.6, 3.0, 4.2, 5.3, 5.1]}
    >>> rw.compare_rec([1, 2, 3, 4, 5, 6], models)
    AOC a 0.3 against b 0.35: difference -0.05, p = 0.812 (swap test, all swaps); 6 cases
    """
    checks.one_of(missing, "missing", get_args(Missing))
    checks.one_of(method, "method", METHODS)
    if missing == "drop" and method in IN_TIME_ORDER:
        raise InputError(
            f"`missing` 'drop' does not go with method={method!r}: without those rows the others "
            "are no longer one step apart. Fill the gaps, or cut the series."
        )
    named = named_predictions(predictions)
    arguments = {f"predictions[{name!r}]": values for name, values in named.items()}
    found = forecast_rows(y_true, arguments, missing=missing)
    return compared(
        found.y_true,
        dict(zip(named, found.predictions.values(), strict=True)),
        loss=loss,
        method=method,
        horizon=horizon,
        block=block,
        tolerance=tolerance,
        up_to=up_to,
        level=level,
        n_resamples=n_resamples,
        rng=rng,
        progress=progress,
        origin=found.origin,
    )


def compared(
    y_true: Floats,
    predictions: Mapping[str, Floats],
    *,
    loss: Loss | LossFunction = "absolute",
    method: ForecastTest = "swap",
    horizon: int = 1,
    block: int | None = None,
    tolerance: float | None = None,
    up_to: float | None = None,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Any = None,
    progress: bool | Report | None = None,
    origin: Origin | None = None,
) -> RecComparison:
    """The comparison of checked columns."""
    checks.one_of(method, "method", METHODS)
    horizon = checks.whole(horizon, "horizon", at_most=2**53)
    refuse_mixed(method, tolerance, up_to)
    losses = {name: losses_of(y_true, each, loss) for name, each in predictions.items()}
    columns, quantity = _compared_columns(losses, tolerance, up_to)
    design = ComparisonDesign(
        method=method,
        horizon=horizon,
        block=checked_block(block, method, len(y_true), horizon),
        level=checks.level(level),
        n_resamples=checks.draws(n_resamples, rng, progress, at_least=100),
        seed=checks.seed(rng),
        near=_rounding_of_losses(losses),
        tolerance=tolerance,
    )
    report = reporter(progress, f"{method} test")
    whole = tolerance is None and up_to is None
    averaged = {name: each.values for name, each in losses.items()} if whole else columns
    estimates = {name: exact_mean(column) for name, column in averaged.items()}
    pairs = _every_two(columns, estimates, design, report)
    shared: dict[str, Any] = {
        "quantity": quantity,
        "loss": next(iter(losses.values())).kind,
        "n": len(y_true),
        "horizon": horizon,
        "level": design.level,
        "origin": origin or Origin(),
    }
    if len(pairs) == 1:
        (only,) = pairs.values()
        return RecComparison(estimates=estimates, **only, **shared)
    return _several(estimates, pairs, design, shared)


def _compared_columns(
    losses: Mapping[str, Losses], tolerance: float | None, up_to: float | None
) -> tuple[dict[str, Floats], str]:
    """What is averaged for each model: losses, losses cut at a limit, or hits."""
    pooled = pooled_losses(dict(losses))
    if tolerance is not None:
        limit = checks.not_negative(tolerance, "tolerance")
        gap = max(each.rounding for each in losses.values())
        first = next(iter(losses.values()))
        reach = limit + gap if first.kind != "squared" else (np.sqrt(limit) + gap) ** 2
        hits = {name: (column <= reach).astype(np.float64) for name, column in pooled.items()}
        return hits, f"accuracy within {limit:g}"
    if up_to is not None:
        limit = checks.within(up_to, "up_to", 1e-290, 1e290)
        return {name: np.minimum(column, limit) for name, column in pooled.items()}, (
            f"AOC up to {limit:g}"
        )
    return pooled, "AOC"


def _rounding_of_losses(losses: Mapping[str, Losses]) -> float:
    """Differences of losses smaller than this are rounding."""
    gap = max(each.rounding for each in losses.values())
    first = next(iter(losses.values()))
    top = max(float(each.distances().max()) for each in losses.values())
    return 2 * gap * (2 * top + gap) if first.kind == "squared" else 2 * gap


def _every_two(
    columns: Mapping[str, Floats],
    estimates: Mapping[str, float],
    design: ComparisonDesign,
    report: Report,
) -> dict[tuple[str, str], dict[str, Any]]:
    """The fields of every pair; the time of the first one tells that of all."""
    names = list(combinations(columns, 2))
    found: dict[tuple[str, str], dict[str, Any]] = {}
    started = time.perf_counter()
    for done, pair in enumerate(names):
        found[pair] = _two(pair, columns, estimates, design, _part_of(report, done, len(names)))
        report((done + 1) / len(names))  # also where a pair was counted without draws
        expected = (time.perf_counter() - started) * (len(names) - 1)
        if done == 0 and expected > LONG:
            warn(
                f"`predictions` has {len(columns):,} models, {len(names):,} pairs of which will "
                f"take about {expected:,.0f} s. Pass fewer models, fewer `n_resamples`, or "
                "method='wilcoxon', which draws nothing."
            )
    return found


def _part_of(report: Report, done: int, total: int) -> Report:
    """Tells `report` how far all pairs have come, from within one of them."""
    return lambda share: report((done + share) / total)


def _two(
    pair: tuple[str, str],
    columns: Mapping[str, Floats],
    estimates: Mapping[str, float],
    design: ComparisonDesign,
    report: Report,
) -> dict[str, Any]:
    """The fields of the result that two models differ in."""
    first, second = (columns[name] for name in pair)
    difference = estimates[pair[0]] - estimates[pair[1]]
    if _same_losses(first, second):
        difference = 0.0  # the same losses but for rounding
    found = _test(first, second, design, report)
    if isinstance(found, SwapTest):
        tested = LossTest(found.statistic, found.p_value)
        resampled = found.n_resamples
    else:
        tested = found
        resampled = design.n_resamples if "bootstrap" in design.method else None
    return {
        "difference": difference,
        "standard_error": tested.standard_error,
        "interval": _interval(first - second, difference, tested, design),
        "statistic": tested.statistic,
        "p_value": tested.p_value,
        "method": design.description(resampled),
        "n_resamples": resampled,
        "seed": design.seed if resampled is not None else None,
        "note": "; ".join(filter(None, [tested.note, design.unused_horizon()])) or None,
    }


def _same_losses(first: Floats, second: Floats) -> bool:
    """Whether two models have the same losses, on other rows perhaps; most differ in the ends."""
    if first.min() != second.min() or first.max() != second.max():
        return False
    return np.array_equal(kernels.ascending(first), kernels.ascending(second))


def _test(
    first: Floats, second: Floats, design: ComparisonDesign, report: Report
) -> SwapTest | LossTest:
    """Test in the units of the losses; in better ones where their squares would not be floats."""
    top = max(float(first.max()), float(second.max()))
    if top == 0.0 or SMALLEST <= top <= LARGEST:
        return _test_in_units(first, second, design, report)
    exponent = math.frexp(top)[1]
    scaled = replace(design, near=math.ldexp(design.near, -exponent))
    first, second = np.ldexp(first, -exponent), np.ldexp(second, -exponent)
    found = _test_in_units(first, second, scaled, report)
    return _in_units(found, design.method, exponent)


def _in_units(found: SwapTest | LossTest, method: str, exponent: int) -> SwapTest | LossTest:
    """Numbers with a unit, back in that of the losses; ranks, t and shares have none."""

    def back(number: float | None) -> float | None:
        with np.errstate(over="ignore"):
            value = None if number is None else float(np.ldexp(number, exponent))
        return None if value is None or math.isinf(value) else value

    if isinstance(found, SwapTest):
        statistic = back(found.statistic) if method == "swap" else None
        return found if statistic is None else replace(found, statistic=statistic)
    return replace(found, standard_error=back(found.standard_error), reach=back(found.reach))


def _test_in_units(
    first: Floats, second: Floats, design: ComparisonDesign, report: Report
) -> SwapTest | LossTest:
    differences = first - second
    drawn: dict[str, Any] = {
        "n_resamples": design.n_resamples,
        "seed": design.seed,
        "report": report,
    }
    if design.method == "swap":
        return mean_swap_test(differences, near=design.near * len(first), **drawn)
    if design.method == "swap-sup":
        return supremum_swap_test(first, second, **drawn)
    if design.method == "wilcoxon":
        return signed_rank(differences, design.near)
    if design.method == "diebold-mariano":
        return diebold_mariano(
            differences, horizon=design.horizon, level=design.level, near=design.near
        )
    return studentised_bootstrap(
        differences, block=design.block, level=design.level, near=design.near, **drawn
    )


def _interval(
    differences: Floats, difference: float, tested: LossTest, design: ComparisonDesign
) -> Interval | None:
    """The interval of the method, or Tango's for shares of independent rows."""
    if tested.reach is not None:
        low, high = difference - tested.reach, difference + tested.reach
        return Interval(low, high, design.level, design.method)
    if design.tolerance is not None and design.method == "swap":
        gained, lost = (int(np.count_nonzero(differences == sign)) for sign in (1.0, -1.0))
        return tango_interval(gained, lost, len(differences), level=design.level)
    return None


def _several(
    estimates: dict[str, float],
    pairs: Mapping[tuple[str, str], dict[str, Any]],
    design: ComparisonDesign,
    shared: dict[str, Any],
) -> RecComparison:
    """Every pair with Holm's adjusted p value; the smallest of them tests that all are equal."""
    p_values = [found["p_value"] for found in pairs.values()]
    adjusted = holm([1.0 if p is None else p for p in p_values])
    known = [q for p, q in zip(p_values, adjusted, strict=True) if p is not None]
    columns: dict[str, list[Any]] = {
        "first": [a for a, _ in pairs],
        "second": [b for _, b in pairs],
        **{
            field: [found[field] for found in pairs.values()]
            for field in ("difference", "standard_error")
        },
        "low": [found["interval"].low if found["interval"] else None for found in pairs.values()],
        "high": [found["interval"].high if found["interval"] else None for found in pairs.values()],
        "statistic": [found["statistic"] for found in pairs.values()],
        "p_value": p_values,
        "p_adjusted": [None if p is None else q for p, q in zip(p_values, adjusted, strict=True)],
    }
    resampled = [f["n_resamples"] for f in pairs.values() if f["n_resamples"] is not None]
    notes = dict.fromkeys(found["note"] for found in pairs.values() if found["note"])
    return RecComparison(
        estimates=estimates,
        difference=None,
        standard_error=None,
        interval=None,
        statistic=None,
        p_value=min(known) if known else None,
        method=design.description(resampled[0] if resampled else None),
        n_resamples=resampled[0] if resampled else None,
        seed=design.seed if resampled else None,
        note="; ".join(notes) or None,
        pairwise=Table({name: np.array(values) for name, values in columns.items()}),
        **shared,
    )
