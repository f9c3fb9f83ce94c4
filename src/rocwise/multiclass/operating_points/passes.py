"""Weights one class at a time: in one pass (Lachiche & Flach), or until nothing improves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from math import factorial
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown
from rocwise.multiclass.operating_points.line_search import Contest, Found, best_weight, rivals_of
from rocwise.multiclass.operating_points.problems import OperatingProblem
from rocwise.multiclass.operating_points.time_limits import TimeLimit

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
    for place in range(1, len(order)):
        if limit.is_over():
            weights[list(order[place:])] = 1.0
            break
        target, placed = order[place], list(order[:place])
        found = _placed(problem, weights, target, placed, stage)
        weights[target] = 1.0 if found is None else found.weight
    return weights


def _placed(
    problem: OperatingProblem, weights: Floats, target: int, placed: list[int], stage: Stage
) -> Found | None:
    losses = problem.losses
    if stage == "seen":
        losses = np.where(np.isin(problem.labels, [*placed, target]), losses, 0.0)
    rivals = rivals_of(problem.scores, losses, weights, placed)
    return best_weight(problem.scores[target], losses[target], rivals)


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
    weights, cost = start.astype(np.float64), problem.cost_at(start)
    history = [cost]
    m = problem.n_classes
    stale = np.zeros(m, dtype=np.bool_)  # searched since any other weight changed
    for _ in range(MOST_PASSES):
        moved = False
        contest = Contest(problem.scores, problem.losses, weights)
        for target in range(m):
            if limit.is_over():
                return weights, [*history, problem.cost_at(weights)]
            if not stale[target]:
                stale[target] = True
                rivals = contest.next_rivals()
                found = best_weight(problem.scores[target], problem.losses[target], rivals)
                if found is not None and found.cost < cost - problem.least_gain:
                    weights[target], cost, moved = found.weight, found.cost, True
                    stale[:] = False
                    stale[target] = True
            contest.pass_on(target, weights[target])
        cost = problem.cost_at(weights)  # without the rounding of the running sums
        history.append(cost)
        if not moved:
            break
    return weights, history


def best_passes(problem: OperatingProblem, limit: TimeLimit) -> tuple[Floats, list[float]]:
    """Passes from equal weights and from both kinds of sequential weights; the best of three."""
    natural = range(problem.n_classes)
    best = passes(problem, np.ones(problem.n_classes), limit)
    for done, stage in enumerate(STAGES, start=1):
        if limit.is_over(done / 3):
            break
        found = passes(problem, sequential(problem, natural, stage, limit), limit)
        if found[1][-1] < best[1][-1] - problem.least_gain:
            best = found
    return best
