"""Trees with linear models at their nodes: grown from the root down, pruned from below."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Flags, Floats, Integers, Places
from rocwise.kernels.trees.plain_models import all_but, inverted
from rocwise.progress import reporter
from rocwise.regression.blas_threads import library_threads

SAME_FIT = 1e-9  # fits this close, as a share of the target's size, are the same
SAME_COLUMN = 1e-8  # columns this close, as a share of their length, are the same
ROUNDING = 1e-12  # errors below this share of the target's size are none


class LinearModel(NamedTuple):
    """What a node predicts by itself, and the mean absolute error that it expects."""

    intercept: float
    coefficients: Floats
    error: float


def fitted(X: Floats, y: Floats) -> LinearModel:
    """A linear model from which coefficients are dropped while its estimated error falls."""
    n = len(y)
    centre, mean = X.mean(axis=0), float(y.mean())
    rows, target = X - centre, y - mean
    noise = ROUNDING * float(np.abs(y).max())
    columns = _few_enough(rows, target, n - 1)  # one less, and the error is defined
    slopes = _slopes(rows[:, columns], target)
    error = float(estimated_errors(target - rows[:, columns] @ slopes, n, len(columns) + 1, noise))
    while len(columns):
        changes = _changes_by_dropping(rows[:, columns], target, slopes)
        residuals = (target - rows[:, columns] @ slopes)[:, None] + rows[:, columns] @ changes
        errors = estimated_errors(residuals, n, len(columns), noise)
        dropped = int(np.argmin(errors))
        if errors[dropped] > error:
            break
        error = float(errors[dropped])
        columns = np.delete(columns, dropped)
        slopes = _slopes(rows[:, columns], target)
    coefficients = np.zeros(X.shape[1])
    coefficients[columns] = slopes
    return LinearModel(mean - float(centre @ coefficients), coefficients, error)


def _few_enough(rows: Floats, target: Floats, at_most: int) -> Places:
    """All columns; where there are too few cases, without those that change the fit least.

    Without column j the fit (of least length, among the many that are exact) would change by
    |slope j| times the length of the column; of equal ones the lowest goes first.
    """
    columns = np.arange(rows.shape[1])
    while len(columns) > max(at_most, 0):
        changes = np.abs(_slopes(rows[:, columns], target)) * np.linalg.norm(
            rows[:, columns], axis=0
        )
        least = changes <= changes.min() + SAME_FIT * float(np.abs(target).max(initial=0.0))
        columns = np.delete(columns, int(least.argmax()))
    return columns


def _slopes(rows: Floats, target: Floats) -> Floats:
    """Least squares; columns that differ by no more than rounding are one column.

    Forecasts of filters agree to many digits, and a slope that is fitted to the last of them would
    carry a new row away. Columns count in units of their own, whatever they are measured in.
    """
    lengths = np.linalg.norm(rows, axis=0)
    units = np.where(lengths > 0, lengths, 1.0)
    return np.asarray(np.linalg.lstsq(rows / units, target, rcond=SAME_COLUMN)[0] / units)


def estimated_errors(residuals: Floats, n: int, v: int, noise: float) -> Floats:
    """MAE (n + v) / (n - v) of models with v coefficients, the intercept counted."""
    if n <= v:
        return np.full(residuals.shape[1:], math.inf)
    size = np.abs(residuals).mean(axis=0)
    return np.asarray(np.where(size <= noise, 0.0, size) * (n + v) / (n - v))


def _changes_by_dropping(rows: Floats, target: Floats, slopes: Floats) -> Floats:
    """How far all slopes move when column j is dropped and the rest fitted anew, in column j."""
    triangle = np.linalg.qr(rows, mode="r")
    diagonal = np.abs(np.diag(triangle))
    if len(diagonal) == rows.shape[1] and diagonal.min() > 1e-7 * diagonal.max():
        inverse = np.linalg.inv(triangle)
        inverse = inverse @ inverse.T  # of the matrix of the normal equations
        return np.asarray(inverse / np.diag(inverse) * slopes)
    changes = np.empty((len(slopes), len(slopes)))
    for j in range(len(slopes)):  # columns that depend on each other: one fit each
        kept = np.arange(len(slopes)) != j
        changes[j, j] = slopes[j]
        changes[kept, j] = slopes[kept] - _slopes(rows[:, kept], target)
    return changes


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
        columns, solved = _few_enough_many_models(X, y, rows[bounds[nodes][:, None] + np.arange(n)])
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


def _few_enough_many_models(X: Floats, y: Floats, members: Places) -> tuple[Places, Flags]:
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


FLAT = 0.05  # a node with less than this share of the root's deviation is left alone


@dataclass(frozen=True, eq=False)
class Level:
    """Rows of nodes, one node after the other, sorted once: children keep their parents' order.

    Line j of `orders` has the rows of each node by rising column j, the last line by number.
    """

    orders: Integers
    bounds: Integers

    @classmethod
    def first(cls, columns: Floats) -> Level:
        """All rows in one node."""
        n = columns.shape[1]
        orders = np.stack([*(kernels.argsort(column) for column in columns), np.arange(n)])
        return cls(orders, np.array([0, n]))

    @property
    def rows(self) -> Integers:
        """By node, and then by number."""
        return np.asarray(self.orders[-1])

    def splits(
        self, columns: Floats, y: Floats, root_deviation: float, least: int
    ) -> tuple[Integers, Floats]:
        """Feature and cut of each node's best question; the feature is -1 where there is none."""
        flat = FLAT * root_deviation
        return kernels.best_splits(columns, y, self.orders, self.bounds, flat, least)

    def divided(self, columns: Floats, features: Integers, cuts: Floats) -> Level:
        """The children: of each node with a question, those below its cut, then those above."""
        sizes = np.diff(self.bounds)
        feature, cut = np.repeat(features, sizes), np.repeat(cuts, sizes)
        is_below: Flags = np.zeros(columns.shape[1], np.bool_)
        is_below[self.rows] = columns[feature, self.rows] <= cut
        return Level(*kernels.divided(self.orders, self.bounds, features, is_below))


