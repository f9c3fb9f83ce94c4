"""Risks with weighted columns (O'Brien & Gray): argmin of alpha_k times the expected cost of k."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocwise.arrays import Floats
from rocwise.multiclass.operating_points.passes import passes
from rocwise.multiclass.operating_points.problems import Classes, OperatingProblem
from rocwise.multiclass.operating_points.time_limits import TimeLimit

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
