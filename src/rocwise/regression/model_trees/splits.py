"""Nodes as far from the root as each other, their rows sorted by every column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwise import kernels
from rocwise.arrays import Flags, Floats, Integers

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
