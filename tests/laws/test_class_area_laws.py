"""Laws of areas over several classes, and of HUM."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw

AVERAGES = ("hand-till", "ovr", "ovr-weighted", "ovo-weighted")


@st.composite
def tables(draw):
    m = draw(st.integers(2, 4))
    extra = draw(st.lists(st.integers(0, m - 1), min_size=0, max_size=8))
    y = np.array([*range(m), *range(m), *extra])
    cells = st.one_of(st.integers(0, 5).map(float), st.floats(0, 5, width=16))
    F = draw(st.lists(cells, min_size=len(y) * m, max_size=len(y) * m))
    return y, np.array(F).reshape(len(y), m)


@settings(max_examples=50)
@given(tables(), st.sampled_from(AVERAGES))
def test_only_the_order_within_a_column_counts(data, average):
    y, F = data
    result = rw.multiclass.auc(y, F, average=average)
    ranks = np.stack([np.unique(c, return_inverse=True)[1] for c in F.T], axis=1)
    lifted = np.exp(ranks) + 10.0 * np.arange(F.shape[1])
    other = rw.multiclass.auc(y, lifted, average=average)
    assert other.value == pytest.approx(result.value, abs=1e-12)
    assert other.standard_error == pytest.approx(result.standard_error, abs=1e-9)
    assert 0 <= result.interval.low <= result.value <= result.interval.high <= 1


@settings(max_examples=50)
@given(tables(), st.sampled_from(AVERAGES), st.integers(0, 1000))
def test_names_and_order_of_rows_and_classes_do_not_count(data, average, seed):
    y, F = data
    rng = np.random.default_rng(seed)
    rows, classes = rng.permutation(len(y)), rng.permutation(F.shape[1])
    result = rw.multiclass.auc(y, F, average=average)
    renamed = np.argsort(classes)[y]
    other = rw.multiclass.auc(renamed[rows], F[:, classes][rows], average=average)
    assert other.value == pytest.approx(result.value, abs=1e-12)
    assert other.standard_error == pytest.approx(result.standard_error, abs=1e-9)
    reverse = rw.multiclass.auc(y, -F, average=average)
    assert reverse.value == pytest.approx(1 - result.value, abs=1e-12)


@settings(max_examples=40)
@given(tables(), st.sampled_from(["sum", "product", "euclid"]), st.integers(0, 1000))
def test_hypervolumes_do_not_depend_on_names(data, rule, seed):
    y, F = data
    classes = np.random.default_rng(seed).permutation(F.shape[1])
    value = rw.multiclass.hum(y, F, rule=rule).value
    assert 0 <= value <= 1
    other = rw.multiclass.hum(np.argsort(classes)[y], F[:, classes], rule=rule).value
    assert other == pytest.approx(value, abs=1e-12)


@settings(max_examples=30)
@given(tables())
def test_what_a_row_adds_to_all_labels_does_not_count_under_sum(data):
    y, F = data
    shifted = F + np.arange(len(y))[:, None]
    assert rw.multiclass.hum(y, shifted).value == pytest.approx(
        rw.multiclass.hum(y, F).value, abs=1e-12
    )
