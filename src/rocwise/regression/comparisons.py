"""Comparison of regression models on the same rows: tests of the difference of their losses.

The sign-flip permutation tests exchange the losses of two models on a row: all 2^n ways are
equally likely if the models are exchangeable. The p value is the fraction with a statistic at least
as large as observed; all are enumerated for small samples.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Array, Floats, Integers
from rocwise.errors import InputError, MisuseWarning, count_of, ends_traceback, listed, shown, warn
from rocwise.inference.comparison import ModelComparison
from rocwise.inference.proportions import tango_interval
from rocwise.inference.significance import Reference, holm
from rocwise.inputs.coercion import Missing
from rocwise.inputs.forecasts import forecast_rows, named_predictions
from rocwise.progress import Report, reporter
from rocwise.regression.rec_bands import autocorrelation
from rocwise.regression.rec_curves import Loss, Losses, LossFunction, exact_mean, losses_of, merged
from rocwise.results import Interval, Table, result

ForecastTest = Literal[
    "permutation",
    "permutation-sup",
    "wilcoxon",
    "diebold-mariano",
    "diebold-mariano-hac",
    "bootstrap",
    "block-bootstrap",
]
METHODS: tuple[str, ...] = get_args(ForecastTest)
WITHOUT_PARTS = ("permutation-sup", "wilcoxon")
FOR_SERIES = "diebold-mariano-hac"
IN_TIME_ORDER = ("diebold-mariano", FOR_SERIES, "block-bootstrap")
SUSPICIOUS = 0.01  # p of an autocorrelation of rows that are taken for independent
LONG = 20.0  # seconds, above which a warning is given
SMALLEST, LARGEST = 1e-100, 1e100  # losses whose squares and their sums are floats
NO_VARIANCE = 1e-12  # a variance this small relative to that of single rows is rounding
CHUNK = 2_000_000  # rows or signs drawn at a time
MOST_HALVES = 40  # rows whose sums are counted by two lists of 2^20 half sums
MOST_LISTED = 20  # rows whose sign vectors are listed one by one
MOST_CELLS = 2e8  # additions when sums are counted on a grid
UNITS = tuple(10.0**k for k in range(7)) + tuple(2.0**k for k in range(1, 31))
Signs: TypeAlias = Array  # of int8, 1 or -1


@result
class RecComparison(ModelComparison):
    """Comparison of two or more regression models on the same rows.

    `estimates` are by name, `difference` is the first minus the second. Where a p value is not
    defined it is None and `note` is the reason. For more than two models `pairwise` has a row for
    each pair, and `p_value` is the smallest of Holm's adjusted ones: a test that all are equal.
    """

    loss: str
    n: int
    horizon: int
    level: float
    note: str | None = None

    def _remarks(self) -> str:
        return f"; {count_of(self.n, 'case')}{f'; {self.note}' if self.note else ''}"


@ends_traceback
def compare(
    y_true: Any,
    predictions: Any,
    *,
    loss: Loss | LossFunction = "absolute",
    method: ForecastTest | None = None,
    order: Literal["time"] | None = None,
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
    """Compare the errors of two or more regression models on the same rows.

    Parameters
    ----------
    y_true : array-like
        Targets.
    predictions : dict of str to array-like, DataFrame or 2-D array
        Predictions of each model.
    loss : {"absolute", "squared"} or callable, default "absolute"
        Loss; a function receives targets and predictions and returns the loss of each row.
    method : str, optional
        Test, one of

        - "permutation" (default): sign-flip test of the mean loss; "permutation-sup": of whole REC
          curves;
        - "wilcoxon": signed-rank test; "bootstrap": percentile interval;
        - "diebold-mariano-hac" (default for a time series): Diebold-Mariano test [1]_ with a HAC
          variance [2]_; "diebold-mariano": with Harvey's correction [3]_;
        - "block-bootstrap": for a time series.
    order : {"time"}, optional
        Rows are a time series in order, as are pandas data with an increasing time index.
    horizon : int, default 1
        Forecast horizon, for the methods of time series.
    block : int, optional
        Rows per block of "block-bootstrap"; by default the cube root of n, at least `horizon`.
    tolerance : float, optional
        Compare accuracies at this tolerance.
    up_to : float, optional
        Compare areas over the REC curves up to this tolerance.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 10000
        Number of random sign flips (if not all are enumerated) or bootstrap resamples.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.
    missing : {"raise", "drop"}, default "raise"
        What to do with rows with a missing value; "drop" is not supported for a time series.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.

    Returns
    -------
    RecComparison
        Result with `estimates`, `difference` (first minus second), `interval`, `p_value` and
        `method`; for more than two models `pairwise`.

    Warns
    -----
    MisuseWarning
        If neither `method` nor `order` is given and the differences of successive rows are
        correlated (p < 0.01), so that the type I error of "permutation" is too large.

    See Also
    --------
    regression.rec : REC curve.
    regression.band : Confidence band of a REC curve.
    compare : Test and interval for the difference of AUCs.

    References
    ----------
    .. [1] F. X. Diebold and R. S. Mariano, "Comparing predictive accuracy", J. Bus. Econ. Stat.
           13, 1995. doi:10.1080/07350015.1995.10524599
    .. [2] E. Lazarus, D. J. Lewis, J. H. Stock and M. W. Watson, "HAR inference: recommendations
           for practice", J. Bus. Econ. Stat. 36, 2018. doi:10.1080/07350015.2018.1506926
    .. [3] D. Harvey, S. Leybourne and P. Newbold, "Testing the equality of prediction mean squared
           errors", Int. J. Forecast. 13, 1997. doi:10.1016/S0169-2070(96)00719-4

    Examples
    --------
    >>> import rocwise as rw
    >>> models = {"a": [1.2, 1.7, 3.1, 4.8, 4.6, 6.0], "b": [1.1, 2.6, 3.0, 4.2, 5.3, 5.1]}
    >>> result = rw.regression.compare([1, 2, 3, 4, 5, 6], models)
    >>> round(result.difference, 3), round(result.p_value, 3)
    (-0.05, 0.812)
    >>> ax = result.plot()
    """
    checks.one_of(missing, "missing", get_args(Missing))
    named = named_predictions(predictions)
    arguments = {f"predictions[{name!r}]": values for name, values in named.items()}
    found = forecast_rows(y_true, arguments, missing=missing)
    assumed = method is None and order is None and not found.in_time_order
    chosen = _chosen_test(method, order, found.in_time_order)
    if missing == "drop" and chosen in IN_TIME_ORDER:
        raise InputError(
            f"`missing` 'drop' does not go with method={chosen!r}: without those rows the others "
            "are no longer one step apart. Fill the gaps, cut the series, or pass "
            "method='permutation' if rows are independent."
        )
    horizon = checks.whole(horizon, "horizon", at_most=2**53)
    _check_parts(chosen, tolerance, up_to)
    losses = [losses_of(found.y_true, each, loss) for each in found.predictions.values()]
    columns, quantity, near = _compared_columns(losses, tolerance, up_to)
    design = Design(
        method=chosen,
        horizon=horizon,
        block=_checked_block(block, chosen, len(found.y_true), horizon),
        level=checks.level(level),
        n_resamples=checks.draws(n_resamples, rng, progress, at_least=100),
        seed=checks.seed(rng),
        near=near,
        tolerance=tolerance,
    )
    whole = tolerance is None and up_to is None
    averaged = [each.values for each in losses] if whole else columns
    estimates = dict(zip(named, map(exact_mean, averaged), strict=True))
    shared: dict[str, Any] = {
        "quantity": quantity,
        "loss": losses[0].kind,
        "n": len(found.y_true),
        "horizon": horizon,
        "level": design.level,
        "origin": found.origin,
    }
    by_name = dict(zip(named, columns, strict=True))
    if assumed:
        _warn_of_series(by_name)
    report = reporter(progress, f"{chosen} test")
    pairs = _every_pair(by_name, estimates, design, report, shared)
    return pairs[0] if len(pairs) == 1 else _several(estimates, pairs, design, shared)


def _chosen_test(method: Any, order: Any, series: bool) -> str:
    """The test requested, or the default one for the kind of rows."""
    if order is not None:
        checks.one_of(order, "order", ("time",))
    if method is None:
        return FOR_SERIES if order == "time" or series else "permutation"
    checks.one_of(method, "method", METHODS)
    if order == "time" and method not in IN_TIME_ORDER:
        raise InputError(
            f"`order` 'time' does not go with method={method!r}, which assumes rows to be "
            f"independent; leave out `method`, or use one of {listed(IN_TIME_ORDER)}."
        )
    return str(method)


def _warn_of_series(columns: Mapping[str, Floats]) -> None:
    """Warn where successive differences are correlated, though rows were taken for independent."""
    pairs = list(combinations(columns, 2))
    for a, b in pairs:
        r = autocorrelation(columns[a] - columns[b])
        size = 0.0 if r is None else abs(r) * math.sqrt(len(columns[a]))
        if 2 * Reference().upper_tail(size) * len(pairs) < SUSPICIOUS:
            warn(
                f"`predictions` {shown(a)} and {shown(b)}: the differences of their losses on "
                f"successive rows are correlated ({r:.2f}), but the permutation test assumes "
                "independent cases. Pass order='time' if rows are in time order; "
                "method='permutation' if they are independent and only sorted.",
                MisuseWarning,
            )
            return


@dataclass(frozen=True, slots=True)
class Design:
    """How to compare: everything but the data; losses closer than `near` are equal."""

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
            f"horizon {self.horizon} was not used, because this method assumes rows to be "
            "independent; order='time' uses it"
        )

    def description(self, resampled: int | None) -> str:
        """The method in words."""
        count = "exact" if resampled is None else f"{resampled:,} random flips"
        return {
            "permutation": f"sign-flip test, {count}",
            "permutation-sup": f"sign-flip test of the largest distance, {count}",
            "wilcoxon": "Wilcoxon signed-rank test",
            "diebold-mariano": f"Diebold-Mariano test, horizon {self.horizon}",
            FOR_SERIES: "Diebold-Mariano test, HAC variance"
            + (f", horizon {self.horizon}" if self.horizon > 1 else ""),
            "bootstrap": f"bootstrap-t, {self.n_resamples:,} resamples",
            "block-bootstrap": f"bootstrap-t in blocks of {self.block}, "
            f"{self.n_resamples:,} resamples",
        }[self.method]


def _check_parts(method: str, tolerance: float | None, up_to: float | None) -> None:
    """At most one part of the losses, and none where a method needs them whole."""
    if tolerance is not None and up_to is not None:
        raise InputError("`tolerance` and `up_to` exclude each other; pass one of them.")
    if method in WITHOUT_PARTS and not (tolerance is None and up_to is None):
        given = "tolerance" if up_to is None else "up_to"
        raise InputError(
            f"`{given}` does not go with method={method!r}, which is about whole losses; "
            "use method='permutation', or order='time' for a series."
        )


def _checked_block(block: int | None, method: str, n: int, horizon: int) -> int:
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


def _compared_columns(
    losses: Sequence[Losses], tolerance: float | None, up_to: float | None
) -> tuple[Floats, str, float]:
    """What is averaged for each model, its name, and the size of rounding."""
    kind, gap = losses[0].kind, max(each.rounding for each in losses)
    pooled = merged(np.concatenate([each.values for each in losses]), kind, gap)
    pooled = pooled.reshape(len(losses), -1)
    near = 2 * gap
    if kind == "squared":
        near *= 2 * float(np.sqrt(pooled.max())) + gap
    if tolerance is not None:
        limit = checks.not_negative(tolerance, "tolerance")
        reach = limit + gap if kind != "squared" else (np.sqrt(limit) + gap) ** 2
        return (pooled <= reach).astype(np.float64), f"accuracy within {limit:g}", near
    if up_to is not None:
        limit = checks.within(up_to, "up_to", 1e-290, 1e290)
        return np.minimum(pooled, limit), f"AOC up to {limit:g}", near
    return pooled, "AOC", near


@dataclass(frozen=True, slots=True)
class LossTest:
    """What a test found; None where it is undefined, with the reason in `note`."""

    statistic: float | None
    p_value: float | None
    standard_error: float | None = None
    margin: float | None = None
    note: str | None = None
    n_resamples: int | None = None


def _every_pair(
    columns: Mapping[str, Floats],
    estimates: Mapping[str, float],
    design: Design,
    report: Report,
    shared: Mapping[str, Any],
) -> list[RecComparison]:
    """The comparison of every pair; the time of the first one predicts that of all."""
    pairs = list(combinations(columns, 2))
    found: list[RecComparison] = []
    started = time.perf_counter()
    for done, (a, b) in enumerate(pairs):
        tested = _test(
            columns[a],
            columns[b],
            design,
            lambda fraction, done=done: report((done + fraction) / len(pairs)),  # type: ignore[misc]
        )
        difference = estimates[a] - estimates[b]
        if np.array_equal(np.sort(columns[a]), np.sort(columns[b])):
            difference = 0.0  # the same losses but for rounding
        found.append(
            RecComparison(
                estimates={a: estimates[a], b: estimates[b]},
                difference=difference,
                standard_error=tested.standard_error,
                interval=_interval(columns[a] - columns[b], difference, tested, design),
                statistic=tested.statistic,
                p_value=tested.p_value,
                method=design.description(tested.n_resamples),
                n_resamples=tested.n_resamples,
                seed=design.seed if tested.n_resamples is not None else None,
                note="; ".join(filter(None, [tested.note, design.unused_horizon()])) or None,
                **shared,
            )
        )
        report((done + 1) / len(pairs))  # also where a pair was counted without draws
        expected = (time.perf_counter() - started) * (len(pairs) - 1)
        if done == 0 and expected > LONG:
            warn(
                f"`predictions` has {len(columns):,} models, {len(pairs):,} pairs of which will "
                f"take about {expected:,.0f} s. Pass fewer models, fewer `n_resamples`, or "
                "method='wilcoxon', which draws nothing."
            )
    return found


def _test(first: Floats, second: Floats, design: Design, report: Report) -> LossTest:
    """Test in the units of the losses; in better ones where their squares would not be floats."""
    top = max(float(first.max()), float(second.max()))
    if top == 0.0 or SMALLEST <= top <= LARGEST:
        return TESTS[design.method](first, second, design, report)
    exponent = math.frexp(top)[1]
    scaled = replace(design, near=math.ldexp(design.near, -exponent))
    first, second = np.ldexp(first, -exponent), np.ldexp(second, -exponent)
    found = TESTS[design.method](first, second, scaled, report)

    def back(number: float | None) -> float | None:
        with np.errstate(over="ignore"):
            value = None if number is None else float(np.ldexp(number, exponent))
        return None if value is None or math.isinf(value) else value

    mean = back(found.statistic) if design.method == "permutation" else None  # others have no unit
    return replace(
        found,
        statistic=found.statistic if mean is None else mean,
        standard_error=back(found.standard_error),
        margin=back(found.margin),
    )


def _interval(
    differences: Floats, difference: float, tested: LossTest, design: Design
) -> Interval | None:
    """The interval of the method, or Tango's for proportions of independent rows."""
    if tested.margin is not None:
        low, high = difference - tested.margin, difference + tested.margin
        return Interval(low, high, design.level, design.method)
    if design.tolerance is not None and design.method == "permutation":
        gained, lost = (int(np.count_nonzero(differences == sign)) for sign in (1.0, -1.0))
        return tango_interval(gained, lost, len(differences), level=design.level)
    return None


