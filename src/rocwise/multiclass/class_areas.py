"""One number for a model of several classes, with its standard error and interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import combinations
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Codes, Floats, Integers, Places
from rocwise.data.class_rows import ClassRows
from rocwise.data.rankings import refuse_single_rows, single_class
from rocwise.inference.comparison import DeferredEstimate, IntervalPlan, with_limits
from rocwise.inference.resampling import (
    ROWS_PER_CELL,
    drawn_words,
    in_chunks,
    percentile_limits,
    sampled_rows,
    stratified_draws,
)
from rocwise.inference.variance import CovarianceByClass, covariance_of_parts
from rocwise.inputs.coercion import Missing, as_class_rows
from rocwise.kernels.threads import limited_to, run_parts, thread_limit
from rocwise.multiclass.curves import class_area, present_classes, with_weight
from rocwise.progress import Report
from rocwise.results import ASIDE, Interval, Table, result

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
    place = sampled_rows(models[0].codes).of_rows.astype(np.int32)
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


AucMethod = Literal["auto", "delong", "logit", "bootstrap"]
METHODS: dict[str, str] = {
    "auto": "DeLong",
    "delong": "DeLong",
    "logit": "logit DeLong",
    "bootstrap": "bootstrap percentile",
}


@result
class MulticlassAuc(DeferredEstimate):
    """An average area over classes; standard error and interval are computed when asked for."""

    value: float
    average: Average
    pairwise: Floats
    per_class: Floats
    directed: Floats
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    method: str
    level: float
    seed: int | None = None
    _areas: ClassAreas = field(metadata=ASIDE)
    _rows: ClassRows = field(metadata=ASIDE)

    def _made(self) -> tuple[float, Interval]:
        return _error_and_interval(self._areas, self.average, self.value, self._plan)

    @property
    def has_interval(self) -> bool:
        """Whether every class has the two rows that a standard error needs."""
        return self._areas.has_spread

    def per_class_intervals(self) -> dict[str, Interval]:
        """Intervals of `per_class` by the name of the class; classes without rows have none.

        Each class against the rest is a question about two classes, and has the interval of
        `auc`; with clusters the cluster-robust one.
        """
        present = self._areas.present.tolist()
        return {self.names[k]: class_area(self._rows, k, self.level).interval for k in present}

    def per_class_table(self) -> Table:
        """One row for each class: its rows, and its area against the rest with the interval."""
        intervals = self.per_class_intervals()
        present = [k for k, name in enumerate(self.names) if name in intervals]
        found = [intervals[self.names[k]] for k in present]
        return Table(
            {
                "class": np.array([self.names[k] for k in present], dtype=object),
                "n": np.array([self.sizes[k] for k in present]),
                "auc": self.per_class[present],
                "low": np.array([each.low for each in found]),
                "high": np.array([each.high for each in found]),
                "method": np.array([each.method for each in found], dtype=object),
            }
        )

    def pairwise_intervals(self) -> dict[tuple[str, str], Interval]:
        """Intervals of `pairwise` by the names of both classes, by the method of the average.

        A pair of classes is a question of its own: the mean of their two areas over their rows.
        Pairs with a class of fewer than two rows have none.
        """
        present = self._areas.present.tolist()
        enough = [k for k in present if self.sizes[k] > 1]
        return {
            (self.names[i], self.names[j]): self._pair_interval(i, j)
            for i, j in combinations(enough, 2)
        }

    def _pair_interval(self, i: int, j: int) -> Interval:
        areas = ClassAreas(_of_two(self._rows, i, j))
        return _error_and_interval(areas, "hand-till", float(self.pairwise[i, j]), self._plan)[1]

    def pairwise_table(self) -> Table:
        """One row for each pair of classes: their area with its interval."""
        intervals = self.pairwise_intervals()
        place = {name: k for k, name in enumerate(self.names)}
        found = list(intervals.values())
        return Table(
            {
                "first": np.array([first for first, _ in intervals], dtype=object),
                "second": np.array([second for _, second in intervals], dtype=object),
                "auc": np.array([self.pairwise[place[a], place[b]] for a, b in intervals]),
                "low": np.array([each.low for each in found]),
                "high": np.array([each.high for each in found]),
                "method": np.array([each.method for each in found], dtype=object),
            }
        )

    @property
    def quantity(self) -> str:
        """What the value is, in words: ``Hand-Till M``."""
        return AVERAGES[self.average]

    def _sentence(self) -> str:
        n = sum(self.sizes)
        return (
            f"{self.quantity} {printing.rate(self.value, n)} ({self._spread_words(n)}); "
            f"{len(self._areas.present)} classes, {printing.count(n)} rows"
        )

    def _columns(self) -> dict[str, Any]:
        pairs = np.triu_indices(len(self.names), 1)
        names = np.array(self.names)
        return {
            "first": names[pairs[0]],
            "second": names[pairs[1]],
            "auc": self.pairwise[pairs],
            "first_over_second": self.directed[pairs],
            "second_over_first": self.directed.T[pairs],
        }


def auc(
    y_true: Any,
    y_score: Any = None,
    *,
    classes: Any = None,
    average: Average = "hand-till",
    level: float = 0.95,
    method: AucMethod = "auto",
    ignore_absent: bool = False,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    missing: Missing = "raise",
) -> MulticlassAuc:
    """How well a model with one score per class tells several classes apart.

    Parameters
    ----------
    y_true : array-like (n,)
        The true class of each row: the column numbers 0..m-1 of `y_score`, the names of its
        columns if it is a frame, or labels of any kind with `classes`.
    y_score : array-like (n, m)
        One score per class, on any scale.
    classes : sequence of labels, optional
        The label of each column of `y_score`, in their order.
    average : {"hand-till", "ovr", "ovr-weighted", "ovo-weighted"}
        Mean over all pairs of classes (Hand and Till's M), mean of every class against the rest,
        the same weighted by class size, or all pairs weighted by the sizes of their classes.
    level : float, default 0.95
        Confidence level.
    method : {"auto", "delong", "logit", "bootstrap"}
        How standard error and interval are made, when first asked for; class sizes are taken as
        given. "auto" is "delong", or with few rows Wilson's interval with an effective size.
    ignore_absent : bool, default False
        Leave out classes without rows instead of refusing them.
    n_resamples, rng, progress
        Of the bootstrap, which draws rows within their class; as in `bootstrap`.
    sample_weight, groups, missing : optional
        Weight and cluster of each row, as in `tally`; "raise", or "drop" for incomplete rows.

    Returns
    -------
    MulticlassAuc
        With `value`, `standard_error`, `interval`; `pairwise` (m, m) areas A(i, j); `directed`
        (m, m) areas A(i|j) in the column of i; `per_class` (m,), each class against the rest;
        with intervals in `per_class_table()` and `pairwise_table()`.

    Examples
    --------
    >>> import rocwise as rw
    >>> scores = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]]
    >>> rw.multiclass.auc([0, 0, 1, 2], scores)
    Hand-Till M 0.96 (no interval: a class has one row); 3 classes, 4 rows
    """
    rows = as_class_rows(
        y_true,
        y_score,
        classes=classes,
        sample_weight=sample_weight,
        groups=groups,
        missing=missing,
        nonnegative=False,
    )
    rows = with_weight(rows)
    checks.one_of(average, "average", get_args(Average))
    checks.one_of(method, "method", get_args(AucMethod))
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2)
    ignore_absent = checks.flag(ignore_absent, "ignore_absent")
    seed = checks.seed(rng) if method == "bootstrap" else None
    areas = ClassAreas(rows, ignore_absent=ignore_absent)
    directed = areas.directed()
    return MulticlassAuc(
        value=weighted_sum(directed, average_weights(average, areas.sizes)),
        average=average,
        pairwise=_spread_out((directed + directed.T) / 2, areas, rows.n_classes),
        directed=_spread_out(directed, areas, rows.n_classes),
        per_class=_spread_out(one_vs_rest(directed, areas.sizes), areas, rows.n_classes),
        names=rows.class_names,
        sizes=tuple(np.bincount(rows.labels, minlength=rows.n_classes).tolist()),
        method=method,
        level=level,
        seed=seed,
        origin=rows.origin,
        _areas=areas,
        _rows=rows,
        _plan=IntervalPlan(method, level, n_resamples, seed, progress),
    )


def _of_two(rows: ClassRows, i: int, j: int) -> ClassRows:
    """The rows of two classes, with their two columns."""
    kept = np.flatnonzero((rows.labels == i) | (rows.labels == j))
    clusters = None if rows.clusters is None else kernels.distinct(rows.clusters[kept])
    return ClassRows(
        (rows.labels[kept] == j).astype(rows.labels.dtype),
        np.ascontiguousarray(rows.scores[kept][:, [i, j]]),
        weights=None if rows.weights is None else rows.weights[kept],
        clusters=None if clusters is None else clusters[1],
    )


def _spread_out(values: Floats, areas: ClassAreas, n_classes: int) -> Floats:
    """Values of the present classes at their place among all; nan where a class has no row."""
    everywhere = np.full((n_classes,) * values.ndim, np.nan)
    everywhere[np.ix_(*(areas.present,) * values.ndim)] = values
    return everywhere


def _error_and_interval(
    areas: ClassAreas, average: Average, value: float, plan: IntervalPlan
) -> tuple[float, Interval]:
    """Standard error and interval; where the sample shows no spread, Hoeffding's bound."""
    areas.refuse_single_rows("the standard error")
    level, method = plan.level, plan.method
    if method == "bootstrap":
        assert plan.seed is not None
        draws = resampled(
            [areas],
            average,
            n_resamples=plan.n_resamples,
            seed=plan.seed,
            progress=plan.progress,
        )[:, 0]
        error = float(draws.std(ddof=1))
        if error > 1e-12:
            words = METHODS[method] + drawn_words(areas.weights, areas.clusters)
            return error, Interval(*percentile_limits(draws, level), level, words)
    spread = area_covariance([areas], average).variance(0)
    clustered = areas.clusters is not None
    return with_limits(value, spread, plan, METHODS[method], clustered=clustered)


def area_covariance(models: list[ClassAreas], average: Average) -> CovarianceByClass:
    """DeLong-style covariance matrix of an average of several models of the same rows."""
    weights = average_weights(average, models[0].sizes)
    parts = np.stack([areas.parts(weights) for areas in models])
    first = models[0]
    return covariance_of_parts(parts, first.codes, first.weights, first.clusters, averaged=weights)
