"""Bootstrap of averages over classes: rows are drawn within their class, alike for all models.

Replicate b depends on (seed, b) alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocwise import checks
from rocwise.binary.resampling import in_chunks
from rocwise.multiclass.class_areas import ClassAreas, average_weights, weighted_sum
from rocwise.progress import Report

Floats = NDArray[np.float64]


def resampled(
    models: list[ClassAreas],
    average: str,
    *,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None = None,
) -> Floats:
    """The average of every model in stratified resamples, (resamples, models)."""
    checks.whole(n_resamples, "n_resamples", at_least=2)
    first = models[0]
    weights = average_weights(average, first.sizes)
    rows = [np.flatnonzero(first.codes == k) for k in range(len(first.present))]

    def draw(start: int, stop: int) -> Floats:
        found = []
        for b in range(start, stop):
            times = _times(rows, len(first.codes), np.random.default_rng([seed, b]))
            found.append([weighted_sum(model.directed(times), weights) for model in models])
        return np.array(found)

    cells = 16 * len(first.codes) * len(first.present) * len(models)
    return in_chunks(draw, n_resamples, cells, progress, "bootstrap of areas over classes")


def _times(rows: list[NDArray[np.intp]], n_rows: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """How often each row is drawn."""
    times = np.zeros(n_rows, np.intp)
    for own in rows:
        times[own] = np.bincount(rng.integers(0, len(own), len(own)), minlength=len(own))
    return times
