"""Searches for class weights: one class at a time, by smooth costs, and at random.

Only ratios of weights matter, so that smooth and random searches use their logarithms.
"""

import inspect
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count, permutations, product
from math import inf, sqrt
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown, warn
from rocwise.multiclass.operating_points import OperatingProblem, altered_risks, risks
from rocwise.progress import Report, reporter

LONG_PAIR_MOVES = 3_000_000_000  # pairs of classes times squared rows: about 20 s
LONG_PROGRAMME = 50_000  # cells of a linear program: about 20 s
NO_CLASS = -1.0  # score where there is no runner-up: every class is better
MOST_PASSES = 50
MOST_CLASSES_IN_ALL_ORDERS = 6
LARGEST = 1e300  # of a ratio of risks, so that a weight on top of it stays a number
SOFT_LIMIT = 20.0  # bound of the logarithms of the weights
STARTS = 20
START_SCALE = 2.0
SHARPNESS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
LOG_LIMIT = 8.0  # bound of the logarithms of the weights
ELITE = 2
FINEST_MESH = 1e-6
Stage = Literal["all", "seen"]
STAGES = get_args(Stage)
Goal = Callable[[Floats], float]
Engine = Literal["genetic", "differential-evolution"]


class TimeLimit:
    """Shows the progress of a search between its steps, and ends it at the time limit."""

    def __init__(
        self,
        seconds: float | None = None,
        progress: bool | Report | None = False,
        label: str = "class weights",
    ) -> None:
        checks.reported(progress)
        self.seconds: float | None = None if seconds is None else checks.real(seconds, "time_limit")
        if self.seconds is not None and self.seconds <= 0:
            raise InputError(
                f"`time_limit` must be a number of seconds above 0; got {shown(seconds)}."
            )
        self.started: float = time.perf_counter()
        self.ran_out: bool = False
        self._report = reporter(progress, label)

    def is_over(self, done: float | None = None) -> bool:
        """Report the fraction done, if given, and return whether the search must stop."""
        if done is not None:
            self._report(min(done, 1.0))
        self.ran_out = self.ran_out or self.left() <= 0
        return self.ran_out

    def left(self) -> float:
        """Seconds left; infinite without a limit."""
        if self.seconds is None:
            return inf
        return self.seconds - (time.perf_counter() - self.started)

    def close(self) -> None:
        """Erase the line on the terminal."""
        self._report(1.0)


@dataclass(frozen=True, slots=True, eq=False)
class FoundWeights:
    """Weights found by a method, with their proof or bound."""

    weights: Floats
    objective: float | None = None
    at_bound: bool = False
    optimal: bool = False
    seed: int | None = None


class TimeIsOverError(Exception):
    """Ends a search in the middle of a step."""


class BestSoFar:
    """The best of the points that a search has tried, for one that is ended by its time limit."""

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
    """Warn that a search without a limit will take more than about 20 seconds."""
    moves = n_classes * (n_classes - 1) // 2 * n_rows**2
    long_lp = method == "lp" and n_rows * n_classes > LONG_PROGRAMME
    if long_lp or (method == "pair-moves" and moves > LONG_PAIR_MOVES):
        warn(
            f"`method` {method!r} on {n_rows:,} distinct rows of {n_classes} classes takes long, "
            "perhaps many minutes. Pass `time_limit` for the best weights within so many seconds, "
            "or method='passes', which is much faster."
        )


# --- one class at a time


def runner_up_of(problem: OperatingProblem, weights: Floats, others: Sequence[int]) -> Floats:
    """The largest weighted confidence of `others` in every row, and what calling it costs."""
    runner_up = np.zeros((2, problem.n_rows))
    runner_up[0] = NO_CLASS
    for k in sorted(others):
        runner_up = _joined(problem, runner_up, k, weights[k])
    return runner_up


def _joined(
    problem: OperatingProblem, runner_up: Floats, k: int, weight: float, *, own_first: bool = False
) -> Floats:
    """The better of the runner-up and of class k."""
    own, losses = problem.scores[k], problem.losses[k]
    return kernels.better_class(runner_up, own, weight, losses, own_first=own_first)


def best_weight(
    own: Floats, own_losses: Floats, runner_up: Floats, others: Floats | None = None
) -> tuple[float, float] | None:
    """The cheapest weight of one class, the smallest of several, and the cost; or None."""
    others = runner_up if others is None else others
    start, table = kernels.decision_ratios(own, own_losses, runner_up, others)
    cut = kernels.cheapest_cut(*table)
    if cut.above == inf and cut.below == -inf:
        return None
    weight = cut.above / 2 if cut.below == -inf else cut.below * 2
    if -inf < cut.below and cut.above < inf:
        weight = sqrt(cut.below) * sqrt(cut.above)
    return weight, start + cut.change


