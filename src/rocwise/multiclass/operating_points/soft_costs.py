"""The smooth cost (15) of Deng et al. (2006): shares for decisions, so that it has a gradient."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Floats
from rocwise.multiclass.operating_points.problems import OperatingProblem
from rocwise.multiclass.operating_points.time_limits import BestSoFar, TimeIsOverError, TimeLimit

FARTHEST = 20.0  # bound of the logarithms of the weights
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
    return np.exp(best), bool((np.abs(best) > FARTHEST - 1e-6).any())


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

    bounds = [(-FARTHEST, FARTHEST)] * len(point)
    try:
        found = minimize(function, point, jac=True, method="L-BFGS-B", bounds=bounds)
    except TimeIsOverError:
        return best.point
    return np.asarray(found.x)
