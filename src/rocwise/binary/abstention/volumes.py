"""The volume under the cost surface of an abstaining classifier (VACC), in closed form."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary.abstention.hull_vertices import HullVertices


def exact_volume(hull: HullVertices) -> float:
    """The volume over the unit square, (5.12): three integrals of piecewise linear functions.

    Where abstaining does not pay the least cost depends on mu alone; elsewhere it is the sum of
    the best lower threshold, which depends on nu alone, and mu times the best upper one, which
    depends on rho = nu / mu alone.
    """
    missed, cleared, weight = hull.missed, hull.cleared, hull.weight
    alarms = cleared[-1] - cleared
    edges = np.concatenate([[0.0], hull.slopes, [np.inf]])
    without = _pieces(_over_1_plus_x, missed, alarms, *_ends(edges, 0.0, 1.0))
    share = np.ones_like(edges)
    finite = np.isfinite(edges)
    share[finite] = edges[finite] / (1 + edges[finite])
    below = _pieces(_lower_side, missed, weight, *_ends(share, 0.0, 0.5))
    # the upper side is best at vertex h for rho from 1 - share[h + 1] to 1 - share[h]
    rho = 1 - share[::-1]
    near = _pieces(_plain, alarms[::-1], weight[::-1], *_ends(rho, 0.0, 0.5))
    far = _pieces(_cubed, alarms[::-1], weight[::-1], *_ends(rho, 0.5, 1.0))
    return float(without + below + (near + far) / 3)


def _ends(breaks: Floats, low: float, high: float) -> tuple[Floats, Floats]:
    clipped = np.clip(breaks, low, high)
    return clipped[:-1], clipped[1:]


def _pieces(primitive: object, alpha: Floats, beta: Floats, start: Floats, end: Floats) -> float:
    assert callable(primitive)
    return float(np.sum(primitive(alpha, beta, end) - primitive(alpha, beta, start)))


def _over_1_plus_x(alpha: Floats, beta: Floats, x: Floats) -> Floats:
    """Primitive of (alpha + beta x) / (1 + x), (5.13)."""
    return np.asarray(beta * x + (alpha - beta) * np.log1p(x))


def _lower_side(alpha: Floats, beta: Floats, x: Floats) -> Floats:
    """Primitive of (alpha - beta x) (1 - 2 x) / (1 - x), (5.13)."""
    return np.asarray(2 * alpha * x - beta * x**2 - beta * x + (alpha - beta) * np.log1p(-x))


def _plain(alpha: Floats, beta: Floats, x: Floats) -> Floats:
    """Primitive of alpha + beta x."""
    return np.asarray(alpha * x + beta * x**2 / 2)


def _cubed(alpha: Floats, beta: Floats, r: Floats) -> Floats:
    """Primitive of (alpha + beta r) (1 / r - 1)^3, (5.13)."""
    log = np.log(r)
    of_alpha = -1 / (2 * r**2) + 3 / r + 3 * log - r
    return np.asarray(alpha * of_alpha + beta * (-1 / r - 3 * log + 3 * r - r**2 / 2))


def grid_volume(cost: Floats, axis: Floats) -> float:
    """The volume by the trapezoidal rule."""
    return float(np.trapezoid(np.trapezoid(cost, axis, axis=1), axis))


def trivial_volume(prevalence: float) -> float:
    """The volume of the best trivial classifier at a share of positives.

    It is the integral of z - z^2 / 2 with z = min(mu (1 - p), p).

    >>> trivial_volume(0.5), round(trivial_volume(0.2), 10)
    (0.20833333333333334, 0.1583333333)
    """
    p, q = prevalence, 1 - prevalence
    turn = min(1.0, p / q) if q > 0 else 1.0
    rising = q * turn**2 / 2 - q**2 * turn**3 / 6
    return rising + (1 - turn) * (p - p**2 / 2)
