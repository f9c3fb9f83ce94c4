"""Reported operating points: bounds of the AUC, contours, signal detection indices."""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.binary.convex_hull import upper_hull
from rocwise.errors import InputError, ends_traceback
from rocwise.results import Result, json_safe, result

Policy = Literal["raise", "hull"]
Quantity = Literal["a", "gap"]
CONTOURS: dict[Quantity, tuple[float, ...]] = {
    "a": (0.55, 0.6, 0.7, 0.8, 0.9, 0.95),
    "gap": (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4),
}
SMALLEST_RATE = 1e-100  # squares of slopes through it are still numbers
TOLERANCE = 1e-12
SAME_POINT = 1e-11  # rounding, which a line through two such points would blow up to any slope
ACCURACY = 1e-9
BARRIERS = 10.0 ** -np.arange(2, 15)
CORRECTED = "pass the counts (`hits`, ...), which are corrected"


@result
class AucBounds(Result):
    """Bounds of the AUC of concave curves through the points `fpr`, `tpr`.

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
        if self.a >= 0.5:
            return _concave_region(self.fpr, self.tpr)
        places, lower, upper = _concave_region(self.tpr, self.fpr)
        return places, _inverse(places, upper), _inverse(places, lower)

    def largest_curve(self) -> tuple[Floats, Floats]:
        """False and true positive rates of the vertices of the curve whose area is `upper`.

        For one point above the diagonal these are three segments, the middle one halved by the
        point where fpr < 0.5 < tpr.
        """
        x, y = (np.concatenate([[0.0], rates, [1.0]]) for rates in (self.fpr, self.tpr))
        if self.a < 0.5:  # the mirror image of the curve of the smallest area
            return x, y
        if len(x) == 2:
            return np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])
        return _largest_curve(np.column_stack([x, y]))

    def _sentence(self) -> str:
        points = "one point" if len(self.fpr) == 1 else f"{len(self.fpr)} points"
        if not self.informative:
            points = "no informative point"
        bias = "" if self.b is None else f", b = {self.b:.3f}"
        return (
            f"AUC between {self.lower:.3f} and {self.upper:.3f} from {points}; "
            f"A = {self.a:.3f}{bias}"
        )


@ends_traceback
def auc_bounds(fpr: Any, tpr: Any, *, policy: Policy = "raise") -> AucBounds:
    """Compute bounds on the AUC from one or several reported operating points.

    The bounds are valid for concave ROC curves through the points [1]_; the upper bounds of
    Proposition 5.1 of that paper are corrected.

    Parameters
    ----------
    fpr : float or sequence of float
        False positive rates (1 - specificity).
    tpr : float or sequence of float
        True positive rates (sensitivity).
    policy : {"raise", "hull"}, default "raise"
        For points that lie on no concave curve: raise an error, or use their upper hull. Points
        that are all below the diagonal are mirrored.

    Returns
    -------
    AucBounds
        Result with `lower`, `upper`, `a` (the midpoint), `b` and `informative`, and the method
        `largest_curve`, the vertices of the curve with the area `upper`.

    See Also
    --------
    auc_contours : Contours of the AUC bounds in ROC space.
    signal_detection : Indices d', criterion, beta, A' and A.
    auc : AUC with a confidence interval.

    References
    ----------
    .. [1] J. Zhang and S. T. Mueller, "A note on ROC analysis and non-parametric estimate of
           sensitivity", Psychometrika 70, 2005. doi:10.1007/s11336-003-1119-8

    Examples
    --------
    >>> import rocwise as rw
    >>> bounds = rw.auc_bounds(0.2, 0.8)
    >>> bounds
    AUC between 0.800 and 0.920 from one point; A = 0.860, b = 1.000
    >>> ax = bounds.plot()
    """
    checks.one_of(policy, "policy", get_args(Policy))
    points = np.unique(_checked_points(fpr, tpr), axis=0)
    inner = points[~np.all(points == 0, axis=1) & ~np.all(points == 1, axis=1)]
    lower, upper, used = 0.5, 1.0, inner
    if np.all(inner[:, 1] <= inner[:, 0]) and np.any(inner[:, 1] < inner[:, 0]):  # mirrored
        lower, upper, used = _bounds(inner[:, ::-1], policy)
        lower, upper, used = 1 - upper, 1 - lower, used[:, ::-1]
    elif len(inner):
        lower, upper, used = _bounds(inner, policy)
    return AucBounds(
        lower=lower,
        upper=upper,
        a=(lower + upper) / 2,
        b=float(_bias_index(*used[0])) if len(used) == 1 else None,
        informative=bool(len(inner)),
        fpr=used[:, 0].copy(),
        tpr=used[:, 1].copy(),
    )


def _checked_points(fpr: Any, tpr: Any) -> Floats:
    """Rows (fpr, tpr) of rates."""
    columns = []
    for values, argument in ((fpr, "fpr"), (tpr, "tpr")):
        flat = np.atleast_1d(np.asarray(values, dtype=object))
        if flat.ndim != 1:
            raise InputError(f"`{argument}` must be a rate or a sequence of rates.")
        rates = np.array([checks.rate(value, argument) for value in flat])
        if ((rates > 0) & (rates < SMALLEST_RATE)).any():
            raise InputError(f"`{argument}` must contain 0 or rates of at least {SMALLEST_RATE:g}.")
        columns.append(rates)
    if len(columns[0]) != len(columns[1]):
        raise InputError(
            f"`fpr` and `tpr` must have one length; got {len(columns[0])} and {len(columns[1])}."
        )
    if not len(columns[0]):
        raise InputError("`fpr` and `tpr` are empty; at least one operating point is needed.")
    return np.column_stack(columns)


def _bounds(points: Floats, policy: Policy) -> tuple[float, float, Floats]:
    """Bounds from points on or above the diagonal, and the points that were used."""
    # (3.1 to 3.8)
    if len(points) == 1:
        f, h = points[0].tolist()
        return (1 + h - f) / 2, _upper_bound(f, h), points
    chain = _concave_chain(points, strict=policy == "raise")
    return *_areas(chain), chain[1:-1]


def _upper_bound(f: float, h: float) -> float:
    """The largest area of a concave curve through (f, h) with h >= f (3.2 to 3.4)."""
    if h < 0.5:
        return 1 - f / (2 * h)
    return 1 - (1 - h) / (2 * (1 - f)) if f > 0.5 else 1 - 2 * f * (1 - h)


def _bias_index(f: float, h: float) -> float:
    """The index b (3.6): the slope dH/dF of the contour of equal A; its inverse when mirrored."""
    if h < f:
        return 1 / _bias_index(h, f)
    if h < 0.5:
        return (h * h + h) / (h * h + f)
    if f > 0.5:
        q = 1 - f
        return (q * q + 1 - h) / (q * q + q)
    return (5 - 4 * h) / (1 + 4 * f)


def _concave_chain(points: Floats, *, strict: bool) -> Floats:
    """The points from (0, 0) to (1, 1) on their upper hull; errors for others if `strict`."""
    given = np.vstack([[0.0, 0.0], points, [1.0, 1.0]])
    distinct = np.abs(np.diff(given[:-1], axis=0)).max(axis=1) > SAME_POINT
    x, y = given[np.concatenate([[True], distinct, [True]])].T
    corners = upper_hull(x[1:], y[1:])
    on_hull = (x == 0) | (y >= np.interp(x, x[corners], y[corners]) - TOLERANCE)
    if strict and not on_hull.all():
        below = int(np.argmin(on_hull))
        raise InputError(
            f"the points lie on no concave curve from (0, 0) to (1, 1): `fpr` {x[below]:g}, `tpr` "
            f"{y[below]:g} is below a line between two others. Pass policy='hull' to use the upper "
            "hull of the points."
        )
    return np.column_stack([x[on_hull], y[on_hull]])


def _areas(chain: Floats) -> tuple[float, float]:
    """The smallest (3.7) and the largest (3.8) area of a concave curve through the chain.

    Over each chord lies a triangle between the lines that touch the curve at its two ends, whose
    slopes are free between those of the neighboring chords.
    """
    chain = _without_vertical_rises(chain)
    widths, rises = np.diff(chain, axis=0).T
    below = float(np.trapezoid(chain[:, 1], chain[:, 0]))
    return below, below + _Triangles(widths, rises / widths).largest_sum()[0]


def _largest_curve(chain: Floats) -> tuple[Floats, Floats]:
    """The vertices of that curve: where the lines through neighboring points meet."""
    corners = _without_vertical_rises(chain)
    widths, rises = np.diff(corners, axis=0).T
    chords = rises / widths
    if len(chain) == 3 and chain[1, 0] > 0 and chain[1, 1] < 1:  # closed form for one point
        f, h = chain[1].tolist()
        slopes = np.array([h / f if h < 0.5 else (1 - h) / (1 - f if f > 0.5 else f)])
    else:
        t = _Triangles(widths, chords).largest_sum()[1]
        slopes = chords[1:] + t * np.maximum(chords[:-1] - chords[1:], 0.0)
    before, after = np.append(np.inf, slopes), np.append(slopes, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.where(np.isinf(before), 0.0, (chords - after) / (before - after))
    part = np.where(before > after, part, 0.5)  # the chord itself
    x = corners[:-1, 0] + part * widths
    y = corners[1:, 1] - after * (1 - part) * widths
    vertices = np.vstack([[0.0, 0.0], corners[:1], np.column_stack([x, y]), [1.0, 1.0]])
    fpr, tpr = np.maximum.accumulate(np.clip(vertices, 0.0, 1.0)).T
    new = np.append(True, (np.diff(fpr) > SAME_POINT) | (np.diff(tpr) > SAME_POINT))
    return fpr[new], tpr[new]


def _without_vertical_rises(chain: Floats) -> Floats:
    """The chain from its last point on the left edge; a vertical rise adds no area."""
    left = chain[chain[:, 0] == 0]
    chain = np.vstack([left[-1:], chain[chain[:, 0] > 0]])
    return np.asarray(chain[np.append(True, np.diff(chain[:, 0]) > 0)])


class _Triangles:
    """The triangles over the chords, for slopes low + t * span; r = 1 - t keeps its digits."""

    def __init__(self, widths: Floats, chords: Floats) -> None:
        self.squares = widths**2 / 2
        self.span = np.maximum(chords[:-1] - chords[1:], 0.0)
        self.last = chords[-1:]

    def largest_sum(self) -> tuple[float, Floats]:
        """The sum and its t, by Newton steps under lower and lower barriers."""
        t, r = np.full(len(self.span), 0.5), np.full(len(self.span), 0.5)
        for barrier in BARRIERS:
            t, r = self._climbed(t, r, barrier)
        value, gradient, _ = self.at(t, r)
        gain = float(np.maximum(gradient * r, -gradient * t).sum())
        if gain > ACCURACY:
            raise InputError(
                f"the upper bound could only be found to {gain:.1g}: `fpr` and `tpr` contain "
                "points that almost coincide; leave out one of each such pair."
            )
        return value, t

    def _climbed(self, t: Floats, r: Floats, barrier: float) -> tuple[Floats, Floats]:
        """The maximum of the sum + barrier * sum of log t and log r."""
        from scipy.linalg import solve_banded

        for _ in range(60):
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
        part = np.where(np.isinf(before), 1.0, np.where(flat, 0.5, before / safe))
        rest = np.where(np.isinf(before), 0.0, np.where(flat, 0.5, after / safe))
        bend = np.where(flat | np.isinf(total), 0.0, 2 / safe)
        value = float(self.squares @ (part * after))
        gradient = self.span * (
            self.squares[1:] * rest[1:] ** 2 - self.squares[:-1] * part[:-1] ** 2
        )
        curved = self.squares * bend
        hessian = np.zeros((3, len(t)))  # a slope meets only those of its two neighbors
        hessian[1] = -(self.span**2) * (curved[1:] * rest[1:] ** 2 + curved[:-1] * part[:-1] ** 2)
        inner = -self.span[:-1] * self.span[1:] * (curved * part * rest)[1:-1]
        hessian[0, 1:] = hessian[2, :-1] = inner
        return value, gradient, hessian


def _concave_region(fpr: Floats, tpr: Floats) -> tuple[Floats, Floats, Floats]:
    """Rising places from 0 to 1, and the lowest and highest a concave curve can be there."""
    x, y = (np.concatenate([[0.0], rates, [1.0]]) for rates in (fpr, tpr))
    places = np.union1d(np.linspace(0, 1, 401), x)
    lower = np.where(places == 0, 0.0, np.interp(places, x, y))
    return places, lower, _ceiling(places, x, y)


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


@result
class BoundContours(Result):
    """Contours of A, or of the difference of the bounds; nan in the arrays ends a line."""

    quantity: Quantity
    values: Floats
    fpr: tuple[Floats, ...]
    tpr: tuple[Floats, ...]

    def _sentence(self) -> str:
        name = (
            "the index A"
            if self.quantity == "a"
            else "the difference between the bounds of the AUC"
        )
        return f"contours of {name} at {', '.join(f'{value:g}' for value in self.values)}"

    def _columns(self) -> dict[str, Any]:
        sizes = [len(line) for line in self.fpr]
        return {
            "value": np.repeat(self.values, sizes),
            "fpr": np.concatenate(self.fpr),
            "tpr": np.concatenate(self.tpr),
        }


def auc_contours(
    quantity: Quantity = "a", *, values: Sequence[float] | None = None
) -> BoundContours:
    """Compute contours, in ROC space, of the AUC index or bounds of a single operating point.

    Parameters
    ----------
    quantity : {"a", "gap"}, default "a"
        Index A [1]_, or the difference of upper and lower bound of the AUC, which is 0 on the
        diagonal and largest near (0, 0) and (1, 1).
    values : sequence of float, optional
        Levels of the contours: A between 0.5 and 1, the difference between 0 and 0.5.

    Returns
    -------
    BoundContours
        Result with `values`, `fpr` and `tpr`, one contour per value.

    See Also
    --------
    auc_bounds : Bounds on the AUC from operating points.
    isometric : Line of constant precision or F-measure in ROC space.

    References
    ----------
    .. [1] J. Zhang and S. T. Mueller, "A note on ROC analysis and non-parametric estimate of
           sensitivity", Psychometrika 70, 2005. doi:10.1007/s11336-003-1119-8

    Examples
    --------
    >>> import rocwise as rw
    >>> contours = rw.auc_contours("a", values=[0.8, 0.9])
    >>> contours
    contours of the index A at 0.8, 0.9
    >>> ax = contours.plot()
    """
    checks.one_of(quantity, "quantity", get_args(Quantity))
    low, high = (0.5, 1.0) if quantity == "a" else (0.0, 0.5)
    given = CONTOURS[quantity] if values is None else np.ravel(np.asarray(values, dtype=object))
    chosen = [checks.real(value, "values") for value in given]
    if not chosen:
        raise InputError("`values` is empty; pass at least one, or leave it out.")
    for value in chosen:
        if not low < value < high:
            raise InputError(f"`values` must lie between {low:g} and {high:g}; got {value:g}.")
    fpr, tpr = zip(*(_contour(quantity, value) for value in chosen), strict=True)
    return BoundContours(quantity=quantity, values=np.array(chosen), fpr=fpr, tpr=tpr)


def _contour(quantity: Quantity, value: float) -> tuple[Floats, Floats]:
    """The part with fpr + tpr <= 1, in two formulas, and its mirror image (1 - tpr, 1 - fpr)."""
    # (3.2 to 3.5)
    h = np.linspace(0.0, 1.0, 2001)[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        if quantity == "a":
            top = 0.75 + h / 4 - value
            f = np.where(h < 0.5, top / (0.25 + 1 / (4 * h)), top / (1.25 - h))
        else:
            top = (1 - h) / 2 - value
            f = np.where(h < 0.5, top / (1 / (2 * h) - 0.5), top / (1.5 - 2 * h))
    inside = (f >= 0) & (f <= h) & (f + h <= 1 + 1e-12)
    f, h = np.where(inside, f, np.nan), np.where(inside, h, np.nan)
    return (
        np.concatenate([f, [np.nan], 1 - h[::-1]]),
        np.concatenate([h, [np.nan], 1 - f[::-1]]),
    )


@result
class SignalDetection(Result):
    """Sensitivity (d', A', A'', A) and bias (criterion, beta, B'', b) of one operating point.

    `criterion`, `beta` and `ln_beta` raise where two infinities cancel, which only happens at
    rates of 0 and 1; `indices()` has None there.
    """

    fpr: float
    tpr: float
    d_prime: float
    a_prime: float
    a_double_prime: float
    b_double_prime: float
    a: float
    b: float | None

    @property
    def criterion(self) -> float:
        """The criterion c (3.10)."""
        return self._defined("criterion")

    @property
    def beta(self) -> float:
        """The likelihood ratio at the criterion (3.10)."""
        return self._defined("beta")

    @property
    def ln_beta(self) -> float:
        """The logarithm of beta, c d' (3.10)."""
        return self._defined("ln_beta")

    def indices(self) -> dict[str, float | None]:
        """All indices by name, None where one is not defined."""
        z_f, z_h = _z(self.fpr), _z(self.tpr)
        total, both = z_h + z_f, math.isinf(z_f) and math.isinf(z_h)
        ln_beta = None if both else (z_f - z_h) * total / 2 + 0.0  # (3.10)
        return {
            "d_prime": self.d_prime,
            "criterion": None if math.isnan(total) else -total / 2 + 0.0,
            "beta": ln_beta
            if ln_beta is None
            else math.exp(ln_beta)
            if ln_beta < 709
            else math.inf,
            "ln_beta": ln_beta,
            "a_prime": self.a_prime,
            "a_double_prime": self.a_double_prime,
            "b_double_prime": self.b_double_prime,
            "a": self.a,
            "b": self.b,
        }

    def curve(self, n_points: int = 201) -> tuple[list[float], list[float]]:
        """Rates along the curve through the point if both classes are normal, equally wide (3.9).

        Empty where d' is infinite or not defined.
        """
        n_points = checks.size(n_points, "n_points", at_least=2, bytes_each=64)
        if not math.isfinite(self.d_prime):
            return [], []
        cdf, steps = NormalDist().cdf, np.linspace(-4.0, 4.0, n_points).tolist()
        fpr, tpr = ([0.0, *(cdf(x + d) for x in steps), 1.0] for d in (0.0, self.d_prime))
        return fpr, tpr

    def _defined(self, name: str) -> float:
        value = self.indices()[name]
        if value is None:
            raise InputError(
                f"{name} is not defined at `fpr` {self.fpr:g} and `tpr` {self.tpr:g}, where two "
                f"infinities cancel; {CORRECTED}."
            )
        return value

    def _columns(self) -> dict[str, Any]:
        columns = {"fpr": self.fpr, "tpr": self.tpr, **self.indices()}
        return {name: [value] for name, value in columns.items()}

    def to_dict(self) -> dict[str, Any]:
        """All indices as plain JSON-safe values; what is infinite or not defined is None."""
        plain: dict[str, Any] = json_safe(self.indices())
        return super().to_dict() | plain

    def _sentence(self) -> str:
        criterion = self.indices()["criterion"]
        words = "undefined" if criterion is None else f"{round(criterion, 3) + 0.0:.3f}"
        return (
            f"d' = {round(self.d_prime, 3) + 0.0:.3f}, criterion {words}, "
            f"A' = {self.a_prime:.3f}, A = {self.a:.3f} at hit rate {self.tpr:.3f}, false alarm "
            f"rate {self.fpr:.3f}"
        )


