"""Class weights: sound problems, tests that know what they promise, and wins recounted."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from papers.multiclass.experiments import (
    DATA_SETS,
    METHODS,
    Sample,
    cost_matrices,
    cost_of,
    rows_of,
)
from papers.multiclass.reproduce import recounted
from papers.multiclass.verdicts import p_of_folds, score
from papers.shared.paper import paper


def test_corrected_t_is_wider_by_the_share_of_test_rows():
    difference = np.random.default_rng(1).normal(0.4, 1, 10)
    assert p_of_folds(difference, corrected=False) == pytest.approx(
        stats.ttest_1samp(difference, 0).pvalue
    )
    t = stats.ttest_1samp(difference, 0).statistic / np.sqrt(1 + 10 / 9)
    assert p_of_folds(difference, corrected=True) == pytest.approx(2 * stats.t.sf(abs(t), 9))
    assert p_of_folds(np.zeros(10), corrected=True) == 1
    assert p_of_folds(np.full(10, -0.5), corrected=True) == 0


def test_score_counts_wins_and_losses():
    rng = np.random.default_rng(2)
    moves = [-1.0, -1.0, -1.0, 1.0, 0.0]
    found = score(
        [move + (0.01 * rng.normal(size=10) if move else 0 * rng.normal(size=10)) for move in moves]
    )
    assert (found.wins, found.losses) == (3, 1)
    assert found.student == found.corrected == (3, 1)


def test_printed_wins_are_recounted():
    expected = paper("multiclass").expected
    counts = [recounted(expected, 2, place) for place in (1, 2, 3, 4)]
    assert counts == ["11/14", "12/9", "7/17", "18/6"]


def test_classes_that_training_never_saw_cost_what_they_cost():
    scores = np.array([[0.6, 0.4], [0.3, 0.7], [0.2, 0.8], [0.7, 0.3]])
    sample = Sample(
        np.array([0, 1, 1, 0]), scores, np.array([1, 0]), scores[:2], np.array([0, 2])
    )  # class 1 of three is new
    costs = np.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]], float)
    assert cost_of("nb", sample, costs) == pytest.approx((3 + 2) / 2)
    assert all(cost_of(name, sample, costs) is not None for name in METHODS)


def test_costs_are_whole_and_free_on_the_diagonal():
    matrices = cost_matrices(4)
    assert matrices.shape == (10, 4, 4)
    assert not np.diagonal(matrices, axis1=1, axis2=2).any()
    beside = matrices[:, ~np.eye(4, dtype=bool)]
    assert set(np.unique(beside)) <= set(range(1, 11))


@pytest.mark.usefixtures("data")
def test_data_sets_have_the_published_classes():
    classes = paper("multiclass").expected["classes"]
    fewer = {"Glass": 6, "Nursery": 4, "Horse-colic (site)": 61, "Horse-colic (type)": 6}
    for name in DATA_SETS:
        table, codes = rows_of(name)
        assert codes.max() + 1 == fewer.get(name, classes[name]), name
        assert len(table) == len(codes) <= 3000
