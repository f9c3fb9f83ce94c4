"""Trees with linear models at their nodes, grown and pruned like M5'.

All nodes of a level are split and fitted together: nodes of about the same size form a batch of
padded arrays. A linear model loses columns while its estimated error falls.

Quinlan (1992), Learning with continuous classes; Wang and Witten (1997), Inducing model trees for
continuous classes.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from rocwise.arrays import Array, Flags, Floats, Integers, Places
from rocwise.progress import reporter

FLAT = 0.05  # a node with less than this proportion of the root's deviation is not split
SMALLEST_TO_SPLIT = 4  # rows
ROUNDING = 1e-12  # errors and deviations below this proportion of the target's size are none
SAME_FIT = 1e-9  # fits this close, as a proportion of the target's size, are the same
SAME_COLUMN = 1e-8  # columns this close, as a proportion of their length, are the same
INDEPENDENT = 1e-7  # smallest eigenvalue of columns of length 1 that do not depend on each other
LARGEST_RATIO = 1.25  # of the size of the smallest node in a batch
MOST_CELLS = 200_000  # numbers in a batch


@dataclass(eq=False, slots=True)
class Node:
    """A leaf, or a split with two children; every node has a linear model."""

    n: int
    intercept: float = math.nan
    coefficients: Floats = field(default_factory=lambda: np.empty(0))
    error: float = math.nan
    feature: int = -1
    cut: float = math.nan
    below: "Node | None" = None
    above: "Node | None" = None

    @property
    def is_leaf(self) -> bool:
        """Whether there are no children."""
        return self.below is None

    def model(self, X: Floats) -> Floats:
        """The linear model of this node alone."""
        return np.asarray(self.intercept + X @ self.coefficients)

    def leaves(self) -> "list[Node]":
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
    """The whole tree, with `prune` pruned from the leaves up."""
    unit = _unit(y)
    y = y / unit
    n, columns = len(y), np.ascontiguousarray(X.T)
    root = Node(n)
    nodes, level = [root], [root]
    orders = np.stack([*(np.argsort(column, kind="stable") for column in columns), np.arange(n)])
    bounds = np.array([0, n])
    report, flat = reporter(True, "model tree"), FLAT * float(y.std())
    while level:
        models = fitted_models(X, y, orders[-1], bounds)
        for node, intercept, line, error in zip(level, *models, strict=True):
            node.intercept, node.coefficients = float(intercept) * unit, line * unit
            node.error = float(error)
        features, cuts = best_splits(columns, y, orders, bounds, flat, min_samples_leaf)
        orders, bounds = divided(columns, orders, bounds, features, cuts)
        level = _children(level, features, cuts, np.diff(bounds))
        nodes += level
        report(1 - orders.shape[1] / n)
    if prune:
        _prune(nodes)
    for node in nodes:  # after sums of errors were compared, which might overflow in that unit
        node.error *= unit
    return root


def _unit(y: Floats) -> float:
    """A power of two near the largest value, so that no square overflows and none vanishes."""
    largest = float(np.abs(y).max())
    return math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest > 0 else 1.0


def _children(level: list[Node], features: Integers, cuts: Floats, sizes: Integers) -> list[Node]:
    """Split the nodes; all children from low to high."""
    children = [Node(n) for n in sizes.tolist()]
    given = iter(children)
    for node, feature, cut in zip(level, features.tolist(), cuts.tolist(), strict=True):
        if feature >= 0:
            node.feature, node.cut, node.below, node.above = feature, cut, next(given), next(given)
    return children


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


# --- batches of nodes -----------------------------------------------------------------------------


def batches(sizes: Integers, width: int) -> Iterator[Places]:
    """Numbers of nodes that go together: small ones of equal size, large ones of similar size."""
    order = np.argsort(sizes, kind="stable")
    ordered = sizes[order]
    start = 0
    while start < len(order):
        smallest = int(ordered[start])
        largest = int(smallest * LARGEST_RATIO) if smallest > width else smallest
        same_size = int(np.searchsorted(ordered, largest, side="right"))
        most = max(1, MOST_CELLS // (largest * max(width, 1)))
        end = min(same_size, start + most)
        yield order[start:end]
        start = end


def padded(bounds: Integers, nodes: Places) -> tuple[Places, Flags]:
    """Positions of the rows of nodes as a table, and which of its cells are rows (others are 0)."""
    sizes = bounds[nodes + 1] - bounds[nodes]
    steps = np.arange(int(sizes.max()))
    real = steps < sizes[:, None]
    return np.where(real, bounds[nodes][:, None] + steps, 0), real


# --- splits ---------------------------------------------------------------------------------------


def best_splits(
    columns: Floats, y: Floats, orders: Integers, bounds: Integers, flat: float, least: int
) -> tuple[Integers, Floats]:
    """Feature (-1 where a node stays a leaf) and cut for each node; the lowest of equal ones."""
    sizes = np.diff(bounds)
    features, cuts = np.full(len(sizes), -1), np.full(len(sizes), np.nan)
    large = np.flatnonzero(sizes >= max(SMALLEST_TO_SPLIT, 2 * least))
    for batch in batches(sizes[large], len(columns)):
        nodes = large[batch]
        places, real = padded(bounds, nodes)
        rows = orders[-1][places]
        mean, deviation = _mean_and_deviation(y[rows], real)
        largest = np.abs(np.where(real, y[rows], 0.0)).max(axis=1)
        split = (deviation >= flat) & (deviation > ROUNDING * np.maximum(largest, 1e-300))
        if split.any():
            chosen, real = orders[:-1, places[split]], real[split]
            features[nodes[split]], cuts[nodes[split]] = _largest_reductions(
                np.where(real, columns[np.arange(len(columns))[:, None, None], chosen], np.inf),
                np.where(real, y[chosen] - mean[split][:, None], 0.0),
                real.sum(axis=1),
                deviation[split],
                least,
            )
    return features, cuts


def _mean_and_deviation(values: Floats, real: Flags) -> tuple[Floats, Floats]:
    """Of the targets of each node."""
    n = real.sum(axis=1)
    mean = np.where(real, values, 0.0).sum(axis=1) / n
    mean = mean + np.where(real, values - mean[:, None], 0.0).sum(axis=1) / n  # what rounding took
    targets = np.where(real, values - mean[:, None], 0.0)
    return mean, np.sqrt((targets * targets).sum(axis=1) / n)


def _largest_reductions(
    values: Floats, targets: Floats, n: Integers, deviation: Floats, least: int
) -> tuple[Integers, Floats]:
    """Feature and cut that reduce the deviation most; arrays are (feature, node, place)."""
    sums, squares = targets.cumsum(axis=2), (targets * targets).cumsum(axis=2)
    n = n[:, None]
    count = np.arange(1, values.shape[2])
    left = _scaled_deviation(count, sums[..., :-1], squares[..., :-1])
    right = _scaled_deviation(
        n - count, sums[..., -1:] - sums[..., :-1], squares[..., -1:] - squares[..., :-1]
    )
    allowed = (count >= least) & (n - count >= least)
    reduction = np.where(
        allowed & (values[..., 1:] > values[..., :-1]),
        deviation[:, None] - (left + right) / n,
        -np.inf,
    )
    best = reduction.max(axis=(0, 2))
    tied = reduction >= (best - ROUNDING * deviation)[:, None]
    feature, place = divmod(tied.swapaxes(0, 1).reshape(len(n), -1).argmax(axis=1), len(count))
    node = np.arange(len(n))
    low, high = values[feature, node, place], values[feature, node, place + 1]
    middle = low / 2 + high / 2  # or `low`, where rounding would carry it up to `high`
    cuts = np.where((low <= middle) & (middle < high), middle, low)
    found = best > -np.inf
    return np.where(found, feature, -1), np.where(found, cuts, np.nan)


def _scaled_deviation(count: Integers, total: Floats, squares: Floats) -> Floats:
    """Number of cases times their standard deviation, from sums."""
    return np.asarray(np.sqrt(np.maximum(count * squares - total * total, 0.0)))


def divided(
    columns: Floats, orders: Integers, bounds: Integers, features: Integers, cuts: Floats
) -> tuple[Integers, Integers]:
    """Orders and bounds of the children of the nodes with a feature, each below and then above."""
    sizes, split, rows = np.diff(bounds), features >= 0, orders[-1]
    is_below: Flags = np.zeros(columns.shape[1], np.bool_)
    is_below[rows] = columns[np.repeat(features, sizes), rows] <= np.repeat(cuts, sizes)
    counts = np.concatenate([[0], np.cumsum(is_below[rows])])
    below = np.diff(counts[bounds])[split]
    children = np.stack([below, sizes[split] - below], axis=1).ravel()
    orders = orders[:, np.repeat(split, sizes)]
    sides = is_below[orders]  # as many in each line, so that both are tables again
    goes_below = np.repeat(np.arange(len(children)) % 2 == 0, children)
    found = np.empty_like(orders)
    found[:, goes_below] = orders[sides].reshape(len(orders), -1)
    found[:, ~goes_below] = orders[~sides].reshape(len(orders), -1)
    return found, np.concatenate([[0], np.cumsum(children)])


# --- linear models of many nodes ------------------------------------------------------------------


class Models(NamedTuple):
    """A linear model, or one for each node, and the mean absolute error that it expects."""

    intercept: Any
    coefficients: Floats
    error: Any


def fitted_models(X: Floats, y: Floats, rows: Integers, bounds: Integers) -> Models:
    """The model of each node, alone where its columns nearly depend on each other."""
    sizes, p = np.diff(bounds), X.shape[1]
    found = Models(np.empty(len(sizes)), np.zeros((len(sizes), p)), np.empty(len(sizes)))
    for nodes in batches(sizes, p):
        places, real = padded(bounds, nodes)
        members = rows[places]
        columns, safe = _columns_to_begin_with(X, y, members, p)
        batch = Batch(X[members[:, :, None], columns[:, None, :]], y[members], real)
        batch.eliminate()
        found.intercept[nodes] = batch.mean - np.einsum("bk,bk->b", batch.center, batch.slopes)
        found.coefficients[nodes[:, None], columns] = batch.slopes
        found.error[nodes] = batch.errors
        for node in nodes[~(safe & batch.solved)].tolist():
            own = rows[bounds[node] : bounds[node + 1]]
            for values, value in zip(found, fitted(X[own], y[own]), strict=True):
                values[node] = value
    return found


class Batch:
    """Models of nodes of about the same size, their columns centered and of length 1."""

    def __init__(self, cells: Floats, targets: Floats, real: Flags) -> None:
        self.n: Array = real.sum(axis=1)
        targets = np.where(real, targets, 0.0)
        self.noise: Floats = ROUNDING * np.abs(targets).max(axis=1)
        self.mean: Floats = targets.sum(axis=1) / self.n
        self.target: Floats = np.where(real, targets - self.mean[:, None], 0.0)
        cells = np.where(real[:, :, None], cells, 0.0)
        self.center: Floats = cells.sum(axis=1) / self.n[:, None]
        cells = np.where(real[:, :, None], cells - self.center[:, None, :], 0.0)
        lengths = np.sqrt(np.einsum("bnp,bnp->bp", cells, cells))
        self.units: Floats = np.where(lengths == 0, 1.0, lengths)
        self.scaled: Floats = cells / self.units[:, None, :]
        self.gram: Floats = self.scaled.swapaxes(1, 2) @ self.scaled
        self.gram += (lengths == 0)[:, :, None] * np.eye(lengths.shape[1])  # of constant columns
        self.solved: Flags = np.linalg.eigvalsh(self.gram).min(axis=1, initial=1.0) > INDEPENDENT
        self.slopes: Floats = np.zeros_like(self.units)
        self.errors: Floats = np.zeros(len(self.n))

    def eliminate(self) -> None:
        """Drop a column of every node that is solved while that lowers its error."""
        nodes, k = np.flatnonzero(self.solved), self.units.shape[1]
        columns = np.broadcast_to(np.arange(k), (len(nodes), k))
        slopes, variances, weights, residuals = self.fit(nodes, columns)
        error = self.expected(nodes, residuals, k + 1)[:, 0]
        while True:
            better: Flags = np.zeros(len(nodes), np.bool_)
            if k := columns.shape[1]:
                changes = weights * (slopes / variances)[:, None, :]
                errors = self.expected(nodes, residuals + changes, k)
                dropped, least = errors.argmin(axis=1), errors.min(axis=1)
                better = least <= error
            own, left = nodes[~better][:, None], columns[~better]
            self.slopes[own, left] = slopes[~better] / self.units[own, left]
            self.errors[own[:, 0]] = error[~better]
            if not better.any():
                return
            nodes, error = nodes[better], least[better]
            columns = np.take_along_axis(columns[better], _all_but(dropped[better], k), axis=1)
            slopes, variances, weights, residuals = self.fit(nodes, columns)

    def fit(self, nodes: Places, columns: Places) -> tuple[Floats, Floats, Floats, Floats]:
        """Slopes of columns of some nodes, their variances, weights of the rows, and residuals."""
        own = nodes[:, None, None]
        scaled = np.take_along_axis(self.scaled[nodes], columns[:, None, :], axis=2)
        inverse = np.linalg.inv(self.gram[own, columns[:, :, None], columns[:, None, :]])
        weights, target = scaled @ inverse, self.target[nodes][:, :, None]
        slopes = weights.swapaxes(1, 2) @ target
        slopes += weights.swapaxes(1, 2) @ (target - scaled @ slopes)  # what rounding took
        variances = np.einsum("bkk->bk", inverse)
        return slopes[:, :, 0], variances, weights, target - scaled @ slopes

    def expected(self, nodes: Places, residuals: Floats, v: int) -> Floats:
        """Estimated errors of models of some nodes with v coefficients."""
        return expected_errors(residuals, self.n[nodes][:, None], v, self.noise[nodes][:, None])


def expected_errors(residuals: Floats, n: Any, v: int, noise: Any) -> Floats:
    """MAE (n + v) / (n - v) of models with v coefficients, the intercept counted."""
    size = np.abs(residuals).sum(axis=-2) / n
    size = np.where(size <= noise, 0.0, size)
    return np.asarray(np.where(n > v, size * (n + v) / np.maximum(n - v, 1), np.inf))


def _all_but(dropped: Places, k: int) -> Places:
    """Numbers 0 to k - 1 without one of them, for each node."""
    others = np.arange(k - 1)
    return np.asarray(others + (others >= dropped[:, None]))


def _columns_to_begin_with(X: Floats, y: Floats, members: Places, p: int) -> tuple[Places, Flags]:
    """Columns of each node, fewer than its rows, without those that change the fit least."""
    nodes, n = members.shape
    columns = np.broadcast_to(np.arange(p), (nodes, p))
    if n > p or n == 1:
        return columns[:, : p if n > p else 0], np.ones(nodes, np.bool_)
    cells = X[members] - X[members].mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(cells, axis=1, keepdims=True)
    cells /= np.where(lengths == 0, 1.0, lengths)
    target = y[members] - y[members].mean(axis=1, keepdims=True)
    close = SAME_FIT * np.abs(target).max(axis=1, keepdims=True)
    safe: Flags = np.ones(nodes, np.bool_)
    for k in range(p, n - 1, -1):
        gram = cells @ cells.swapaxes(1, 2) + 1 / n
        safe &= np.linalg.eigvalsh(gram)[:, 0] > INDEPENDENT
        gram[~safe] = np.eye(n)
        size = np.abs(cells.swapaxes(1, 2) @ np.linalg.solve(gram, target[:, :, None]))[:, :, 0]
        dropped = (size <= size.min(axis=1, keepdims=True) + close).argmax(axis=1)
        kept = _all_but(dropped, k)
        cells = np.take_along_axis(cells, kept[:, None, :], axis=2)
        columns = np.take_along_axis(columns, kept, axis=1)
    return columns, safe


# --- the linear model of one node -----------------------------------------------------------------


def fitted(X: Floats, y: Floats) -> Models:
    """A linear model from which coefficients are dropped while its estimated error falls."""
    n = len(y)
    center, mean = X.mean(axis=0), float(y.mean())
    rows, target = X - center, y - mean
    noise = ROUNDING * float(np.abs(y).max())

    def fit(columns: Places) -> tuple[float, Places, Floats]:
        slopes = _slopes(rows[:, columns], target)
        residuals = target - rows[:, columns] @ slopes
        error = expected_errors(residuals[:, None], n, len(columns) + 1, noise)
        return float(error[0]), columns, slopes

    best = fit(_few_enough(rows, target, n - 1))  # one less, and the error is defined
    while len(best[1]):
        fits = [fit(np.delete(best[1], j)) for j in range(len(best[1]))]
        least = min(fits, key=itemgetter(0))
        if least[0] > best[0]:
            break
        best = least
    coefficients = np.zeros(X.shape[1])
    coefficients[best[1]] = best[2]
    return Models(mean - float(center @ coefficients), coefficients, best[0])


def _few_enough(rows: Floats, target: Floats, at_most: int) -> Places:
    """All columns; where there are too few cases, without those that change the fit least."""
    columns = np.arange(rows.shape[1])
    while len(columns) > max(at_most, 0):
        changes = np.abs(_slopes(rows[:, columns], target)) * np.linalg.norm(
            rows[:, columns], axis=0
        )
        least = changes <= changes.min() + SAME_FIT * float(np.abs(target).max(initial=0.0))
        columns = np.delete(columns, int(least.argmax()))
    return columns


def _slopes(rows: Floats, target: Floats) -> Floats:
    """Least squares; columns that differ by no more than rounding are one column."""
    lengths = np.linalg.norm(rows, axis=0)
    units = np.where(lengths > 0, lengths, 1.0)
    return np.asarray(np.linalg.lstsq(rows / units, target, rcond=SAME_COLUMN)[0] / units)
