"""The table of rules, and which of the candidate thresholds they choose."""

import warnings
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.binary.threshold_rules import RULES, TIES, RuleName
from rocwise.errors import DirectionWarning

ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6)), min_size=1, max_size=12)
# not: gaps, statistics of two sides, and predictive values, which some thresholds do not have
RATES = ["youden", "ameans", "closest", "product", "maximin", "minimax", "accuracy", "f1"]


def test_the_names_that_are_typed_are_those_of_the_table():
    assert get_args(RuleName) == tuple(RULES)
    assert {rule.ties for rule in RULES.values()} <= set(TIES)


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
def test_ties_between_minima_are_broken_by_the_other_rate(rule, best):
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


def test_infinite_and_undefined_values_of_an_own_rule():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 2000)
    data = rw.tally(y, rng.normal(size=len(y)) + y)

    def own(tp, fp, fn, tn):
        best = np.where(tn == 6, 1.0, 1.0 - 1e-16)  # equal up to rounding
        return np.where((tn >= 5) & (tn <= 6), best, np.where(tp % 5 == 0, np.nan, -np.inf))

    point = rw.threshold(data, rule=own)
    rejected = data.n_neg - data.fp
    assert point.equals.tolist() == data.scores[(rejected >= 5) & (rejected <= 6)].tolist()
    with pytest.raises(rw.InputError, match="no value at any threshold"):
        rw.threshold(data, rule=lambda tp, fp, fn, tn: np.full(np.shape(tp), np.nan))
