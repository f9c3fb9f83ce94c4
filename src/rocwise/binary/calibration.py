"""Calibration: predicted against observed proportions, recalibration, proper scores."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats, Places, Weights
from rocwise.binary.bootstrap import resampled
from rocwise.binary.convex_hull import upper_hull
from rocwise.binary.roc import DataResult, sums_at
from rocwise.binary.scored_auc import squared_errors
from rocwise.binary.unit_scores import unit_scores
from rocwise.data.tally import Tally, TallyRows
from rocwise.errors import InputError
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.proportions import wilson_limits
from rocwise.inference.significance import Reference
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels.resample import Reader
from rocwise.results import Interval, Resampled, result

Strategy = Literal["quantile", "uniform", "isotonic", "loess"]
STRATEGIES: tuple[str, ...] = get_args(Strategy)
DRAWS = 400  # resamples of the isotonic fit
STEPS = 100
CLOSE = 1e-12
ROUNDED = 1e-9  # steps below it that get no smaller are rounding: one case far out makes it large
STEEPEST = 1e4  # of a slope: beyond it the classes are separated and there is no maximum
SPAN = 0.75  # proportion of the cases that each local fit looks at
GRID = 50
MOST_SCORES = 2000  # more distinct ones are joined first; the fit does not see so far


@result
class Calibration(Resampled, DataResult):
    """Calibration curve, slope, intercepts and scores of predicted probabilities.

    `predicted`, `observed` and its limits `low`, `high` are over `count` cases each. `slope` and
    `intercept` are those of the logistic recalibration, `in_the_large` is its intercept at slope 1;
    all are None with their intervals where there is no fit: scores of exactly 0 or 1, or classes
    that are separated. `ece` is the mean distance of observed from predicted.
    `brier` = `miscalibration` - `discrimination` + `uncertainty`.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("predicted", "observed", "low", "high", "count")
    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats
    count: Weights
    strategy: str
    level: float
    slope: float | None
    slope_interval: Interval | None
    intercept: float | None
    intercept_interval: Interval | None
    in_the_large: float | None
    in_the_large_interval: Interval | None
    ece: float
    brier: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    log_loss: float
    n_pos: float
    n_neg: float

    def _sentence(self) -> str:
        if self.slope is None or self.slope_interval is None or self.intercept is None:
            line = "no slope: scores of 0 or 1, or separated classes"
        else:
            low, high = self.slope_interval
            level = printing.percent(self.level)
            line = (
                f"slope {self.slope:.2f} ({level} CI {low:.2f} to {high:.2f}), "
                f"intercept {self.intercept:z.2f}"
            )
        return (
            f"calibration: {line}; expected calibration error {self.ece:.3f}, Brier score "
            f"{self.brier:.3f}, log loss {self.log_loss:.3f}; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


@by_group
def calibration(
    data: Any = None,
    y_score: Any = None,
    *,
    bins: int = 10,
    strategy: Strategy = "quantile",
    level: float = 0.95,
    n_resamples: int = DRAWS,
    rng: Any = None,
    **given: Unpack[TallyOptions],
) -> Calibration:
    """Assess the calibration of predicted probabilities.

    Computes the calibration curve (reliability diagram), slope and intercept of the logistic
    recalibration [1]_, the expected calibration error, and Brier score and log loss with their
    decomposition [2]_.

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`.
    y_score : array-like, optional
        Predicted probabilities, from 0 to 1.
    bins : int, default 10
        Number of bins of "quantile" and "uniform".
    strategy : {"quantile", "uniform", "isotonic", "loess"}, default "quantile"
        Bins of about equal size (tied scores stay together) or of equal width, with Wilson
        intervals; isotonic regression with bootstrap limits; or local linear regression on the
        nearest three quarters of the cases.
    level : float, default 0.95
        Confidence level.
    n_resamples : int
        Number of resamples, for the limits of "isotonic" and for every curve with weights or
        clusters.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.

    Returns
    -------
    Calibration
        Result with `predicted`, `observed`, `low`, `high`, `count`, `slope`, `intercept`,
        `in_the_large`, `ece`, `brier` and `log_loss`.

    See Also
    --------
    brier : Brier score.
    decision_curve : Decision curve (net benefit).
    binary.reclassification : Net reclassification improvement.
    multiclass.multiclass_brier : Brier score of several classes.

    Notes
    -----
    With clusters (`groups`), intervals of slope and intercepts are from the one-step cluster
    jackknife (CR3) [3]_ with Student's t on one degree of freedom fewer than clusters; with weights
    only, from the jackknife of rows.

    References
    ----------
    .. [1] D. R. Cox, "Two further applications of a model for binary regression", Biometrika 45,
           1958. doi:10.1093/biomet/45.3-4.562
    .. [2] T. Dimitriadis, T. Gneiting and A. I. Jordan, "Stable reliability diagrams for
           probabilistic classifiers", PNAS 118, 2021. doi:10.1073/pnas.2016191118
    .. [3] R. M. Bell and D. F. McCaffrey, "Bias reduction in standard errors for linear regression
           with multi-stage samples", Survey Methodology 28, 2002, 169-181.

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true = [0, 0, 1, 0, 1, 1, 0, 1]
    >>> result = rw.calibration(y_true, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], bins=2)
    >>> result.predicted.round(3).tolist(), result.observed.tolist(), round(result.brier, 4)
    ([0.25, 0.65], [0.25, 0.75], 0.205)
    >>> ax = result.plot()
    """
    tally = as_tally("calibration", data, y_score, given)
    drawn: Any = {}
    bins = checks.whole(bins, "bins", at_most=checks.LARGEST_GRID)
    checks.one_of(strategy, "strategy", STRATEGIES)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, at_least=2)
    scores = unit_scores(tally, "calibration")
    curve = _curve(tally, scores, bins, strategy, level)
    parts = brier_parts(scores, tally.pos, tally.neg)
    fit = recalibrated(tally, scores, level)
    if tally.rows is not None or strategy == "isotonic":
        drawn = {"seed": checks.seed(rng), "n_resamples": n_resamples}
        curve = _resampled_limits(tally, scores, curve, bins, strategy, level, **drawn)
    fitted: dict[str, Any] = dict.fromkeys(Recalibration._fields) if fit is None else fit._asdict()
    return Calibration(
        **vars(curve),
        strategy=strategy,
        level=level,
        **fitted,
        brier=parts.value,
        miscalibration=parts.miscalibration,
        discrimination=parts.discrimination,
        uncertainty=parts.uncertainty,
        log_loss=log_loss(scores, tally.pos, tally.neg),
        data=tally,
        **drawn,
        **tally.result_fields,
    )


