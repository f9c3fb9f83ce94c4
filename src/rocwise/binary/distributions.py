"""Families of distributions fitted to a sample, the likeliest chosen."""

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
from rocwise.kernels.row_formulas import row_by_row, sums_of_rows
from rocwise.results import ASIDE, Result, result

SOME = 2**13  # rows, evenly spread, that tell where the search of many is to begin
MANY = 4 * SOME


class Moments(NamedTuple):
    """Mean, standard deviation (of n, not n - 1) and kurtosis, which is 3 for a normal sample."""

    mean: float
    deviation: float
    kurtosis: float


class PlaceAndScale(NamedTuple):
    """Where the likelihood is largest, in the unit of a column, and its logarithm for a case."""

    place: float
    scale: float
    likelihood: float


@dataclass(frozen=True, eq=False)
class Column:
    """Numbers centre + unit * z."""

    z: Floats
    centre: float
    unit: float

    @cached_property
    def moments(self) -> Moments:
        """Of z."""
        (total,) = sums_of_rows(lambda z: (z.sum(),), self.z)
        mean = total / len(self.z)

        def powers(z: Floats) -> tuple[float, ...]:
            squares = (z - mean) ** 2
            return squares.sum(), (squares * squares).sum()

        second, fourth = (power / len(self.z) for power in sums_of_rows(powers, self.z))
        kurtosis = fourth / second**2 if second > 0 and second**2 > 0 else math.inf
        return Moments(mean, math.sqrt(second), kurtosis)

    def value(self, z: float) -> float:
        """What stands at this place."""
        return self.centre + self.unit * z

    def few(self) -> Column | None:
        """Some of many rows, where these tell anything."""
        if len(self.z) < MANY:
            return None
        some = Column(self.z[:: len(self.z) // SOME].copy(), self.centre, self.unit)
        return some if some.moments.deviation > 0 else None


def in_own_unit(values: Floats) -> Column:
    """The values from one in their middle, in a power of two: both steps are exact for most."""
    largest = max(abs(float(values.min())), abs(float(values.max())))
    unit = math.ldexp(1.0, math.frexp(largest)[1] - 1)
    centre = float(np.median(values[:: max(1, len(values) // SOME)]))
    middle = centre / unit
    return Column(row_by_row(lambda some: some / unit - middle, values), centre, unit)


@dataclass(frozen=True, eq=False)
class Sample:
    """Values, of which only those above 0 have logarithms."""

    values: Floats

    @cached_property
    def column(self) -> Column:
        """The values as they are summed."""
        return in_own_unit(self.values)

    @cached_property
    def narrow(self) -> bool:
        """Whether the values are alike: then differences have digits that logarithms would lose."""
        return bool(self.values.max() / 2 < self.values.min())

    @cached_property
    def logs(self) -> Column:
        """Their logarithms."""
        if not self.narrow:
            return in_own_unit(row_by_row(np.log, self.values))
        centre = self.column.centre
        offsets = row_by_row(lambda some: np.log1p((some - centre) / centre), self.values)
        return Column(offsets, math.log(centre), 1.0)

    @cached_property
    def mean_log(self) -> float:
        """The mean of the logarithms."""
        return self.logs.value(self.logs.moments.mean)


MOST_STEPS = 200
CLOSE = 1e-7  # of a step: the error that it leaves is about its square
LONGEST = 2.0  # logarithms and standardised places: farther away the parabola tells nothing
FLAT = 1e-9  # of a score: rounding
FLATTEST = 1e-3  # of curvatures beside the largest: along a flatter line steps are shortened
SADDLE = 1e-9  # of curvatures beside the largest: what is nearer to 0 may be rounding
LEAVING = 0.01  # the shortest step away from a saddle
ROUNDING = 1e-13
STIFFEST = 1e12

Parameters = tuple[float, ...]


class Likelihood(NamedTuple):
    """The log likelihood of a case on average, its derivatives and the observed information.

    Derivatives are by changes that have no unit, such as those of the logarithm of a scale.
    """

    value: float
    score: Floats
    information: Floats


def maximised(
    likelihood: Callable[[Parameters], Likelihood],
    changed: Callable[[Parameters, Floats], Parameters],
    start: Parameters,
) -> Parameters | None:
    """Parameters after the last step; None where steps lead out of the floats, or nowhere.

    A step that loses is taken again, shorter and nearer to the steepest way.
    """
    at, here, ridge = start, likelihood(start), 0.0
    for _ in range(MOST_STEPS):
        if not np.isfinite(here.information).all() or not np.isfinite(here.score).all():
            return None
        step = _step(here, ridge)
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


def _step(here: Likelihood, ridge: float) -> Floats:
    """Upwards along every axis of the parabola, also where that one bends upwards.

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


LARGEST_SHAPE = 1e13  # above it the terms of a density are so long that their sum has no digit left
SERIES = 100.0
MOST_STEPS_gamma = 50


def gamma_fit(sample: Sample) -> tuple[float, float, float] | None:
    """Shape, scale, and the log likelihood of a case."""
    column = sample.column
    mean = column.value(column.moments.mean)
    gap = _gap(sample, mean)
    shape = _shape(gap) if gap > 1 / (2 * LARGEST_SHAPE) else math.inf
    if not 0 < shape < LARGEST_SHAPE:
        return None
    return shape, mean / shape, _less_log_gamma(shape) - shape * gap - sample.mean_log


def _gap(sample: Sample, mean: float) -> float:
    """The logarithm of the mean less the mean of the logarithms."""
    if not sample.narrow:
        return math.log(mean) - sample.mean_log

    def add(values: Floats) -> tuple[float, ...]:
        away = (values - mean) / mean
        return away.sum(), (away - np.log1p(away)).sum()

    away, gap = (total / len(sample.values) for total in sums_of_rows(add, sample.values))
    return gap - (away - math.log1p(away))


def _shape(gap: float) -> float:
    """Where log a - digamma(a) is the gap: by Newton's steps for 1 / a, from a rational guess."""
    guess = (3 - gap + math.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap)
    for _ in range(MOST_STEPS_gamma):
        value, slope = _log_less_digamma(guess)
        change = (value - gap) / (guess * slope)
        guess /= 1 + change if change > -0.5 else 0.5
        if abs(change) < 1e-14:
            break
    return guess


def _log_less_digamma(a: float) -> tuple[float, float]:
    """The logarithm of a less digamma(a), and the slope of that."""
    from scipy.special import digamma, polygamma

    if a > SERIES:
        value = 1 / (2 * a) + 1 / (12 * a**2) - 1 / (120 * a**4) + 1 / (252 * a**6)
        return value, -1 / (2 * a**2) - 1 / (6 * a**3) + 1 / (30 * a**5) - 1 / (42 * a**7)
    return math.log(a) - float(digamma(a)), 1 / a - float(polygamma(1, a))


def _less_log_gamma(a: float) -> float:
    """The sum a log a - a - log gamma(a), by Stirling's series where a is large."""
    from scipy.special import gammaln

    if a > SERIES:
        return math.log(a / (2 * math.pi)) / 2 - 1 / (12 * a) + 1 / (360 * a**3)
    return a * math.log(a) - a - float(gammaln(a))


def gumbel_fit(column: Column, *, largest: bool) -> PlaceAndScale | None:
    """That of largest values is that of smallest ones of the column with its sign changed."""
    z = -column.z if largest else column.z
    rate = _rate(z, column)
    if rate is None:
        return None
    sums = _Sums(z, -column.moments.mean if largest else column.moments.mean)
    found = sums.at(rate)
    place = sums.top + found.log_mean / rate
    value = math.log(rate) - found.log_mean - rate * (sums.top - sums.mean) - 1
    return PlaceAndScale(-place if largest else place, 1 / rate, value)


def _rate(z: Floats, column: Column) -> float | None:
    """1 / s: of many rows from where some of them have theirs."""
    start = math.pi / math.sqrt(6)
    some, sign = column.few(), -1.0 if z is not column.z else 1.0
    if some is not None:
        deviation, mean = some.moments.deviation, sign * some.moments.mean
        near = _climbed(sign * some.z, mean, start / deviation)
        found = None if near is None else _climbed(z, sign * column.moments.mean, near)
        if found is not None:
            return found
    if column.moments.deviation == 0:
        return None
    return _climbed(z, sign * column.moments.mean, start / column.moments.deviation)


def _climbed(z: Floats, mean: float, start: float) -> float | None:
    sums = _Sums(z, mean)

    def changed(at: Parameters, step: Floats) -> Parameters:
        return (at[0] * math.exp(step[0]),)

    found = maximised(lambda at: sums.likelihood(at[0]), changed, (start,))
    return None if found is None else found[0]


class _Weighted(NamedTuple):
    """With weights exp(a (z - top)): the logarithm of their mean; mean and variance of z - top."""

    log_mean: float
    mean: float
    variance: float


class _Sums:
    """Sums over a column, from its largest number on, so that no weight is above 1."""

    def __init__(self, z: Floats, mean: float) -> None:
        self.z, self.mean, self.top = z, mean, float(z.max())

    def at(self, rate: float) -> _Weighted:
        def add(z: Floats) -> tuple[float, ...]:
            below = z - self.top
            weights = np.exp(rate * below)
            by_place = weights * below
            return weights.sum(), by_place.sum(), (by_place * below).sum()

        total, first, second = sums_of_rows(add, self.z)
        mean = first / total
        variance = max(second / total - mean * mean, 0.0)
        return _Weighted(math.log(total / len(self.z)), mean, variance)

    def likelihood(self, rate: float) -> Likelihood:
        found = self.at(rate)
        away = rate * (self.mean - self.top)
        value = math.log(rate) + away - found.log_mean - 1
        slope = away - rate * found.mean
        bend = rate * rate * found.variance - slope
        return Likelihood(value, np.array([1 + slope]), np.array([[bend]]))


def logistic_fit(column: Column) -> PlaceAndScale | None:
    """Of many rows from where some of them have theirs."""
    some = column.few()
    near = None if some is None else _climbed_logistic(some, _by_moments(some))
    found = None if near is None else _climbed_logistic(column, near)
    if found is None:
        found = _climbed_logistic(column, _by_moments(column))
    if found is None:
        return None
    return PlaceAndScale(found[0], found[1], _likelihood(column.z, found).value)


def _by_moments(column: Column) -> Parameters:
    return column.moments.mean, column.moments.deviation * math.sqrt(3) / math.pi


def _climbed_logistic(column: Column, start: Parameters) -> Parameters | None:
    if not start[1] > 0:
        return None
    return maximised(lambda at: _likelihood(column.z, at), scaled_and_shifted, start)


def scaled_and_shifted(at: Parameters, step: Floats) -> Parameters:
    """Place and scale after a step, which is told in scales and as a logarithm."""
    return at[0] + at[1] * float(step[0]), at[1] * math.exp(step[1])


def _likelihood(z: Floats, at: Parameters) -> Likelihood:
    place, scale = at

    def add(z: Floats) -> tuple[float, ...]:
        y = (z - place) / scale
        far = np.abs(y)
        small = np.exp(-far)
        value = far + 2 * np.log(1 + small)
        pull = np.copysign((1 - small) / (1 + small), y)
        bend = (1 - pull * pull) / 2
        by_place, pulled = bend * y, pull * y
        return (
            *(value.sum(), pull.sum(), pulled.sum()),
            *(bend.sum(), by_place.sum(), (by_place * y).sum()),
        )

    value, pull, pulled, bend, leaning, spread = (total / len(z) for total in sums_of_rows(add, z))
    across = leaning + pull
    return Likelihood(
        -value - math.log(scale),
        np.array([pull, pulled - 1]),
        np.array([[bend, across], [across, spread + pulled]]),
    )


NORMAL = 1e-6  # 1 / degrees of freedom, below which likelihoods cannot be told from the normal's
MOST_FREEDOM = 1e12  # stands for the normal distribution
TRIED = (0.01, 0.03, 0.07, 0.13, 0.2, 0.3, 0.45, 0.7, 1.0, 1.6, 2.5, 4.0, 7.0, 12.0, 20.0)
NARROWEST = 1e-12  # a scale beside that before and beside the place
SERIES_student = 0.01


def student_fit(column: Column) -> tuple[float, PlaceAndScale] | None:
    """Degrees of freedom; place, scale and likelihood."""
    mean, deviation, kurtosis = column.moments
    if deviation == 0:
        return None
    value = -math.log(deviation) - (1 + math.log(2 * math.pi)) / 2
    normal = MOST_FREEDOM, PlaceAndScale(mean, deviation, value)
    for start in _starts(column.few() or column):
        if start[2] <= NORMAL:
            if kurtosis <= 3:
                return normal
            start = mean, deviation, TRIED[0]
        found = maximised(lambda at: _likelihood_student(column.z, at), _changed, start)
        if found is None or _in_one_value(column, found, start):
            continue
        if found[2] <= NORMAL:
            return normal
        value = _likelihood_student(column.z, found).value
        return 1 / found[2], PlaceAndScale(found[0], found[1], value)
    return None


def _in_one_value(column: Column, found: Parameters, start: Parameters) -> bool:
    """Whether the search has ended there, or between two that floats hardly tell apart."""
    place = abs(column.value(found[0]))
    return found[1] < NARROWEST * start[1] or found[1] * column.unit < NARROWEST * place


def _starts(column: Column) -> list[Parameters]:
    """Where the likelihood has a maximum among the degrees of freedom tried, the largest first.

    Place and scale of each follow from those of the one before.
    """
    mean, deviation, _ = column.moments
    profile: list[Parameters] = [(mean, deviation, NORMAL)]
    for inverse in TRIED:
        found = _with_freedom(column.z, profile[-1][:2], inverse)
        if found is None or found[1] < NARROWEST * profile[-1][1]:
            break
        profile.append(found)
    values = [_likelihood_student(column.z, at).value for at in profile]
    around = [-math.inf, *values, -math.inf]
    tops = [k for k, value in enumerate(values) if value >= max(around[k], around[k + 2])]
    return [profile[k] for k in sorted(tops, key=lambda k: -values[k])]


def _with_freedom(z: Floats, start: Parameters, inverse: float) -> Parameters | None:
    """Place and scale at these degrees of freedom."""

    def likelihood(at: Parameters) -> Likelihood:
        value, score, information = _likelihood_student(z, (*at, inverse))
        return Likelihood(value, score[:2], information[:2, :2])

    found = maximised(likelihood, scaled_and_shifted, start)
    return None if found is None else (*found, inverse)


def _changed(at: Parameters, step: Floats) -> Parameters:
    return *scaled_and_shifted(at[:2], step), max(at[2] + float(step[2]), NORMAL)


def _likelihood_student(z: Floats, at: Parameters) -> Likelihood:
    """With y = (x - m) / s and t = e y**2: log c(e) - log s - (1 + e) / (2 e) log(1 + t)."""
    place, scale, inverse = at
    if not scale > 0:
        return Likelihood(-math.inf, np.full(3, np.nan), np.full((3, 3), np.nan))
    sums = sums_of_rows(lambda some: _row_sums(some, place, scale, inverse), z)
    logs, pull, pulled, bend, leaning, spread, by_pull, by_scale, slope, curve = (
        total / len(z) for total in sums
    )
    constant, constant_slope, constant_curve = _constant(inverse)
    score = np.array([pull, pulled - 1, constant_slope + slope])
    information = -np.array(
        [
            [-bend, -leaning - pull, by_pull],
            [-leaning - pull, -spread - pulled, by_scale],
            [by_pull, by_scale, constant_curve + curve],
        ]
    )
    if inverse <= NORMAL and score[2] < 0:  # at the end of what there is
        score[2], information[2, :2], information[:2, 2], information[2, 2] = 0.0, 0.0, 0.0, 1.0
    value = constant - math.log(scale) - (1 + inverse) / (2 * inverse) * logs
    return Likelihood(value, score, information)


def _row_sums(z: Floats, place: float, scale: float, inverse: float) -> tuple[float, ...]:
    """Of log(1 + t), and of the derivatives by place, scale and e."""
    with np.errstate(
        over="ignore", invalid="ignore"
    ):  # a scale far too small: the step is taken back
        y = (z - place) / scale
        squares = y * y
        t = inverse * squares
        near = 1 / (1 + t)
        logs = np.log1p(t)
        weights = (1 + inverse) * near
        pull = weights * y
        bend = weights * near * (1 - t)
        by_pull = y * (1 - squares) * near * near
        shares = squares * near
        twice = near * (1 + (2 + inverse) * t) + 1
        slope = logs / (2 * inverse**2) - (1 + inverse) / (2 * inverse) * shares
        curve = shares * twice / (2 * inverse**2) - logs / inverse**3
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
        return tuple(column.sum() for column in columns)


def _constant(inverse: float) -> tuple[float, float, float]:
    """What stands before the density, c(e): its logarithm and the two derivatives of that by e."""
    from scipy.special import digamma, gammaln, polygamma

    root = -math.log(2 * math.pi) / 2
    e = inverse
    if e < SERIES_student:
        value = -e / 4 + e**3 / 24 - e**5 / 20 + 17 * e**7 / 112
        slope = -1 / 4 + e**2 / 8 - e**4 / 4 + 17 * e**6 / 16
        return root + value, slope, e / 4 - e**3 + 51 * e**5 / 8
    n = 1 / e
    half, more = n / 2, (n + 1) / 2
    value = float(gammaln(more) - gammaln(half)) - math.log(half) / 2
    by_n = float(digamma(more) - digamma(half)) / 2 - 1 / (2 * n)
    twice = float(polygamma(1, more) - polygamma(1, half)) / 4 + 1 / (2 * n * n)
    return root + value, -n * n * by_n, n**4 * twice + 2 * n**3 * by_n


class FamilyFit(NamedTuple):
    """Parameters in the order of scipy, and the log likelihood of the sample."""

    parameters: tuple[float, ...]
    log_likelihood: float


def _of_column(column: Column, found: PlaceAndScale) -> FamilyFit:
    """Place and scale in the unit of the values."""
    total = len(column.z) * (found.likelihood - math.log(column.unit))
    return FamilyFit((column.value(found.place), found.scale * column.unit), total)


def _normal_of(column: Column) -> FamilyFit | None:
    mean, deviation, _ = column.moments
    if deviation == 0:
        return None
    likelihood = -math.log(deviation) - (1 + math.log(2 * math.pi)) / 2
    return _of_column(column, PlaceAndScale(mean, deviation, likelihood))


def _gumbel_of(column: Column, *, largest: bool) -> FamilyFit | None:
    found = gumbel_fit(column, largest=largest)
    return None if found is None else _of_column(column, found)


def _of_logs(sample: Sample, found: FamilyFit | None) -> FamilyFit | None:
    """Shape, place 0 and scale of the values whose logarithms have this place and scale."""
    if found is None:
        return None
    (place, scale), likelihood = found
    return FamilyFit(
        (scale, 0.0, math.exp(place)), likelihood - len(sample.values) * sample.mean_log
    )


def _norm(sample: Sample) -> FamilyFit | None:
    return _normal_of(sample.column)


def _lognorm(sample: Sample) -> FamilyFit | None:
    return _of_logs(sample, _normal_of(sample.logs))


def _weibull(sample: Sample) -> FamilyFit | None:
    """Its logarithms are Gumbel's smallest values; the shape is 1 / scale of those."""
    found = _of_logs(sample, _gumbel_of(sample.logs, largest=False))
    if found is None:
        return None
    (scale_of_logs, *rest), likelihood = found
    return FamilyFit((1 / scale_of_logs, *rest), likelihood)


def _gumbel_r(sample: Sample) -> FamilyFit | None:
    return _gumbel_of(sample.column, largest=True)


def _gumbel_l(sample: Sample) -> FamilyFit | None:
    return _gumbel_of(sample.column, largest=False)


def _logistic(sample: Sample) -> FamilyFit | None:
    found = logistic_fit(sample.column)
    return None if found is None else _of_column(sample.column, found)


def _student(sample: Sample) -> FamilyFit | None:
    found = student_fit(sample.column)
    if found is None:
        return None
    freedom, rest = found
    parameters, total = _of_column(sample.column, rest)
    return FamilyFit((freedom, *parameters), total)


def _gamma(sample: Sample) -> FamilyFit | None:
    found = gamma_fit(sample)
    if found is None:
        return None
    shape, scale, likelihood = found
    return FamilyFit((shape, 0.0, scale), len(sample.values) * likelihood)


FITS: dict[str, Callable[[Sample], FamilyFit | None]] = {
    "norm": _norm,
    "logistic": _logistic,
    "gumbel_r": _gumbel_r,
    "gumbel_l": _gumbel_l,
    "t": _student,
    "lognorm": _lognorm,
    "gamma": _gamma,
    "weibull_min": _weibull,
}


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
