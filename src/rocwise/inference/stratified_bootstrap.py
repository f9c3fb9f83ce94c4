"""Bootstrap within classes: every class keeps its size; all models share the rows drawn.

Replicate b depends on (seed, b) alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocwise import kernels
from rocwise.arrays import Counts, Floats, Places, Ranks
from rocwise.inference.chunked_draws import in_chunks
from rocwise.kernels.resampling_tables import MOST_ATTEMPTS, lacking_class
from rocwise.kernels.threads import even_parts, limited_to, run_parts, thread_limit
from rocwise.progress import Report

ROWS_PER_THREAD = 100_000  # drawn rows for which another thread is worth starting
Times = Floats  # how often each row is drawn
Drawn = TypeVar("Drawn", bound=NDArray[Any])


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
    clusters: Places | None = None,
) -> Floats:
    """What is measured, of every model, in stratified resamples, (resamples, models).

    Each thread holds one replicate at a time; `cells` says how long one takes. Clusters are drawn
    whole: within their class where each holds rows of one class only, else all together.
    """
    times = (
        _times_of_rows(codes, n_classes, seed)
        if clusters is None
        else _times_of_clusters(codes, n_classes, clusters, seed)
    )

    def measure(inner: int, first: int, last: int) -> list[list[float]]:
        with limited_to(inner):
            return [measured(times(replicate)) for replicate in range(first, last)]

    def draw(first: int, last: int) -> Floats:
        threads = min(thread_limit(), 1 + (last - first) * len(codes) // ROWS_PER_THREAD)
        inner = max(1, thread_limit() // threads)
        parts = [(inner, first + a, first + b) for a, b in even_parts(last - first, threads)]
        return np.array([line for part in run_parts(measure, parts) for line in part])

    return in_chunks(draw, n_resamples, cells, progress, title)


def places_by_class(codes: NDArray[np.integer]) -> Ranks:
    """Where each row stands among the rows of the first class, then of the second, and so on.

    >>> places_by_class(np.array([1, 0, 1])).tolist()
    [1, 0, 2]
    """
    places = np.empty(len(codes), np.int32)
    places[_rows_by_class(codes)] = np.arange(len(codes), dtype=np.int32)
    return places


def _rows_by_class(codes: NDArray[np.integer]) -> Counts:
    """The rows of the first class, then of the second, and so on, in their order within each."""
    return np.argsort(codes, kind="stable")


def drawn_words(weights: object, clusters: object) -> str:
    """What was drawn, where that were not simply rows, to follow the name of a method.

    >>> drawn_words(None, None), drawn_words(1, None)
    ('', ' of rows with their weights')
    """
    if clusters is not None:
        return f" of whole clusters{' with their weights' if weights is not None else ''}"
    return " of rows with their weights" if weights is not None else ""


def mixed_clusters(clusters: Places, codes: NDArray[Any]) -> bool:
    """Whether any cluster holds rows of more than one class.

    >>> mixed_clusters(np.array([0, 0, 1]), np.array([1, 1, 0]))
    False
    """
    code_of = np.empty(int(clusters.max()) + 1, codes.dtype)
    code_of[clusters] = codes  # that of the last row of each: its others must have the same
    return bool((code_of[clusters] != codes).any())


def _strata_of_clusters(
    codes: NDArray[np.integer], n_classes: int, clusters: Places
) -> list[Places]:
    """Clusters by class where each holds one class only; else all of them in one stratum."""
    if mixed_clusters(clusters, codes):
        return [np.flatnonzero(np.bincount(clusters))]
    return [np.flatnonzero(np.bincount(clusters[codes == k])) for k in range(n_classes)]


def drawn_until_complete(draw: Callable[[], Drawn], complete: Callable[[Drawn], bool]) -> Drawn:
    """A resample in which no class is absent."""
    for _ in range(MOST_ATTEMPTS):
        times = draw()
        if complete(times):
            return times
    raise lacking_class()


def _times_of_rows(codes: NDArray[np.integer], n_classes: int, seed: int) -> Callable[[int], Times]:
    """How often each row is drawn within its class, by number of the replicate."""
    members, sizes = _rows_by_class(codes), np.bincount(codes, minlength=n_classes)
    return lambda replicate: kernels.class_times(members, sizes, seed, replicate)


def _times_of_clusters(
    codes: NDArray[np.integer], n_classes: int, clusters: Places, seed: int
) -> Callable[[int], Times]:
    """How often each row is drawn with its cluster, by number of the replicate."""
    strata, n_units = _strata_of_clusters(codes, n_classes, clusters), int(clusters.max()) + 1
    holders = [np.flatnonzero(np.bincount(clusters[codes == k])) for k in range(n_classes)]

    def drawn(rng: np.random.Generator) -> Counts:
        times = np.zeros(n_units, np.int64)
        for own in strata:
            times[own] = np.bincount(rng.integers(0, len(own), len(own)), minlength=len(own))
        return times

    def complete(times: Counts) -> bool:
        return all(times[own].any() for own in holders)

    def times(replicate: int) -> Times:
        rng = np.random.default_rng([seed, replicate])
        return drawn_until_complete(lambda: drawn(rng), complete).astype(np.float64)[clusters]

    return times