@dataclass(frozen=True, eq=False)
class CalibrationCurve:
    """Predicted against observed proportions, with limits, cases and the mean distance."""

    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats
    count: Weights
    ece: float


def _curve(data: Tally, scores: Floats, bins: int, strategy: str, level: float) -> CalibrationCurve:
    """The curve with the limits of proportions of independent cases."""
    if strategy == "loess":
        return local_fit(scores, data.pos, data.neg, level)
    if strategy == "isotonic":
        blocks = isotonic(scores, data.pos, data.neg)
    else:
        blocks = binned(scores, data.pos, data.neg, bins, strategy)
    low, high = wilson_limits(blocks.observed, blocks.cases, level)
    gaps = np.abs(blocks.observed - blocks.predicted)
    ece = float(np.dot(blocks.cases, gaps) / blocks.cases.sum())
    return CalibrationCurve(*blocks[:2], low, high, blocks.cases, ece)


class Bins(NamedTuple):
    """Per bin, from the lowest scores up: mean prediction, proportion of positives, cases."""

    predicted: Floats
    observed: Floats
    cases: Weights


def binned(scores: Floats, pos: Weights, neg: Weights, bins: int, strategy: str) -> Bins:
    """Proportions in bins; scores come highest first. Equal scores stay together."""
    return _in_bins(scores, pos, neg, _bin_starts(scores, pos, neg, bins, strategy))


