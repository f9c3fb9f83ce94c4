"""Formulas of columns give the same numbers in parts as in one piece."""

import math

import numpy as np
import pytest

import rocwise as rw
from rocwise.kernels import row_formulas
from rocwise.kernels.row_formulas import row_by_row, run_models
from rocwise.kernels.threads import thread_limit

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("rows", [1, 99, 100, 101, 350])
@pytest.mark.parametrize("number", [1, 3])
def test_parts_and_threads_change_no_bit(monkeypatch, rows, number):
    monkeypatch.setattr(row_formulas, "STEP", 100)
    monkeypatch.setattr(row_formulas, "SHARED_STEP", 40)
    monkeypatch.setattr(row_formulas, "ROWS_PER_THREAD", 120)
    first, second = RNG.integers(0, 9, rows), RNG.normal(size=rows)
    seen = []

    def formula(a, b):
        seen.append(len(a))
        return np.sqrt(a + b * b) / 3

    with rw.threads(number):
        found = row_by_row(formula, first, second)
    assert np.array_equal(found, np.sqrt(first + second * second) / 3)
    assert sum(seen) == rows
    assert max(seen) <= (40 if rows >= 120 else 100)


@pytest.mark.parametrize("weights", [None, RNG.random(40_000) + 0.5])
def test_the_table_of_many_thresholds_is_that_of_one_piece(monkeypatch, weights):
    y = RNG.integers(0, 2, 40_000)
    tally = rw.tally(y, y + RNG.normal(size=40_000), sample_weight=weights)
    costs = rw.Costs(fp=2, fn=7, tp=1)
    parted = rw.thresholds(tally, costs=costs)
    monkeypatch.setattr(row_formulas, "STEP", 10**6)
    whole = rw.thresholds(tally, costs=costs)
    for name, column in whole._columns().items():
        found = getattr(parted, name)
        assert np.array_equal(np.ma.filled(found, -9), np.ma.filled(column, -9)), name
        assert np.array_equal(np.ma.getmaskarray(found), np.ma.getmaskarray(column)), name
        assert found.dtype == column.dtype


@pytest.mark.parametrize("rows", [1, 99, 100, 101, 350])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("number", [1, 3])
def test_columns_by_class_keep_their_order(monkeypatch, rows, share, number):
    monkeypatch.setattr(row_formulas, "STEP", 100)
    monkeypatch.setattr(row_formulas, "ROWS_PER_THREAD", 120)
    table = RNG.integers(0, 99, (2, rows))
    mask = (RNG.random(rows) < share).astype(np.uint8)
    with rw.threads(number):
        pos, neg = row_formulas.split_by_class(table, mask)
    assert np.array_equal(pos, table[:, mask == 1])
    assert np.array_equal(neg, table[:, mask == 0])


@pytest.mark.parametrize("rows", [0, 1, 350])
@pytest.mark.parametrize("dtype", ["f4", "i8"])
def test_stacked_columns_are_a_copy(monkeypatch, rows, dtype):
    monkeypatch.setattr(row_formulas, "ROWS_PER_THREAD", 120)
    columns = [RNG.normal(size=rows).astype(dtype) for _ in range(3)]
    with rw.threads(3):
        table = row_formulas.stacked(columns)
    assert np.array_equal(table, np.stack(columns))
    assert table.dtype == dtype
    assert not any(np.may_share_memory(table, column) for column in columns)


@pytest.mark.parametrize(("number", "alone"), [(1, 0), (2, 4), (3, 3), (8, 0)])
def test_models_have_a_thread_each_as_far_as_they_go_round(monkeypatch, number, alone):
    monkeypatch.setattr(row_formulas, "ROWS_PER_THREAD", 100)
    with rw.threads(number):
        seen = run_models(lambda model: (model, thread_limit()), [(k,) for k in range(5)], rows=100)
        few = run_models(thread_limit, [()] * 5, rows=99)
    assert seen == [(k, 1 if k < alone else number) for k in range(5)]
    assert few == [number] * 5


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_first_model_that_fails_is_told_about(monkeypatch, number):
    monkeypatch.setattr(row_formulas, "ROWS_PER_THREAD", 1)

    def fail(model):
        if model:
            raise ValueError(str(model))

    with rw.threads(number), pytest.raises(ValueError, match="1"):
        run_models(fail, [(k,) for k in range(5)], rows=1)


@pytest.mark.parametrize("models", [2, 3])
def test_threads_change_no_bit_of_a_comparison(monkeypatch, models):
    y = RNG.integers(0, 2, 3000)
    scores = {str(k): np.round(y + RNG.normal(size=3000), 2) for k in range(models)}
    monkeypatch.setattr(row_formulas, "ROWS_PER_THREAD", 100)
    found = []
    for number in (1, 2, 3):
        with rw.threads(number):
            found.append(rw.auc_covariance(rw.pair(y, scores)))
    for other in found[1:]:
        assert np.array_equal(other, found[0])


@pytest.mark.parametrize("number", [1, 3])
def test_sums_of_rows_depend_on_no_thread(monkeypatch, number):
    values = np.random.default_rng(2).random(1000)
    steps = [values[first : first + 70].sum() for first in range(0, 1000, 70)]
    monkeypatch.setattr(row_formulas, "SHARED_STEP", 70)
    monkeypatch.setattr(row_formulas, "ROWS_PER_THREAD", 100)
    with rw.threads(number):
        found = row_formulas.sums_of_rows(lambda some: (some.sum(), float(len(some))), values)
    assert found == (math.fsum(steps), 1000.0)


def test_sums_of_no_rows():
    assert row_formulas.sums_of_rows(lambda some: (some.sum(),), np.empty(0)) == (0.0,)
