"""Areas between classes, each class seen in the column of its own score.

A(i|j) is the chance that a case of class i has a higher score for class i than a case of class j.
Every average of a model's areas is a weighted sum of these, so that values, DeLong-style parts of
the rows and resamples are the same few lines for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

import numpy as np

from rocwise import kernels
from rocwise.arrays import Codes, Floats, Integers, Places
from rocwise.data.class_rows import ClassRows
from rocwise.data.rankings import refuse_single_rows, single_class
from rocwise.data.tally_rows import numbered
from rocwise.errors import InputError, listed
from rocwise.kernels.threads import limited_to, run_parts, thread_limit

MOST_CLASSES = 256
CLASSES_AT_ONCE = 16  # whose credits of rows are held together
ROWS_PER_THREAD = 50_000  # of all classes, for which another thread is worth starting
Answer = TypeVar("Answer")
Order = tuple[Integers, Codes, Codes]  # rows by rising score, their classes, where scores start
Average = Literal["hand-till", "ovr", "ovr-weighted", "ovo-weighted"]
AVERAGES: dict[str, str] = {
    "hand-till": "Hand-Till M",
    "ovr": "mean one-vs-rest AUC",
    "ovr-weighted": "one-vs-rest AUC weighted by class size",
    "ovo-weighted": "one-vs-one AUC weighted by class size",
}


class ClassAreas:
    """All A(i|j) of one model, on the classes that have rows.

    Attributes
    ----------
    present : ndarray of int
        Column numbers of the classes with rows; everything else is numbered within these.
    codes : ndarray of uint8
        Class of each row.
    sizes : ndarray of float
        Rows of each class, or the sums of their weights.
    weights, clusters : ndarray or None
        Weight and cluster of each row.
    orders : list of tuple
        The rows by rising score of each class; see `Ranking.in_order`.
    """

    def __init__(self, rows: ClassRows, *, ignore_absent: bool = False) -> None:
        rows = with_weight(rows)
        self.present: Places = present_classes(rows, ignore_absent=ignore_absent)
        places = np.full(rows.n_classes, 0, np.uint8)
        places[self.present] = np.arange(len(self.present), dtype=np.uint8)
        self.codes: Codes = places[rows.labels]
        self.weights: Floats | None = rows.weights
        self.clusters: Places | None = rows.clusters
        self.sizes: Floats = rows.class_sizes[self.present]

        def ranked(i: int) -> Order:
            return kernels.rank_classes(
                self.codes, np.ascontiguousarray(rows.scores[:, self.present[i]])
            )

        self.orders: list[Order] = self._by_class(ranked, range(len(self.present)))

    @property
    def has_spread(self) -> bool:
        """Whether every class has the two rows, or clusters, that a standard error needs."""
        return single_class(self.codes, len(self.present), self.clusters) is None

    def refuse_single_rows(self, what: str) -> None:
        """Spread within a class needs two rows of it."""
        refuse_single_rows(self.codes, tuple(self.present.tolist()), self.clusters, what)

    def _by_class(self, task: Callable[[int], Answer], classes: Sequence[int]) -> list[Answer]:
        """What a task gives for each class: one class at a time on each of the threads."""
        threads = thread_limit()
        if threads == 1 or len(self.codes) * len(classes) < ROWS_PER_THREAD:
            return [task(i) for i in classes]

        def with_few(i: int, inner: int) -> Answer:
            with limited_to(inner):
                return task(i)

        left = len(classes) % threads  # classes that share the threads when all others are done
        alone = [(i, 1) for i in classes[: len(classes) - left]]
        shared = [(i, threads // left) for i in classes[len(alone) :]]
        return run_parts(with_few, alone) + run_parts(with_few, shared)

    def directed(self, times: Floats | None = None) -> Floats:
        """A(i|j), nan on the diagonal; `times` says how often each row is there."""
        m = len(self.present)
        areas = np.full((m, m), np.nan)
        held = self._held(times)
        changed = times is not None and (self.weights is not None or self.clusters is not None)
        sizes = np.bincount(self.codes, held, minlength=m) if changed else self.sizes
        alike = times is None and self.weights is None

        def wins(i: int) -> Floats:
            order, ranked, starts = self.orders[i]
            return kernels.class_wins(ranked, starts, held if alike else held[order], i, m)

        # of class i over each class, twice; whole numbers
        for i, doubled in enumerate(self._by_class(wins, range(m))):
            areas[i] = np.minimum(doubled / (2 * sizes[i] * sizes), 1.0)  # weights are rounded
            areas[i, i] = np.nan
        return areas

    def _held(self, times: Floats | None) -> Floats:
        """How much of each row there is: how often it is there, times its weight."""
        held = np.ones(len(self.codes)) if times is None else np.asarray(times, np.float64)
        return held if self.weights is None else held * self.weights

    def parts(self, weights: Floats) -> Floats:
        """For each row the weighted mean credit of its comparisons: V of DeLong."""
        parts, held = np.zeros(len(self.codes)), self._held(None)
        used = np.flatnonzero(weights.any(axis=1)).tolist()
        table = np.empty((min(len(used), CLASSES_AT_ONCE), len(parts)))

        def credit(i: int) -> Floats:
            order, ranked, starts = self.orders[i]
            rows = ranked, starts, held if self.weights is None else held[order], order
            line = table[used.index(i) % len(table)]
            return kernels.class_credits(*rows, i, self.sizes, weights[i], out=line)

        for first in range(0, len(used), CLASSES_AT_ONCE):
            # added in the order of the classes, however many threads there are
            for found in self._by_class(credit, used[first : first + CLASSES_AT_ONCE]):
                parts += found
        return parts


def average_weights(average: Average, sizes: Floats) -> Floats:
    """Weight of each A(i|j) in an average; they sum to 1, the diagonal is 0 (A23, A24)."""
    m, total = len(sizes), float(sizes.sum())
    if average == "hand-till":
        weights = np.full((m, m), 1 / (m * (m - 1)))
    elif average == "ovo-weighted":
        together = np.add.outer(sizes, sizes)
        np.fill_diagonal(together, 0.0)
        weights = together / together.sum()
    else:
        # one against the rest: the rest is a mixture of the other classes
        weights = sizes[None, :] / (total - sizes)[:, None]
        weights *= 1 / m if average == "ovr" else (sizes / total)[:, None]
    np.fill_diagonal(weights, 0.0)
    return np.asarray(weights)


def weighted_sum(directed: Floats, weights: Floats) -> float:
    """The average."""
    return float(weighted_sums(directed[None], weights)[0])


def weighted_sums(directed: Floats, weights: Floats) -> Floats:
    """The average of each of several tables of areas."""
    flat = weights.ravel()
    areas = np.where(flat > 0, directed.reshape(len(directed), -1), 0.0)
    # the same sum above and below, so that areas of 1 average to exactly 1
    total = np.ones_like(flat) @ flat
    return np.array([line @ flat for line in areas]) / total


def one_vs_rest(directed: Floats, sizes: Floats) -> Floats:
    """AUC of each class against all others, in the column of the class (A24)."""
    filled = np.nan_to_num(directed, nan=0.0)
    return np.asarray(filled @ sizes / (sizes.sum() - sizes))


def with_weight(rows: ClassRows) -> ClassRows:
    """The rows that have any weight; others are none."""
    if rows.weights is None or rows.weights.all():
        return rows
    kept = rows.weights > 0
    return replace(
        rows,
        labels=rows.labels[kept],
        scores=rows.scores[kept],
        weights=rows.weights[kept],
        rows=np.flatnonzero(kept) if rows.rows is None else rows.rows[kept],
        clusters=None if rows.clusters is None else numbered(rows.clusters[kept]),
    )


def present_classes(rows: ClassRows, *, ignore_absent: bool | None = False) -> Places:
    """The classes that have rows; others are refused unless they are to be ignored.

    None for a question that has no such choice, so that a refusal does not offer it.
    """
    sizes = rows.class_sizes
    absent = np.flatnonzero(sizes == 0)
    if len(absent) and not ignore_absent:
        raise InputError(
            f"`y_true` has no row of class {_called(rows, absent)}, so areas with it are "
            "undefined. "
            + (
                "Every class needs a row."
                if ignore_absent is None
                else "Pass ignore_absent=True to average over the other classes."
            )
        )
    present = np.flatnonzero(sizes)
    if not 2 <= len(present) <= MOST_CLASSES:
        raise InputError(
            f"`y_true` must hold rows of 2 to {MOST_CLASSES} classes; got {len(present)}."
        )
    return present


def _called(rows: ClassRows, columns: Places) -> str:
    """Some classes by name, or by the numbers of their columns."""
    return listed([rows.names[k] for k in columns] if rows.names else columns)