MOST_WAITING = 5_000_000  # rows of nodes whose models are still to be fitted
NO_COEFFICIENTS: Floats = np.empty(0)


@dataclass(eq=False, slots=True)
class Node:
    """A leaf, or a question with two children; every node has a linear model."""

    n: int
    intercept: float = math.nan
    coefficients: Floats = field(default_factory=lambda: NO_COEFFICIENTS)
    error: float = math.nan
    feature: int = -1
    cut: float = math.nan
    below: Node | None = None
    above: Node | None = None

    @property
    def is_leaf(self) -> bool:
        """Whether there are no children."""
        return self.below is None

    def model(self, X: Floats) -> Floats:
        """The linear model of this node alone."""
        return np.asarray(self.intercept + X @ self.coefficients)

    def leaves(self) -> list[Node]:
        """All leaves, from low to high."""
        if self.below is None or self.above is None:
            return [self]
        return [*self.below.leaves(), *self.above.leaves()]

    def predict(self, X: Floats, smoothing: float) -> Floats:
        """Predictions of the leaves, drawn towards each model on the way up to the root."""
        if self.below is None or self.above is None:
            return self.model(X)
        left = X[:, self.feature] <= self.cut
        found = self.model(X) if smoothing else np.empty(len(X))
        for child, rows in ((self.below, left), (self.above, ~left)):
            if rows.any():
                lower = child.predict(X[rows], smoothing)
                weighted = child.n * lower + smoothing * found[rows] if smoothing else lower
                found[rows] = weighted / (child.n + smoothing) if smoothing else lower
        return found


Waiting = tuple[list[Node], Integers, Integers]  # nodes of a level, their rows and bounds


def grow(X: Floats, y: Floats, *, min_samples_leaf: int, prune: bool) -> Node:
    """The whole tree, pruned bottom-up if asked for."""
    unit = _unit(y)
    y = y / unit
    columns = np.ascontiguousarray(X.T)
    root = Node(len(y))
    nodes, level, of_level = [root], [root], Level.first(columns)
    waiting: list[Waiting] = []
    report, deviation = reporter(True, "model tree"), float(y.std())
    while level:  # nodes as far from the root as each other: one call finds all their splits
        waiting.append((level, of_level.rows.copy(), of_level.bounds))
        features, cuts = of_level.splits(columns, y, deviation, min_samples_leaf)
        of_level = of_level.divided(columns, features, cuts)
        level = _children(level, features, cuts, np.diff(of_level.bounds))
        report(1 - of_level.rows.size / len(y))
        nodes += level
        if not level or sum(rows.size for _, rows, _ in waiting) > MOST_WAITING:
            _fit(X, y, unit, waiting)
            waiting = []
    if prune:
        _prune(nodes)
    for node in nodes:  # after sums of errors were compared, which may be no float in that unit
        node.error *= unit
    return root


def _children(level: list[Node], features: Integers, cuts: Floats, sizes: Integers) -> list[Node]:
    """Let the nodes ask their questions; all that answer, from low to high."""
    children = [Node(n) for n in sizes.tolist()]
    given = iter(children)
    for node, feature, cut in zip(level, features.tolist(), cuts.tolist(), strict=True):
        if feature >= 0:
            node.feature, node.cut, node.below, node.above = feature, cut, next(given), next(given)
    return children


def _fit(X: Floats, y: Floats, unit: float, waiting: list[Waiting]) -> None:
    """Give all nodes that wait their models, in the units of the target; errors in those of `y`."""
    rows = np.concatenate([own for _, own, _ in waiting])
    sizes = np.concatenate([np.diff(bounds) for _, _, bounds in waiting])
    with library_threads(1):  # many small triangles
        models = fitted_models(X, y, rows, np.concatenate([[0], np.cumsum(sizes)]))
    nodes = (node for level, _, _ in waiting for node in level)
    intercepts, coefficients = (models.intercepts * unit).tolist(), models.coefficients * unit
    for node, intercept, error, line in zip(
        nodes, intercepts, models.errors.tolist(), coefficients, strict=True
    ):
        node.intercept, node.error, node.coefficients = intercept, error, line.copy()


def _unit(y: Floats) -> float:
    """A power of two near the largest value, so that no square overflows and none vanishes."""
    largest = float(np.abs(y).max())
    return math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest > 0 else 1.0


def _prune(order: list[Node]) -> None:
    """Children come after their parents in `order`, so that backwards is bottom-up."""
    subtree_error: dict[int, float] = {}
    for node in reversed(order):
        error = node.error
        if node.below is not None and node.above is not None:
            below, above = subtree_error[id(node.below)], subtree_error[id(node.above)]
            kept = (node.below.n * below + node.above.n * above) / node.n
            if node.error <= kept * (1 + ROUNDING):
                node.below = node.above = None
                node.feature, node.cut = -1, math.nan
            else:
                error = kept
        subtree_error[id(node)] = error
