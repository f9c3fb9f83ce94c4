"""Bootstrap of measures: rows are drawn within their class, the same for every score.

Rows with weights are drawn with equal probability and bring their weight; clusters are drawn whole.

Replicate b depends on (seed, b) alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.data.rankings import Ranking
from rocwise.inference.chunked_draws import ROWS_PER_CELL, in_chunks
from rocwise.inference.stratified_bootstrap import places_by_class, stratified_draws
from rocwise.ordinal.measure_kinds import MeasureKind
from rocwise.ordinal.pair_areas import pair_weights
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
    first, *others = rankings
    title = f"bootstrap of {kind.name}"
    if first.alike and all(ranking.in_order[2].all() for ranking in rankings):
        draw = _walked(rankings, kind)
        cells = 1 + len(first) * len(rankings) // ROWS_PER_CELL
        return in_chunks(lambda a, b: draw(seed, a, b), n_resamples, cells, progress, title)
    # rows are numbered as the first score ranks them, which then needs no sorting of what is drawn
    base = first.in_order[0]
    place = np.empty(len(first), np.intp)
    place[base] = np.arange(len(first))
    orders = [None, *(place[ranking.in_order[0]] for ranking in others)]
    weights = None if first.weights is None else first.weights[base]

    def measured(times: Floats) -> list[float]:
        held = times if weights is None else times * weights
        # weights and clusters change the sizes of the classes
        sizes = first.sizes
        if not first.alike:
            sizes = np.bincount(codes, held, minlength=first.n_classes).astype(np.float64)
        return [
            _value(ranking, kind, held if order is None else held[order], sizes)
            for ranking, order in zip(rankings, orders, strict=True)
        ]

    codes = first.codes[base]
    return stratified_draws(
        measured,
        codes,
        first.n_classes,
        n_resamples=n_resamples,
        seed=seed,
        cells=1 + len(first) * len(rankings) // ROWS_PER_CELL,
        progress=progress,
        title=title,
        clusters=None if first.clusters is None else first.clusters[base],
    )


def _value(ranking: Ranking, kind: MeasureKind, held: Floats, sizes: Floats) -> float:
    """The measure when there is this much of each row, in the order of the scores."""
    rows = *ranking.in_order[1:], held
    if kind.measure == "volume":
        value = kernels.held_volume(*rows, sizes, strict=kind.ties == "strict")
        return value if ranking.alike else min(value, 1.0)
    doubled = kernels.pair_wins(*rows, ranking.n_classes, credit=kind.ties == "credit")
    areas = doubled / (2 * np.outer(sizes, sizes))
    return float((pair_weights(kind.measure, ranking.sizes) * areas).sum())


def _walked(rankings: list[Ranking], kind: MeasureKind) -> Callable[[int, int, int], Floats]:
    """The measure in replicates of a seed, where rows are alike and no scores are tied.

    Rows are then drawn and counted in one compiled loop; the numbers are those of the other way.
    """
    first = rankings[0]
    place = np.empty(len(first), np.int32)
    place[first.in_order[0]] = places_by_class(first.in_order[1])
    ranked = np.stack([ranking.in_order[1] for ranking in rankings])
    places = np.stack([place[ranking.in_order[0]] for ranking in rankings])
    told = ranked, places, first.sizes.astype(np.int64)
    weights = None if kind.measure == "volume" else pair_weights(kind.measure, first.sizes)
    doubled = 2 * np.outer(first.sizes, first.sizes)

    def draw(seed: int, a: int, b: int) -> Floats:
        if weights is None:
            return kernels.resample_volumes(*told, seed, a, b)
        wins = kernels.resample_pair_wins(*told, seed, a, b, credit=kind.ties == "credit")
        return np.asarray((weights * (wins / doubled)).sum(axis=(2, 3)))

    return draw
