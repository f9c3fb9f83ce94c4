"""Cells of weight space: which exist, how many, and weights inside them."""

from math import comb

import numpy as np
import pytest
from scipy.optimize import linprog

from oracles.weighted_classes import A1, A2, A3, cells, drawn
from rocwise.multiclass.exact_searches import bounds_of, cell_weights, margin_of, merged_rows


def logs(F):
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(F, dtype=float)).T


@pytest.mark.parametrize(("data", "count"), [(A1, 44), (A2, 45)])
def test_cells_of_the_examples(data, count):
    found = list(cells(data.F))
    assert len(found) == count
    for called in found:
        weights = cell_weights(logs(data.F), called)
        assert (np.array(data.F) * weights).argmax(axis=1).tolist() == called.tolist()


@pytest.mark.parametrize(("n", "m"), [(5, 3), (6, 3), (5, 4)])
@pytest.mark.parametrize("seed", range(3))
def test_no_more_cells_than_counts_of_classes(n, m, seed):
    """At most C(n + m - 1, m - 1), reached by generic data of three classes."""
    _, F, _ = drawn(n, m, seed)
    found = [tuple(np.bincount(called, minlength=m)) for called in cells(F)]
    assert len(set(found)) == len(found)  # distinct cells have distinct counts
    assert len(found) <= comb(n + m - 1, m - 1)
    if m == 3:
        assert len(found) == (n + 1) * (n + 2) // 2


def by_programme(bounds):
    """The largest margin by a linear programme, at most 1."""
    m = len(bounds)
    rows, limits = [], []
    for j in range(m):
        for k in range(m):
            if j != k and np.isfinite(bounds[j, k]):
                row = np.zeros(m + 1)
                row[k], row[j], row[m] = 1, -1, 1
                rows.append(row)
                limits.append(bounds[j, k])
    free = [(0, 0)] + [(None, None)] * (m - 1) + [(None, 1)]
    found = linprog(-np.eye(m + 1)[m], A_ub=rows, b_ub=limits, bounds=free)
    return found.x[m]


@pytest.mark.parametrize("kind", ["generic", "ties", "zeros"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("realised", [True, False])
def test_margins_against_a_linear_programme(kind, seed, realised):
    rng = np.random.default_rng(seed)
    _, F, _ = drawn(6, 4, seed, kind)
    F = F[F.any(axis=1)]
    called = (F * rng.random(4)).argmax(axis=1)
    if not realised:  # equal rows that are called differently
        row = np.flatnonzero((F > 0).sum(axis=1) > 1)[0]
        other = np.setdiff1d(np.flatnonzero(F[row]), called[row])[0]
        F, called = np.vstack([F, F[row]]), np.append(called, other)
    bounds = bounds_of(logs(F), called)
    expected = by_programme(bounds)
    assert min(margin_of(bounds), 1.0) == pytest.approx(expected, abs=1e-9)
    weights = cell_weights(logs(F), called)
    if expected > 1e-9:
        u = np.log(weights)
        slack = bounds - (u[None, :] - u[:, None])
        assert slack.min() >= min(expected, 1) - 1e-9
    else:
        assert weights is None


def test_what_no_weights_realise():
    same = logs([[0.6, 0.4], [0.6, 0.4]])
    assert cell_weights(same, np.array([0, 1])) is None  # equal rows, different classes
    assert cell_weights(logs([[0.0, 1.0]]), np.array([0])) is None  # no confidence in class 0
    cycle = logs([[2, 1, 4], [4, 2, 1], [1, 4, 2]])
    assert cell_weights(cycle, np.array([0, 1, 2])) is None


def test_one_class_only():
    weights = cell_weights(logs(A1.F), np.zeros(8, dtype=int))
    assert (np.array(A1.F) * weights).argmax(axis=1).tolist() == [0] * 8


def test_equal_rows_are_merged():
    F = np.array([[0.2, 0.8], [0.2, 0.8], [0.5, 0.5]])
    kept, added = merged_rows(logs(F), np.array([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]))
    assert kept.shape == (2, 2)
    assert sorted(added.T.tolist()) == [[3, 24], [4, 32]]


def test_four_classes_enumerated():
    F, a = np.array(A3.F)[:8], np.array(A3.C)[np.array(A3.y)[:8]] / 8
    assert min(a[np.arange(8), called].sum() for called in cells(F)) == pytest.approx(0.125)
