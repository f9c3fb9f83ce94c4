"""Precision and recall: the curve, its band, and the average precision with its interval."""

import math
from dataclasses import field
from typing import Any, ClassVar, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.bands import Band, band
from rocwise.binary.bootstrap import percentile_interval, replicates
from rocwise.binary.influence import Influence, tally_variance
from rocwise.binary.polylines import Polyline, heights
from rocwise.binary.roc import roc_rates, thresholds_of
from rocwise.binary.statistics import (
    ROUNDING,
    AveragePrecision,
    Steps,
    evaluated,
    negative_odds,
    rates_at_recalls,
)
from rocwise.data.tally import Tally, check_float_thresholds, effective_number
from rocwise.errors import InputError
from rocwise.inference.comparison import ComparableGroups
from rocwise.inference.effective_sizes import SizedArea, sized_area
from rocwise.inference.intervals import logit_limits, normal_quantile
from rocwise.inference.proportions import wilson_limits
from rocwise.inference.significance import Reference, satterthwaite
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import ASIDE, Estimate, GroupResults, Interval, Resampled, Result, result

PrecisionMethod = Literal["auto", "logit", "bootstrap"]
PrecisionBandKind = Literal["simultaneous", "pointwise"]
NO_VARIATION = 1e-12  # of intervals and rates: what is less is rounding
MOST_RECALLS = 200


@result
class PrecisionRecallCurve(Result):
    """Precision-recall curve, starting at recall 0 with precision 1."""

    precision: Floats
    recall: Floats
    thresholds: Array
    average_precision: float
    prevalence: float
    n_pos: float
    n_neg: float
    data: Tally = field(metadata=ASIDE)

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        return (
            f"precision-recall curve, average precision "
            f"{printing.rate(self.average_precision, size)} "
            f"at prevalence {printing.rate(self.prevalence, size)}"
        )

    def band(
        self,
        *,
        kind: PrecisionBandKind = "simultaneous",
        level: float = 0.95,
        n_resamples: int = 1000,
        rng: Any = None,
    ) -> "PrecisionRecallBand":
        """A confidence band for the precision over the recall.

        Parameters
        ----------
        kind : {"simultaneous", "pointwise"}
            Contains the whole true curve, or the precision at each single recall, in `level` of all
            samples. The first is `band` of the ROC curve, seen in recall and precision; the
            second needs no resamples.
        level : float, default 0.95
            Confidence level.
        n_resamples : int, default 1000
            Number of bootstrap resamples.
        rng : int, numpy.random.Generator or None, optional
            Seed or random generator; None draws a seed, which the result reports.

        Returns
        -------
        PrecisionRecallBand
            With `recall`, `precision`, `lower`, `upper`.

        Examples
        --------
        >>> import rocwise as rw
        >>> y, s = [0, 0, 0, 0, 1, 0, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        >>> band = rw.precision_recall(y, s).band(n_resamples=100, rng=1)
        >>> [limit.round(3).tolist() for limit in band.at([0.5, 0.8])]
        [[0.583, 0.444], [1.0, 1.0]]
        """
        checks.one_of(kind, "kind", get_args(PrecisionBandKind))
        level, n_resamples = checks.level(level), checks.draws(n_resamples, rng, at_least=2)
        data = self.data
        if min(data.effective_sizes) <= 1:
            raise InputError("the band needs at least two cases in each class.")
        steps = max(1, min(int(data.effective_sizes[0]), MOST_RECALLS))
        recalls, seed = np.arange(1, steps + 1) / steps, None
        if kind == "simultaneous":
            roc, alarms = _from_roc_band(data, recalls, level, n_resamples, checks.seed(rng))
            seed, method = roc.seed, f"from the {roc.kind} band of the ROC curve"
        else:
            alarms, method = _at_each(data, recalls, level), "Wilson limits of both classes added"
        odds = data.n_neg / data.n_pos
        fpr, tpr = roc_rates(data)
        tpr, fpr = (rate[0] for rate in rates_at_recalls(tpr[None], fpr[None], recalls))
        precision = tpr / (tpr + odds * fpr)
        return PrecisionRecallBand(
            recall=recalls,
            precision=precision,
            lower=np.minimum(recalls / (recalls + odds * alarms[1]), precision),
            upper=np.maximum(recalls / (recalls + odds * alarms[0]), precision),
            kind=kind,
            level=level,
            method=method,
            prevalence=self.prevalence,
            seed=seed,
            n_resamples=None if seed is None else n_resamples,
            **data.result_fields,
        )


