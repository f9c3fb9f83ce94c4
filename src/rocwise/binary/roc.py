"""Empirical curves of two classes: ROC, DET, the ROC convex hull, lift and cumulative gain."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats, Places, Weights
from rocwise.binary.convex_hull import upper_hull
from rocwise.data.tally import Tally, check_float_thresholds
from rocwise.errors import InputError, warn_below_half
from rocwise.inference.intervals import normal_quantile
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import ASIDE, Interval, Result, result

WARNING_LEVEL = 0.95  # confidence with which an AUC is below one half before a warning is given
LARGEST_COUNT = 2**63 - 1


@by_group
def roc(
    data: Any = None,
    y_score: Any = None,
    *,
    drop_intermediate: bool = False,
    **given: Unpack[TallyOptions],
) -> "RocCurve":
    """Compute the empirical ROC curve, with one point per distinct score.

    Tied scores give a diagonal segment [1]_.

    Parameters
    ----------
    drop_intermediate : bool, default False
        Whether to leave out points on a straight line between their neighbors.

    Returns
    -------
    RocCurve
        Result with `fpr`, `tpr`, `thresholds` (the first is above every score) and `auc`.

    See Also
    --------
    auc : AUC with a confidence interval.
    band : Confidence band of the ROC curve.
    hull : Convex hull of the ROC curve.
    smooth_roc : Smooth ROC curve (smROC).
    precision_recall : Precision-recall curve.

    References
    ----------
    .. [1] T. Fawcett, "An introduction to ROC analysis", Pattern Recognit. Lett. 27, 2006.
           doi:10.1016/j.patrec.2005.10.010

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.fpr.tolist(), curve.tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    >>> curve.auc
    0.75
    >>> ax = curve.plot()
    """
    tally = as_tally("roc", data, y_score, given)
    drop = checks.flag(drop_intermediate, "drop_intermediate")
    check_float_thresholds(tally)
    curve = curve_of(tally, drop_intermediate=drop)
    warn_of_direction(tally, curve.auc)
    return curve


@by_group
def det(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> "DetCurve":
    """Compute the detection error trade-off (DET) curve.

    Returns
    -------
    DetCurve
        Result with `fpr`, `fnr` and `thresholds`; plotted on probit scales [1]_.

    See Also
    --------
    roc : Empirical ROC curve.
    equal_error_rate : Equal error rate with a confidence interval.
    precision_recall : Precision-recall curve.

    References
    ----------
    .. [1] A. Martin, G. Doddington, T. Kamm, M. Ordowski and M. Przybocki, "The DET curve in
           assessment of detection task performance", Eurospeech, 1997.
           doi:10.21437/Eurospeech.1997-504

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.det([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.fpr.tolist(), curve.fnr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [1.0, 0.5, 0.5, 0.0, 0.0])
    >>> ax = curve.plot()
    """
    tally = as_tally("det", data, y_score, given)
    check_float_thresholds(tally)
    scores, tp, fp = tally.curve_counts()
    return DetCurve(
        fpr=from_zero(fp / tally.n_neg),
        fnr=np.append(1.0, (tally.n_pos - tp) / tally.n_pos),
        thresholds=thresholds_of(scores, tally.direction),
        observed_scores=scores,
        **tally.result_fields,
    )


@by_group
def hull(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> "RocHull":
    """Compute the convex hull of the ROC curve (ROCCH).

    Its vertices are the thresholds that are optimal for some costs and prevalence [1]_.

    Returns
    -------
    RocHull
        Result with `fpr`, `tpr` and `thresholds` of the vertices, from (0, 0) to (1, 1), and `auc`.

    See Also
    --------
    roc : Empirical ROC curve.
    threshold : Optimal threshold by a criterion.
    cost_curve : Cost curve.

    References
    ----------
    .. [1] F. Provost and T. Fawcett, "Robust classification for imprecise environments", Mach.
           Learn. 42, 2001. doi:10.1023/A:1007601015854

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.hull([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.fpr.tolist(), curve.auc
    ([0.0, 0.0, 0.5, 1.0], 0.875)
    >>> ax = curve.plot()
    """
    tally = as_tally("hull", data, y_score, given)
    check_float_thresholds(tally)
    return hull_of(tally)


@by_group
def lift(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> "Lift":
    """Compute lift and cumulative gain at every distinct score.

    Returns
    -------
    Lift
        Result with `share` (proportion of cases predicted positive), `gain` (proportion of
        positives among them), `lift` and the Kolmogorov-Smirnov statistic `ks`.

    See Also
    --------
    roc : Empirical ROC curve.
    precision_recall : Precision-recall curve.
    thresholds : Counts and metrics at every threshold.

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.lift([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.share.tolist(), curve.gain.tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    >>> ax = curve.plot()
    """
    tally = as_tally("lift", data, y_score, given)
    scores, tp, fp = tally.curve_counts()
    total = tally.n_pos + tally.n_neg
    share, gain = from_zero((tp + fp) / total), from_zero(tp / tally.n_pos)
    ratio = np.divide(gain, share, out=np.zeros_like(gain), where=share != 0)
    thresholds = thresholds_of(np.asarray(scores, np.float64), tally.direction)
    distances = np.abs(gain - from_zero(fp / tally.n_neg))
    best = int(np.argmax(distances))
    return Lift(
        share=share,
        gain=gain,
        lift=np.ma.masked_array(ratio, mask=share == 0),
        thresholds=thresholds,
        ks=float(distances[best]),
        ks_threshold=float(thresholds[best]),
        prevalence=float(tally.n_pos / total),
        data=tally,
        **tally.result_fields,
    )


@result
class DataResult(Result):
    """A result about one tally, which is kept as `data` where it is known."""

    data: Tally | None = field(default=None, metadata=ASIDE)

    def curve(self) -> tuple[Floats, Floats]:
        """False and true positive rates of the ROC curve of the same data."""
        return roc_rates(self._known_data())

    def compute(self, function: str, **options: Any) -> Any:
        """Call another function of rocwise on the same data.

        Parameters
        ----------
        function : str
            The name of a function of rocwise, such as "auc" or "threshold".
        **options
            Its options.

        Examples
        --------
        >>> import rocwise as rw
        >>> curve = rw.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> curve.compute("auc").value
        0.75
        """
        import rocwise

        if function not in rocwise.__all__:
            raise InputError(
                f"`function` must be the name of a function of rocwise; got {function!r}."
            )
        return getattr(rocwise, function)(self._known_data(), **options)

    def _known_data(self) -> Tally:
        if self.data is None:
            raise InputError(
                f"this {type(self).__name__} does not contain its data, from which "
                "other results are computed; pass the data themselves."
            )
        return self.data


@result
class RocCurve(DataResult):
    """ROC curve from (0, 0) to (1, 1); ties are diagonal segments.

    `thresholds[k]` gives the point `(fpr[k], tpr[k])`; a case is predicted positive when its score
    is at least the threshold. The first threshold lies beyond every score.
    """

    kind: ClassVar[str] = "ROC curve"
    fpr: Floats
    tpr: Floats
    thresholds: Array
    auc: float
    n_pos: float
    n_neg: float
    observed_scores: Array | None = field(default=None, metadata=ASIDE)

    def _sentence(self) -> str:
        return (
            f"{self.kind} with {printing.count(len(self.fpr))} points, "
            f"AUC {printing.rate(self.auc, self.n_pos + self.n_neg)}; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


@result
class RocHull(RocCurve):
    """Convex hull of an ROC curve, attainable by mixtures of thresholds."""

    kind: ClassVar[str] = "ROC convex hull"


@result
class DetCurve(Result):
    """DET curve: false negative rate against false positive rate."""

    fpr: Floats
    fnr: Floats
    thresholds: Array
    n_pos: float
    n_neg: float
    observed_scores: Array | None = field(default=None, metadata=ASIDE)

    def equal_rate(self) -> float:
        """The rate at which the curve, straight between its points, has equal errors."""
        return float(np.interp(0.0, self.fpr - self.fnr, self.fpr))

    def _sentence(self) -> str:
        nearest = int(np.argmin(np.abs(self.fpr - self.fnr)))
        equal = (self.fpr[nearest] + self.fnr[nearest]) / 2
        return f"DET curve; the two error rates meet near {printing.rate(equal)}"


@result
class Lift(DataResult):
    """Lift curve: `gain`, the fraction of the positives among a `share` of the highest scores.

    `lift` = gain / share: how many times as many positives as among as many random cases; masked
    where `share` is 0. `ks` is the largest distance between the two classes' gains, the
    Kolmogorov-Smirnov statistic, at `ks_threshold`.
    """

    share: Floats
    gain: Floats
    lift: Floats
    thresholds: Array
    ks: float
    ks_threshold: float
    prevalence: float
    n_pos: float
    n_neg: float

    @property
    def observed_scores(self) -> Array:
        """The distinct scores, the most positive first."""
        return self.thresholds[1:]

    def at(self, share: Any) -> Floats:
        """The gain among fractions of the cases; between scores, tied cases are taken at random."""
        wanted = np.atleast_1d(checks.rates(share, "share", most=1))
        return np.asarray(np.interp(wanted, self.share, self.gain))

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        tenth = float(self.at(0.1)[0])
        return (
            f"the highest tenth of the scores has {printing.rate(tenth, size)} of the positives "
            f"(lift {10 * tenth:.2f}); KS {printing.rate(self.ks, size)}; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


def curve_of(tally: Tally, *, drop_intermediate: bool = False) -> RocCurve:
    """The ROC curve of a tally, without a warning about its direction."""
    # (F1.1)
    fpr, tpr, thresholds, area = curve_points(tally)
    observed = thresholds[1:]
    if drop_intermediate:
        observed, tp, fp = tally.curve_counts()
        kept = _corners(tp, fp)
        fpr, tpr, thresholds = fpr[kept], tpr[kept], thresholds[kept]
    return RocCurve(
        fpr=fpr,
        tpr=tpr,
        thresholds=thresholds,
        auc=area,
        observed_scores=observed,
        data=tally,
        **tally.result_fields,
    )


def hull_of(tally: Tally) -> RocHull:
    """The hull of a tally, whose thresholds may be one float where only rates matter."""
    corners, hull_tp, hull_fp = hull_counts(tally)
    x, y = hull_fp.tolist(), hull_tp.tolist()  # Python numbers: counts never overflow
    doubled = sum((x[i + 1] - x[i]) * (y[i + 1] + y[i]) for i in range(len(x) - 1))
    return RocHull(
        fpr=hull_fp / tally.n_neg,
        tpr=hull_tp / tally.n_pos,
        thresholds=thresholds_of(tally.scores[corners[1:] - 1], tally.direction),
        auc=doubled / (2 * tally.n_pos * tally.n_neg),
        observed_scores=tally.scores,
        data=tally,
        **tally.result_fields,
    )


def hull_counts(data: Tally) -> tuple[Places, Array, Array]:
    """Corners of the ROC convex hull, from (0, 0): scores above it, true and false positives."""
    _, tp, fp = data.curve_counts()
    corners = upper_hull(fp, tp)
    return corners, sums_at(tp, corners), sums_at(fp, corners)


def sums_at(sums: Array, places: Places) -> Array:
    """Cumulative sums at positions of a curve, the first of which is the origin."""
    return np.concatenate([[0], sums[places[1:] - 1]])


def roc_rates(data: Tally) -> tuple[Floats, Floats]:
    """FPR and TPR of every vertex of the curve, the origin first."""
    return from_zero(data.fp / data.n_neg), from_zero(data.tp / data.n_pos)


def curve_points(data: Tally) -> tuple[Floats, Floats, Array, float]:
    """FPR, TPR and threshold of every vertex, the origin first; and the area under them."""
    scores, _, _ = data.curve_counts()
    return *roc_rates(data), thresholds_of(scores, data.direction), whole_area(data)


def whole_area(data: Tally) -> float:
    """The area: without weights the fraction 2U / (2PN), correctly rounded."""
    if data.weighted:
        return data.weighted_area
    sums = data.placement_sums
    return sums.sum_u / (2 * sums.n_pos * sums.n_neg)


def rates_at(curve: Tally, thresholds: Floats) -> tuple[Floats, Floats]:
    """FPR and TPR when every score at or beyond the threshold is predicted positive."""
    beyond = vertices_at(curve, thresholds)
    fpr, tpr = roc_rates(curve)
    return fpr[beyond], tpr[beyond]


def vertices_at(data: Tally, thresholds: Floats) -> Places:
    """Number of distinct scores that are predicted positive at each threshold."""
    sign = 1.0 if data.direction == "higher" else -1.0
    ascending = -sign * np.asarray(data.scores, np.float64)
    return np.searchsorted(ascending, -sign * thresholds, side="right")


def from_zero(rates: Floats) -> Floats:
    """Rates at each score, with that of the point before the first score in front."""
    return np.concatenate([[0.0], rates])


def thresholds_of(scores: Array, direction: str) -> Array:
    """Scores with a threshold beyond all of them in front."""
    dtype = scores.dtype if scores.dtype.kind == "f" else np.dtype(np.float64)
    beyond = np.inf if direction == "higher" else -np.inf
    return np.append(dtype.type(beyond), scores.astype(dtype, copy=False))


def sums_from_zero(values: Array, dtype: Any = np.float64) -> Array:
    """Cumulative sums along the last axis, with a 0 in front."""
    sums = np.zeros((*values.shape[:-1], values.shape[-1] + 1), dtype=dtype)
    np.cumsum(values, axis=-1, out=sums[..., 1:])
    return sums


def cumulative_rates(counts: Weights) -> Floats:
    """Cumulative fractions of their sum along the last axis, with a 0 in front."""
    rates = sums_from_zero(counts)
    rates /= rates[..., -1:].copy()  # the last sum itself, so that rates end at exactly 1
    return rates


def straight_runs(tp: Weights, fp: Weights) -> Places:
    """Last scores of runs of one class, or of one score of both."""
    of_pos, of_neg = (np.append(sums[0] > 0, sums[1:] > sums[:-1]) for sums in (tp, fp))
    kind = of_pos + 2 * of_neg.view(np.int8)
    return np.append(np.flatnonzero((kind[1:] != kind[:-1]) | (kind[1:] == 3)), len(kind) - 1)


def _corners(tp: Array, fp: Array) -> Places:
    """Positions (0 = the origin) of the points where the curve changes direction."""
    dy, dx = np.diff(tp, prepend=0), np.diff(fp, prepend=0)
    if dy.dtype.kind == "i" and int(dy.max()) * int(dx.max()) > LARGEST_COUNT:
        dy, dx = dy.astype(object), dx.astype(object)  # Python integers never overflow
    turns = dy[:-1] * dx[1:] != dy[1:] * dx[:-1]
    return np.concatenate([[0], np.flatnonzero(turns) + 1, [len(tp)]])


def warn_of_direction(data: Tally, area: float) -> None:
    """Warn when the area lies clearly below one half, by the Wilcoxon rank-sum test."""
    n_pos, n_neg = float(data.n_pos), float(data.n_neg)
    if data.squares is not None:
        of_positives, of_negatives = data.squares.totals
        n_pos, n_neg = n_pos**2 / of_positives, n_neg**2 / of_negatives
    error = math.sqrt((n_pos + n_neg + 1) / (12 * n_pos * n_neg))
    if area + normal_quantile(WARNING_LEVEL) * error < 0.5:
        warn_below_half(area, data.direction)


@dataclass(frozen=True, slots=True, repr=False)
class ThresholdInterval(Interval):
    """An interval of a threshold; `low_text` and `high_text` classify as `low` and `high` do."""

    low_text: str = ""
    high_text: str = ""

    def __repr__(self) -> str:
        how = f", {self.method}" if self.method else ""
        return f"{self.ends} ({printing.percent(self.level)} CI{how})"

    @property
    def ends(self) -> str:
        """Both ends as text."""
        return f"{self.low_text} to {self.high_text}"


def with_threshold_texts(interval: Interval, data: Tally) -> ThresholdInterval:
    """The same interval with its ends as texts that divide the same cases."""
    low, high = interval
    texts = (score_text(data, end) for end in interval)
    return ThresholdInterval(low, high, interval.level, interval.method, interval.mean, *texts)


def score_text(data: Tally, value: float) -> str:
    """A number on the scale of the scores as text."""
    return printing.number_text(
        data.scores, value, direction=data.direction, categories=data.origin.categories
    )
