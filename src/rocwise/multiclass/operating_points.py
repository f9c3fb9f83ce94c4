"""`class_cost`: what a rule costs on data it was not fitted to."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from math import factorial, inf, sqrt
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Floats, Places
from rocwise.data.class_rows import ClassRows, checked_scores, rescaled
from rocwise.errors import InputError, MisuseWarning, count_of, listed, shown, warn
from rocwise.inference.cost_matrices import class_shares, cost_matrix
from rocwise.inference.proportions import proportion_limits
from rocwise.inputs.coercion import Missing, as_class_rows
from rocwise.progress import Report, reporter
from rocwise.results import Result, result

LONG_PAIR_MOVES = 3_000_000_000  # pairs of classes times squared rows: about 20 s
LONG_PROGRAMME = 50_000  # cells of a linear programme: about 20 s


class TimeLimit:
    """Asked between steps of a search: shows progress and says when the time is over.

    Parameters
    ----------
    seconds : float or None
        How long the search may take; None for no limit.
    progress : bool, callable or None
        As in `rocwise.progress.reporter`.
    label : str
        What the line on the terminal says.

    Examples
    --------
    >>> limit = TimeLimit(60.0)
    >>> limit.is_over(), limit.ran_out
    (False, False)
    """

    def __init__(
        self,
        seconds: float | None = None,
        progress: bool | Report | None = False,
        label: str = "class weights",
    ) -> None:
        checks.reported(progress)
        self.seconds: float | None = None if seconds is None else _checked(seconds)
        self.started: float = time.perf_counter()
        self.ran_out: bool = False
        self._report = reporter(progress, label)
        self._asking = threading.get_ident()  # what is told need not be made for other threads

    def is_over(self, done: float | None = None) -> bool:
        """Report the fraction done, if given, and tell whether the search must stop."""
        if done is not None and threading.get_ident() == self._asking:
            self._report(min(done, 1.0))
        if self.seconds is not None and self.left() <= 0:
            self.ran_out = True
        return self.ran_out

    def left(self) -> float:
        """Seconds left; infinite without a limit."""
        if self.seconds is None:
            return float("inf")
        return self.seconds - (time.perf_counter() - self.started)

    def close(self) -> None:
        """Wipe the line on the terminal."""
        self._report(1.0)


class TimeIsOverError(Exception):
    """Ends a search in the middle of a step."""


class BestSoFar:
    """The best of the points that a search has tried, for one that is ended by its time limit.

    Examples
    --------
    >>> best = BestSoFar(TimeLimit(60.0))
    >>> for point, value in ((1.0, 5.0), (2.0, 3.0), (3.0, 4.0)):
    ...     best.tried(np.array([point]), value)
    >>> best.point.tolist()
    [2.0]
    """

    def __init__(self, limit: TimeLimit) -> None:
        self.limit: TimeLimit = limit
        self.point: Floats = np.empty(0)
        self.value: float = np.inf

    def tried(self, point: Floats, value: float) -> None:
        """Remember a better point, or the first; an error ends the search when time is over."""
        if not self.point.size or value < self.value:
            self.point, self.value = point.copy(), value
        if self.limit.is_over():
            raise TimeIsOverError


def warn_if_long(method: str, n_rows: int, n_classes: int) -> None:
    """Say beforehand that a search without a limit will take more than about 20 seconds."""
    moves = n_classes * (n_classes - 1) // 2 * n_rows**2
    cells = n_rows * n_classes
    if (method == "pair-moves" and moves > LONG_PAIR_MOVES) or (
        method == "lp" and cells > LONG_PROGRAMME
    ):
        warn(
            f"`method` {method!r} on {n_rows:,} distinct rows of {n_classes} classes takes long, "
            "perhaps many minutes. Pass `time_limit` for the best weights within so many seconds, "
            "or method='passes', which is much faster."
        )


def _checked(value: Any) -> float:
    seconds = checks.real(value, "time_limit")
    if seconds <= 0:
        raise InputError(f"`time_limit` must be a number of seconds above 0; got {shown(value)}.")
    return seconds


Classes = Places

CALLED_FIRST = "always called class 0"  # what a rule does with rows without confidence


@dataclass(frozen=True, eq=False)
class OperatingProblem:
    """Scores and losses; arrays have one line per class, so that classes are contiguous.

    Attributes
    ----------
    scores : ndarray (m, n)
        f_ik, at least 0. Equal rows of one class are one column here, with their losses added.
    labels, row_weights : ndarray (n,)
        True classes, and how many rows (or what sum of weights) each column stands for.
    costs, prior, class_sizes : ndarray
        (m, m), costs[true, predicted]; (m,); rows of each class, or the sum of their weights.
    given_losses : ndarray (m, n), optional
        Losses of rows that were drawn from others, whose shares they have.
    """

    scores: Floats
    labels: Classes
    row_weights: Floats
    costs: Floats
    prior: Floats
    class_sizes: Floats
    given_losses: Floats | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes m."""
        return len(self.scores)

    @property
    def n_rows(self) -> int:
        """Number of distinct rows."""
        return int(self.scores.shape[1])

    @property
    def least_gain(self) -> float:
        """Costs that differ by less are equal: rounding, in the units of the costs."""
        return 1e-12 * float(self.costs.max() or 1.0)

    @cached_property
    def row_shares(self) -> Floats:
        """p_y / n_y times the weight of each row: what a loss of 1 there adds."""
        return shares_per_row(self.prior, self.class_sizes)[self.labels] * self.row_weights

    @cached_property
    def losses(self) -> Floats:
        """a_ik = p_y / n_y * c_yk * weight (m, n), y the true class of row i.

        Expected cost is the sum of the losses of the classes called. Made when it is asked for: it
        is as large as the scores, and a rule without weights does not need it.
        """
        if self.given_losses is not None:
            return self.given_losses
        return np.asarray(np.take(self.costs.T, self.labels, axis=1) * self.row_shares)

    def logs(self) -> Floats:
        """Logarithms of the scores; minus infinity at 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.scores)

    def cost(self, called: Classes) -> float:
        """Expected cost of calling the rows these classes."""
        if self.given_losses is not None:
            return float(self.given_losses[called, np.arange(self.n_rows)].sum())
        return float((self.costs[self.labels, called] * self.row_shares).sum())

    def cost_at(self, weights: Floats) -> float:
        """Expected cost of the largest weighted confidence."""
        return self.cost(called_classes(self.scores, weights))


def called_classes(scores: Floats, weights: Floats) -> Classes:
    """The class of the largest weighted confidence in each column; ties: the lowest class.

    >>> called_classes(np.array([[0.4, 0.5], [0.6, 0.25]]), np.array([1.0, 2.0])).tolist()
    [1, 0]
    """
    best, called = scores[0] * weights[0], np.zeros(scores.shape[1], np.intp)
    for k in range(1, len(scores)):
        weighted = scores[k] * weights[k]
        np.copyto(called, k, where=weighted > best)
        np.maximum(best, weighted, out=best)
    return called


def operating_problem(
    rows: ClassRows, costs: Any, prior: Any, empty_rows: str = CALLED_FIRST
) -> OperatingProblem:
    """Check costs and prior, and work out the losses; by default every error costs 1."""
    m, sizes = rows.n_classes, rows.class_sizes
    matrix = 1.0 - np.eye(m) if costs is None else cost_matrix(costs, m)
    shares = class_shares(prior, sizes)
    warn_of_empty_rows(rows.scores, rows.rows, fate=empty_rows)
    weights = np.ones(len(rows.labels)) if rows.weights is None else rows.weights
    lines, labels, counts = _distinct(rescaled(rows.scores), rows.labels, weights)
    return OperatingProblem(lines, labels, counts, matrix, shares, sizes)


def shares_per_row(prior: Floats, sizes: Floats) -> Floats:
    """p_j / n_j, and 0 for a class without rows."""
    return np.divide(prior, sizes, out=np.zeros_like(prior), where=sizes > 0)


def warn_of_empty_rows(
    scores: Floats,
    rows: Places | None = None,
    fate: str = CALLED_FIRST,
) -> None:
    """Say how many rows have no confidence in any class."""
    empty = ~scores.any(axis=1)
    if empty.any():
        first = int(empty.argmax()) if rows is None else int(rows[empty.argmax()])
        warn(
            f"`y_score` has {count_of(int(empty.sum()), 'row')} without any confidence above 0 "
            f"(first at row {first}); such rows are {fate}.",
            MisuseWarning,
        )


def _distinct(scores: Floats, labels: Classes, weights: Floats) -> tuple[Floats, Classes, Floats]:
    """Distinct rows in an order that does not depend on how the data were ordered or repeated.

    Rows are sorted by one mixture of their columns, in which equal rows are neighbors. Scores
    are returned with a line for each class.
    """
    present = weights > 0
    if not present.all():
        scores, labels, weights = scores[present], labels[present], weights[present]
    *factors, of_label = np.random.default_rng(0).random(scores.shape[1] + 1)
    scale = scores.max() or 1.0
    lines = np.ascontiguousarray(scores.T)
    mixture = of_label * labels
    for factor, line in zip(factors, lines, strict=True):
        mixture += line / scale * factor
    order = kernels.argsort(mixture)
    mixture, labels, weights = mixture[order], labels[order], weights[order]
    lines = np.take(lines, order, axis=1)
    differs = mixture[1:] != mixture[:-1]
    equal = np.flatnonzero(~differs)
    differs[equal] = (labels[equal + 1] != labels[equal]) | (
        lines[:, equal + 1] != lines[:, equal]
    ).any(axis=0)
    if differs.all():
        return lines, labels, weights
    starts = np.concatenate(([0], np.flatnonzero(differs) + 1))
    return np.take(lines, starts, axis=1), labels[starts], np.add.reduceat(weights, starts)


NOBODY = -1.0  # the score of a rival that is not there: every class is better


@dataclass(frozen=True, slots=True)
class Found:
    """A weight and the expected cost that goes with it, up to rounding."""

    weight: float
    cost: float


def rivals_of(scores: Floats, losses: Floats, weights: Floats, others: list[int]) -> Floats:
    """The best of `others` in every row; ties: the first of them in the order of the classes.

    A line of their largest weighted confidence, and one of what calling that class costs.
    """
    rivals = nobody(scores.shape[1])
    for k in sorted(others):
        own = scores[k], weights[k], losses[k]
        kernels.better_rivals(rivals, *own, own_first=False, out=rivals)
    return rivals


def nobody(n_rows: int) -> Floats:
    """Rivals of rows that have none."""
    rivals = np.zeros((2, n_rows))
    rivals[0] = NOBODY
    return rivals


class Contest:
    """The rivals of each class in turn, from the first to the last, without starting over.

    The best of the classes after each is worked out beforehand, the best of those before it as
    the turn passes on, so that one class costs a few passes over the rows whatever their number.
    """

    def __init__(self, scores: Floats, losses: Floats) -> None:
        self._scores, self._losses = scores, losses
        m, n = scores.shape
        self._before: Floats = nobody(n)
        self._spare: Floats = nobody(n)
        self._after: list[Floats] = [np.empty((2, n)) for _ in range(m)]
        self._after.append(nobody(n))
        self._ratios: Floats = np.empty((2, n))

    def begin(self, weights: Floats) -> float:
        """Come to the turn of the first class, and say what these weights cost."""
        for k in range(len(weights) - 1, -1, -1):
            better = self._after[k + 1], self._scores[k], weights[k], self._losses[k]
            kernels.better_rivals(*better, own_first=True, out=self._after[k])
        self._before[0] = NOBODY
        return float(self._after[0][1].sum())

    def best_weight(self, k: int) -> Found | None:
        """The cheapest weight of class k, whose turn it is; None if no weight matters."""
        rivals = self._before, self._after[k + 1]
        return best_weight(self._scores[k], self._losses[k], *rivals, out=self._ratios)

    def pass_on(self, k: int, weight: float) -> None:
        """The turn of class k ends with this weight."""
        own = self._scores[k], weight, self._losses[k]
        better = kernels.better_rivals(self._before, *own, own_first=False, out=self._spare)
        self._before, self._spare = better, self._before

    def cost(self) -> float:
        """What the weights cost with which all turns have ended."""
        return float(self._before[1].sum())


def best_weight(
    own: Floats,
    own_losses: Floats,
    rivals: Floats,
    others: Floats | None = None,
    out: Floats | None = None,
) -> Found | None:
    """The cheapest weight of one class, the smallest if several; None if no weight matters.

    Row i is called the class iff the weight exceeds rho_i = rival_i / own_i. Rows without
    confidence in the class are never called it, rows whose rivals have none always are.

    Parameters
    ----------
    own : ndarray (n,)
        Scores of the class.
    own_losses : ndarray (n,)
        What calling the rows that class costs.
    rivals, others : ndarray (2, n)
        The best of the other classes, as `rivals_of` gives them, or of two parts of them.
    out : ndarray (2, n), optional
        Room to work in.
    """
    others = rivals if others is None else others
    start, table = kernels.rival_ratios(own, own_losses, rivals, others, out)
    cut = kernels.cheapest_cut(*table)
    if cut.above == inf and cut.below == -inf:
        return None
    return Found(_between(cut.below, cut.above), start + cut.change)


def _between(below: float, above: float) -> float:
    """The weight at which exactly the rows with ratios up to `below` are called the class."""
    if below == -inf:
        return above / 2
    if above == inf:
        return below * 2
    return sqrt(below) * sqrt(above)


MOST_PASSES = 50
MOST_CLASSES_IN_ALL_ORDERS = 6
Stage = Literal["all", "seen"]
STAGES = get_args(Stage)


def sequential(
    problem: OperatingProblem, order: Sequence[int], stage: Stage, limit: TimeLimit
) -> Floats:
    """Place the classes in order, each with the best weight against those placed before.

    Lachiche & Flach (2003), with the weights chosen so far in the ratios. `stage="seen"` counts
    only rows of the classes placed so far, "all" every row. Classes for which there is no time
    have the weight 1.
    """
    weights = np.zeros(problem.n_classes)
    weights[order[0]] = 1.0
    rivals = rivals_of(problem.scores, problem.losses, weights, [order[0]])
    for place in range(1, len(order)):
        if limit.is_over():
            weights[list(order[place:])] = 1.0
            break
        target, placed = order[place], list(order[: place + 1])
        own, counted = problem.losses[target], rivals
        if stage == "seen":
            own, counted = _seen(problem, placed, own, rivals)
        found = best_weight(problem.scores[target], own, counted)
        weights[target] = 1.0 if found is None else found.weight
        rivals = _joined(problem, rivals, weights, placed)
    return weights


def _seen(
    problem: OperatingProblem, classes: list[int], own: Floats, rivals: Floats
) -> tuple[Floats, Floats]:
    """Losses of a class, and its rivals, that count rows of some classes only."""
    rows = np.isin(np.arange(problem.n_classes), classes)[problem.labels]
    return np.where(rows, own, 0.0), np.stack((rivals[0], np.where(rows, rivals[1], 0.0)))


def _joined(
    problem: OperatingProblem, rivals: Floats, weights: Floats, placed: list[int]
) -> Floats:
    """The best of the classes placed so far, given the best of all but the last of them."""
    last = placed[-1]
    if last < max(placed):  # it is called on ties with some of them, not with others
        return rivals_of(problem.scores, problem.losses, weights, placed)
    own = problem.scores[last], weights[last], problem.losses[last]
    return kernels.better_rivals(rivals, *own, own_first=False, out=rivals)


def sequential_orders(problem: OperatingProblem, order: Any) -> tuple[Iterable[Sequence[int]], int]:
    """The orders asked for, and how many: given, by falling class size, or all of them."""
    m = problem.n_classes
    if order is None:
        return [tuple(range(m))], 1
    if isinstance(order, str):
        checks.one_of(order, "order", ("frequency", "all"))
        if order == "frequency":
            return [_by_frequency(problem)], 1
        if m > MOST_CLASSES_IN_ALL_ORDERS:
            raise InputError(
                f"`order='all'` tries every order of at most {MOST_CLASSES_IN_ALL_ORDERS} "
                f"classes; got {m} classes. Use 'frequency' or give an order."
            )
        return permutations(range(m)), factorial(m)
    given = [checks.whole(k, "order", at_least=0) for k in order]
    if sorted(given) != list(range(m)):
        raise InputError(f"`order` must hold each class 0..{m - 1} once; got {shown(list(order))}.")
    return [tuple(given)], 1


def _by_frequency(problem: OperatingProblem) -> tuple[int, ...]:
    sizes = problem.class_sizes
    return tuple(int(k) for k in np.argsort(-sizes, kind="stable"))


def best_sequential(
    problem: OperatingProblem, order: Any, stage: Stage, limit: TimeLimit
) -> Floats:
    """The cheapest of the orders asked for; the first of them if several are."""
    checks.one_of(stage, "stage", STAGES)
    orders, n_orders = sequential_orders(problem, order)
    best, best_cost = np.ones(problem.n_classes), np.inf
    for done, each in enumerate(orders):
        if done and limit.is_over(done / n_orders):
            break
        weights = sequential(problem, each, stage, limit)
        cost = problem.cost_at(weights)
        if cost < best_cost - problem.least_gain:
            best, best_cost = weights, cost
    equal = np.ones(problem.n_classes)  # which may be cheaper than weights of some classes only
    return equal if limit.ran_out and problem.cost_at(equal) < best_cost else best


def passes(
    problem: OperatingProblem, start: Floats, limit: TimeLimit
) -> tuple[Floats, list[float]]:
    """Line searches over the classes in turn, until a whole pass brings nothing.

    Returns the weights and the costs at the start and after each pass; costs never rise.
    """
    weights, m = start.astype(np.float64), problem.n_classes
    contest = Contest(problem.scores, problem.losses)
    cost = contest.begin(weights)
    history = [cost]
    stale = np.zeros(m, dtype=np.bool_)  # searched since any other weight changed
    for _ in range(MOST_PASSES):
        moved = False
        for target in range(m):
            if limit.is_over():
                return weights, [*history, problem.cost_at(weights)]
            if not stale[target]:
                stale[target] = True
                found = contest.best_weight(target)
                if found is not None and found.cost < cost - problem.least_gain:
                    weights[target], cost, moved = found.weight, found.cost, True
                    stale[:] = False
                    stale[target] = True
            contest.pass_on(target, weights[target])
        cost = contest.cost()  # without the rounding of the running sums
        history.append(cost)
        if not moved:
            break
        contest.begin(weights)
    return weights, history


def best_passes(problem: OperatingProblem, limit: TimeLimit) -> tuple[Floats, list[float]]:
    """Passes from equal weights and from both kinds of sequential weights; the best of three."""
    natural, equal = range(problem.n_classes), np.ones(problem.n_classes)
    best = passes(problem, equal, limit)
    for done, stage in enumerate(STAGES, start=1):
        if limit.is_over(done / 3):
            break
        start = sequential(problem, natural, stage, limit)
        found = passes(problem, start, limit)
        if found[1][-1] < best[1][-1] - problem.least_gain:
            best = found
    return best


LARGEST = 1e300  # of a ratio of risks, so that a weight on top of it stays a number


def risks(scores: Floats, costs: Floats) -> Floats:
    """g_ik = sum over j of f_ij c_jk, one line per class k: what calling row i class k may cost.

    >>> risks(np.array([[0.75], [0.25]]), np.array([[0.0, 1.0], [4.0, 0.0]])).tolist()
    [[1.0], [0.75]]
    """
    return np.asarray(costs.T @ scores)


def least_risk(scores: Floats, costs: Floats, weights: Floats) -> Classes:
    """The class of the smallest risk divided by its weight; ties: the lowest class."""
    return np.asarray((risks(scores, costs) / weights[:, None]).argmin(axis=0))


def cost_column_weights(problem: OperatingProblem, limit: TimeLimit) -> Floats:
    """Weights 1 / alpha by passes from alpha = 1, so never worse than the plain least risk.

    argmin alpha_k g_ik = argmax (1 / alpha_k) (1 / g_ik): the same search on reciprocal risks.
    Without a risk in some class a row keeps the first such class whatever the weights.
    """
    table = risks(problem.scores, problem.costs)
    free = table == 0
    riskless = free.any(axis=0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        inverse = np.where(riskless, 0.0, np.minimum(table.max(axis=0) / table, LARGEST))
    inverse[free.argmax(axis=0)[riskless], np.flatnonzero(riskless)] = 1.0
    searched = replace(problem, scores=np.ascontiguousarray(inverse))
    return passes(searched, np.ones(problem.n_classes), limit)[0]


COLUMNS = "cost-columns"


def called_by(table: Floats, weights: Floats, costs: Floats, method: str) -> Classes:
    """The classes that a fitted rule calls; `table` has one line per class."""
    if method == COLUMNS:
        return least_risk(table, costs, weights)
    return called_classes(table, weights)


def shares_called(problem: OperatingProblem, called: Classes) -> Floats:
    """r_jk: of the rows of class j, the share called k; a class without rows has zeros."""
    m = problem.n_classes
    flat = np.bincount(problem.labels * m + called, problem.row_weights, minlength=m * m)
    counts = flat.reshape(m, m).astype(np.float64)
    totals = counts.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0))


@result
class ClassWeights(Result):
    """Weights of the classes; a row is called the class of the largest weighted confidence.

    Attributes
    ----------
    weights : ndarray (m,)
        As the method found them; only their ratios matter, and they are on this scale in print,
        in tables and in pictures. Of `method="cost-columns"`: 1 / alpha, where the class of the
        least risk / weight is called.
    cost, baseline_cost : float
        Expected cost on the data given, and that of the largest confidence (weights 1).
    method : str
        The method used; what "auto" picked.
    optimal : bool
        Whether no positive weights have a smaller cost on these data, up to cells narrower than
        the method can see.
    finished : bool
        False if the time was over first; the best weights so far are given.
    objective : float or None
        What "lp", "milp", "soft" and "genetic-soft" minimised.
    at_bound : bool
        "soft", "genetic-soft": whether a weight lies at the bound of the search, as for a constant
        classifier.
    costs, prior : ndarray
        What was minimised: costs[true, predicted], and the shares of the classes.
    called, baseline_called : ndarray (m, m)
        Of the rows of each class (line), the share called each class; with equal weights.
    sizes : ndarray (m,)
        Rows of each class, or the sums of their weights.
    names, classes : tuple
        What the classes are called, and their labels; no labels where they are column numbers.
    seed : int or None
        Repeats a random search.

    Examples
    --------
    >>> import rocwise as rw
    >>> found = rw.multiclass.class_weights([0, 1, 1], [[0.6, 0.4], [0.55, 0.45], [0.2, 0.8]])
    >>> found.cost, found.predict([[0.52, 0.48]]).tolist()
    (0.0, [1])
    """

    weights: Floats
    cost: float
    baseline_cost: float
    method: str
    optimal: bool
    finished: bool
    objective: float | None
    at_bound: bool
    costs: Floats
    prior: Floats
    called: Floats
    baseline_called: Floats
    seed: int | None
    sizes: Floats
    names: tuple[str, ...]
    classes: tuple[Any, ...] = ()

    def class_costs(self) -> tuple[Floats, Floats]:
        """What the rows of each class add to `baseline_cost`, and to `cost`."""
        before, after = (
            self.prior * (called * self.costs).sum(axis=1)
            for called in (self.baseline_called, self.called)
        )
        return before, after

    def predict(self, y_score: Any) -> Array:
        """The class called in each row of an (n, m) table of scores; ties: the lowest.

        A label of `classes` where these were given or named by a frame, else a column number.
        """
        return labelled(self.predict_columns(y_score), self.classes)

    def predict_columns(self, y_score: Any) -> Classes:
        """The same as column numbers."""
        table = checked_scores(in_class_order(y_score, self.names), len(self.weights))
        warn_of_empty_rows(table)
        return called_by(table.T, self.weights, self.costs, self.method)

    def right_limits(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Wilson's limits of the share of each class that is called right (the diagonal).

        For weights that are given; weights chosen on the same rows do a little worse on new ones.
        """
        right = np.diagonal(self.called)
        held = np.maximum(self.sizes, 1.0)
        level = checks.level(level)
        limits = [
            proportion_limits(np.array([share * n]), float(n), level, "wilson")
            for share, n in zip(right, held, strict=True)
        ]
        low, high = (np.array([float(each[k][0]) for each in limits]) for k in (0, 1))
        nobody = self.sizes == 0  # nothing is known of such a class
        return np.where(nobody, 0.0, low), np.where(nobody, 1.0, high)

    def _sentence(self) -> str:
        shown = weights_in_words(self.weights, self.names if self.named else ())
        proof = ", the optimum" if self.optimal else ""
        # equal weights of the columns are another rule than equal weights of the confidences
        plain = "the largest confidence" if self.method == COLUMNS else "equal weights"
        stopped = "" if self.finished else " (stopped by the time limit)"
        return (
            f"Class weights {shown} by {self.method}{stopped}: expected cost "
            f"{_cost(self.cost)}{proof}; {_cost(self.baseline_cost)} with {plain}"
        )

    @property
    def named(self) -> bool:
        """Whether the classes have names of their own."""
        return self.names != tuple(map(str, range(len(self.names))))

    def _columns(self) -> Mapping[str, Any]:
        low, high = self.right_limits()
        called = np.array(self.names, dtype=object) if self.named else np.arange(len(self.names))
        return {
            "class": called,
            "weight": self.weights,
            "prior": self.prior,
            "right": np.diagonal(self.called),
            "right_low": low,
            "right_high": high,
            "right_with_equal_weights": np.diagonal(self.baseline_called),
        }


