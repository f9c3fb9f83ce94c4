"""Areas over several classes, with their intervals, and comparisons of models by them."""

from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Codes, Floats, Places
from rocwise.data.class_rows import ClassRows
from rocwise.data.rankings import check_two_rows, rank_classes, single_class
from rocwise.inference.class_measures import ClassMeasure, DeferredEstimate, interval_plan
from rocwise.inference.comparison import Comparison
from rocwise.inference.significance import Alternative, checked_margin
from rocwise.inputs.coercion import ClusteredClassOptions, options_shown
from rocwise.inputs.several_classes import model_rows
from rocwise.multiclass import curves
from rocwise.progress import Report
from rocwise.results import ASIDE, Interval, Table, result

Average = Literal["hand-till", "ovr", "ovr-weighted", "ovo-weighted"]
AVERAGES: dict[str, str] = {
    "hand-till": "Hand-Till M",
    "ovr": "mean one-vs-rest AUC",
    "ovr-weighted": "one-vs-rest AUC weighted by class size",
    "ovo-weighted": "one-vs-one AUC weighted by class size",
}


class ClassAreas:
    """All A(i|j) of one model, on the classes that have rows: those of the columns `present`."""

    def __init__(self, rows: ClassRows, *, ignore_absent: bool = False) -> None:
        rows = curves.with_weight(rows)
        self.present: Places = curves.present_classes(rows, ignore_absent=ignore_absent)
        self.n_scores: int = len(self.present)
        numbers = np.zeros(rows.n_classes, np.uint8)
        numbers[self.present] = np.arange(self.n_scores, dtype=np.uint8)
        self.codes: Codes = numbers[rows.labels]
        self.weights: Floats | None = rows.weights
        self.clusters: Places | None = rows.clusters
        self.sizes: Floats = rows.class_sizes[self.present]
        columns = [np.ascontiguousarray(rows.scores[:, k]) for k in self.present]
        self._orders = [rank_classes(self.codes, column) for column in columns]

    @property
    def has_variance(self) -> bool:
        """Whether every class has the two rows, or clusters, that a standard error needs."""
        return single_class(self.codes, self.n_scores, self.clusters) is None

    def check_two_rows(self, what: str) -> None:
        """An error for a class with one row, whose variance is undefined."""
        check_two_rows(self.codes, tuple(self.present.tolist()), self.clusters, what)

    def _row_weights(self) -> Floats:
        return np.ones(len(self.codes)) if self.weights is None else self.weights

    def directed(self, weights: Floats | None = None, sizes: Floats | None = None) -> Floats:
        """A(i|j), nan on the diagonal; of a resample with its weights and sums of weights."""
        weights = self._row_weights() if weights is None else weights
        sizes = self.sizes if sizes is None else sizes
        areas = np.full((self.n_scores, self.n_scores), np.nan)
        for i, (order, ranked, starts) in enumerate(self._orders):
            below = kernels.pair_wins(ranked, starts, weights[order], self.n_scores, own=i)[0]
            areas[i] = np.clip(1.0 - below / (2 * sizes[i] * sizes), 0.0, 1.0)
            areas[i, i] = np.nan
        return areas

    def parts(self, weights: Floats) -> Floats:
        """For each row the weighted mean credit of its comparisons, by class: V of DeLong."""
        parts, row_weights = np.zeros(len(self.codes)), self._row_weights()
        for i in np.flatnonzero(weights.any(axis=1)):
            order, ranked, starts = self._orders[i]
            own, rows = ranked == i, row_weights[order]
            others = _sums_below(rows * (weights[i] / self.sizes)[ranked], starts)
            below = _sums_below(np.where(own, rows / self.sizes[i], 0.0), starts)
            parts[order] += np.where(own, others, weights[i][ranked] * (1.0 - below))
        return parts


def _sums_below(weights: Floats, starts: Codes) -> Floats:
    """Of each sorted row the sum of the weights at lower scores, and half of those tied."""
    upto = np.cumsum(weights)
    if starts.all():
        return np.asarray(upto - weights / 2)
    firsts = np.flatnonzero(starts)
    ends = np.append(firsts[1:], len(starts))
    tied = np.add.reduceat(weights, firsts)
    return np.repeat(upto[ends - 1] - tied / 2, ends - firsts)


def average_weights(average: str, sizes: Floats) -> Floats:
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
    """The average of areas."""
    flat = weights.ravel()
    areas = np.where(flat > 0, directed.ravel(), 0.0)
    # the same sum above and below, so that areas of 1 average to exactly 1
    return float(areas @ flat / (np.ones_like(flat) @ flat))


@dataclass(frozen=True)
class AverageArea(ClassMeasure):
    """An average of the areas of several classes."""

    names = AVERAGES

    def value(
        self, sample: ClassAreas, weights: Floats | None = None, sizes: Floats | None = None
    ) -> float:
        """The average of the areas of a model; in resamples classes count as in the sample."""
        return weighted_sum(sample.directed(weights, sizes), self.pair_weights(sample.sizes))

    def parts(self, sample: ClassAreas) -> Floats:
        """What each row contributes."""
        return sample.parts(self.pair_weights(sample.sizes))

    def pair_weights(self, sizes: Floats) -> Floats:
        """Weight of each A(i|j)."""
        return average_weights(self.kind, sizes)


