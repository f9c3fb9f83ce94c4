"""Bootstrap of averages over classes: rows are drawn within their class, alike for all models.

Rows with weights are drawn with equal probability and bring their weight; clusters are drawn whole.

Replicate b depends on (seed, b) alone.
"""

from __future__ import annotations

from rocwise.arrays import Floats
from rocwise.inference.stratified_bootstrap import stratified_draws
from rocwise.multiclass.areas.class_areas import Average, ClassAreas, average_weights, weighted_sum
from rocwise.progress import Report


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
    return stratified_draws(
        lambda times: [weighted_sum(model.directed(times), weights) for model in models],
        first.codes,
        len(first.present),
        n_resamples=n_resamples,
        seed=seed,
        cells=16 * len(first.codes) * len(first.present) * len(models),
        progress=progress,
        title="bootstrap of areas over classes",
        clusters=first.clusters,
    )
