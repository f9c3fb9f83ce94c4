"""Cost curves of abstaining classifiers: the least cost over all costs of errors and abstaining."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.abstention_windows import (
    TIED,
    HullVertices,
    hull_vertices,
    mid_gap_thresholds,
    prevalence_of,
)
from rocwise.errors import InputError, shown
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import Result, result

VolumeMethod = Literal["exact", "grid"]


@by_group
def abstention_surface(
    data: Any = None,
    y_score: Any = None,
    *,
    grid: int = 101,
    prevalence: float | None = None,
    method: VolumeMethod = "exact",
    **given: Unpack[TallyOptions],
) -> "AbstentionSurface":
    """Compute the least expected cost with abstention, over all costs of errors and of abstaining.

    Parameters
    ----------
    grid : int, default 101
        Points per axis: costs of a false positive (`mu`) and of abstaining (`nu`) from 0 to 1, in
        units of the cost of a false negative.
    prevalence : float, optional
        Prevalence in the target population; that of the data by default.
    method : {"exact", "grid"}, default "exact"
        Computation of `volume`: in closed form, or by the trapezoidal rule on the grid.

    Returns
    -------
    AbstentionSurface
        Result with `mu`, `nu`, `cost`, `rate`, `lower`, `upper` and `volume` [1]_, and the methods
        ``difference(other)`` and ``versus_trivial()``.

    See Also
    --------
    abstain : Optimal reject region (abstention).
    cost_curve : Cost curve.

    References
    ----------
    .. [1] C. C. Friedel, U. Rückert and S. Kramer, "Cost curves for abstaining classifiers", ROCML
           workshop, 2006.

    Examples
    --------
    >>> import rocwise as rw
    >>> y, score = [0, 0, 1, 0, 1, 0, 1, 1], [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]
    >>> surface = rw.abstention_surface(y, score)
    >>> round(surface.volume, 10), round(float(surface.cost[50, 20]), 4)
    (0.1076388889, 0.1125)
    >>> ax = surface.plot()
    """
    tally = as_tally("abstention_surface", data, y_score, given)
    checks.one_of(method, "method", get_args(VolumeMethod))
    axis = np.linspace(0, 1, checks.whole(grid, "grid", at_least=2, at_most=checks.LARGEST_SIDE))
    prior = prevalence_of(tally, prevalence)
    hull = hull_vertices(tally, prior)
    ratios = axis[:, None], axis[None, :], axis[None, :]
    low, high = hull.best_windows(*ratios)
    cost = hull.cost(low, high, *ratios)
    by_grid = np.trapezoid(np.trapezoid(cost, axis, axis=1), axis)
    above, below = mid_gap_thresholds(tally, hull.alarms, "abstention_surface")
    sides = (below[low], above[high]) if tally.direction == "higher" else (above[high], below[low])
    return AbstentionSurface(
        mu=axis,
        nu=axis,
        cost=cost,
        rate=hull.weight[high] - hull.weight[low],
        lower=sides[0],
        upper=sides[1],
        volume=exact_volume(hull) if method == "exact" else float(by_grid),
        method=method,
        prevalence=prior,
        **tally.result_fields,
    )


@result
class AbstentionSurface(Result):
    """Lowest normalized cost and its reject region over a grid of costs.

    A false negative costs 1, a false positive `mu` and abstaining `nu`. `cost[i, j]`, `rate[i, j]`
    (fraction of cases undecided), `lower[i, j]` and `upper[i, j]` belong to `mu[i]`, `nu[j]`.
    `volume` is the volume under the cost surface over the unit square (VACC); it depends on which
    class is positive, since the costliest error allowed is a false negative.
    """

    mu: Floats
    nu: Floats
    cost: Floats
    rate: Floats
    lower: Floats
    upper: Floats
    volume: float
    method: VolumeMethod
    prevalence: float
    n_pos: float
    n_neg: float

    def highest_nu(self, mu: Floats) -> Floats:
        """The cost of abstaining above which it never pays, at these costs of a false positive."""
        return (rates := checks.rates(mu, "mu")) / (1 + rates)  # (5.5)

    def trivial(self) -> Floats:
        """What the best of always positive, always negative and always abstaining costs."""
        single = np.minimum(self.mu * (1 - self.prevalence), self.prevalence)
        return np.minimum(single[:, None], self.nu[None, :])

    @property
    def trivial_volume(self) -> float:
        """The volume under what the best trivial classifier costs."""
        return trivial_volume(self.prevalence)

    def difference(self, other: "AbstentionSurface") -> "AbstentionDifference":
        """Cost of this surface minus another on the same grid; below 0 where this is cheaper."""
        if not isinstance(other, AbstentionSurface):
            raise InputError(f"`other` must be an AbstentionSurface; got {shown(other)}.")
        if len(self.mu) != len(other.mu):
            raise InputError(
                f"`other` has {len(other.mu)} points per axis, but this surface has "
                f"{len(self.mu)}; make both with the same `grid`."
            )
        names = (self.origin.name or "first", other.origin.name or "second")
        return self._minus(other.cost, other.volume, names)

    def versus_trivial(self) -> "AbstentionDifference":
        """Cost of this surface minus that of the best trivial classifier; nowhere above 0."""
        names = (self.origin.name or "model", "trivial")
        return self._minus(self.trivial(), self.trivial_volume, names)

    def _minus(self, cost: Floats, volume: float, names: tuple[str, str]) -> "AbstentionDifference":
        return AbstentionDifference(
            mu=self.mu,
            nu=self.nu,
            cost=self.cost - cost,
            volume=self.volume - volume,
            names=names,
            origin=self.origin,
        )

    def _columns(self) -> Mapping[str, Any]:
        mu, nu = np.meshgrid(self.mu, self.nu, indexing="ij")
        tables = {"mu": mu, "nu": nu, "cost": self.cost, "rate": self.rate}
        tables |= {"lower": self.lower, "upper": self.upper}
        return {name: table.ravel() for name, table in tables.items()}

    def _sentence(self) -> str:
        pays = float(np.mean(self.rate[1:] > 0))
        return (
            f"least cost of abstaining classifiers on {len(self.mu)} x {len(self.nu)} costs, "
            f"volume {self.volume:.4g} (VACC; trivial {self.trivial_volume:.4g}); "
            f"abstaining pays on {100 * pays:.0f}% of them; prevalence "
            f"{printing.rate(self.prevalence)}; {printing.classes(self.n_pos, self.n_neg)}"
        )


@result
class AbstentionDifference(Result, np.lib.mixins.NDArrayOperatorsMixin):
    """Difference of two abstention cost surfaces, first minus second; also an array.

    `cost[i, j]` is below 0 where the first is cheaper at `mu[i]`, `nu[j]`; `volume` is the
    difference of the volumes.
    """

    mu: Floats
    nu: Floats
    cost: Floats
    volume: float
    names: tuple[str, str]

    def highest_nu(self, mu: Floats) -> Floats:
        """The cost of abstaining above which it never pays, at these costs of a false positive."""
        return (rates := checks.rates(mu, "mu")) / (1 + rates)  # (5.5)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        return (np.array if copy else np.asarray)(self.cost, dtype=dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = (part.cost if isinstance(part, AbstentionDifference) else part for part in inputs)
        return getattr(ufunc, method)(*plain, **options)

    def __getitem__(self, place: Any) -> Any:
        return self.cost[place]

    @property
    def shape(self) -> tuple[int, ...]:
        """Points per axis."""
        return self.cost.shape

    def _columns(self) -> Mapping[str, Any]:
        mu, nu = np.meshgrid(self.mu, self.nu, indexing="ij")
        return {"mu": mu.ravel(), "nu": nu.ravel(), "difference": self.cost.ravel()}

    def _sentence(self) -> str:
        cheaper, costlier = (float(np.mean(sign * self.cost < -TIED)) for sign in (1, -1))
        first, second = self.names
        return (
            f"cost of {first} minus {second}: {first} is cheaper on {100 * cheaper:.0f}% of the "
            f"costs, {second} on {100 * costlier:.0f}%; difference of volumes {self.volume:.4g}"
        )


def exact_volume(hull: HullVertices) -> float:
    """The volume over the unit square, (5.12): three integrals of piecewise linear functions.

    One in mu alone where abstaining does not pay, else one in nu and one in nu / mu.
    """
    missed, cleared, weight = hull.missed, hull.cleared, hull.weight
    alarms = cleared[-1] - cleared
    edges = np.concatenate([[0.0], hull.slopes, [np.inf]])
    without = _pieces(_over_1_plus_x, missed, alarms, edges, 0.0, 1.0)
    fraction = np.ones_like(edges)
    finite = np.isfinite(edges)
    fraction[finite] = edges[finite] / (1 + edges[finite])
    below = _pieces(_lower_side, missed, weight, fraction, 0.0, 0.5)
    # the upper side is best at vertex h for rho from 1 - fraction[h + 1] to 1 - fraction[h]
    rho = 1 - fraction[::-1]
    near = _pieces(_plain, alarms[::-1], weight[::-1], rho, 0.0, 0.5)
    far = _pieces(_cubed, alarms[::-1], weight[::-1], rho, 0.5, 1.0)
    return float(without + below + (near + far) / 3)


def _pieces(
    primitive: Callable[..., Floats],
    alpha: Floats,
    beta: Floats,
    breaks: Floats,
    low: float,
    high: float,
) -> float:
    """The integral from low to high of a function whose alpha and beta change at breaks."""
    ends = np.clip(breaks, low, high)
    return float(np.sum(primitive(alpha, beta, ends[1:]) - primitive(alpha, beta, ends[:-1])))


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


def trivial_volume(prevalence: float) -> float:
    """The volume of the best trivial classifier: of z - z^2 / 2 with z = min(mu (1 - p), p)."""
    p, q = prevalence, 1 - prevalence
    turn = min(1.0, p / q) if q > 0 else 1.0
    rising = q * turn**2 / 2 - q**2 * turn**3 / 6
    return rising + (1 - turn) * (p - p**2 / 2)
