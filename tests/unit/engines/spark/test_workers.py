"""What Spark's workers do, without Spark: rows are routed by hand as Spark would route them."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocwise.data.range_states import BinPlan, joined, range_state
from rocwise.engines import spark_workers as workers
from rocwise.engines.spark import tied_states
from rocwise.engines.spark_workers import ScoreRanges, bounds_of_sample

SCORES = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 2.5, np.inf, -np.inf, 5e-324, 1.7976931348623157e308]),
    st.floats(allow_nan=False).map(lambda score: score + 0.0),
)
ROWS = st.lists(st.tuples(st.integers(0, 1), SCORES, SCORES, st.integers(0, 4)), min_size=1)


def columns(rows):
    mask, a, b, group = (np.array(column) for column in zip(*rows, strict=True))
    return mask.astype(np.int8), a.astype(float), b.astype(float), group


def counted(scores, mask, n_ranges):
    """Ranges of scores with their counts, as Spark counts them."""
    bounds = bounds_of_sample(scores, n_ranges)
    places = np.searchsorted(bounds, scores, side="right")
    return ScoreRanges(
        bounds, *(np.bincount(places[mask == k], minlength=len(bounds) + 1) for k in (1, 0))
    )


def route(mask, scores, ranges, **more):
    """Rows with their codes, as Spark sends them to the workers."""
    places = ranges.places(scores)
    table = pa.table({"code": (2 * places + mask).astype(np.int32), "s0": scores, **more})
    return table.to_batches(7)


def states(mask, scores, ranges, bins):
    """States of ranges by way of the sorted pieces of two tasks."""
    table = pa.table({"mask": mask, "s0": scores})
    half = len(mask) // 2
    pieces = [
        batch
        for part in (table.slice(0, half), table.slice(half))
        for batch in workers.sorted_pieces(part.to_batches(7), ranges)
    ]
    parts = by_place(pieces, lambda pieces: pieces["place"].to_numpy())
    found = [list(workers.states_of_pieces(part, ranges, bins)) for part in parts]
    return dict(workers.results_of(together(found))) if found else {}


def by_place(routed, place_of=lambda table: table["code"].to_numpy() >> 1):
    """Batches by the range that their rows are routed to."""
    if not sum(map(len, routed)):
        return []
    table = pa.Table.from_batches(routed)
    places = place_of(table)
    return [table.filter(pa.array(places == place)).to_batches(5) for place in np.unique(places)]


def together(parts):
    return pa.Table.from_batches([batch for part in parts for batch in part])


@given(
    rows=ROWS,
    n_ranges=st.integers(1, 6),
    bins=st.integers(2, 9),
    most=st.sampled_from([3, 10**6]),
)
def test_states_of_ranges_join_to_that_of_all_rows(rows, n_ranges, bins, most):
    mask, scores, _, _ = columns(rows)
    ranges = counted(scores, mask, n_ranges)
    before, workers.SORTED_ROWS = workers.SORTED_ROWS, most
    try:
        parts = states(mask, scores, ranges, bins) | tied_states(ranges, bins)
    finally:
        workers.SORTED_ROWS = before
    found = joined(parts[place] for place in sorted(parts))
    expected = range_state(mask.view(np.uint8), scores, BinPlan(bins, len(mask)))
    assert found.sums == expected.sums
    for name in ("scores", "pos", "neg"):
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes()


@pytest.mark.parametrize("change", [lambda mask: mask[:-1], lambda mask: 1 - mask])
def test_a_range_with_other_rows_than_were_counted_raises(change):
    mask, scores = np.array([0, 1, 1, 0, 1], np.int8), np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    ranges = counted(scores, mask, 2)
    other = change(mask)
    with pytest.raises(RuntimeError, match="gave other rows"):
        states(other, scores[: len(other)], ranges, 4)


def test_workers_of_another_version_raise(monkeypatch):
    requested = workers.sent(workers.cluster_sums, 1)
    monkeypatch.setattr(workers, "VERSION", "0.0.1")
    with pytest.raises(RuntimeError, match=r"workers have rocwise 0\.0\.1, but"):
        requested([])


@given(st.lists(SCORES), st.integers(1, 20))
def test_bounds_rise_and_frequent_scores_are_separated(sample, n_ranges):
    scores = np.array(sample, dtype=float)
    bounds = bounds_of_sample(scores, n_ranges)
    assert np.all(bounds[1:] > bounds[:-1])
    if n_ranges > 1 and len(scores):
        values, times = np.unique(scores, return_counts=True)
        ranges = ScoreRanges(bounds, *np.zeros((2, len(bounds) + 1), np.int64))
        for score in values[times >= 2 * len(scores) / n_ranges + 1]:
            assert ranges.single[ranges.places(np.array([score]))[0]]
