"""Parametric distributions fitted to a sample by maximum likelihood, chosen by AIC."""

from __future__ import annotations

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
POSITIVE_ONLY = ("lognorm", "gamma", "weibull_min", "expon", "beta")
SOME_ROWS = 2**13  # evenly spaced rows of a large sample that give starting values for t
MANY_ROWS = 4 * SOME_ROWS

MOST_STEPS = 200
CLOSE = 1e-7  # of a Newton step: the error that it leaves is about its square
LONGEST = 2.0  # logarithms and standardized locations: farther away the parabola is no guide
FLAT = 1e-9  # of a score: rounding
FLATTEST = 1e-3  # curvature relative to the largest, below which steps are shortened
SADDLE = 1e-9  # curvature relative to the largest: nearer to 0 it may be rounding
LEAVING = 0.01  # the shortest step away from a saddle
ROUNDING = 1e-13
STIFFEST = 1e12

LARGEST_SHAPE = 1e13  # of gamma: above it the log density has no digits left
GAMMA_SERIES = 100.0
NORMAL = 1e-6  # 1 / degrees of freedom, below which t is practically normal
MOST_FREEDOM = 1e12  # represents the normal distribution
TRIED = (0.01, 0.03, 0.07, 0.13, 0.2, 0.3, 0.45, 0.7, 1.0, 1.6, 2.5, 4.0, 7.0, 12.0, 20.0)
NARROWEST = 1e-12  # a scale relative to that before and to the location
T_SERIES = 0.01

Parameters = tuple[float, ...]


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


def _named(families: Any) -> tuple[str, ...]:
    if not isinstance(families, Iterable) or isinstance(families, (bytes, Mapping, np.ndarray)):
        raise InputError(f"`families` must be a list of names; got {shown(families)}.")
    return tuple(families)


def _fits(families: Sequence[str], sample: Sample) -> dict[str, FamilyFit]:
    """Families that fit the sample, with finite parameters and likelihoods."""
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
    """Number of fixed parameters: the location of positive families, and the scale of beta."""
    return 2 if family == "beta" else int(family in POSITIVE_ONLY)


def _kind(family: str) -> Any:
    """The family of scipy."""
    from scipy import stats

    kind = getattr(stats, str(family), None)
    if not isinstance(kind, stats.rv_continuous):
        raise InputError(
            f"`families` must name continuous distributions of scipy.stats; got {shown(family)}."
        )
    return kind


def _fitted(family: str, sample: Sample) -> FamilyFit | None:
    """Parameters and likelihood; None where the family does not cover the sample."""
    kind = _kind(family)
    if family in POSITIVE_ONLY and sample.values.min() <= 0:
        return None
    if family == "beta" and sample.values.max() >= 1:
        return None
    return FITS[family](sample) if family in FITS else _searched(kind, family, sample.values)


def _searched(kind: Any, family: str, values: Floats) -> FamilyFit | None:
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


class Moments(NamedTuple):
    """Mean, standard deviation (of n, not n - 1) and kurtosis, which is 3 for a normal sample."""

    mean: float
    deviation: float
    kurtosis: float


class LocationScale(NamedTuple):
    """The maximum of the likelihood in the unit of a column, and its mean log likelihood."""

    location: float
    scale: float
    likelihood: float


