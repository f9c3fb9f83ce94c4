"""More than two models: the joint test that all are equal, and every pair."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocwise.binary.comparison_plans import Plan
from rocwise.binary.comparison_results import Comparison
from rocwise.binary.decisions import Decision, Reference, decide, error_of_difference, holm
from rocwise.results import Table

Floats = NDArray[np.float64]


def all_compared(estimates: dict[str, float], covariance: Floats, plan: Plan) -> Comparison:
    """All equal? Chi-square of successive differences (F3.10), and every pair with Holm's p."""
    theta = np.array(list(estimates.values()))
    L = np.eye(len(theta))[:-1] - np.eye(len(theta))[1:]
    statistic, df, p = _quadratic_test(L @ theta, L @ covariance @ L.T)
    return Comparison(
        estimates=estimates,
        difference=None,
        standard_error=None,
        interval=None,
        statistic=statistic,
        p_value=p,
        df=df,
        method=plan.description,
        quantity=plan.statistic.name,
        pairwise=_pairwise(estimates, covariance, plan),
    )


def _quadratic_test(differences: Floats, spread: Floats) -> tuple[float, float, float]:
    """Chi-square, degrees of freedom (the rank) and upper tail; singular spreads are allowed."""
    from scipy.special import chdtrc

    inverse = np.linalg.pinv(spread, rcond=1e-12, hermitian=True)
    rank = int(np.linalg.matrix_rank(spread, tol=1e-12 * max(np.abs(spread).max(), 1e-300)))
    if rank == 0:
        equal = bool(np.all(np.abs(differences) < 1e-15))
        return (0.0, 0.0, 1.0) if equal else (math.inf, 0.0, 0.0)
    statistic = float(differences @ inverse @ differences)
    return statistic, float(rank), float(chdtrc(rank, statistic))


def _pairwise(estimates: dict[str, float], covariance: Floats, plan: Plan) -> Table:
    names, values = list(estimates), list(estimates.values())
    rows: list[tuple[str, str, float, float, Decision]] = []
    for a in range(len(names)):
        for b in range(a + 1, len(names)):
            difference, error = (
                values[a] - values[b],
                error_of_difference(covariance, a, b, plan.method),
            )
            found = decide(
                difference,
                error,
                alternative="two-sided",
                margin=None,
                level=plan.level,
                reference=Reference(),
            )
            rows.append((names[a], names[b], difference, error, found))
    first, second, difference_, error_, decisions = zip(*rows, strict=True)
    return Table(
        first=np.array(first),
        second=np.array(second),
        difference=np.array(difference_),
        standard_error=np.array(error_),
        low=np.array([found.low for found in decisions]),
        high=np.array([found.high for found in decisions]),
        statistic=np.array([found.statistic for found in decisions]),
        p_value=np.array([found.p_value for found in decisions]),
        p_adjusted=np.array(holm([found.p_value for found in decisions])),
    )
