"""Statistics that look at the scores themselves, in a form that resampled counts can answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, kernels
from rocwise.binary.magnitudes import unit_scores
from rocwise.binary.smoothing import (
    MIDPOINTS,
    chosen_midpoint,
    moves,
    refuse_degenerate,
    warn_of_midpoint,
)
from rocwise.tallies import Tally

Floats = NDArray[np.float64]
Counts = NDArray[Any]


@runtime_checkable
class ScoreStatistic(Protocol):
    """A number that depends on the scores, not only on the curve."""

    @property
    def name(self) -> str:
        """What the number is called."""
        ...

    def of_counts(self, data: Tally) -> Callable[[Counts, Counts], Floats]:
        """A function of counts of positives and negatives at the scores of `data`.

        Each row of the counts is one resample; the function gives one number per row.
        """
        ...


@dataclass(frozen=True, slots=True)
class SmoothArea:
    """The area under the smooth ROC curve, smAUC; the midpoint is found anew in every resample."""

    midpoint: str | float = "estimated"
    rescale: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.midpoint, str):
            checks.one_of(self.midpoint, "midpoint", MIDPOINTS)
        else:
            checks.real(self.midpoint, "midpoint")

    @property
    def name(self) -> str:
        """What the number is called."""
        return "smAUC"

    def of_counts(self, data: Tally) -> Callable[[Counts, Counts], Floats]:
        """One area per row of counts; a midpoint out of range is warned of once, for the data."""
        scores = unit_scores(data, "the smAUC", rescale=self.rescale)
        warn_of_midpoint(chosen_midpoint(data, scores, self.midpoint))

        def areas(pos: Counts, neg: Counts) -> Floats:
            up, right = moves(scores, pos, neg, self._midpoints(scores, pos, neg)[:, None])
            risen = np.cumsum(up, axis=1)
            alpha_v, alpha_h = risen[:, -1], right.sum(axis=1)
            refuse_degenerate(float(alpha_v.min()), float(alpha_h.min()))
            total = np.einsum("ij,ij->i", right, risen - up / 2)
            return np.asarray(total / (alpha_v * alpha_h))

        return areas

    def _midpoints(self, scores: Floats, pos: Counts, neg: Counts) -> Floats:
        if self.midpoint == "class-means":
            means = (pos @ scores / pos.sum(axis=1), neg @ scores / neg.sum(axis=1))
            return np.asarray((means[0] + means[1]) / 2)
        if self.midpoint != "estimated":
            return np.full(len(pos), 0.5 if self.midpoint == "calibrated" else self.midpoint)
        both = pos + neg
        middles = both @ scores / (2 * pos.sum(axis=1))
        # where a score may be equal to the midpoint, the last digit decides: sum exactly
        for row in np.flatnonzero(_near_a_score(scores, middles)):
            numerator, denominator = kernels.exact_sum(scores, both[row])
            middles[row] = numerator / (2 * int(pos[row].sum()) * denominator)
        return np.asarray(middles)


def _near_a_score(scores: Floats, middles: Floats) -> NDArray[np.bool_]:
    rising = scores[::-1]
    place = np.searchsorted(rising, middles)
    gaps = [np.abs(rising[np.clip(place + step, 0, len(rising) - 1)] - middles) for step in (-1, 0)]
    return np.asarray(np.minimum(*gaps) < 1e-9)
