"""Parametric distributions fitted to a sample by maximum likelihood, chosen by AIC."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.binary.densities import checked_sample
from rocwise.errors import InputError, listed, shown
from rocwise.results import ASIDE, Result, result

FAMILIES = ("norm", "logistic", "gumbel_r", "gumbel_l", "t", "lognorm", "gamma", "weibull_min")
LOCATION_SCALE = ("norm", "logistic", "gumbel_r", "gumbel_l")
POSITIVE_ONLY = ("lognorm", "gamma", "weibull_min", "expon", "beta")
SOME_ROWS = 2**13  # evenly spaced rows of a large sample that give starting values for t
MANY_ROWS = 4 * SOME_ROWS

FLAT = 1e-6  # of a slope of the likelihood at a maximum
NUDGE = 1e-3
NORMAL_ENTROPY = (1 + math.log(2 * math.pi)) / 2

LARGEST_SHAPE = 1e13  # of gamma: above it the log density has no digits left
GAMMA_SERIES = 100.0
NORMAL = 1e-6  # 1 / degrees of freedom, below which t is practically normal
MOST_FREEDOM = 1e12  # represents the normal distribution
TRIED = (0.01, 0.03, 0.07, 0.13, 0.2, 0.3, 0.45, 0.7, 1.0, 1.6, 2.5, 4.0, 7.0, 12.0, 20.0)
NARROWEST = 1e-12  # a scale relative to that before and to the location
T_SERIES = 0.01

Parameters = tuple[float, ...]
LossOfFamily = Callable[..., tuple[float, Floats, list[float]]]


def fit_distribution(
    sample: ArrayLike, *, families: str | Sequence[str] = FAMILIES
) -> "FittedDistribution":
    """Fit distributions to a sample by maximum likelihood and select one by AIC.

    Parameters
    ----------
    sample : array-like
        Scores of one class.
    families : str or sequence of str, optional
        Names in `scipy.stats`. Families of positive numbers are fitted from 0, and left out if the
        sample has values of 0 or below; `t` is left out if its likelihood has no maximum.

    Returns
    -------
    FittedDistribution
        Result with `distribution` (frozen), `family`, `parameters`, `log_likelihood` and `aic`;
        ``to_frame()`` lists all families.

    See Also
    --------
    predict_roc : ROC curve of two given distributions.
    binormal : Maximum likelihood fit of the binormal ROC curve.

    Examples
    --------
    >>> import numpy as np
    >>> import rocwise as rw
    >>> sample = np.random.default_rng(1).gamma(3, size=200)
    >>> fit = rw.fit_distribution(sample, families=["norm", "gamma"])
    >>> fit.family
    'gamma'
    >>> ax = fit.plot()
    """
    values = checked_sample(sample, "sample")
    if not isinstance(families, Iterable) or isinstance(families, (bytes, Mapping, np.ndarray)):
        raise InputError(f"`families` must be a list of names; got {shown(families)}.")
    families = (families,) if isinstance(families, str) else tuple(families)
    if not families:
        raise InputError("`families` must name at least one family; got none.")
    columns = Sample(values)
    found = {family: _fitted(family, columns) for family in families}
    fits = {
        family: fit
        for family, fit in found.items()
        if fit is not None and np.isfinite([*fit.parameters, fit.log_likelihood]).all()
    }
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


@result
class FittedDistribution(Result):
    """Fitted distribution with the log likelihood and AIC of all families."""

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
        low, high = (float(self.distribution.ppf(p)) for p in (0.001, 0.999))
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


def _aic(family: str, fit: "FamilyFit") -> float:
    fixed = (family in POSITIVE_ONLY) + (family == "beta")  # the location, the scale
    return 2 * (len(fit.parameters) - fixed) - 2 * fit.log_likelihood


def _kind(family: str) -> Any:
    """The family of scipy."""
    from scipy import stats

    kind = getattr(stats, str(family), None)
    if not isinstance(kind, stats.rv_continuous):
        raise InputError(
            f"`families` must name continuous distributions of scipy.stats; got {shown(family)}."
        )
    return kind


def _fitted(family: str, sample: "Sample") -> "FamilyFit | None":
    """Parameters and likelihood; None where the family does not cover the sample."""
    kind = _kind(family)
    if family in POSITIVE_ONLY and sample.values.min() <= 0:
        return None
    if family == "beta" and sample.values.max() >= 1:
        return None
    if family in LOCATION_SCALE:
        return _location_scale(family, sample.column)
    return FITS[family](sample) if family in FITS else _searched(kind, family, sample.values)


def _searched(kind: Any, family: str, values: Floats) -> "FamilyFit | None":
    """Scipy's own fit."""
    from scipy import stats

    fixed = {"floc": 0} if family in POSITIVE_ONLY else {}
    fixed |= {"fscale": 1} if family == "beta" else {}
    with np.errstate(all="ignore"):
        try:
            parameters = kind.fit(values, **fixed)
        except (stats.FitError, ValueError):  # ValueError: the search left the floats
            return None
        likelihood = float(np.sum(kind.logpdf(values, *parameters)))
    return FamilyFit(tuple(float(value) for value in parameters), likelihood)


