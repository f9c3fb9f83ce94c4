"""Weights one class at a time: in one pass (Lachiche & Flach), or until nothing improves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from math import factorial
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown
from rocwise.kernels.threads import run_parts, thread_limit
from rocwise.multiclass.operating_points.line_search import Contest, best_weight, rivals_of
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

    def begun(stage: Stage) -> Floats:
        return sequential(problem, natural, stage, limit)

    _ = problem.losses  # made by all threads, and once
    known: list[Floats] = []
    if thread_limit() == 2 and limit.seconds is None:
        # each thread begins a search: who is done with the long one has less left to wait for
        known = run_parts(begun, [(stage,) for stage in STAGES])

    def searched(done: int) -> tuple[Floats, list[float]] | None:
        if done and limit.is_over(done / 3):
            return None
        if not done:
            return passes(problem, equal, limit)
        start = known[done - 1] if known else begun(STAGES[done - 1])
        return passes(problem, start, limit)

    best, *others = run_parts(searched, [(0,), (1,), (2,)])
    if best is None:
        raise AssertionError("equal weights are always tried")
    for found in others:
        if found is not None and found[1][-1] < best[1][-1] - problem.least_gain:
            best = found
    return best
