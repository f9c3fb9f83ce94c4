"""What Spark's workers do, without Spark: rows are routed by hand as Spark would route them."""

from decimal import Decimal
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocwise import kernels
from rocwise.data.range_states import BinPlan, joined, range_state
from rocwise.data.summed_rows import ClusterSums
from rocwise.engines import spark_workers as workers
from rocwise.engines.out_of_core.range_sums import FIELDS, table_sums_by_group
from rocwise.engines.spark import (
    cluster_sums_of,
    joined_groups,
    n_distinct,
    range_states_of,
    tied_states,
)
from rocwise.engines.spark_workers import ScoreRanges, bounds_of_sample, negated_bounds

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
    return range_states_of(together(found)) if found else {}


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
    rows=ROWS, n_ranges=st.integers(1, 6), bins=st.integers(2, 9), held=st.sampled_from([3, 10**6])
)
def test_states_of_ranges_join_to_that_of_all_rows(rows, n_ranges, bins, held):
    mask, scores, _, _ = columns(rows)
    ranges = counted(scores, mask, n_ranges)
    before, workers.SORTED_ROWS = workers.SORTED_ROWS, held
    try:
        parts = states(mask, scores, ranges, bins) | tied_states(ranges, bins)
    finally:
        workers.SORTED_ROWS = before
    found = joined(parts[place] for place in sorted(parts))
    expected = range_state(mask.view(np.uint8), scores, BinPlan(bins, len(mask)))
    assert found.sums == expected.sums
    for name in ("scores", "pos", "neg"):
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes()


@given(rows=ROWS, n_ranges=st.integers(1, 6))
def test_rows_carry_placements_from_model_to_model(rows, n_ranges):
    mask, a, b, _ = columns(rows)
    first, second = (counted(scores, mask, n_ranges) for scores in (a, b))
    routed = route(mask, a, first, s1=b)
    placed = [
        batch
        for part in by_place(routed)
        for batch in workers.place_and_route(part, 0, first, second)
    ]
    sums = [list(workers.row_sums(part, 2, second)) for part in by_place(placed)]
    placements = [kernels.placements(mask.view(np.uint8), scores) for scores in (a, b)]
    assert cluster_sums_of(together(sums)) == ClusterSums.of_rows(mask, placements)


@given(rows=ROWS, n_ranges=st.integers(1, 6))
def test_placements_add_up_within_clusters(rows, n_ranges):
    mask, a, b, cluster = columns(rows)
    first, second = (counted(scores, mask, n_ranges) for scores in (a, b))
    routed = [
        batch
        for part in by_place(route(mask, a, first, s1=b, cluster=cluster))
        for batch in workers.place_and_route(part, 0, first, second)
    ]
    placed = together(
        list(workers.clustered_placements(part, 2, second)) for part in by_place(routed)
    )
    names = ["p", "n", "u0", "u1", "v0", "v1"]
    whole = placed.group_by("cluster").aggregate([(name, "sum") for name in names])
    whole = whole.select([f"{name}_sum" for name in names]).rename_columns(names)
    found = cluster_sums_of(together([list(workers.cluster_sums(whole.to_batches(2), 2))]))
    us = [kernels.placements(mask.view(np.uint8), scores) for scores in (a, b)]
    _, codes = np.unique(cluster, return_inverse=True)
    held = (mask, 1 - mask, *(np.where(mask == k, u, 0) for k in (1, 0) for u in us))
    p, n, *moved = (np.bincount(codes, each).astype(np.int64) for each in held)
    assert found == ClusterSums.of_clusters(p, n, moved[:2], moved[2:])


