"""Trees with linear models at their nodes: grown from the root down, pruned from below."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from rocwise.arrays import Floats, Integers
from rocwise.progress import reporter
from rocwise.regression.blas_threads import library_threads
from rocwise.regression.model_trees.many_models import fitted_models
from rocwise.regression.model_trees.splits import Level

MOST_WAITING = 5_000_000  # rows of nodes whose models are still to be fitted
ROUNDING = 1e-12  # errors this close to each other are the same
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
