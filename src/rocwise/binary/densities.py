"""Densities of one class: a normal one, a kernel estimate, a scipy distribution."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks
from rocwise.arrays import Floats, Places
from rocwise.errors import InputError, shown

CELL = 0.5  # width of a cell of centers, in widths of the kernel
TERMS = 20
FAR = 6.0  # from the nearest center on, single centers are summed: there are few in reach
REACH = 90.0  # beyond sqrt(nearest**2 + REACH) a center adds less than exp(-45) of the nearest
BEYOND = 40.0  # the kernel and its tail are 0 in double precision
SMALLEST_RANGE = 1e-305  # below it widths of kernels have no reciprocal
TAIL = 1e-9
PROBABILITIES = np.concatenate(
    [
        [TAIL, 1e-7, 1e-5, 1e-4],
        np.linspace(0.001, 0.999, 999),
        1 - np.array([1e-4, 1e-5, 1e-7, TAIL]),
    ]
)
FEW_PAIRS = 1_000_000  # of centers and points, which are visited one by one
MOST_CELLS = 20_000
LARGEST = 1e150
FUNCTIONS = ("pdf", "cdf", "sf", "ppf")


@dataclass(frozen=True, eq=False)
class GaussianMixture:
    """Gaussians of one width at sorted centers: a kernel estimate, or with one center a normal."""

    centers: Floats
    width: float
    name: str

    def pdf(self, t: Floats) -> Floats:
        """Density."""
        if self._few_pairs(t):
            return self._mean(t, _phi) / self.width
        return self._sums.density(t) / (len(self.centers) * self.width)

    def cdf(self, t: Floats) -> Floats:
        """Cumulative distribution function."""
        from scipy.special import ndtr

        if self._few_pairs(t):
            return self._mean(t, ndtr)
        return np.minimum(self._sums.below(t) / len(self.centers), 1.0)

    def sf(self, t: Floats) -> Floats:
        """Survival function."""
        return GaussianMixture(-self.centers[::-1], self.width, self.name).cdf(-np.asarray(t))

    @cached_property
    def _sums(self) -> "KernelSums":
        return KernelSums(self.centers, self.width)

    def _few_pairs(self, t: Floats) -> bool:
        return len(self.centers) == 1 or len(self.centers) * np.size(t) <= FEW_PAIRS

    def _mean(self, t: Floats, function: Callable[[Floats], Floats]) -> Floats:
        with np.errstate(over="ignore", under="ignore"):
            z = (np.asarray(t, dtype=np.float64)[..., None] - self.centers) / self.width
            return np.asarray(function(z).mean(axis=-1))

    def grid(self) -> Floats:
        """From 8 widths below the lowest center to 8 above the highest."""
        ends = self.centers.min() - 8 * self.width, self.centers.max() + 8 * self.width
        offsets = self.width * np.linspace(-3, 3, 13)
        many = len(self.centers) > 500
        near = np.quantile(self.centers, np.linspace(0, 1, 500)) if many else self.centers
        parts = [np.linspace(*ends, 2001), np.add.outer(near, offsets).ravel()]
        return np.unique(np.concatenate([*parts, self._around_cells()] if many else parts))

    def _around_cells(self) -> Floats:
        """Steps of a quarter width around the centers, also around isolated ones."""
        step = self.width / 4
        cells = np.floor((self.centers - self.centers[0]) / step)
        cells = cells[np.append(True, cells[1:] != cells[:-1])]  # they never fall
        if len(cells) > MOST_CELLS:
            cells = cells[:: -(-len(cells) // MOST_CELLS)]
        return np.asarray(
            self.centers[0] + step * np.unique(np.add.outer(cells, np.arange(-12.0, 13.0)))
        )

    def description(self) -> str:
        """Name and parameters as text."""
        return self.name


@dataclass(frozen=True, eq=False)
class ScipyDensity:
    """A frozen continuous distribution of scipy, or any object with pdf, cdf, sf and ppf."""

    frozen: Any

    def __getattr__(self, name: str) -> Any:
        if name not in FUNCTIONS:
            raise AttributeError(name)
        function = getattr(self.frozen, name)
        return lambda t: np.asarray(function(t), dtype=np.float64)

    def grid(self) -> Floats:
        """Quantiles, and equal steps between the outermost."""
        quantiles = self.ppf(PROBABILITIES)
        return np.unique(
            np.concatenate([quantiles, np.linspace(quantiles[0], quantiles[-1], 2001)])
        )

    def description(self) -> str:
        """Name and parameters as text."""
        family = getattr(getattr(self.frozen, "dist", None), "name", type(self.frozen).__name__)
        given = [*getattr(self.frozen, "args", ()), *getattr(self.frozen, "kwds", {}).values()]
        if not given or not all(np.ndim(value) == 0 for value in given):
            return f"{family} distribution"
        positional = [f"{value:.4g}" for value in getattr(self.frozen, "args", ())]
        names = [f"{key}={value:.4g}" for key, value in getattr(self.frozen, "kwds", {}).items()]
        return f"{family}({', '.join(positional + names)})"


Density = GaussianMixture | ScipyDensity


def gaussian(mean: Any, sd: Any, argument: str) -> GaussianMixture:
    """A normal distribution."""
    center, width = checks.real(mean, argument), checks.real(sd, argument)
    if width <= 0:
        raise InputError(
            f"`{argument}` is the pair (mean, sd), whose sd must be above 0; got {shown(sd)}."
        )
    if abs(center) > LARGEST or not 1 / LARGEST <= width <= LARGEST:
        raise InputError(
            f"`{argument}` is the pair (mean, sd), of numbers with finite squares; "
            f"got ({center:g}, {width:g}). Use another unit."
        )
    return GaussianMixture(np.array([center]), width, f"normal({center:.4g}, {width:.4g})")


def silverman(values: Floats) -> float:
    """Silverman's width: 0.9 min(sd, IQR/1.34) n^(-1/5); the sd alone when the IQR is 0."""
    deviation = float(values.std(ddof=1))
    low, high = np.quantile(values, [0.25, 0.75])
    quartiles = float(high - low) / 1.34
    narrower = min(deviation, quartiles) if quartiles > 0 else deviation
    return float(0.9 * narrower * len(values) ** -0.2)


