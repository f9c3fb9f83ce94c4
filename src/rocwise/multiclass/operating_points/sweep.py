"""The exact optimum for three alternatives: every cell of weight space, strip by strip.

With three classes the weights have two degrees of freedom, d = u_q - u_p and t = u_s - u_p (u the
logarithms). Row i is called p or q according to d on one side of its crossing L_p - L_q, and s
once t is large enough. Between two crossings, sums of losses depend on two counts only, so that
all cells of the strip are passed in linear time: O(n^2) altogether, in O(n) memory.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.multiclass.operating_points.line_search import best_weight, rivals_of
from rocwise.multiclass.operating_points.problems import Classes, OperatingProblem, called_classes
from rocwise.multiclass.operating_points.time_limits import TimeLimit
from rocwise.multiclass.operating_points.weight_cells import cell_weights, merged_rows, moving_rows

NARROWEST = 1e-9  # cells narrower than this in logarithm cannot be told from ties
SAME_COST = 1e-9
STEPS_PER_CHECK = 10_000_000  # rows passed between two checks of the time limit


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Weights of three alternatives, and the cost of the rows that weights can move."""

    weights: Floats
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """Distinct rows of three alternatives, in the order of their crossings.

    Attributes
    ----------
    logs, losses : ndarray (3, n)
        Of the alternatives s, p, q; rows that no weights can move are left out.
    crossing, first, second : ndarray (n,)
        Where the row changes from p to q, and what t, and t - d, must exceed to call it s.
    """

    logs: Floats
    losses: Floats
    crossing: Floats
    first: Floats
    second: Floats

    @property
    def n_rows(self) -> int:
        """Number of rows that weights can move."""
        return len(self.crossing)

    def called(self, strip: int, x: int, y: int) -> Classes:
        """The alternatives (0 for s, 1 for p, 2 for q) in one cell."""
        rows = np.arange(self.n_rows)
        before = rows >= strip
        called = np.where(before, 1, 2)
        by_first = np.argsort(self.first, kind="stable")
        by_second = np.argsort(self.second, kind="stable")
        called[by_first[by_first >= strip][:x]] = 0
        called[by_second[by_second < strip][:y]] = 0
        return called


def arrangement_of(logs: Floats, losses: Floats) -> Arrangement:
    """Merge rows that no weights tell apart, and find where each changes its class."""
    moving = moving_rows(logs)
    logs, losses = merged_rows(logs[:, moving], losses[:, moving])
    with np.errstate(invalid="ignore"):
        crossing = logs[1] - logs[2]
        first, second = logs[1] - logs[0], logs[2] - logs[0]
    order = np.argsort(crossing, kind="stable")
    logs, losses = logs[:, order], losses[:, order]
    return Arrangement(
        np.ascontiguousarray(logs),
        np.ascontiguousarray(losses),
        crossing[order],
        _numbers(first[order]),
        _numbers(second[order]),
    )


def _numbers(values: Floats) -> Floats:
    """Without nan: these rows are on the other side of their crossing in every strip."""
    return np.where(np.isnan(values), np.inf, values)


def best_of_three(
    logs: Floats, losses: Floats, limit: TimeLimit, *, bound: float = np.inf, tells: bool = False
) -> Found | None:
    """Weights of three alternatives cheaper than `bound`, the cheapest there are; else None.

    `bound` counts only the rows that weights can move; `tells` reports progress.
    """
    plane = arrangement_of(logs, losses)
    n = plane.n_rows
    best, size = (bound, -1, -1, -1), max(1, STEPS_PER_CHECK // max(1, n))
    for begin in range(0, n + 1, size):
        if begin and limit.is_over(begin / (n + 1) if tells else None):
            break
        found = kernels.cheapest_cell(
            plane.first,
            plane.second,
            plane.crossing,
            plane.losses,
            strips=(begin, min(begin + size, n + 1)),
            tolerance=NARROWEST,
            bound=best[0],
        )
        best = found if found[1] >= 0 else best
    if best[1] < 0:
        return None
    weights = cell_weights(plane.logs, plane.called(*best[1:]))
    return None if weights is None else Found(weights, best[0])


def sweep(problem: OperatingProblem, limit: TimeLimit) -> tuple[Floats, bool]:
    """The cheapest weights there are, for two or three classes, and whether they hold.

    They would not if confidences spanned more orders than the products of floats can.
    """
    if problem.n_classes == 2:
        return _cut(problem), True
    found = best_of_three(problem.logs(), problem.losses, limit, tells=True)
    if found is None:  # nothing moves
        return np.ones(3), True
    called = called_classes(problem.scores, found.weights)
    moving = moving_rows(problem.logs())
    reached = problem.losses[called, np.arange(problem.n_rows)][moving].sum()
    holds = abs(reached - found.cost) <= SAME_COST * (problem.costs.max() or 1.0)
    return found.weights, bool(holds)


def _cut(problem: OperatingProblem) -> Floats:
    """Two classes: all cuts of one ratio."""
    weights = np.ones(2)
    rivals = rivals_of(problem.scores, problem.losses, weights, [0])
    found = best_weight(problem.scores[1], problem.losses[1], rivals)
    return weights if found is None else np.array([1.0, found.weight])
