"""The equal error rate with its interval."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, Unpack

from rocwise import checks, printing
from rocwise.binary.resampling.binned import in_bins, with_bins
from rocwise.binary.resampling.curve_statistics import EqualErrorRate
from rocwise.binary.resampling.draws import resampling_words
from rocwise.binary.resampling.forms_of_statistics import evaluated
from rocwise.binary.resampling.replicates import replicates
from rocwise.inference.chunked_draws import percentile_limits
from rocwise.inference.effective_sizes import SizedArea, sized_area
from rocwise.inference.equal_groups import ComparableGroups
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import ASIDE, GroupAnswers, Interval, Result, result


@result
class EqualErrorResult(Result):
    """The rate at which misses and false alarms are equally frequent, with its interval."""

    group_answers: ClassVar[type[GroupAnswers] | None] = ComparableGroups
    frame_fields: ClassVar[tuple[str, ...]] = (
        "value",
        "standard_error",
        "low",
        "high",
        "n_pos",
        "n_neg",
    )

    value: float
    standard_error: float
    interval: Interval
    n_pos: float
    n_neg: float
    seed: int
    as_share: SizedArea = field(metadata=ASIDE)

    def __float__(self) -> float:
        return self.value

    @property
    def low(self) -> float:
        """Lower limit."""
        return self.interval.low

    @property
    def high(self) -> float:
        """Upper limit."""
        return self.interval.high

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        value, low, high = (
            printing.rate(v, size) for v in (self.value, self.interval.low, self.interval.high)
        )
        level = printing.percent(self.interval.level)
        return (
            f"equal error rate {value} ({level} CI {low} to {high}, "
            f"{self.interval.method}); {printing.classes(self.n_pos, self.n_neg)}"
        )


@by_group
def equal_error_rate(
    data: Any = None,
    y_score: Any = None,
    *,
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    exact: bool = False,
    **given: Unpack[TallyOptions],
) -> EqualErrorResult:
    """The error rate where the curve has as large a share of misses as of false alarms.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    level : float, default 0.95
        Confidence level of the bootstrap percentiles.
    n_resamples, rng
        Number and seed of the stratified resamples.
    exact : bool, default False
        Draw every row, also of more than 131,072 distinct scores (see `bootstrap`).
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    EqualErrorResult
        With `value`, `standard_error`, `interval`.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.equal_error_rate([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7, 8], rng=1).value
    0.25
    """
    tally = as_tally("equal_error_rate", data, y_score, given)
    level, n_resamples = checks.level(level), checks.draws(n_resamples, rng, at_least=2)
    seed, statistic = checks.seed(rng), EqualErrorRate()
    value = evaluated(tally, statistic)
    bins = None if checks.flag(exact, "exact") else in_bins(tally, statistic)
    drawn = tally if bins is None else bins.tally
    draws = replicates(drawn, statistic, n_resamples=n_resamples, seed=seed)
    low, high = percentile_limits(draws, level)
    interval = Interval(low, high, level, resampling_words(tally, "bootstrap percentile"))
    if high - low < 1e-12:
        interval = _without_spread(value, min(tally.effective_sizes), level)
    elif bins is not None:  # in which the rate of the data is what it is
        interval = with_bins(interval, bins, float(draws.std(ddof=1)), 0.0)
    smaller, variance = min(tally.effective_sizes), float(draws.var(ddof=1))
    return EqualErrorResult(
        value=value,
        standard_error=variance**0.5,
        interval=interval,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        seed=seed,
        as_share=sized_area(value, variance, [(variance, smaller)], smaller),
        origin=tally.origin,
    )


def _without_spread(value: float, smaller: float, level: float) -> Interval:
    """Where all resamples agree: as for no error among as many cases as the smaller class has."""
    reach = 1 - ((1 - level) / 2) ** (1 / smaller)
    return Interval(max(value - reach, 0.0), min(value + reach, 1.0), level, "no error in a row")
