"""Confidence limits: normal, logit, Newcombe's, Hoeffding's, BCa, and Student's t over folds."""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, MisuseWarning, shown, warn
from rocwise.results import Interval

LIMIT_NAMES = {
    "logit": "logit DeLong",
    "bootstrap": "bootstrap percentile",
    "bca": "bootstrap BCa",
    "score": "Newcombe score",
    "hoeffding": "Hoeffding bound",
}
ROUNDING = 1e-11  # of the range of replicates: 1e-12 for an area whose replicates span 0.1
LAST_PLACES = 16  # units of the last place: replicates that differ by less are equal


@lru_cache(maxsize=64, typed=True)  # few levels are in use; a float32 rounds its own way
def normal_quantile(level: float) -> float:
    """The z with P(|Z| <= z) = level."""
    return NormalDist().inv_cdf((1 + level) / 2)


def wald_interval(
    value: float, error: float, level: float, method: str, limits: tuple[float, float]
) -> Interval:
    """Estimate plus and minus z standard errors, cut at the limits of the scale (F4.1)."""
    reach = normal_quantile(level) * error
    low, high = max(value - reach, limits[0]), min(value + reach, limits[1])
    return Interval(low, high, level, method)


def logit_limits(proportion: float, reach: float) -> tuple[float, float]:
    """Limits within 0 to 1, whose distance from a proportion near it is `reach`."""
    center = math.log(proportion / (1 - proportion))
    reach /= proportion * (1 - proportion)
    return _logistic(center - reach), _logistic(center + reach)


def within_unit(interval: Interval, value: float) -> Interval:
    """A symmetric interval of a proportion; on the logit scale where it would leave 0 to 1."""
    if (interval.low >= 0.0 and interval.high <= 1.0) or not 0.0 < value < 1.0:
        return interval
    low, high = logit_limits(value, interval.high - value)
    method = f"{interval.method}, logit scale"
    return Interval(low, high, interval.level, method, interval.mean)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def newcombe_variance(T: float, n_pos: float, n_neg: float) -> float:
    """Newcombe's model variance of an area estimate when the true area is T."""
    average = (n_pos + n_neg) / 2 - 1
    factor = 1 + average * (1 - T) / (2 - T) + average * T / (1 + T)
    return T * (1 - T) * factor / (n_pos * n_neg)


def newcombe_interval(A: float, n_pos: float, n_neg: float, level: float) -> Interval:
    """Newcombe's score interval (2006, method 5): areas T with |A - T| <= z sqrt(V(T))."""
    z = normal_quantile(level)

    def excess(T: float) -> float:
        return (A - T) ** 2 - z * z * newcombe_variance(T, n_pos, n_neg)

    return _where_not_above_zero(excess, A, level, LIMIT_NAMES["score"])


def hoeffding_interval(A: float, smaller: float, level: float) -> Interval:
    """Interval of an area with at least the level (Hoeffding 1963, Theorem 1 and 5b).

    The areas T with smaller * K(A, T) <= log(2 / (1 - level)), K being Kullback and Leibler's
    divergence of Bernoulli variables: the area averages means of `smaller` comparisons.
    """
    most = math.log(2 / (1 - level)) / smaller
    name = LIMIT_NAMES["hoeffding"]
    return _where_not_above_zero(lambda T: divergence(A, T) - most, A, level, name)


def _where_not_above_zero(
    excess: Callable[[float], float], A: float, level: float, name: str
) -> Interval:
    low = 0.0 if A <= 0.0 else crossing(excess, outside=0.0, inside=A)
    high = 1.0 if A >= 1.0 else crossing(excess, outside=1.0, inside=A)
    return Interval(low, high, level, name)


def divergence(A: float, T: float) -> float:
    """K(A, T) of Hoeffding's bound: the Kullback-Leibler divergence of two coins."""
    above = A * math.log(A / T) if A > 0 else 0.0
    below = (1 - A) * math.log((1 - A) / (1 - T)) if A < 1 else 0.0
    return above + below


def crossing(excess: Callable[[float], float], *, outside: float, inside: float) -> float:
    """Where `excess` changes sign between a point outside the interval and the estimate."""
    if inside in (0.0, 1.0):  # excess is 0 at the estimate itself: step off it, towards outside
        inside += (outside - inside) * 1e-12
    for _ in range(200):
        middle = (outside + inside) / 2
        if middle in (outside, inside):
            break
        if excess(middle) > 0:
            outside = middle
        else:
            inside = middle
    return inside


def deviation(values: Floats) -> float:
    """Standard deviation of replicates, in a unit in which their squares are floats."""
    exponent = math.frexp(float(np.abs(values).max()))[1]  # powers of 2 round nothing
    return math.ldexp(float(np.ldexp(values, -exponent).std(ddof=1)), exponent)


def rounding_of(values: Floats) -> float:
    """Differences of replicates that are rounding: up to a fraction of their range, or all."""
    low, high = float(values.min()), float(values.max())
    size = max(abs(low), abs(high))
    width = high / 2 - low / 2  # halves, as the range of large numbers may be no float
    last_places = LAST_PLACES * math.ulp(size) if size else 0.0
    return 2 * ROUNDING * width if width > last_places / 2 else last_places


