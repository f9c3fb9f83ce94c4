"""Statistics that look at the scores themselves, in a form that resampled counts can answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Amounts, Flags, Floats
from rocwise.binary.smooth_roc import (
    Midpoint,
    checked_midpoint,
    midpoint_of_table,
    refuse_degenerate,
    warn_of_midpoint,
)
from rocwise.binary.unit_scores import unit_scores
from rocwise.data.amounts.smooth_steps import increments
from rocwise.data.tally import Tally
from rocwise.kernels.row_formulas import STEP


@runtime_checkable
class ScoreStatistic(Protocol):
    """A number that depends on the scores, not only on the curve."""

    @property
    def name(self) -> str:
        """What the number is called."""
        ...

    def of_counts(self, data: Tally) -> Callable[[Amounts, Amounts], Floats]:
        """A function of counts of positives and negatives at the scores of `data`.

        Each row of the counts is one resample; the function gives one number per row.
        """
        ...


@dataclass(frozen=True, slots=True)
class SmoothArea:
    """The area under the smooth ROC curve, smAUC; the midpoint is found anew in every resample.

    Examples
    --------
    >>> import rocwise as rw
    >>> smooth = rw.statistics.SmoothArea(rescale=True)
    >>> answer = rw.bootstrap([0, 1, 0, 1], [1, 3, 2, 4], statistic=smooth, n_resamples=50, rng=1)
    >>> round(answer.value, 3)
    0.917
    """

    midpoint: Midpoint | float = "estimated"
    rescale: bool = False

    def __post_init__(self) -> None:
        checks.flag(self.rescale, "rescale")
        checked_midpoint(self.midpoint)

    @property
    def name(self) -> str:
        """What the number is called."""
        return "smAUC"

    def of_counts(self, data: Tally) -> Callable[[Amounts, Amounts], Floats]:
        """One area per row of counts."""
        return self.of_scores(unit_scores(data, "the smAUC", rescale=self.rescale))

    def of_scores(self, scores: Floats) -> Callable[[Amounts, Amounts], Floats]:
        """The same of scores from 0 to 1, which `reader` has too: both can share one column."""

        def areas(pos: Amounts, neg: Amounts) -> Floats:
            middles = self._midpoints(scores, pos, neg)[:, None]
            widths, heights = np.empty(pos.shape), np.empty(pos.shape)
            alpha_v = np.zeros(len(pos))
            for first in range(0, len(scores), STEP):  # so that only two long columns are held
                some = slice(first, first + STEP)
                dx, dy = increments(scores[some], pos[:, some], neg[:, some], middles)
                y = dy.copy()
                y[:, 0] += alpha_v
                np.cumsum(y, axis=1, out=y)
                alpha_v = y[:, -1].copy()
                widths[:, some], heights[:, some] = dx, y - dy / 2
            alpha_h = widths.sum(axis=1)
            refuse_degenerate(float(alpha_v.min()), float(alpha_h.min()))
            total = np.einsum("ij,ij->i", widths, heights)
            return np.asarray(total / (alpha_v * alpha_h))

        return areas

    def reader(self, data: Tally) -> kernels.Reader:
        """The same in compiled code, but for resamples whose midpoint is close to a score."""
        scores = unit_scores(data, "the smAUC", rescale=self.rescale)
        ways = {"calibrated": (0.0, 0.5), "estimated": (1.0, 0.0), "class-means": (2.0, 0.0)}
        told = ways[self.midpoint] if isinstance(self.midpoint, str) else (0.0, self.midpoint)
        return kernels.Reader("smooth", np.array(told), np.asarray(scores))

    def warn_about(self, data: Tally) -> None:
        """A midpoint out of range is warned of for the data, not for every resample."""
        scores = unit_scores(data, "the smAUC", rescale=self.rescale)
        warn_of_midpoint(midpoint_of_table(scores, *data.narrow_counts(), self.midpoint))

    def _midpoints(self, scores: Floats, pos: Amounts, neg: Amounts) -> Floats:
        if self.midpoint not in ("estimated", "class-means"):
            return np.full(len(pos), 0.5 if self.midpoint == "calibrated" else self.midpoint)
        of_pos, of_neg = pos.sum(axis=1), neg.sum(axis=1)
        if self.midpoint == "estimated":
            middles = np.add(pos, neg, dtype=np.float64) @ scores / (2 * of_pos)
        else:
            middles = (pos @ scores / of_pos + neg @ scores / of_neg) / 2
        # where a score may be equal to the midpoint, the last digit decides: sum exactly
        for row in np.flatnonzero(_near_a_score(scores, middles)):
            middles[row] = midpoint_of_table(scores, pos[row], neg[row], self.midpoint)
        return np.asarray(middles)


def _near_a_score(scores: Floats, middles: Floats) -> Flags:
    rising = scores[::-1]
    place = np.searchsorted(rising, middles)
    gaps = [np.abs(rising[np.clip(place + step, 0, len(rising) - 1)] - middles) for step in (-1, 0)]
    return np.asarray(np.minimum(*gaps) < 1e-9)