@ends_traceback
def signal_detection(
    fpr: Any = None,
    tpr: Any = None,
    *,
    hits: Any = None,
    n_signal: Any = None,
    false_alarms: Any = None,
    n_noise: Any = None,
) -> SignalDetection:
    """Compute d', criterion and other indices of signal detection theory.

    Give rates, or counts. Counts are corrected log-linearly: (hits + 0.5) / (n_signal + 1) and
    (false_alarms + 0.5) / (n_noise + 1), so that every index is finite.

    Parameters
    ----------
    fpr : float, optional
        False alarm rate.
    tpr : float, optional
        Hit rate. At rates of 0 and 1, d', criterion and beta are infinite or raise an error.
    hits : int, optional
        Number of hits, in place of `tpr`.
    n_signal : int, optional
        Number of trials with a signal.
    false_alarms : int, optional
        Number of false alarms, in place of `fpr`.
    n_noise : int, optional
        Number of trials without a signal.

    Returns
    -------
    SignalDetection
        Result with `d_prime`, `criterion`, `beta`, `ln_beta`, `a_prime`, `b_double_prime` [1]_
        [2]_, `a_double_prime` [4]_, `a` and `b` [3]_. A'' is too small where fpr < 0.5 < tpr; A
        corrects it.

    See Also
    --------
    auc_bounds : Bounds on the AUC from operating points.
    binormal : Maximum likelihood fit of the binormal ROC curve.

    References
    ----------
    .. [1] H. Stanislaw and N. Todorov, "Calculation of signal detection theory measures", Behav.
           Res. Methods 31, 1999. doi:10.3758/BF03207704
    .. [2] J. B. Grier, "Nonparametric indexes for sensitivity and bias: computing formulas",
           Psychol. Bull. 75, 1971. doi:10.1037/h0031246
    .. [3] J. Zhang and S. T. Mueller, "A note on ROC analysis and non-parametric estimate of
           sensitivity", Psychometrika 70, 2005. doi:10.1007/s11336-003-1119-8
    .. [4] W. D. Smith, "Clarification of sensitivity measure A'", J. Math. Psychol. 39, 1995,
           82-89. doi:10.1006/jmps.1995.1007

    Examples
    --------
    >>> import rocwise as rw
    >>> point = rw.signal_detection(0.15, 0.75)
    >>> round(point.d_prime, 4), round(point.criterion, 4), round(point.beta, 4)
    (1.7109, 0.181, 1.3629)
    >>> counts = {"hits": 20, "n_signal": 20, "false_alarms": 0, "n_noise": 20}
    >>> round(rw.signal_detection(**counts).d_prime, 3)
    3.962
    """
    counts = (hits, n_signal, false_alarms, n_noise)
    if any(count is not None for count in counts):
        if fpr is not None or tpr is not None or any(each is None for each in counts):
            raise InputError(
                "`signal_detection` needs `fpr` and `tpr`, or all four counts: `hits`, "
                "`n_signal`, `false_alarms` and `n_noise`."
            )
        tpr = _corrected_rate(hits, n_signal, "hits", "n_signal")
        fpr = _corrected_rate(false_alarms, n_noise, "false_alarms", "n_noise")
    f, h = checks.rate(fpr, "fpr"), checks.rate(tpr, "tpr")
    d_prime = _z(h) - _z(f)
    if math.isnan(d_prime):
        raise InputError(f"`fpr` and `tpr` are both {f:g}, where d' is not defined; {CORRECTED}.")
    return SignalDetection(
        fpr=f,
        tpr=h,
        d_prime=d_prime,
        a_prime=a_prime(f, h),
        a_double_prime=a_double_prime(f, h),
        b_double_prime=_b_double_prime(f, h),
        a=auc_bounds(f, h).a,
        b=_bias_index(f, h),
    )


