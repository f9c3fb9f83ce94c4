"""Long tables are written by column, and say what tables written cell by cell say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise import printing
from rocwise.cli.commands.roc import curve_report
from rocwise.cli.output import number_columns, text_tables
from rocwise.cli.reports import threshold_tables

SCORES = {
    "rates": lambda rng, n: rng.random(n),
    "rounded": lambda rng, n: rng.integers(0, 400, n) / 100,
    "both signs": lambda rng, n: rng.normal(0, 100, n),
    "from tiny to huge": lambda rng, n: rng.choice([-1, 1], n) * 10.0 ** rng.uniform(-20, 20, n),
    "close together": lambda rng, n: 0.3 + rng.integers(0, 200, n) * 2.0**-54,
    "float32": lambda rng, n: rng.random(n).astype(np.float32),
    "whole numbers": lambda rng, n: rng.integers(-500, 500, n),
    "whole floats": lambda rng, n: rng.integers(-500, 500, n).astype(float),
}


def a_tally(kind, direction="higher", weights=False, n=300):
    rng = np.random.default_rng(3)
    y = np.arange(n) % 3 == 0
    weight = rng.random(n) if weights else None
    return rw.tally(y, SCORES[kind](rng, n), direction=direction, sample_weight=weight)


@pytest.mark.filterwarnings("ignore::rocwise.RocwiseWarning")
@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("weights", [False, True])
def test_tables_by_column_are_those_by_cell(kind, direction, weights, monkeypatch):
    tally = a_tally(kind, direction, weights)
    table = rw.thresholds(tally, costs=rw.Costs(fp=1, fn=5))
    rows = list(range(len(table)))
    texts = printing.threshold_texts(table.threshold, rows, direction=direction)
    for width in (60, 80, 300):
        short = threshold_tables.fitting_table(table, dict(enumerate(texts)), rows, width)
        assert threshold_tables.long_table(table, width) == short
    curve = rw.roc(tally)
    short = curve_report(curve, tally, everything=True)
    monkeypatch.setattr(number_columns, "MANY", 2)
    assert curve_report(curve, tally, everything=True) == short


def lines(signs):
    return ["".join(map(chr, line)) for line in signs.T]


@given(
    st.lists(
        st.floats(-1.5, 1.5) | st.sampled_from([0.0005, -0.0004, 0.5, 0.0625, 1.0]), min_size=1
    ),
    st.sampled_from([40, 4000]),
)
def test_rates(values, n):
    expected = text_tables.column_of(["", *(printing.rate(value, n) for value in values)], "r")[1:]
    assert lines(number_columns.of_rates(np.array(values), n)) == expected


def test_undefined_rates_are_dashes():
    values = np.ma.masked_invalid([0.5, np.nan, -0.25])
    assert lines(number_columns.of_rates(values, 1000)) == [" 0.500", "     -", "-0.250"]


@given(st.lists(st.integers(0, 2**53 - 1) | st.integers(0, 2000), min_size=1))
def test_counts(values):
    expected = text_tables.column_of(["", *map(printing.count, values)], ".")[1:]
    assert lines(number_columns.of_counts(np.array(values))) == expected


@pytest.mark.parametrize("values", [[0.5, 1.0], [-1, 2], [2.0**60, 1.0]])
def test_counts_that_are_none_are_left_to_cells(values):
    assert number_columns.of_counts(np.array(values)) is None


def test_nothing_is_blank_at_the_ends_of_lines():
    columns = [number_columns.of_texts(["a", "b"], 1), number_columns.of_texts(["1", ""], 2, "l")]
    assert number_columns.joined(["", "n"], columns) == "    n\na  1\nb"


def test_marks_are_at_the_left():
    assert lines(number_columns.of_marks({1: "Y", 2: "YC"}, 4)) == ["  ", "Y ", "YC", "  "]
    assert number_columns.of_marks({}, 3).shape == (0, 3)
