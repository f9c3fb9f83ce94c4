"""Peak memory of a process, read from the kernel, against `memory_limit`."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rocwise.engines import sources
from rocwise.engines.out_of_core import large_sources

duckdb = pytest.importorskip("duckdb")
ROWS = 4_500_000
LIMIT = 250_000_000
PEAK = """
import re, sys
from pathlib import Path
import rocwise as rw
found = {call}
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(1024 * int(peak[1]), found)
"""
FUNCTIONS = {
    "sorted runs, some on disk": "rw.auc(sys.argv[1], label='y', score='s', **limit)",
    "distinct rows, counted": "rw.auc(sys.argv[1], label='y', score='d', **limit)",
    "models": "rw.compare(sys.argv[1], label='y', scores=['s', 't'], **limit)",
    "three models": "rw.compare(sys.argv[1], label='y', scores=['s', 't', 'u'], **limit)",
    "clusters": "rw.auc(sys.argv[1], label='y', score='s', groups='g', **limit)",
    "groups": "len(rw.auc(sys.argv[1], label='y', score='s', by='g', **limit))",
}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """More rows than fit into the limit."""
    rng = np.random.default_rng(8)
    found = tmp_path_factory.mktemp("limit") / "rows.parquet"
    label = rng.integers(0, 2, ROWS)
    score = rng.normal(size=ROWS) + label
    columns = {
        "y": label.astype(np.int8),
        "s": score,
        "t": score + rng.normal(size=ROWS),
        "u": score + rng.normal(size=ROWS),
        "d": rng.integers(0, 200_000, ROWS) / 8,
        "g": rng.integers(0, 1000, ROWS),
    }
    pq.write_table(pa.table(columns), found, row_group_size=500_000)
    return found


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here")
@pytest.mark.parametrize(
    "function",
    [
        pytest.param(name, marks=pytest.mark.slow if k > 2 else ())
        for k, name in enumerate(FUNCTIONS)
    ],
)
def test_a_process_stays_within_its_limit(path, function):
    limit = f"limit = {{'memory_limit': {LIMIT}}}\n"
    script = limit + PEAK.format(call=FUNCTIONS[function])
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    peak = int(done.stdout.split()[0])
    assert peak <= LIMIT, f"{peak / 1e6:.0f} MB at {LIMIT / 1e6:.0f}"


@pytest.mark.parametrize(("keys", "bytes_each"), [((), 64), (("g",), 154), (("g", "day"), 344)])
def test_rows_of_clusters_and_groups_take_more_memory(tmp_path, monkeypatch, keys, bytes_each):
    monkeypatch.setattr(sources, "SMALL_FILE_BYTES", 0)
    n = 1000
    columns = {"y": np.arange(n) % 2, "s": np.arange(n) % 7, "g": np.arange(n) // 2}
    table = pa.table({**columns, "day": ["mon", "tue"] * (n // 2)})
    pq.write_table(table, tmp_path / "t.parquet")
    for source in (tmp_path / "t.parquet", duckdb.from_arrow(table)):
        for memory, fits in ((n * bytes_each, True), (n * bytes_each - 1, False)):
            with sources.large_source(source, ["y", "s", *keys], memory, keys=keys) as rows:
                assert (rows is None) == fits


def test_parts_add_up_to_the_limit():
    for limit in (300_000_000, 2_000_000_000, 64_000_000_000):
        parts = large_sources.run_bytes(limit) + large_sources.duckdb_bytes(limit)
        assert large_sources.INTERPRETER + parts + large_sources.spare(limit) // 4 <= limit
