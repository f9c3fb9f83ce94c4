"""Concave curves through several points: the smallest and the largest area."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Floats
from rocwise.errors import InputError

TOLERANCE = 1e-12
SAME_POINT = 1e-11  # rounding, which a line through two such points would blow up to any slope
ACCURACY = 1e-9
BARRIERS = 10.0 ** -np.arange(2, 15)
STEPS_EACH = 60


def concave_chain(points: Floats, *, refuse: bool) -> Floats:
    """The points from (0, 0) to (1, 1) in concave position; those under the hull go or refuse."""
    given = np.vstack([[0.0, 0.0], points, [1.0, 1.0]])
    apart = np.abs(np.diff(given[:-1], axis=0)).max(axis=1) > SAME_POINT
    everything: Floats = given[np.concatenate([[True], apart, [True]])]
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
    return np.asarray(everything[kept])


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
    the triangles is concave in s and has edges where two lines coincide, so the search keeps
    away from them by a logarithmic barrier that is lowered step by step. At the end the gradient
    bounds what any other choice of slopes could gain.
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
    """The triangles over the chords, as a function of t and r = 1 - t.

    The slope at point i is s = low + t * span. Both t and r are kept, since near either end the
    other one would lose its digits.
    """

    def __init__(self, widths: Floats, chords: Floats) -> None:
        self.squares = widths**2 / 2
        self.span = np.maximum(chords[:-1] - chords[1:], 0.0)
        self.last = chords[-1:]

    def largest_sum(self) -> float:
        """Newton steps under lower and lower barriers."""
        t, r = np.full(len(self.span), 0.5), np.full(len(self.span), 0.5)
        for barrier in BARRIERS:
            t, r = self._climbed(t, r, barrier)
        value, gradient, _ = self.at(t, r)
        gain = float(np.maximum(gradient * r, -gradient * t).sum())
        if gain > ACCURACY:
            raise InputError(
                f"the upper bound could only be found to {gain:.1g}: `fpr` and `tpr` hold points "
                "that almost coincide; leave out one of each such pair."
            )
        return value

    def _climbed(self, t: Floats, r: Floats, barrier: float) -> tuple[Floats, Floats]:
        """The maximum of the sum + barrier * sum of log t and log r."""
        from scipy.linalg import solve_banded

        for _ in range(STEPS_EACH):
            _, gradient, hessian = self.at(t, r)
            slope = gradient + barrier * (1 / t - 1 / r)
            bands = -hessian
            bands[1] += barrier * (1 / t**2 + 1 / r**2)
            step = solve_banded((1, 1), bands, slope, check_finite=False)
            if slope @ step < 1e-4 * barrier:
                break
            size = min(1.0, 0.9 / float(np.max(np.maximum(-step / t, step / r), initial=1e-300)))
            target = self._raised(t, r, barrier) - 1e-15  # rounding must not stop the search
            while size > 1e-12 and self._raised(t + size * step, r - size * step, barrier) < target:
                size /= 2
            t, r = t + size * step, r - size * step
        return t, r

    def _raised(self, t: Floats, r: Floats, barrier: float) -> float:
        return self.at(t, r)[0] + barrier * float(np.log(t).sum() + np.log(r).sum())

    def at(self, t: Floats, r: Floats) -> tuple[float, Floats, Floats]:
        """The sum of the areas, its gradient and the three bands of its Hessian by t."""
        before = np.concatenate([[np.inf], t * self.span])  # u of (3.8)
        after = np.concatenate([r * self.span, self.last])  # v
        total = before + after
        flat = total == 0
        safe = np.where(flat | np.isinf(total), 1.0, total)
        share = np.where(np.isinf(before), 1.0, np.where(flat, 0.5, before / safe))
        rest = np.where(np.isinf(before), 0.0, np.where(flat, 0.5, after / safe))
        bend = np.where(flat | np.isinf(total), 0.0, 2 / safe)
        value = float(self.squares @ (share * after))
        gradient = self.span * (
            self.squares[1:] * rest[1:] ** 2 - self.squares[:-1] * share[:-1] ** 2
        )
        curved = self.squares * bend
        hessian = np.zeros((3, len(t)))  # a slope meets only those of its two neighbours
        hessian[1] = -(self.span**2) * (curved[1:] * rest[1:] ** 2 + curved[:-1] * share[:-1] ** 2)
        inner = -self.span[:-1] * self.span[1:] * (curved * share * rest)[1:-1]
        hessian[0, 1:] = hessian[2, :-1] = inner
        return value, gradient, hessian
