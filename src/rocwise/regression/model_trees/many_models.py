"""The linear models of many nodes at once, the same as `node_models` finds one by one.

Nodes of about the same size are laid side by side, and lose a column each in every pass. One
triangle for each node is enough: what the other columns become without a column follows from the
inverse of the normal equations, and so does that inverse itself. Nodes with columns that nearly
depend on each other, where this would magnify rounding, are left to `node_models`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwise.arrays import Array, Flags, Floats, Places
from rocwise.regression.model_trees.batches import batches, padded
from rocwise.regression.model_trees.node_models import ROUNDING, SAME_FIT, LinearModel, fitted

APART = 1e-7  # of a triangle's largest entry on the diagonal: below, columns depend on each other
MOST_GROWTH = 1e7  # of a variance: a column is at least 1 / 3,000 of its length from all others
SAME_INVERSE = 1e-7


@dataclass(eq=False)
class Fits:
    """Models on their way: columns left, their slopes, what they leave over, and how wrong."""

    nodes: Places  # of the batch
    columns: Places
    scaled: Floats
    slopes: Floats
    inverse: Floats  # of the normal equations
    left_over: Floats
    errors: Floats

    def only(self, kept: Flags) -> Fits:
        """Some of the nodes."""
        return Fits(*(value[kept] for value in vars(self).values()))


class Batch:
    """Nodes of about the same size, their columns centred and of length 1."""

    def __init__(self, X: Floats, y: Floats, members: list[Places]) -> None:
        rows, real = padded(members)
        self.n: Array = real.sum(axis=1)
        targets = np.where(real, y[rows], 0.0)
        self.noise: Floats = ROUNDING * np.abs(targets).max(axis=1)
        self.mean: Floats = targets.sum(axis=1) / self.n
        self.target: Floats = np.where(real, targets - self.mean[:, None], 0.0)
        cells = np.where(real[:, :, None], X[rows], 0.0)
        self.centre: Floats = cells.sum(axis=1) / self.n[:, None]
        cells = np.where(real[:, :, None], cells - self.centre[:, None, :], 0.0)
        lengths = np.sqrt(np.einsum("bnp,bnp->bp", cells, cells))
        self.empty: Flags = lengths == 0
        self.units: Floats = np.where(self.empty, 1.0, lengths)
        self.scaled: Floats = cells / self.units[:, None, :]
        self.solved: Flags = np.ones(len(self.n), dtype=bool)
        self.coefficients: Floats = np.zeros_like(self.units)
        self.errors: Floats = np.empty(len(self.n))

    def expected(self, nodes: Places, residuals: Floats, v: int) -> Floats:
        """MAE (n + v) / (n - v) of models with v coefficients, the intercept counted."""
        n = self.n[nodes][:, None]
        size = np.abs(residuals).sum(axis=1) / n
        size = np.where(size <= self.noise[nodes][:, None], 0.0, size)
        return np.asarray(np.where(n > v, size * (n + v) / np.maximum(n - v, 1), np.inf))

    def keep(self, fits: Fits) -> None:
        """These are final."""
        nodes = fits.nodes[:, None]
        self.coefficients[nodes, fits.columns] = fits.slopes / self.units[nodes, fits.columns]
        self.errors[fits.nodes] = fits.errors


def fitted_models(X: Floats, y: Floats, members: list[Places]) -> list[LinearModel]:
    """The model of each node, given its rows."""
    found: list[LinearModel | None] = [None] * len(members)
    for chosen in batches(np.array([len(rows) for rows in members]), X.shape[1]):
        batch = Batch(X, y, [members[k] for k in chosen])
        _eliminate(batch)
        intercepts = batch.mean - np.einsum("bp,bp->b", batch.centre, batch.coefficients)
        for place, k in enumerate(chosen):
            if batch.solved[place]:
                model = batch.coefficients[place].copy()
                found[k] = LinearModel(float(intercepts[place]), model, float(batch.errors[place]))
            else:
                found[k] = fitted(X[members[k]], y[members[k]])
    return [model for model in found if model is not None]


def _eliminate(batch: Batch) -> None:
    """Drop a column of every node while that lowers its error."""
    fits = _first_fits(batch, _few_enough(batch))
    while len(fits.nodes) and (k := fits.columns.shape[1]):
        pivots = np.einsum("bkk->bk", fits.inverse)
        changes = fits.inverse * (fits.slopes / pivots)[:, None, :]
        residuals = fits.left_over[:, :, None] + fits.scaled @ changes
        errors = batch.expected(fits.nodes, residuals, k)
        dropped = errors.argmin(axis=1)
        node = np.arange(len(dropped))
        least = errors[node, dropped]
        better = least <= fits.errors
        batch.keep(fits.only(~better))
        fits.left_over, fits.errors = residuals[node, :, dropped], least
        fits.slopes = fits.slopes - changes[node, :, dropped]
        fits = _without(fits.only(better), dropped[better])
    batch.keep(fits)


def _without(fits: Fits, dropped: Places) -> Fits:
    """Take a column from each; the inverse loses what went through it."""
    node, k = np.arange(len(dropped)), fits.columns.shape[1]
    through = fits.inverse[node, :, dropped]
    pivot = through[node, dropped][:, None, None]
    fits.inverse = fits.inverse - through[:, :, None] * through[:, None, :] / pivot
    kept = _all_but(dropped, k)
    fits.columns = np.take_along_axis(fits.columns, kept, axis=1)
    fits.slopes = np.take_along_axis(fits.slopes, kept, axis=1)
    fits.scaled = np.take_along_axis(fits.scaled, kept[:, None, :], axis=2)
    fits.inverse = fits.inverse[node[:, None, None], kept[:, :, None], kept[:, None, :]]
    return fits


def _all_but(dropped: Places, k: int) -> Places:
    """Numbers 0 to k - 1 without one of them, for each node."""
    others = np.arange(k - 1)
    return np.asarray(others + (others >= dropped[:, None]))


def _first_fits(batch: Batch, columns: Places) -> Fits:
    """Least squares by a triangle each; nodes that it does not suit are marked as not solved."""
    k = columns.shape[1]
    scaled = np.take_along_axis(batch.scaled, columns[:, None, :], axis=2)
    both = np.concatenate([scaled, batch.target[:, :, None]], axis=2)
    empty = np.take_along_axis(batch.empty, columns, axis=1)
    if empty.any():  # a column of zeros gets a row of its own, where it is alone
        own = np.concatenate([empty[:, :, None] * np.eye(k), np.zeros((len(both), k, 1))], axis=2)
        both = np.concatenate([both, own], axis=1)
    upper = _triangles(both)
    triangle, right = upper[:, :k, :k], upper[:, :k, k]
    inverse = _inverse(batch, triangle)
    slopes = (inverse @ right[:, :, None])[:, :, 0]
    inverse = inverse @ inverse.swapaxes(1, 2)
    if k:
        batch.solved &= np.einsum("bkk->bk", inverse).max(axis=1) < MOST_GROWTH
    left_over = batch.target - (scaled @ slopes[:, :, None])[:, :, 0]
    nodes = np.arange(len(columns))
    errors = batch.expected(nodes, left_over[:, :, None], k + 1)[:, 0]
    return Fits(nodes, columns, scaled, slopes, inverse, left_over, errors).only(batch.solved)


def _triangles(matrices: Floats) -> Floats:
    """R of Q R, for matrices (batch, m, n)."""
    return np.linalg.qr(matrices, mode="r")  # type: ignore[return-value]


def _inverse(batch: Batch, triangles: Floats) -> Floats:
    """Inverses of triangles; those that nearly have none are marked and replaced."""
    size = triangles.shape[1]
    if not size:
        return triangles
    diagonal = np.abs(np.einsum("bkk->bk", triangles))
    batch.solved &= diagonal.min(axis=1) > APART * diagonal.max(axis=1)
    safe = np.where(batch.solved[:, None, None], triangles, np.eye(size))
    return np.asarray(np.linalg.inv(safe))


def _few_enough(batch: Batch) -> Places:
    """All columns; where there are too few cases, without those that change the fit least.

    All nodes have the same number of cases then, n. In n - 1 coordinates that centred columns
    have, B, the fit of least length is B' M d with M the inverse of B B'; each column that goes
    changes M by one product.
    """
    nodes, n, p = len(batch.n), int(batch.n[0]), batch.scaled.shape[2]
    columns = np.broadcast_to(np.arange(p), (nodes, p))
    if n > p:
        return columns
    if n == 1:
        return columns[:, :0]
    turned = _contrasts(n) @ batch.scaled
    target = (batch.target @ _contrasts(n).T)[:, :, None]
    half = _inverse(batch, _triangles(turned.swapaxes(1, 2)))
    M = half @ half.swapaxes(1, 2)
    close = SAME_FIT * np.abs(batch.target).max(axis=1, keepdims=True)
    node = np.arange(nodes)
    for k in range(p, n - 1, -1):
        size = np.abs((turned.swapaxes(1, 2) @ (M @ target))[:, :, 0])
        dropped = (size <= size.min(axis=1, keepdims=True) + close).argmax(axis=1)
        gone = turned[node, :, dropped][:, :, None]
        through = M @ gone
        room = 1 - gone.swapaxes(1, 2) @ through
        batch.solved &= room[:, 0, 0] > 0
        M = M + through @ through.swapaxes(1, 2) / np.where(room > 0, room, 1.0)
        kept = _all_but(dropped, k)
        turned = np.take_along_axis(turned, kept[:, None, :], axis=2)
        columns = np.take_along_axis(columns, kept, axis=1)
    rest = turned @ turned.swapaxes(1, 2) @ M - np.eye(n - 1)
    batch.solved &= np.abs(rest).max(axis=(1, 2)) < SAME_INVERSE
    return columns


def _contrasts(n: int) -> Floats:
    """Orthogonal rows of length 1 that are orthogonal to 1 (Helmert's)."""
    rows = np.tril(np.ones((n - 1, n)))
    places = np.arange(1, n)
    rows[places - 1, places] = -places
    return np.asarray(rows / np.sqrt(places * (places + 1))[:, None])
