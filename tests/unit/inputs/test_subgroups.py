"""Scores without labels, and rows split into subgroups."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.inputs.subgroups import score_values, tallies_by_group


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5), st.sampled_from("ab")), max_size=40)
)
def test_groups_add_up_to_the_whole(rows):
    rows += [(label, 2, group) for label in (0, 1) for group in "ab"]
    y, s, g = (list(column) for column in zip(*rows, strict=True))
    whole, parts = tallies_by_group("question", y, s, g)
    assert list(parts) == ["a", "b"]
    for score, pos, neg in zip(whole.scores, whole.pos, whole.neg, strict=True):
        there = [part.scores == score for part in parts.values()]
        held = zip(parts.values(), there, strict=True)
        counts = [(part.pos[at].sum(), part.neg[at].sum()) for part, at in held]
        assert (pos, neg) == tuple(np.sum(counts, axis=0))


def test_groups_may_be_numbers_and_rows_may_be_left_out():
    whole, parts = tallies_by_group(
        "question", [0, 1, 0, 1, 1], [1, 2, 3, 4, 5], [2020, 2020, 2021, 2021, None], missing="drop"
    )
    assert list(parts) == ["2020", "2021"]
    assert whole.n_pos == 2
    assert parts["2021"].origin.n_dropped == 1
    assert parts["2020"].origin.name == "2020"


def test_large_integers_keep_their_order_in_each_group():
    big = 2**60
    _, parts = tallies_by_group(
        "question", [0, 1, 0, 1], [big, big + 1, big + 2, big + 3], [1, 1, 2, 2]
    )
    assert parts["2"].scores.tolist() == [big + 3, big + 2]


@pytest.mark.parametrize(
    "scores", [[0.25, 1], (0.25, 1), np.array([0.25, 1]), [Decimal("0.25"), Decimal(1)]]
)
def test_scores_of_any_kind(scores):
    values = score_values(scores)
    assert values.dtype == np.float64
    assert values.tolist() == [0.25, 1.0]


def test_scores_that_cannot_be_used():
    pd = pytest.importorskip("pandas")
    grades = pd.Series(pd.Categorical(["low", "high"], ["low", "high"], ordered=True))
    with pytest.raises(rw.InputError, match="ordered categories"):
        score_values(grades)
    with pytest.raises(rw.InputError, match="every row has a missing value"):
        score_values([None, np.nan], missing="drop")
    with pytest.raises(rw.InputError, match="`missing` must be one of"):
        score_values([1.0], missing="ignore")


ASKED = {
    "threshold_by_group": lambda *rows, **more: rw.threshold_by_group(*rows, rule="youden", **more),
    "a rule without rates": lambda *rows, **more: rw.threshold_by_group(
        *rows, rule="accuracy", **more
    ),
    "auc": lambda y, s, g, **more: rw.auc(y, s, by=g, **more),
    "auc over clusters": lambda y, s, g, **more: rw.auc(
        y, s, by=g, groups=np.arange(len(y)) // 2, **more
    ),
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize(("kind", "classes"), [("negative", [0]), ("positive", [1])])
def test_a_class_whose_rows_all_have_weight_0_is_absent_from_its_group(asked, kind, classes):
    """It was divided by, which gave warnings, nan, or refusals that spoke of equal scores."""
    y, s, g = np.arange(24) % 2, np.arange(24) * 7 % 24, np.repeat(["a", "b", "c"], 8)
    none = (g == "b") & np.isin(y, classes)
    by = "groups" if asked in ("threshold_by_group", "a rule without rates") else "by"
    words = f"`sample_weight` is 0 for every {kind} row of the group 'b' in `{by}`"
    with pytest.raises(rw.InputError, match=words):
        ASKED[asked](y, s, g, sample_weight=np.where(none, 0.0, 1.5))
    none[np.flatnonzero(none)[:2]] = False  # some rows are enough, of two clusters
    ASKED[asked](y, s, g, sample_weight=np.where(none, 0.0, 1.5))
