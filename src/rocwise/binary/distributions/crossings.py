"""Where two densities cross, and which crossing is the best threshold."""

from __future__ import annotations

import math

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary.distributions.densities import Density, GaussianMixture


def ameans_at(negative: Density, positive: Density, thresholds: Floats) -> Floats:
    """The mean of sensitivity and specificity at each threshold (2.2); 1/2 at infinity."""
    return (negative.cdf(thresholds) + positive.sf(thresholds)) / 2


def best_of(negative: Density, positive: Density, crossings: Floats) -> tuple[float, float]:
    """The crossing with the largest Ameans, the lowest one among equals; infinity at chance."""
    candidates = np.concatenate([[-np.inf], crossings, [np.inf]])
    ameans = np.full(len(candidates), 0.5)
    if len(crossings):
        ameans[1:-1] = ameans_at(negative, positive, crossings)
    best = float(ameans.max())
    if best <= 0.5:
        return math.inf, 0.5
    return float(candidates[np.flatnonzero(ameans >= best - 1e-15)[0]]), best


def best_of_normals(negative: GaussianMixture, positive: GaussianMixture) -> tuple[float, float]:
    """The best threshold in closed form, also where its gain over chance rounds to nothing."""
    crossings = normal_crossings(negative, positive)
    hopeless = negative.width == positive.width and positive.centres[0] <= negative.centres[0]
    if hopeless:
        return math.inf, 0.5
    ameans = float(ameans_at(negative, positive, crossings[:1])[0])
    if ameans < 0.5 - 1e-12:  # floats are too coarse to hold the crossing
        return math.inf, 0.5
    return float(crossings[0]), max(ameans, 0.5)


def normal_crossings(negative: GaussianMixture, positive: GaussianMixture) -> Floats:
    """Both roots of f_N = f_P for normal densities, the best threshold first (2.6 to 2.12).

    Written as offsets from the narrower class, without the cancellation that the textbook roots
    suffer, and in a unit in which no square leaves the range of floats.
    """
    narrow, wide = sorted((negative, positive), key=lambda density: density.width)
    start = float(narrow.centres[0])
    apart = float(wide.centres[0]) - start
    if narrow.width == wide.width:
        return np.array([] if apart == 0 else [start + apart / 2])
    unit = max(wide.width, abs(apart))
    d, s_0, s_1 = apart / unit, narrow.width / unit, wide.width / unit
    log_ratio = math.log1p((wide.width - narrow.width) / narrow.width)
    root = math.sqrt(d * d + 2 * (s_1 - s_0) * (s_1 + s_0) * log_ratio)
    reach = abs(d) * s_0 + s_1 * root
    far = narrow.width / (wide.width - narrow.width) * (reach / (s_1 + s_0))
    near = s_0 * (d * d + 2 * s_1 * s_1 * log_ratio) / reach
    lower, upper = (-far, near) if d > 0 else (-near, far)
    best_first = [upper, lower] if narrow is negative else [lower, upper]
    found = start + unit * np.array(best_first)
    return np.asarray(found[np.isfinite(found)])


def all_crossings(negative: Density, positive: Density) -> Floats:
    """Every place where f_N - f_P changes its sign, found on a fine grid and refined.

    Where the densities are equal on a whole stretch, or both are 0, its lower end stands for it.
    """
    grid = np.unique(np.concatenate([negative.places(), positive.places()]))
    signs = _sign(negative, positive, grid)
    known = np.flatnonzero(signs)
    change = np.flatnonzero(signs[known[1:]] != signs[known[:-1]])
    left = known[change]
    low, high = grid[left], grid[left + 1]
    before = signs[left]
    while True:  # halve every bracket at once until the floats are used up
        middle = low / 2 + high / 2
        open_ = (low < middle) & (middle < high)
        if not open_.any():
            return np.unique(high)
        stays = _sign(negative, positive, middle) == before
        low = np.where(open_ & stays, middle, low)
        high = np.where(open_ & ~stays, middle, high)


def _sign(negative: Density, positive: Density, t: Floats) -> Floats:
    below, above = negative.pdf(t), positive.pdf(t)
    return np.asarray(np.where(below > above, 1.0, np.where(below < above, -1.0, 0.0)))
