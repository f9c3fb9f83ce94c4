"""Bootstrap of measures: rows are drawn within their class, the same for every score.

Replicate b depends on (seed, b) alone.
"""

from __future__ import annotations

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats, Places
from rocwise.inference.stratified_bootstrap import stratified_draws
from rocwise.ordinal.measure_kinds import MeasureKind
from rocwise.ordinal.pair_areas import pair_weights
from rocwise.primitives.rankings import Ranking
from rocwise.progress import Report


def resampled(
    rankings: list[Ranking],
    kind: MeasureKind,
    *,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None = None,
) -> Floats:
    """The measure of every score in stratified resamples, (resamples, scores)."""
    return stratified_draws(
        lambda times: [_value(ranking, kind, times) for ranking in rankings],
        rankings[0].codes,
        rankings[0].n_classes,
        n_resamples=n_resamples,
        seed=seed,
        cells=16 * len(rankings[0]) * len(rankings),
        progress=progress,
        title=f"bootstrap of {kind.name}",
    )


def _value(ranking: Ranking, kind: MeasureKind, times: Places) -> float:
    """The measure when each row is there this many times."""
    order, ranked, starts = ranking.in_order
    repeated = times[order]
    group = np.repeat(np.cumsum(starts), repeated)
    classes = np.repeat(ranked, repeated)
    if kind.measure == "volume":
        new = np.ones(len(group), np.uint8)
        new[1:] = group[1:] != group[:-1]
        strict = kind.ties == "strict"
        return kernels.chain_volume(classes, new, ranking.sizes, strict=strict)
    r = ranking.n_classes
    cells = np.bincount(group * r + classes, minlength=(int(group[-1]) + 1) * r)
    counts = cells.reshape(-1, r).astype(np.float64)
    half = counts if kind.ties == "credit" else 0.0
    doubled = (2 * (np.cumsum(counts, axis=0) - counts) + half).T @ counts
    areas = doubled / (2 * np.outer(ranking.sizes, ranking.sizes))
    return float((pair_weights(kind.measure, ranking.sizes) * areas).sum())
