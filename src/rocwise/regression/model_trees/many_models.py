"""The linear models of many nodes at once, the same as `node_models` finds one by one.

Nodes with fewer cases than coefficients first lose columns, those of the same size together.
Nodes with columns that nearly depend on each other are left to `node_models`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Flags, Floats, Integers, Places
from rocwise.kernels.trees.plain_models import all_but, inverted
from rocwise.regression.model_trees.node_models import SAME_FIT, fitted

SAME_INVERSE = 1e-7


class Models(NamedTuple):
    """A line for each node: what it predicts by itself, and the error that it expects."""

    intercepts: Floats
    coefficients: Floats
    errors: Floats


def fitted_models(X: Floats, y: Floats, rows: Integers, bounds: Integers) -> Models:
    """The model of each node; the rows of all of them follow each other, with their bounds."""
    sizes, p = np.diff(bounds), X.shape[1]
    found = Models(np.empty(len(sizes)), np.empty((len(sizes), p)), np.empty(len(sizes)))
    alone = np.zeros(len(sizes), np.bool_)
    large = np.flatnonzero(sizes > p)
    groups = [(large, np.broadcast_to(np.arange(p), (len(large), p)))] if len(large) else []
    for n in np.unique(sizes[sizes <= p]).tolist():
        nodes = np.flatnonzero(sizes == n)
        columns, solved = _few_enough(X, y, rows[bounds[nodes][:, None] + np.arange(n)])
        alone[nodes[~solved]] = True
        groups.append((nodes[solved], columns[solved]))
    for nodes, columns in groups:
        models = kernels.eliminated(X, y, rows, bounds, nodes, columns)
        for kept, values in zip(found, models, strict=False):
            kept[nodes] = values
        alone[nodes[~models.solved]] = True
    for node in np.flatnonzero(alone).tolist():
        own = rows[bounds[node] : bounds[node + 1]]
        model = fitted(X[own], y[own])
        found.intercepts[node], found.errors[node] = model.intercept, model.error
        found.coefficients[node] = model.coefficients
    return found


def _few_enough(X: Floats, y: Floats, members: Places) -> tuple[Places, Flags]:
    """Columns without those that change the fit least, one fewer than cases; which are safe.

    All nodes have the same number of cases, n. In n - 1 coordinates that centred columns
    have, B, the fit of least length is B' M d with M the inverse of B B'; each column that goes
    changes M by one product.
    """
    (nodes, n), p = members.shape, X.shape[1]
    columns = np.broadcast_to(np.arange(p), (nodes, p))
    if n == 1:
        return columns[:, :0], np.ones(nodes, np.bool_)
    cells = X[members] - X[members].mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(cells, axis=1, keepdims=True)
    centred = y[members] - y[members].mean(axis=1, keepdims=True)
    turned = _contrasts(n) @ (cells / np.where(lengths == 0, 1.0, lengths))
    target = (centred @ _contrasts(n).T)[:, :, None]
    half, solved = inverted(np.linalg.qr(turned.swapaxes(1, 2), mode="r"))  # type: ignore[arg-type]
    M = half @ half.swapaxes(1, 2)
    close = SAME_FIT * np.abs(centred).max(axis=1, keepdims=True)
    node = np.arange(nodes)
    for k in range(p, n - 1, -1):
        size = np.abs((turned.swapaxes(1, 2) @ (M @ target))[:, :, 0])
        dropped = (size <= size.min(axis=1, keepdims=True) + close).argmax(axis=1)
        gone = turned[node, :, dropped][:, :, None]
        through = M @ gone
        room = 1 - gone.swapaxes(1, 2) @ through
        solved &= room[:, 0, 0] > 0
        M = M + through @ through.swapaxes(1, 2) / np.where(room > 0, room, 1.0)
        kept = all_but(dropped, k)
        turned = np.take_along_axis(turned, kept[:, None, :], axis=2)
        columns = np.take_along_axis(columns, kept, axis=1)
    rest = turned @ turned.swapaxes(1, 2) @ M - np.eye(n - 1)
    solved &= np.abs(rest).max(axis=(1, 2)) < SAME_INVERSE
    return columns, solved


def _contrasts(n: int) -> Floats:
    """Orthogonal rows of length 1 that are orthogonal to 1 (Helmert's)."""
    rows = np.tril(np.ones((n - 1, n)))
    places = np.arange(1, n)
    rows[places - 1, places] = -places
    return np.asarray(rows / np.sqrt(places * (places + 1))[:, None])
