"""The linear programme and the exact 0/1 programme, both solved by HiGHS through scipy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rocwise.arrays import Flags, Floats
from rocwise.kernels.threads import interruptible
from rocwise.multiclass.operating_points.problems import OperatingProblem, called_classes
from rocwise.multiclass.operating_points.time_limits import TimeLimit
from rocwise.multiclass.operating_points.weight_cells import cell_weights, merged_rows, moving_rows

ETA = 1e-6  # weight of the distance to equal weights in the linear programme
DELTA = 1e-4  # smallest margin of the 0/1 programme, in logarithms
INTEGRALITY = 1e-6  # how far from 0 or 1 HiGHS lets a variable be
LARGEST_PRESOLVED = 500  # rows times classes; presolving more heeds no time limit
LARGEST_LOSS = 1e3  # of one row, as HiGHS sees it: its gap of 1e-6 is absolute
LARGEST_UNSCALED = 1e6  # HiGHS refuses numbers far above this, and drops those far below 1


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """What a programme found.

    Attributes
    ----------
    weights : ndarray or None
        None if the time was over before any solution.
    objective : float or None
        What was minimised, at the solution.
    optimal : bool
        Whether the solver proved that nothing is better.
    """

    weights: Floats | None
    objective: float | None
    optimal: bool


def linear_programme(
    problem: OperatingProblem, limit: TimeLimit, *, normalised: bool = True
) -> Solved:
    """The relaxation (14) of Deng et al. (2006), with sum_j fmax_j w_j = 1.

    Variables w (m), I (n m), gamma (n), t (m). Without the normalisation, as printed, w = 0 and
    I_iy = 1 is feasible for any data, and the programme says nothing.
    """
    from scipy import sparse
    from scipy.optimize import linprog

    m, n = problem.n_classes, problem.n_rows
    top = float(problem.scores.max())
    scale = 1.0 if 1.0 / LARGEST_UNSCALED < top < LARGEST_UNSCALED else top
    scores = problem.scores / scale
    largest = scores.max(axis=1)
    centre = 1.0 / largest.sum() if normalised else 1.0
    above, limits = _inequalities(scores, centre)
    equal = [sparse.hstack([_one_class_each(n, m), _zeros(n, n + m)])]
    sums = [np.ones(n)]
    if normalised:
        equal.append(sparse.hstack([sparse.csr_matrix(largest[None, :]), _zeros(1, n * m + n + m)]))
        sums.append(np.ones(1))
    unit = max(_unit(problem.losses), ETA)
    goal = [np.zeros(m), problem.losses.T.ravel(), np.zeros(n), np.full(m, ETA)]
    found = interruptible(
        partial(
            linprog,
            np.concatenate(goal) / unit,
            A_ub=above,
            b_ub=limits,
            A_eq=sparse.vstack(equal, format="csr"),
            b_eq=np.concatenate(sums),
            bounds=[(0, None)] * m + [(0, 1)] * (n * m) + [(0, None)] * (n + m),
            method="highs",
            options=_options(limit),
        )
    )
    return _solved(found, limit, None if found.x is None else found.x[:m] / scale, unit)


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


def exact_programme(problem: OperatingProblem, limit: TimeLimit) -> Solved:
    """The 0/1 programme in logarithms: u_0 = 0, each row in one class by a small margin.

    A row without confidence in a class is never called it. The margin is 1e-4 in logarithms, or
    more where confidences span so many orders that the solver's own tolerance would exceed it.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    ones = np.ones(problem.n_classes)
    moving = moving_rows(problem.logs())
    logs, losses = merged_rows(problem.logs()[:, moving], problem.losses[:, moving])
    called = called_classes(problem.scores, ones)
    kept = float(problem.losses[called, np.arange(problem.n_rows)][~moving].sum())
    m, n = logs.shape
    if n == 0:
        return Solved(ones, kept, True)
    margins = _margins(logs, np.isfinite(logs))
    possible = np.isfinite(logs).T.ravel().astype(np.float64)
    reach = np.append(0.0, np.full(m - 1, margins.reach))
    unit = _unit(losses) / LARGEST_LOSS
    found = interruptible(
        partial(
            milp,
            np.concatenate([np.zeros(m), losses.T.ravel() / unit]),
            integrality=np.concatenate([np.zeros(m), np.ones(n * m)]),
            bounds=Bounds(np.append(-reach, np.zeros(n * m)), np.append(reach, possible)),
            constraints=[
                LinearConstraint(margins.matrix, -np.inf, margins.limits),
                LinearConstraint(_one_class_each(n, m), 1.0, 1.0),
            ],
            options={**_options(limit), "mip_rel_gap": 0.0, "presolve": _presolves(limit, n * m)},
        )
    )
    if found.x is None:
        return _solved(found, limit, None, unit)
    inside = cell_weights(logs, found.x[m:].reshape(n, m).argmax(axis=1))
    weights = np.exp(found.x[:m]) if inside is None else inside
    return _solved(found, limit, weights, unit, kept)


