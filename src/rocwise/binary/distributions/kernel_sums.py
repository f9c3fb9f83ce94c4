"""Sums of a Gaussian kernel over many centres, without visiting every pair of place and centre."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np

from rocwise.arrays import Floats, Places
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