def checked_sample(sample: ArrayLike, argument: str) -> Floats:
    """At least two finite values that are not all equal."""
    try:
        values = np.asarray(sample, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"`{argument}` must be a pair (mean, sd), a frozen distribution of scipy, or a sample "
            f"of numbers; got {type(sample).__name__}."
        ) from None
    if values.ndim != 1 or len(values) < 2:
        raise InputError(
            f"`{argument}` as a sample must be a sequence of at least two numbers; "
            f"got the shape {values.shape}."
        )
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise InputError(
            f"`{argument}` must contain finite numbers; got {values[bad[0]]} at row {bad[0]}."
        )
    if 0 < values.max() - values.min() < SMALLEST_RANGE:
        raise InputError(
            f"`{argument}` must have a range above {SMALLEST_RANGE:g}; multiply it by a number."
        )
    if values.min() == values.max():
        raise InputError(
            f"`{argument}` is constant ({values[0]:g}), so its standard deviation is 0; "
            "pass a pair (mean, sd)."
        )
    return values


def density_of(given: Any, width: Any, argument: str) -> Density:
    """The density of an argument."""
    found = getattr(given, "distribution", given)  # of a fit
    if all(callable(getattr(found, name, None)) for name in FUNCTIONS):
        _check_no_width(width, argument)
        return ScipyDensity(found)
    if callable(getattr(found, "pmf", None)):
        raise InputError(
            f"`{argument}` must be a continuous distribution; got the discrete "
            f"{getattr(found.dist, 'name', 'one')}."
        )
    if isinstance(given, tuple) and len(given) == 2:
        _check_no_width(width, argument)
        return gaussian(*given, argument)
    values = checked_sample(given, argument)
    if width is None:
        chosen = silverman(values)
    else:
        chosen = checks.within(checks.positive(width, "bandwidth"), "bandwidth", 1e-300, 1e300)
    name = f"kernel estimate of {len(values):,} values (width {chosen:.3g})"
    return GaussianMixture(np.sort(values), chosen, name)


def _check_no_width(width: Any, argument: str) -> None:
    if width is not None:
        raise InputError(f"`bandwidth` is for samples, but `{argument}` is a distribution.")


def widths_of(bandwidth: Sequence[float | None] | None) -> tuple[Any, Any]:
    """The pair of widths (h_negative, h_positive)."""
    if bandwidth is None:
        return None, None
    ordered = isinstance(bandwidth, Sequence) or getattr(bandwidth, "ndim", 0) == 1
    widths = list(bandwidth) if ordered else []
    if len(widths) != 2:
        raise InputError(
            f"`bandwidth` must be a pair (h_negative, h_positive); got {shown(bandwidth)}."
        )
    return widths[0], widths[1]