def _several(
    estimates: dict[str, float], pairs: list[RecComparison], design: Design, shared: dict[str, Any]
) -> RecComparison:
    """Every pair with Holm's adjusted p value; the smallest of them tests that all are equal."""
    p_values = [pair.p_value for pair in pairs]
    adjusted = [
        None if p is None else q
        for p, q in zip(p_values, holm([1.0 if p is None else p for p in p_values]), strict=True)
    ]
    rows = [pair._columns() for pair in pairs]
    columns = {name: [row[name][0] for row in rows] for name in rows[0]} | {"p_adjusted": adjusted}
    resampled = next((p.n_resamples for p in pairs if p.n_resamples is not None), None)
    notes = dict.fromkeys(pair.note for pair in pairs if pair.note)
    return RecComparison(
        estimates=estimates,
        p_value=min((q for q in adjusted if q is not None), default=None),
        method=design.description(resampled),
        n_resamples=resampled,
        seed=None if resampled is None else design.seed,
        note="; ".join(notes) or None,
        pairwise=Table({name: np.array(values) for name, values in columns.items()}),
        **shared,
    )


# --- tests of the mean or median difference -------------------------------------------------------


def _signed_rank(first: Floats, second: Floats, design: Design, _report: Report) -> LossTest:
    """Wilcoxon's signed-rank test, rows without a difference left out."""
    from scipy.stats import wilcoxon

    differences = first - second
    if not differences.any():
        return LossTest(0.0, 1.0, note="all differences are 0")
    sizes = merged(np.abs(differences), "absolute", design.near)  # 0.3 - 0.2 and 0.2 - 0.1 are tied
    found = wilcoxon(np.copysign(sizes, differences), zero_method="wilcox")
    return LossTest(float(found.statistic), float(found.pvalue))


