"""The verdict follows from the statements; naive Bayes for regression by its definition."""

from __future__ import annotations

import numpy as np
import pytest

from papers.rec.bayes_regression import GRID, BayesRegressor
from papers.shared.claims import Claim, claims_table, judged


def claim(holds, **marks):
    return Claim("section 1", "a statement", "counts", "a number", holds, **marks)


@pytest.mark.parametrize(
    ("statements", "verdict"),
    [
        ([True] * 4 + [False], "reproduced"),
        ([True] * 4 + [False, None, None], "reproduced"),
        ([True] * 3 + [False], "in part"),
        ([True] * 2 + [False] * 3, "in part"),
        ([True] + [False] * 2, "not reproduced"),
    ],
)
def test_verdict_by_the_proportion_that_holds(statements, verdict):
    assert judged([claim(one) for one in statements], "").verdict == verdict


@pytest.mark.parametrize(
    ("conclusions", "verdict"),
    [
        ([True, True], "reproduced with the erratum"),
        ([True, False], "in part"),
        ([False, False], "not reproduced"),
        ([None, True], "reproduced with the erratum"),
    ],
)
def test_verdict_by_the_conclusions(conclusions, verdict):
    others = [claim(True, erratum=True), *[claim(True)] * 9]
    found = judged([*others, *(claim(one, conclusion=True) for one in conclusions)], "Why.")
    assert found.verdict == verdict
    assert found.sentence.endswith("Why.")


def test_conclusions_are_bold():
    table = claims_table([claim(True, conclusion=True), claim(False)])
    assert "| **a statement** |" in table
    assert "1 of 2 tested statements hold, 1 of 1 conclusions." in table


def test_naive_bayes_for_regression():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    y = X @ [1.0, -0.5] + 0.1 * rng.normal(size=30)
    new = rng.normal(size=(5, 2))
    widths = [1.06 * column.std(ddof=1) * 30**-0.2 for column in (*X.T, y)]
    grid = np.linspace(y.min(), y.max(), GRID)
    found = BayesRegressor().fit(X, y).predict(new)
    for row, median in zip(new, found, strict=True):
        masses = []
        for value in grid:
            near = np.exp(-(((value - y) / widths[2]) ** 2) / 2)
            mass = near.sum()
            for j in (0, 1):  # p(a_j | y)
                mass *= (np.exp(-(((row[j] - X[:, j]) / widths[j]) ** 2) / 2) * near).sum()
                mass /= near.sum()
            masses.append(mass)
        share = np.cumsum(masses) / np.sum(masses)
        assert median == grid[np.argmax(share >= 0.5)]
