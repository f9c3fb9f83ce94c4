"""One threshold, one number: what tables show recounts the cases of its row."""

import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw
from oracles.scored_rows import plain_floats, rows
from rocwise import printing

near = st.integers(0, 40).map(lambda k: 0.123456 + k * 1e-9)
corners = partial(rw.roc, drop_intermediate=True)
functions = st.sampled_from(
    [rw.thresholds, rw.roc, corners, rw.hull, rw.det, rw.precision_recall, rw.lift]
)


def cells(markdown, title):
    header, _, *lines = [row.strip("| ").split("|") for row in markdown.splitlines()]
    place = [name.strip() for name in header].index(title)
    return [line[place].strip() for line in lines]


@settings(max_examples=60)
@given(st.one_of(rows(near), rows(plain_floats)), functions, st.sampled_from(["higher", "lower"]))
def test_every_written_threshold_recounts(data, function, direction):
    y, s = np.array(data[0]), np.array(data[1], float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.RocwiseWarning)  # of the direction
        found = function(y, s, direction=direction)
    name = "threshold" if hasattr(found, "threshold") else "thresholds"
    exact, written = getattr(found, name), cells(found.to_markdown(), name)
    for number, text in zip(exact.tolist(), written, strict=True):
        if np.isinf(number):
            assert text in ("∞", "-∞")
            continue
        called, recounted = (
            (s >= cut) if direction == "higher" else (s <= cut) for cut in (number, float(text))
        )
        np.testing.assert_array_equal(called, recounted)


@given(rows(near), st.floats(0.1234, 0.1235))
def test_any_number_is_written_between_its_neighbours(data, value):
    s = np.unique(data[1])[::-1]
    text = printing.number_text(s, value, direction="higher")
    np.testing.assert_array_equal(s >= float(text), s >= value)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_intervals_of_thresholds_end_in_scores_that_recount(direction):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 60)
    s = 1e-7 * (rng.normal(size=60) + (y if direction == "higher" else -y))
    point = rw.threshold(y, s, rule="youden", direction=direction)
    interval = point.uncertainty(n_resamples=50, rng=1).interval
    reached = np.greater_equal if direction == "higher" else np.less_equal
    for end, text in zip(interval, (interval.low_text, interval.high_text), strict=True):
        np.testing.assert_array_equal(reached(s, float(text)), reached(s, end))
    assert repr(interval).startswith(interval.low_text)
    window = rw.abstain(y, s, costs=rw.Costs(fp=1, fn=1, abstain=0.2), direction=direction)
    lower = window.uncertainty(n_resamples=50, rng=1).lower
    assert np.array_equal(s <= float(lower.low_text), s <= lower.low)


def test_a_table_of_models_writes_the_thresholds_of_each():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 50)
    models = {"a": rng.normal(size=50) + y, "b": rng.normal(size=50) + y}
    table = rw.summary(y, models)
    for name, exact, text in zip(
        table.names,
        table.columns["threshold"],
        cells(table.to_markdown(), "threshold"),
        strict=True,
    ):
        assert len(text.lstrip("-0.").replace(".", "")) == 4
        np.testing.assert_array_equal(models[name] >= float(text), models[name] >= exact)
