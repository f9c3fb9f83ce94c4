"""A tally of bounded size: exact while there is room, within its bound beyond, or an error."""

import io
import json
import tracemalloc
import zlib

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw
from rocwise.inputs import tally_sketch

RNG = np.random.default_rng(2)
N = 30_000
LABELS = RNG.integers(0, 2, N)
SCORES = RNG.normal(size=N) + LABELS


def fed(labels, scores, size, *parts, **options):
    sketch = rw.TallySketch(size, **options)
    for rows in np.array_split(np.arange(len(labels)), *(parts or (1,))):
        if len(rows):
            sketch.update(labels[rows], scores[rows])
    return sketch


def test_exact_while_there_is_room():
    scores = np.round(SCORES, 2)
    tally = fed(LABELS, scores, 4096, 7).tally()
    expected = rw.tally(LABELS, scores)
    assert tally.error_bound == 0
    assert np.array_equal(tally.scores, expected.scores)
    assert np.array_equal(tally.pos, expected.pos)
    assert tally.placement_sums == expected.placement_sums


@pytest.mark.parametrize("resolution", [2, 64, 1024, 4096])
def test_the_area_is_within_its_bound(resolution):
    sketch = fed(LABELS, SCORES, resolution, 9)
    error = abs(rw.auc(sketch).value - rw.auc(LABELS, SCORES).value)
    assert sketch.cells.number <= resolution
    assert 0 < error <= sketch.error_bound
    assert sketch.error_bound < 2.0 / resolution
    assert (sketch.n_pos, sketch.n_neg) == (LABELS.sum(), N - LABELS.sum())


def test_every_threshold_of_the_sketch_counts_the_rows_beyond_it():
    tally = fed(LABELS, SCORES, 128, 5).tally()
    for threshold, tp in zip(tally.scores[::17], tally.tp[::17], strict=True):
        assert tp == np.count_nonzero((threshold <= SCORES) & (LABELS == 1))


ROWS = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.one_of(st.integers(-3, 3), st.floats(allow_nan=False)).map(float),
        st.integers(0, 2),
    ),
    min_size=1,
    max_size=60,
)


@settings(deadline=None)
@given(rows=ROWS, resolution=st.integers(2, 12))
def test_shards_in_any_order(rows, resolution):
    """Cells are disjoint, count every row once, and bound the error, however shards are merged."""
    labels, scores, shards = (np.array(column) for column in zip(*rows, strict=True))
    total = rw.TallySketch(resolution)
    for shard in RNG.permutation(3):
        own = rw.TallySketch(resolution)
        if np.any(shards == shard):
            own.update(labels[shards == shard], scores[shards == shard])
        total = rw.TallySketch.from_bytes(own.to_bytes()).merge(total)
    assert total.n_pos == labels.sum()
    assert total.cells.number <= resolution
    assert np.all(total.cells.highest[:-1] < total.cells.lowest[1:])
    if 0 < labels.sum() < len(labels):
        exact = rw.tally(labels, scores).placement_sums
        area = rw.tally(labels, scores) and exact.sum_u / (2 * exact.n_pos * exact.n_neg)
        found = total.tally().placement_sums
        assert (
            abs(found.sum_u / (2 * found.n_pos * found.n_neg) - area) <= total.error_bound + 1e-15
        )


def test_direction_labels_and_missing_rows():
    sketch = rw.TallySketch(pos_label="ill", direction="lower")
    sketch.update(["well", "well", None], [3.0, 1.0, 2.0], missing="drop")
    sketch.update(["ill"], [2.0])
    assert repr(sketch) == (
        "TallySketch: 1 positive, 2 negatives in 3 cells of at most 4,096; AUC exact; lower scores "
        "mean positive; 1 row with missing values left out"
    )
    assert rw.auc(sketch, method="hoeffding").value == 0.5
    again = rw.TallySketch.from_bytes(sketch.to_bytes())
    assert again.tally().to_dict() == sketch.tally().to_dict()
    with pytest.raises(rw.InputError, match="besides the positive one there are 'well', 'cured'"):
        again.update(["cured"], [1.0])


def test_errors():
    sketch = rw.TallySketch(8)
    with pytest.raises(rw.InputError, match="no positive example yet"):
        rw.auc(sketch)
    with pytest.raises(rw.InputError, match="missing value"):
        sketch.update([0, 1], [0.1, np.nan])
    with pytest.raises(rw.InputError, match="one `direction`"):
        sketch.merge(rw.TallySketch(direction="lower"))
    with pytest.raises(rw.InputError, match="must be a TallySketch"):
        sketch.merge({})
    with pytest.raises(rw.InputError, match="does not go with a sketch"):
        rw.auc(fed(LABELS, SCORES, 9), pos_label=1)
    with pytest.raises(rw.InputError, match="resolution"):
        rw.TallySketch(1)


