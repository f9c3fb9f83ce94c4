"""No rule chooses a threshold that another one beats in both rates; 0 / 0 is no number."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.errors import DirectionWarning

ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6)), min_size=1, max_size=12)
# not: gaps, statistics of two sides, and predictive values, which some thresholds do not have
RATES = ["youden", "ameans", "closest", "product", "maximin", "minimax", "accuracy", "f1"]


def beaten(y, score, point):
    """Whether some threshold is at least as good in both rates and better in one."""
    y, score = np.asarray(y), np.asarray(score)
    for cut in [*np.unique(score), np.inf]:
        tpr, tnr = np.mean(score[y == 1] >= cut), np.mean(score[y == 0] < cut)
        gains = tpr - point.tpr, tnr - point.specificity
        if min(gains) > -1e-12 and max(gains) > 1e-12:
            return True
    return False


@pytest.mark.parametrize(("rule", "best"), [("maximin", 3), ("minimax", 3)])
def test_equal_minima_are_told_apart_by_the_other_rate(rule, best):
    y, score = [0, 0, 0, 1, 1, 1, 1], [1, 2, 5, 3, 4, 6, 7]
    point = rw.threshold(y, score, rule=rule)
    assert point.threshold == best  # sensitivity 1 instead of 3/4, specificity 2/3 in both
    assert (point.tpr, point.specificity) == (1.0, pytest.approx(2 / 3))


@pytest.mark.parametrize("rule", RATES)
@given(rows=ROWS)
def test_no_threshold_beats_the_chosen_one(rule, rows):
    y, score = [0, 1, *(y for y, _ in rows)], [2.0, 3.0, *(float(s) for _, s in rows)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DirectionWarning)
        point = rw.threshold(y, score, rule=rule)
    assert not beaten(y, score, point)


def test_undefined_likelihood_ratios_are_masked_and_are_no_number():
    table = rw.thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    ratio = np.ma.masked_array(table.lr_negative)
    assert ratio.mask.tolist() == [False, False, False, True]
    assert np.isnan(ratio.data[-1])  # 0 / 0: nobody is called negative
    assert table.to_dict()["lr_negative"][-1] is None
    assert np.isnan(np.ma.masked_array(table.npv).data[-1])