def bca_limits(
    values: Floats, estimate: float, acceleration: float, level: float
) -> tuple[float, float]:
    """Bias-corrected and accelerated quantiles (F4.4); ties with the estimate count one half."""
    normal = NormalDist()
    tied = np.abs(values - estimate) <= rounding_of(values)
    below = np.count_nonzero((values < estimate) & ~tied) + np.count_nonzero(tied) / 2
    p0 = below / len(values)
    if not 0.0 < p0 < 1.0:
        raise InputError(
            "method='bca' is undefined here: all resamples lie on one side of the estimate. "
            "Use method='bootstrap' or 'score'."
        )
    z0 = normal.inv_cdf(p0)

    def corrected(q: float) -> float:
        shifted = z0 + normal.inv_cdf(q)
        return normal.cdf(z0 + shifted / (1 - acceleration * shifted))

    tail = (1 - level) / 2
    low, high = np.quantile(values, [corrected(tail), corrected(1 - tail)])
    return float(low), float(high)


LARGEST = 1e150  # its square is a number

REPEATED_AS_INDEPENDENT = (
    "the {repeats} repeats of cross-validation are treated as independent, but they reuse the same "
    "cases, so that the interval is far too short. Use {remedy}."
)


def cv_interval(
    fold_values: ArrayLike,
    *,
    level: float = 0.95,
    corrected: bool = False,
    test_fraction: float | None = None,
) -> Interval:
    """Compute a Student's t interval for the mean over cross-validation folds.

    Parameters
    ----------
    fold_values : array-like
        Value of each fold, such as its AUC; for repeated cross-validation one row per repeat.
    level : float, default 0.95
        Confidence level.
    corrected : bool, default False
        Whether to apply the correction for overlapping training sets [1]_. Without it the folds
        count as independent, and the interval tends to undercover.
    test_fraction : float, optional
        With `corrected`: proportion of the cases in a test fold, by default 1 / (number of folds).

    Returns
    -------
    Interval
        Interval with `low`, `high`, `mean`, `level` and `method`, not truncated at 0 and 1.

    See Also
    --------
    cross_validated_auc : Cross-validated AUC with a confidence interval.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Mach. Learn. 52,
           2003. doi:10.1023/A:1024068626366

    Examples
    --------
    >>> import rocwise as rw
    >>> folds = [0.81, 0.79, 0.84, 0.88, 0.80, 0.77, 0.83, 0.86, 0.82, 0.85]
    >>> rw.inference.cv_interval(folds)
    0.801 to 0.849 (95% CI, t over folds)
    >>> rw.inference.cv_interval(folds, corrected=True)
    0.790 to 0.860 (95% CI, corrected t over folds)
    """
    level = checks.level(level)
    corrected = checks.flag(corrected, "corrected")
    values = _checked_values(fold_values)
    repeats, folds = values.shape
    if test_fraction is not None and not corrected:
        raise InputError("`test_fraction` is used with corrected=True only; got it without.")
    if repeats > 1 and not corrected:
        warn(
            REPEATED_AS_INDEPENDENT.format(repeats=repeats, remedy="corrected=True"),
            MisuseWarning,
        )
    if values.min() == values.max():
        warn(
            f"all folds have the value {values[0, 0]:g}, so that the interval has no width; it "
            "does not quantify the uncertainty of the mean.",
            MisuseWarning,
        )
    ratio = 1 / folds if test_fraction is None else checks.fraction(test_fraction, "test_fraction")
    return fold_interval(values.ravel(), level, ratio if corrected else None)


def fold_interval(values: Floats, level: float, test_fraction: float | None) -> Interval:
    """Mean plus and minus t standard errors; `test_fraction` None leaves out the correction."""
    # (F4.6)
    from scipy.special import stdtrit

    count = len(values)
    mean, deviation = float(values.mean()), float(values.std(ddof=1))
    overlap = 0.0 if test_fraction is None else test_fraction / (1 - test_fraction)
    reach = float(stdtrit(count - 1, (1 + level) / 2)) * deviation * math.sqrt(1 / count + overlap)
    method = "t over folds" if test_fraction is None else "corrected t over folds"
    return Interval(mean - reach, mean + reach, level, method, mean)


def _checked_values(fold_values: Any) -> Floats:
    """Values as (repeats, folds): at least two folds, all of them finite numbers."""
    try:
        values = np.asarray(fold_values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"`fold_values` must be numbers, one per fold; got {shown(fold_values, 60)}."
        ) from None
    if values.ndim not in (1, 2):
        raise InputError(
            "`fold_values` must contain one value per fold, or one row of them per repeat; "
            f"got an array of shape {values.shape}."
        )
    values = np.atleast_2d(values)
    if values.size < 2 or values.shape[1] < 2:
        raise InputError(f"`fold_values` must contain at least two folds; got {values.shape[-1]}.")
    bad = ~np.isfinite(values)
    if bad.any():
        repeat, fold = (int(place) for place in np.argwhere(bad)[0])
        where = f"fold {fold}" if len(values) == 1 else f"fold {fold} of repeat {repeat}"
        raise InputError(
            f"`fold_values` is {values[repeat, fold]} in {where} (counted from 0): its AUC is "
            "undefined, as when a class is missing. Make the folds stratified, so that each has "
            "both classes; a fold is never left out."
        )
    if np.abs(values).max() > LARGEST:
        raise InputError(
            f"`fold_values` must lie between -{LARGEST:g} and {LARGEST:g}, beyond which their "
            f"variance is no number; got {values.ravel()[np.abs(values).argmax()]:g}."
        )
    return values
