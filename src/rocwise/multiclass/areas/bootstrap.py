"""Bootstrap of averages over classes: rows are drawn within their class, alike for all models.

Rows with weights are drawn with equal probability and bring their weight; clusters are drawn whole.

Replicate b depends on (seed, b) alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.inference.chunked_draws import ROWS_PER_CELL, in_chunks
from rocwise.inference.stratified_bootstrap import places_by_class, stratified_draws
from rocwise.multiclass.areas.class_areas import (
    Average,
    ClassAreas,
    average_weights,
    weighted_sum,
    weighted_sums,
)
from rocwise.progress import Report

TITLE = "bootstrap of areas over classes"


def resampled(
    models: list[ClassAreas],
    average: Average,
    *,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None = None,
) -> Floats:
    """The average of every model in stratified resamples, (resamples, models)."""
    first = models[0]
    weights = average_weights(average, first.sizes)
    if first.weights is None and first.clusters is None:
        draw = _walked(models, weights)
        m = len(first.present)
        cells = len(models) * (1 + m * len(first.codes) // ROWS_PER_CELL + m**3)
        return in_chunks(lambda a, b: draw(seed, a, b), n_resamples, cells, progress, TITLE)
    return stratified_draws(
        lambda times: [weighted_sum(model.directed(times), weights) for model in models],
        first.codes,
        len(first.present),
        n_resamples=n_resamples,
        seed=seed,
        cells=1 + len(first.codes) * len(first.present) * len(models) // ROWS_PER_CELL,
        progress=progress,
        title=TITLE,
        clusters=first.clusters,
    )


def _walked(models: list[ClassAreas], weights: Floats) -> Callable[[int, int, int], Floats]:
    """The averages in replicates of a seed, where rows are alike.

    Rows are then drawn and counted in one compiled loop; the numbers are those of the other way.
    """
    sizes, m = models[0].sizes, len(models[0].present)
    place = places_by_class(models[0].codes)
    orders = [order for model in models for order in model.orders]
    ranked = np.stack([classes for _, classes, _ in orders])
    new = np.stack([starts for _, _, starts in orders])
    starts = None if new.all() else new  # without ties the loop need not look for them
    places = np.stack([place[order] for order, _, _ in orders])
    counts, doubled = sizes.astype(np.int64), 2 * np.outer(sizes, sizes)

    def draw(seed: int, first: int, last: int) -> Floats:
        drawn = seed, first, last
        wins = kernels.resample_class_wins(ranked, places, counts, *drawn, starts=starts)
        areas = np.minimum(wins.reshape(-1, m, m) / doubled, 1.0)
        return weighted_sums(areas, weights).reshape(last - first, len(models))

    return draw
