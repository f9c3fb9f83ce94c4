"""Averages of several ROC curves: at each FPR, or at each threshold (F6.14, F6.15)."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.polylines import Polyline, heights
from rocwise.binary.roc import rates_at, roc_rates
from rocwise.data.tally import Tally, float_scores
from rocwise.errors import InputError, shown
from rocwise.inference.resampling import percentile_limits
from rocwise.inputs.coercion import as_tallies
from rocwise.results import Result, result

Average = Literal["vertical", "threshold"]
AverageInterval = Literal["t", "quantile", "fixed-width"]
MOST_THRESHOLDS = 501
DRAWS = 10_000  # of a multivariate t distribution, the same in every call
COLUMNS_AT_ONCE = 500


def average_roc(
    curves: Any,
    *,
    how: Average = "vertical",
    grid: Any = None,
    level: float = 0.95,
    interval: AverageInterval = "t",
) -> "VerticalAverage | ThresholdAverage":
    """Average several ROC curves, of folds, readers or resamples.

    Parameters
    ----------
    curves : list of Tally, list of (y_true, y_score), or Pairs
        At least two curves, without weights.
    how : {"vertical", "threshold"}, default "vertical"
        Average TPR at each FPR, or FPR and TPR at each threshold [1]_. The latter needs scores on a
        common scale.
    grid : array-like, optional
        False positive rates (by default 101 from 0 to 1), or thresholds (by default all scores, or
        501 of them).
    level : float, default 0.95
        Confidence level.
    interval : {"t", "quantile", "fixed-width"}, default "t"
        For independent curves, e.g. of models with training and test sets of their own: Student's
        t intervals of the mean, pointwise; or a band of one width that contains the whole expected
        curve of the learning algorithm [2]_. For resampled curves: pointwise quantiles.

    Returns
    -------
    VerticalAverage or ThresholdAverage
        Result with `fpr`, `tpr`, `lower` and `upper`; or with `thresholds`, `fpr` and `tpr` and
        limits of both rates.

    See Also
    --------
    roc : Empirical ROC curve.
    band : Confidence band of the ROC curve.
    cross_validated_auc : Cross-validated AUC with a confidence interval.

    References
    ----------
    .. [1] T. Fawcett, "An introduction to ROC analysis", Pattern Recognit. Lett. 27, 2006.
           doi:10.1016/j.patrec.2005.10.010
    .. [2] S. Macskassy, F. Provost and S. Rosset, "ROC confidence bands: an empirical evaluation",
           ICML, 2005.

    Examples
    --------
    >>> import rocwise as rw
    >>> first = rw.tally([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> second = rw.tally([0, 0, 1, 1], [0.2, 0.3, 0.6, 0.7])
    >>> mean = rw.average_roc([first, second], grid=[0, 0.5, 1])
    >>> mean.tpr.tolist()
    [0.75, 1.0, 1.0]
    >>> ax = mean.plot()
    """
    curves = as_tallies(curves)
    checks.one_of(how, "how", get_args(Average))
    checks.one_of(interval, "interval", get_args(AverageInterval))
    level = checks.level(level)
    if len(curves) < 2:
        raise InputError(f"`curves` must contain at least two curves; got {len(curves)}.")
    if any(curve.weighted for curve in curves):
        raise InputError(
            "`curves` must not carry weights: averages of weighted curves are not defined."
        )
    if how == "vertical":
        return _vertical(curves, grid, level, interval)
    return _by_threshold(curves, grid, level, interval)


@result
class VerticalAverage(Result):
    """Mean TPR of several curves at each FPR, with limits clipped to [0, 1].

    `curves` contains the TPR of each curve on the grid, one per row.
    """

    fpr: Floats
    tpr: Floats
    lower: Floats
    upper: Floats
    curves: Floats
    level: float
    interval: AverageInterval

    def areas(self) -> Floats | None:
        """The area under each of the curves on the grid; None where the grid is not whole."""
        if self.fpr[0] != 0 or self.fpr[-1] != 1:
            return None
        return np.asarray(np.trapezoid(self.curves, self.fpr, axis=1))

    def _sentence(self) -> str:
        areas = self.areas()
        area = "" if areas is None else printing.rate(float(areas.mean()))
        level = printing.percent(self.level)
        limits = "fixed-width band"
        if self.interval != "fixed-width":
            limits = f"{self.interval} intervals at each FPR alone"
        return (
            f"vertical average of {len(self.curves)} ROC curves{area and f', area {area}'}; "
            f"{level} {limits}"
        )


@result
class ThresholdAverage(Result):
    """Mean FPR and mean TPR of several curves at each threshold, with limits clipped to [0, 1].

    `fpr_half_width` and `tpr_half_width` are the half widths before clipping (t intervals only).
    """

    thresholds: Floats
    fpr: Floats
    tpr: Floats
    fpr_lower: Floats
    fpr_upper: Floats
    tpr_lower: Floats
    tpr_upper: Floats
    fpr_half_width: Floats
    tpr_half_width: Floats
    n_curves: int
    level: float
    interval: AverageInterval

    def _sentence(self) -> str:
        return (
            f"threshold average of {self.n_curves} ROC curves at "
            f"{printing.counted(len(self.thresholds), 'threshold')}; "
            f"{printing.percent(self.level)} {self.interval} intervals for each rate alone"
        )


def _vertical(
    curves: Sequence[Tally], grid: Any, level: float, interval: AverageInterval
) -> VerticalAverage:
    fpr = np.linspace(0.0, 1.0, 101) if grid is None else _numbers(grid)
    if fpr[0] < 0 or fpr[-1] > 1 or not np.all(np.diff(fpr) > 0):
        raise InputError(
            "`grid` must rise, from 0 or more to 1 or less, for how='vertical', where it contains "
            f"false positive rates; got {shown(grid)}."
        )
    rows = np.array([heights(Polyline(*roc_rates(curve)), fpr).right for curve in curves])
    lower, upper, _ = _limits(rows, level, interval)
    return VerticalAverage(
        fpr=fpr,
        tpr=rows.mean(axis=0),
        lower=lower,
        upper=upper,
        curves=rows,
        level=level,
        interval=interval,
        origin=curves[0].origin,
    )


def _by_threshold(
    curves: Sequence[Tally], grid: Any, level: float, interval: AverageInterval
) -> ThresholdAverage:
    directions = {curve.direction for curve in curves}
    if len(directions) > 1:
        raise InputError("`curves` must agree on `direction` to be averaged by threshold.")
    thresholds = _pooled_thresholds(curves) if grid is None else _numbers(grid)
    rates = [rates_at(curve, thresholds) for curve in curves]
    fpr, tpr = (np.array(rows) for rows in zip(*rates, strict=True))
    fpr_lower, fpr_upper, fpr_half = _limits(fpr, level, interval)
    tpr_lower, tpr_upper, tpr_half = _limits(tpr, level, interval)
    return ThresholdAverage(
        thresholds=thresholds,
        fpr=fpr.mean(axis=0),
        tpr=tpr.mean(axis=0),
        fpr_lower=fpr_lower,
        fpr_upper=fpr_upper,
        tpr_lower=tpr_lower,
        tpr_upper=tpr_upper,
        fpr_half_width=fpr_half,
        tpr_half_width=tpr_half,
        n_curves=len(curves),
        level=level,
        interval=interval,
        origin=curves[0].origin,
    )


def _limits(rows: Floats, level: float, interval: AverageInterval) -> tuple[Floats, Floats, Floats]:
    """Lower and upper limit of each column, clipped to [0, 1], and the half width before that."""
    if interval == "quantile":
        lower, upper = percentile_limits(rows, level)
        return lower, upper, (upper - lower) / 2
    k, mean = len(rows), rows.mean(axis=0)
    if interval == "fixed-width":
        half = np.full(len(mean), _largest_error(rows - mean, level))
    else:
        from scipy.special import stdtrit

        half = float(stdtrit(k - 1, (1.0 + level) / 2)) * rows.std(axis=0, ddof=1) / np.sqrt(k)
    return np.clip(mean - half, 0.0, 1.0), np.clip(mean + half, 0.0, 1.0), half


def _largest_error(deviations: Floats, level: float) -> float:
    """A quantile of the largest error of the means: of a multivariate t distribution (F6.14)."""
    k, rng = len(deviations), np.random.default_rng(0)
    normals, largest = rng.standard_normal((DRAWS, k)), np.zeros(DRAWS)
    for start in range(0, deviations.shape[1], COLUMNS_AT_ONCE):
        errors = normals @ deviations[:, start : start + COLUMNS_AT_ONCE]
        largest = np.maximum(largest, np.abs(errors).max(axis=1))
    return float(np.quantile(largest / np.sqrt(k * rng.chisquare(k - 1, DRAWS)), level))


def _pooled_thresholds(curves: Sequence[Tally]) -> Floats:
    """All scores, from the most positive down, thinned out when there are very many."""
    scores = np.unique(np.concatenate([float_scores(c.scores, "curves") for c in curves]))
    if len(scores) > MOST_THRESHOLDS:
        scores = scores[np.linspace(0, len(scores) - 1, MOST_THRESHOLDS).round().astype(np.intp)]
    return scores[::-1] if curves[0].direction == "higher" else scores


def _numbers(grid: Any) -> Floats:
    values = checks.numbers(grid, "grid", infinite=True)
    if values.ndim != 1 or not len(values):
        raise InputError(f"`grid` must be a list of numbers; got {shown(grid)}.")
    return values
