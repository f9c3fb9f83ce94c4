"""Scores without labels, and rows split into subgroups."""

import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.errors import MisuseWarning
from rocwise.inputs.rows import score_values


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5), st.sampled_from("ab")), max_size=40)
)
def test_groups_add_up_to_the_whole(rows):
    rows += [(label, 2, group) for label in (0, 1) for group in "ab"]
    y, s, g = (list(column) for column in zip(*rows, strict=True))
    whole, parts = rw.thresholds(y, s), rw.thresholds(y, s, by=g)
    assert parts.groups == ("a", "b")
    for k, score in enumerate(whole.threshold):
        called = [table.threshold >= score for table in parts.results.values()]
        tables = list(zip(parts.results.values(), called, strict=True))
        assert whole.tp[k] == sum(table.tp[at].max(initial=0) for table, at in tables)
        assert whole.fp[k] == sum(table.fp[at].max(initial=0) for table, at in tables)


def test_groups_may_be_numbers_and_rows_may_be_left_out():
    y, s, g = [0, 1, 0, 1, 1], [1, 2, 3, 4, 5], [2020, 2020, 2021, 2021, None]
    result = rw.threshold(y, s, by=g, missing="drop", rule="youden")
    assert result.groups == (2020, 2021)
    assert result.pooled.n_pos == 2
    assert result[2021].origin.n_dropped == 1


def test_large_integers_keep_their_order_in_each_group():
    big = 2**60
    result = rw.threshold(
        [0, 1, 0, 1], [big, big + 1, big + 2, big + 3], by=[1, 1, 2, 2], rule="youden"
    )
    assert result.thresholds.tolist() == [big + 1, big + 3]
    assert result.pooled_tpr.tolist() == [1, 1] or result.pooled_tpr.tolist() == [0, 1]


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


CALLS = {
    "threshold": lambda y, s, g, **more: rw.threshold(y, s, by=g, rule="youden", **more),
    "a rule without rates": lambda y, s, g, **more: rw.threshold(
        y, s, by=g, rule="accuracy", **more
    ),
    "auc": lambda y, s, g, **more: rw.auc(y, s, by=g, **more),
    "auc over clusters": lambda y, s, g, **more: rw.auc(
        y, s, by=g, groups=np.arange(len(y)) // 2, **more
    ),
}


@pytest.mark.parametrize("requested", CALLS)
@pytest.mark.parametrize(("kind", "classes"), [("negative", [0]), ("positive", [1])])
def test_a_class_whose_rows_all_have_weight_0_is_absent_from_its_group(requested, kind, classes):
    """Dividing by it gave warnings, nan, or errors about equal scores."""
    y, s, g = np.arange(24) % 2, np.arange(24) * 7 % 24, np.repeat(["a", "b", "c"], 8)
    none = (g == "b") & np.isin(y, classes)
    words = f"`sample_weight` is 0 for every {kind} row"
    with pytest.warns(MisuseWarning, match=f"'b': {words}"):
        found = CALLS[requested](y, s, g, sample_weight=np.where(none, 0.0, 1.5))
    assert found["b"].reason == words
    none[np.flatnonzero(none)[:2]] = False  # some rows are enough, of two clusters
    CALLS[requested](y, s, g, sample_weight=np.where(none, 0.0, 1.5))


def test_clusters_that_several_groups_share():
    """Welch's test takes groups as independent; those of other functions are not compared."""
    rows = {"y": np.tile([0, 1], 60), "s": np.arange(120) % 7, "by": np.arange(120) // 60}
    options = {"label": "y", "score": "s", "by": "by", "groups": "patient"}
    apart, shared = (
        pd.DataFrame(rows | {"patient": k}) for k in (np.arange(120) // 3, np.arange(120) % 40)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", rw.errors.MisuseWarning)
        rw.auc(apart, **options)
        rw.at(shared, threshold=3, n_resamples=10, rng=1, **options)
    with pytest.warns(rw.errors.MisuseWarning, match="some clusters have rows in several groups"):
        rw.auc(shared, **options)


def test_rows_left_out_are_named_once_for_all_groups():
    y, s, g = [0, 1, 0, 1, 0, 1], [1.0, 2.0, 2.0, 1.0, np.nan, 3.0], [1, 1, 2, 2, 2, 2]
    options = {"by": g, "missing": "drop"}
    for found in (rw.auc(y, s, **options), rw.at(y, s, threshold=1.5, **options)):
        assert str(found).count("1 row with missing values left out") == 1
        assert found._repr_html_().count("1 row with missing values left out") == 1


def test_a_single_group_with_a_result_is_shown_in_notebooks_too():
    with pytest.warns(rw.errors.MisuseWarning, match="have no result"):
        found = rw.auc([0, 1, 0, 1, 0, 0], range(6), by=[1, 1, 1, 1, 2, 2])
    for text in (str(found), found._repr_html_(), found.to_latex(caption="Areas")):
        assert "no positive example among 2 rows" in text
        assert "all equal" not in text
