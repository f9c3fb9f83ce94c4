"""Isometrics: the lines of ROC space on which a metric has one value."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast, get_args, overload

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks
from rocwise.arrays import Array, Floats
from rocwise.errors import InputError, shown
from rocwise.results import Result, result

Metric = Literal["precision+", "precision-", "f+", "f-", "m+", "m-"]
METRICS = get_args(Metric)
Performance = Literal["precision", "f", "m"]
Sides = tuple[Performance, Performance]  # of the positive and of the negative class
NAMES = {"precision": "precision", "f": "F-measure", "m": "m-estimate of precision"}


@overload
def isometric(
    metric: Metric, value: float, *, skew: float, alpha: float = 1.0, m: float = 0.0
) -> "Line": ...


@overload
def isometric(
    metric: Metric,
    value: Sequence[float] | Array,
    *,
    skew: float,
    alpha: float = 1.0,
    m: float = 0.0,
) -> "IsometricFan": ...


def isometric(
    metric: Metric,
    value: float | Sequence[float] | Array,
    *,
    skew: float,
    alpha: float = 1.0,
    m: float = 0.0,
) -> "Line | IsometricFan":
    """Compute the line of ROC space on which a metric is constant.

    Parameters
    ----------
    metric : {"precision+", "precision-", "f+", "f-", "m+", "m-"}
        Precision, F-measure or m-estimate of precision, of the positive or the negative class [1]_.
    value : float or sequence of float
        Value or values of the metric, from 0 to 1 (above 0 for the negative class).
    skew : float
        Negatives per positive, times the cost ratio of a false positive to a false negative.
    alpha : float, default 1
        For the F-measure: above 1 recall has more weight than precision.
    m : float, default 0
        For the m-estimate: number of added cases, as a proportion of all cases.

    Returns
    -------
    Line or IsometricFan
        Line with `slope`, `intercept` and the method ``tpr(fpr)``; precision 1 is the vertical line
        fpr = 0. For several values, `values`, `slopes`, `intercepts`, `pivot` and `lines`.

    See Also
    --------
    reliable : Thresholds with a target precision for each class.
    roc : Empirical ROC curve.
    hull : Convex hull of the ROC curve.

    References
    ----------
    .. [1] S. Vanderlooy, I. G. Sprinkhuizen-Kuyper and E. N. Smirnov, "An analysis of reliable
           classifiers through ROC isometrics", ROCML workshop, 2006.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.isometric("precision+", 0.88, skew=1)
    precision+ is 0.88 on tpr = 7.333 fpr + 0 (skew 1)
    >>> fan = rw.isometric("m-", [0.7, 0.8, 0.9], skew=2, m=0.1)
    >>> fan.slopes.round(3).tolist()
    [0.857, 0.5, 0.222]
    >>> ax = fan.plot()
    """
    checks.one_of(metric, "metric", METRICS)
    terms = checked_terms(skew, alpha, m)
    several = np.atleast_1d(np.asarray(value, dtype=object))
    lines = tuple(line_of(metric, checked_value(metric, each, terms), terms) for each in several)
    if np.ndim(value) == 0:
        return lines[0]
    if not lines:
        raise InputError("`value` is empty; pass at least one value of the metric.")
    return IsometricFan(
        metric=metric,
        values=np.array([line.value for line in lines]),
        slopes=np.array([line.slope for line in lines]),
        intercepts=np.array([line.intercept for line in lines]),
        pivot=lines[0].pivot,
        **terms._asdict(),
        lines=lines,
    )


class MetricTerms(NamedTuple):
    """What a metric depends on besides the two rates."""

    skew: float  # c of (4.1): N / P times the cost of a false alarm over that of a miss
    alpha: float = 1.0  # weight of recall in the F-measure
    m: float = 0.0  # cases that the m-estimate adds, as a proportion of all cases


@result
class Line(Result):
    """Isometric: line tpr = slope * fpr + intercept of constant metric.

    On the line and above it the metric is at least `value`. All lines of one metric go through
    `pivot`, which may lie outside ROC space. A vertical line (infinite slope) is fpr = pivot[0].
    """

    slope: float
    intercept: float
    metric: Metric
    value: float
    pivot: tuple[float, float]
    skew: float
    alpha: float
    m: float

    def tpr(self, fpr: ArrayLike) -> Any:
        """The true positive rate on the line, also outside 0 to 1; a number for a number."""
        if np.isinf(self.slope):
            raise InputError(
                f"the {self.metric} isometric of {self.value:g} is the vertical line "
                f"fpr = {self.pivot[0]:g}, which has no single tpr."
            )
        heights = self.slope * checks.rates(fpr, "fpr") + self.intercept
        return heights if heights.ndim else float(heights)

    def excess(self, fpr: ArrayLike, tpr: ArrayLike) -> Floats:
        """How far points lie above the line, on the scale of rates; below it less than 0."""
        x, y = checks.rates(fpr, "fpr"), checks.rates(tpr, "tpr")
        if x.shape != y.shape and x.ndim and y.ndim:
            raise InputError(f"`tpr` must have the shape of `fpr`, {x.shape}; got {y.shape}.")
        if np.isinf(self.slope):
            return np.asarray(self.pivot[0] - x)
        return np.asarray((y - (self.slope * x + self.intercept)) / max(1.0, self.slope))

    def _sentence(self) -> str:
        where = (
            f"fpr = {self.pivot[0]:.4g}"
            if np.isinf(self.slope)
            else f"tpr = {self.slope:.4g} fpr {'-' if self.intercept < 0 else '+'} "
            f"{abs(self.intercept):.4g}"
        )
        return f"{self.metric} is {self.value:g} on {where} (skew {self.skew:g})"


@result
class IsometricFan(Result):
    """Isometrics of one metric for several values, through `pivot`."""

    metric: Metric
    values: Floats
    slopes: Floats
    intercepts: Floats
    pivot: tuple[float, float]
    skew: float
    alpha: float
    m: float
    lines: tuple[Line, ...]

    def _columns(self) -> Mapping[str, Any]:
        return {"value": self.values, "slope": self.slopes, "intercept": self.intercepts}

    def _sentence(self) -> str:
        x, y = self.pivot
        return (
            f"{len(self.values)} isometrics of {self.metric} at skew {self.skew:g}; "
            f"they meet in ({x:.4g}, {y:.4g})"
        )


def metric_of(performance: Performance, sign: str) -> Metric:
    """The metric of a performance for the positive ("+") or the negative class ("-")."""
    return cast(Metric, performance + sign)


def checked_terms(skew: Any, alpha: Any, m: Any) -> MetricTerms:
    """Skew and alpha above 0, m at least 0."""
    return MetricTerms(
        checks.positive(skew, "skew"),
        checks.within(checks.positive(alpha, "alpha"), "alpha", 0.0, 1e100),
        checks.not_negative(m, "m"),
    )


def checked_value(metric: str, value: Any, terms: MetricTerms, argument: str = "value") -> float:
    """A value that the metric can have somewhere in ROC space."""
    number = checks.rate(value, argument)
    if metric.endswith("-") and number == 0:
        raise InputError(f"`{argument}` of {metric} must be above 0; got {shown(value)}.")
    if metric == "m+" and number == 1 and terms.m > 0:
        raise InputError(
            f"`{argument}` of m+ must be below 1 when m is above 0; got {shown(value)}."
        )
    return number


def line_of(metric: Metric, value: float, terms: MetricTerms) -> Line:
    """The isometric of a checked value."""
    slope, intercept, pivot = _lines(metric, value, terms)
    return Line(
        slope=slope,
        intercept=intercept,
        metric=metric,
        value=value,
        pivot=pivot,
        **terms._asdict(),
    )


def _lines(
    metric: Metric, v: float, terms: MetricTerms
) -> tuple[float, float, tuple[float, float]]:
    """Slope, intercept and rotation point: Table 1 of Vanderlooy et al. (2006)."""
    c, a2 = terms.skew, terms.alpha**2
    m = terms.m if metric.startswith("m") else 0.0  # precision is the m-estimate with m = 0
    if metric in ("precision+", "m+") and v == 1:
        return np.inf, 0.0, (0.0, 0.0)
    if metric == "f+":
        scale = 1 + a2 - v
        return v * c / scale, a2 * v / scale, (-a2 / c, 0.0)
    if metric == "f-":
        return (1 + a2 - v) * c / v, 1 + (1 + a2) * (v - 1) * c / v, (1.0, 1 + a2 * c)
    if metric.endswith("+"):
        return v * c / (1 - v), m * (v * (1 + c) - 1) / (1 - v), (0.0 - m, 0.0 - m)
    slope = (1 - v) * c / v
    return slope, 1 - slope + m * (v * (1 + c) - c) / v, (1 + m, 1 + m)


def values_at(metric: str, fpr: ArrayLike, tpr: ArrayLike, terms: MetricTerms) -> Floats:
    """The metric at points of ROC space, masked where it is undefined: (4.2) to (4.4)."""
    c, a2 = terms.skew, terms.alpha**2
    m = terms.m if metric.startswith("m") else 0.0
    x, y = np.asarray(fpr, dtype=np.float64), np.asarray(tpr, dtype=np.float64)
    right, alarms = (y, y + c * x) if metric.endswith("+") else (1 - x, 1 - x + (1 - y) / c)
    added = m * (1 + c) if metric == "m+" else m * (1 + c) / c
    top, bottom = right + m, alarms + added
    if metric.startswith("f"):
        top, bottom = (1 + a2) * right, a2 + alarms
    undefined = bottom <= 0
    value: Floats = np.ma.masked_array(top / np.where(undefined, 1.0, bottom), mask=undefined)
    return value if undefined.any() else np.asarray(value.data)