def _corrected_rate(count: Any, total: Any, name: str, of: str) -> float:
    made = checks.whole(count, name, at_least=0, at_most=2**53)
    among = checks.whole(total, of, at_most=2**53)
    if made > among:
        raise InputError(f"`{name}` must not be larger than `{of}`; got {made} and {among}.")
    return (made + 0.5) / (among + 1)


def _z(rate: float) -> float:
    """The normal quantile of a rate, infinite at 0 and 1."""
    if rate in (0.0, 1.0):
        return math.inf if rate else -math.inf
    return NormalDist().inv_cdf(rate)


def a_prime(f: float, h: float) -> float:
    """The index A' of Pollack and Norman, and Grier (3.9)."""
    if h == f:
        return 0.5
    if h < f:
        return 1 - a_prime(h, f)
    return 0.5 + (h - f) * (1 + h - f) / (4 * h * (1 - f))


def a_double_prime(f: float, h: float) -> float:
    """Smith's index A'': the mean of the smallest area and the larger of two polygons' areas."""
    if h == f:
        return 0.5
    if h < f:
        return 1 - a_double_prime(h, f)
    return ((1 + h - f) / 2 + max(1 - f / (2 * h), 1 - (1 - h) / (2 * (1 - f)))) / 2


def _b_double_prime(f: float, h: float) -> float:
    """Grier's index of bias (3.11)."""
    of_hits, of_alarms = h * (1 - h), f * (1 - f)
    if h == f or of_hits + of_alarms == 0:
        return 0.0
    return math.copysign(1.0, h - f) * (of_hits - of_alarms) / (of_hits + of_alarms)
