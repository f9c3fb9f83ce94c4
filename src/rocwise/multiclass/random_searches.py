"""Random search for weights: a genetic algorithm, then a pattern search; or scipy's evolution.

The parameters are those of Deng et al. (2006), who used Matlab's defaults otherwise. The search
is in logarithms of the weights, because only their ratios matter.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown
from rocwise.multiclass.operating_points import (
    BestSoFar,
    OperatingProblem,
    TimeIsOverError,
    TimeLimit,
)

SOFT_LIMIT = 20.0  # bound of the logarithms of the weights
STARTS = 20
START_SPREAD = 2.0
SHARPNESS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)


class SoftCost:
    """G(u) = sum a_ik phi_ik with phi the shares w_k f_ik / sum_l w_l f_il, and its gradient.

    `sharpness` beta raises the products to a power before they are shared out; as it grows, G
    tends to the expected cost. Rows without any confidence count as called class 0.

    Parameters
    ----------
    problem : OperatingProblem
        Scores and losses.
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
        shares = np.exp(powers)
        shares /= shares.sum(axis=0)
        mean_loss = (self.losses * shares).sum(axis=0)
        slopes = sharpness * (shares * (self.losses - mean_loss)).sum(axis=1)
        return float(mean_loss.sum()) + self.kept, slopes

    def value(self, logs_of_weights: Floats) -> float:
        """G alone, at sharpness 1."""
        return self(logs_of_weights)[0]


def soft(
    problem: OperatingProblem, seed: int, limit: TimeLimit, *, continuation: bool = False
) -> tuple[Floats, bool]:
    """Minimise G by L-BFGS-B from equal weights and from random ones; u_0 = 0, |u| <= 20.

    With `continuation` the sharpness doubles from 1 to 64 from every start, and of all points on
    the way the one with the least expected cost is kept. Returns the weights, and whether they
    lie at the bound: the least G may belong to a constant classifier.
    """
    goal = SoftCost(problem)
    rng = np.random.default_rng(seed)
    m = problem.n_classes
    best, least = np.zeros(m), (np.inf, np.inf)
    for start in range(STARTS):
        if start and limit.is_over(start / STARTS):
            break
        point = np.zeros(m - 1) if start == 0 else rng.normal(0.0, START_SPREAD, m - 1)
        visited = _path(goal, point, continuation, limit)
        for each in visited if continuation else visited[-1:]:
            logs = np.append(0.0, each)
            reached = (problem.cost_at(np.exp(logs)) if continuation else 0.0, goal.value(logs))
            if reached < least:
                best, least = logs, reached
    return np.exp(best), bool((np.abs(best) > SOFT_LIMIT - 1e-6).any())


def _path(goal: SoftCost, start: Floats, continuation: bool, limit: TimeLimit) -> list[Floats]:
    """The start, and where each sharpness leads from there."""
    path = [start]
    for sharpness in SHARPNESS if continuation else SHARPNESS[:1]:
        path.append(_descended(goal, path[-1], sharpness, limit))
        if limit.is_over():
            break
    return path


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


Goal = Callable[[Floats], float]

LOG_LIMIT = 8.0  # bound of the logarithms of the weights
ELITE = 2
FINEST_MESH = 1e-6
Engine = Literal["genetic", "differential-evolution"]