def _cost(value: float) -> str:
    return printing.count(round(value, 4)) if value >= 100 else f"{value:.4g}"


def weights_in_words(weights: Floats, names: tuple[str, ...] = ()) -> str:
    """Weights in the order of the classes, with their names if they have any."""
    texts = [f"{weight:.4g}" for weight in weights]
    if not names:
        return ", ".join(texts)
    return ", ".join(f"{name} {text}" for name, text in zip(names, texts, strict=True))


def labelled(called: Classes, classes: tuple[Any, ...]) -> Array:
    """Column numbers as the labels of the columns, if these have any."""
    if not classes:
        return called
    kinds = {type(label) for label in classes}
    alike = len(kinds) == 1 and kinds <= {str, int, float, bool}
    return np.array(classes, dtype=None if alike else object)[called]


def in_class_order(y_score: Any, names: tuple[str, ...]) -> Any:
    """A frame with a column for every class in the order of the classes; the rest as it is."""
    columns = [str(name) for name in getattr(y_score, "columns", ())]
    if columns and all(name in columns for name in names):
        own = dict(zip(columns, y_score.columns, strict=True))
        return y_score[[own[name] for name in names]]
    return y_score


def class_cost(
    y_true: Any,
    y_score: Any = None,
    *,
    classes: Any = None,
    rule: Any = None,
    costs: Any = None,
    prior: Any = None,
    sample_weight: Any = None,
    missing: Missing = "raise",
) -> float:
    """Expected cost per case: sum over classes of prior * share called * cost.

    Parameters
    ----------
    y_true : array-like (n,)
        Classes: the column numbers 0..m-1 of `y_score`, the names of its columns if it is a
        frame, or labels of any kind with `classes`.
    y_score : array-like (n, m)
        Probabilities of the classes, or other scores of at least 0.
    classes : sequence of labels, optional
        The label of each column of `y_score`, in their order.
    rule : ClassWeights, MetaClass or array-like (m,), optional
        What decides: anything with `predict(y_score)`, or weights of the classes, of which
        some but not all may be 0. By default the largest confidence.
    costs : array-like (m, m), optional
        costs[true, predicted], 0 on the diagonal; by default every error costs 1.
    prior : array-like (m,), optional
        Shares of the classes; by default those of the data.
    sample_weight, missing
        Weight 2 is the row twice; "raise", or "drop" for leaving out incomplete rows.

    Returns
    -------
    float

    Examples
    --------
    >>> from rocwise.multiclass import class_cost
    >>> y_true, y_score = [0, 0, 1, 1], [[0.7, 0.3], [0.45, 0.55], [0.4, 0.6], [0.2, 0.8]]
    >>> class_cost(y_true, y_score), class_cost(y_true, y_score, rule=[1.3, 1])
    (0.25, 0.0)
    """
    rows = as_class_rows(
        y_true,
        y_score,
        classes=classes,
        sample_weight=sample_weight,
        missing=missing,
        nonnegative=True,
    )
    problem = operating_problem(rows, costs, prior)
    decides = getattr(rule, "predict_columns", None) or getattr(rule, "predict", None)
    if decides is not None:
        called = np.asarray(decides(problem.scores.T), dtype=np.intp)
        return problem.cost(called)
    weights = np.ones(problem.n_classes) if rule is None else checked_weights(rule, problem)
    return problem.cost(called_classes(problem.scores, weights))


def checked_weights(weights: Any, problem: OperatingProblem) -> Floats:
    """One finite number of at least 0 for each class, not all 0."""
    try:
        values = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"`rule` must be a rule or weights; got {shown(weights, 60)}.") from None
    if values.shape != (problem.n_classes,):
        raise InputError(
            f"`rule` must have one weight for each of {problem.n_classes} classes; got the shape "
            f"{values.shape}."
        )
    if not np.isfinite(values).all() or (values < 0).any() or not values.any():
        raise InputError(
            "`rule` must hold finite weights of at least 0, not all 0; got "
            f"{listed(values, limit=12)}."
        )
    return values
