"""Bootstrap intervals of one area: percentile and BCa (F4.3 to F4.5), from one set of draws."""

from __future__ import annotations

from typing import Any

from rocwise import checks, kernels
from rocwise.arrays import Floats
from rocwise.binary.areas.intervals import METHOD_NAMES, Draws, score_interval
from rocwise.binary.areas.variances import effective_sizes
from rocwise.binary.curves.parts import Part, partial_influence
from rocwise.binary.resampling.binned import in_bins, with_bins
from rocwise.binary.resampling.curve_statistics import Area
from rocwise.binary.resampling.draws import resampling_words
from rocwise.binary.resampling.forms_of_statistics import evaluated
from rocwise.binary.resampling.replicates import replicates
from rocwise.binary.roc import roc_rates
from rocwise.data.tally import Tally
from rocwise.inference.chunked_draws import percentile_limits
from rocwise.inference.intervals.interval_limits import bca_limits
from rocwise.results import Interval


def bootstrap_interval(
    data: Tally, part: Part, value: float, method: str, level: float, draws: Draws
) -> tuple[float, Interval]:
    """Percentile or BCa interval; the score interval where all resamples agree."""
    bins = None if draws.exact else in_bins(data, Area(part))
    drawn = data if bins is None else bins.tally
    centre = value if bins is None else evaluated(drawn, Area(part))
    values = _area_replicates(data, drawn, part, draws)
    error = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    if values.min() == values.max():
        return error, score_interval(effective_sizes(data), part, value, level)
    if method == "bca":
        limits = bca_limits(values, centre, acceleration(drawn, part), level)
    else:
        limits = percentile_limits(values, level)
    found = Interval(*limits, level, resampling_words(data, METHOD_NAMES[method]))
    return error, found if bins is None else with_bins(found, bins, error, value - centre)


def _area_replicates(data: Tally, drawn: Tally, part: Part, draws: Draws) -> Floats:
    """Resampled areas; the last ones are kept, for another interval from the same draws."""
    last: dict[Any, Floats] = data.remembered("last resampled areas", dict)
    seed = checks.seed(draws.rng)
    key = part, draws.n_resamples, seed, drawn is data
    if key not in last:
        values = replicates(drawn, Area(part), n_resamples=draws.n_resamples, seed=seed)
        if len(values) < draws.n_resamples:  # interrupted
            return values
        last.clear()
        last[key] = values
    return last[key]


def acceleration(data: Tally, part: Part) -> float:
    """BCa's acceleration from the influence of every case, both classes (F4.5)."""
    v, u = partial_influence(*roc_rates(data), part)
    N, M = data.n_neg, data.n_pos
    of_neg, of_pos = u * u, v * v  # third powers by the power function would take ten times as long
    squares = kernels.dot(data.neg, of_neg) / N**2 + kernels.dot(data.pos, of_pos) / M**2
    of_neg *= u
    of_pos *= v
    cubes = kernels.dot(data.neg, of_neg) / N**3 + kernels.dot(data.pos, of_pos) / M**3
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0
