"""Parameters of scipy's families of distributions where the likelihood of a sample is largest."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from rocwise.binary.distributions.likelihoods.columns import Column, PlaceAndScale, Sample
from rocwise.binary.distributions.likelihoods.gamma import gamma_fit
from rocwise.binary.distributions.likelihoods.gumbel import gumbel_fit
from rocwise.binary.distributions.likelihoods.logistic import logistic_fit
from rocwise.binary.distributions.likelihoods.student import student_fit


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