AucMethod = Literal["auto", "wilson", "delong", "logit", "bootstrap"]


@result
class MulticlassAuc(DeferredEstimate):
    """Multiclass AUC; standard error and interval are computed on access."""

    average: Average
    pairwise: Floats
    per_class: Floats
    directed: Floats
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    _rows: ClassRows = field(metadata=ASIDE)

    def per_class_intervals(self) -> dict[str, Interval]:
        """Intervals of `per_class` by the name of the class; classes without rows have none.

        The one-vs-rest AUC of each class has the interval of
        `auc`; with clusters the cluster-robust one.
        """
        present = self._sample.present.tolist()
        return {
            self.names[k]: curves.class_area(self._rows, k, self.level).interval for k in present
        }

    def per_class_table(self) -> Table:
        """One row for each class: its rows, and its area against the rest with the interval."""
        intervals = self.per_class_intervals()
        present = [k for k, name in enumerate(self.names) if name in intervals]
        columns = {
            "class": np.array([self.names[k] for k in present], dtype=object),
            "n": np.array([self.sizes[k] for k in present]),
            "auc": self.per_class[present],
        }
        return Table(columns | _limits(intervals))

    def pairwise_intervals(self) -> dict[tuple[str, str], Interval]:
        """Intervals of `pairwise` by the names of both classes, by the method of the average.

        Intervals of the mean of the two AUCs of each pair of classes.
        Pairs with a class of fewer than two rows have none.
        """
        found, of_two = {}, AverageArea("hand-till")
        for i, j in combinations([k for k in self._sample.present if self.sizes[k] > 1], 2):
            both = curves.chosen_rows(
                self._rows, np.flatnonzero(np.isin(self._rows.labels, (i, j)))
            )
            labels, scores = (both.labels == j).astype(np.intp), both.scores[:, [i, j]]
            areas = ClassAreas(replace(both, labels=labels, scores=scores, names=(), classes=()))
            value = float(self.pairwise[i, j])
            interval = of_two.error_and_interval(areas, value, self._plan)[1]
            found[self.names[i], self.names[j]] = interval
        return found

    def pairwise_table(self) -> Table:
        """One row for each pair of classes: their area with its interval."""
        intervals = self.pairwise_intervals()
        place = {name: k for k, name in enumerate(self.names)}
        columns = {
            "first": np.array([first for first, _ in intervals], dtype=object),
            "second": np.array([second for _, second in intervals], dtype=object),
            "auc": np.array([self.pairwise[place[a], place[b]] for a, b in intervals]),
        }
        return Table(columns | _limits(intervals))

    def _sentence(self) -> str:
        n = sum(self.sizes)
        return (
            f"{self.quantity} {printing.rate(self.value, n)} ({self._interval_words(n)}); "
            f"{self._sample.n_scores} classes, {printing.count(n)} rows"
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


def _limits(intervals: dict[Any, Interval]) -> dict[str, Array]:
    """Intervals as columns of a table."""
    found = list(intervals.values())
    return {
        "low": np.array([each.low for each in found]),
        "high": np.array([each.high for each in found]),
        "method": np.array([each.method for each in found], dtype=object),
    }


@options_shown(ClusteredClassOptions)
def auc(
    y_true: Any,
    y_score: Any = None,
    *,
    average: Average = "hand-till",
    level: float = 0.95,
    method: AucMethod = "auto",
    ignore_absent: bool = False,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[ClusteredClassOptions],
) -> MulticlassAuc:
    """Compute the AUC of several classes with a confidence interval.

    Parameters
    ----------
    average : {"hand-till", "ovr", "ovr-weighted", "ovo-weighted"}, default "hand-till"
        Mean over all pairs of classes (Hand and Till's M [1]_), mean of each class against the
        rest, the same weighted by class size, or mean over pairs weighted by the sizes of their
        classes.
    level : float, default 0.95
        Confidence level.
    method : {"auto", "wilson", "delong", "logit", "bootstrap"}, default "auto"
        Method of standard error and interval, as in `auc`, with class sizes fixed. "auto" is
        "wilson".
    ignore_absent : bool, default False
        Whether to leave out classes without rows in place of an error.
    n_resamples : int, default 2000
        Number of resamples of "bootstrap", drawn within each class.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.

    Returns
    -------
    MulticlassAuc
        Result with `value`, `standard_error`, `interval`; `pairwise` and `directed`, (m, m) arrays
        of A(i, j) and A(i|j); `per_class`, each class against the rest; and the methods
        ``per_class_table()`` and ``pairwise_table()`` with their intervals.

    See Also
    --------
    multiclass.roc : One-vs-rest ROC curves.
    multiclass.compare : Comparison of multiclass AUCs.
    multiclass.hum : Hypervolume under the manifold.
    multiclass.micro_auc : Micro-averaged AUC.
    auc : AUC with a confidence interval.

    References
    ----------
    .. [1] D. J. Hand and R. J. Till, "A simple generalisation of the area under the ROC curve for
           multiple class classification problems", Mach. Learn. 45, 2001.
           doi:10.1023/A:1010920819831

    Examples
    --------
    >>> import rocwise as rw
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]]
    >>> result = rw.multiclass.auc([0, 0, 1, 2], y_score)
    >>> round(result.value, 3), result.per_class.round(3).tolist()
    (0.958, [1.0, 0.833, 1.0])
    >>> ax = result.plot()
    """
    rows = curves.weighted_rows(y_true, y_score, given)
    checks.one_of(average, "average", get_args(Average))
    checks.one_of(method, "method", get_args(AucMethod))
    measure = AverageArea(average)
    plan = interval_plan(method, level, n_resamples, rng, progress)
    areas = ClassAreas(rows, ignore_absent=checks.flag(ignore_absent, "ignore_absent"))
    directed = areas.directed()
    filled = np.nan_to_num(directed, nan=0.0)
    one_vs_rest = filled @ areas.sizes / (areas.sizes.sum() - areas.sizes)  # (A24)
    return MulticlassAuc(
        value=weighted_sum(directed, measure.pair_weights(areas.sizes)),
        average=average,
        pairwise=_among_all((directed + directed.T) / 2, areas, rows.n_classes),
        directed=_among_all(directed, areas, rows.n_classes),
        per_class=_among_all(one_vs_rest, areas, rows.n_classes),
        names=rows.class_names,
        sizes=tuple(np.bincount(rows.labels, minlength=rows.n_classes).tolist()),
        method=method,
        level=plan.level,
        **plan.drawn,
        origin=rows.origin,
        _measure=measure,
        _sample=areas,
        _rows=rows,
        _plan=plan,
    )


def _among_all(values: Floats, areas: ClassAreas, n_classes: int) -> Floats:
    """Values of the present classes at their place among all; nan where a class has no row."""
    everywhere = np.full((n_classes,) * values.ndim, np.nan)
    everywhere[np.ix_(*(areas.present,) * values.ndim)] = values
    return everywhere


CompareMethod = Literal["auto", "delong", "wilson", "bootstrap"]


@options_shown(ClusteredClassOptions)
def compare(
    y_true: Any,
    scores: Any,
    *,
    average: Average = "hand-till",
    method: CompareMethod = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    ignore_absent: bool = False,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[ClusteredClassOptions],
) -> Comparison:
    """Compare the multiclass AUCs of models on the same rows.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels, as in `multiclass.auc`.
    scores : dict of str to array-like of shape (n, m)
        Scores of each model, all with the same classes in the same order.
    average : {"hand-till", "ovr", "ovr-weighted", "ovo-weighted"}, default "hand-till"
        Average to compare, as in `multiclass.auc`.
    method : {"auto", "delong", "wilson", "bootstrap"}, default "auto"
        Method of test and interval: DeLong's test [1]_ with Student's t, the Wilson limits of both
        AUCs, or the bootstrap. "auto" is "delong", with a `margin` "wilson".
    level : float, default 0.95
        Confidence level of the two-sided interval.
    alternative : str, default "two-sided"
        One of {"two-sided", "greater", "less", "non-inferior", "equivalent"}, about the
        difference, first minus second. The last two need `margin`.
    margin : float, optional
        Largest difference that counts as equal, for non-inferiority and equivalence tests.
    ignore_absent : bool, default False
        Whether to leave out classes without rows in place of an error.
    n_resamples : int, default 2000
        Number of bootstrap resamples.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.

    Returns
    -------
    Comparison
        Result with `estimates`, `difference`, `standard_error`, `interval`, `statistic` and
        `p_value`; for more than two models the joint test and `pairwise`.

    See Also
    --------
    multiclass.auc : AUC of several classes.
    compare : Test and interval for the difference of AUCs.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the areas under two or
           more correlated receiver operating characteristic curves", Biometrics 44, 1988.
           doi:10.2307/2531595

    Examples
    --------
    >>> import numpy as np, rocwise as rw
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> a = np.array([[6, 2, 2], [4, 5, 1], [3, 5, 2], [2, 6, 2], [2, 3, 5], [3, 3, 4]])
    >>> b = np.array([[5, 3, 2], [4, 3, 3], [4, 3, 3], [2, 4, 4], [3, 3, 4], [4, 2, 4]])
    >>> result = rw.multiclass.compare(y, {"a": a, "b": b})
    >>> round(result.difference, 3), round(result.p_value, 3)
    (0.125, 0.147)
    >>> ax = result.plot()
    """
    models = model_rows(y_true, scores, **given)
    checks.one_of(average, "average", get_args(Average))
    checks.one_of(method, "method", get_args(CompareMethod))
    measure = AverageArea(average)
    plan = interval_plan(method, level, n_resamples, rng, progress, len(models))
    ignore_absent = checks.flag(ignore_absent, "ignore_absent")
    margin = checked_margin(alternative, margin, len(models))
    areas = {n: ClassAreas(rows, ignore_absent=ignore_absent) for n, rows in models.items()}
    origin = next(iter(models.values())).origin
    return measure.compared(areas, plan, alternative, margin, origin)
