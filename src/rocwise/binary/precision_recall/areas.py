"""The average precision with its standard error and interval."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Any, ClassVar, Literal, Unpack, get_args

from rocwise import checks, printing
from rocwise.binary.precision_recall.influences import (
    precision_influences,
    precision_spread,
)
from rocwise.binary.resampling.binned import in_bins, with_bins
from rocwise.binary.resampling.draws import resampling_words
from rocwise.binary.resampling.forms_of_statistics import evaluated
from rocwise.binary.resampling.precision_statistics import AveragePrecision, Steps, negative_odds
from rocwise.binary.resampling.replicates import replicates
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.chunked_draws import percentile_limits
from rocwise.inference.equal_groups import ComparableGroups
from rocwise.inference.intervals.effective_sizes import SizedArea, sized_area
from rocwise.inference.intervals.interval_limits import logit_limits, normal_quantile
from rocwise.inference.significance import Reference, satterthwaite
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import ASIDE, GroupAnswers, Interval, Result, result

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
    exact: bool = False,
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
    exact : bool, default False
        Draw every row, also of more than 131,072 distinct scores (see `bootstrap`).
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
    checks.flag(exact, "exact")
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
            error, interval = _resampled(tally, statistic, level, n_resamples, rng, cohort, exact)
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
    exact: bool,
) -> tuple[float, Interval]:
    if cohort:
        raise InputError(
            "the bootstrap keeps the numbers of both classes; with `cohort` use logit."
        )
    n_resamples = checks.draws(n_resamples, rng, None)
    bins = None if exact else in_bins(data, statistic)
    drawn, read = (data, statistic) if bins is None else (bins.tally, bins.own or statistic)
    draws = replicates(drawn, read, n_resamples=n_resamples, seed=checks.seed(rng))
    error = float(draws.std(ddof=1)) if len(draws) > 1 else 0.0
    low, high = percentile_limits(draws, level)
    found = Interval(low, high, level, resampling_words(data, "bootstrap percentile"))
    return error, found if bins is None else with_bins(found, bins, error, 0.0)


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
