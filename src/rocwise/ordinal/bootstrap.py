"""Bootstrap of measures: rows are drawn within their class, the same for every score.

Rows with weights are drawn with equal probability and bring their weight; clusters are drawn whole.

Replicate b depends on (seed, b) alone.
"""

from __future__ import annotations

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats, Places
from rocwise.inference.stratified_bootstrap import stratified_draws
from rocwise.ordinal.measure_kinds import MeasureKind
from rocwise.ordinal.pair_areas import pair_weights
from rocwise.ordinal.volumes import volume_of_shares
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
        clusters=rankings[0].clusters,
    )


def _value(ranking: Ranking, kind: MeasureKind, times: Places) -> float:
    """The measure when each row is there this many times."""
    if not ranking.alike:
        return _value_of_amounts(ranking, kind, times)
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
    return _average_of(counts, ranking.sizes, ranking, kind)


def _value_of_amounts(ranking: Ranking, kind: MeasureKind, times: Places) -> float:
    """The same for rows with weights and for clusters, which change the sizes of the classes."""
    held = times if ranking.weights is None else times * ranking.weights
    amounts = ranking.amounts(np.asarray(held, np.float64))
    sizes = amounts.sum(axis=0)
    if kind.measure == "volume":
        return volume_of_shares(amounts / sizes, kind.ties)
    return _average_of(amounts, sizes, ranking, kind)


def _average_of(counts: Floats, sizes: Floats, ranking: Ranking, kind: MeasureKind) -> float:
    """The average area of the pairs of classes, with the weights of pairs that the data have."""
    half = counts if kind.ties == "credit" else 0.0
    doubled = (2 * (np.cumsum(counts, axis=0) - counts) + half).T @ counts
    areas = doubled / (2 * np.outer(sizes, sizes))
    return float((pair_weights(kind.measure, ranking.sizes) * areas).sum())
