"""The mean of dependent estimates, one for each reader: the Obuchowski-Rockette analysis.

All comparisons of readers are a mean of r numbers with a covariance matrix due to cases
(Obuchowski and Rockette 1995) and Hillis' degrees of freedom (2007): the estimates of one modality,
the differences of two, or those of a standalone model and each reader.
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.errors import InputError
from rocwise.inference.comparison import JointTest
from rocwise.inference.significance import NEARLY_NORMAL

Effect = Literal["random", "fixed"]
NOISE = 1e-24  # variances below this are rounding of proportions


class Mean(NamedTuple):
    """A mean over readers with its variance, and its variance were the readers fixed."""

    value: float
    variance: float
    df: float
    fixed: float

    @property
    def error(self) -> float:
        """Standard error."""
        return math.sqrt(self.variance) if self.variance > NOISE else 0.0


def mean_of(v: Floats, C: Floats, readers: str = "random", cases: str = "random") -> Mean:
    """The mean of one estimate for each reader, whose covariance due to cases is C (Hillis 2007).

    The sample variance of the estimates does not see what the cases, which the readers share, move
    in all of them: the mean covariance.
    """
    r = len(v)
    value, fixed = float(v.mean()), float(C.sum()) / r**2
    if readers == "fixed":
        return Mean(value, _not_negative(fixed, C), math.inf, fixed)
    own = float(v.var(ddof=1)) / r
    own = own if own > NOISE else 0.0
    if cases == "fixed":
        return Mean(value, own, r - 1.0, fixed)
    total = own + max(off_diagonal(C), 0.0)
    df = (r - 1) * (total / own) ** 2 if own > 0 else math.inf
    return Mean(value, total, df, fixed)


def difference_of(
    v: tuple[Floats, Floats], C: Floats, readers: str = "random", cases: str = "random"
) -> Mean:
    """The difference of the means of two groups of readers, with Satterthwaite's df.

    C is the matrix of both groups, the first one first.
    """
    r1, r2 = map(len, v)
    weights = np.concatenate([np.full(r1, 1 / r1), np.full(r2, -1 / r2)])
    value, fixed = float(v[0].mean() - v[1].mean()), float(weights @ C @ weights)
    if readers == "fixed":
        return Mean(value, _not_negative(fixed, C), math.inf, fixed)
    parts = [float(each.var(ddof=1)) / len(each) for each in v]
    own = sum(parts)
    shared = off_diagonal(C[:r1, :r1]) + off_diagonal(C[r1:, r1:]) - 2 * float(C[:r1, r1:].mean())
    total = own + (max(shared, 0.0) if cases == "random" else 0.0)
    squares = parts[0] ** 2 / (r1 - 1) + parts[1] ** 2 / (r2 - 1)
    return Mean(value, total, total**2 / squares if own > NOISE else math.inf, fixed)


def contrast(C: Floats, first: Places, second: Places) -> Floats:
    """Covariance matrix of the differences of estimates `first` less `second`, cell by cell."""
    cross = C[np.ix_(first, second)]
    return np.asarray(C[np.ix_(first, first)] + C[np.ix_(second, second)] - cross - cross.T)


def off_diagonal(C: Floats) -> float:
    """Mean of the elements off the diagonal; 0 where there is one estimate."""
    r = len(C)
    return float(C.sum() - np.trace(C)) / (r * (r - 1)) if r > 1 else 0.0


def _not_negative(variance: float, C: Floats) -> float:
    """A variance of fixed readers, which some covariance methods make negative."""
    if variance < -1e-12 * float(np.abs(C).max()):
        raise InputError(
            f"the variance of the mean is negative ({variance:.3g}) with this `covariance`; use "
            "covariance='delong'."
        )
    return max(variance, 0.0)


class Anova(NamedTuple):
    """Mean squares, and mean covariances by what two cells share (Obuchowski and Rockette 1995)."""

    modalities: float  # MS(T)
    readers: float  # MS(R)
    both: float  # MS(TR)
    var: float  # the same cell
    cov1: float  # the same reader
    cov2: float  # the same modality
    cov3: float  # neither
    t: int
    r: int

    @property
    def var_reader(self) -> float:
        """Variance component of the readers."""
        return (self.readers - self.both) / self.t - self.cov1 + self.cov3

    @property
    def var_modality_reader(self) -> float:
        """Variance component of readers by modality."""
        return self.both - self.var + self.cov1 + (self.cov2 - self.cov3)

    def joint_test(self, readers: str, cases: str) -> JointTest:
        """The test that all modalities are equal, by F, or with fixed readers by chi-square."""
        from scipy.special import chdtrc, fdtrc

        t, r = self.t, self.r
        if readers == "fixed":
            scale = self.var - self.cov1 + (r - 1) * (self.cov2 - self.cov3)
            statistic = _ratio((t - 1) * self.modalities, scale)
            return JointTest(statistic, t - 1, float(chdtrc(t - 1, statistic)))
        scale, df = self.both, (t - 1.0) * (r - 1)
        if cases == "random":
            scale += r * max(self.cov2 - self.cov3, 0.0)
            df = df * (scale / self.both) ** 2 if self.both > NOISE else math.inf
        statistic = _ratio(self.modalities, scale)
        if df < NEARLY_NORMAL:
            p = float(fdtrc(t - 1, df, statistic))
        else:
            p = float(chdtrc(t - 1, (t - 1) * statistic))
        return JointTest(statistic, t - 1, p, df)


def _ratio(square: float, scale: float) -> float:
    """A mean square over its expectation; without variance 0 for no difference, else infinite."""
    if scale > NOISE:
        return square / scale
    return 0.0 if square <= NOISE else math.inf


def anova(values: Floats, C: Floats) -> Anova:
    """Mean squares of estimates (modalities, readers), and means of their covariances."""
    t, r = values.shape
    of_modality, of_reader, mean = values.mean(axis=1), values.mean(axis=0), float(values.mean())
    both = values - of_modality[:, None] - of_reader + mean
    blocks = C.reshape(t, r, t, r)
    same_reader = np.einsum("ijkj->ik", blocks)  # sums over readers, by both modalities
    same_modality = np.einsum("ijil->jl", blocks)
    var = float(np.trace(C))
    cov1, cov2 = float(same_reader.sum()) - var, float(same_modality.sum()) - var
    cov3 = float(C.sum()) - var - cov1 - cov2
    return Anova(
        modalities=r * float(((of_modality - mean) ** 2).sum()) / (t - 1),
        readers=t * float(((of_reader - mean) ** 2).sum()) / (r - 1),
        both=float((both**2).sum()) / ((t - 1) * (r - 1)),
        var=var / (t * r),
        cov1=cov1 / (t * r * (t - 1)),
        cov2=cov2 / (t * r * (r - 1)),
        cov3=cov3 / (t * r * (t - 1) * (r - 1)),
        t=t,
        r=r,
    )
