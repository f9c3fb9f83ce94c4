"""Forecasters compared on the same rows, by one of six methods."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Codes, Floats, Integers
from rocwise.errors import InputError, count_of, shown, warn
from rocwise.inference.comparison import ModelComparison
from rocwise.inference.proportions import tango_interval
from rocwise.inference.significance import holm
from rocwise.inputs.coercion import Missing
from rocwise.inputs.forecasts import forecast_rows, named_predictions
from rocwise.kernels.threads import limited_to, run_parts, thread_limit
from rocwise.progress import Report, reporter
from rocwise.regression.rec_curves import (
    Loss,
    Losses,
    LossFunction,
    chain_starts,
    exact_mean,
    losses_of,
    pooled_losses,
)
from rocwise.results import Interval, Origin, Table, result


@result
class RecComparison(ModelComparison):
    """Two or more forecasters compared on the same rows.

    `estimates` are by name, `difference` is the first minus the second. Where a p value is not
    defined it is None and `note` says why. For more than two models `pairwise` has a row for each
    pair, and `p_value` is the smallest of Holm's adjusted ones: a test that all are alike.
    """

    loss: str
    n: int
    horizon: int
    level: float
    n_resamples: int | None = None
    note: str | None = None

    def _sentence(self) -> str:
        shown = [f"{name} {value:.4g}" for name, value in self.estimates.items()]
        size = count_of(self.n, "case")
        why = f"; {self.note}" if self.note else ""
        p = None if self.p_value is None else printing.p_value(self.p_value)
        if self.difference is None:
            alike = f"; all alike: {p}" if p else ""
            return f"{self.quantity} of {', '.join(shown)}{alike} ({self.method}); {size}{why}"
        tested = f", {p}" if p else ""
        return (
            f"{self.quantity} {shown[0]} against {shown[1]}: difference {self.difference:.4g}"
            f"{self.interval_words()}{tested} ({self.method}); {size}{why}"
        )

    def interval_words(self) -> str:
        """The interval in brackets, or nothing."""
        if self.interval is None:
            return ""
        level = printing.percent(self.interval.level)
        return f" ({level} CI {self.interval.low:.4g} to {self.interval.high:.4g})"


NO_SPREAD = 1e-12  # a variance this small beside that of single rows is rounding
CHUNK = 2_000_000  # rows drawn at a time, where what was drawn is stored
ROWS_AT_ONCE = 64_000_000  # elsewhere: a tenth of a second, several parts for each thread


@dataclass(frozen=True, slots=True)
class LossTest:
    """What a test of differences found; None where it is undefined, with the reason in `note`."""

    statistic: float | None
    p_value: float | None
    standard_error: float | None = None
    reach: float | None = None
    note: str | None = None


def signed_rank(differences: Floats, near: float) -> LossTest:
    """Wilcoxon's signed-rank test, rows without a difference left out."""
    from scipy.stats import wilcoxon

    if not differences.any():
        return LossTest(0.0, 1.0, note="all differences are 0")
    found = wilcoxon(_equal_made_identical(differences, near), zero_method="wilcox")
    return LossTest(float(found.statistic), float(found.pvalue))


def _equal_made_identical(differences: Floats, near: float) -> Floats:
    """0.3 - 0.2 and 0.2 - 0.1 must be tied: sizes that differ by rounding become one."""
    sizes = np.abs(differences)
    order = kernels.argsort(sizes)
    starts = chain_starts(sizes[order], near)
    merged = np.empty_like(sizes)
    merged[order] = sizes[order][starts][np.cumsum(starts) - 1]
    return np.copysign(merged, differences)


