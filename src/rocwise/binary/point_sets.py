"""Concave curves through several points: the smallest and the largest area."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocwise.errors import InputError

Floats = NDArray[np.float64]
TOLERANCE = 1e-12
ACCURACY = 1e-12
MOST_STEPS = 500


def concave_chain(points: Floats, *, refuse: bool) -> Floats:
    """The points from (0, 0) to (1, 1) in concave position; those under the hull go or refuse."""
    everything = np.vstack([[0.0, 0.0], points, [1.0, 1.0]])
    kept: list[int] = []
    for place, (x, y) in enumerate(everything):
        while len(kept) >= 2:
            (ax, ay), (bx, by) = everything[kept[-2]], everything[kept[-1]]
            turn = (by - ay) * (x - bx) - (y - by) * (bx - ax)
            if turn >= -TOLERANCE:  # on a straight line counts as concave
                break
            kept.pop()
        if kept and y < everything[kept[-1]][1] - TOLERANCE:
            if refuse:
                _refuse(everything[place])
            continue
        kept.append(place)
    missing = sorted(set(range(len(everything))) - set(kept))
    if missing and refuse:
        _refuse(everything[missing[0]])
    return everything[kept]


def _refuse(point: Floats) -> None:
    raise InputError(
        f"the points lie on no concave curve from (0, 0) to (1, 1): `fpr` {point[0]:g}, `tpr` "
        f"{point[1]:g} is below a line between two others. Pass policy='hull' to use the upper "
        "hull of the points."
    )


def polyline_area(chain: Floats) -> float:
    """The area under straight lines between the points (3.7)."""
    return float(np.trapezoid(chain[:, 1], chain[:, 0]))


def largest_area(chain: Floats) -> float:
    """The largest area of a concave curve through the chain (3.8).

    Over each chord lies a triangle between the lines that touch the curve at its two ends; the
    slopes s of those lines are free between the slopes of the neighbouring chords. The sum of
    the triangles is concave in s, so a projected Newton search finds its one maximum. The search
    ends when the gradient proves that no choice of slopes can gain more than 1e-12.
    """
    left = chain[chain[:, 0] == 0]
    chain = np.vstack([left[-1:], chain[chain[:, 0] > 0]])  # a vertical rise costs no area
    widths = np.diff(chain[:, 0])
    keep = np.append(True, widths > 0)
    chain = chain[keep]
    widths = np.diff(chain[:, 0])
    chords = np.diff(chain[:, 1]) / widths
    triangles = _Triangles(widths, chords)
    return polyline_area(chain) + triangles.largest_sum()


class _Triangles:
    """The triangles over the chords, as a function of t: slopes s = low + t (high - low)."""

    def __init__(self, widths: Floats, chords: Floats) -> None:
        self.squares = widths**2 / 2
        self.chords = chords
        self.low = chords[1:]
        self.span = np.maximum(chords[:-1] - chords[1:], 0.0)

    def largest_sum(self) -> float:
        """Projected Newton steps from the middle."""
        t = np.full(len(self.span), 0.5)
        value, gradient, hessian = self.at(t)
        for _ in range(MOST_STEPS):
            gain = np.maximum(gradient * (1 - t), -gradient * t).sum()
            if gain <= ACCURACY:
                return value
            t = self._stepped(t, value, gradient, hessian)
            value, gradient, hessian = self.at(t)
        if gain <= 1e-10:
            return value
        raise InputError(
            f"the upper bound could only be found to {gain:.1g}: `fpr` and `tpr` hold points that "
            "almost coincide; leave out one of each such pair."
        )

    def _stepped(self, t: Floats, value: float, gradient: Floats, hessian: Floats) -> Floats:
        stuck = ((t <= 0) & (gradient <= 0)) | ((t >= 1) & (gradient >= 0))
        free = np.flatnonzero(~stuck)
        matrix = -hessian[np.ix_(free, free)]
        scale = max(float(np.abs(matrix).max(initial=0.0)), 1e-300)
        step = np.zeros_like(t)
        step[free] = np.linalg.solve(matrix + 1e-12 * scale * np.eye(len(free)), gradient[free])
        for direction in (
            step,
            np.where(stuck, 0.0, gradient / max(np.abs(gradient).max(), 1e-300)),
        ):
            size = 1.0
            while size > 1e-14:
                moved = np.clip(t + size * direction, 0.0, 1.0)
                if self.at(moved)[0] > value:
                    return np.asarray(moved)
                size /= 2
        return t

    def at(self, t: Floats) -> tuple[float, Floats, Floats]:
        """The sum of the areas, its gradient and its Hessian by t."""
        s = self.low + t * self.span
        before = np.concatenate([[np.inf], s]) - self.chords  # u of (3.8)
        after = self.chords - np.concatenate([s, [0.0]])  # v
        before, after = np.maximum(before, 0.0), np.maximum(after, 0.0)
        total = before + after
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(np.isinf(before), 1.0, np.where(total > 0, before / total, 0.5))
            bend = np.where((total > 0) & np.isfinite(total), 2 / total, 0.0)
        value = float(self.squares @ (share * after))
        by_before = self.squares * (1 - share) ** 2
        by_after = self.squares * share**2
        gradient = self.span * (by_before[1:] - by_after[:-1])
        k = len(t)
        hessian = np.zeros((k, k))
        places = np.arange(k)
        curved = self.squares * bend
        hessian[places, places] = -(self.span**2) * (
            curved[1:] * (1 - share[1:]) ** 2 + curved[:-1] * share[:-1] ** 2
        )
        inner = -self.span[:-1] * self.span[1:] * curved[1:-1] * share[1:-1] * (1 - share[1:-1])
        hessian[places[:-1], places[1:]] = hessian[places[1:], places[:-1]] = inner
        return value, gradient, hessian
