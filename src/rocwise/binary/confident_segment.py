"""The confident segment of an ROC curve: where the two errors do not differ significantly."""

from typing import Any, ClassVar, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats, Integers
from rocwise.binary.roc import curve_points
from rocwise.data.tally import check_float_thresholds, check_unweighted
from rocwise.errors import InputError, count_of, shown
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.proportions import tango_limits, tango_statistic
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import Result, result

SegmentTest = Literal["tango", "mcnemar-exact"]


@by_group
def confident_segment(
    data: Any = None,
    y_score: Any = None,
    *,
    level: float = 0.95,
    test: SegmentTest = "tango",
    margin: float = 0.0,
    **given: Unpack[TallyOptions],
) -> "ConfidentSegment":
    """Find the thresholds at which false negatives and false positives do not differ significantly.

    A threshold is in the segment [2]_ if the test does not reject that ``|FN - FP|`` / n is at most
    `margin`: with Tango's test and no margin, if Tango's interval [1]_ of (FN - FP) / n contains 0.

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`. Weights are not supported.
    y_score : array-like, optional
        Scores, one per label.
    level : float, default 0.95
        Confidence level of the intervals; 1 - `level` is the significance level of the test.
    test : {"tango", "mcnemar-exact"}, default "tango"
        Tango's score test (without a margin the asymptotic test of McNemar), or McNemar's exact
        binomial test, which has no margin.
    margin : float, default 0
        Largest difference (FN - FP) / n in either direction that is regarded as none.

    Returns
    -------
    ConfidentSegment
        Result with `fpr`, `tpr` and `thresholds` of the segment; `cauc`, the area of the union of
        the strip below it (`tp_area`) and to its right (`fp_area`), which have `overlap` in common;
        and `mean_difference` and `mean_absolute_difference` of (FN - FP) / n.

    See Also
    --------
    roc : Empirical ROC curve.
    threshold : Optimal threshold by a criterion.
    inference.tango_interval : Interval for a difference of paired proportions.

    References
    ----------
    .. [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions
           for the paired-sample design", Stat. Med. 17, 1998, 891-908.
    .. [2] W. Elazmeh, N. Japkowicz and S. Matwin, "A framework for comparative evaluation of
           classifiers in the presence of class imbalance", ROCML workshop, 2006.

    Examples
    --------
    >>> import rocwise as rw
    >>> segment = rw.confident_segment([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7])
    >>> round(segment.cauc, 4)
    0.9167
    >>> ax = segment.plot()
    """
    tally = as_tally("confident_segment", data, y_score, given)
    z = normal_quantile(checks.level(level))
    checks.one_of(test, "test", get_args(SegmentTest))
    margin = checks.within(margin, "margin", 0.0, 1.0)
    if margin and test != "tango":
        raise InputError(f"`margin` needs test='tango'; got test={shown(test)}.")
    check_unweighted(
        tally,
        "confident_segment",
        why="it compares counts of false negatives and false positives",
        instead="use `threshold`, whose `uncertainty` draws rows with their weights and clusters",
    )
    check_float_thresholds(tally)
    n_pos, n_neg = int(tally.n_pos), int(tally.n_neg)
    fpr, tpr, scores, _ = curve_points(tally)
    thresholds = scores.astype(np.float64, copy=False)
    b, c = _errors(tpr, fpr, n_pos, n_neg)
    if test == "tango":
        kept = _not_rejected(b, c, n_pos + n_neg, margin, z)
    else:
        kept = _exact_p_value(b, c) > 1 - level
    confident = np.flatnonzero(kept)
    b, c = b[confident], c[confident]
    difference = b - c
    scale = len(difference) * (n_pos + n_neg)  # sums are integers, divided once
    return ConfidentSegment(
        fpr=fpr[confident],
        tpr=tpr[confident],
        thresholds=thresholds[confident],
        b=b,
        c=c,
        **_areas(fpr[confident], tpr[confident]),
        # (F7.4)
        mean_difference=int(difference.sum()) / scale if scale else None,
        mean_absolute_difference=int(np.abs(difference).sum()) / scale if scale else None,
        level=level,
        test=test,
        margin=margin,
        n_pos=n_pos,
        n_neg=n_neg,
        curve_fpr=fpr,
        curve_tpr=tpr,
        curve_thresholds=thresholds,
        origin=tally.origin,
    )