def diebold_mariano(differences: Floats, *, horizon: int, level: float, near: float) -> LossTest:
    """Diebold and Mariano's test in the form of Harvey, Leybourne and Newbold (1997) (C7)."""
    from scipy.special import stdtr, stdtrit

    n, h = len(differences), horizon
    if n < 2:
        raise InputError("`method` 'diebold-mariano' needs at least 2 rows; got 1.")
    if h >= n:
        raise InputError(f"`horizon` must be smaller than the {n} rows; got {shown(h)}.")
    mean = float(np.mean(differences))
    variance, single = _long_run_variance(differences - mean, h)
    if single <= near**2 or variance <= NO_SPREAD * single / n:
        return LossTest(None, None, note=_why_no_variance(single <= near**2, h, n))
    correction = (n + 1 - 2 * h + h * (h - 1) / n) / n
    error = math.sqrt(variance / correction)
    t = mean / error
    p = min(1.0, 2.0 * float(stdtr(n - 1, -abs(t))))
    return LossTest(t, p, error, float(stdtrit(n - 1, (1 + level) / 2)) * error)


def _long_run_variance(centred: Floats, h: int) -> tuple[float, float]:
    """Variance of the mean from autocovariances up to h - 1, and the variance of single rows."""
    n = len(centred)
    lags = [kernels.dot(centred[k:], centred[: n - k]) / n for k in range(h)]
    return (lags[0] + 2 * math.fsum(lags[1:])) / n, lags[0]


def _why_no_variance(constant: bool, h: int, n: int) -> str:
    if constant:
        return "no p value: the difference is the same on every row, so it has no spread"
    return (
        "no p value: the estimated long-run variance of the differences is not positive "
        f"(horizon {h}, {n} rows); take method='block-bootstrap' or a smaller horizon"
    )


def block_length(n: int, horizon: int) -> int:
    """Rows per block when none is given: the cube root of n, and at least the horizon."""
    n = checks.whole(n, "n", at_most=2**53)
    horizon = checks.whole(horizon, "horizon", at_most=2**53)
    return min(n, max(horizon, math.ceil(math.cbrt(n))))


