"""Trees with linear models at their nodes, grown and pruned like M5'.

Quinlan (1992), Learning with continuous classes; Wang and Witten (1997), Inducing model trees for
continuous classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.progress import reporter

FLAT = 0.05  # a node with a smaller fraction of the root's standard deviation is not split
SMALLEST_TO_SPLIT = 4  # rows
ROUNDING = 1e-12  # errors and deviations below this fraction of the target's size count as 0
SAME_FIT = 1e-9  # fits this close, as a fraction of the target's size, are equal
SAME_COLUMN = 1e-8  # columns this close, as a fraction of their length, are equal


@dataclass(eq=False, slots=True)
class Node:
    """A leaf, or a split with two children; every node has a linear model."""

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
        """Predictions of the linear model of this node."""
        return np.asarray(self.intercept + X @ self.coefficients)

    def leaves(self) -> list[Node]:
        """All leaves, from low to high."""
        if self.below is None or self.above is None:
            return [self]
        return [*self.below.leaves(), *self.above.leaves()]

    def predict(self, X: Floats, smoothing: float) -> Floats:
        """Predictions of the leaves, smoothed towards the models between leaf and root."""
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
    """Grow the tree; with `prune`, prune it from the leaves up."""
    unit = _unit(y)
    y = y / unit
    report = reporter(True, "model tree")
    growth = _Growth(unit, FLAT * float(y.std()), min_samples_leaf, prune, report, len(y))
    return growth.grown(X, y)[0]


def _unit(y: Floats) -> float:
    """A power of two near the largest value: squares of y / unit neither overflow nor vanish."""
    largest = float(np.abs(y).max())
    return math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest > 0 else 1.0


@dataclass
class _Growth:
    unit: float
    flat: float
    min_samples_leaf: int
    prune: bool
    report: Callable[[float], None]
    n: int
    n_done: int = 0

    def grown(self, X: Floats, y: Floats) -> tuple[Node, float]:
        """The tree of these rows, and its estimated error in units of `unit`."""
        model = fitted(X, y)
        node = Node(
            len(y),
            model.intercept * self.unit,
            model.coefficients * self.unit,
            model.error * self.unit,
        )
        split = best_split(X, y, self.flat, self.min_samples_leaf)
        if split is None:
            self.n_done += len(y)
            self.report(self.n_done / self.n)
            return node, model.error
        left = X[:, split.feature] <= split.cut
        below, error_below = self.grown(X[left], y[left])
        above, error_above = self.grown(X[~left], y[~left])
        error = (below.n * error_below + above.n * error_above) / node.n
        if self.prune and model.error <= error * (1 + ROUNDING):
            return node, model.error
        node.feature, node.cut, node.below, node.above = *split, below, above
        return node, error


class Split(NamedTuple):
    """Rows with `feature` at most `cut` go below."""

    feature: int
    cut: float


def best_split(X: Floats, y: Floats, flat: float, least: int) -> Split | None:
    """The split that reduces the standard deviation most; None where a node stays a leaf.

    Nodes with a standard deviation below `flat` stay leaves. Of equally good splits the lowest
    feature is taken, and of its cuts the lowest.

    Examples
    --------
    >>> best_split(np.arange(4.0)[:, None], np.array([0.0, 0.0, 5.0, 5.0]), 0.0, 2)
    Split(feature=0, cut=1.5)
    """
    n = len(y)
    if n < max(SMALLEST_TO_SPLIT, 2 * least):
        return None
    target = _centered(y)
    deviation = math.sqrt(float(target @ target) / n)
    if deviation < flat or deviation <= ROUNDING * max(float(np.abs(y).max()), 1e-300):
        return None
    order = np.argsort(X, axis=0, kind="stable")
    values, targets = np.take_along_axis(X, order, axis=0), target[order]
    sums, squares = targets.cumsum(axis=0), (targets * targets).cumsum(axis=0)
    count = np.arange(1, n)[:, None]
    left = _scaled_deviation(count, sums[:-1], squares[:-1])
    right = _scaled_deviation(n - count, sums[-1] - sums[:-1], squares[-1] - squares[:-1])
    allowed = (count >= least) & (n - count >= least) & (values[1:] > values[:-1])
    reduction = np.where(allowed, deviation - (left + right) / n, -np.inf)
    best = reduction.max()
    if best == -np.inf:
        return None
    tied = reduction >= best - ROUNDING * deviation
    feature, place = divmod(int(tied.T.argmax()), n - 1)
    return Split(feature, _middle(values[place, feature], values[place + 1, feature]))


def _centered(y: Floats) -> Floats:
    target = y - y.mean()
    return np.asarray(target - target.mean())  # the rounding error of the first mean


def _scaled_deviation(count: np.ndarray, total: Floats, squares: Floats) -> Floats:
    """Number of rows times their standard deviation, from sums."""
    return np.asarray(np.sqrt(np.maximum(count * squares - total * total, 0.0)))


def _middle(low: float, high: float) -> float:
    """Their mean, or `low` where rounding would carry it up to `high`."""
    middle = low / 2 + high / 2
    return float(middle if low <= middle < high else low)


class LinearModel(NamedTuple):
    """The linear model of a node, and its estimated mean absolute error."""

    intercept: float
    coefficients: Floats
    error: float


def fitted(X: Floats, y: Floats) -> LinearModel:
    """A linear model from which coefficients are dropped while its estimated error falls."""
    n = len(y)
    center, mean = X.mean(axis=0), float(y.mean())
    rows, target = X - center, y - mean
    noise = ROUNDING * float(np.abs(y).max())
    columns = _few_enough(rows, target, n - 1)  # one less, and the error is defined
    rows = rows[:, columns]
    slopes = _slopes(rows, target)
    residual = target - rows @ slopes
    error = float(_estimated_errors(residual, n, len(columns) + 1, noise))
    while len(columns):
        changes = _changes_by_dropping(rows, target, slopes)
        residuals = residual[:, None] + rows @ changes
        errors = _estimated_errors(residuals, n, len(columns), noise)
        dropped = int(np.argmin(errors))
        if errors[dropped] > error:
            break
        error, residual = float(errors[dropped]), residuals[:, dropped]
        kept = np.arange(len(columns)) != dropped
        slopes, columns, rows = (slopes - changes[:, dropped])[kept], columns[kept], rows[:, kept]
    coefficients = np.zeros(X.shape[1])
    coefficients[columns] = slopes
    return LinearModel(mean - float(center @ coefficients), coefficients, error)


def _few_enough(rows: Floats, target: Floats, at_most: int) -> Places:
    """All columns; where there are too few rows, without those that change the fit least.

    Without column j the fit (of least length, among the many that are exact) would change by
    |slope j| times the length of the column; of equal ones the lowest goes first.
    """
    columns = np.arange(rows.shape[1])
    while len(columns) > max(at_most, 0):
        left = rows[:, columns]
        changes = np.abs(_slopes(left, target)) * np.linalg.norm(left, axis=0)
        least = changes <= changes.min() + SAME_FIT * float(np.abs(target).max(initial=0.0))
        columns = np.delete(columns, int(least.argmax()))
    return columns


def _slopes(rows: Floats, target: Floats) -> Floats:
    """Least squares; columns that differ by no more than rounding are one column.

    Forecasts of filters agree to many digits, and a slope that is fitted to the last of them would
    carry a new row away. Columns are scaled to length 1.
    """
    lengths = np.linalg.norm(rows, axis=0)
    units = np.where(lengths > 0, lengths, 1.0)
    return np.asarray(np.linalg.lstsq(rows / units, target, rcond=SAME_COLUMN)[0] / units)


def _estimated_errors(residuals: Floats, n: int, v: int, noise: float) -> Floats:
    """MAE (n + v) / (n - v) of models with v coefficients, including the intercept."""
    if n <= v:
        return np.full(residuals.shape[1:], math.inf)
    size = np.abs(residuals).mean(axis=0)
    return np.asarray(np.where(size <= noise, 0.0, size) * (n + v) / (n - v))


def _changes_by_dropping(rows: Floats, target: Floats, slopes: Floats) -> Floats:
    """Changes of all slopes when column j is dropped and the rest refitted, in column j."""
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
