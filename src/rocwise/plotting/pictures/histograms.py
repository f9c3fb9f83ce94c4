"""Bars: how values, or the scores of both classes, are spread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting.layers import Band

if TYPE_CHECKING:
    from rocwise.data.tally import Tally

FEWEST, MOST = 8, 40


def bin_edges(values: Floats, n_values: float) -> Floats:
    """Edges of equal bins over the values: about twice the cube root of their number.

    >>> bin_edges(np.array([0.0, 1.0]), 1000).shape
    (21,)
    """
    low, high = float(np.min(values)), float(np.max(values))
    if not high > low:
        reach = 0.5 * max(abs(low), 1.0)
        low, high = low - reach, high + reach
    n_bins = int(np.clip(round(2 * n_values ** (1 / 3)), FEWEST, MOST))
    return np.linspace(low, high, n_bins + 1)


def bars(places: Floats, heights: Floats, *, base: float = 0.0, **styled: Any) -> Band:
    """The outline of bars that stand side by side, filled."""
    x = np.repeat(places, 2)[1:-1]
    upper = np.repeat(heights, 2)
    return Band(x, np.full(len(x), base), base + upper, **styled)


def histogram(values: Floats, **styled: Any) -> Band:
    """Shares of values in equal bins."""
    edges = bin_edges(values, len(values))
    counts, _ = np.histogram(values, edges)
    return bars(edges, counts / len(values), **styled)


def class_shares(data: Tally) -> tuple[Floats, Floats, Floats]:
    """Edges of bins of the scores, and the shares of negatives and of positives in them."""
    scores = np.asarray(data.scores, dtype=np.float64)
    finite = np.isfinite(scores)
    if not finite.any():
        raise InputError("`data` has no finite score, so there is no axis to draw it on.")
    edges = bin_edges(scores[finite], float(data.n_pos + data.n_neg))
    shares = (
        np.histogram(scores[finite], edges, weights=np.asarray(counts, np.float64)[finite])[0]
        / total
        for counts, total in ((data.neg, data.n_neg), (data.pos, data.n_pos))
    )
    negative, positive = shares
    return edges, negative, positive
