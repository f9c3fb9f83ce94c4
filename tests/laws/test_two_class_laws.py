"""Two classes are a special case of ordered and of several classes: the same results throughout."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw

# laws hold for scores that point the wrong way too
pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")


@st.composite
def described_rows(draw):
    """Labels and two scores, plain, with weights, in clusters, or with both."""
    n_neg, n_pos = draw(st.integers(2, 40)), draw(st.integers(2, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = np.repeat([0, 1], [n_neg, n_pos])
    shift = draw(st.sampled_from([0.0, 1.0, 3.0, 9.0]))
    scores = rng.normal(size=(2, len(y))) + shift * y
    if draw(st.booleans()):
        scores = scores.round()
    described = {}
    if draw(st.booleans()):
        described["sample_weight"] = rng.uniform(0.5, 2.0, len(y))
    if draw(st.booleans()):
        # the first two rows of each class in clusters of their own: a class needs two
        groups = rng.integers(4, 4 + len(y), len(y))
        groups[[0, 1, -2, -1]] = range(4)
        described["groups"] = groups
    return y, *scores, described


def two_columns(score):
    return np.column_stack([-score, score])


def assert_same_interval(found, expected):
    assert found.method == expected.method
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


@given(described_rows())
@settings(max_examples=60)
def test_one_area(rows):
    y, a, _, described = rows
    expected = rw.auc(y, a, **described)
    ordered = [rw.ordinal.auc(y, a, measure=m, **described) for m in ("volume", "pairs")]
    for found in (*ordered, rw.multiclass.auc(y, two_columns(a), **described)):
        assert found.value == pytest.approx(expected.value, abs=1e-12)
        assert found.standard_error == pytest.approx(expected.standard_error, abs=1e-9)
        assert_same_interval(found.interval, expected.interval)
    curves = rw.multiclass.roc(y, two_columns(a), **described)
    assert_same_interval(curves.areas["1"].interval, expected.interval)
    table = rw.multiclass.auc(y, two_columns(a), **described).per_class_intervals()
    assert_same_interval(table["1"], expected.interval)


@given(described_rows(), st.sampled_from(["two-sided", "non-inferior"]))
@settings(max_examples=60)
def test_one_difference(rows, alternative):
    y, a, b, described = rows
    tested = {"alternative": alternative} | ({"margin": 0.1} if alternative != "two-sided" else {})
    expected = rw.compare(y, {"a": a, "b": b}, **tested, **described)
    models = {"a": two_columns(a), "b": two_columns(b)}
    for found in (
        rw.ordinal.compare(y, {"a": a, "b": b}, **tested, **described),
        rw.multiclass.compare(y, models, **tested, **described),
    ):
        assert found.method == expected.method
        assert found.p_value == pytest.approx(expected.p_value, abs=1e-8)
        assert found.interval.low == pytest.approx(expected.interval.low, abs=1e-8)
        for name in ("a", "b"):
            assert_same_interval(found.intervals[name], expected.intervals[name])


@given(described_rows())
@settings(max_examples=40)
def test_three_models_jointly(rows):
    y, a, b, described = rows
    scores = {"a": a, "b": b, "c": a + b}
    expected = rw.compare(y, scores, **described)
    models = {name: two_columns(score) for name, score in scores.items()}
    for found in (
        rw.ordinal.compare(y, scores, **described),
        rw.multiclass.compare(y, models, **described),
    ):
        assert found.method == expected.method
        assert found.df == expected.df
        # differences without variance may be 0 / 0 to rounding
        assert found.p_value == pytest.approx(expected.p_value, abs=1e-6)
        assert found.pairwise["high_adjusted"] == pytest.approx(
            expected.pairwise["high_adjusted"], abs=1e-8
        )
