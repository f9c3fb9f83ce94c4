"""Odd values on Spark: one frame of many columns, and random frames, against rows in memory."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import rocwise as rw
from rocwise import kernels
from rocwise.engines import spark
from rocwise.engines.out_of_core.large_sources import Request
from rocwise.engines.spark import SparkSource
from rocwise.inputs import out_of_core
from spark_sessions import local_session

RNG = np.random.default_rng(2)
N = 300
CODES = RNG.integers(0, 30, N)
LABELS = (CODES + RNG.normal(0, 15, N) > 15).astype(int)
GAPS = RNG.random(N) < 0.1
COLUMNS = {
    "float32": pa.array((CODES * 0.1).astype(np.float32)),
    "missing": pa.array(CODES / 8, mask=GAPS),
    "both zeros": pa.array([[-0.0, 0.0, 1.5, -1.5][code % 4] for code in CODES]),
    "all tied": pa.array(np.zeros(N)),
    "int16": pa.array(CODES, pa.int16()),
    "int64": pa.array(CODES * 10**9),
    "tiny and huge": pa.array([5e-324 * code if code < 20 else 1e300 * code for code in CODES]),
    "beyond 2**53": pa.array(2**53 + CODES),
    "many digits": pa.array([Decimal(int(c)) / 8 for c in CODES], pa.decimal128(38, 20)),
}
COUNTED_ONLY = ("beyond 2**53", "many digits")  # floats cannot represent all such numbers
TABLE = pa.table({"ill": LABELS} | COLUMNS)


@pytest.fixture(scope="module")
def frame():
    return local_session().createDataFrame(TABLE).cache()


RANGED = ("float32", "missing", "both zeros", "all tied", "tiny and huge", *COUNTED_ONLY)
CASES = [(kind, False) for kind in COLUMNS] + [(kind, True) for kind in RANGED]


@pytest.mark.parametrize(("kind", "ranged"), CASES)
def test_scores_of_every_kind(frame, monkeypatch, kind, ranged):
    if ranged:
        monkeypatch.setattr(out_of_core, "MOST_DISTINCT", -1)
        monkeypatch.setattr(spark, "RANGE_ROWS", N // 3)
    named = {"label": "ill", "score": kind, "missing": "drop", "direction": "lower"}
    if ranged and kind in COUNTED_ONLY:
        with pytest.raises(rw.InputError, match="more digits than a float64 has"):
            rw.tally(frame, **named)
        return
    found, expected = (rw.tally(data, **named) for data in (frame, TABLE))
    assert found.scores.dtype == expected.scores.dtype
    assert found.scores.tobytes() == expected.scores.tobytes()
    assert found.placement_sums == expected.placement_sums
    assert found.n_dropped == expected.n_dropped


SCORES = st.one_of(
    st.sampled_from([None, np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 0.1]),
    st.floats(width=32, allow_subnormal=True),
)
ROWS = st.lists(
    st.tuples(st.sampled_from([0, 1, 0, 1, None]), SCORES, st.integers(0, 9)),
    min_size=60,
    max_size=200,
)


@settings(max_examples=3, suppress_health_check=list(HealthCheck))
@given(rows=ROWS)
def test_random_frames(rows):
    """Ten random samples in each frame: sums of every sample, and the table of all of them."""
    labels, scores, samples = (list(column) for column in zip(*rows, strict=True))
    table = pa.table(
        {
            "ill": pa.array(labels, pa.int32()),
            "score": pa.array(scores, pa.float64(), from_pandas=False),
            "sample": pa.array(samples, pa.int64()),
        }
    )
    named = {"label": "ill", "score": "score", "missing": "drop"}
    score = np.array([np.nan if cell is None else cell for cell in scores]) + 0.0
    kept = np.array([label is not None for label in labels]) & ~np.isnan(score)
    mask = np.array([label == 1 for label in labels], dtype=np.uint8)
    assume(0 < mask[kept].sum() < kept.sum())
    frame = local_session().createDataFrame(table)
    found, expected = (rw.tally(data, **named) for data in (frame, table))
    assert found.scores.tobytes() == expected.scores.tobytes()
    assert found.placement_sums == expected.placement_sums
    source = SparkSource(frame, range_rows=40, most_counted=10)
    requested = Request("ill", 1, 0, ("score",), True, 20, int(kept.sum()), ("sample",))
    sums = source.group_sums(requested, ["sample"])
    assert sums.groups.tolist() == sorted(set(np.array(samples)[kept].tolist()))
    for k, sample in enumerate(sums.groups):
        own = kept & (np.array(samples) == sample)
        merged = kernels.placement_sums(*kernels.sort_by_class(mask[own], score[own]))
        assert [sums.columns[name][k] for name in merged._fields] == list(merged)
    assert source.range_state(requested).sums == expected.placement_sums
