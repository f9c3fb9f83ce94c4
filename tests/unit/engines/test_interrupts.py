"""Ctrl-C and SIGTERM while rows are read: the usual exception, and nothing left behind."""

import signal
import tempfile
import threading
import time
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocwise as rw
from engine_list import ENGINES
from rocwise.engines import sources
from rocwise.engines.interrupts import cleaned_up, interruptible
from rocwise.engines.out_of_core import parquet_rows
from rocwise.inputs import out_of_core
from signals import ctrl_c_after

RNG = np.random.default_rng(3)
N = 60_000
LABELS = RNG.integers(0, 2, N)
TABLE = pa.table(
    {
        "ill": LABELS,
        "a": RNG.normal(size=N) + LABELS,
        "b": RNG.normal(size=N) + LABELS,
        "ward": [f"w{k:05}" for k in RNG.integers(0, 5000, N)],
    }
)
MOMENTS = 5
CALLS = {
    "compare": {"scores": ["a", "b"]},
    "clusters": {"scores": ["a", "b"], "groups": "ward"},
}


@pytest.fixture(autouse=True)
def _usual_handler():
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, usual)


@pytest.mark.parametrize("name", ["parquet", "csv", "duckdb relation", "polars lazy frame"])
def test_ctrl_c_at_any_moment(name, tmp_path, monkeypatch):
    """Spark has its own tests; a session takes long to start."""
    engine = ENGINES[name]
    if not engine.is_there:
        pytest.skip(f"{engine.needs} is not installed")
    monkeypatch.setattr(sources, "BYTES_PER_ROW", 10**12)
    monkeypatch.setattr(sources, "BYTES_PER_LETTER", 10**12)
    monkeypatch.setattr(out_of_core, "MOST_DISTINCT", -1)
    monkeypatch.setattr(parquet_rows, "SLICE_ROWS", 5_000)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    source = engine.source(TABLE, tmp_path)
    if name == "parquet":
        pq.write_table(TABLE, source, row_group_size=10_000)
    for more in CALLS.values() if engine.whole else [CALLS["compare"]]:
        started = time.perf_counter()
        expected = rw.compare(source, label="ill", **more)
        seconds = time.perf_counter() - started
        interrupted = 0
        for moment in np.random.default_rng(len(name)).uniform(0, seconds, MOMENTS):
            result = None
            with suppress(KeyboardInterrupt), ctrl_c_after(moment):
                try:
                    result = rw.compare(source, label="ill", **more)
                except KeyboardInterrupt:
                    interrupted += 1
            assert result in (None, expected)
            assert list(folder.iterdir()) == []
        assert interrupted
        assert rw.compare(source, label="ill", **more) == expected


def press():
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    time.sleep(0.01)


def test_what_an_engine_makes_of_it():
    def replaced():
        with interruptible():
            try:
                press()
            except KeyboardInterrupt:
                raise RuntimeError("Query interrupted") from None

    def lost():
        with interruptible(), suppress(KeyboardInterrupt):
            press()

    for work in (replaced, lost, interruptible()(press)):
        with pytest.raises(KeyboardInterrupt):
            work()


def test_errors_that_are_no_interruption():
    with pytest.raises(RuntimeError, match="disk"), interruptible():
        raise RuntimeError("disk")


def test_the_handler_of_the_user():
    pressed = []
    signal.signal(signal.SIGINT, lambda *_: pressed.append(1))
    with interruptible():
        press()
    assert pressed == [1]
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_cleaning_up_is_not_interrupted():
    done = []

    @interruptible()
    def work():
        with cleaned_up() as interruptible_part:
            press()
            done.append("made")
            try:
                with interruptible_part():
                    done.append("used")
            finally:
                press()
                done.append("removed")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["made", "removed"]


def test_other_threads():
    found = []

    def work():
        with interruptible(), cleaned_up() as interruptible_part, interruptible_part():
            found.append(1)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [1]
