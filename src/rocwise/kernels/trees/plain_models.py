"""Linear models of many nodes at once, which lose columns while their estimated error falls.

Nodes of about the same size are laid side by side, and lose a column each in every pass. One
triangle for each node is enough: what the other slopes become without a column follows from the
inverse of the normal equations, what the rows become from their weights in the slopes, and both
lose a product with each column. Nodes with columns that nearly
depend on each other, where this would magnify rounding, are not solved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Array, Flags, Floats, Integers, Places
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.trees.batches import batches, padded

ROUNDING = 1e-12  # errors below this share of the target's size are none
APART = 1e-7  # of a triangle's largest entry on the diagonal: below, columns depend on each other
MOST_GROWTH = 1e7  # of a variance: a column is at least 1 / 3,000 of its length from all others


class NodeModels(NamedTuple):
    """A line for each node: what it predicts, the error that it expects, and if it was solved."""

    intercepts: Floats
    coefficients: Floats
    errors: Floats
    solved: Flags

    @classmethod
    def empty(cls, nodes: int, p: int) -> NodeModels:
        """Room for the models of so many nodes, of p columns."""
        return cls(
            np.zeros(nodes), np.zeros((nodes, p)), np.zeros(nodes), np.zeros(nodes, np.bool_)
        )


@dataclass(eq=False)
class Fits:
    """Models on their way: columns left, their slopes, what they leave over, and how wrong."""

    nodes: Places  # of the batch
    columns: Places
    slopes: Floats
    inverse: Floats  # of the normal equations
    weights: Floats  # of the rows in the slopes
    left_over: Floats
    errors: Floats

    def only(self, kept: Flags) -> Fits:
        """Some of the nodes."""
        return Fits(*(value[kept] for value in vars(self).values()))


class Batch:
    """Nodes of about the same size, their columns centred and of length 1."""

    def __init__(self, cells: Floats, targets: Floats, real: Flags) -> None:
        self.n: Array = real.sum(axis=1)
        targets = np.where(real, targets, 0.0)
        self.noise: Floats = ROUNDING * np.abs(targets).max(axis=1)
        self.mean: Floats = targets.sum(axis=1) / self.n
        self.target: Floats = np.where(real, targets - self.mean[:, None], 0.0)
        cells = np.where(real[:, :, None], cells, 0.0)
        self.centre: Floats = cells.sum(axis=1) / self.n[:, None]
        cells = np.where(real[:, :, None], cells - self.centre[:, None, :], 0.0)
        lengths = np.sqrt(np.einsum("bnp,bnp->bp", cells, cells))
        self.empty: Flags = lengths == 0
        self.units: Floats = np.where(self.empty, 1.0, lengths)
        self.scaled: Floats = cells / self.units[:, None, :]
        self.solved: Flags = np.ones(len(self.n), dtype=bool)
        self.slopes: Floats = np.zeros_like(self.units)
        self.errors: Floats = np.zeros(len(self.n))

    def expected(self, nodes: Places, residuals: Floats, v: int) -> Floats:
        """MAE (n + v) / (n - v) of models with v coefficients, the intercept counted."""
        n = self.n[nodes][:, None]
        size = np.abs(residuals).sum(axis=1) / n
        size = np.where(size <= self.noise[nodes][:, None], 0.0, size)
        return np.asarray(np.where(n > v, size * (n + v) / np.maximum(n - v, 1), np.inf))

    def keep(self, fits: Fits) -> None:
        """These are final."""
        nodes = fits.nodes[:, None]
        self.slopes[nodes, fits.columns] = fits.slopes / self.units[nodes, fits.columns]
        self.errors[fits.nodes] = fits.errors


def eliminated(
    X: Floats, y: Floats, rows: Integers, bounds: Integers, nodes: Integers, columns: Integers
) -> NodeModels:
    """The models of some nodes, which begin with the given columns, fewer than rows, of each.

    The rows of all nodes follow each other in `rows`, with their `bounds`.

    Examples
    --------
    >>> X, rows = np.array([[0.0], [1.0], [2.0], [4.0]]), np.arange(4)
    >>> one = np.zeros((1, 1), np.int64)
    >>> found = eliminated(X, 1 + 2 * X[:, 0], rows, np.array([0, 4]), one[0], one)
    >>> found.intercepts.round(9).tolist(), found.coefficients.round(9).tolist()
    ([1.0], [[2.0]])
    """
    refuse_nan(X, y, what="the columns or the target")
    found = NodeModels.empty(len(nodes), X.shape[1])
    sizes = bounds[nodes + 1] - bounds[nodes]
    for some in batches(sizes, columns.shape[1]):
        places, real = padded(bounds, nodes[some])
        cases, kept = rows[places], columns[some]
        batch = Batch(X[cases[:, :, None], kept[:, None, :]], y[cases], real)
        _eliminate(batch)
        found.intercepts[some] = batch.mean - np.einsum("bk,bk->b", batch.centre, batch.slopes)
        found.coefficients[some[:, None], kept] = batch.slopes
        found.errors[some], found.solved[some] = batch.errors, batch.solved
    return found


def _eliminate(batch: Batch) -> None:
    """Drop a column of every node while that lowers its error."""
    fits = _first_fits(batch)
    while len(fits.nodes) and (k := fits.columns.shape[1]):
        steps = fits.slopes / np.einsum("bkk->bk", fits.inverse)
        residuals = fits.left_over[:, :, None] + fits.weights * steps[:, None, :]
        errors = batch.expected(fits.nodes, residuals, k)
        dropped = errors.argmin(axis=1)
        node = np.arange(len(dropped))
        least = errors[node, dropped]
        better = least <= fits.errors
        batch.keep(fits.only(~better))
        fits.left_over, fits.errors = residuals[node, :, dropped], least
        step = steps[node, dropped][:, None]
        fits.slopes = fits.slopes - fits.inverse[node, :, dropped] * step
        fits = _without(fits.only(better), dropped[better])
    batch.keep(fits)


def _without(fits: Fits, dropped: Places) -> Fits:
    """Take a column from each; the inverse and the weights lose what went through it."""
    node = np.arange(len(dropped))
    through = fits.inverse[node, :, dropped]
    pivot = through[node, dropped][:, None, None]
    gone = fits.weights[node, :, dropped][:, :, None]
    fits.weights = fits.weights - gone * (through[:, None, :] / pivot)
    fits.inverse = fits.inverse - through[:, :, None] * through[:, None, :] / pivot
    kept = all_but(dropped, fits.columns.shape[1])
    fits.columns = np.take_along_axis(fits.columns, kept, axis=1)
    fits.slopes = np.take_along_axis(fits.slopes, kept, axis=1)
    fits.weights = np.take_along_axis(fits.weights, kept[:, None, :], axis=2)
    fits.inverse = fits.inverse[node[:, None, None], kept[:, :, None], kept[:, None, :]]
    return fits


def all_but(dropped: Places, k: int) -> Places:
    """Numbers 0 to k - 1 without one of them, for each node.

    >>> all_but(np.array([1, 2]), 3).tolist()
    [[0, 2], [0, 1]]
    """
    others = np.arange(k - 1)
    return np.asarray(others + (others >= dropped[:, None]))


def _first_fits(batch: Batch) -> Fits:
    """Least squares by a triangle each; nodes that it does not suit are marked as not solved."""
    b, _, k = batch.scaled.shape
    both = np.concatenate([batch.scaled, batch.target[:, :, None]], axis=2)
    if batch.empty.any():  # a column of zeros gets a row of its own, where it is alone
        own = np.concatenate([batch.empty[:, :, None] * np.eye(k), np.zeros((b, k, 1))], axis=2)
        both = np.concatenate([both, own], axis=1)
    upper = np.linalg.qr(both, mode="r")
    inverse, batch.solved = inverted(upper[:, :k, :k])  # type: ignore[call-overload]
    slopes = (inverse @ upper[:, :k, k:])[:, :, 0]  # type: ignore[call-overload]
    inverse = inverse @ inverse.swapaxes(1, 2)
    if k:
        batch.solved &= np.einsum("bkk->bk", inverse).max(axis=1) < MOST_GROWTH
    left_over = batch.target - (batch.scaled @ slopes[:, :, None])[:, :, 0]
    nodes, columns = np.arange(b), np.broadcast_to(np.arange(k), (b, k))
    errors = batch.expected(nodes, left_over[:, :, None], k + 1)[:, 0]
    weights = batch.scaled @ inverse
    fits = Fits(nodes, columns, slopes, inverse, weights, left_over, errors)
    return fits.only(batch.solved)


def inverted(triangles: Floats) -> tuple[Floats, Flags]:
    """Inverses of triangles, and which of them are safe: the others are replaced.

    >>> inverses, safe = inverted(np.array([[[2.0]], [[0.0]]]))
    >>> inverses.ravel().tolist(), safe.tolist()
    ([0.5, 1.0], [True, False])
    """
    size = triangles.shape[1]
    if not size:
        return triangles, np.ones(len(triangles), np.bool_)
    diagonal = np.abs(np.einsum("bkk->bk", triangles))
    safe = diagonal.min(axis=1) > APART * diagonal.max(axis=1)
    return np.linalg.inv(np.where(safe[:, None, None], triangles, np.eye(size))), safe
