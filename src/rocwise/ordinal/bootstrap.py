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
    order, ranked, starts = ranking.in_order
    r = ranking.n_classes
    held = np.asarray(times if ranking.weights is None else times * ranking.weights, np.float64)
    # weights and clusters change the sizes of the classes
    sizes = ranking.sizes
    if not ranking.alike:
        sizes = np.bincount(ranking.codes, held, minlength=r).astype(np.float64)
    rows = ranked, starts, held[order]
    if kind.measure == "volume":
        value = kernels.held_volume(*rows, sizes, strict=kind.ties == "strict")
        return value if ranking.alike else min(value, 1.0)
    doubled = kernels.pair_wins(*rows, r, credit=kind.ties == "credit")
    areas = doubled / (2 * np.outer(sizes, sizes))
    return float((pair_weights(kind.measure, ranking.sizes) * areas).sum())
