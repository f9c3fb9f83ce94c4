"""Families of distributions fitted to a sample, the likeliest chosen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.binary.distributions.densities import checked_sample
from rocwise.errors import InputError, listed, shown
from rocwise.results import ASIDE, Result, result

FAMILIES = ("norm", "logistic", "gumbel_r", "gumbel_l", "t", "lognorm", "gamma", "weibull_min")
POSITIVE_ONLY = ("lognorm", "gamma", "weibull_min", "expon", "beta")


@result
class FittedDistribution(Result):
    """The distribution chosen for a sample, and how the others did."""

    distribution: Any = field(metadata=ASIDE)
    family: str
    parameters: tuple[float, ...]
    log_likelihood: float
    aic: float
    table: dict[str, tuple[float, float]]
    n: int
    sample: Floats | None = field(default=None, metadata=ASIDE)

    def density(self, n_points: int = 401) -> tuple[Floats, Floats]:
        """Scores without the outermost tails, and the density there; nan where it is infinite."""
        low, high = (float(self.distribution.ppf(share)) for share in (0.001, 0.999))
        scores = np.linspace(low, high, checks.size(n_points, "n_points", at_least=2))
        heights = np.asarray(self.distribution.pdf(scores), dtype=np.float64)
        return scores, np.where(np.isfinite(heights), heights, np.nan)

    def _sentence(self) -> str:
        shown = ", ".join(f"{value:.4g}" for value in self.parameters)
        return (
            f"{self.family}({shown}) fitted to {self.n:,} values, "
            f"log likelihood {self.log_likelihood:.2f}, best of {len(self.table)} by AIC"
        )

    def _columns(self) -> dict[str, Any]:
        order = sorted(self.table, key=lambda family: self.table[family][1])
        return {
            "family": order,
            "log_likelihood": [self.table[family][0] for family in order],
            "aic": [self.table[family][1] for family in order],
        }


def _named(families: Any) -> tuple[str, ...]:
    if not isinstance(families, Iterable) or isinstance(families, (bytes, Mapping, np.ndarray)):
        raise InputError(f"`families` must be a list of names; got {shown(families)}.")
    return tuple(families)


def fit_distribution(
    sample: ArrayLike, *, families: str | Sequence[str] = FAMILIES
) -> FittedDistribution:
    """Fit families of scipy to a sample by maximum likelihood and choose one by AIC.

    Parameters
    ----------
    sample : sequence of float
        Scores of one class.
    families : str or sequence of str
        Names in `scipy.stats`. Families of positive numbers are fitted from 0, and left out when
        the sample has values of 0 or below.

    Returns
    -------
    FittedDistribution
        With `distribution` (frozen), `family`, `parameters`, `log_likelihood`, `aic`; `to_frame()`
        lists all families. `predict_roc` takes it as it is.

    Examples
    --------
    >>> import numpy as np
    >>> import rocwise as rw
    >>> waiting = np.random.default_rng(1).gamma(1.3, size=2000)
    >>> rw.fit_distribution(waiting).family in ("gamma", "weibull_min")
    True
    """
    values = checked_sample(sample, "sample")
    families = (families,) if isinstance(families, str) else _named(families)
    table: dict[str, tuple[float, float]] = {}
    best: tuple[Any, tuple[float, ...]] | None = None
    for family in families:
        fitted = _fitted(family, values)
        if fitted is None:
            continue
        distribution, parameters = fitted
        likelihood = float(np.sum(distribution.logpdf(values)))
        if not math.isfinite(likelihood):
            continue
        free = len(parameters) - _fixed(family)
        table[family] = (likelihood, 2 * free - 2 * likelihood)
        if min(table, key=lambda name: table[name][1]) == family:
            best, chosen = fitted, family
    if best is None:
        raise InputError(
            f"`families` has none that fits this sample; got {listed(families)}. "
            "Families of positive numbers need values above 0."
        )
    return FittedDistribution(
        distribution=best[0],
        family=chosen,
        parameters=tuple(float(value) for value in best[1]),
        log_likelihood=table[chosen][0],
        aic=table[chosen][1],
        table=table,
        n=len(values),
        sample=values,
    )


def _fixed(family: str) -> int:
    """How many parameters are not fitted: the place of positive numbers, and the unit of beta."""
    return 2 if family == "beta" else int(family in POSITIVE_ONLY)


def _fitted(family: str, values: Floats) -> tuple[Any, tuple[float, ...]] | None:
    """The frozen distribution and its parameters; None where the family cannot hold the sample."""
    from scipy import stats

    kind = getattr(stats, str(family), None)
    if not isinstance(kind, stats.rv_continuous):
        raise InputError(
            f"`families` must name continuous distributions of scipy.stats; got {shown(family)}."
        )
    if family in POSITIVE_ONLY and values.min() <= 0:
        return None
    if family == "beta" and values.max() >= 1:
        return None
    with np.errstate(all="ignore"):  # steps of the search; what it finds is judged above
        try:
            if family == "beta":
                parameters = kind.fit(values, floc=0, fscale=1)
            elif family in POSITIVE_ONLY:
                parameters = kind.fit(values, floc=0)
            else:
                parameters = kind.fit(values)
        except (stats.FitError, ValueError):  # ValueError: the search left the floats
            return None
    return kind(*parameters), tuple(parameters)
