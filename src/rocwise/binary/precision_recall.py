"""Precision and recall at every distinct score."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Amounts, Array, Floats, Places
from rocwise.binary.auc import Influences, effective_number
from rocwise.binary.bands import Band, Polyline, band, heights
from rocwise.binary.bootstrap import replicates, resampling_words
from rocwise.binary.statistics import (
    ROUNDING,
    AveragePrecision,
    Steps,
    cumulative_rates,
    evaluated,
    negative_odds,
    rates_at_recalls,
)
from rocwise.data.float_scores import refuse_merged
from rocwise.data.pairs import Pairs
from rocwise.data.score_columns import Squares
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.effective_sizes import SizedArea, sized_area
from rocwise.inference.equal_groups import ComparableGroups
from rocwise.inference.intervals import logit_limits, normal_quantile
from rocwise.inference.proportions import wilson_limits
from rocwise.inference.resampling import percentile_limits
from rocwise.inference.significance import Reference, satterthwaite
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import row_by_row, run_models, sums_of_rows
from rocwise.results import ASIDE, GroupAnswers, Interval, Result, result


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionInfluences:
    """The average precision, and what is needed of how a case at each distinct score moves it.

    `precision` is that at each score; `reach_hits` and `reach_alarms` are the slopes at all scores
    that a case reaches, with the means `of_hits` and `of_alarms`. `of_prevalence` is the slope of
    the mean precision in the share of positives.
    """

    value: float
    precision: Floats
    reach_hits: Floats
    reach_alarms: Floats
    of_hits: float
    of_alarms: float
    of_prevalence: float

    def of_positives(self, precision: Floats, reach: Floats) -> Floats:
        """The influence of a positive at some of the scores."""
        return precision - self.value + reach - self.of_hits

    def of_negatives(self, reach: Floats) -> Floats:
        """The influence of a negative at some of the scores."""
        return reach - self.of_alarms

    @property
    def positives(self) -> Floats:
        """The influence of a positive at each score: its mean over the class is 0."""
        return row_by_row(self.of_positives, self.precision, self.reach_hits)

    @property
    def negatives(self) -> Floats:
        """The influence of a negative at each score: its mean over the class is 0."""
        return row_by_row(self.of_negatives, self.reach_alarms)


def precision_influences(data: Tally, prevalence: float | None = None) -> PrecisionInfluences:
    """The influences of one model, in one pass over the tally."""
    odds = negative_odds(data, prevalence)
    precision, gained, by_hits, by_alarms = (on_large_pages(len(data)) for _ in range(4))

    def fill(tp: Amounts, fp: Amounts, pos: Amounts, *columns: Floats) -> tuple[float, ...]:
        return kernels.precision_steps(tp, fp, pos, data.n_pos, data.n_neg, odds, columns)

    columns = data.tp, data.fp, data.pos, precision, gained, by_hits, by_alarms
    of_hits, of_alarms, slope = sums_of_rows(fill, *columns)
    # a case reaches the thresholds at or below its score: sums from the lowest score up
    reach_hits, reach_alarms = run_models(
        kernels.summed_upwards, [(by_hits,), (by_alarms,)], rows=len(data)
    )
    value = min(float(gained.sum()), 1.0)  # as resamples are added up
    if reach_hits[0] == 0.0:
        value = 1.0  # no negative above a positive: shares may add up to a bit less
    return PrecisionInfluences(
        value, precision, reach_hits, reach_alarms, of_hits, of_alarms, slope
    )


def precision_spread(
    data: Tally, found: PrecisionInfluences, *, cohort: bool = False
) -> list[tuple[float, float]]:
    """What either class has of the variance of the average precision, and its number of cases.

    Both classes need two cases. `cohort` adds what the share of positives contributes when it was
    left to chance.
    """
    squares = Squares(data.pos, data.neg) if data.squares is None else data.squares

    def add(pos: Amounts, neg: Amounts, *columns: Floats) -> tuple[float, float]:
        precision, reach_hits, reach_alarms = columns
        cases = (squares.of_rows(each).astype(np.float64, copy=False) for each in (pos, neg))
        moved = found.of_positives(precision, reach_hits), found.of_negatives(reach_alarms)
        of_pos, of_neg = map(kernels.dot, cases, map(np.square, moved))
        return of_pos, of_neg

    columns = found.precision, found.reach_hits, found.reach_alarms
    totals = sums_of_rows(add, *squares.given, *columns)
    sizes = data.n_pos, data.n_neg
    squared: tuple[float, float] = sizes if data.squares is None else data.squares.totals
    parts = []
    for total, size, of_class in zip(totals, sizes, squared, strict=True):
        n = effective_number(size, of_class)
        parts.append((n / (n - 1) * total / size**2, n))
    if cohort:
        n = effective_number(data.n_pos + data.n_neg, sum(squared))
        share = data.n_pos / (data.n_pos + data.n_neg)
        parts.append((found.of_prevalence**2 * share * (1 - share) / n, n))
    return parts


def precision_variance(data: Tally, found: PrecisionInfluences, *, cohort: bool) -> float:
    """The variance of the average precision."""
    return sum(variance for variance, _ in precision_spread(data, found, cohort=cohort))


def row_influences(pairs: Pairs, prevalence: float | None = None) -> Influences:
    """Average precisions of all models, and the influence of every row on each."""
    positive = pairs.mask == 1
    values, of_positives, of_negatives = [], [], []
    for name in pairs.names:
        data = pairs.tally(name)
        found = precision_influences(data, prevalence)
        places = _places(pairs, name)
        values.append(found.value)
        weights = np.ones(len(pairs)) if pairs.weights is None else pairs.weights
        of_positives.append((weights * found.positives[places])[positive] / data.n_pos)
        of_negatives.append((weights * found.negatives[places])[~positive] / data.n_neg)
    return Influences(np.array(values), np.stack(of_positives), np.stack(of_negatives))


def _places(pairs: Pairs, name: str) -> Places:
    """Of every row, the place of its score in the tally, the most positive score first."""
    scores, rank = kernels.distinct(pairs.scores(name))
    if pairs.weights is None:
        return len(scores) - 1 - rank
    held = np.zeros(len(scores), np.intp)
    held[rank[pairs.weights > 0]] = 1  # scores without weight are not in the tally
    # rows without weight move nothing, wherever they are put
    above: Places = np.minimum(held.sum() - np.cumsum(held), held.sum() - 1)
    return above[rank]


PrecisionMethod = Literal["auto", "logit", "bootstrap"]
METHODS: tuple[str, ...] = get_args(PrecisionMethod)
NO_SPREAD = 1e-12


@result
class AveragePrecisionResult(Result):
    """An average precision with its standard error and confidence interval.

    `chance` is the average precision of a worthless model: the prevalence.
    """

    group_answers: ClassVar[type[GroupAnswers] | None] = ComparableGroups
    value: float
    standard_error: float | None
    interval: Interval
    prevalence: float
    quantity: str
    n_pos: float
    n_neg: float
    as_share: SizedArea = field(metadata=ASIDE)

    def __float__(self) -> float:
        return self.value

    @property
    def chance(self) -> float:
        """The average precision of a worthless model."""
        return self.prevalence

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        value, low, high, share = (
            printing.rate(number, size)
            for number in (self.value, self.interval.low, self.interval.high, self.prevalence)
        )
        level = printing.percent(self.interval.level)
        return (
            f"{self.quantity} {value} ({level} CI {low} to {high}, {self.interval.method}); "
            f"chance {share}; {printing.classes(self.n_pos, self.n_neg)}"
        )

    def _columns(self) -> dict[str, Any]:
        return {
            "value": [self.value],
            "standard_error": [self.standard_error],
            "low": [self.interval.low],
            "high": [self.interval.high],
            "level": [self.interval.level],
            "method": [self.interval.method],
            "prevalence": [self.prevalence],
            "n_pos": [self.n_pos],
            "n_neg": [self.n_neg],
        }


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
    """Average precision, the area under the precision-recall curve, with an interval.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    prevalence : float, optional
        Share of positives that precision is for; that of the data without it.
    interpolation : {"step", "davis-goadrich"}
        Precision times the step in recall, summed over distinct scores (tied cases enter
        together); or the area of the curve that mixes neighbouring thresholds.
    cohort : bool, default False
        Whether the share of positives was left to chance, as in a cohort, and not set by whoever
        chose the cases. The interval is then for the prevalence behind the data.
    method : {"auto", "logit", "bootstrap"}
        "logit": standard error by influence functions, limits by Student's t on the logit scale,
        which "auto" takes for steps; "bootstrap": percentiles of stratified resamples (of whole
        clusters).
    level, n_resamples, rng
        Confidence level; number and seed of the resamples.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    AveragePrecisionResult
        With `value`, `standard_error`, `interval`, `prevalence`.

    Examples
    --------
    >>> import rocwise as rw
    >>> y, s = [0, 0, 0, 0, 0, 1, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    >>> round(rw.average_precision(y, s).value, 4)
    0.95
    """
    tally = as_tally("average_precision", data, y_score, given)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng)
    checks.one_of(method, "method", METHODS)
    statistic = AveragePrecision(prevalence, interpolation)
    prevalence = statistic.prevalence
    if checks.flag(cohort, "cohort") and prevalence is not None:
        raise InputError("`cohort` is about the prevalence of the data; leave `prevalence` out.")
    if method == "logit" and interpolation != "step":
        raise InputError("method='logit' is for interpolation='step'; use method='bootstrap'.")
    found = precision_influences(tally, prevalence)
    value = found.value if interpolation == "step" else evaluated(tally, statistic)
    if tally.clustered and method == "logit":
        raise InputError(
            "method='logit' takes rows for independent; with clusters use 'bootstrap'."
        )
    by_draws = method == "bootstrap" or interpolation != "step" or tally.clustered
    error, interval, parts = None, None, list[tuple[float, float]]()
    if min(tally.effective_sizes) > 1 and value < 1:
        if not tally.clustered:
            parts = precision_spread(tally, found, cohort=cohort)
        if by_draws:
            error, interval = _resampled(tally, statistic, level, n_resamples, rng, cohort)
        else:
            error, interval = _by_influence(tally, found.value, parts, level, prevalence)
    if interval is None or interval.high - interval.low < NO_SPREAD:
        interval = _without_spread(tally, value, prevalence, level)
    return AveragePrecisionResult(
        value=value,
        standard_error=error,
        interval=interval,
        prevalence=1 / (1 + negative_odds(tally, prevalence)),
        quantity="average precision" if interpolation == "step" else "precision-recall area",
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        as_share=_as_share(tally, value, error, parts[:2]),  # without that of a cohort
        origin=tally.origin,
    )


def _as_share(
    data: Tally, value: float, error: float | None, parts: list[tuple[float, float]]
) -> SizedArea:
    """The average precision with its effective size: what groups are compared by."""
    smaller = max(min(data.effective_sizes), 1.0)
    if error is None:
        return sized_area(value, 0.0, (), smaller)
    return sized_area(value, error**2, parts or [(error**2, smaller)], smaller)


def _by_influence(
    data: Tally,
    value: float,
    parts: list[tuple[float, float]],
    level: float,
    prevalence: float | None,
) -> tuple[float, Interval]:
    """On the logit scale, by Student's t: few positives show little of how much they vary."""
    error = math.sqrt(sum(variance for variance, _ in parts))
    reach = Reference(satterthwaite(parts)).quantile(level) * error
    low, high = logit_limits(value, reach)
    low = max(low, min(value, least_area(negative_odds(data, prevalence))))
    return error, Interval(low, high, level, "logit, influence functions")


def _resampled(
    data: Tally,
    statistic: AveragePrecision,
    level: float,
    n_resamples: int,
    rng: Any,
    cohort: bool,
) -> tuple[float, Interval]:
    if cohort:
        raise InputError(
            "the bootstrap keeps the numbers of both classes; with `cohort` use logit."
        )
    n_resamples = checks.draws(n_resamples, rng, None)
    draws = replicates(data, statistic, n_resamples=n_resamples, seed=checks.seed(rng))
    error = float(draws.std(ddof=1)) if len(draws) > 1 else 0.0
    low, high = percentile_limits(draws, level)
    return error, Interval(low, high, level, resampling_words(data, "bootstrap percentile"))


def precision_interval(
    data: Tally,
    statistic: AveragePrecision,
    value: float,
    variance: float,
    level: float,
    method: str,
) -> Interval:
    """The interval of one model of a comparison: as `average_precision` makes it, if it can."""
    by_influence = statistic.interpolation == "step" and not data.clustered
    if not 0 < value < 1 or variance <= 0 or min(data.effective_sizes) <= 1:
        return _without_spread(data, value, statistic.prevalence, level)
    if by_influence:
        found = precision_influences(data, statistic.prevalence)
        parts = precision_spread(data, found)
        return _by_influence(data, found.value, parts, level, statistic.prevalence)[1]
    reach = normal_quantile(level) * math.sqrt(variance)
    return Interval(*logit_limits(value, reach), level, f"{method}, logit scale")


def _without_spread(data: Tally, value: float, prevalence: float | None, level: float) -> Interval:
    """Where the sample shows no spread: one case in a class, all tied, or all separated.

    When all are separated, the lowest positive score leaves, at each of two levels of a quarter
    of the error, at least `share` of the positives above it and at most `alarms` of the negatives,
    whatever the distributions are; the worst order among those above gives the lower limit.
    """
    odds = negative_odds(data, prevalence)
    least = min(value, least_area(odds))
    n_pos, n_neg = data.effective_sizes
    if value < 1:
        return Interval(least, 1.0, level, "all that is attainable")
    tail = (1 - level) / 4
    share, alarms = tail ** (1 / n_pos), 1 - tail ** (1 / n_neg)
    c = odds * alarms
    low = share - c * math.log1p(share / c)
    return Interval(max(low, least), 1.0, level, "separation bound")


def least_area(odds: float) -> float:
    """The average precision when every negative is above every positive.

    >>> round(least_area(1.0), 6)  # 1 - log 2
    0.306853
    """
    return max(0.0, 1 - odds * math.log1p(1 / odds))  # rounding goes below it for large odds


PrecisionBandKind = Literal["simultaneous", "pointwise"]
KINDS: tuple[str, ...] = get_args(PrecisionBandKind)
MOST_RECALLS = 200


@result
class PrecisionRecallBand(Result):
    """Lower and upper limits of the precision at recalls, and the observed precision there.

    The precision at a recall is that of the strictest threshold which reaches it. `method` says how
    the limits were made; `seed` is that of the resamples, None where there were none.
    """

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
    seed: int | None

    def at(self, recall: Any) -> tuple[Floats, Floats]:
        """The limits at recalls: those of the next recall of the band."""
        wanted = np.array([checks.rate(value, "recall") for value in np.atleast_1d(recall)])
        places = np.searchsorted(self.recall, wanted - ROUNDING)
        return self.lower[places], self.upper[places]

    def _columns(self) -> dict[str, Any]:
        names = ("recall", "precision", "lower", "upper")
        return {name: getattr(self, name) for name in names}

    def _sentence(self) -> str:
        return (
            f"{printing.percent(self.level)} {self.kind} band of the precision at "
            f"{printing.count(len(self.recall))} recalls ({self.method}); "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


def precision_band(
    data: Tally, *, kind: str, level: float, n_resamples: int, rng: Any
) -> PrecisionRecallBand:
    """The band of a tally at up to 200 recalls."""
    checks.one_of(kind, "kind", KINDS)
    level, n_resamples = checks.level(level), checks.draws(n_resamples, rng, at_least=2)
    if min(data.effective_sizes) <= 1:
        raise InputError("the band needs at least two cases in each class.")
    steps = max(1, min(int(data.effective_sizes[0]), MOST_RECALLS))
    recalls = np.arange(1, steps + 1) / steps
    seed = None
    if kind == "simultaneous":
        roc = _whole_curve(data, level, n_resamples, checks.seed(rng))
        alarms, seed = _between_edges(roc, recalls), roc.seed
        method = f"from the {roc.kind} band of the ROC curve"
    else:
        alarms, method = _at_each(data, recalls, level), "Wilson limits of both classes added"
    odds = data.n_neg / data.n_pos
    rates = cumulative_rates(data.pos)[None, :], cumulative_rates(data.neg)[None, :]
    tpr, fpr = (rate[0] for rate in rates_at_recalls(*rates, recalls))
    precision = tpr / (tpr + odds * fpr)
    return PrecisionRecallBand(
        recall=recalls,
        precision=precision,
        lower=np.minimum(recalls / (recalls + odds * alarms[1]), precision),
        upper=np.maximum(recalls / (recalls + odds * alarms[0]), precision),
        kind=kind,
        level=level,
        method=method,
        prevalence=data.n_pos / (data.n_pos + data.n_neg),
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        seed=seed,
        origin=data.origin,
    )


def _whole_curve(data: Tally, level: float, n_resamples: int, seed: int) -> Band:
    """The band of the ROC curve; Kolmogorov's where all resamples of separated classes agree."""
    tpr, fpr = cumulative_rates(data.pos), cumulative_rates(data.neg)
    separated = bool(np.all((tpr[1:] >= 1 - NO_SPREAD) | (fpr[1:] <= NO_SPREAD)))
    if separated and data.rows is None:
        return band(data, kind="joint-regions", level=level)
    return band(data, kind="simultaneous", level=level, n_resamples=n_resamples, rng=seed)


def _between_edges(roc: Band, recalls: Floats) -> tuple[Floats, Floats]:
    """The least and the largest FPR at which the band of the ROC curve holds each recall."""
    least = heights(Polyline(roc.upper, roc.fpr), recalls).left
    most = heights(Polyline(roc.lower, roc.fpr), recalls).right
    return least, np.where(recalls > roc.lower[-1], 1.0, most)


def _at_each(data: Tally, recalls: Floats, level: float) -> tuple[Floats, Floats]:
    """Limits of the FPR at which each recall is reached."""
    if data.clustered:
        raise InputError(
            "kind='pointwise' takes rows for independent; with clusters use kind='simultaneous', "
            "whose resamples draw whole clusters."
        )
    n_pos, n_neg = data.effective_sizes
    tpr, fpr = cumulative_rates(data.pos), cumulative_rates(data.neg)
    at = fpr[np.minimum(np.searchsorted(tpr, recalls - ROUNDING), len(tpr) - 1)]
    # Wilson's interval of a TPR holds the recall just when the TPR lies this near to it
    reach = normal_quantile(level) * np.sqrt(recalls * (1 - recalls) / n_pos)
    looser = np.searchsorted(tpr, recalls + reach - ROUNDING)
    beyond = (looser >= len(tpr)) | (recalls >= 1)
    looser_fpr = np.where(beyond, 1.0, fpr[np.minimum(looser, len(tpr) - 1)])
    stricter_fpr = fpr[np.maximum(np.searchsorted(tpr, recalls - reach + ROUNDING) - 1, 0)]
    low, high = wilson_limits(at, n_neg, level)
    down = np.hypot(at - low, np.maximum(at - stricter_fpr, 0.0))
    up = np.hypot(high - at, np.maximum(looser_fpr - at, 0.0))
    return np.maximum(at - down, 0.0), np.minimum(at + up, 1.0)


@result
class PrecisionRecallCurve(Result):
    """Precision against recall at every threshold, starting at recall 0 with precision 1."""

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
    ) -> PrecisionRecallBand:
        """A confidence band for the precision over the recall.

        Parameters
        ----------
        kind : {"simultaneous", "pointwise"}
            Holds the whole true curve, or the precision at each single recall, in `level` of all
            samples. The first is `band` of the ROC curve, seen in recall and precision; the
            second needs no resamples.
        level, n_resamples, rng
            Confidence level; number and seed of the resamples.

        Returns
        -------
        PrecisionRecallBand
            With `recall`, `precision`, `lower`, `upper`.

        Examples
        --------
        >>> import rocwise as rw
        >>> y, s = [0, 0, 0, 0, 1, 0, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        >>> band = rw.precision_recall(y, s).band(n_resamples=100, rng=1)
        >>> bool((band.lower <= band.precision).all() and (band.precision <= band.upper).all())
        True
        """
        return precision_band(self.data, kind=kind, level=level, n_resamples=n_resamples, rng=rng)


@by_group
def precision_recall(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> PrecisionRecallCurve:
    """Precision and recall at every distinct score.

    At recall 0 nothing is called positive and precision is undefined; the curve starts there
    with precision 1, as is the custom. `average_precision` sums precision over the steps in
    recall, without interpolation; `rw.average_precision` has its interval.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    PrecisionRecallCurve
        Its `band` is the confidence band.

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.precision.round(3).tolist()
    [1.0, 1.0, 0.5, 0.667, 0.5]
    """
    tally = as_tally("precision_recall", data, y_score, given)
    refuse_merged(tally)
    scores, tp, fp = tally.curve_counts()
    precision, recall = on_large_pages(len(tp) + 1), on_large_pages(len(tp) + 1)
    kernels.threshold_measure("ppv", tp, fp, tally.n_pos, tally.n_neg, out=precision[1:])
    kernels.threshold_measure("sensitivity", tp, fp, tally.n_pos, tally.n_neg, out=recall[1:])
    # last, so that all threads share the making of pages
    precision[0], recall[0] = 1.0, 0.0
    thresholds = on_large_pages(
        len(tp) + 1, scores.dtype if scores.dtype.kind == "f" else np.float64
    )
    area = _summed_steps(precision, recall, thresholds)
    row_by_row(np.asarray, scores, out=thresholds[1:])
    thresholds[0] = np.inf if tally.direction == "higher" else -np.inf
    return PrecisionRecallCurve(
        precision=precision,
        recall=recall,
        thresholds=thresholds,
        average_precision=area,
        prevalence=tally.n_pos / (tally.n_pos + tally.n_neg),
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        data=tally,
        origin=tally.origin,
    )


def _summed_steps(precision: Floats, recall: Floats, room: Floats) -> float:
    """Precision times the step in recall, summed; in the room of a column yet to be filled."""
    steps = row_by_row(
        np.subtract,
        recall[1:],
        recall[:-1],
        out=room[1:] if room.dtype == np.float64 else None,
    )
    return kernels.dot(steps, precision[1:])