@given(rows=ROWS, n_tasks=st.integers(1, 4), held=st.sampled_from([3, 4_000_000]))
def test_sums_within_groups(rows, n_tasks, held):
    mask, scores, _, group = columns(rows)
    names = np.array(["b", "a", "ü", "", "z"])[group]
    order = np.lexsort((scores, names))
    table = pa.table({"mask": mask, "s0": scores, "group": names}).take(pa.array(order))
    cuts = sorted({0, len(rows), *(len(rows) * k // n_tasks for k in range(1, n_tasks))})
    whole = [cut for cut in cuts if not _is_inside(table, cut)]  # Spark keeps equal keys together
    before, workers.GROUPED_ROWS = workers.GROUPED_ROWS, held
    try:
        parts = [
            list(workers.group_parts(table.slice(low, high - low).to_batches(3)))
            for low, high in pairwise(whole)
        ]
    finally:
        workers.GROUPED_ROWS = before
    found = joined_groups(together(parts))
    assert found.groups.tolist() == sorted(set(names.tolist()))
    for k, name in enumerate(found.groups):
        own = names == name
        classes = kernels.sort_by_class(mask[own].view(np.uint8), scores[own])
        assert [found.columns[f][k] for f in FIELDS] == list(kernels.placement_sums(*classes))


def _is_inside(table, cut):
    if cut in (0, len(table)):
        return False
    here, above = table.slice(cut, 1).to_pylist()[0], table.slice(cut - 1, 1).to_pylist()[0]
    return (here["group"], here["s0"]) == (above["group"], above["s0"])


def test_sums_of_a_large_group_need_more_than_64_bits():
    counts = np.array([3_000_000_000, 5, 3_000_000_000])
    sums = table_sums_by_group(counts, counts[::-1].copy(), np.array([0]))
    expected = kernels.table_sums(counts[::-1], counts)
    assert [column[0] for column in sums] == list(expected)
    assert expected.sum_u2 > 2**63


def test_sums_of_large_clusters_need_more_than_64_bits():
    rows = [Decimal(4 * 10**18), Decimal(10**20)]
    column = pa.array(rows, pa.decimal128(38, 0))
    batch = pa.RecordBatch.from_pydict(dict.fromkeys("punv", column))
    found = cluster_sums_of(pa.Table.from_batches(list(workers.cluster_sums([batch], 1))))
    assert found.products[2][3] == 16 * 10**36 + 10**40


@pytest.mark.parametrize("change", [lambda mask: mask[:-1], lambda mask: 1 - mask])
def test_a_range_with_other_rows_than_were_counted_is_refused(change):
    mask, scores = np.array([0, 1, 1, 0, 1], np.int8), np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    ranges = counted(scores, mask, 2)
    other = change(mask)
    with pytest.raises(RuntimeError, match="gave other rows"):
        states(other, scores[: len(other)], ranges, 4)


def test_workers_of_another_version_refuse(monkeypatch):
    asked = workers.sent(workers.cluster_sums, 1)
    monkeypatch.setattr(workers, "VERSION", "0.0.1")
    with pytest.raises(RuntimeError, match=r"workers have rocwise 0\.0\.1, but"):
        asked([])


@given(rows=ROWS, n_ranges=st.integers(1, 6))
def test_ranges_of_negated_scores_hold_the_same_rows(rows, n_ranges):
    mask, scores, _, _ = columns(rows)
    ranges = counted(scores, mask, n_ranges)
    bounds = ranges.bounds[ranges.bounds > -np.inf]
    held = ScoreRanges(negated_bounds(bounds), *np.zeros((2, len(bounds) + 1), np.int64))
    places = held.places(0 - scores)
    assert (places == len(bounds) - np.searchsorted(bounds, scores, side="right")).all()
    for place in np.flatnonzero(held.single).tolist():
        assert set((0 - scores)[places == place].tolist()) <= {held.lowest(place)}


@pytest.mark.parametrize("n_values", [10, 20_000, 3_000_000])
def test_a_sample_says_about_how_many_scores_differ(n_values):
    rng = np.random.default_rng(4)
    drawn = rng.integers(0, n_values, 20_000)
    drawn[: len(drawn) // 4] = 0  # a frequent one beside them misleads nobody
    _, times = np.unique(drawn, return_counts=True)
    assert n_distinct(times, 0.001) == pytest.approx(n_values, rel=0.3)


@given(st.lists(SCORES), st.integers(1, 20))
def test_bounds_rise_and_frequent_scores_are_set_apart(sample, n_ranges):
    scores = np.array(sample, dtype=float)
    bounds = bounds_of_sample(scores, n_ranges)
    assert np.all(bounds[1:] > bounds[:-1])
    if n_ranges > 1 and len(scores):
        values, times = np.unique(scores, return_counts=True)
        ranges = ScoreRanges(bounds, *np.zeros((2, len(bounds) + 1), np.int64))
        for score in values[times >= 2 * len(scores) / n_ranges + 1]:
            assert ranges.single[ranges.places(np.array([score]))[0]]