class FamilyFit(NamedTuple):
    """Parameters in the order of scipy, and the log likelihood of the sample."""

    parameters: tuple[float, ...]
    log_likelihood: float


class Column(NamedTuple):
    """Numbers mean + deviation * z, so that neither squares nor differences of z lose digits."""

    z: Floats
    mean: float
    deviation: float


def _standardized(z: Floats, center: float, unit: float) -> Column:
    """The numbers center + unit * z."""
    mean, deviation = float(z.mean()), float(z.std())
    return Column((z - mean) / deviation, center + unit * mean, unit * deviation)


def _in_own_unit(values: Floats) -> Column:
    """The values relative to their middle, in a power of two: both steps are exact for most."""
    largest = max(abs(float(values.min())), abs(float(values.max())))
    unit = math.ldexp(1.0, math.frexp(largest)[1] - 1)
    center = float(np.median(values[:: max(1, len(values) // SOME_ROWS)]))
    return _standardized(values / unit - center / unit, center, unit)


@dataclass(frozen=True, eq=False)
class Sample:
    """Values; only those above 0 have logarithms."""

    values: Floats

    @cached_property
    def column(self) -> Column:
        """The values, standardized."""
        return _in_own_unit(self.values)

    @cached_property
    def narrow(self) -> bool:
        """Whether the values differ little: then differences have digits that logarithms lose."""
        return bool(self.values.max() / 2 < self.values.min())

    @cached_property
    def logs(self) -> Column:
        """Their logarithms, standardized."""
        if not self.narrow:
            return _in_own_unit(np.log(self.values))
        center = float(np.median(self.values))
        return _standardized(np.log1p((self.values - center) / center), math.log(center), 1.0)


def _location_scale(family: str, column: Column) -> FamilyFit | None:
    """The fit of a family without shape parameters to standardized values."""
    kind = _kind(family)
    if family == "logistic":
        found = _climbed(column.z, _logistic_loss, (0.0, math.log(math.sqrt(3) / math.pi)))
        if found is None:
            return None
        location, scale = found[0][0], math.exp(found[0][1])
    else:
        location, scale = kind.fit(column.z)
    total = float(kind.logpdf(column.z, location, scale).sum())
    return _in_units(column, (), location, scale, total)


def _in_units(
    column: Column, shapes: tuple[float, ...], location: float, scale: float, total: float
) -> FamilyFit:
    """The fit of standardized values in the unit of the values."""
    ends = column.mean + column.deviation * float(location), column.deviation * float(scale)
    return FamilyFit((*shapes, *ends), total - len(column.z) * math.log(column.deviation))


def _of_logs(sample: Sample, family: str) -> FamilyFit | None:
    """Shape, location 0 and scale of values whose logarithms are of a family."""
    found = _location_scale(family, sample.logs)
    if found is None:
        return None
    (location, scale), likelihood = found
    total = likelihood - len(sample.values) * sample.logs.mean
    shape = 1 / scale if family == "gumbel_l" else scale  # of Weibull's and the lognormal
    return FamilyFit((shape, 0.0, math.exp(location)), total)


def _student(sample: Sample) -> FamilyFit | None:
    """Degrees of freedom 1 / e, location and scale of Student's t, in steps from the normal."""
    column = sample.column
    normal = _in_units(column, (MOST_FREEDOM,), 0.0, 1.0, -len(column.z) * NORMAL_ENTROPY)
    for start in _student_starts(column.z):
        if start[2] <= NORMAL:
            if float(np.mean(column.z**4)) <= 3:
                return normal
            start = (0.0, 0.0, TRIED[0])
        found = _climbed(column.z, _student_loss, start)
        if found is None:
            continue
        (location, log_scale, inverse), value = found
        scale = math.exp(log_scale)
        if scale * column.deviation < NARROWEST * abs(column.mean + column.deviation * location):
            continue
        if inverse <= NORMAL:
            return normal
        return _in_units(column, (1 / inverse,), location, scale, len(column.z) * value)
    return None


def _student_starts(z: Floats) -> list[Parameters]:
    """Local maxima of the likelihood over the degrees of freedom tried, the largest first."""
    if len(z) >= MANY_ROWS:
        some = z[:: len(z) // SOME_ROWS]
        z = some if some.std() > 0 else z
    profile: list[Parameters] = [(float(z.mean()), math.log(z.std()), NORMAL)]
    values = [-_loss(profile[0], z, _student_loss)[0]]
    for inverse in TRIED:
        found = _climbed(z, _student_loss, (*profile[-1][:2], inverse), free=2)
        if found is None:
            break
        profile.append(found[0])
        values.append(found[1])
    around = [-math.inf, *values, -math.inf]
    tops = [k for k, value in enumerate(values) if value >= max(around[k], around[k + 2])]
    return [profile[k] for k in sorted(tops, key=lambda k: -values[k])]


def _climbed(
    z: Floats, of_family: LossOfFamily, start: Parameters, free: int = 3
) -> tuple[Parameters, float] | None:
    """The maximum over location, log scale and shapes, and its mean log likelihood; or None."""
    from scipy.optimize import minimize

    narrowest, rest = start[1] + math.log(NARROWEST), start[free:]
    widest = start[1] - math.log(NARROWEST)  # no scale that is no float
    bounds = [(None, None), (narrowest, widest), (NORMAL, None)][: len(start[:free])]

    def loss(at: Floats) -> tuple[float, Floats]:
        value, slopes = _loss((*at.tolist(), *rest), z, of_family)
        return value, slopes[: len(at)]

    # a location off the middle, where the slope of a symmetric sample is 0 without a maximum
    begin = [start[0] + NUDGE * math.exp(start[1]), *start[1:free]]
    options = {"ftol": 1e-14, "gtol": 1e-9 if free == 3 else 1e-7, "maxls": 20}
    found = minimize(loss, begin, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    level = found.x <= [low if low is not None else -math.inf for low, _ in bounds]
    slopes = np.where(level, 0.0, found.jac)
    slopes[0] *= math.exp(found.x[1])
    if level[1] or not np.abs(slopes).max() < FLAT:
        return None
    return (*found.x.tolist(), *rest), -float(found.fun)


def _loss(at: Parameters, z: Floats, of_family: LossOfFamily) -> tuple[float, Floats]:
    """Mean negative log likelihood of y = (z - location) / scale, and its slopes."""
    location, log_scale, *shapes = at
    scale = math.exp(log_scale)
    y = (z - location) / scale
    value, pull, more = of_family(y, *shapes)
    slopes = [-float(pull.mean()) / scale, 1 - float((pull * y).mean()), *more]
    return value + log_scale, np.array(slopes)


def _logistic_loss(y: Floats) -> tuple[float, Floats, list[float]]:
    """The density is 1 / (4 cosh(y / 2)**2)."""
    far = np.abs(y)
    return float((far + 2 * np.log1p(np.exp(-far))).mean()), np.tanh(y / 2), []


def _student_loss(y: Floats, e: float) -> tuple[float, Floats, list[float]]:
    """With t = e y**2 the log density is log c(e) - (1 + e) / (2 e) log(1 + t)."""
    squares = y * y
    near = 1 / (1 + e * squares)
    logs, fractions = float(np.log1p(e * squares).mean()), float((squares * near).mean())
    constant, slope = _student_constant(e)
    by_inverse = slope + logs / (2 * e * e) - (1 + e) / (2 * e) * fractions
    return (1 + e) / (2 * e) * logs - constant, (1 + e) * y * near, [-by_inverse]


def _student_constant(e: float) -> tuple[float, float]:
    """Log of the factor c(e) of the density, and its slope in e."""
    from scipy.special import digamma, gammaln

    root = -math.log(2 * math.pi) / 2
    if e < T_SERIES:
        value = -e / 4 + e**3 / 24 - e**5 / 20 + 17 * e**7 / 112
        return root + value, -1 / 4 + e**2 / 8 - e**4 / 4 + 17 * e**6 / 16
    n = 1 / e
    half, more = n / 2, (n + 1) / 2
    value = float(gammaln(more) - gammaln(half)) - math.log(half) / 2
    by_n = float(digamma(more) - digamma(half)) / 2 - 1 / (2 * n)
    return root + value, -n * n * by_n


def _gamma(sample: Sample) -> FamilyFit | None:
    """Scale mean / a; shape a where log a - digamma(a) is log of the mean less mean of the logs."""
    from scipy.optimize import brentq

    mean = sample.column.mean
    gap = _log_gap(sample, mean)
    if not gap > 1 / (2 * LARGEST_SHAPE):
        return None
    # the difference lies between 1 / (2 a) and 1 / a
    inverse = brentq(lambda x: _log_minus_digamma(1 / x) - gap, gap / 2, 3 * gap, xtol=1e-300)
    shape = 1 / inverse
    likelihood = _minus_log_gamma(shape) - shape * gap - sample.logs.mean
    return FamilyFit((shape, 0.0, mean / shape), len(sample.values) * likelihood)


def _log_gap(sample: Sample, mean: float) -> float:
    """The logarithm of the mean less the mean of the logarithms."""
    if not sample.narrow:
        return math.log(mean) - sample.logs.mean
    away = (sample.values - mean) / mean
    rest = float(away.mean())
    return float((away - np.log1p(away)).mean()) - (rest - math.log1p(rest))


def _log_minus_digamma(a: float) -> float:
    """log(a) - digamma(a)."""
    from scipy.special import digamma

    if a > GAMMA_SERIES:
        return 1 / (2 * a) + 1 / (12 * a**2) - 1 / (120 * a**4) + 1 / (252 * a**6)
    return math.log(a) - float(digamma(a))


def _minus_log_gamma(a: float) -> float:
    """The sum a log a - a - log gamma(a), by Stirling's series where a is large."""
    from scipy.special import gammaln

    if a > GAMMA_SERIES:
        return math.log(a / (2 * math.pi)) / 2 - 1 / (12 * a) + 1 / (360 * a**3)
    return a * math.log(a) - a - float(gammaln(a))


FITS: dict[str, Callable[[Sample], FamilyFit | None]] = {
    "t": _student,
    "lognorm": lambda sample: _of_logs(sample, "norm"),
    "gamma": _gamma,
    "weibull_min": lambda sample: _of_logs(sample, "gumbel_l"),
}
