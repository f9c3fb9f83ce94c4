"""Bootstrap within classes: every class keeps its size; all models share the rows drawn.

Replicate b depends on (seed, b) alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Floats, Places
from rocwise.inference.chunked_draws import in_chunks
from rocwise.progress import Report

Times = Places  # how often each row is drawn


def stratified_draws(
    measured: Callable[[Times], list[float]],
    codes: NDArray[np.integer],
    n_classes: int,
    *,
    n_resamples: int,
    seed: int,
    cells: int,
    progress: bool | Report | None,
    title: str,
) -> Floats:
    """What is measured, of every model, in stratified resamples, (resamples, models).

    `cells` says how many numbers one replicate holds in memory.
    """
    rows = [np.flatnonzero(codes == k) for k in range(n_classes)]

    def draw(first: int, last: int) -> Floats:
        generators = (np.random.default_rng([seed, b]) for b in range(first, last))
        return np.array([measured(_times(rows, len(codes), rng)) for rng in generators])

    return in_chunks(draw, n_resamples, cells, progress, title)


def _times(rows: list[Places], n_rows: int, rng: np.random.Generator) -> Times:
    times = np.zeros(n_rows, np.intp)
    for own in rows:
        times[own] = np.bincount(rng.integers(0, len(own), len(own)), minlength=len(own))
    return times
