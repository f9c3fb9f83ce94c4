"""Equal rows drawn as counts: each class keeps its size, each kind its share."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.resampling.equal_rows import (
    counted_rows,
    drawn_kinds,
    equal_rows,
    rows_of_counts,
)
from rocwise.kernels import row_amounts
from rocwise.kernels.resampling_tables import amounts_of_units, signed_rows, unit_sums


def test_kinds_recount_to_the_rows():
    rng = np.random.default_rng(2)
    columns = [rng.integers(0, 2, 40_000), rng.integers(-3, 3, 40_000) / 2.0, rng.random(40_000)]
    columns[2] = np.where(columns[2] < 0.999, 1.0, columns[2])
    found = equal_rows(columns)
    kinds, counts = np.unique(np.column_stack(columns), axis=0, return_counts=True)
    rows = np.column_stack([column[found.firsts] for column in columns])
    order = np.lexsort(rows.T[::-1])
    np.testing.assert_array_equal(rows[order], kinds)
    np.testing.assert_array_equal(found.counts[order], counts)


def test_rows_that_are_mostly_unlike_are_left_alone():
    assert equal_rows([np.random.default_rng(1).random(40_000)]) is None


def test_drawn_kinds_are_multinomial_within_classes():
    counts = np.array([6000, 1, 2, 3990, 7, 5000, 1000, 1])
    positive = np.array([True, True, True, True, True, False, False, False])
    drawn = drawn_kinds(counts, positive, 3)(0, 4000)
    for own in (positive, ~positive):
        size, held = counts[own].sum(), drawn[:, own]
        assert set(held.sum(axis=1)) == {size}
        p = counts[own] / size
        spread = np.sqrt(size * p * (1 - p))
        assert (abs(held.mean(axis=0) - counts[own]) < 5 * spread / np.sqrt(4000)).all()
        # a rare kind is about Poisson: its variance has a standard error of sqrt(3 / 4000)
        assert held.var(axis=0) == pytest.approx(spread**2, rel=5 * np.sqrt(3 / 4000))
    both = np.corrcoef(drawn[:, 0], drawn[:, 3])[0, 1]
    p = counts[[0, 3]] / 10_000
    assert both == pytest.approx(-np.sqrt(p.prod() / (1 - p).prod()), abs=5 / np.sqrt(4000))


def test_a_replicate_does_not_depend_on_those_drawn_with_it():
    draw = drawn_kinds(np.array([60, 1, 2, 30]), np.array([True, True, False, False]), 3)
    np.testing.assert_array_equal(draw(0, 5)[3:], draw(3, 5))


def test_counted_rows_stand_for_the_same_amounts():
    rng = np.random.default_rng(2)
    y, scores = rng.integers(0, 2, 40_000), rng.integers(0, 5, 40_000)
    data = rw.tally(y, scores, sample_weight=rng.integers(1, 4, 40_000).astype(float))
    rows = counted_rows(data.rows)
    assert len(rows) == 2 * 5 * 3
    for found, expected in zip(
        rows.amounts(rows.counts[None, :]), (data.pos, data.neg), strict=True
    ):
        np.testing.assert_allclose(found[0], expected)
    clustered = rw.tally(y, scores, groups=np.arange(40_000))
    assert counted_rows(clustered.rows) is clustered.rows


def test_a_table_of_counts_as_rows():
    pos, neg = np.array([5, 0, 3]), np.array([0, 2, 1])
    rows = rows_of_counts(pos, neg)
    found = rows.amounts(rows.counts[None, :])
    assert [each[0].tolist() for each in found] == [pos.tolist(), neg.tolist()]


def test_rows_of_one_unit_are_added_up_once():
    rng = np.random.default_rng(6)
    positive, starts = rng.random(500) < 0.4, np.array([0, 200, 450])
    units, weights = rng.integers(0, 20, 500), rng.random(500)
    rows = signed_rows(positive, starts, weights, units)
    sums = unit_sums(rows)
    assert sums.shape == (2, 3, 20)
    times = rng.integers(0, 4, (7, 20))
    found = amounts_of_units(sums, times)
    np.testing.assert_allclose(found, row_amounts(rows, times), rtol=1e-12)
    for line in range(7):  # to the last bit, however many are asked for at once
        alone = amounts_of_units(sums, times[line : line + 1])
        np.testing.assert_array_equal(np.array(alone)[:, 0], np.array(found)[:, line])
    assert unit_sums(signed_rows(positive, starts, weights, None)) is None


def test_what_rounding_leaves_over_goes_to_rows_that_are_there():
    counts = np.append(np.full(49, 10**12), 5)
    draw = drawn_kinds(counts, np.arange(50) < 49, 3)
    drawn = draw(0, 300)
    assert (drawn[:, :49].sum(axis=1) == counts[:49].sum()).all()
    assert (drawn[:, 49] == 5).all()
