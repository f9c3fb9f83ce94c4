"""Families of distributions fitted to a sample, the likeliest chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.binary.distributions.densities import checked_sample
from rocwise.binary.distributions.likelihoods.by_family import FITS, FamilyFit
from rocwise.binary.distributions.likelihoods.columns import Sample
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
        the sample has values of 0 or below; `t` is left out when its likelihood has no
        maximum, as with many ties.

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
    fits = _fits(families, Sample(values))
    if not families:
        raise InputError("`families` must name at least one family; got none.")
    if not fits:
        raise InputError(
            f"`families` has none that fits this sample; got {listed(families)}. Families of "
            "positive numbers need values above 0, and no family fits where its likelihood has no "
            "largest value: of 't' where many values are equal, of 'gamma' where all are nearly so."
        )
    table = {family: (fit.log_likelihood, _aic(family, fit)) for family, fit in fits.items()}
    chosen = min(table, key=lambda family: table[family][1])
    return FittedDistribution(
        distribution=_kind(chosen)(*fits[chosen].parameters),
        family=chosen,
        parameters=fits[chosen].parameters,
        log_likelihood=table[chosen][0],
        aic=table[chosen][1],
        table=table,
        n=len(values),
        sample=values,
    )


def _fits(families: Sequence[str], sample: Sample) -> dict[str, FamilyFit]:
    """Those families that can hold the sample, with parameters and likelihoods that are numbers."""
    found = {family: _fitted(family, sample) for family in families}
    return {
        family: fit
        for family, fit in found.items()
        if fit is not None and np.isfinite([*fit.parameters, fit.log_likelihood]).all()
    }


def _aic(family: str, fit: FamilyFit) -> float:
    free = len(fit.parameters) - _fixed(family)
    return 2 * free - 2 * fit.log_likelihood


def _fixed(family: str) -> int:
    """How many parameters are not fitted: the place of positive numbers, and the unit of beta."""
    return 2 if family == "beta" else int(family in POSITIVE_ONLY)


def _kind(family: str) -> Any:
    """What scipy calls so."""
    from scipy import stats

    kind = getattr(stats, str(family), None)
    if not isinstance(kind, stats.rv_continuous):
        raise InputError(
            f"`families` must name continuous distributions of scipy.stats; got {shown(family)}."
        )
    return kind


def _fitted(family: str, sample: Sample) -> FamilyFit | None:
    """Parameters and likelihood; None where the family cannot hold the sample."""
    kind = _kind(family)
    if family in POSITIVE_ONLY and sample.values.min() <= 0:
        return None
    if family == "beta" and sample.values.max() >= 1:
        return None
    return FITS[family](sample) if family in FITS else _searched(kind, family, sample.values)


def _searched(kind: Any, family: str, values: Floats) -> FamilyFit | None:
    """What scipy's own closed form or search finds."""
    from scipy import stats

    fixed = {"floc": 0} if family in POSITIVE_ONLY else {}
    fixed |= {"fscale": 1} if family == "beta" else {}
    with np.errstate(all="ignore"):  # steps of the search; what it finds is judged by who asks
        try:
            parameters = kind.fit(values, **fixed)
        except (stats.FitError, ValueError):  # ValueError: the search left the floats
            return None
        likelihood = float(np.sum(kind.logpdf(values, *parameters)))
    return FamilyFit(tuple(float(value) for value in parameters), likelihood)
