"""Faults out of core: a right result or a clear error, and no files left."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

import rocwise as rw
from rocwise.engines import sources
from rocwise.engines.out_of_core import large_sources, parquet_rows, sorted_runs
from rocwise.inputs import out_of_core

pytest.importorskip("duckdb")
RNG = np.random.default_rng(8)
N = 20_000
LABELS = RNG.integers(0, 2, N)
TABLE = pa.table({"ill": LABELS, "risk": RNG.normal(size=N) + LABELS})


@pytest.fixture
def large(monkeypatch, tmp_path):
    """Every file is beyond memory, and temporary files go to a folder that can be looked at."""
    monkeypatch.setattr(sources, "BYTES_PER_ROW", 10**12)
    monkeypatch.setattr(out_of_core, "MOST_DISTINCT", -1)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def path(tmp_path):
    pq.write_table(TABLE, tmp_path / "scores.parquet", row_group_size=1000)
    return tmp_path / "scores.parquet"


def auc_of(path, **options):
    return rw.auc(path, label="ill", score="risk", **options)


def test_runs_go_to_disk_and_are_gone_afterwards(large, path, monkeypatch):
    monkeypatch.setattr(large_sources, "run_bytes", lambda *_: 0)
    monkeypatch.setattr(parquet_rows, "SLICE_ROWS", 3000)
    seen = []
    written = sorted_runs.SortedColumn.__init__

    def write(self, values, path=None):
        written(self, values, path)
        seen.append(path)

    monkeypatch.setattr(sorted_runs.SortedColumn, "__init__", write)
    assert auc_of(path).to_dict()["value"] == rw.auc(LABELS, TABLE["risk"].to_numpy()).value
    assert len(seen) >= 10
    assert None not in seen
    assert list(large.iterdir()) == []


@pytest.mark.parametrize("kept", [0.3, 0.7, 0.98])
def test_a_file_that_was_cut_short(large, path, kept):
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    with pytest.raises(rw.InputError, match=r"scores\.parquet cannot be read"):
        auc_of(path)
    assert list(large.iterdir()) == []


def test_a_file_with_a_damaged_middle(large, path):
    """The end is whole, so that the file opens, and some pages in it are not."""
    whole = bytearray(path.read_bytes())
    middle = len(whole) // 2
    whole[middle : middle + 30_000] = b"\xff" * 30_000
    path.write_bytes(bytes(whole))
    with pytest.raises(rw.InputError, match=r"scores\.parquet cannot be read"):
        auc_of(path)
    assert list(large.iterdir()) == []


def test_a_file_that_goes_away(large, path, monkeypatch):
    monkeypatch.setattr(parquet_rows, "SLICE_ROWS", 1000)
    first = parquet_rows.ParquetRows.survey

    def survey(self, *given):
        found = first(self, *given)
        path.unlink()
        return found

    monkeypatch.setattr(parquet_rows.ParquetRows, "survey", survey)
    with pytest.raises((rw.InputError, OSError), match=r"scores\.parquet"):
        auc_of(path)
    assert list(large.iterdir()) == []


SMALL_DISK = textwrap.dedent(
    """
    import sys, tempfile
    import rocwise as rw
    from rocwise.engines import sources
    from rocwise.engines.out_of_core import large_sources, parquet_rows
    from rocwise.inputs import out_of_core

    sources.BYTES_PER_ROW = sources.BYTES_PER_LETTER = 10**12
    out_of_core.MOST_DISTINCT = -1
    large_sources.run_bytes = lambda *_: 0
    try:
        print(rw.auc(sys.argv[1], label="ill", score="risk"))
    except OSError as problem:
        print(type(problem).__name__, problem)
    """
)


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_a_disk_that_fills(path, tmp_path, ending):
    """A file system of 64 kB, mounted where only the test sees it."""
    if ending == ".csv":
        path = path.with_suffix(ending)
        csv.write_csv(TABLE, path, csv.WriteOptions(quoting_header="none"))
    small = tmp_path / "small"
    small.mkdir()
    script = tmp_path / "script.py"
    script.write_text(SMALL_DISK)
    mount = f"mount -t tmpfs -o size=64k tmpfs {small}"
    script_call = f"TMPDIR={small} {sys.executable} {script} {path}; ls -A {small}"
    command = ["unshare", "--mount", "--map-root-user", "sh", "-c", f"{mount} && {script_call}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except FileNotFoundError:
        pytest.skip("unshare is not installed")
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip(f"no file system may be mounted here: {done.stderr.strip()[:80]}")
    assert done.stdout.splitlines()[0].startswith("OSError [Errno 28] no space is left for temp")
    assert "TMPDIR" in done.stdout
    assert len(done.stdout.splitlines()) == 1, "something was left behind"


INTERRUPTED = SMALL_DISK.replace(
    "sources.BYTES_PER_ROW",
    """import time
read = parquet_rows.kernels.sort_by_class
def slow(*given):
    print("reading", flush=True)
    time.sleep(0.5)
    return read(*given)
parquet_rows.kernels.sort_by_class = slow
parquet_rows.SLICE_ROWS = 500
sources.BYTES_PER_ROW""",
    1,
)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_signals(path, tmp_path, name):
    folder = tmp_path / "temporary"
    folder.mkdir()
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    with subprocess.Popen(
        [sys.executable, str(script), str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(folder)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("reading")  # of two threads
        process.send_signal(getattr(signal, name))
        _, errors = process.communicate(timeout=60)
    assert process.returncode == -getattr(signal, name)
    assert ("KeyboardInterrupt" in errors.splitlines()) == (name == "SIGINT")
    assert list(folder.iterdir()) == []


def test_a_piece_of_work_that_fails_ends_the_others():
    done = []

    def work(piece):
        if piece == 3:
            raise OSError("no")
        done.append(piece)

    with pytest.raises(OSError, match="no"):
        sorted_runs.map_tasks(work, list(range(1000)))
    assert len(done) < 1000
