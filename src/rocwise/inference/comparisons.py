"""From estimates of any kind and their covariance matrix to a comparison of models."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from rocwise.arrays import Floats
from rocwise.inference.comparison_results import Comparison
from rocwise.inference.significance import (
    Decision,
    Reference,
    decide,
    error_of_difference,
    holm,
)
from rocwise.results import Interval, Origin, Table

NORMAL = Reference()


def compared(
    estimates: dict[str, float],
    covariance: Floats,
    *,
    quantity: str,
    method: str,
    description: str,
    level: float,
    alternative: str,
    margin: float | None,
    reference: Reference = NORMAL,
    seed: int | None = None,
    origin: Origin | None = None,
) -> Comparison:
    """One difference with its interval and test; for more models the joint test and all pairs.

    `margin` has gone through `checked_margin`, together with the alternative.
    """
    found = [
        _difference(estimates, covariance, (a, b), method, level, alternative, margin, reference)
        for a, b in combinations(range(len(estimates)), 2)
    ]
    single = len(found) == 1
    difference, error, decision = found[0]
    statistic, df, p_value = decision.statistic, reference.df, decision.p_value
    if not single:
        theta = np.array(list(estimates.values()))
        steps = np.eye(len(theta))[:-1] - np.eye(len(theta))[1:]
        statistic, df, p_value = _quadratic_test(steps @ theta, steps @ covariance @ steps.T)
    return Comparison(
        estimates=estimates,
        difference=difference if single else None,
        standard_error=error if single else None,
        interval=Interval(decision.low, decision.high, level, description) if single else None,
        statistic=statistic,
        p_value=p_value,
        df=df,
        method=description,
        alternative=alternative,
        quantity=quantity,
        margin=margin,
        pairwise=None if single else _all_pairs(estimates, found),
        seed=seed,
        origin=origin or Origin(),
    )


def _difference(
    estimates: dict[str, float],
    covariance: Floats,
    pair: tuple[int, int],
    method: str,
    level: float,
    alternative: str,
    margin: float | None,
    reference: Reference,
) -> tuple[float, float, Decision]:
    values = list(estimates.values())
    difference = values[pair[0]] - values[pair[1]]
    error = error_of_difference(covariance, *pair, method)
    decision = decide(
        difference,
        error,
        alternative=alternative,
        margin=margin,
        level=level,
        reference=reference,
    )
    return difference, error, decision


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


def _all_pairs(estimates: dict[str, float], found: list[tuple[float, float, Decision]]) -> Table:
    pairs = list(combinations(estimates, 2))
    decisions = [decision for _, _, decision in found]
    return Table(
        first=np.array([first for first, _ in pairs]),
        second=np.array([second for _, second in pairs]),
        difference=np.array([difference for difference, _, _ in found]),
        standard_error=np.array([error for _, error, _ in found]),
        low=np.array([each.low for each in decisions]),
        high=np.array([each.high for each in decisions]),
        statistic=np.array([each.statistic for each in decisions]),
        p_value=np.array([each.p_value for each in decisions]),
        p_adjusted=np.array(holm([each.p_value for each in decisions])),
    )
