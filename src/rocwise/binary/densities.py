"""What a class is assumed to look like: a Gaussian, a kernel estimate, a scipy distribution."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks, kernels
from rocwise.arrays import Floats, Places
from rocwise.errors import InputError, shown
from rocwise.kernels.row_formulas import STEP, row_by_row
from rocwise.kernels.threads import run_parts

CELL = 0.5  # width of a cell of centres, in widths of the kernel
TERMS = 20
NODES = 14
FAR = 6.0  # from the nearest centre on, single centres are summed: there are few in reach
REACH = (
    90.0  # a centre farther than sqrt(nearest**2 + REACH) adds less than exp(-45) of the nearest
)
BEYOND = 40.0  # the kernel and its tail are 0 in double precision
PAIRS_AT_ONCE = 1_000_000


class KernelSums:
    """Sums of the normal density and distribution over sorted centres, at any places.

    Centres are gathered in cells of half a width. With z the distance of a place from the midpoint
    of a cell and u that of a centre, both in widths, |u| <= 1/4, the density is
    phi(z) exp(-u**2 / 2) exp(z u) and the distribution Phi(z) - phi(z) sum of u**k He_(k-1)(z) / k!
    (Hermite polynomials), so 20 sums of powers of u stand for all centres of a cell. By Cramer's
    bound on He the rest of the second series is below sqrt(19!) / 20! / 4**20 < 1e-21, that of the
    first below phi(z) |z / 4|**20 / 20! < 1e-18: rounding is all that remains.

    Examples
    --------
    >>> sums = KernelSums(np.array([0.0, 1.0]), 1.0)
    >>> round(float(sums.below(np.array([0.5]))[0]), 12)
    1.0
    """

    centres: Floats
    width: float

    def __init__(self, centres: Floats, width: float) -> None:
        self.centres, self.width = centres, width
        cell = np.floor((centres - centres[0]) / (CELL * width))
        starts = np.flatnonzero(np.concatenate([[True], cell[1:] != cell[:-1]]))
        counts = np.diff(np.append(starts, len(centres)))
        self.midpoints: Floats = centres[0] + (cell[starts] + 0.5) * CELL * width
        self.before: Places = np.concatenate([[0], np.cumsum(counts)])

    @cached_property
    def of_density(self) -> Floats:
        """Sums of exp(-u**2 / 2) u**k / k! in each cell, for k from 0 to 19."""

        def columns(u: Floats) -> Iterator[Floats]:
            bell = np.exp(-u * u / 2)
            return (power * bell for power in _powers(u, TERMS))

        return self._cell_sums(TERMS, columns)

    @cached_property
    def of_share(self) -> Floats:
        """Sums of u**k / k! in each cell, for k from 0 to 20."""
        return self._cell_sums(TERMS + 1, lambda u: _powers(u, TERMS + 1))

    def _cell_sums(self, terms: int, columns: Callable[[Floats], Iterator[Floats]]) -> Floats:
        """Sums over the centres of each cell of what the columns make of u."""
        sums = np.empty((terms, len(self.midpoints)))

        def fill(first: int, last: int) -> None:
            rows = slice(self.before[first], self.before[last])
            starts = self.before[first:last] - self.before[first]
            counts = np.diff(self.before[first : last + 1])
            u = (self.centres[rows] - np.repeat(self.midpoints[first:last], counts)) / self.width
            for k, column in enumerate(columns(u)):
                sums[k, first:last] = np.add.reduceat(column, starts)

        run_parts(fill, self._parts())
        return sums

    def _parts(self) -> list[tuple[int, int]]:
        """Cells that together hold some thousand centres, or one that holds more."""
        ends = np.arange(STEP, len(self.centres), STEP)
        cuts = np.unique([0, *np.searchsorted(self.before, ends), len(self.midpoints)])
        return list(pairwise(cuts.tolist()))

    def density(self, t: Floats) -> Floats:
        """The sum of phi((t - centre) / width) over the centres."""
        scale = 1 / math.sqrt(2 * math.pi)

        def single(z: Floats) -> Floats:
            return np.asarray(scale * np.exp(-z * z / 2))

        def cells(z: Floats, cell: Places) -> Floats:
            total = np.zeros_like(z)
            for power in self.of_density[::-1]:  # sums of u**k / k!, so this is exp(z u)
                total = total * z + power[cell]
            return np.asarray(single(z) * total)

        return self._sum(t, single, cells, whole=False)

    def below(self, t: Floats) -> Floats:
        """The sum of Phi((t - centre) / width) over the centres."""
        from scipy.special import ndtr

        scale = 1 / math.sqrt(2 * math.pi)

        def cells(z: Floats, cell: Places) -> Floats:
            later, latest = np.zeros_like(z), np.zeros_like(z)
            for k in range(TERMS, 0, -1):  # Clenshaw's sum of Hermite polynomials He_(k-1)
                later, latest = self.of_share[k][cell] + z * later - k * latest, later
            return np.asarray(ndtr(z) * self.of_share[0][cell] - scale * np.exp(-z * z / 2) * later)

        return self._sum(t, ndtr, cells, whole=True)

    def total_below(self, places: Floats) -> float:
        """The sum of `below` over many sorted places, which are gathered in cells too.

        Within half a width `below` is a polynomial of degree 13 but for less than 1e-19 of a
        centre: its values at 14 places give its Chebyshev series, and sums of Chebyshev's
        polynomials over the places of the cell stand for them.
        """
        start = self.centres[len(self.centres) // 2]  # far from 0 nodes would be rounded
        near, cells = (KernelSums(row - start, self.width) for row in (self.centres, places))
        if 2 * NODES * len(cells.midpoints) > len(places):
            return float(self.below(places).sum())
        angles = np.pi * (np.arange(NODES) + 0.5) / NODES
        offsets = CELL / 2 * self.width * np.cos(angles)
        heights = near.below(np.add.outer(cells.midpoints, offsets))
        orders = np.arange(NODES)
        waves = np.cos(np.outer(orders, angles)) * np.where(orders == 0, 1, 2)[:, None] / NODES
        series = np.einsum("ij,kj->ki", heights, waves)
        return math.fsum((series * cells._chebyshev_sums()).ravel())

    def _chebyshev_sums(self) -> Floats:
        """Sums of Chebyshev's polynomials of 4 u in each cell, for degrees from 0 to 13."""

        def columns(u: Floats) -> Iterator[Floats]:
            lower, upper = np.ones_like(u), 4 * u
            for _ in range(NODES):
                yield lower
                lower, upper = upper, 8 * u * upper - lower

        return self._cell_sums(NODES, columns)

    def _sum(
        self,
        t: Floats,
        single: Callable[[Floats], Floats],
        cells: Callable[[Floats, Places], Floats],
        *,
        whole: bool,
    ) -> Floats:
        """What all centres add at each place; `whole`: those far left count 1."""
        flat = np.ravel(t)
        found = row_by_row(lambda some: self._sum_of_some(some, single, cells, whole), flat)
        return found.reshape(np.shape(t))

    def _sum_of_some(
        self,
        t: Floats,
        single: Callable[[Floats], Floats],
        cells: Callable[[Floats, Places], Floats],
        whole: bool,
    ) -> Floats:
        """Cells where centres are near, else single centres."""
        ends = BEYOND * self.width
        places = np.clip(t, self.centres[0] - ends, self.centres[-1] + ends)
        right = np.clip(np.searchsorted(self.centres, places), 1, len(self.centres) - 1)
        gaps = np.minimum(abs(places - self.centres[right - 1]), abs(places - self.centres[right]))
        reach = np.sqrt((gaps / self.width) ** 2 + REACH) * self.width
        far = gaps > FAR * self.width
        total = np.empty_like(places)
        total[~far] = self._by_cells(places[~far], reach[~far], cells, whole)
        total[far] = self._by_centres(places[far], reach[far], single, whole)
        return total

    def _by_cells(
        self,
        t: Floats,
        reach: Floats,
        cells: Callable[[Floats, Places], Floats],
        whole: bool,
    ) -> Floats:
        first = np.searchsorted(self.midpoints, t - reach)
        last = np.searchsorted(self.midpoints, t + reach)
        total = np.where(whole, self.before[first], 0).astype(np.float64)
        for step in range(int(np.max(last - first, initial=0))):
            cell = np.minimum(first + step, len(self.midpoints) - 1)
            z = (t - self.midpoints[cell]) / self.width
            total += np.where(first + step < last, cells(z, cell), 0.0)
        return total

    def _by_centres(
        self, t: Floats, reach: Floats, single: Callable[[Floats], Floats], whole: bool
    ) -> Floats:
        first = np.searchsorted(self.centres, t - reach)
        last = np.searchsorted(self.centres, t + reach)
        total = np.where(whole, first, 0).astype(np.float64)
        begun = np.concatenate([[0], np.cumsum(last - first)])
        start = 0
        while start < len(t):
            full = np.searchsorted(begun, begun[start] + PAIRS_AT_ONCE, side="right") - 1
            end = max(start + 1, int(full))
            sizes = np.diff(begun[start : end + 1])
            row = np.repeat(np.arange(start, end), sizes)
            centre = first[row] + np.arange(len(row)) - (begun[row] - begun[start])
            values = single((t[row] - self.centres[centre]) / self.width)
            total[start:end] += np.bincount(row - start, values, minlength=end - start)
            start = end
        return total