def sequential(
    problem: OperatingProblem, order: Sequence[int], stage: Stage, limit: TimeLimit
) -> Floats:
    """Place classes in order, each with the best weight against those before (Lachiche & Flach)."""
    weights = np.zeros(problem.n_classes)
    weights[order[0]] = 1.0
    runner_up = runner_up_of(problem, weights, order[:1])
    for place in range(1, len(order)):
        if limit.is_over():
            weights[list(order[place:])] = 1.0
            break
        target, placed = order[place], order[: place + 1]
        own, others = problem.losses[target], runner_up
        if stage == "seen":
            counted = np.isin(np.arange(problem.n_classes), placed)[problem.labels]
            own, others = own * counted, np.stack((runner_up[0], runner_up[1] * counted))
        found = best_weight(problem.scores[target], own, others)
        weights[target] = 1.0 if found is None else found[0]
        if target == max(placed):
            runner_up = _joined(problem, runner_up, target, weights[target])
        else:  # it is called on ties with some of them, not with others
            runner_up = runner_up_of(problem, weights, placed)
    return weights


def sequential_orders(problem: OperatingProblem, order: Any) -> list[Sequence[int]]:
    """The order given, that of falling class size, or all of them."""
    m = problem.n_classes
    if order is None:
        return [range(m)]
    if isinstance(order, str):
        checks.one_of(order, "order", ("frequency", "all"))
        if order == "frequency":
            return [np.argsort(-problem.class_sizes, kind="stable").tolist()]
        if m > MOST_CLASSES_IN_ALL_ORDERS:
            raise InputError(
                f"`order='all'` tries every order of at most {MOST_CLASSES_IN_ALL_ORDERS} "
                f"classes; got {m} classes. Use 'frequency' or give an order."
            )
        return list(permutations(range(m)))
    given = [checks.whole(k, "order", at_least=0) for k in order]
    if sorted(given) != list(range(m)):
        raise InputError(
            f"`order` must contain each class 0..{m - 1} once; got {shown(list(order))}."
        )
    return [given]


def best_sequential(
    problem: OperatingProblem, order: Any, stage: Stage, limit: TimeLimit
) -> Floats:
    """The cheapest of the orders; the first of them if several are."""
    orders = sequential_orders(problem, order)
    best, best_cost = np.ones(problem.n_classes), np.inf
    for done, each in enumerate(orders):
        if done and limit.is_over(done / len(orders)):
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
    """Line searches over the classes in turn, until a pass brings nothing, and costs by pass."""
    weights, m = start.astype(np.float64), problem.n_classes
    none = runner_up_of(problem, weights, ())
    after = _best_from_each(problem, weights, none)
    cost = float(after[0][1].sum())
    history = [cost]
    stale = np.zeros(m, dtype=np.bool_)  # searched since any other weight changed
    for _ in range(MOST_PASSES):
        moved, before = False, none
        for k in range(m):
            if limit.is_over():
                return weights, [*history, problem.cost_at(weights)]
            if not stale[k]:
                stale[k] = True
                own = problem.scores[k], problem.losses[k]
                found = best_weight(*own, before, after[k + 1])
                if found is not None and found[1] < cost - problem.least_gain:
                    weights[k], cost = found
                    moved, stale[:] = True, np.arange(m) == k
            before = _joined(problem, before, k, weights[k])
        cost = float(before[1].sum())  # without the rounding of the running sums
        history.append(cost)
        if not moved:
            break
        after = _best_from_each(problem, weights, none)
    return weights, history


def _best_from_each(problem: OperatingProblem, weights: Floats, none: Floats) -> list[Floats]:
    """The best of the classes from k on for each k; the last item has no class."""
    found = [none]
    for k in reversed(range(problem.n_classes)):
        found.append(_joined(problem, found[-1], k, weights[k], own_first=True))
    return found[::-1]


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


# --- the smooth cost


class SoftCost:
    """G(u) = sum a_ik phi_ik with phi the proportions w_k f_ik / sum_l w_l f_il, and its gradient.

    `sharpness` beta raises the products to a power before they are shared out; as it grows, G
    tends to the expected cost. Rows without any confidence count as called class 0.
    """

    def __init__(self, problem: OperatingProblem) -> None:
        some = problem.scores.any(axis=0)
        self.logs: Floats = problem.logs()[:, some]
        self.losses: Floats = problem.losses[:, some]
        self.kept: float = float(problem.losses[0, ~some].sum())
        self.unit: float = float(problem.costs.max()) or 1.0  # costs come in any unit

    def __call__(self, logs_of_weights: Floats, sharpness: float = 1.0) -> tuple[float, Floats]:
        """The value and the m derivatives, which add up to 0."""
        powers = sharpness * (logs_of_weights[:, None] + self.logs)
        powers -= powers.max(axis=0)
        probabilities = np.exp(powers)
        probabilities /= probabilities.sum(axis=0)
        mean_loss = (self.losses * probabilities).sum(axis=0)
        slopes = sharpness * (probabilities * (self.losses - mean_loss)).sum(axis=1)
        return float(mean_loss.sum()) + self.kept, slopes

    def value(self, logs_of_weights: Floats) -> float:
        """G alone, at sharpness 1."""
        return self(logs_of_weights)[0]


