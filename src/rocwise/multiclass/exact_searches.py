"""Exact searches for class weights: cells of weight space, sweeps, pairs of weights, programs."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Flags, Floats
from rocwise.errors import InputError
from rocwise.kernels.threads import interruptible
from rocwise.multiclass.operating_points import Classes, OperatingProblem, called_classes
from rocwise.multiclass.weight_searches import (
    FoundWeights,
    TimeLimit,
    best_passes,
    best_weight,
    runner_up_of,
)

LARGEST_LOG = 700.0  # logarithms whose exponentials are floats
LARGEST_MARGIN = 1.0  # in logarithms; more would only make the weights extreme


def moving_rows(logs: Floats) -> Flags:
    """Rows with confidence in two classes or more; weights cannot move the others."""
    return np.asarray(np.isfinite(logs).sum(axis=0) > 1)


def merged_rows(logs: Floats, losses: Floats) -> tuple[Floats, Floats]:
    """Losses of rows with the same ratios of scores added up; the largest logarithms are 0."""
    if not logs.shape[1]:
        return logs, losses
    centred = logs - logs.max(axis=0)
    order = np.lexsort(centred)
    ordered = centred[:, order]
    differs = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    starts = np.concatenate(([0], np.flatnonzero(differs) + 1))
    return ordered[:, starts], np.add.reduceat(losses[:, order], starts, axis=1)


def bounds_of(logs: Floats, called: Classes) -> Floats:
    """d_jl: the rows called j stay so while u_l - u_j < d_jl, u the logarithms of the weights.

    Infinite where nothing bounds; minus infinity where a row has no confidence in its class.
    """
    m = len(logs)
    bounds = np.full((m, m), np.inf)
    for j in range(m):
        mine = logs[:, called == j]
        if not mine.shape[1]:
            continue
        if np.isneginf(mine[j]).any():
            bounds[j] = -np.inf
        else:
            bounds[j] = (mine[j] - mine).min(axis=1)
        bounds[j, j] = np.inf
    return bounds


def margin_of(bounds: Floats) -> float:
    """Half-width of the cell: the smallest mean of d along a directed cycle (Karp, 1978).

    The assignment is realized by positive weights without ties iff this is positive.
    """
    if np.isneginf(bounds).any():
        return -np.inf
    m = len(bounds)
    walks = np.zeros((m + 1, m))
    for k in range(m):  # cheapest walk of k + 1 edges that ends at each class
        walks[k + 1] = (walks[k][:, None] + bounds).min(axis=0)
    ends = np.isfinite(walks[m])
    if not ends.any():
        return np.inf
    lengths = m - np.arange(m)
    means = (walks[m][ends] - walks[:m][:, ends]) / lengths[:, None]
    return float(means.max(axis=0).min())


def cell_weights(logs: Floats, called: Classes) -> Floats | None:
    """Weights well inside the cell of an assignment (Bellman, Ford); None if there are none."""
    bounds = bounds_of(logs, called)
    margin = margin_of(bounds)
    if margin <= 0:
        return None
    # a hair below the margin: rounding must not leave a cycle below zero
    slack = bounds - min(margin * (1.0 - 1e-12), LARGEST_MARGIN)
    potentials = np.zeros(len(bounds))
    for _ in range(len(bounds)):
        potentials = np.minimum(potentials, (potentials[:, None] + slack).min(axis=0))
    # that of class 0 at 1, or in the middle of the floats if they need the room
    low, high = float(potentials.min()), float(potentials.max())
    center = float(potentials[0]) if high - low < LARGEST_LOG / 2 else (low + high) / 2
    return np.asarray(np.exp(np.clip(potentials - center, -LARGEST_LOG, LARGEST_LOG)))


NARROWEST = 1e-9  # cells narrower than this in logarithm are treated as ties
SAME_COST = 1e-9
STEPS_PER_CHECK = 10_000_000  # rows passed between two checks of the time limit


def best_of_three(
    logs: Floats, losses: Floats, limit: TimeLimit, *, bound: float = np.inf, reports: bool = False
) -> tuple[Floats, float] | None:
    """The cheapest weights of alternatives s, p and q, and their cost; None if not below it."""
    moving = moving_rows(logs)
    logs, losses = merged_rows(logs[:, moving], losses[:, moving])
    with np.errstate(invalid="ignore"):
        order = np.argsort(logs[1] - logs[2], kind="stable")
        logs, losses = (np.ascontiguousarray(each[:, order]) for each in (logs, losses))
        crossing = logs[1] - logs[2]
        # what t, and t - d, must exceed to call a row s; rows with nan are on the other side of
        # their crossing in every strip
        leads = logs[1] - logs[0], logs[2] - logs[0]
        first, second = (np.where(np.isnan(lead), np.inf, lead) for lead in leads)
    n = len(crossing)
    best, size = (bound, -1, -1, -1), max(1, STEPS_PER_CHECK // max(1, n))
    for begin in range(0, n + 1, size):
        if begin and limit.is_over(begin / (n + 1) if reports else None):
            break
        strips = begin, min(begin + size, n + 1)
        rows = first, second, crossing, losses
        found = kernels.cheapest_cell(*rows, strips=strips, tolerance=NARROWEST, bound=best[0])
        best = found if found[1] >= 0 else best
    if best[1] < 0:
        return None
    weights = cell_weights(logs, _called_in_cell(first, second, *best[1:]))
    return None if weights is None else (weights, best[0])


def _called_in_cell(first: Floats, second: Floats, strip: int, x: int, y: int) -> Classes:
    """The alternatives (0 for s, 1 for p, 2 for q) in one cell."""
    called = np.where(np.arange(len(first)) >= strip, 1, 2)
    by_first, by_second = (np.argsort(each, kind="stable") for each in (first, second))
    called[by_first[by_first >= strip][:x]] = 0
    called[by_second[by_second < strip][:y]] = 0
    return called


def sweep(problem: OperatingProblem, limit: TimeLimit) -> FoundWeights:
    """The cheapest weights for two or three classes, unless confidences span too many orders."""
    if problem.n_classes > 3:
        raise InputError(
            f"`method='sweep'` is for two or three classes; got {problem.n_classes}. Use "
            "'pair-moves', or 'milp' for small data."
        )
    if problem.n_classes == 2:
        return FoundWeights(_cut(problem), optimal=True)
    found = best_of_three(problem.logs(), problem.losses, limit, reports=True)
    weights, cost = (np.ones(3), None) if found is None else found
    if limit.ran_out:
        return better_of_passes(problem, FoundWeights(weights))
    called = called_classes(problem.scores, weights)
    moving = moving_rows(problem.logs())
    reached = problem.losses[called, np.arange(problem.n_rows)][moving].sum()
    same = cost is None or abs(reached - cost) <= SAME_COST * (problem.costs.max() or 1.0)
    return FoundWeights(weights, optimal=bool(same))


def better_of_passes(problem: OperatingProblem, found: FoundWeights) -> FoundWeights:
    """The time was over: what was found by then, or the passes, which take little time."""
    weights = best_passes(problem, TimeLimit())[0]
    better = problem.cost_at(weights) < problem.cost_at(found.weights)
    return replace(found, weights=weights) if better else found


def _cut(problem: OperatingProblem) -> Floats:
    """Two classes: all cuts of one ratio."""
    runner_up = runner_up_of(problem, np.ones(2), [0])
    found = best_weight(problem.scores[1], problem.losses[1], runner_up)
    return np.array([1.0, 1.0 if found is None else found[0]])


def pair_moves(problem: OperatingProblem, limit: TimeLimit) -> Floats:
    """From the best passes, move two weights at once, exactly, until no pair of classes gains."""
    if problem.n_classes == 2:
        return _cut(problem)
    weights, history = best_passes(problem, limit)
    pairs = list(combinations(range(problem.n_classes), 2))
    cost, settled = history[-1], 0
    while settled < len(pairs):  # consecutive pairs without a gain
        pair = pairs.pop(0)
        pairs.append(pair)
        if limit.is_over(settled / len(pairs)):
            break
        trial = _moved(problem, weights, pair, limit)
        settled += 1
        if trial is None:
            continue
        trial_cost = problem.cost_at(trial)
        if trial_cost < cost - problem.least_gain:
            weights, cost, settled = trial, trial_cost, 1
    return weights


def _moved(
    problem: OperatingProblem, weights: Floats, pair: tuple[int, int], limit: TimeLimit
) -> Floats | None:
    """Better weights of two classes with the others as they are, if there are any."""
    rest = [k for k in range(problem.n_classes) if k not in pair]
    rows = np.arange(problem.n_rows)
    winners = np.asarray(rest)[called_classes(problem.scores[rest], weights[rest])]
    values, losses = problem.scores[winners, rows] * weights[winners], problem.losses
    chosen = np.stack([losses[winners, rows], *(losses[k] for k in pair)])
    with np.errstate(divide="ignore"):
        logs = np.log(np.stack([values, *(problem.scores[k] for k in pair)]))
    now = called_classes(problem.scores, weights)
    bound = problem.losses[now, rows][moving_rows(logs)].sum() - problem.least_gain
    found = best_of_three(logs, chosen, limit, bound=float(bound))
    if found is None:
        return None
    trial = weights.copy()
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        trial[list(pair)] = found[0][1:] / found[0][0]
        trial /= np.exp(np.log(trial).mean())  # far from the ends of the floats
    # Scores of 1e-320 need weights beyond the range of floats: such a move is left out.
    return trial if np.all(np.isfinite(trial) & (trial > 0)) else None


ETA = 1e-6  # weight of the distance to equal weights in the linear program
DELTA = 1e-4  # smallest margin of the 0/1 program, in logarithms
INTEGRALITY = 1e-6  # how far from 0 or 1 HiGHS lets a variable be
LARGEST_PRESOLVED = 500  # rows times classes; presolving more heeds no time limit
LARGEST_LOSS = 1e3  # of one row, as HiGHS sees it: its gap of 1e-6 is absolute
LARGEST_UNSCALED = 1e6  # HiGHS rejects numbers far above this, and drops those far below 1


def linear_programme(problem: OperatingProblem, limit: TimeLimit, eta: float = ETA) -> FoundWeights:
    """The relaxation (14) of Deng et al. (2006), with sum_j fmax_j w_j = 1.

    Variables w (m), I (n m), gamma (n), t (m). Without the normalization, as printed, w = 0 and
    I_iy = 1 is feasible for any data, and the program is uninformative.
    """
    from scipy import sparse
    from scipy.optimize import linprog

    m, n = problem.n_classes, problem.n_rows
    top = float(problem.scores.max())
    scale = 1.0 if 1.0 / LARGEST_UNSCALED < top < LARGEST_UNSCALED else top
    scores = problem.scores / scale
    largest = scores.max(axis=1)
    above, limits = _inequalities(scores, 1.0 / largest.sum())
    one_class = sparse.hstack([_one_class_each(n, m), _zeros(n, n + m)])
    normalized = sparse.hstack([sparse.csr_matrix(largest[None, :]), _zeros(1, n * m + n + m)])
    unit = max(float(problem.losses.max()) or 1.0, eta)  # costs come in any unit
    goal = [np.zeros(m), problem.losses.T.ravel(), np.zeros(n), np.full(m, eta)]
    found = _solution(
        linprog,
        limit,
        np.concatenate(goal) / unit,
        A_ub=above,
        b_ub=limits,
        A_eq=sparse.vstack([one_class, normalized], format="csr"),
        b_eq=np.ones(n + 1),
        bounds=[(0, None)] * m + [(0, 1)] * (n * m) + [(0, None)] * (n + m),
        method="highs",
        options={},
    )
    if found.x is None:
        return FoundWeights(np.ones(m))
    return FoundWeights(found.x[:m] / scale, float(found.fun) * unit)


def _inequalities(scores: Floats, centre: float) -> tuple[Any, Floats]:
    """The rows of (9) and (10) of Deng et al., and of |w - centre| <= t."""
    from scipy import sparse

    m, n = scores.shape
    products = sparse.csr_matrix(
        (scores.T.ravel(), (np.arange(n * m), np.tile(np.arange(m), n))), shape=(n * m, m)
    )
    owner = sparse.kron(sparse.eye(n), np.ones((m, 1)))
    own, none = sparse.eye(m), _zeros(n * m, m)
    rows = [
        [-products, sparse.eye(n * m), owner, none],
        [products, _zeros(n * m, n * m), -owner, none],
        [own, _zeros(m, n * m), _zeros(m, n), -own],
        [-own, _zeros(m, n * m), _zeros(m, n), -own],
    ]
    limits = [np.ones(n * m), np.zeros(n * m), np.full(m, centre), np.full(m, -centre)]
    return sparse.block_array(rows, format="csr"), np.concatenate(limits)


def _zeros(n_rows: int, n_columns: int) -> Any:
    from scipy import sparse

    return sparse.csr_matrix((n_rows, n_columns))


def exact_programme(problem: OperatingProblem, limit: TimeLimit) -> FoundWeights:
    """The 0/1 program in logarithms: u_0 = 0, each row in one class by a small margin."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    ones = np.ones(problem.n_classes)
    moving = moving_rows(problem.logs())
    logs, losses = merged_rows(problem.logs()[:, moving], problem.losses[:, moving])
    called = called_classes(problem.scores, ones)
    kept = float(problem.losses[called, np.arange(problem.n_rows)][~moving].sum())
    m, n = logs.shape
    if n == 0:
        return FoundWeights(ones, kept, optimal=True)
    matrix, limits, furthest = _margins(logs, np.isfinite(logs))
    possible = np.isfinite(logs).T.ravel().astype(np.float64)
    reach = np.append(0.0, np.full(m - 1, furthest))
    presolve = limit.seconds is None or n * m <= LARGEST_PRESOLVED
    unit = (float(losses.max()) or 1.0) / LARGEST_LOSS  # costs come in any unit
    found = _solution(
        milp,
        limit,
        np.concatenate([np.zeros(m), losses.T.ravel() / unit]),
        integrality=np.concatenate([np.zeros(m), np.ones(n * m)]),
        bounds=Bounds(np.append(-reach, np.zeros(n * m)), np.append(reach, possible)),
        constraints=[
            LinearConstraint(matrix, -np.inf, limits),
            LinearConstraint(_one_class_each(n, m), 1.0, 1.0),
        ],
        options={"mip_rel_gap": 0.0, "presolve": presolve},
    )
    if found.x is None:
        return FoundWeights(ones)
    inside = cell_weights(logs, found.x[m:].reshape(n, m).argmax(axis=1))
    weights = np.exp(found.x[:m]) if inside is None else inside
    return FoundWeights(weights, float(found.fun) * unit + kept, optimal=found.status == 0)


