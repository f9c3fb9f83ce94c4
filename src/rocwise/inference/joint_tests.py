"""Are the areas of several models all equal? Chi-square, and what holds with few cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocwise.arrays import Floats
from rocwise.inference.class_spreads import CovarianceByClass

ROUNDING = 1e-24  # variances below this are rounding of areas
TIED = 1e-9  # of a statistic: of two pairs that differ by less the first one is named
FEWEST = 3  # cases of the smaller class below which no estimated matrix is to be trusted


@dataclass(frozen=True, slots=True)
class JointTest:
    """Statistic, degrees of freedom (of an F also those of its denominator) and p value."""

    statistic: float
    df: float | None
    p_value: float
    df_denominator: float | None = None
    name: str = ""  # what it is called when it is not the chi-square of DeLong


def chi_square(differences: Floats, spread: Floats) -> JointTest:
    """Chi-square, degrees of freedom (the rank) and upper tail; singular spreads are allowed."""
    from scipy.special import chdtrc

    inverse, rank = _inverse(spread)
    if rank == 0:
        equal = bool(np.all(np.abs(differences) < 1e-15))
        return JointTest(0.0, 0.0, 1.0) if equal else JointTest(math.inf, 0.0, 0.0)
    statistic = float(differences @ inverse @ differences)
    return JointTest(statistic, float(rank), float(chdtrc(rank, statistic)))


def hotelling(differences: Floats, by_class: CovarianceByClass) -> JointTest | None:
    """Hotelling's F for classes of unequal spread (Krishnamoorthy and Yu 2004, for two).

    The matrix is a sum of estimated ones, one for each class, so its degrees of freedom are
    Satterthwaite's for matrices. None where too few cases are left for so many models.
    """
    from scipy.special import fdtrc

    inverse, rank = _inverse(by_class.total)
    if min(by_class.sizes) < FEWEST or rank == 0:
        return None
    used = 0.0
    for part, n in zip(by_class.parts, by_class.sizes, strict=True):
        share = part @ inverse
        used += (np.trace(share @ share) + np.trace(share) ** 2) / (n - 1)
    nu = (rank + rank**2) / float(used)
    left = nu - rank + 1
    if left < 1:
        return None
    statistic = float(differences @ inverse @ differences) * left / (nu * rank)
    p = float(fdtrc(rank, left, statistic))
    return JointTest(statistic, float(rank), p, left, "Hotelling's F")


def smallest_adjusted(p_adjusted: Sequence[float], statistics: Sequence[float]) -> JointTest:
    """The joint test that the tests of all pairs are: the smallest of their adjusted p values."""
    nearly_largest = max(map(abs, statistics)) * (1 - TIED)
    largest = next(z for z in statistics if not abs(z) < nearly_largest)
    return JointTest(largest, None, min(p_adjusted), name="smallest of Holm's p values")


def _inverse(spread: Floats) -> tuple[Floats, int]:
    """Pseudo-inverse and rank; entries that are rounding of areas only are no spread."""
    if np.abs(spread).max() <= ROUNDING:
        return np.zeros_like(spread), 0
    values, vectors = np.linalg.eigh(spread)
    sizes = np.abs(values)
    kept = sizes > 1e-12 * sizes.max()
    inverse = np.asarray((vectors[:, kept] / values[kept]) @ vectors[:, kept].T)
    tolerance = 1e-12 * max(np.abs(spread).max(), 1e-300)
    return inverse, int(np.count_nonzero(sizes > tolerance))