def test_damaged_bytes():
    whole = fed(LABELS[:300], SCORES[:300], 50).to_bytes()
    for cut in range(0, len(whole), 37):
        with pytest.raises(rw.InputError, match="TallySketch"):
            rw.TallySketch.from_bytes(whole[:cut])
    for place in range(0, len(whole), 41):
        spoiled = bytearray(whole)
        spoiled[place] ^= 0x10
        with pytest.raises(rw.InputError, match="TallySketch"):
            rw.TallySketch.from_bytes(bytes(spoiled))
    for other in (zlib.compress(whole), b"", None, "text", whole + b"x"):
        with pytest.raises(rw.InputError, match="TallySketch"):
            rw.TallySketch.from_bytes(other)


def sealed(whole, **changed):
    """The same bytes with other columns, and a checksum that fits."""
    columns = dict(np.load(io.BytesIO(whole[: -tally_sketch.CHECKSUM])))
    file = io.BytesIO()
    np.savez(file, **(columns | changed))
    return file.getvalue() + tally_sketch._checksum(file.getvalue())


def about(**changed):
    settings = {"version": 1, "resolution": 8, "direction": "higher", "n_dropped": 0}
    return json.dumps(settings | {"pos_label": None, "neg_label": 0} | changed)


def test_labels_that_bytes_cannot_hold():
    with pytest.raises(rw.InputError, match="`pos_label` must be text or a number"):
        rw.TallySketch(pos_label=10**5000)
    assert rw.TallySketch(pos_label=np.int64(2)).pos_label == 2
    sketch = rw.TallySketch(pos_label=10**200)
    assert rw.TallySketch.from_bytes(sketch.to_bytes()).pos_label == 10**200


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"settings": '{"version": 2}'}, "version 2"),
        ({"settings": "{{"}, "not a serialized TallySketch"),
        ({"settings": '{"version": 1}'}, "no metadata"),
        ({"neg": np.full(8, -1)}, "that no scores give"),
        ({"pos": np.ones(3, np.int64)}, "that no scores give"),
        ({"lowest": np.array(1.0)}, "that no scores give"),
        ({"highest": np.full(8, np.nan)}, "that no scores give"),
        ({"pos": np.full(8, 2**62)}, "that no scores give"),
        ({"settings": "[" * 100_000}, "not a serialized TallySketch"),
        ({"settings": about(resolution=2)}, "more cells than its resolution"),
        ({"settings": about(neg_label=[1])}, "`neg_label` must be text or a number"),
        ({"settings": about(pos_label={})}, "`pos_label` must be text or a number"),
        ({"settings": about(resolution=1e999)}, "`resolution` must be"),
        ({"settings": about(n_dropped=-1)}, "`n_dropped` must be"),
        ({"settings": about(n_dropped=10**400)}, "`n_dropped` must be"),
        ({"settings": about(pos_label=float("nan"))}, "`pos_label` must be text or a number"),
    ],
)
def test_bytes_with_a_valid_checksum_are_validated_too(changed, message):
    whole = fed(LABELS[:40], np.arange(40.0) // 5, 8).to_bytes()
    with pytest.raises(rw.InputError, match=message):
        rw.TallySketch.from_bytes(sealed(whole, **changed))


def test_packed_bytes_are_not_unpacked():
    """Ten megabytes can be ten gigabytes."""
    whole = fed(LABELS[:40], SCORES[:40], 8).to_bytes()
    columns = dict(np.load(io.BytesIO(whole[: -tally_sketch.CHECKSUM])))
    file = io.BytesIO()
    np.savez_compressed(file, **columns | {"lowest": np.zeros(10**6)})
    packed = file.getvalue() + tally_sketch._checksum(file.getvalue())
    tracemalloc.start()
    with pytest.raises(rw.InputError, match="not a serialized TallySketch"):
        rw.TallySketch.from_bytes(packed)
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()


def test_sketches_are_compared_and_reported_as_their_tallies():
    rng = np.random.default_rng(1)
    days = []
    for shift in (1.0, 0.5):
        y = rng.integers(0, 2, 400)
        frame = pd.DataFrame({"y": y, "s": rng.normal(shift * y)})
        day = rw.TallySketch()
        day.update(frame, label="y", score="s")
        days.append((day, rw.tally(frame, label="y", score="s")))
    (one, first), (two, second) = days
    names = ("a", "b")
    compared = [rw.compare(*each, names=names) for each in ((one, two), (first, second))]
    assert compared[0].metrics() == compared[1].metrics()
    assert rw.compare(one, second, names=names).metrics() == compared[1].metrics()
    assert rw.report({"a": one}, path=None).payload == rw.report({"a": first}, path=None).payload
    assert rw.report(one, path=None).payload["models"][0]["auc"]["value"] == rw.auc(one).value
    for columns in ({"label": "y"}, {"label": "y", "score": "z"}, {}):
        with pytest.raises(rw.InputError):
            one.update(frame, **columns)
    with pytest.raises(rw.InputError, match="needs two tallies or sketches"):
        rw.compare(one, {"a": [1, 2]})
