"""What abstaining between two points of the ROC hull does to the curve and to its skew."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary.isometrics.hull_arcs import HullPath, Point
from rocwise.binary.isometrics.lines import MetricTerms


@dataclass(frozen=True, slots=True)
class Abstention:
    """No decision on the cases between two points of the hull.

    Attributes
    ----------
    upr, unr : float
        Shares of the positives and of the negatives left undecided, (4.6).
    point : tuple of float
        The rates among the decided cases.
    before, after : MetricTerms
        Skew and m before and after, (4.9) and (4.10): m stays the same in count.
    """

    upr: float
    unr: float
    point: Point
    before: MetricTerms
    after: MetricTerms


def abstention_between(a: Point, b: Point, terms: MetricTerms) -> Abstention:
    """Abstain between a and b, which lies to its right.

    >>> abstention_between((0.1, 0.5), (0.3, 0.9), MetricTerms(skew=1)).point
    (0.125, 0.8333333333333334)
    """
    unr, upr = max(b[0] - a[0], 0.0), max(b[1] - a[1], 0.0)
    positives, negatives = 1 - upr, 1 - unr
    skew = terms.skew * negatives / positives
    m = terms.m * (1 + terms.skew) / (positives + terms.skew * negatives)
    point = a[0] / negatives, a[1] / positives
    return Abstention(upr, unr, point, terms, replace(terms, skew=skew, m=m))


def transformed(hull: HullPath, a: float, b: float, between: Abstention) -> tuple[Floats, Floats]:
    """The hull among the decided cases, (4.7) before a and (4.8) after b; a and b coincide."""
    places = np.arange(len(hull.fpr))
    before, after = places < a, places > b
    negatives, positives = 1 - between.unr, 1 - between.upr
    rates = []
    for rate, kept, at in (
        (hull.fpr, negatives, between.point[0]),
        (hull.tpr, positives, between.point[1]),
    ):
        rates.append(np.concatenate([rate[before] / kept, [at], 1 - (1 - rate[after]) / kept]))
    return rates[0], rates[1]
