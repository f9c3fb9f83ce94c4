"""Bootstrap of rankers: rows are drawn within their class, the same for every ranker.

Replicate b depends on (seed, b) alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, kernels
from rocwise.binary.resampling import in_chunks
from rocwise.ordinal.pair_areas import pair_weights
from rocwise.ordinal.quantities import Quantity
from rocwise.ordinal.rankings import Ranking
from rocwise.progress import Report

Floats = NDArray[np.float64]


def resampled(
    rankings: list[Ranking],
    quantity: Quantity,
    *,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None = None,
) -> Floats:
    """The measure of every ranker in stratified resamples, (resamples, rankers)."""
    checks.whole(n_resamples, "n_resamples", at_least=2)
    rows = [np.flatnonzero(rankings[0].codes == k) for k in range(rankings[0].n_classes)]

    def draw(first: int, last: int) -> Floats:
        return np.array([_replicate(rankings, quantity, rows, seed, b) for b in range(first, last)])

    cells = 16 * len(rankings[0]) * len(rankings)
    return in_chunks(draw, n_resamples, cells, progress, f"bootstrap of {quantity.name}")


def _replicate(
    rankings: list[Ranking],
    quantity: Quantity,
    rows: list[NDArray[np.intp]],
    seed: int,
    b: int,
) -> list[float]:
    rng = np.random.default_rng([seed, b])
    times = np.zeros(len(rankings[0]), np.intp)
    for own in rows:
        times[own] = np.bincount(rng.integers(0, len(own), len(own)), minlength=len(own))
    return [_value(ranking, quantity, times) for ranking in rankings]


def _value(ranking: Ranking, quantity: Quantity, times: NDArray[np.intp]) -> float:
    """The measure when each row is there this many times."""
    order, ranked, starts = ranking.in_order
    repeated = times[order]
    group = np.repeat(np.cumsum(starts), repeated)
    classes = np.repeat(ranked, repeated)
    if quantity.measure == "volume":
        new = np.ones(len(group), np.uint8)
        new[1:] = group[1:] != group[:-1]
        strict = quantity.ties == "strict"
        return kernels.chain_volume(classes, new, ranking.sizes, strict=strict)
    r = ranking.n_classes
    cells = np.bincount(group * r + classes, minlength=(int(group[-1]) + 1) * r)
    counts = cells.reshape(-1, r).astype(np.float64)
    half = counts if quantity.ties == "credit" else 0.0
    doubled = (2 * (np.cumsum(counts, axis=0) - counts) + half).T @ counts
    areas = doubled / (2 * np.outer(ranking.sizes, ranking.sizes))
    return float((pair_weights(quantity.measure, ranking.sizes) * areas).sum())