def _diebold_mariano(first: Floats, second: Floats, design: Design, _report: Report) -> LossTest:
    """Diebold and Mariano's test in the form of Harvey, Leybourne and Newbold (1997) (C7)."""
    differences, n, h = first - second, len(first), design.horizon
    if n < 2:
        raise InputError(f"`method` {design.method!r} needs at least 2 rows; got 1.")
    if h >= n:
        raise InputError(f"`horizon` must be smaller than the {n} rows; got {shown(h)}.")
    mean = float(np.mean(differences))
    centered = differences - mean
    mean_square = float(centered @ centered) / n
    if design.method == FOR_SERIES:
        variance, df = _long_run_variance(centered, h)
    else:
        lags = [float(centered[k:] @ centered[: n - k]) / n for k in range(h)]
        correction = (n + 1 - 2 * h + h * (h - 1) / n) / n
        variance, df = (lags[0] + 2 * sum(lags[1:])) / correction, n - 1
    constant = mean_square <= design.near**2
    if constant or variance <= NO_VARIANCE * mean_square:
        return LossTest(None, None, note=_why_no_variance(constant, h, n))
    error, student = math.sqrt(variance / n), Reference(df)
    p = min(1.0, 2.0 * student.upper_tail(abs(mean / error)))
    return LossTest(mean / error, p, error, student.quantile(design.level) * error)