def _bin_starts(scores: Floats, pos: Weights, neg: Weights, bins: int, strategy: str) -> Places:
    """The first score of every bin that is not empty, from the lowest score up."""
    if strategy == "uniform":
        places = scores[::-1]
    else:  # where the cases of a score lie among all of them, from 0 to 1
        cases = (pos + neg)[::-1]
        mass = np.cumsum(cases)
        places = (mass - cases / 2) / mass[-1]
    number = np.minimum((places * bins).astype(np.intp), bins - 1)
    return np.append(0, np.flatnonzero(number[1:] != number[:-1]) + 1)


def isotonic(scores: Floats, pos: Weights, neg: Weights) -> Bins:
    """The blocks of the isotonic regression: the edges of the convex hull of the ROC curve."""
    corners = upper_hull(np.cumsum(neg), np.cumsum(pos))
    return _in_bins(scores, pos, neg, (len(scores) - corners[1:])[::-1])


def _in_bins(scores: Floats, pos: Weights, neg: Weights, starts: Places) -> Bins:
    cases = (pos + neg)[::-1]
    count = np.add.reduceat(cases, starts)
    predicted = np.add.reduceat(cases * scores[::-1], starts) / count
    return Bins(predicted, np.add.reduceat(pos[::-1], starts) / count, count)


def isotonic_at(places: Places, pos: Weights, neg: Weights) -> Floats:
    """The isotonic fit at places of the highest-first table, for counts that may be 0 there."""
    tp, fp = (np.append(part.dtype.type(0), np.cumsum(part)) for part in (pos, neg))
    rises = np.flatnonzero(np.diff(fp + tp) > 0) + 1
    ends = np.append(0, rises)[upper_hull(fp[rises], tp[rises])]
    hits, alarms = np.diff(tp[ends]), np.diff(fp[ends])
    block = np.clip(np.searchsorted(ends, places, side="right") - 1, 0, len(hits) - 1)
    return np.asarray((hits / (hits + alarms))[block])


def _places_of(scores: Floats, predicted: Floats) -> Places:
    """The score at each prediction, by its place in the highest-first table."""
    places = len(scores) - np.searchsorted(scores[::-1], predicted, side="right")
    return np.minimum(places, len(scores) - 1)


def _resampled_limits(
    data: Tally,
    scores: Floats,
    curve: CalibrationCurve,
    bins: int,
    strategy: str,
    level: float,
    n_resamples: int,
    seed: int,
) -> CalibrationCurve:
    """Limits by resamples, both classes together; unweighted rows for the isotonic fit only."""
    observed, reader = _observer(data, scores, curve, bins, strategy, level), None
    if strategy == "isotonic":
        places = _places_of(scores, curve.predicted).astype(np.float64)
        reader = Reader("isotonic", places, width=len(places), finished=lambda read: read)

    def formula(pos: Weights, neg: Weights) -> Floats:
        return np.stack([observed(*own) for own in zip(pos, neg, strict=True)])

    drawn = resampled(data, formula, reader, n_resamples, seed, "calibration", stratified=False)
    return _with_limits(curve, drawn, data, level, strategy)


def _observer(
    data: Tally, scores: Floats, curve: CalibrationCurve, bins: int, strategy: str, level: float
) -> Callable[[Weights, Weights], Floats]:
    """Observed proportions of one resample at the predictions of the curve; nan: none."""
    if strategy == "isotonic":
        places = _places_of(scores, curve.predicted)
        return lambda pos, neg: isotonic_at(places, pos, neg)
    if strategy == "loess":

        def local(pos: Weights, neg: Weights) -> Floats:
            present = (pos + neg) > 0
            fit = local_fit(scores[present], pos[present], neg[present], level)
            return np.asarray(np.interp(curve.predicted, fit.predicted, fit.observed))

        return local
    starts = _bin_starts(scores, data.pos, data.neg, bins, strategy)

    def in_bins(pos: Weights, neg: Weights) -> Floats:
        cases = np.add.reduceat((pos + neg)[::-1], starts)
        hits = np.add.reduceat(pos[::-1], starts)
        return np.asarray(np.divide(hits, cases, out=np.full(len(cases), np.nan), where=cases > 0))

    return in_bins