@dataclass(frozen=True, slots=True)
class Evolution:
    """How a random search goes about it.

    Parameters
    ----------
    population : int, default 20
        Candidates per generation.
    generations : int, default 200
        At most.
    patience : int, default 100
        Generations without a gain after which it stops.
    crossover : float, default 0.8
        Share of the children that have two parents; the others are mutated copies.
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
        for name, least, most in (("population", 5, 100_000), ("generations", 1, 10**6)):
            number = checks.whole(getattr(self, name), name, at_least=least, at_most=most)
            object.__setattr__(self, name, number)
        patience = checks.whole(self.patience, "patience", at_most=2**53)
        object.__setattr__(self, "patience", patience)
        checks.rate(self.crossover, "crossover")
        checks.one_of(self.engine, "engine", get_args(Engine))


def checked_plan(plan: Any) -> Evolution:
    """The plan of a random search, which must be an `Evolution`."""
    if not isinstance(plan, Evolution):
        raise InputError(f"`evolution` must be an Evolution(...); got {shown(plan, 60)}.")
    return plan


def evolved(goal: Goal, n_free: int, plan: Evolution, seed: int, limit: TimeLimit) -> Floats:
    """The point of least value found, with the equal weights (all 0) among the candidates."""
    rng, best = np.random.default_rng(seed), BestSoFar(limit)

    def watched(point: Floats) -> float:
        value = goal(point)
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
    population = _first_population(plan.population, n_free, rng)
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


def _first_population(size: int, n_free: int, rng: np.random.Generator) -> Floats:
    """Logarithms of ratios of weights that are uniform on (0, 1), and equal weights."""
    weights = rng.uniform(1e-12, 1.0, (size, n_free + 1))
    population = np.clip(np.log(weights[:, 1:] / weights[:, :1]), -LOG_LIMIT, LOG_LIMIT)
    population[0] = 0.0
    return population


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
    return np.concatenate((crossed, _reflected(mutated)))


def _selected(size: int, n_parents: int, rng: np.random.Generator) -> Floats:
    """Equal steps along a line on which rank r has the length 1 / sqrt(r), in random order."""
    shares = 1.0 / np.sqrt(np.arange(1, size + 1))
    ends = np.cumsum(shares / shares.sum())
    steps = (np.arange(n_parents) + rng.random()) / n_parents
    return rng.permutation(np.minimum(np.searchsorted(ends, steps), size - 1))


def _reflected(points: Floats) -> Floats:
    """Back inside the bounds, as from a mirror."""
    inside = np.where(points > LOG_LIMIT, 2 * LOG_LIMIT - points, points)
    return np.clip(
        np.where(inside < -LOG_LIMIT, -2 * LOG_LIMIT - inside, inside),
        -LOG_LIMIT,
        LOG_LIMIT,
    )


def pattern_search(goal: Goal, point: Floats, limit: TimeLimit) -> Floats:
    """Steps along each axis: twice as long after a gain, half as long without, down to 1e-6."""
    value, mesh = goal(point), 1.0
    while mesh > FINEST_MESH and not limit.is_over():
        gained = False
        for axis in range(len(point)):
            for sign in (1.0, -1.0):
                trial = point.copy()
                trial[axis] = np.clip(trial[axis] + sign * mesh, -LOG_LIMIT, LOG_LIMIT)
                reached = goal(trial)
                if reached < value:
                    point, value, gained = trial, reached, True
                    break
            if gained:
                break
        mesh = min(2.0 * mesh, LOG_LIMIT) if gained else mesh / 2.0
    return point


def _by_differences(
    goal: Goal, n_free: int, plan: Evolution, rng: np.random.Generator, limit: TimeLimit
) -> Floats:
    """Differential evolution by scipy; not polished, as the cost is flat almost everywhere."""
    from scipy.optimize import differential_evolution

    step = 0

    def stop(*_state: object) -> bool:
        nonlocal step
        step += 1
        return limit.is_over(step / plan.generations)

    found = differential_evolution(
        goal,
        [(-LOG_LIMIT, LOG_LIMIT)] * n_free,
        maxiter=plan.generations,
        popsize=max(1, -(-plan.population // n_free)),
        polish=False,
        x0=np.zeros(n_free),
        callback=stop,
        **{_generator_argument(differential_evolution): rng},
    )
    return np.asarray(found.x)


def _generator_argument(function: Callable[..., object]) -> str:
    """What the argument is called: `seed` before scipy 1.15."""
    return "rng" if "rng" in inspect.signature(function).parameters else "seed"