def soft(
    problem: OperatingProblem, seed: int, limit: TimeLimit, *, continuation: bool = False
) -> FoundWeights:
    """Minimize G by L-BFGS-B from equal and random weights, or by doubling the sharpness."""
    goal = SoftCost(problem)
    rng = np.random.default_rng(seed)
    m = problem.n_classes
    best, least = np.zeros(m), (np.inf, np.inf)
    for start in range(STARTS):
        if start and limit.is_over(start / STARTS):
            break
        point = np.zeros(m - 1) if start == 0 else rng.normal(0.0, START_SCALE, m - 1)
        visited = [point]
        for sharpness in SHARPNESS if continuation else SHARPNESS[:1]:
            visited.append(_descended(goal, visited[-1], sharpness, limit))
            if limit.is_over():
                break
        for each in visited if continuation else visited[-1:]:
            logs = np.append(0.0, each)
            reached = (problem.cost_at(np.exp(logs)) if continuation else 0.0, goal.value(logs))
            if reached < least:
                best, least = logs, reached
    at_bound = bool((np.abs(best) > SOFT_LIMIT - 1e-6).any())
    return FoundWeights(np.exp(best), goal.value(best), at_bound, seed=seed)


def _descended(goal: SoftCost, point: Floats, sharpness: float, limit: TimeLimit) -> Floats:
    from scipy.optimize import minimize

    best = BestSoFar(limit)

    def function(free: Floats) -> tuple[float, Floats]:
        value, slopes = goal(np.append(0.0, free), sharpness)
        best.tried(free, value)
        return value / goal.unit, slopes[1:] / goal.unit

    bounds = [(-SOFT_LIMIT, SOFT_LIMIT)] * len(point)
    try:
        found = minimize(function, point, jac=True, method="L-BFGS-B", bounds=bounds)
    except TimeIsOverError:
        return best.point
    return np.asarray(found.x)


# --- random search


@dataclass(frozen=True, slots=True)
class Evolution:
    """Options of the genetic searches.

    Parameters
    ----------
    population : int, default 20
        Candidates per generation.
    generations : int, default 200
        At most.
    patience : int, default 100
        Generations without a gain after which it stops.
    crossover : float, default 0.8
        Proportion of the children that have two parents; the others are mutated copies.
    engine : {"genetic", "differential-evolution"}
        The genetic algorithm of Deng et al., or `scipy.optimize.differential_evolution`.

    Examples
    --------
    >>> Evolution(population=30).generations
    200
    """

    population: int = 20
    generations: int = 200
    patience: int = 100
    crossover: float = 0.8
    engine: Engine = "genetic"

    def __post_init__(self) -> None:
        limits = {"population": (5, 100_000), "generations": (1, 10**6), "patience": (1, 2**53)}
        for name, (least, most) in limits.items():
            number = checks.whole(getattr(self, name), name, at_least=least, at_most=most)
            object.__setattr__(self, name, number)
        checks.rate(self.crossover, "crossover")
        checks.one_of(self.engine, "engine", get_args(Engine))


def evolved(
    problem: OperatingProblem, plan: Evolution, seed: int, limit: TimeLimit, *, smooth: bool
) -> FoundWeights:
    """Weights of least cost, or least G, by random search, with equal weights among them."""
    goal: Goal = SoftCost(problem).value if smooth else lambda u: problem.cost_at(np.exp(u))
    logs = np.append(0.0, _least_point(goal, problem.n_classes - 1, plan, seed, limit))
    if not smooth:
        return FoundWeights(np.exp(logs), seed=seed)
    at_bound = bool((np.abs(logs) > LOG_LIMIT - 1e-6).any())
    return FoundWeights(np.exp(logs), goal(logs), at_bound, seed=seed)


def cost_row_weights(
    problem: OperatingProblem, plan: Evolution, seed: int, limit: TimeLimit
) -> FoundWeights:
    """Weights of the rows of the cost matrix by random search, with equal weights among them."""

    def goal(logs: Floats) -> float:
        table = altered_risks(problem.scores, problem.costs, np.exp(logs), rows=True)
        return problem.cost(table.argmin(axis=0))

    found = _least_point(goal, problem.n_classes - 1, plan, seed, limit)
    return FoundWeights(np.exp(np.append(0.0, found)), seed=seed)