def _powers(u: Floats, terms: int) -> Iterator[Floats]:
    """Powers u**k / k!."""
    power = np.ones_like(u)
    for k in range(1, terms + 1):
        yield power
        power = power * (u / k)


SMALLEST_SPREAD = 1e-305  # below it widths of kernels have no reciprocal

TAIL = 1e-9
SHARES = np.concatenate(
    [
        [TAIL, 1e-7, 1e-5, 1e-4],
        np.linspace(0.001, 0.999, 999),
        1 - np.array([1e-4, 1e-5, 1e-7, TAIL]),
    ]
)
CELLS_AT_ONCE = 2_000_000
FEW_CENTRES, FEW_PAIRS = 200, 400_000
MOST_CELLS = 20_000
LARGEST = 1e150


class Density(Protocol):
    """A continuous distribution of the scores of one class."""

    def pdf(self, t: Floats) -> Floats:
        """Density."""
        ...

    def cdf(self, t: Floats) -> Floats:
        """Share at or below t."""
        ...

    def sf(self, t: Floats) -> Floats:
        """Share above t."""
        ...

    def places(self) -> Floats:
        """Rising values that cover all but the outermost tails, close where the mass is."""
        ...

    def description(self) -> str:
        """What it is, for a sentence."""
        ...


@dataclass(frozen=True, eq=False)
class GaussianMixture:
    """Gaussians of one width at sorted centres: a kernel estimate, or with one centre a normal.

    Few centres are visited one by one; many are summed by cells (`KernelSums`).
    """

    centres: Floats
    width: float
    name: str

    def pdf(self, t: Floats) -> Floats:
        """Density."""
        scale = self.width * np.sqrt(2 * np.pi)
        if self._few_pairs(t):
            return self._mean(t, lambda z: np.exp(-z * z / 2) / scale)
        return self._sums.density(t) / (len(self.centres) * self.width)

    def cdf(self, t: Floats) -> Floats:
        """Share at or below t."""
        from scipy.special import ndtr

        if self._few_pairs(t):
            return self._mean(t, ndtr)
        return np.minimum(self._sums.below(t) / len(self.centres), 1.0)

    def mean_cdf(self, t: Floats) -> float:
        """The mean of the share at or below t, over sorted places t."""
        if self._few_pairs(t):
            return float(self.cdf(t).mean())
        return min(self._sums.total_below(t) / len(self.centres) / len(t), 1.0)

    def sf(self, t: Floats) -> Floats:
        """Share above t."""
        from scipy.special import ndtr

        if self._few_pairs(t):
            return self._mean(t, lambda z: ndtr(-z))
        return np.minimum(self._mirrored.below(-np.asarray(t)) / len(self.centres), 1.0)

    @cached_property
    def _sums(self) -> KernelSums:
        return KernelSums(self.centres, self.width)

    @cached_property
    def _mirrored(self) -> KernelSums:
        return KernelSums(-self.centres[::-1], self.width)

    def _few_pairs(self, t: Floats) -> bool:
        return len(self.centres) <= FEW_CENTRES or len(self.centres) * np.size(t) <= FEW_PAIRS

    def _mean(self, t: Floats, function: Any) -> Floats:
        flat = np.atleast_1d(np.asarray(t, dtype=np.float64)).ravel()
        rows = max(1, CELLS_AT_ONCE // len(self.centres))
        with np.errstate(over="ignore", under="ignore"):
            parts = [
                function((flat[k : k + rows, None] - self.centres) / self.width).mean(axis=1)
                for k in range(0, len(flat), rows)
            ]
        return np.concatenate(parts).reshape(np.shape(t))

    def places(self) -> Floats:
        """From 8 widths below the lowest centre to 8 above the highest."""
        return self._places

    @cached_property
    def _places(self) -> Floats:
        ends = self.centres.min() - 8 * self.width, self.centres.max() + 8 * self.width
        offsets = self.width * np.linspace(-3, 3, 13)
        many = len(self.centres) > 500
        near = np.quantile(self.centres, np.linspace(0, 1, 500)) if many else self.centres
        parts = [np.linspace(*ends, 2001), np.add.outer(near, offsets).ravel()]
        return np.unique(np.concatenate([*parts, self._around_cells()] if many else parts))

    def _around_cells(self) -> Floats:
        """Steps of a quarter width around the centres, so that lonely ones are not overlooked."""
        step = self.width / 4
        cells = row_by_row(lambda some: np.floor((some - self.centres[0]) / step), self.centres)
        cells = cells[np.append(True, cells[1:] != cells[:-1])]  # they never fall
        if len(cells) > MOST_CELLS:
            cells = cells[:: -(-len(cells) // MOST_CELLS)]
        return np.asarray(
            self.centres[0] + step * np.unique(np.add.outer(cells, np.arange(-12.0, 13.0)))
        )

    def description(self) -> str:
        """What it is, for a sentence."""
        return self.name


@dataclass(frozen=True, eq=False)
class ScipyDensity:
    """A frozen continuous distribution of scipy, or any object with pdf, cdf, sf and ppf."""

    frozen: Any

    def pdf(self, t: Floats) -> Floats:
        """Density."""
        return np.asarray(self.frozen.pdf(t), dtype=np.float64)

    def cdf(self, t: Floats) -> Floats:
        """Share at or below t."""
        return np.asarray(self.frozen.cdf(t), dtype=np.float64)

    def sf(self, t: Floats) -> Floats:
        """Share above t."""
        return np.asarray(self.frozen.sf(t), dtype=np.float64)

    def ppf(self, share: Floats) -> Floats:
        """The value below which a share lies."""
        return np.asarray(self.frozen.ppf(share), dtype=np.float64)

    def places(self) -> Floats:
        """Quantiles, and equal steps between the outermost."""
        quantiles = self.ppf(SHARES)
        return np.unique(
            np.concatenate([quantiles, np.linspace(quantiles[0], quantiles[-1], 2001)])
        )

    def description(self) -> str:
        """What it is, for a sentence."""
        family = getattr(getattr(self.frozen, "dist", None), "name", type(self.frozen).__name__)
        given = [*getattr(self.frozen, "args", ()), *getattr(self.frozen, "kwds", {}).values()]
        if not given or not all(np.ndim(value) == 0 for value in given):
            return f"{family} distribution"
        places = [f"{value:.4g}" for value in getattr(self.frozen, "args", ())]
        names = [f"{key}={value:.4g}" for key, value in getattr(self.frozen, "kwds", {}).items()]
        return f"{family}({', '.join(places + names)})"


def gaussian(mean: Any, sd: Any, argument: str) -> GaussianMixture:
    """A normal distribution."""
    centre, width = checks.real(mean, argument), checks.real(sd, argument)
    if width <= 0:
        raise InputError(
            f"`{argument}` is the pair (mean, sd), whose sd must be above 0; got {shown(sd)}."
        )
    if abs(centre) > LARGEST or not 1 / LARGEST <= width <= LARGEST:
        raise InputError(
            f"`{argument}` is the pair (mean, sd), of numbers whose squares a float can hold; "
            f"got ({centre:g}, {width:g}). Use another unit."
        )
    return GaussianMixture(np.array([centre]), width, f"normal({centre:.4g}, {width:.4g})")


def kernel_estimate(sample: ArrayLike, width: Any, argument: str) -> GaussianMixture:
    """The Gaussian kernel density estimate of a sample."""
    values = checked_sample(sample, argument)
    if width is None:
        chosen = silverman(values)
    else:
        chosen = checks.within(checks.positive(width, "bandwidth"), "bandwidth", 1e-300, 1e300)
    name = f"kernel estimate of {len(values):,} values (width {chosen:.3g})"
    return GaussianMixture(np.asarray(kernels.ascending(values), np.float64), chosen, name)


def silverman(values: Floats) -> float:
    """Silverman's width: 0.9 min(sd, IQR/1.34) n^(-1/5); the sd alone when the IQR is 0."""
    spread = float(values.std(ddof=1))
    low, high = np.quantile(values, [0.25, 0.75])
    quartiles = float(high - low) / 1.34
    narrower = min(spread, quartiles) if quartiles > 0 else spread
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
            f"`{argument}` must hold finite numbers; got {values[bad[0]]} at row {bad[0]}."
        )
    if 0 < values.max() - values.min() < SMALLEST_SPREAD:
        raise InputError(
            f"`{argument}` must spread over more than {SMALLEST_SPREAD:g}; multiply it by a number."
        )
    if values.min() == values.max():
        raise InputError(
            f"`{argument}` is constant ({values[0]:g}), so its spread cannot be estimated; "
            "pass a pair (mean, sd)."
        )
    return values


def density_of(given: Any, width: Any, argument: str) -> Density:
    """The density that an argument stands for."""
    found = getattr(given, "distribution", given)  # of a fit
    if all(callable(getattr(found, name, None)) for name in ("pdf", "cdf", "sf", "ppf")):
        _refuse_width(width, argument)
        return ScipyDensity(found)
    if callable(getattr(found, "pmf", None)):
        raise InputError(
            f"`{argument}` must be a continuous distribution; got the discrete "
            f"{getattr(found.dist, 'name', 'one')}."
        )
    if isinstance(given, tuple) and len(given) == 2:
        _refuse_width(width, argument)
        return gaussian(*given, argument)
    return kernel_estimate(given, width, argument)


def _refuse_width(width: Any, argument: str) -> None:
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