@by_group
def precision_recall(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> PrecisionRecallCurve:
    """Compute the precision-recall curve.

    At recall 0 there is no positive prediction and precision is undefined; by convention the curve
    starts there with precision 1.

    Returns
    -------
    PrecisionRecallCurve
        Result with `precision`, `recall`, `thresholds`, `average_precision`, and the method
        ``band()`` for a confidence band.

    See Also
    --------
    average_precision : Average precision with a confidence interval.
    roc : Empirical ROC curve.
    thresholds : Counts and metrics at every threshold.
    det : Detection error trade-off curve.

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.precision.round(3).tolist()
    [1.0, 1.0, 0.5, 0.667, 0.5]
    >>> ax = curve.plot()
    """
    tally = as_tally("precision_recall", data, y_score, given)
    check_float_thresholds(tally)
    precision = np.append(1.0, tally.tp / (tally.tp + tally.fp))
    recall = np.append(0.0, tally.tp / tally.n_pos)
    return PrecisionRecallCurve(
        precision=precision,
        recall=recall,
        thresholds=thresholds_of(tally.scores, tally.direction),
        average_precision=float(np.dot(np.diff(recall), precision[1:])),
        prevalence=tally.n_pos / (tally.n_pos + tally.n_neg),
        data=tally,
        **tally.result_fields,
    )


@result
class AveragePrecisionResult(Estimate):
    """Average precision with standard error and confidence interval.

    `chance` is the average precision of a worthless model: the prevalence.
    """

    group_results: ClassVar[type[GroupResults[Any]] | None] = ComparableGroups
    frame_fields: ClassVar[tuple[str, ...]] = (
        *("value", "standard_error", "low", "high", "level", "method"),
        *("prevalence", "n_pos", "n_neg"),
    )
    prevalence: float
    quantity: str
    n_pos: float
    n_neg: float
    as_share: SizedArea = field(metadata=ASIDE)

    @property
    def chance(self) -> float:
        """The average precision of a worthless model."""
        return self.prevalence

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        return (
            f"{self.quantity} {printing.estimate(self.value, self.interval, size)}; "
            f"chance {printing.rate(self.prevalence, size)}; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


@by_group
def average_precision(
    data: Any = None,
    y_score: Any = None,
    *,
    prevalence: float | None = None,
    interpolation: Steps = "step",
    cohort: bool = False,
    method: PrecisionMethod = "auto",
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    **given: Unpack[TallyOptions],
) -> AveragePrecisionResult:
    """Compute average precision, the area under the precision-recall curve, with an interval.

    Parameters
    ----------
    prevalence : float, optional
        Prevalence that precision refers to; that of the data by default.
    interpolation : {"step", "davis-goadrich"}, default "step"
        Sum of precision times the step in recall over distinct scores, as in scikit-learn; or the
        area under the interpolated curve [1]_.
    cohort : bool, default False
        Whether the prevalence of the data is random, as in a cohort, and not fixed by design, as in
        a case-control study. The interval then includes its uncertainty.
    method : {"auto", "logit", "bootstrap"}, default "auto"
        "logit": influence functions and Student's t on the logit scale [2]_, which "auto" uses for
        "step"; "bootstrap": percentiles of stratified resamples.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 2000
        Number of bootstrap resamples.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.

    Returns
    -------
    AveragePrecisionResult
        Result with `value`, `standard_error`, `interval` and `prevalence`.

    See Also
    --------
    precision_recall : Precision-recall curve.
    auc : AUC with a confidence interval.
    compare : Test and interval for the difference of AUCs.
    statistics.AveragePrecision : Average precision.

    References
    ----------
    .. [1] J. Davis and M. Goadrich, "The relationship between precision-recall and ROC curves",
           ICML, 2006. doi:10.1145/1143844.1143874
    .. [2] K. Boyd, K. H. Eng and C. D. Page, "Area under the precision-recall curve: point
           estimates and confidence intervals", ECML PKDD, 2013. doi:10.1007/978-3-642-40994-3_29

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true, y_score = [0, 0, 0, 0, 0, 1, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    >>> round(rw.average_precision(y_true, y_score).value, 4)
    0.95
    """
    tally = as_tally("average_precision", data, y_score, given)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng)
    checks.one_of(method, "method", get_args(PrecisionMethod))
    statistic = AveragePrecision(prevalence, interpolation)
    prevalence = statistic.prevalence
    if checks.flag(cohort, "cohort") and prevalence is not None:
        raise InputError("`cohort` is about the prevalence of the data; leave `prevalence` out.")
    if method == "logit" and interpolation != "step":
        raise InputError("method='logit' is for interpolation='step'; use method='bootstrap'.")
    found = precision_influence(tally, prevalence)
    value = found.value if interpolation == "step" else evaluated(tally, statistic)
    if tally.clustered and method == "logit":
        raise InputError("method='logit' assumes independent rows; with clusters use 'bootstrap'.")
    by_draws = method == "bootstrap" or interpolation != "step" or tally.clustered
    odds, smaller = negative_odds(tally, prevalence), max(min(tally.effective_sizes), 1.0)
    error, interval, parts = None, None, list[tuple[float, float]]()
    drawn: Any = {}
    if min(tally.effective_sizes) > 1 and value < 1:
        if not tally.clustered:
            parts = _variances(tally, found, cohort=cohort)
        if not by_draws:
            error, interval = _by_influence(found.value, parts, level, odds)
        elif cohort:
            raise InputError(
                "the bootstrap keeps the numbers of both classes; with `cohort` use logit."
            )
        else:
            drawn = {"seed": checks.seed(rng), "n_resamples": n_resamples}
            draws = replicates(tally, statistic, **drawn)
            error = float(draws.std(ddof=1)) if len(draws) > 1 else 0.0
            interval = percentile_interval(tally, draws, level)
    if interval is None or interval.high - interval.low < NO_VARIATION:
        interval = _interval_without_variance(tally, value, odds, level)
    variance = 0.0 if error is None else error**2
    by_class = parts[:2] or [(variance, smaller)]  # without what the prevalence of a cohort adds
    return AveragePrecisionResult(
        value=value,
        standard_error=error,
        interval=interval,
        prevalence=1 / (1 + odds),
        quantity="average precision" if interpolation == "step" else "precision-recall area",
        as_share=sized_area(value, variance, by_class, smaller),  # what groups are compared by
        **drawn,
        **tally.result_fields,
    )


def _by_influence(
    value: float, parts: list[tuple[float, float]], level: float, odds: float
) -> tuple[float, Interval]:
    """On the logit scale, by Student's t: few positives show little of how much they vary."""
    error = math.sqrt(sum(variance for variance, _ in parts))
    reach = Reference(satterthwaite(parts)).quantile(level) * error
    low, high = logit_limits(value, reach)
    low = max(low, min(value, least_area(odds)))
    return error, Interval(low, high, level, "logit, influence functions")


def precision_interval(
    data: Tally,
    statistic: AveragePrecision,
    value: float,
    variance: float,
    level: float,
    method: str,
) -> Interval:
    """The interval of one model of a comparison: as `average_precision` makes it, if it can."""
    odds = negative_odds(data, statistic.prevalence)
    if not 0 < value < 1 or variance <= 0 or min(data.effective_sizes) <= 1:
        return _interval_without_variance(data, value, odds, level)
    if statistic.interpolation == "step" and not data.clustered:
        found = precision_influence(data, statistic.prevalence)
        return _by_influence(found.value, _variances(data, found), level, odds)[1]
    reach = normal_quantile(level) * math.sqrt(variance)
    return Interval(*logit_limits(value, reach), level, f"{method}, logit scale")


def _interval_without_variance(data: Tally, value: float, odds: float, level: float) -> Interval:
    """Where the sample shows no variance: one case in a class, all tied, or all separated.

    When all are separated, the lowest positive score leaves, at each of two levels of a quarter
    of the error, at least `above` of the positives above it and at most `alarms` of the negatives,
    whatever the distributions are; the worst order among those above gives the lower limit.
    """
    least = min(value, least_area(odds))
    if value < 1:
        return Interval(least, 1.0, level, "all attainable values")
    tail, (n_pos, n_neg) = (1 - level) / 4, data.effective_sizes
    above, alarms = tail ** (1 / n_pos), 1 - tail ** (1 / n_neg)
    c = odds * alarms
    low = above - c * math.log1p(above / c)
    return Interval(max(low, least), 1.0, level, "separation bound")


def least_area(odds: float) -> float:
    """The average precision when every negative is above every positive."""
    return max(0.0, 1 - odds * math.log1p(1 / odds))  # rounding goes below it for large odds


def precision_influence(data: Tally, prevalence: float | None = None) -> Influence:
    """The average precision of a sample, and the influence of a case at each score.

    With S and T the rates, odds the negatives per positive, and g = S / (S + odds T) the
    precision: a case moves S or T at all thresholds at or below its score, and a positive adds
    the precision at its own.
    """
    odds = negative_odds(data, prevalence)
    tpr, fpr, mass = data.tp / data.n_pos, data.fp / data.n_neg, data.pos / data.n_pos
    predicted = tpr + odds * fpr
    precision = tpr / predicted
    by_tpr = mass * odds * fpr / (predicted * predicted)
    by_fpr = -odds * mass * tpr / (predicted * predicted)
    reach_tpr, reach_fpr = (np.cumsum(each[::-1])[::-1] for each in (by_tpr, by_fpr))
    value = min(float((mass * precision).sum()), 1.0)
    if reach_tpr[0] == 0.0:
        value = 1.0  # no negative above a positive: weights may add up to a bit less
    return Influence(
        value,
        precision - value + reach_tpr - float(np.dot(by_tpr, tpr)),
        reach_fpr - float(np.dot(by_fpr, fpr)),
    )


def _variances(data: Tally, found: Influence, *, cohort: bool = False) -> list[tuple[float, float]]:
    """Variance of the average precision, in a `cohort` with that of prevalence, and class sizes."""
    parts = tally_variance(data, found).by_class()
    if cohort:
        squared = (data.n_pos, data.n_neg) if data.squares is None else data.squares.totals
        n = effective_number(data.n_pos + data.n_neg, sum(squared))
        p = data.n_pos / (data.n_pos + data.n_neg)
        tpr, fpr = data.tp / data.n_pos, data.fp / data.n_neg
        predicted = p * tpr + (1 - p) * fpr
        slope = float(np.sum(data.pos / data.n_pos * tpr * fpr / predicted**2))  # by prevalence
        parts.append((slope**2 * p * (1 - p) / n, n))
    return parts


@result
class PrecisionRecallBand(Resampled):
    """Confidence band of a precision-recall curve.

    The precision at a recall is that of the highest threshold with this recall. `method` is how
    the limits were made; `seed` is that of the resamples, None where there were none.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("recall", "precision", "lower", "upper")
    recall: Floats
    precision: Floats
    lower: Floats
    upper: Floats
    kind: str
    level: float
    method: str
    prevalence: float
    n_pos: float
    n_neg: float

    def _method_words(self) -> list[str]:
        return [self.kind] if self.seed is not None else ["Wilson"]

    def at(self, recall: Any) -> tuple[Floats, Floats]:
        """The limits at recalls: those of the next recall of the band."""
        wanted = np.array([checks.rate(value, "recall") for value in np.atleast_1d(recall)])
        index = np.searchsorted(self.recall, wanted - ROUNDING)
        return self.lower[index], self.upper[index]

    def _sentence(self) -> str:
        return (
            f"{printing.percent(self.level)} {self.kind} band of the precision at "
            f"{printing.count(len(self.recall))} recalls ({self.method}); "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


def _from_roc_band(
    data: Tally, recalls: Floats, level: float, n_resamples: int, seed: int
) -> tuple[Band, tuple[Floats, Floats]]:
    """The ROC band (Kolmogorov's if resamples agree), and its extreme FPRs at each recall."""
    fpr, tpr = roc_rates(data)
    separated = bool(np.all((tpr[1:] >= 1 - NO_VARIATION) | (fpr[1:] <= NO_VARIATION)))
    if separated and data.rows is None:
        roc = band(data, kind="joint-regions", level=level)
    else:
        roc = band(data, kind="simultaneous", level=level, n_resamples=n_resamples, rng=seed)
    least = heights(Polyline(roc.upper, roc.fpr), recalls).left
    most = heights(Polyline(roc.lower, roc.fpr), recalls).right
    return roc, (least, np.where(recalls > roc.lower[-1], 1.0, most))


def _at_each(data: Tally, recalls: Floats, level: float) -> tuple[Floats, Floats]:
    """Limits of the FPR at which each recall is reached."""
    if data.clustered:
        raise InputError(
            "kind='pointwise' assumes independent rows; with clusters use kind='simultaneous', "
            "whose resamples draw whole clusters."
        )
    n_pos, n_neg = data.effective_sizes
    fpr, tpr = roc_rates(data)
    at = fpr[np.minimum(np.searchsorted(tpr, recalls - ROUNDING), len(tpr) - 1)]
    # Wilson's interval of a TPR contains the recall if and only if the TPR is this near to it
    reach = normal_quantile(level) * np.sqrt(recalls * (1 - recalls) / n_pos)
    looser = np.searchsorted(tpr, recalls + reach - ROUNDING)
    beyond = (looser >= len(tpr)) | (recalls >= 1)
    looser_fpr = np.where(beyond, 1.0, fpr[np.minimum(looser, len(tpr) - 1)])
    stricter_fpr = fpr[np.maximum(np.searchsorted(tpr, recalls - reach + ROUNDING) - 1, 0)]
    low, high = wilson_limits(at, n_neg, level)
    down = np.hypot(at - low, np.maximum(at - stricter_fpr, 0.0))
    up = np.hypot(high - at, np.maximum(looser_fpr - at, 0.0))
    return np.maximum(at - down, 0.0), np.minimum(at + up, 1.0)