def _least_point(goal: Goal, n_free: int, plan: Evolution, seed: int, limit: TimeLimit) -> Floats:
    """Logarithms of all weights but the first, whose own is 0."""
    rng, best = np.random.default_rng(seed), BestSoFar(limit)

    def watched(point: Floats) -> float:
        value = goal(np.append(0.0, point))
        best.tried(point, value)  # a whole generation would take too long
        return value

    try:
        if plan.engine == "differential-evolution":
            return _by_differences(watched, n_free, plan, rng, limit)
        return pattern_search(watched, _by_genes(watched, n_free, plan, rng, limit), limit)
    except TimeIsOverError:
        return best.point


def _by_genes(
    goal: Goal, n_free: int, plan: Evolution, rng: np.random.Generator, limit: TimeLimit
) -> Floats:
    """Rank scaling, stochastic uniform selection, scattered crossover, shrinking mutation."""
    # logarithms of ratios of weights that are uniform on (0, 1), and equal weights
    weights = rng.uniform(1e-12, 1.0, (plan.population, n_free + 1))
    population = np.clip(np.log(weights[:, 1:] / weights[:, :1]), -LOG_LIMIT, LOG_LIMIT)
    population[0] = 0.0
    values = np.array([goal(each) for each in population])
    best, best_value, idle = population[values.argmin()], values.min(), 0
    for generation in range(plan.generations):
        if idle >= plan.patience or limit.is_over(generation / plan.generations):
            break
        order = np.argsort(values, kind="stable")
        population, values = population[order], values[order]
        scale = 1.0 - generation / plan.generations
        children = _children(population, plan, scale, rng)
        born = np.array([goal(each) for each in children])
        population = np.concatenate((population[:ELITE], children))
        values = np.concatenate((values[:ELITE], born))
        idle += 1
        if values.min() < best_value:
            best, best_value, idle = population[values.argmin()], values.min(), 0
    return np.asarray(best)


def _children(
    population: Floats, plan: Evolution, scale: float, rng: np.random.Generator
) -> Floats:
    """The next generation without the elite; `population` is sorted, the best first."""
    n_children = len(population) - ELITE
    n_crossed = round(plan.crossover * n_children)
    parents = population[_selected(len(population), n_crossed + n_children, rng)]
    first, second = parents[:n_crossed], parents[n_crossed : 2 * n_crossed]
    crossed = np.where(rng.random(first.shape) < 0.5, first, second)
    mutated = parents[2 * n_crossed :]
    mutated = mutated + rng.normal(0.0, scale, mutated.shape)
    mirrored = np.sign(mutated) * 2 * LOG_LIMIT - mutated
    mutated = np.where(np.abs(mutated) > LOG_LIMIT, mirrored, mutated)
    return np.concatenate((crossed, np.clip(mutated, -LOG_LIMIT, LOG_LIMIT)))


def _selected(size: int, n_parents: int, rng: np.random.Generator) -> Floats:
    """Equal steps along a line on which rank r has the length 1 / sqrt(r), in random order."""
    probabilities = 1.0 / np.sqrt(np.arange(1, size + 1))
    ends = np.cumsum(probabilities / probabilities.sum())
    steps = (np.arange(n_parents) + rng.random()) / n_parents
    return rng.permutation(np.minimum(np.searchsorted(ends, steps), size - 1))


def pattern_search(goal: Goal, point: Floats, limit: TimeLimit) -> Floats:
    """Steps along each axis: twice as long after a gain, half as long without, down to 1e-6."""
    value, mesh = goal(point), 1.0
    while mesh > FINEST_MESH and not limit.is_over():
        gained = False
        for axis, sign in product(range(len(point)), (1.0, -1.0)):
            trial = point.copy()
            trial[axis] = np.clip(trial[axis] + sign * mesh, -LOG_LIMIT, LOG_LIMIT)
            reached = goal(trial)
            if reached < value:
                point, value, gained = trial, reached, True
                break
        mesh = min(2.0 * mesh, LOG_LIMIT) if gained else mesh / 2.0
    return point


def _by_differences(
    goal: Goal, n_free: int, plan: Evolution, rng: np.random.Generator, limit: TimeLimit
) -> Floats:
    """Differential evolution by scipy; not polished, as the cost is flat almost everywhere."""
    from scipy.optimize import differential_evolution

    steps = count(1)
    # the argument is called `seed` before scipy 1.15
    named = "rng" if "rng" in inspect.signature(differential_evolution).parameters else "seed"
    found = differential_evolution(
        goal,
        [(-LOG_LIMIT, LOG_LIMIT)] * n_free,
        maxiter=plan.generations,
        popsize=max(1, -(-plan.population // n_free)),
        polish=False,
        x0=np.zeros(n_free),
        callback=lambda *_: limit.is_over(next(steps) / plan.generations),
        **{named: rng},
    )
    return np.asarray(found.x)
