"""Sensitivities and specificities at a point of the curve by influence functions."""

from __future__ import annotations

import numpy as np

from rocwise.binary.areas.influences import Influences
from rocwise.binary.areas.part_influences import of_rows
from rocwise.binary.comparisons.smooth_areas import has_unlike_rows, spread_of
from rocwise.binary.curves.point_influences import point_influence
from rocwise.binary.resampling.curve_statistics import SensitivityAt, SpecificityAt
from rocwise.binary.resampling.forms_of_statistics import evaluated
from rocwise.data.mergeable.summed_pairs import SummedPairs
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.inference.class_spreads import SpreadByClass

PointRate = SensitivityAt | SpecificityAt
MANY_BEYOND = 1_000  # cases on either side of the given rate, and of the other class
MANY_ASIDE = 100  # cases on either side of the rate that is compared


def influences_hold_at(data: Pairs | Tally, statistic: PointRate) -> bool:
    """Whether influence functions compare the rate by default: many cases around the point."""
    if isinstance(data, SummedPairs) or has_unlike_rows(data):
        return False
    n_given, n_compared = _sizes(data, statistic)
    at, _ = _place(statistic)
    beyond = round(n_given * min(at, 1 - at), 6)  # 1 - 0.9 is a little less than 0.1
    if min(beyond, n_compared) < MANY_BEYOND:
        return False
    samples = [data.tally(name) for name in data.names] if isinstance(data, Pairs) else [data]
    rates = [evaluated(each, statistic) for each in samples]
    return all(n_compared * min(rate, 1 - rate) >= MANY_ASIDE for rate in rates)


def point_influences(pairs: Pairs, statistic: PointRate) -> Influences:
    """The rate of every model and the influence of every row on each."""
    at, mirrored = _place(statistic)
    tallies = [pairs.tally(name) for name in pairs.names]
    moved = np.stack(
        [
            of_rows(pairs, name, *point_influence(data, at, mirrored=mirrored))
            for name, data in zip(pairs.names, tallies, strict=True)
        ]
    )
    rates = np.array([evaluated(data, statistic) for data in tallies])
    return Influences(rates, moved[:, pairs.mask == 1], moved[:, pairs.mask == 0])


def point_spread(data: Tally, statistic: PointRate) -> tuple[float, SpreadByClass]:
    """The rate of one sample and its variance."""
    at, mirrored = _place(statistic)
    found = point_influence(data, at, mirrored=mirrored)
    return evaluated(data, statistic), spread_of(data, found)


def _place(statistic: PointRate) -> tuple[float, bool]:
    """The rate at which the curve is read, and whether it is read from its other end."""
    if isinstance(statistic, SensitivityAt):
        return 1.0 - statistic.specificity, False
    return 1.0 - statistic.sensitivity, True


def _sizes(data: Pairs | Tally, statistic: PointRate) -> tuple[float, float]:
    """Cases of the class whose rate is given, and of the one whose rate is compared."""
    negatives, positives = float(data.n_neg), float(data.n_pos)
    given_first = isinstance(statistic, SensitivityAt)
    return (negatives, positives) if given_first else (positives, negatives)
