"""Random frames, the same for all engines: the tally is that of the arrays, or the error is."""

import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rocwise as rw
from engine_list import ENGINES
from rocwise.engines import sources
from rocwise.engines.out_of_core import parquet_rows
from rocwise.inputs import out_of_core

SLOW = ("ibis", "pyspark")
QUICK = [name for name, engine in ENGINES.items() if engine.is_there and engine.needs not in SLOW]
SCORES = st.one_of(
    st.sampled_from([None, np.nan, -0.0, 0.0, np.inf, -np.inf, 5e-324, 1e308, 1.0, 0.1]),
    st.floats(-2, 2, allow_subnormal=False),
)
ROWS = st.lists(st.tuples(st.sampled_from([0, 1, 1, 0, None]), SCORES), min_size=1, max_size=40)


def outcome(call):
    """The whole numbers of a result, or the kind of error."""
    try:
        tally = call()
    except rw.InputError as problem:
        return str(problem).partition(".")[0].replace("y_true", "ill").replace("y_score", "risk")
    table = [tally.scores.tolist(), tally.pos.tolist(), tally.neg.tolist()]
    return table, tally.placement_sums, tally.n_dropped


@pytest.mark.parametrize("name", QUICK)
@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=ROWS, direction=st.sampled_from(["higher", "lower"]), missing=st.just("drop"))
def test_random_frames(name, monkeypatch, rows, direction, missing):
    engine = ENGINES[name]
    if engine.large:
        monkeypatch.setattr(sources, "BYTES_PER_ROW", 10**12)
        monkeypatch.setattr(sources, "BYTES_PER_LETTER", 10**12)
        monkeypatch.setattr(parquet_rows, "SLICE_ROWS", 8)
        monkeypatch.setattr(out_of_core, "MOST_DISTINCT", -1)
        monkeypatch.setattr(sources, "few_in_frame", lambda *_: False)
        monkeypatch.setattr(parquet_rows.ParquetRows, "few", lambda *_: False)
    labels, scores = (list(column) for column in zip(*rows, strict=True))
    table = pa.table({"ill": pa.array(labels, pa.int64()), "risk": pa.array(scores, pa.float64())})
    options = {"label": "ill", "score": "risk", "direction": direction, "missing": missing}
    expected = outcome(lambda: rw.tally(table, **options))
    with tempfile.TemporaryDirectory() as folder:
        found = outcome(lambda: rw.tally(engine.source(table, Path(folder)), **options))
    assert found == expected
