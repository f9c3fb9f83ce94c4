"""Cells of any length: small and large text, packed, streams and Parquet give the same result."""

import gzip
import json
import subprocess
import sys

import pytest

import rocwise as rw

LIMIT = 131_072  # of Python's csv module by default
ROWS = [(0, 0.1), (1, 0.9), (0, 0.4), (1, 0.3), (0, 0.2), (1, 0.8)]


@pytest.fixture(params=["plain", "quoted"])
def table(request):
    """A column that is not used has a cell beyond the limit, and one just at it."""
    quote = '"' if request.param == "quoted" else ""
    texts = ["short", "x" * LIMIT, "é" * (LIMIT + 1), "y" * 600_000, "", "z"]
    rows = [f"{y},{quote}{t}{quote},{s}" for (y, s), t in zip(ROWS, texts, strict=True)]
    return "\n".join(["y,text,s", *rows, ""])


def paths(folder, table):
    small = folder / "small.csv"
    small.write_text(table, encoding="utf-8")
    packed = folder / "packed.csv.gz"
    packed.write_bytes(gzip.compress(table.encode()))
    large = folder / "large.csv"
    header, *rows = table.splitlines()
    large.write_text("\n".join([header, *rows * 3, ""]), encoding="utf-8")
    assert large.stat().st_size > 2_000_000
    return [small, packed, large]


def test_files_of_every_size_and_kind(tmp_path, table):
    expected = rw.auc(*zip(*ROWS, strict=True)).value
    for path in paths(tmp_path, table):
        tally = rw.tally(path, label="y", score="s")
        assert rw.auc(tally).value == expected, path


def test_parquet(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {"y": [y for y, _ in ROWS], "s": [s for _, s in ROWS], "text": ["x" * 200_000] * 6}
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    tally = rw.tally(tmp_path / "t.parquet", label="y", score="s")
    assert rw.auc(tally).value == rw.auc(columns["y"], columns["s"]).value


def test_long_labels_are_labels(tmp_path):
    long = "ill" * 60_000
    text = "\n".join(["y,s", *(f"{long if y else 'well'},{s}" for y, s in ROWS), ""])
    (tmp_path / "t.csv").write_text(text)
    tally = rw.tally(tmp_path / "t.csv", label="y", score="s", pos_label=long)
    assert tally.n_pos == 3


def test_a_stream(tmp_path, table):
    done = subprocess.run(
        [sys.executable, "-m", "rocwise", "auc", "-", "--label", "y", "--score", "s", "--json"],
        input=table, capture_output=True, text=True, encoding="utf-8", timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["results"]["s"]
    assert found["value"] == rw.auc(*zip(*ROWS, strict=True)).value
