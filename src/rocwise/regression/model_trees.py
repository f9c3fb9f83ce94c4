"""A tree with linear models at its nodes, grown and pruned like M5'.

Quinlan (1992), Learning with continuous classes; Wang and Witten (1997), Inducing model trees for
continuous classes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwise.arrays import Floats, Integers, Places
from rocwise.progress import reporter

SMALLEST_TO_SPLIT = 4
FLAT = 0.05  # a node with less than this share of the root's deviation is left alone
SAME_FIT = 1e-9  # fits this close, as a share of the target's size, are the same
SAME_COLUMN = 1e-8  # columns this close, as a share of their length, are the same
ROUNDING = 1e-12  # errors below this share of the target's size are none


@dataclass(eq=False)
class Node:
    """A leaf, or a question with two children; every node has a linear model."""

    n: int
    intercept: float
    coefficients: Floats
    error: float
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


def grow(X: Floats, y: Floats, *, min_samples_leaf: int, prune: bool) -> Node:
    """The whole tree, pruned bottom-up if asked for."""
    unit = _unit(y)
    y = y / unit
    root_deviation = float(y.std())
    root = _fitted(X, y)
    waiting: list[tuple[Node, Places]] = [(root, np.arange(len(y)))]
    order, done, report = [], 0, reporter(True, "model tree")
    while waiting:
        node, rows = waiting.pop()
        order.append(node)
        split = _best_split(X[rows], y[rows], root_deviation, min_samples_leaf)
        if split is None:
            done += len(rows)
            report(done / len(y))
            continue
        node.feature, node.cut = split
        left = X[rows, node.feature] <= node.cut
        node.below = _fitted(X[rows[left]], y[rows[left]])
        node.above = _fitted(X[rows[~left]], y[rows[~left]])
        waiting += [(node.below, rows[left]), (node.above, rows[~left])]
    if prune:
        _prune(order)
    for node in order:
        node.intercept, node.error = node.intercept * unit, node.error * unit
        node.coefficients = node.coefficients * unit
    return root


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
            if node.error <= kept:
                node.below = node.above = None
                node.feature, node.cut = -1, math.nan
            else:
                error = kept
        subtree_error[id(node)] = error


def _best_split(
    X: Floats, y: Floats, root_deviation: float, min_samples_leaf: int
) -> tuple[int, float] | None:
    """Feature and cut that lower the standard deviation most; ties go to the lowest of each."""
    n, deviation = len(y), float(y.std())
    if n < max(SMALLEST_TO_SPLIT, 2 * min_samples_leaf) or deviation < FLAT * root_deviation:
        return None
    if deviation <= ROUNDING * max(float(np.abs(y).max()), 1e-300):
        return None
    order = np.argsort(X, axis=0, kind="stable")
    values = np.take_along_axis(X, order, axis=0)
    targets = (y - y.mean())[order]
    count = np.arange(1, n)[:, None]
    sums, squares = targets.cumsum(axis=0), (targets**2).cumsum(axis=0)
    left = _spread(count, sums[:-1], squares[:-1])
    right = _spread(n - count, sums[-1] - sums[:-1], squares[-1] - squares[:-1])
    reduction = deviation - (left + right) / n
    allowed = (values[1:] > values[:-1]) & (count >= min_samples_leaf)
    allowed &= n - count >= min_samples_leaf
    if not allowed.any():
        return None
    reduction = np.where(allowed, reduction, -np.inf).T  # features first, then cuts
    best = float(reduction.max())
    tied = reduction >= best - ROUNDING * deviation
    feature, place = np.unravel_index(int(np.argmax(tied)), tied.shape)
    return int(feature), _between(values[place, feature], values[place + 1, feature])


def _spread(count: Integers, total: Floats, squares: Floats) -> Floats:
    """Number of cases times their standard deviation, from sums."""
    return np.asarray(np.sqrt(np.maximum(count * squares - total**2, 0.0)))


def _between(low: float, high: float) -> float:
    """The midpoint, or `low` where rounding would carry the midpoint up to `high`."""
    middle = float(low / 2 + high / 2)
    return middle if low <= middle < high else float(low)


def _fitted(X: Floats, y: Floats) -> Node:
    """A linear model from which coefficients are dropped while its estimated error falls."""
    n = len(y)
    centre, mean = X.mean(axis=0), float(y.mean())
    rows, target = X - centre, y - mean
    noise = ROUNDING * float(np.abs(y).max())
    columns = _few_enough(rows, target, n - 1)  # one less, and the error is defined
    slopes = _slopes(rows[:, columns], target)
    error = float(_errors(target - rows[:, columns] @ slopes, len(columns) + 1, noise))
    while len(columns):
        changes = _changes_by_dropping(rows[:, columns], target, slopes)
        residuals = (target - rows[:, columns] @ slopes)[:, None] + rows[:, columns] @ changes
        errors = _errors(residuals, len(columns), noise)
        dropped = int(np.argmin(errors))
        if errors[dropped] > error:
            break
        error = float(errors[dropped])
        columns = np.delete(columns, dropped)
        slopes = _slopes(rows[:, columns], target)
    coefficients = np.zeros(X.shape[1])
    coefficients[columns] = slopes
    return Node(n, mean - float(centre @ coefficients), coefficients, error)


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


def _errors(residuals: Floats, v: int, noise: float) -> Floats:
    """MAE (n + v) / (n - v) of models with v coefficients, the intercept counted."""
    n = len(residuals)
    size = np.abs(residuals).mean(axis=0)
    size = np.where(size <= noise, 0.0, size)
    return np.asarray(size * (n + v) / (n - v)) if n > v else np.full_like(size, math.inf)


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