@dataclass(frozen=True, eq=False)
class Column:
    """Numbers center + unit * z, so that neither squares nor differences of z lose digits."""

    z: Floats
    center: float
    unit: float

    @cached_property
    def moments(self) -> Moments:
        """Of z."""
        mean = float(self.z.mean())
        squares = (self.z - mean) ** 2
        second, fourth = float(squares.mean()), float((squares * squares).mean())
        kurtosis = fourth / second**2 if second > 0 and second**2 > 0 else math.inf
        return Moments(mean, math.sqrt(second), kurtosis)

    def value(self, z: float) -> float:
        """The number at z."""
        return self.center + self.unit * z

    def some(self) -> Column:
        """Some rows of a large sample, unless they are all equal; else all rows."""
        if len(self.z) < MANY_ROWS:
            return self
        some = Column(self.z[:: len(self.z) // SOME_ROWS], self.center, self.unit)
        return some if some.moments.deviation > 0 else self

    def fit(self, found: LocationScale | None) -> FamilyFit | None:
        """The fit in the unit of the values."""
        if found is None:
            return None
        total = len(self.z) * (found.likelihood - math.log(self.unit))
        return FamilyFit((self.value(found.location), found.scale * self.unit), total)


def _in_own_unit(values: Floats) -> Column:
    """The values relative to their middle, in a power of two: both steps are exact for most."""
    largest = max(abs(float(values.min())), abs(float(values.max())))
    unit = math.ldexp(1.0, math.frexp(largest)[1] - 1)
    center = float(np.median(values[:: max(1, len(values) // SOME_ROWS)]))
    return Column(values / unit - center / unit, center, unit)


@dataclass(frozen=True, eq=False)
class Sample:
    """Values; only those above 0 have logarithms."""

    values: Floats

    @cached_property
    def column(self) -> Column:
        """The values in their own unit."""
        return _in_own_unit(self.values)

    @cached_property
    def narrow(self) -> bool:
        """Whether the values differ little: then differences have digits that logarithms lose."""
        return bool(self.values.max() / 2 < self.values.min())

    @cached_property
    def logs(self) -> Column:
        """Their logarithms."""
        if not self.narrow:
            return _in_own_unit(np.log(self.values))
        center = self.column.center
        return Column(np.log1p((self.values - center) / center), math.log(center), 1.0)

    @cached_property
    def mean_log(self) -> float:
        """The mean of the logarithms."""
        return self.logs.value(self.logs.moments.mean)


def _of_logs(sample: Sample, found: FamilyFit | None) -> FamilyFit | None:
    """Shape, location 0 and scale of values whose logarithms have this location and scale."""
    if found is None:
        return None
    (location, scale), likelihood = found
    total = likelihood - len(sample.values) * sample.mean_log
    return FamilyFit((scale, 0.0, math.exp(location)), total)


def _norm(sample: Sample) -> FamilyFit | None:
    return sample.column.fit(_normal_fit(sample.column))


def _lognorm(sample: Sample) -> FamilyFit | None:
    return _of_logs(sample, sample.logs.fit(_normal_fit(sample.logs)))


def _normal_fit(column: Column) -> LocationScale | None:
    mean, deviation, _ = column.moments
    if deviation == 0:
        return None
    likelihood = -math.log(deviation) - (1 + math.log(2 * math.pi)) / 2
    return LocationScale(mean, deviation, likelihood)


def _weibull(sample: Sample) -> FamilyFit | None:
    """Its logarithms are Gumbel's smallest values; the shape is 1 / scale of those."""
    found = _of_logs(sample, _gumbel("gumbel_l", sample.logs))
    if found is None:
        return None
    (scale_of_logs, *rest), likelihood = found
    return FamilyFit((1 / scale_of_logs, *rest), likelihood)


def _gumbel(family: str, column: Column) -> FamilyFit | None:
    """Scipy's fit of "gumbel_l" or "gumbel_r" to standardized values."""
    mean, deviation, _ = column.moments
    if deviation == 0:
        return None
    kind, z = _kind(family), (column.z - mean) / deviation
    location, scale = kind.fit(z)
    likelihood = float(kind.logpdf(z, location, scale).mean()) - math.log(deviation)
    return column.fit(LocationScale(mean + deviation * location, deviation * scale, likelihood))


class Likelihood(NamedTuple):
    """The mean log likelihood, its score and the observed information.

    Derivatives are in changes without a unit, such as those of the logarithm of a scale.
    """

    value: float
    score: Floats
    information: Floats


def _maximized(
    likelihood: Callable[[Parameters], Likelihood],
    changed: Callable[[Parameters, Floats], Parameters],
    start: Parameters,
) -> Parameters | None:
    """Newton's method in one to three parameters; None where it leaves the floats or stalls.

    A step that loses is repeated, shorter and nearer to the steepest ascent.
    """
    at, here, ridge = start, likelihood(start), 0.0
    for _ in range(MOST_STEPS):
        if not np.isfinite(here.information).all() or not np.isfinite(here.score).all():
            return None
        step = _newton_step(here, ridge)
        proposed = changed(at, step)
        if np.abs(step).max() < CLOSE:  # by itself, not because it was shortened
            return proposed if ridge <= 1 or np.abs(here.score).max() < FLAT else None
        there = likelihood(proposed)
        if there.value >= here.value - ROUNDING * (1 + abs(here.value)):
            at, here, ridge = proposed, there, ridge / 16 if ridge > CLOSE else 0.0
        elif ridge > STIFFEST:
            return None
        else:
            ridge = max(8 * ridge, FLATTEST)
    return None


def _newton_step(here: Likelihood, ridge: float) -> Floats:
    """Upwards along every axis of the parabola, also where that bends upwards.

    There a score of 0 is no maximum, as between two equal ones: the step leaves it.
    """
    bends, axes = np.linalg.eigh(here.information)
    upwards = bends < -SADDLE * np.abs(bends).max()
    bends = np.abs(bends)
    bends = np.maximum(bends, FLATTEST * bends.max() if ridge else np.finfo(float).tiny) + ridge
    along = here.score @ axes / bends
    least = np.where(upwards, LEAVING / (1 + ridge), 0.0)
    step = axes @ np.copysign(np.maximum(np.abs(along), least), along)
    return np.asarray(step / max(1.0, np.abs(step).max() / LONGEST))


def _shifted(at: Parameters, step: Floats) -> Parameters:
    """Location and scale after a step in units of the scale and of its logarithm."""
    return at[0] + at[1] * float(step[0]), at[1] * math.exp(step[1])


def _logistic_fit(column: Column) -> LocationScale | None:
    """With y = (x - m) / s the density is 1 / (4 s cosh(y / 2)**2)."""
    mean, deviation, _ = column.moments
    if deviation == 0:
        return None
    start = mean, deviation * math.sqrt(3) / math.pi
    found = _maximized(lambda at: _logistic_likelihood(column.z, at), _shifted, start)
    if found is None:
        return None
    return LocationScale(found[0], found[1], _logistic_likelihood(column.z, found).value)


def _logistic_likelihood(z: Floats, at: Parameters) -> Likelihood:
    location, scale = at
    y = (z - location) / scale
    far = np.abs(y)
    small = np.exp(-far)
    value = float((far + 2 * np.log(1 + small)).mean())
    pull = np.copysign((1 - small) / (1 + small), y)
    bend = (1 - pull * pull) / 2
    pulled, across = float((pull * y).mean()), float((bend * y + pull).mean())
    return Likelihood(
        -value - math.log(scale),
        np.array([float(pull.mean()), pulled - 1]),
        np.array([[bend.mean(), across], [across, (bend * y * y).mean() + pulled]]),
    )


def _student(sample: Sample) -> FamilyFit | None:
    found = _student_fit(sample.column)
    if found is None:
        return None
    fit = sample.column.fit(found[1])
    assert fit is not None
    return FamilyFit((found[0], *fit.parameters), fit.log_likelihood)


def _student_fit(column: Column) -> tuple[float, LocationScale] | None:
    """Degrees of freedom n = 1 / e of Student's t; location, scale and likelihood.

    Towards e = 0 it is the normal distribution, and there the likelihood is largest where the tails
    of the sample are no heavier: where its kurtosis is 3 or less, unless it has a sharp peak.
    Towards small n the likelihood grows without bound where the location is one of the values, so
    the maximum is one that steps from the normal distribution lead to, or there is none.
    """
    mean, deviation, kurtosis = column.moments
    limit = _normal_fit(column)
    if limit is None:
        return None
    for start in _student_starts(column.some()):
        if start[2] <= NORMAL:
            if kurtosis <= 3:
                return MOST_FREEDOM, limit
            start = mean, deviation, TRIED[0]
        found = _maximized(lambda at: _student_likelihood(column.z, at), _student_changed, start)
        if found is None or _at_one_value(column, found, start):
            continue
        if found[2] <= NORMAL:
            return MOST_FREEDOM, limit
        value = _student_likelihood(column.z, found).value
        return 1 / found[2], LocationScale(found[0], found[1], value)
    return None


def _at_one_value(column: Column, found: Parameters, start: Parameters) -> bool:
    """Whether the search has ended at one value, or between two nearly equal ones."""
    location = abs(column.value(found[0]))
    return found[1] < NARROWEST * start[1] or found[1] * column.unit < NARROWEST * location


def _student_starts(column: Column) -> list[Parameters]:
    """Local maxima of the likelihood over the degrees of freedom tried, the largest first.

    Location and scale of each follow from those of the one before.
    """
    mean, deviation, _ = column.moments
    profile: list[Parameters] = [(mean, deviation, NORMAL)]
    for inverse in TRIED:
        found = _with_freedom(column.z, profile[-1][:2], inverse)
        if found is None or found[1] < NARROWEST * profile[-1][1]:
            break
        profile.append(found)
    values = [_student_likelihood(column.z, at).value for at in profile]
    around = [-math.inf, *values, -math.inf]
    tops = [k for k, value in enumerate(values) if value >= max(around[k], around[k + 2])]
    return [profile[k] for k in sorted(tops, key=lambda k: -values[k])]


def _with_freedom(z: Floats, start: Parameters, inverse: float) -> Parameters | None:
    """Location and scale at these degrees of freedom."""

    def likelihood(at: Parameters) -> Likelihood:
        value, score, information = _student_likelihood(z, (*at, inverse))
        return Likelihood(value, score[:2], information[:2, :2])

    found = _maximized(likelihood, _shifted, start)
    return None if found is None else (*found, inverse)


def _student_changed(at: Parameters, step: Floats) -> Parameters:
    return *_shifted(at[:2], step), max(at[2] + float(step[2]), NORMAL)


def _student_likelihood(z: Floats, at: Parameters) -> Likelihood:
    """With y = (x - m) / s and t = e y**2: log c(e) - log s - (1 + e) / (2 e) log(1 + t)."""
    location, scale, inverse = at
    if not scale > 0:
        return Likelihood(-math.inf, np.full(3, np.nan), np.full((3, 3), np.nan))
    logs, pull, pulled, bend, leaning, curved, by_pull, by_scale, slope, curve = _student_means(
        z, location, scale, inverse
    )
    constant, constant_slope, constant_curve = _student_constant(inverse)
    score = np.array([pull, pulled - 1, constant_slope + slope])
    information = -np.array(
        [
            [-bend, -leaning - pull, by_pull],
            [-leaning - pull, -curved - pulled, by_scale],
            [by_pull, by_scale, constant_curve + curve],
        ]
    )
    if inverse <= NORMAL and score[2] < 0:  # at the boundary
        score[2], information[2, :2], information[:2, 2], information[2, 2] = 0.0, 0.0, 0.0, 1.0
    value = constant - math.log(scale) - (1 + inverse) / (2 * inverse) * logs
    return Likelihood(value, score, information)


def _student_means(z: Floats, location: float, scale: float, inverse: float) -> list[float]:
    """Means of log(1 + t), and of the derivatives in location, scale and e."""
    with np.errstate(over="ignore", invalid="ignore"):  # a scale far too small is rejected
        y = (z - location) / scale
        squares = y * y
        t = inverse * squares
        near = 1 / (1 + t)
        logs = np.log1p(t)
        weights = (1 + inverse) * near
        pull = weights * y
        bend = weights * near * (1 - t)
        by_pull = y * (1 - squares) * near * near
        fractions = squares * near
        twice = near * (1 + (2 + inverse) * t) + 1
        slope = logs / (2 * inverse**2) - (1 + inverse) / (2 * inverse) * fractions
        curve = fractions * twice / (2 * inverse**2) - logs / inverse**3
        leaning = bend * y
        columns = (
            logs,
            pull,
            pull * y,
            bend,
            leaning,
            leaning * y,
            by_pull,
            by_pull * y,
            slope,
            curve,
        )
        return [float(column.mean()) for column in columns]


def _student_constant(inverse: float) -> tuple[float, float, float]:
    """Log of the factor c(e) of the density, and its two derivatives in e."""
    from scipy.special import digamma, gammaln, polygamma

    root = -math.log(2 * math.pi) / 2
    e = inverse
    if e < T_SERIES:
        value = -e / 4 + e**3 / 24 - e**5 / 20 + 17 * e**7 / 112
        slope = -1 / 4 + e**2 / 8 - e**4 / 4 + 17 * e**6 / 16
        return root + value, slope, e / 4 - e**3 + 51 * e**5 / 8
    n = 1 / e
    half, more = n / 2, (n + 1) / 2
    value = float(gammaln(more) - gammaln(half)) - math.log(half) / 2
    by_n = float(digamma(more) - digamma(half)) / 2 - 1 / (2 * n)
    twice = float(polygamma(1, more) - polygamma(1, half)) / 4 + 1 / (2 * n * n)
    return root + value, -n * n * by_n, n**4 * twice + 2 * n**3 * by_n


def _gamma(sample: Sample) -> FamilyFit | None:
    """The likelihood depends on the means of x and of log x.

    At the best scale, mean / a, the shape a is where log a - digamma(a) is the logarithm of the
    mean less the mean of the logarithms.
    """
    mean = sample.column.value(sample.column.moments.mean)
    gap = _log_gap(sample, mean)
    shape = _gamma_shape(gap) if gap > 1 / (2 * LARGEST_SHAPE) else math.inf
    if not 0 < shape < LARGEST_SHAPE:
        return None
    likelihood = _minus_log_gamma(shape) - shape * gap - sample.mean_log
    return FamilyFit((shape, 0.0, mean / shape), len(sample.values) * likelihood)


def _log_gap(sample: Sample, mean: float) -> float:
    """The logarithm of the mean less the mean of the logarithms."""
    if not sample.narrow:
        return math.log(mean) - sample.mean_log
    away = (sample.values - mean) / mean
    rest = float(away.mean())
    return float((away - np.log1p(away)).mean()) - (rest - math.log1p(rest))


def _gamma_shape(gap: float) -> float:
    """Where log a - digamma(a) is the gap: Newton's method for 1 / a, from a rational guess."""
    guess = (3 - gap + math.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap)
    for _ in range(MOST_STEPS):
        value, slope = _log_minus_digamma(guess)
        change = (value - gap) / (guess * slope)
        guess /= 1 + change if change > -0.5 else 0.5
        if abs(change) < 1e-14:
            break
    return guess


def _log_minus_digamma(a: float) -> tuple[float, float]:
    """log(a) - digamma(a), and its slope."""
    from scipy.special import digamma, polygamma

    if a > GAMMA_SERIES:
        value = 1 / (2 * a) + 1 / (12 * a**2) - 1 / (120 * a**4) + 1 / (252 * a**6)
        return value, -1 / (2 * a**2) - 1 / (6 * a**3) + 1 / (30 * a**5) - 1 / (42 * a**7)
    return math.log(a) - float(digamma(a)), 1 / a - float(polygamma(1, a))


def _minus_log_gamma(a: float) -> float:
    """The sum a log a - a - log gamma(a), by Stirling's series where a is large."""
    from scipy.special import gammaln

    if a > GAMMA_SERIES:
        return math.log(a / (2 * math.pi)) / 2 - 1 / (12 * a) + 1 / (360 * a**3)
    return a * math.log(a) - a - float(gammaln(a))


FITS: dict[str, Callable[[Sample], FamilyFit | None]] = {
    "norm": _norm,
    "logistic": lambda sample: sample.column.fit(_logistic_fit(sample.column)),
    "gumbel_r": lambda sample: _gumbel("gumbel_r", sample.column),
    "gumbel_l": lambda sample: _gumbel("gumbel_l", sample.column),
    "t": _student,
    "lognorm": _lognorm,
    "gamma": _gamma,
    "weibull_min": _weibull,
}