def _margins(logs: Floats, possible: Flags) -> tuple[Any, Floats, float]:
    """Matrix and limits of u_k - u_j + M I_ij <= M + L_ij - L_ik - delta, and how far u may go.

    One row for every two classes that are possible for a row. A cell is a system of difference
    constraints with constants within D, so that (m - 1) D reaches all of them. The margin must
    exceed what rounding of I to 0 or 1 lets through.
    """
    from scipy import sparse

    m = len(logs)
    widest = float(-np.where(possible, logs, 0.0).min())
    reach = (m - 1) * widest + 1.0
    delta = max(DELTA, 2.0 * INTEGRALITY * (2.0 * reach + widest))
    both = possible[:, None] & possible & ~np.eye(m, dtype=np.bool_)[:, :, None]
    other, called, row = np.nonzero(both)
    lead = logs[called, row] - logs[other, row]  # finite: only possible classes are left
    slack = 2.0 * reach - lead + delta
    lines = np.tile(np.arange(len(row)), 3)
    columns = np.concatenate([other, called, m + row * m + called])
    values = np.concatenate([np.ones(len(row)), -np.ones(len(row)), slack])
    shape = (len(row), m + logs.size)
    matrix = sparse.csr_matrix((values, (lines, columns)), shape=shape)
    return matrix, slack + lead - delta, reach


def _one_class_each(n: int, m: int) -> Any:
    from scipy import sparse

    return sparse.hstack([_zeros(n, m), sparse.kron(sparse.eye(n), np.ones((1, m)))], format="csr")


def _solution(
    solve: Callable[..., Any], limit: TimeLimit, goal: Floats, options: Any, **constraints: Any
) -> Any:
    """What HiGHS found; status 1 is a limit, of which time is the only one set."""
    if limit.seconds is not None:
        options = options | {"time_limit": max(limit.left(), 1e-3)}
    found = interruptible(partial(solve, goal, options=options, **constraints))
    if found.status not in (0, 1):
        raise RuntimeError(f"HiGHS could not solve the program: {found.message}")
    limit.ran_out = limit.ran_out or found.status == 1
    return found
