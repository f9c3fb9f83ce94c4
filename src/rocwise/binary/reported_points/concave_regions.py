"""Where concave ROC curves through given points can run."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Floats

STEPS = 400


def concave_region(fpr: Floats, tpr: Floats) -> tuple[Floats, Floats, Floats]:
    """Rising places from 0 to 1, and the lowest and highest a concave curve can be there."""
    x, y = (np.concatenate([[0.0], rates, [1.0]]) for rates in (fpr, tpr))
    places = np.union1d(np.linspace(0, 1, STEPS + 1), x)
    lower = np.where(places == 0, 0.0, np.interp(places, x, y))
    return places, lower, _ceiling(places, x, y)


def mirrored_region(fpr: Floats, tpr: Floats) -> tuple[Floats, Floats, Floats]:
    """As `concave_region` for points below the diagonal: the mirror image of that region."""
    places, lower, upper = concave_region(tpr, fpr)
    return places, _inverse(places, upper), _inverse(places, lower)


def _ceiling(places: Floats, x: Floats, y: Floats) -> Floats:
    """The highest that a concave curve through the points can be: chords drawn on beyond them."""
    upper = np.ones_like(places)
    for k in range(len(x) - 1):
        width = x[k + 1] - x[k]
        if width <= 0:
            continue
        line = y[k] + (y[k + 1] - y[k]) / width * (places - x[k])
        outside = (places <= x[k]) | (places >= x[k + 1])
        upper = np.where(outside, np.minimum(upper, line), upper)
    return np.asarray(np.maximum(upper, np.interp(places, x, y)))


def _inverse(places: Floats, rising: Floats) -> Floats:
    heights = np.concatenate([[0.0], rising, [1.0]])
    across = np.concatenate([[0.0], places, [1.0]])
    order = np.argsort(heights, kind="stable")
    return np.asarray(np.interp(places, heights[order], across[order]))
