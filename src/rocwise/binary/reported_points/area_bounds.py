"""What one or a few operating points say about the area under a proper curve."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.binary.reported_points.concave_chains import concave_chain, largest_area, polyline_area
from rocwise.binary.reported_points.concave_regions import concave_region, mirrored_region
from rocwise.errors import InputError
from rocwise.results import Result, result

SMALLEST_RATE = 1e-100  # squares of slopes through it are still numbers
Policy = Literal["raise", "hull"]


@result
class AucBounds(Result):
    """Smallest and largest area of a concave curve through the points `fpr`, `tpr`.

    `a` is the middle of the two; `b` the slope of the contour of equal `a` (one point only):
    above 1 for a conservative observer, below 1 for a liberal one. `informative` is False when
    nothing but (0, 0) or (1, 1) was given, through which every curve passes.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("lower", "upper", "a", "b", "informative")
    lower: float
    upper: float
    a: float
    b: float | None
    informative: bool
    fpr: Floats
    tpr: Floats

    def region(self) -> tuple[Floats, Floats, Floats]:
        """False positive rates, and the lowest and highest concave curve through the points there.

        Of points below the diagonal the mirror image of the region of their mirror images.
        """
        return (mirrored_region if self.a < 0.5 else concave_region)(self.fpr, self.tpr)

    def _sentence(self) -> str:
        points = "one point" if len(self.fpr) == 1 else f"{len(self.fpr)} points"
        if not self.informative:
            points = "no informative point"
        bias = "" if self.b is None else f", b = {self.b:.3f}"
        return (
            f"AUC between {self.lower:.3f} and {self.upper:.3f} from {points}; "
            f"A = {self.a:.3f}{bias}"
        )


def auc_bounds(fpr: Any, tpr: Any, *, policy: Policy = "raise") -> AucBounds:
    """Bounds on the AUC from one operating point or several (3.1 to 3.8).

    Parameters
    ----------
    fpr, tpr : float or sequence of float
        False alarm rates (1 - specificity) and hit rates (sensitivity).
    policy : {"raise", "hull"}
        What to do with points that lie on no concave curve: refuse, or use their upper hull.
        Points that are all below the diagonal are mirrored.

    Returns
    -------
    AucBounds
        With `lower`, `upper`, `a`, `b` and `informative`.

    References
    ----------
    Zhang and Mueller, "A note on ROC analysis and non-parametric estimate of sensitivity",
    Psychometrika 2005; the upper bounds of their Proposition 5.1 are corrected.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.auc_bounds(0.2, 0.8)
    AUC between 0.800 and 0.920 from one point; A = 0.860, b = 1.000
    """
    checks.one_of(policy, "policy", get_args(Policy))
    points = checked_points(fpr, tpr)
    points = _distinct(points)
    inner = points[~np.all(points == 0, axis=1) & ~np.all(points == 1, axis=1)]
    if not len(inner):
        return _answer(0.5, 1.0, None, points[:0], informative=False)
    below = np.all(inner[:, 1] <= inner[:, 0]) and np.any(inner[:, 1] < inner[:, 0])
    if below:
        lower, upper, used = _bounds(inner[:, ::-1], policy)
        lower, upper, used = 1 - upper, 1 - lower, used[:, ::-1]
    else:
        lower, upper, used = _bounds(inner, policy)
    b = float(bias_index(*used[0])) if len(used) == 1 else None
    return _answer(lower, upper, b, used, informative=True)


def _answer(
    lower: float, upper: float, b: float | None, points: Floats, *, informative: bool
) -> AucBounds:
    return AucBounds(
        lower=lower,
        upper=upper,
        a=(lower + upper) / 2,
        b=b,
        informative=informative,
        fpr=points[:, 0].copy(),
        tpr=points[:, 1].copy(),
    )


def checked_points(fpr: Any, tpr: Any) -> Floats:
    """Rows (fpr, tpr) of rates."""
    columns = []
    for values, argument in ((fpr, "fpr"), (tpr, "tpr")):
        flat = np.atleast_1d(np.asarray(values, dtype=object))
        if flat.ndim != 1:
            raise InputError(f"`{argument}` must be a rate or a sequence of rates.")
        rates = np.array([checks.rate(value, argument) for value in flat])
        if ((rates > 0) & (rates < SMALLEST_RATE)).any():
            raise InputError(f"`{argument}` must hold 0 or rates of at least {SMALLEST_RATE:g}.")
        columns.append(rates)
    if len(columns[0]) != len(columns[1]):
        raise InputError(
            f"`fpr` and `tpr` must have one length; got {len(columns[0])} and {len(columns[1])}."
        )
    if not len(columns[0]):
        raise InputError("`fpr` and `tpr` are empty; at least one operating point is needed.")
    return np.column_stack(columns)


def _distinct(points: Floats) -> Floats:
    unique = np.unique(points, axis=0)
    return unique[np.lexsort((unique[:, 1], unique[:, 0]))]


def _bounds(points: Floats, policy: Policy) -> tuple[float, float, Floats]:
    """Bounds from points on or above the diagonal, and the points that were used."""
    if len(points) == 1:
        f, h = (float(value) for value in points[0])
        return (1 + h - f) / 2, float(upper_bound(f, h)), points
    chain = concave_chain(points, refuse=policy == "raise")
    return polyline_area(chain), largest_area(chain), chain[1:-1]


def upper_bound(f: Any, h: Any) -> Floats:
    """The largest area of a concave curve through (f, h) with h >= f (3.2 to 3.4)."""
    f, h = np.asarray(f, dtype=np.float64), np.asarray(h, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = 1 - 2 * f * (1 - h)
        low = 1 - np.where(f > 0, f / (2 * h), 0.0)
        high = 1 - np.where(h < 1, (1 - h) / (2 * (1 - f)), 0.0)
    return np.where(h < 0.5, low, np.where(f > 0.5, high, middle))


def index_a(f: Any, h: Any) -> Floats:
    """The index A (3.5): the middle of the bounds, mirrored below the diagonal."""
    f, h = np.asarray(f, dtype=np.float64), np.asarray(h, dtype=np.float64)
    small, large = np.minimum(f, h), np.maximum(f, h)
    above = ((1 + large - small) / 2 + upper_bound(small, large)) / 2
    corner = (small == large) & ((small == 0) | (small == 1))
    above = np.where(corner, 0.75, above)
    return np.where(h < f, 1 - above, above)


def bias_index(f: float, h: float) -> float:
    """The index b (3.6): the slope dH/dF of the contour of equal A; its inverse when mirrored."""
    if h < f:
        return 1 / bias_index(h, f)
    if h < 0.5:
        return (h * h + h) / (h * h + f)
    if f > 0.5:
        q = 1 - f
        return (q * q + 1 - h) / (q * q + q)
    return (5 - 4 * h) / (1 + 4 * f)