@result
class ConfidentSegment(Result):
    """The part of a curve where (FN - FP) / n does not differ significantly from 0.

    `fpr`, `tpr` and `thresholds` are its points, `b` the false negatives and `c` the false
    positives there; the arrays that begin with `curve_` have all points of the curve.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("thresholds", "fpr", "tpr", "b", "c")
    fpr: Floats
    tpr: Floats
    thresholds: Array
    b: Integers
    c: Integers
    cauc: float
    mean_difference: float | None
    mean_absolute_difference: float | None
    tp_area: float
    fp_area: float
    overlap: float
    level: float
    test: SegmentTest
    margin: float
    n_pos: int
    n_neg: int
    curve_fpr: Floats
    curve_tpr: Floats
    curve_thresholds: Array

    def _sentence(self) -> str:
        level = printing.percent(self.level)
        size = self.n_pos + self.n_neg
        if not len(self.fpr):
            return (
                f"no threshold is confident at {level}; {printing.classes(self.n_pos, self.n_neg)}"
            )
        return (
            f"confident segment of {count_of(len(self.fpr), 'threshold')} at {level}, FPR "
            f"{printing.rate(self.fpr[0], size)} to {printing.rate(self.fpr[-1], size)}; "
            f"CAUC {printing.rate(self.cauc, size)}, mean (FN - FP)/n "
            f"{self.mean_difference:.3f}; {printing.classes(self.n_pos, self.n_neg)}"
        )

    @property
    def observed_scores(self) -> Array:
        """The distinct scores, the most positive first."""
        return self.curve_thresholds[1:]

    def intervals(self, rows: Any = slice(None)) -> tuple[Floats, Floats, Floats]:
        """(FN - FP) / n at points of the whole curve, with the limits of Tango's interval."""
        try:
            self.curve_tpr[rows]
        except (IndexError, TypeError, ValueError, OverflowError):
            raise InputError(
                f"`rows` must be row numbers below {len(self.curve_tpr)}, a slice or flags; got "
                f"{shown(rows)}."
            ) from None
        b, c = _errors(self.curve_tpr[rows], self.curve_fpr[rows], self.n_pos, self.n_neg)
        n = float(self.n_pos + self.n_neg)
        return (b - c) / n, *tango_limits(
            b.astype(np.float64), c.astype(np.float64), n, normal_quantile(self.level)
        )


def _not_rejected(b: Integers, c: Integers, n: int, margin: float, z: float) -> Any:
    """Whether Tango's interval meets [-margin, margin]."""
    if not margin:  # (F7.2), without rounding
        return (b - c).astype(np.float64) ** 2 <= z * z * (b + c)
    up, down = (tango_statistic(b, c, n, delta) for delta in (margin, -margin))
    return (up <= z) & (down >= -z)


def _exact_p_value(b: Integers, c: Integers) -> Floats:
    """The two-sided p value of McNemar's exact test; 1 without discordant cases."""
    from scipy.stats import binom

    return np.asarray(np.minimum(2 * binom.cdf(np.minimum(b, c), b + c, 0.5), 1.0))


def _errors(tpr: Floats, fpr: Floats, n_pos: int, n_neg: int) -> tuple[Integers, Integers]:
    """False negatives and false positives from rates."""
    tp, fp = (np.rint(rate * n).astype(np.int64) for rate, n in ((tpr, n_pos), (fpr, n_neg)))
    return n_pos - tp, fp


def _areas(fpr: Floats, tpr: Floats) -> dict[str, float]:
    """Areas under the segment and to its right, their overlap and their union (F7.3)."""
    if len(fpr) < 2:
        return dict.fromkeys(("tp_area", "fp_area", "overlap", "cauc"), 0.0)
    run, rise = np.diff(fpr), np.diff(tpr)
    height, place = (tpr[1:] + tpr[:-1]) / 2, (fpr[1:] + fpr[:-1]) / 2
    under, right = float(np.dot(run, height)), float(np.dot(rise, 1 - place))
    overlap = float(np.dot(run, height - tpr[0]))
    cauc = under + right - overlap
    return {"tp_area": under, "fp_area": right, "overlap": overlap, "cauc": cauc}
