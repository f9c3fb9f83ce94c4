"""The operating-point problem: what calling each row each class adds to the expected cost.

Everything that looks for weights needs two tables only: the scores (probabilities of the classes,
or any other confidences of at least 0) and the losses. A row is called the class with the largest
weighted score, the lowest class number on ties.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats, Places
from rocwise.data.class_rows import ClassRows, rescaled
from rocwise.errors import MisuseWarning, count_of, warn
from rocwise.inference.cost_matrices import class_shares, cost_matrix
from rocwise.kernels.long_arrays import far_apart, on_large_pages
from rocwise.kernels.row_formulas import ROWS_PER_THREAD, parts_of_rows
from rocwise.kernels.threads import run_parts

Classes = Places

ROWS_AT_ONCE = 1024  # of a table that is turned: what stays in a near cache
CALLED_FIRST = "always called class 0"  # what a rule does with rows without confidence


@dataclass(frozen=True, eq=False)
class OperatingProblem:
    """Scores and losses; arrays have one line per class, so that classes are contiguous.

    Attributes
    ----------
    scores : ndarray (m, n)
        f_ik, at least 0. Equal rows of one class are one column here, with their losses added.
    labels, row_weights : ndarray (n,)
        True classes, and how many rows (or what sum of weights) each column stands for.
    costs, prior, class_sizes : ndarray
        (m, m), costs[true, predicted]; (m,); rows of each class, or the sum of their weights.
    given_losses : ndarray (m, n), optional
        Losses of rows that were drawn from others, whose shares they have.
    """

    scores: Floats
    labels: Classes
    row_weights: Floats
    costs: Floats
    prior: Floats
    class_sizes: Floats
    given_losses: Floats | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes m."""
        return len(self.scores)

    @property
    def n_rows(self) -> int:
        """Number of distinct rows."""
        return int(self.scores.shape[1])

    @property
    def least_gain(self) -> float:
        """Costs that differ by less are equal: rounding, in the units of the costs."""
        return 1e-12 * float(self.costs.max() or 1.0)

    @cached_property
    def row_shares(self) -> Floats:
        """p_y / n_y times the weight of each row: what a loss of 1 there adds."""
        return shares_per_row(self.prior, self.class_sizes)[self.labels] * self.row_weights

    @cached_property
    def losses(self) -> Floats:
        """a_ik = p_y / n_y * c_yk * weight (m, n), y the true class of row i.

        Expected cost is the sum of the losses of the classes called. Made when it is asked for: it
        is as large as the scores, and a rule without weights does not need it.
        """
        if self.given_losses is not None:
            return self.given_losses
        losses, shares = on_large_pages(self.scores.shape, np.float64), self.row_shares

        def fill(k: int) -> None:
            np.take(self.costs[:, k], self.labels, out=losses[k], mode="clip")
            losses[k] *= shares

        by_class(fill, self.scores)
        return losses

    def logs(self) -> Floats:
        """Logarithms of the scores; minus infinity at 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.scores)

    def cost(self, called: Classes) -> float:
        """Expected cost of calling the rows these classes."""
        if self.given_losses is not None:
            return float(self.given_losses[called, np.arange(self.n_rows)].sum())
        return float((self.costs[self.labels, called] * self.row_shares).sum())

    def cost_at(self, weights: Floats) -> float:
        """Expected cost of the largest weighted confidence."""
        return self.cost(called_classes(self.scores, weights))


def called_classes(scores: Floats, weights: Floats) -> Classes:
    """The class of the largest weighted confidence in each column; ties: the lowest class.

    >>> called_classes(np.array([[0.4, 0.5], [0.6, 0.25]]), np.array([1.0, 2.0])).tolist()
    [1, 0]
    """
    return kernels.largest_weighted(scores, weights)[1].astype(np.intp, copy=False)


def operating_problem(
    rows: ClassRows, costs: Any, prior: Any, empty_rows: str = CALLED_FIRST
) -> OperatingProblem:
    """Check costs and prior, and work out the losses; by default every error costs 1."""
    m, sizes = rows.n_classes, rows.class_sizes
    matrix = 1.0 - np.eye(m) if costs is None else cost_matrix(costs, m)
    shares = class_shares(prior, sizes)
    scores = lines_of(rows.scores).T  # the same table, each class in one place
    warn_of_empty_rows(scores, rows.rows, fate=empty_rows)
    weights = np.ones(len(rows.labels)) if rows.weights is None else rows.weights
    lines, labels, counts = _distinct(rescaled(scores), rows.labels, weights)
    return OperatingProblem(lines, labels, counts, matrix, shares, sizes)


def by_class(task: Callable[[int], None], lines: Floats) -> None:
    """Call a task for each class, the line of a table that has many: classes side by side."""
    if lines.size >= ROWS_PER_THREAD:
        run_parts(task, [(k,) for k in range(len(lines))])
    else:
        for k in range(len(lines)):
            task(k)


def lines_of(table: Floats) -> Floats:
    """A copy of an (n, m) table with one line per class.

    Some rows at a time: entries beside each other in a row are fetched together.

    >>> lines_of(np.array([[0.4, 0.5], [0.6, 0.25]])).tolist()
    [[0.4, 0.6], [0.5, 0.25]]
    """
    lines = on_large_pages(table.shape[::-1], np.float64)

    def fill(start: int, stop: int) -> None:
        for first in range(start, stop, ROWS_AT_ONCE):
            some = slice(first, min(first + ROWS_AT_ONCE, stop))
            lines[:, some] = table[some].T

    run_parts(fill, far_apart(parts_of_rows(len(table))))
    return lines


def shares_per_row(prior: Floats, sizes: Floats) -> Floats:
    """p_j / n_j, and 0 for a class without rows."""
    return np.divide(prior, sizes, out=np.zeros_like(prior), where=sizes > 0)


def warn_of_empty_rows(
    scores: Floats,
    rows: Places | None = None,
    fate: str = CALLED_FIRST,
) -> None:
    """Say how many rows have no confidence in any class."""
    empty = ~scores.any(axis=1)
    if empty.any():
        first = int(empty.argmax()) if rows is None else int(rows[empty.argmax()])
        warn(
            f"`y_score` has {count_of(int(empty.sum()), 'row')} without any confidence above 0 "
            f"(first at row {first}); such rows are {fate}.",
            MisuseWarning,
        )


def _distinct(scores: Floats, labels: Classes, weights: Floats) -> tuple[Floats, Classes, Floats]:
    """Distinct rows in an order that does not depend on how the data were ordered or repeated.

    Rows are sorted by one mixture of their columns, in which equal rows are neighbours. Scores
    are given back with a line for each class: sorted line by line, they stay in a near cache.
    They may be sorted where they are.
    """
    present = weights > 0
    if not present.all():
        scores, labels, weights = scores[present], labels[present], weights[present]
    factors = np.random.default_rng(0).random(scores.shape[1] + 1)
    scale = scores.max() or 1.0
    lines = np.ascontiguousarray(scores.T)
    mixture = factors[-1] * labels
    share = np.empty_like(mixture)
    for factor, line in zip(factors, lines, strict=False):
        np.divide(line, scale, out=share)
        share *= factor
        mixture += share
    order = kernels.argsort(mixture)
    mixture, labels = mixture[order], labels[order]

    def sort(k: int) -> None:
        lines[k] = lines[k][order]

    by_class(sort, lines)
    differs = mixture[1:] != mixture[:-1]
    alike = np.flatnonzero(~differs)
    differs[alike] = (labels[alike + 1] != labels[alike]) | (
        lines[:, alike + 1] != lines[:, alike]
    ).any(axis=0)
    if differs.all():
        return lines, labels, weights[order]
    starts = np.concatenate(([0], np.flatnonzero(differs) + 1))
    lines = np.ascontiguousarray(lines[:, starts])
    return lines, labels[starts], np.add.reduceat(weights[order], starts)