def _long_run_variance(centered: Floats, horizon: int) -> tuple[float, int]:
    """Mean square of the first cosine transforms, and their number, its degrees of freedom.

    0.4 n^(2/3) of them (Lazarus, Lewis, Stock & Watson 2018), slower than twice the horizon.
    """
    from scipy.fft import dct

    n = len(centered)
    count = max(1, min(int(0.4 * n ** (2 / 3)), n // (2 * horizon)))
    waves = dct(centered)[1 : count + 1] / 2
    return 2 / n * float(np.square(waves).mean()), count


def _why_no_variance(constant: bool, h: int, n: int) -> str:
    if constant:
        return "no p value: the difference is the same on every row, so its variance is 0"
    return (
        "no p value: the estimated long-run variance of the differences is not positive "
        f"(horizon {h}, {n} rows); take method='block-bootstrap' or a smaller horizon"
    )


def block_length(n: int, horizon: int) -> int:
    """Compute the default block length of the block bootstrap.

    Parameters
    ----------
    n : int
        Number of rows.
    horizon : int
        Forecast horizon.

    Returns
    -------
    int
        Cube root of `n`, rounded, and at least `horizon`.

    See Also
    --------
    regression.compare : Comparison of regression models.

    Examples
    --------
    >>> from rocwise.regression import block_length
    >>> block_length(1000, 1)
    10
    """
    n = checks.whole(n, "n", at_most=2**53)
    horizon = checks.whole(horizon, "horizon", at_most=2**53)
    return min(n, max(horizon, math.ceil(math.cbrt(n))))


def _bootstrap_t(first: Floats, second: Floats, design: Design, report: Report) -> LossTest:
    """Bootstrap of the mean difference over its own standard error, in circular blocks."""
    differences, n, block = first - second, len(first), design.block
    around = np.concatenate([[0.0], differences, differences[: block - 1]])
    sums = np.cumsum(around)  # the first rows follow the last
    means = (sums[block:] - sums[:-block]) / block
    mean = float(np.mean(differences))
    error = float(np.sqrt(np.mean((means - mean) ** 2) * block / n))
    if error <= design.near:
        note = _why_no_variance(True, 1, n)
        return LossTest(None, None, note=note, n_resamples=design.n_resamples)
    sizes = []
    for centers, errors in _resampled_means(means, math.ceil(n / block), design, report):
        with np.errstate(divide="ignore", invalid="ignore"):
            size = np.abs(centers - mean) / errors
        # a resample of one value only has no standard error: infinitely wide
        sizes.append(np.where(errors > design.near, size, np.inf))
    drawn = np.sort(np.concatenate(sizes))
    t = mean / error
    reached = len(drawn) - int(np.searchsorted(drawn, abs(t) * (1 - 1e-12)))
    place = min(len(drawn) - 1, math.ceil(design.level * (len(drawn) + 1)) - 1)
    margin = float(drawn[place]) * error
    p = (reached + 1) / (len(drawn) + 1)
    margin_or_none = margin if math.isfinite(margin) else None
    return LossTest(t, p, error, margin_or_none, n_resamples=len(drawn))


def _resampled_means(
    values: Floats, n_drawn: int, design: Design, report: Report
) -> Iterator[tuple[Floats, Floats]]:
    """Means of resamples and their standard errors, some resamples at a time."""
    generator = np.random.default_rng(design.seed)
    for start, stop in _chunks(design.n_resamples, n_drawn, report):
        if design.block == 1:
            yield kernels.resampled_means(values, design.seed, start, stop)
        else:
            drawn = values[generator.integers(0, len(values), size=(stop - start, n_drawn))]
            yield drawn.mean(axis=1), drawn.std(axis=1) / math.sqrt(n_drawn)


def _chunks(total: int, width: int, report: Report) -> Iterator[tuple[int, int]]:
    """Ranges of so many lines that their cells fit into memory, with progress."""
    size = max(1, CHUNK // width)
    for start in range(0, total, size):
        stop = min(start + size, total)
        yield start, stop
        report(stop / total)


# --- sign-flip tests ------------------------------------------------------------------------------


def _mean_sign_flip_test(first: Floats, second: Floats, design: Design, report: Report) -> LossTest:
    """Sign-flip test of the absolute mean difference."""
    differences, near = first - second, design.near * len(first)
    moving = differences[differences != 0.0]
    observed = abs(math.fsum(moving.tolist()))
    statistic = observed / len(differences)
    if observed <= near:  # every sign vector gives at least as much
        return LossTest(statistic, 1.0)
    steps = whole_steps(moving, near / max(len(moving), 1))
    if steps is not None:
        sizes, total = np.abs(steps), abs(int(steps.sum()))
        if sizes.min() == sizes.max():
            return LossTest(statistic, _binomial_tail(len(sizes), total))
        if len(sizes) * float(sizes.sum()) <= MOST_CELLS:
            return LossTest(statistic, counted_tail(sizes, total))
    if len(moving) <= MOST_HALVES:
        return LossTest(statistic, tail_by_halves(moving, observed - near))
    reached = sum(
        int(np.count_nonzero(np.abs(signs @ moving) >= observed - near))
        for signs in _random_signs(len(moving), design, report)
    )
    p = (reached + 1) / (design.n_resamples + 1)
    return LossTest(statistic, p, n_resamples=design.n_resamples)


def _supremum_sign_flip_test(
    first: Floats, second: Floats, design: Design, report: Report
) -> LossTest:
    """Sign-flip test of the largest vertical distance between the two REC curves."""
    n = len(first)
    moving = np.flatnonzero(first != second)
    if not len(moving):
        return LossTest(0.0, 1.0)
    largest = _largest_distance(first[moving], second[moving])
    observed = int(largest(np.ones((1, len(moving)), np.int8))[0])
    listed = len(moving) <= MOST_LISTED
    lines = (
        _listed_signs(len(moving), report) if listed else _random_signs(len(moving), design, report)
    )
    reached = sum(int(np.count_nonzero(largest(signs) >= observed)) for signs in lines)
    if listed:
        return LossTest(observed / n, reached / 2.0 ** (len(moving) - 1))
    p = (reached + 1) / (design.n_resamples + 1)
    return LossTest(observed / n, p, n_resamples=design.n_resamples)


def _largest_distance(first: Floats, second: Floats) -> Callable[[Signs], Array]:
    """Of lines of signs, the largest |count of the first minus count of the second|."""
    values = np.concatenate([first, second])
    order = np.argsort(values, kind="stable")
    rows = (order % len(first)).astype(np.int32)
    steps = np.where(order < len(first), 1, -1).astype(np.int8)
    ends = np.append(np.diff(values[order]) != 0, True).astype(np.uint8)
    return lambda signs: kernels.largest_heights(signs, rows, steps, ends)


def _random_signs(n_rows: int, design: Design, report: Report) -> Iterator[Signs]:
    """Lines of random signs, some lines at a time."""
    generator, octets = np.random.default_rng(design.seed), -(-n_rows // 8)
    for start, stop in _chunks(design.n_resamples, n_rows, report):
        drawn = generator.bytes((stop - start) * octets)
        bits = np.frombuffer(drawn, np.uint8).reshape(stop - start, octets)
        yield 2 * np.unpackbits(bits, axis=1, count=n_rows).view(np.int8) - 1


def _listed_signs(n_rows: int, report: Report) -> Iterator[Signs]:
    """All sign vectors whose last sign is plus; flipping all signs changes nothing."""
    for start, stop in _chunks(2 ** (n_rows - 1), 4 * n_rows, report):
        bits = (np.arange(start, stop)[:, None] >> np.arange(n_rows)) & 1
        yield (1 - 2 * bits).astype(np.int8)


def whole_steps(values: Floats, near: float) -> Integers | None:
    """The values as whole multiples of a common unit, a decimal or binary fraction; None if not."""
    largest = float(np.abs(values).max())
    for unit in UNITS:
        if np.rint(largest * unit) > 2**50:
            return None
        whole = np.rint(values * unit)
        if np.abs(values * unit - whole).max() <= min(near * unit, 1e-3):
            whole = whole.astype(np.int64)
            divisor = int(np.gcd.reduce(whole))
            return whole // divisor if divisor else None
    return None


def counted_tail(steps: Integers, observed: int) -> float:
    """Proportion of sign vectors with |sum of signed steps| >= observed, by convolution."""
    total = int(steps.sum())
    law = np.zeros(total + 1)
    law[0], top = 1.0, 0
    for step in steps.tolist():
        # distribution of the sum of the steps with a plus sign, one step more
        law[: top + 1] *= 0.5
        law[step : top + step + 1] += law[: top + 1].copy()
        top += step
    sums = np.abs(2 * np.arange(total + 1) - total)
    return min(1.0, float(law[sums >= observed].sum()))


def _binomial_tail(n: int, observed: int) -> float:
    """The same for n steps of size 1: a sign test, for any n."""
    from scipy.special import bdtr

    return min(1.0, 2.0 * float(bdtr((n - observed) // 2, n, 0.5)))


def tail_by_halves(values: Floats, threshold: float) -> float:
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


TESTS: dict[str, Callable[[Floats, Floats, Design, Report], LossTest]] = {
    "permutation": _mean_sign_flip_test,
    "permutation-sup": _supremum_sign_flip_test,
    "wilcoxon": _signed_rank,
    "diebold-mariano": _diebold_mariano,
    FOR_SERIES: _diebold_mariano,
    "bootstrap": _bootstrap_t,
    "block-bootstrap": _bootstrap_t,
}