def studentised_bootstrap(
    differences: Floats,
    *,
    block: int,
    level: float,
    near: float,
    n_resamples: int,
    seed: int,
    report: Report,
) -> LossTest:
    """Bootstrap of the mean difference in units of its own standard error, in circular blocks.

    With blocks of one row this is the bootstrap-t of independent rows.
    """
    n = len(differences)
    means = circular_block_means(differences, block)
    mean = float(np.mean(differences))
    error = float(np.sqrt(np.mean((means - mean) ** 2) * block / n))
    if error <= near:
        return LossTest(None, None, note=_why_no_variance(True, 1, n))
    n_blocks = math.ceil(n / block)
    sizes = []
    generator = np.random.default_rng(seed)
    at_once = max(1, (CHUNK if block > 1 else ROWS_AT_ONCE) // n_blocks)
    for start in range(0, n_resamples, at_once):
        count = min(at_once, n_resamples - start)
        if block == 1:
            centre, spread = kernels.resample_moments(means, seed, start, start + count)
        else:
            drawn = generator.integers(0, n, size=(count, n_blocks))
            centre, spread = kernels.drawn_moments(drawn, means)
        with np.errstate(divide="ignore", invalid="ignore"):
            size = np.abs(centre - mean) / spread
        # a resample of one value only says nothing about its own error: the widest answer
        sizes.append(np.where(spread > near, size, np.inf))
        report((start + count) / n_resamples)
    sorted_sizes = np.sort(np.concatenate(sizes))
    t = mean / error
    reached = n_resamples - int(np.searchsorted(sorted_sizes, abs(t) * (1 - 1e-12)))
    place = min(n_resamples - 1, math.ceil(level * (n_resamples + 1)) - 1)
    reach = float(sorted_sizes[place]) * error
    p = (reached + 1) / (n_resamples + 1)
    return LossTest(t, p, error, reach if math.isfinite(reach) else None)


def circular_block_means(values: Floats, block: int) -> Floats:
    """The mean of each run of `block` rows, the first rows following the last."""
    around = np.concatenate([values, values[: block - 1]])
    sums = np.cumsum(np.concatenate([[0.0], around]))
    return np.asarray((sums[block:] - sums[:-block]) / block)


ForecastTest = Literal[
    "swap", "swap-sup", "wilcoxon", "diebold-mariano", "bootstrap", "block-bootstrap"
]
METHODS: tuple[str, ...] = get_args(ForecastTest)
WITHOUT_PARTS = ("swap-sup", "wilcoxon")
IN_TIME_ORDER = ("diebold-mariano", "block-bootstrap")


@dataclass(frozen=True, slots=True)
class ComparisonDesign:
    """How to compare: everything but the data."""

    method: str
    horizon: int
    block: int
    level: float
    n_resamples: int
    seed: int
    near: float
    tolerance: float | None

    def unused_horizon(self) -> str | None:
        """A remark when the forecasts look several steps ahead and the method ignores it."""
        if self.horizon == 1 or self.method in IN_TIME_ORDER:
            return None
        return (
            f"horizon {self.horizon} was not used, because this method takes rows for "
            "independent; method='diebold-mariano' uses it"
        )

    def description(self, resampled: int | None) -> str:
        """The method in words."""
        count = "all swaps" if resampled is None else f"{resampled:,} random swaps"
        return {
            "swap": f"swap test, {count}",
            "swap-sup": f"swap test of the largest distance, {count}",
            "wilcoxon": "Wilcoxon signed-rank test",
            "diebold-mariano": f"Diebold-Mariano test, horizon {self.horizon}",
            "bootstrap": f"bootstrap-t, {self.n_resamples:,} resamples",
            "block-bootstrap": f"bootstrap-t in blocks of {self.block}, "
            f"{self.n_resamples:,} resamples",
        }[self.method]


def refuse_mixed(method: str, tolerance: float | None, up_to: float | None) -> None:
    """Refuse two questions at once, and parts of the losses where a method needs them whole."""
    if tolerance is not None and up_to is not None:
        raise InputError("`tolerance` and `up_to` ask different questions; pass one of them.")
    if method in WITHOUT_PARTS and not (tolerance is None and up_to is None):
        given = "tolerance" if up_to is None else "up_to"
        raise InputError(
            f"`{given}` does not go with method={method!r}, which is about whole losses; "
            "use method='swap', or 'diebold-mariano' for a series."
        )


def checked_block(block: int | None, method: str, n: int, horizon: int) -> int:
    """Rows per block; 1 for the methods that draw no blocks."""
    if block is not None and method != "block-bootstrap":
        raise InputError(f"`block` is for method='block-bootstrap'; got method={method!r}.")
    if method != "block-bootstrap":
        return 1
    length = block_length(n, horizon) if block is None else checks.whole(block, "block")
    if length > n // 2:
        raise InputError(
            f"`block` must leave at least two blocks in the {n} rows; got {length} rows per block."
        )
    return length


MOST_HALVES = 40  # rows whose sums are counted by two lists of 2^20 half sums
MOST_LISTED = 20  # rows whose swaps are listed one by one
MOST_CELLS = 2e8  # additions when sums are counted on a grid
UNITS = tuple(10.0**k for k in range(7)) + tuple(2.0**k for k in range(1, 31))
TRIED = 64  # values, before all
CHUNKS_AT_ONCE = 4  # whose lines are added up together
PARTS_PER_THREAD = 4  # between two looks at what is to be told
ALL_BITS = 2**64 - 1
LINES_AT_ONCE = 256  # of signs at least, so that threads have as many words each
Signs: TypeAlias = Array  # of int8, 1 or -1


@dataclass(frozen=True, slots=True)
class SwapTest:
    """A swap test: its statistic, its p value, and over how many random swaps (None: all)."""

    statistic: float
    p_value: float
    n_resamples: int | None


def mean_swap_test(
    differences: Floats, *, near: float, n_resamples: int, seed: int, report: Report
) -> SwapTest:
    """Swap test of the absolute mean difference; sums within `near` of each other are equal."""
    n = len(differences)
    moving = differences[differences != 0.0]
    observed = abs(kernels.rounded_sum(moving))
    statistic = observed / n
    if observed <= near:  # every swap is at least as far from 0
        return SwapTest(statistic, 1.0, None)
    steps = whole_steps(moving, near / max(len(moving), 1))
    if steps is not None:
        sizes, total = np.abs(steps), abs(int(steps.sum()))
        if sizes.min() == sizes.max():
            return SwapTest(statistic, _binomial_tail(len(sizes), total), None)
        if len(sizes) * float(sizes.sum()) <= MOST_CELLS:
            return SwapTest(statistic, counted_tail(sizes, total), None)
    if len(moving) <= MOST_HALVES:
        return SwapTest(statistic, _tail_by_halves(moving, observed - near), None)
    reached = _count_far_sums(moving, observed - near, n_resamples, seed, report)
    return SwapTest(statistic, (reached + 1) / (n_resamples + 1), n_resamples)


def whole_steps(values: Floats, near: float) -> Integers | None:
    """The values as whole multiples of a common unit, a decimal or binary fraction; None if not."""
    largest = float(np.abs(values).max())
    for unit in UNITS:
        if np.rint(largest * unit) > 2**50:
            return None
        most = min(near * unit, 1e-3)
        # a few values tell most units to be none
        if all(_rest(some * unit).max() <= most for some in (values[:TRIED], values)):
            whole = np.rint(values * unit).astype(np.int64)
            divisor = int(np.gcd.reduce(whole))
            return whole // divisor if divisor else None
    return None


def _rest(scaled: Floats) -> Floats:
    """How far from whole numbers."""
    return np.asarray(np.abs(scaled - np.rint(scaled)))


def _count_far_sums(
    values: Floats, least: float, n_resamples: int, seed: int, report: Report
) -> int:
    """How many sums with random signs are at least so far from 0, some lines at a time.

    Signs are drawn in chunks of lines, a bit each; many lines are added up together.
    """
    size, octets = max(1, CHUNK // len(values)), -(-len(values) // 8)
    each = -(-size * octets // 4)  # numbers of 32 bits

    def drawn(chunk: int) -> Codes:
        lines = min(size, n_resamples - chunk * size)
        return _random_octets(seed, chunk * each, lines * octets).reshape(lines, octets)

    def count(first: int, last: int) -> int:
        bits = np.concatenate([drawn(chunk) for chunk in range(first, last)])
        with limited_to(1):  # the threads are taken by other lines
            sums = kernels.signed_sums(bits, values)
        return int(np.count_nonzero(np.abs(sums) >= least))

    reached, chunks = 0, -(-n_resamples // size)
    starts = range(0, chunks, CHUNKS_AT_ONCE)
    together = PARTS_PER_THREAD * thread_limit()
    for first in starts[::together]:
        some = range(first, min(first + together * CHUNKS_AT_ONCE, chunks), CHUNKS_AT_ONCE)
        parts = [(start, min(start + CHUNKS_AT_ONCE, chunks)) for start in some]
        reached += sum(run_parts(count, parts))
        report(min(1.0, parts[-1][1] * size / n_resamples))
    return reached


def _random_octets(seed: int, before: int, number: int) -> Codes:
    """So many bytes of the one stream of a seed, after so many numbers of 32 bits.

    The same as those of `Generator.bytes`, which makes halves of numbers one by one.
    """
    generator = np.random.Generator(np.random.PCG64(seed).advance(before // 2))
    skipped = before % 2 * 4
    wanted = -(-(skipped + number) // 8)
    words = generator.integers(0, ALL_BITS, size=wanted, dtype=np.uint64, endpoint=True)
    return words.astype("<u8", copy=False).view(np.uint8)[skipped : skipped + number]


def counted_tail(steps: Integers, observed: int) -> float:
    """Share of sign vectors with |sum of signed steps| >= observed, by the law of the sum."""
    total = int(steps.sum())
    law = np.zeros(total + 1)
    law[0], top = 1.0, 0
    for step in steps.tolist():
        # the law of the sum of the steps with a plus sign, one step more
        law[: top + 1] *= 0.5
        law[step : top + step + 1] += law[: top + 1].copy()
        top += step
    sums = np.abs(2 * np.arange(total + 1) - total)
    return min(1.0, float(law[sums >= observed].sum()))


def _binomial_tail(n: int, observed: int) -> float:
    """The same for n steps of size 1: a sign test, for any n."""
    from scipy.special import bdtr

    return min(1.0, 2.0 * float(bdtr((n - observed) // 2, n, 0.5)))


def _tail_by_halves(values: Floats, threshold: float) -> float:
    """The same for any values: sorted sums of one half searched for those of the other."""
    middle = len(values) // 2
    left, right = _all_sums(values[:middle]), _all_sums(values[middle:])
    above = len(right) - np.searchsorted(right, threshold - left, side="left")
    return min(1.0, 2.0 * float(above.sum()) / 2.0 ** len(values))


def _all_sums(values: Floats) -> Floats:
    """All signed sums, ascending."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums - value, sums + value])
    return np.sort(sums)


def supremum_swap_test(
    first: Floats, second: Floats, *, n_resamples: int, seed: int, report: Report
) -> SwapTest:
    """Swap test of the largest vertical distance between the two REC curves."""
    n = len(first)
    moving = np.flatnonzero(first != second)
    if not len(moving):
        return SwapTest(0.0, 1.0, None)
    events = _Events(first[moving], second[moving])
    observed = int(events.largest(np.ones((1, len(moving)), np.int8))[0])
    reached = 0
    if len(moving) <= MOST_LISTED:
        for signs in _listed_signs(len(moving), report):
            reached += int(np.count_nonzero(events.largest(signs) >= observed))
        return SwapTest(observed / n, reached / 2.0 ** (len(moving) - 1), None)
    for largest in events.of_random_signs(len(moving), n_resamples, seed, report):
        reached += int(np.count_nonzero(largest >= observed))
    return SwapTest(observed / n, (reached + 1) / (n_resamples + 1), n_resamples)


class _Events:
    """The losses of both models in ascending order, as steps up and down of the difference."""

    def __init__(self, first: Floats, second: Floats) -> None:
        values = np.concatenate([first, second])
        order = kernels.argsort(values)
        self.rows = (order % len(first)).astype(np.int32)
        self.steps = np.where(order < len(first), 1, -1).astype(np.int8)
        self.ends = np.append(np.diff(values[order]) != 0, True).astype(np.uint8)

    def largest(self, signs: Signs) -> Array:
        """Largest |count of the first minus count of the second|, one for each row of signs."""
        return kernels.largest_heights(signs, self.rows, self.steps, self.ends)

    def of_random_signs(
        self, n_rows: int, n_resamples: int, seed: int, report: Report
    ) -> Iterator[Array]:
        """The same for random signs, some lines at a time: a bit each, 16 lines to a word."""
        size = max(LINES_AT_ONCE, CHUNK // n_rows) // 16 * 16
        starts = range(0, n_resamples, size)
        together = PARTS_PER_THREAD * thread_limit()
        for first in range(0, len(starts), together):
            some = starts[first : first + together]
            each = size // 16 * n_rows  # words
            parts = [
                (seed, start // size * -(-each // 2), n_rows, min(size, n_resamples - start))
                for start in some
            ]
            yield from run_parts(self._of_some_signs, parts)
            report(min(1.0, (some[-1] + size) / n_resamples))

    def _of_some_signs(self, seed: int, before: int, n_rows: int, count: int) -> Array:
        """For `count` lines, after so many numbers of 32 bits of the one stream of a seed."""
        n_words = -(-count // 16)
        drawn = _random_octets(seed, before, 2 * n_words * n_rows).view("<u2")
        words = drawn.astype(np.uint16, copy=False).reshape(n_words, n_rows)
        with limited_to(1):  # the threads are taken by other lines
            return kernels.swapped_heights(words, self.rows, self.steps, self.ends)[:count]


def _listed_signs(n_rows: int, report: Report) -> Iterator[Signs]:
    """All sign vectors whose last sign is plus; turning every sign round changes nothing."""
    total = 2 ** (n_rows - 1)
    size = max(1, CHUNK // (4 * n_rows))
    for start in range(0, total, size):
        codes = np.arange(start, min(start + size, total))
        bits = (codes[:, None] >> np.arange(n_rows)) & 1
        yield (1 - 2 * bits).astype(np.int8)
        report(min(1.0, (start + size) / total))


LONG = 20.0  # seconds that nobody should wait for unwarned
SMALLEST, LARGEST = 1e-100, 1e100  # losses whose squares and their sums are floats


def compare(
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
    >>> rw.regression.compare([1, 2, 3, 4, 5, 6], models)
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
