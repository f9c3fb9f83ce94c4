"""Curves of drawn rows with weights, or of whole clusters: read as the numpy formulas read them."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.abstention import BestWindow, normalized
from rocwise.binary.resampling.curve_statistics import heights_at
from rocwise.binary.resampling.forms_of_statistics import of_counts, reader_of
from rocwise.binary.roc import cumulative_rates
from rocwise.binary.threshold_rules import (
    RULES,
    TIES,
    cells_of,
    checked_rule,
    choose,
    rule_in_numbers,
)
from rocwise.kernels.drawn_rows.plain import choose_rows as plain_choice
from rocwise.kernels.plain.resampling import row_amounts
from rocwise.kernels.readers import Reader
from unit.kernels.test_reading import STATISTICS, scored, told

LINES = 6


def drawn(kind, held):
    """A tally of rows that are not alike, its rows by unit, and how often units are there."""
    y, score = scored(kind)
    rng = np.random.default_rng(2)
    if held == "weights":
        data = rw.tally(y, score, sample_weight=rng.uniform(0.5, 2.0, len(y)))
        units, n_units = None, len(y)
    else:
        data = rw.tally(y, score, groups=rng.integers(0, 15, len(y)))
        units, n_units = data.rows.clusters, data.rows.n_clusters
    return data, data.rows.signed(units), rng.integers(0, 4, (LINES, n_units))


@pytest.mark.parametrize("held", ["weights", "clusters"])
@pytest.mark.parametrize("kind", ["distinct", "tied", "perfect"])
@pytest.mark.parametrize("name", [name for name in STATISTICS if name != "window"])
def test_readers_give_what_the_formulas_give(kernels, name, kind, held):
    data, rows, times = drawn(kind, held)
    formula, reader = of_counts(data, STATISTICS[name]), reader_of(data, STATISTICS[name])
    own = np.stack([np.append(0.0, part.cumsum()) for part in (data.pos, data.neg)])
    found = kernels.read_rows(rows, times, own, formula, reader)
    expected = formula(*row_amounts(rows, times))
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)


def test_a_function_of_ones_own_is_given_amounts(kernels):
    _, rows, times = drawn("tied", "weights")
    found = kernels.read_rows(rows, times, np.zeros((2, 1)), lambda pos, _: pos[:, 0], None)
    assert found.tolist() == row_amounts(rows, times)[0][:, 0].tolist()
    assert len(found) == LINES


@pytest.mark.parametrize("kind", ["distinct", "tied", "perfect"])
def test_heights_at_many_rates(kernels, kind):
    data, rows, times = drawn(kind, "weights")
    grid = np.array([0.0, 0.1, 1 - 0.8, 1 / 3, 0.5, 1.0])

    def heights(pos, neg):
        tpr, fpr = cumulative_rates(pos), cumulative_rates(neg)
        return np.stack([heights_at(fpr, tpr, at) for at in grid], axis=1)

    own = np.stack([np.append(0.0, part.cumsum()) for part in (data.pos, data.neg)])
    reader = Reader("heights", grid, width=len(grid), finished=lambda read: read)
    found = kernels.read_rows(rows, times, own, heights, reader)
    np.testing.assert_allclose(found, heights(*row_amounts(rows, times)), rtol=1e-13)


@pytest.mark.parametrize("held", ["weights", "clusters"])
@pytest.mark.parametrize("kind", ["distinct", "tied", "perfect"])
@pytest.mark.parametrize("name", RULES)
def test_rules_choose_the_same_places(kernels, name, kind, held):
    _, rows, times = drawn(kind, held)
    for ties in TIES:
        rule, terms = checked_rule(name, prevalence=None, **told(name))

        def chosen(tp, fp, rule=rule, terms=terms, ties=ties):
            cells = cells_of(tp, fp, tp[:, -1:], fp[:, -1:], terms.prevalence)
            return choose(cells, rule, terms, ties).place

        places, absent = kernels.choose_rows(
            rows, times, chosen, rule_in_numbers(rule, terms, ties)
        )
        expected = plain_choice(rows, times, chosen, None)
        assert places.tolist() == expected[0].tolist()
        np.testing.assert_array_equal(absent, expected[1])


@pytest.mark.parametrize("held", ["weights", "clusters"])
@pytest.mark.parametrize("kind", ["distinct", "tied", "perfect"])
@pytest.mark.parametrize("abstain", [0.3, 0.9])
def test_windows_are_read_without_what_was_left_out(kernels, kind, held, abstain):
    _, rows, times = drawn(kind, held)
    window = BestWindow(normalized(rw.Costs(fp=1, fn=5, abstain=abstain), "abstain"), 0.3)
    found = kernels.read_rows(rows, times, None, window.as_read, window.reader_of_places())
    expected = window.as_read(*row_amounts(rows, times))
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("held", ["weights", "clusters"])
def test_rows_left_out_are_those_of_absent_units(kernels, held):
    data, rows, times = drawn("tied", held)
    last = len(data)
    places = np.stack([np.arange(LINES) % (last + 1), np.full(LINES, last)], axis=1)
    found = kernels.left_out_rows(rows, times, places)
    for line, at in zip(found, range(LINES), strict=True):
        absent = times[at, rows.units] == 0
        above = np.arange(len(absent)) < rows.starts[places[at, 0]]
        for own, (part, whole, same) in (
            (rows.weights > 0, line[:3][[0, 2, 1]]),
            (rows.weights < 0, line[3:][[0, 2, 1]]),
        ):
            assert part == pytest.approx(np.abs(rows.weights[own & absent & above]).sum())
            assert whole == same == pytest.approx(np.abs(rows.weights[own & absent]).sum())


@pytest.mark.parametrize("places", [[[-1]] * LINES, [[1000]] * LINES, [[0]], [0] * LINES])
def test_places_beyond_the_curve_are_refused(kernels, places):
    _, rows, times = drawn("tied", "weights")
    with pytest.raises(ValueError, match="`places` must have a line for each of `times`"):
        kernels.left_out_rows(rows, times, np.array(places))


def test_units_without_a_column_are_refused(kernels):
    data, rows, times = drawn("tied", "weights")
    reader = reader_of(data, STATISTICS["area"])
    for ask in (
        lambda: kernels.read_rows(rows, times[:, :-1], np.zeros((2, 1)), lambda p, _: p, reader),
        lambda: kernels.left_out_rows(rows, times[:, :-1], np.zeros((LINES, 1), np.intp)),
        lambda: kernels.choose_rows(rows, times[:, :-1], lambda tp, _: tp, np.zeros(10)),
    ):
        with pytest.raises(ValueError, match="each unit needs a column"):
            ask()