@dataclass(frozen=True, slots=True, eq=False)
class _Margins:
    """Rows matrix @ (u, I) <= limits, and how far u may go."""

    matrix: Any
    limits: Floats
    reach: float


def _margins(logs: Floats, possible: Flags) -> _Margins:
    """u_k - u_j + M I_ij <= M + L_ij - L_ik - delta, where both classes are possible.

    A cell is a system of difference constraints with constants within D, so that (m - 1) D
    reaches all of them. The margin must exceed what rounding of I to 0 or 1 lets through.
    """
    from scipy import sparse

    m = len(logs)
    widest = float(-np.where(possible, logs, 0.0).min())
    reach = (m - 1) * widest + 1.0
    delta = max(DELTA, 2.0 * INTEGRALITY * (2.0 * reach + widest))
    called, rival, row = (
        index.ravel() for index in np.meshgrid(np.arange(m), np.arange(m), np.arange(logs.shape[1]))
    )
    used = (called != rival) & possible[called, row] & possible[rival, row]
    called, rival, row = called[used], rival[used], row[used]
    lead = logs[called, row] - logs[rival, row]  # finite: only possible classes are left
    slack = 2.0 * reach - lead + delta
    lines = np.tile(np.arange(len(row)), 3)
    columns = np.concatenate([rival, called, m + row * m + called])
    values = np.concatenate([np.ones(len(row)), -np.ones(len(row)), slack])
    shape = (len(row), m + logs.size)
    matrix = sparse.csr_matrix((values, (lines, columns)), shape=shape)
    return _Margins(matrix, slack + lead - delta, reach)


def _one_class_each(n: int, m: int) -> Any:
    from scipy import sparse

    return sparse.hstack([_zeros(n, m), sparse.kron(sparse.eye(n), np.ones((1, m)))], format="csr")


def _options(limit: TimeLimit) -> dict[str, float]:
    return {} if limit.seconds is None else {"time_limit": max(limit.left(), 1e-3)}


def _presolves(limit: TimeLimit, size: int) -> bool:
    return limit.seconds is None or size <= LARGEST_PRESOLVED


def _unit(losses: Floats) -> float:
    """The largest loss of a row: tolerances of HiGHS are absolute, costs come in any unit."""
    return float(losses.max()) or 1.0


def _solved(
    found: Any, limit: TimeLimit, weights: Floats | None, unit: float, kept: float = 0.0
) -> Solved:
    """The answer of the solver; status 1 is a limit, of which time is the only one set."""
    if found.status not in (0, 1):
        raise RuntimeError(f"HiGHS could not solve the programme: {found.message}")
    limit.ran_out = limit.ran_out or found.status == 1
    objective = None if weights is None else float(found.fun) * unit + kept
    return Solved(weights, objective, found.status == 0)