class KernelSums:
    """Sums of the normal density and distribution over sorted centers, at any t.

    With z the distance of t from the midpoint of a cell of half a width and u that of a center,
    |u| <= 1/4, the density is phi(z) exp(-u**2 / 2) exp(z u) and the distribution
    Phi(z) - phi(z) sum of u**k He_(k-1)(z) / k! (Hermite polynomials), so 20 sums of powers of u
    represent all centers of a cell, with an error below 1e-18 by Cramer's bound on He.
    """

    def __init__(self, centers: Floats, width: float) -> None:
        self.centers: Floats = centers
        self.width: float = width
        cell = np.floor((centers - centers[0]) / (CELL * width))
        starts = np.flatnonzero(np.append(True, cell[1:] != cell[:-1]))
        self.midpoints: Floats = centers[0] + (cell[starts] + 0.5) * CELL * width
        self.before: Places = np.append(starts, len(centers))

    def _cell_sums(self, weight: Callable[[Floats], Floats]) -> list[Floats]:
        """Sums of weight(u) u**k / k! in each cell, for k from 0 to 20."""
        u = (self.centers - np.repeat(self.midpoints, np.diff(self.before))) / self.width
        power, sums = weight(u), []
        for k in range(TERMS + 1):
            sums.append(np.add.reduceat(power, self.before[:-1]))
            power = power * (u / (k + 1))
        return sums

    @cached_property
    def _of_density(self) -> list[Floats]:
        return self._cell_sums(lambda u: np.exp(-u * u / 2))

    @cached_property
    def _of_cdf(self) -> list[Floats]:
        return self._cell_sums(np.ones_like)

    def density(self, t: Floats) -> Floats:
        """The sum of phi((t - center) / width) over the centers."""

        def cells(z: Floats, cell: Places) -> Floats:
            total = np.zeros_like(z)
            for power in self._of_density[::-1]:  # sums of u**k / k!, so this is exp(z u)
                total = total * z + power[cell]
            return _phi(z) * total

        return self._sum(t, _phi, cells, cumulative=False)

    def below(self, t: Floats) -> Floats:
        """The sum of Phi((t - center) / width) over the centers."""
        from scipy.special import ndtr

        def cells(z: Floats, cell: Places) -> Floats:
            later, latest = np.zeros_like(z), np.zeros_like(z)
            for k in range(TERMS, 0, -1):  # Clenshaw's sum of Hermite polynomials He_(k-1)
                later, latest = self._of_cdf[k][cell] + z * later - k * latest, later
            return np.asarray(ndtr(z) * self._of_cdf[0][cell] - _phi(z) * later)

        return self._sum(t, ndtr, cells, cumulative=True)

    def _sum(
        self,
        t: Floats,
        single: Callable[[Floats], Floats],
        cells: Callable[[Floats, Places], Floats],
        *,
        cumulative: bool,
    ) -> Floats:
        """Sum over all centers: by cells near them, else single; those far left of a sum add 1."""
        ends = BEYOND * self.width
        points = np.clip(np.ravel(t), self.centers[0] - ends, self.centers[-1] + ends)
        right = np.clip(np.searchsorted(self.centers, points), 1, len(self.centers) - 1)
        near = np.minimum(abs(points - self.centers[right - 1]), abs(points - self.centers[right]))
        reach = np.sqrt((near / self.width) ** 2 + REACH) * self.width
        first, last = (np.searchsorted(self.midpoints, points + side * reach) for side in (-1, 1))
        total = self.before[first] * float(cumulative)
        far = near > FAR * self.width
        last[far] = first[far]
        for step in range(int(np.max(last - first, initial=0))):
            cell = np.minimum(first + step, len(self.midpoints) - 1)
            z = (points - self.midpoints[cell]) / self.width
            total += np.where(first + step < last, cells(z, cell), 0.0)
        for k in np.flatnonzero(far):
            low, high = np.searchsorted(self.centers, (points[k] - reach[k], points[k] + reach[k]))
            z = (points[k] - self.centers[low:high]) / self.width
            total[k] = low * float(cumulative) + single(z).sum()
        return np.reshape(total, np.shape(t))


def _phi(z: Floats) -> Floats:
    return np.asarray(np.exp(-z * z / 2) / math.sqrt(2 * math.pi))
