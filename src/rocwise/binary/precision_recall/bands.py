"""Confidence bands of the precision over the recall, by resampled curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Amounts, Array, Floats
from rocwise.binary.resampling.precision_statistics import rates_at_recalls, shares_from_zero
from rocwise.binary.resampling.replicates import replicates
from rocwise.errors import InputError
from rocwise.primitives.tallies import Tally
from rocwise.progress import Report
from rocwise.results import Result, result

BandKind = Literal["simultaneous", "pointwise"]
KINDS: tuple[str, ...] = get_args(BandKind)
MOST_RECALLS = 200


@result
class PrecisionRecallBand(Result):
    """Lower and upper limits of the precision at recalls, and the observed precision there.

    The precision at a recall is that of the strictest threshold which reaches it.
    """

    recall: Floats
    precision: Floats
    lower: Floats
    upper: Floats
    kind: str
    level: float
    prevalence: float
    n_pos: float
    n_neg: float
    seed: int

    def at(self, recall: Any) -> tuple[Floats, Floats]:
        """The limits at recalls: those of the next recall of the band."""
        wanted = np.array([checks.rate(value, "recall") for value in np.atleast_1d(recall)])
        places = np.searchsorted(self.recall, wanted - 1e-12)
        return self.lower[places], self.upper[places]

    def _sentence(self) -> str:
        return (
            f"{printing.percent(self.level)} {self.kind} band of the precision at "
            f"{printing.count(len(self.recall))} recalls; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class LogOdds:
    """Log odds of a true alarm at recalls, with one half added to both counts."""

    recalls: Array

    @property
    def name(self) -> str:
        """What the numbers are called."""
        return "the precision-recall curve"

    def of_counts(self, data: Tally) -> Callable[[Amounts, Amounts], Floats]:
        """One row of log odds per row of counts."""

        def log_odds(pos: Amounts, neg: Amounts) -> Floats:
            rates = shares_from_zero(pos), shares_from_zero(neg)
            tpr, fpr = rates_at_recalls(*rates, self.recalls)
            return np.asarray(np.log((tpr * data.n_pos + 0.5) / (fpr * data.n_neg + 0.5)))

        return log_odds


def resampled_band(
    data: Tally,
    *,
    kind: str,
    level: float,
    n_resamples: int,
    rng: Any,
    progress: bool | Report | None,
) -> PrecisionRecallBand:
    """The band of a tally at up to 200 recalls."""
    checks.one_of(kind, "kind", KINDS)
    level = checks.level(level)
    checks.reported(progress)
    n_resamples = checks.size(n_resamples, "n_resamples", at_least=2, bytes_each=8 * MOST_RECALLS)
    if min(data.effective_sizes) <= 1:
        raise InputError("the band needs at least two cases in each class.")
    seed = checks.seed(rng)
    steps = max(1, min(int(data.effective_sizes[0]), MOST_RECALLS))
    recalls = np.arange(1, steps + 1) / steps
    statistic = LogOdds(recalls)
    observed = statistic.of_counts(data)(data.pos[None, :], data.neg[None, :])[0]
    draws = replicates(data, statistic, n_resamples=n_resamples, seed=seed, progress=progress)
    low, high = _limits(observed, draws, kind, level)
    rates = shares_from_zero(data.pos)[None, :], shares_from_zero(data.neg)[None, :]
    tpr, fpr = rates_at_recalls(*rates, recalls)
    precision = (tpr * data.n_pos / (tpr * data.n_pos + fpr * data.n_neg))[0]
    return PrecisionRecallBand(
        recall=recalls,
        precision=precision,
        lower=np.minimum(_share(low), precision),
        upper=np.maximum(_share(high), precision),
        kind=kind,
        level=level,
        prevalence=data.n_pos / (data.n_pos + data.n_neg),
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        seed=seed,
        origin=data.origin,
    )


def _limits(observed: Floats, draws: Floats, kind: str, level: float) -> tuple[Floats, Floats]:
    """Percentiles at each recall; or a common multiple of the spread that holds whole curves."""
    if kind == "pointwise":
        tail = (1 - level) / 2
        low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
        return low, high
    spread = np.maximum(draws.std(axis=0, ddof=1), 1e-12)
    largest = (np.abs(draws - observed) / spread).max(axis=1)
    reach = float(np.quantile(largest, level)) * spread
    return observed - reach, observed + reach


def _share(log_odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-log_odds)))
