"""The mean of dependent estimates, one for each reader: the Obuchowski-Rockette analysis.

All comparisons of readers are a mean of r numbers with a covariance matrix due to cases
(Obuchowski and Rockette 1995) and Hillis' degrees of freedom (2007): the estimates of one modality,
the differences of two, or those of a standalone model and each reader.
"""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats, Places
from rocwise.errors import InputError
from rocwise.inference.comparison import JointTest
from rocwise.inference.significance import satterthwaite

Effect = Literal["random", "fixed"]
NOISE = 1e-24  # variances below this are rounding of proportions


def check_effects(readers: Effect, cases: Effect) -> None:
    """At least one of readers and cases is random."""
    checks.one_of(readers, "readers", get_args(Effect))
    checks.one_of(cases, "cases", get_args(Effect))
    if readers == cases == "fixed":
        raise InputError("`readers` and `cases` are both 'fixed'; one of them must be random.")


class Side(NamedTuple):
    """One side of a comparison: the cells of a modality, or of the standalone model."""

    name: str
    cells: Places
    readers: Places  # rising

    def repeated(self, other: "Side") -> "Side":
        """The cell of a standalone model for every reader of a modality."""
        return Side(self.name, np.repeat(self.cells, len(other.cells)), other.readers)


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

    @property
    def is_negative(self) -> bool:
        """Whether the variance, of unbiased estimators, is below 0 by more than rounding."""
        return self.variance < -1e-15


def mean_of(
    contrasts: Sequence[Floats],
    values: Floats,
    covariance: Floats,
    readers: str = "random",
    cases: str = "random",
) -> Mean:
    """The mean of one contrast of estimates for each reader, with Hillis' (2007) df.

    `contrasts` has one matrix (readers, cells); of two groups of readers it has two, and the result
    is the sum of their means with Satterthwaite's df. The sample variance of the readers' numbers
    does not include the mean covariance, which is due to the common cases.
    """
    numbers = [A @ values for A in contrasts]
    blocks = [[A @ covariance @ B.T for B in contrasts] for A in contrasts]
    value = sum(float(v.mean()) for v in numbers)
    fixed = sum(float(C.mean()) for row in blocks for C in row)
    if readers == "fixed":
        return Mean(value, fixed, math.inf, fixed)
    parts = [(float(v.var(ddof=1)) / len(v), len(v)) for v in numbers]
    own = sum(part for part, _ in parts)
    own, total = (own, own) if own > NOISE else (0.0, 0.0)
    if cases == "random":
        whole = (
            C.mean() if i != k else off_diagonal(C)
            for i, row in enumerate(blocks)
            for k, C in enumerate(row)
        )
        total += max(float(sum(whole)), 0.0)
    df = (satterthwaite(parts) or 0.0) * (total / own) ** 2 if own > 0 else math.inf
    return Mean(value, total, df, fixed)


def off_diagonal(C: Floats) -> float:
    """Mean of the elements off the diagonal; 0 where there is one estimate."""
    r = len(C)
    return float(C.sum() - np.trace(C)) / (r * (r - 1)) if r > 1 else 0.0


class Anova(NamedTuple):
    """Mean squares, and mean covariances by common factors (Obuchowski and Rockette 1995)."""

    t: int
    r: int
    modalities: float  # MS(T)
    readers: float  # MS(R)
    both: float  # MS(TR)
    covariances: dict[str, float]  # var, cov1 (the same reader), cov2 (the same modality), cov3

    @classmethod
    def of(cls, values: Floats, C: Floats) -> "Anova":
        """Of estimates (modalities, readers) and their covariance matrix."""
        t, r = values.shape
        of_modality, of_reader = values.mean(axis=1), values.mean(axis=0)
        both = values - of_modality[:, None] - of_reader + values.mean()
        modality, reader = np.divmod(np.arange(t * r), r)
        modality, reader = modality == modality[:, None], reader == reader[:, None]
        shared = modality & reader, ~modality & reader, modality & ~reader, ~modality & ~reader
        names = ("var", "cov1", "cov2", "cov3")
        means = {name: float(C[own].mean()) for name, own in zip(names, shared, strict=True)}
        squares = r * of_modality.var(ddof=1), t * of_reader.var(ddof=1)
        error = (both**2).sum() / ((t - 1) * (r - 1))
        return cls(t, r, float(squares[0]), float(squares[1]), float(error), means)

    def components(self) -> dict[str, float]:
        """Variance components of readers, and of readers by modality; covariances."""
        var, cov1, cov2, cov3 = self.covariances.values()
        found = {
            "var_reader": (self.readers - self.both) / self.t - cov1 + cov3,
            "var_modality_reader": self.both - var + cov1 + (cov2 - cov3),
            **self.covariances,
        }
        return found | {f"r{k}": found[f"cov{k}"] / var for k in (1, 2, 3) if var > 0}

    def joint_test(self, readers: str, cases: str) -> JointTest:
        """The test that all modalities are equal, by F, or with fixed readers by chi-square."""
        from scipy.special import chdtrc, fdtrc

        t, r, (var, cov1, cov2, cov3) = self.t, self.r, self.covariances.values()
        if readers == "fixed":
            statistic = _ratio((t - 1) * self.modalities, var - cov1 + (r - 1) * (cov2 - cov3))
            return JointTest(statistic, t - 1, float(chdtrc(t - 1, statistic)))
        scale = self.both + (r * max(cov2 - cov3, 0.0) if cases == "random" else 0.0)
        df = (t - 1) * (r - 1) * (scale / self.both) ** 2 if self.both > NOISE else math.inf
        statistic = _ratio(self.modalities, scale)
        p = float(fdtrc(t - 1, min(df, 1e15), statistic))
        return JointTest(statistic, t - 1, p, df)


def _ratio(square: float, scale: float) -> float:
    """A mean square over its expectation; without variance 0 for no difference, else infinite."""
    if scale > NOISE:
        return square / scale
    return 0.0 if square <= NOISE else math.inf