def _with_limits(
    curve: CalibrationCurve, drawn: Floats, data: Tally, level: float, strategy: str
) -> CalibrationCurve:
    """The curve with percentiles, or Wilson's limits of the effective number of rows if wider."""
    low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    if strategy != "loess":
        sizes = curve.count / curve.count.sum() * sum(data.effective_sizes)
        exact = wilson_limits(curve.observed, np.maximum(sizes, 1.0), level)
        low, high = np.fmin(low, exact[0]), np.fmax(high, exact[1])
    return replace(curve, low=np.fmin(low, curve.observed), high=np.fmax(high, curve.observed))


def local_fit(scores: Floats, pos: Weights, neg: Weights, level: float) -> CalibrationCurve:
    """Tricube weights over the nearest cases, with limits by the sandwich of binomial variances."""
    fine_bins = binned(scores, pos, neg, min(len(scores), MOST_SCORES), "quantile")
    grid = np.unique(np.linspace(fine_bins.predicted[0], fine_bins.predicted[-1], GRID))
    cases = fine_bins.cases.astype(np.float64)
    widths = _widths(grid, fine_bins.predicted, cases)
    rows = _smoother_rows(grid, widths, fine_bins.predicted, cases)
    fit = np.clip(np.einsum("ij,j->i", rows, fine_bins.observed), 0.0, 1.0)
    at_scores = np.interp(fine_bins.predicted, grid, fit)
    variance = at_scores * (1 - at_scores) / fine_bins.cases
    reach = normal_quantile(level) * np.sqrt(np.einsum("ij,ij,j->i", rows, rows, variance))
    nearest = np.searchsorted((grid[1:] + grid[:-1]) / 2, fine_bins.predicted)
    count = np.bincount(nearest, weights=fine_bins.cases, minlength=len(grid))
    whole = count.astype(np.int64) if fine_bins.cases.dtype.kind == "i" else count
    gaps = np.abs(at_scores - fine_bins.predicted)
    return CalibrationCurve(
        grid,
        fit,
        np.clip(fit - reach, 0.0, 1.0),
        np.clip(fit + reach, 0.0, 1.0),
        whole,
        float(fine_bins.cases @ gaps / fine_bins.cases.sum()),
    )


def _smoother_rows(grid: Floats, widths: Floats, at: Floats, cases: Floats) -> Floats:
    """Weights by which the proportions at all scores enter the fit at each place of a grid."""
    distance = np.abs(at - grid[:, None]) / widths[:, None]
    kernel = cases * np.maximum(1.0 - distance**3, 0.0) ** 3
    total = kernel.sum(axis=1)
    centre = kernel @ at / total
    away = at - centre[:, None]
    variance = (kernel * away * away).sum(axis=1)
    slope = np.zeros(len(grid))
    np.divide(total * (grid - centre), variance, out=slope, where=variance > 1e-12 * total)
    return np.asarray(kernel * (1.0 + away * slope[:, None]) / total[:, None])


def _widths(grid: Floats, at: Floats, cases: Floats) -> Floats:
    """How far the nearest cases reach that each local fit uses: the nearest stretch of enough."""
    total = np.cumsum(cases)
    last = np.searchsorted(total, np.append(0.0, total[:-1]) + SPAN * total[-1])
    first = np.flatnonzero(last < len(total))
    ends = np.abs(at[[first, last[first]]] - grid[:, None, None])
    nearest: Floats = ends.max(axis=1).min(axis=1)
    return np.maximum(nearest * (1 + 1e-9), 1e-12)


class Recalibration(NamedTuple):
    """Slope and intercept together, and the intercept alone at slope 1; with intervals."""

    slope: float
    slope_interval: Interval
    intercept: float
    intercept_interval: Interval
    in_the_large: float
    in_the_large_interval: Interval


