"""Trees with linear models at their nodes: grown from the root down, pruned from below."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.progress import reporter
from rocwise.regression.blas_threads import library_threads
from rocwise.regression.model_trees.many_models import fitted_models
from rocwise.regression.model_trees.splits import best_splits

MOST_WAITING = 5_000_000  # rows of nodes whose models are still to be fitted


@dataclass(eq=False)
class Node:
    """A leaf, or a question with two children; every node has a linear model."""

    n: int
    intercept: float = math.nan
    coefficients: Floats = field(default_factory=lambda: np.empty(0))
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


def grow(X: Floats, y: Floats, *, min_samples_leaf: int, prune: bool) -> Node:
    """The whole tree, pruned bottom-up if asked for."""
    unit = _unit(y)
    y = y / unit
    root = Node(len(y))
    level = [(root, np.arange(len(y)))]
    nodes, waiting, held = [root], list(level), len(y)
    done, report, deviation = 0, reporter(True, "model tree"), float(y.std())
    while level:  # nodes as far from the root as each other: a few calls find all their splits
        splits = best_splits(X, y, [rows for _, rows in level], deviation, min_samples_leaf)
        below: list[tuple[Node, Places]] = []
        for (node, rows), split in zip(level, splits, strict=True):
            if split is None:
                done += len(rows)
                continue
            node.feature, node.cut = split
            left = X[rows, node.feature] <= node.cut
            node.below, node.above = Node(int(left.sum())), Node(int((~left).sum()))
            below += [(node.below, rows[left]), (node.above, rows[~left])]
        report(done / len(y))
        nodes += [node for node, _ in below]
        waiting += below
        level, held = below, held + sum(node.n for node, _ in below)
        if not level or held > MOST_WAITING:
            _fit(X, y, waiting)
            waiting, held = [], 0
    if prune:
        _prune(nodes)
    for node in nodes:
        node.intercept, node.error = node.intercept * unit, node.error * unit
        node.coefficients = node.coefficients * unit
    return root


def _fit(X: Floats, y: Floats, waiting: list[tuple[Node, Places]]) -> None:
    with library_threads(1):  # many small triangles
        models = fitted_models(X, y, [rows for _, rows in waiting])
    for (node, _), model in zip(waiting, models, strict=True):
        node.intercept, node.coefficients, node.error = model


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