def recalibrated(data: Tally, scores: Floats, level: float) -> Recalibration | None:
    """The fit; None where there is none: scores of 0 or 1, one score, or separated classes."""
    if data.rows is not None and data.rows.n_clusters == 1:
        raise InputError("`groups` has one cluster; at least two are needed.")
    fits, reach = recalibrating_fits(scores, data.pos, data.neg), normal_quantile(level)
    if fits is None:
        return None
    if data.rows is None:
        return recalibration_of(fits, reach, level, "Wald, maximum likelihood")
    rows, x = data.rows, logits(scores)
    fits = [(at, _jackknife_errors(rows, x, at, len(errors))) for at, errors in fits]
    df = (rows.n_clusters or rows.n_rows) - 1
    return recalibration_of(fits, Reference(df).quantile(level), level, _jackknife_words(data))


Fit = tuple[list[float], Floats]  # intercept and slope, and the errors of those that are free


def recalibrating_fits(scores: Floats, pos: Weights, neg: Weights) -> list[Fit] | None:
    """Intercept and slope, and the intercept at slope 1, of distinct scores; None if undefined."""
    if scores.min() <= 0 or scores.max() >= 1 or len(scores) < 2:
        return None
    both = logistic_fit(np.zeros(2), 2, logits(scores), pos, neg)
    alone = logistic_fit(np.array([0.0, 1.0]), 1, logits(scores), pos, neg)
    return None if both is None or alone is None else [both, alone]


def recalibration_of(fits: list[Fit], reach: float, level: float, method: str) -> Recalibration:
    """The coefficients with intervals of `reach` standard errors on both sides."""
    ((intercept, slope), errors), ((alone, _), alone_errors) = fits
    found: list[Any] = []
    for value, error in ((slope, errors[1]), (intercept, errors[0]), (alone, alone_errors[0])):
        found += [value, Interval(value - reach * error, value + reach * error, level, method)]
    return Recalibration(*found)


def _jackknife_words(data: Tally) -> str:
    units = "clusters" if data.clustered else "rows"
    return f"jackknife of {units}{' with their weights' * data.weighted}, t distribution"


def _jackknife_errors(rows: TallyRows, x: Floats, at: list[float], free: int) -> Floats:
    """Standard errors of intercept and slope by leaving out one cluster, or row, at a time.

    One Newton step leads to the fit without unit g: with information H and its part H_g, and the
    score s_g, it moves by -(H - H_g)^(-1) s_g (CR3; Bell & McCaffrey 2002).
    """
    times = np.diff(np.append(rows.starts, len(rows)))
    each = np.stack([np.ones(len(rows)), np.repeat(x, times)])
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    codes, copies = np.arange(len(rows)), rows.counts
    if rows.clusters is not None:
        codes, copies = rows.clusters, None
        weights = weights if rows.counts is None else weights * rows.counts
    p = 1.0 / (1.0 + np.exp(-np.clip(at[0] + at[1] * each[1], -700, 700)))
    residual, variance = weights * (rows.positive - p), weights * p * (1 - p)
    scores = np.stack([np.bincount(codes, residual * own) for own in each[:free]], axis=-1)
    parts = [np.bincount(codes, variance * a * b) for a in each[:free] for b in each[:free]]
    own = np.stack(parts, axis=-1).reshape(-1, free, free)
    counts = np.ones(len(own)) if copies is None else copies
    rest = np.einsum("g,gij->ij", counts, own) - own
    if not (np.linalg.det(rest) > CLOSE * np.einsum("gii->gi", rest).prod(axis=1)).all():
        raise InputError(
            "`groups`: without one of the clusters all scores are equal, so that the calibration "
            "slope has no standard error; use more clusters."
        )
    moved = np.linalg.solve(rest, scores[:, :, None])[:, :, 0]
    away = moved - counts @ moved / counts.sum()
    return np.asarray(np.sqrt((1 - 1 / counts.sum()) * (counts @ away**2)))


def logits(scores: Floats) -> Floats:
    """The log odds of probabilities."""
    return np.asarray(np.log(scores) - np.log1p(-scores))


def logistic_fit(start: Floats, free: int, x: Floats, pos: Weights, neg: Weights) -> Fit | None:
    """Intercept and slope by Newton's method, and errors of those that are free (1 or 2)."""
    at, before, (value, score, information) = start, np.inf, _likelihood(start, x, pos, neg)
    for _ in range(STEPS):
        information = information[:free, :free]
        if not _well_conditioned(information):
            return None
        step = np.zeros(2)
        step[:free] = np.linalg.solve(information, score[:free])
        size = np.abs(step).max() / (1 + np.abs(at + step).max())
        at = at + step
        if np.abs(at).max() > STEEPEST:
            return None
        if size < CLOSE or before <= size < ROUNDED:
            return at.tolist(), np.sqrt(np.diag(np.linalg.inv(information)))
        allowed = value - 1e-9 * abs(value)
        while (found := _likelihood(at, x, pos, neg))[0] < allowed and np.abs(step).max() > CLOSE:
            step /= 2  # the likelihood must not fall
            at = at - step
        before, (value, score, information) = size, found
    return None


def _well_conditioned(information: Floats) -> bool:
    """Whether its largest eigenvalue is less than 1e14 times the smallest."""
    values = np.linalg.eigvalsh(information) if np.isfinite(information).all() else np.zeros(1)
    return bool(0 < 1e-14 * values[-1] <= values[0])


def _likelihood(at: Floats, x: Floats, pos: Weights, neg: Weights) -> tuple[float, Floats, Floats]:
    """Log likelihood of logit P(positive) = intercept + slope x, its score and information."""
    eta = at[0] + at[1] * x
    far = np.abs(eta)
    odds = np.exp(-far)  # of the less likely class: never above 1
    p = 1.0 / (1.0 + odds)
    rest = odds * p
    cases, up = pos + neg, eta > 0
    value = -float((cases * np.log(1.0 + odds) + np.where(up, neg, pos) * far).sum())
    # not pos - cases * p, which is 0 where p rounds to 1
    residual = np.where(up, pos * rest - neg * p, pos * p - neg * rest)
    variance = cases * (p * rest)
    across = float((variance * x).sum())
    information = np.array([[variance.sum(), across], [across, np.dot(variance * x, x)]])
    return value, np.array([residual.sum(), np.dot(residual, x)]), information


class BrierParts(NamedTuple):
    """Brier's score = miscalibration - discrimination + uncertainty (Dimitriadis et al. 2021)."""

    value: float
    miscalibration: float
    discrimination: float
    uncertainty: float


def brier_parts(scores: Floats, pos: Weights, neg: Weights) -> BrierParts:
    """Of distinct scores, the highest first, with cases of each class."""
    tp, fp = np.cumsum(pos), np.cumsum(neg)
    n_pos, total = float(tp[-1]), float(tp[-1] + fp[-1])
    value = squared_errors(scores, pos, neg) / total
    corners = upper_hull(fp, tp)  # blocks of the isotonic fit are the hull's edges
    hits, alarms = (np.diff(sums_at(each, corners)).astype(np.float64) for each in (tp, fp))
    recalibrated = float((hits * alarms / (hits + alarms)).sum()) / total
    prior = n_pos / total
    uncertainty = prior * (1 - prior)
    return BrierParts(
        value,
        max(value - recalibrated, 0.0),
        max(uncertainty - recalibrated, 0.0),
        uncertainty,
    )


def log_loss(scores: Floats, pos: Weights, neg: Weights) -> float:
    """Mean of -log(probability given to what happened); infinite where that was 0."""
    if neg[scores >= 1].any() or pos[scores <= 0].any():
        return math.inf

    sure, rest = np.log(np.maximum(scores, 1e-300)), np.log(np.maximum(1 - scores, 1e-300))
    return -float(np.dot(pos, sure) + np.dot(neg, rest)) / float(pos.sum() + neg.sum())
