"""Files beyond memory: every engine beside Polars and DuckDB alone, on one Parquet file.

`make scale` writes the file (1e8 rows by default; ARGS="--rows 1e7"), asks each plan in a process
of its own, one after the other, and prints time, processor time, peak memory and whether twice U,
a whole number, is the same. Exit code 1 if it is not.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from .memory_probe import _status_bytes

PARTS = 1_000_000
COLUMNS = {"s": "all distinct", "r": "about 1e4 distinct"}
Answer = dict[str, Any]


def write_file(path: Path, rows: int) -> None:
    """Labels `y` (int8), distinct float64 scores `s`, and the same rounded to float32, `r`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng, writer = np.random.default_rng(1), None
    for start in range(0, rows, PARTS):
        size = min(PARTS, rows - start)
        label = rng.random(size) < 0.3
        score = rng.normal(size=size) + label
        rounded = np.round(score, 3).astype(np.float32)
        table = pa.table({"y": label.astype(np.int8), "s": score, "r": rounded})
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def rocwise_file(path: str, column: str, memory: str) -> Answer:
    """The path itself."""
    import rocwise as rw

    return _told(rw.auc(path, label="y", score=column, memory_limit=memory))


def rocwise_relation(path: str, column: str, memory: str) -> Answer:
    """A relation of DuckDB over the file."""
    import duckdb

    import rocwise as rw

    relation = duckdb.sql(f"from read_parquet('{path}')")
    return _told(rw.auc(relation, label="y", score=column, memory_limit=memory))


def rocwise_lazy(path: str, column: str, memory: str) -> Answer:
    """A lazy frame of Polars over the file."""
    import polars as pl

    import rocwise as rw

    frame = pl.scan_parquet(path)
    return _told(rw.auc(frame, label="y", score=column, memory_limit=memory))


def rocwise_spark(path: str, column: str, _memory: str) -> Answer:
    """A frame of Spark on two threads."""
    from . import spark_scale

    answer, spent = spark_scale.answered(path, label="y", score=column)
    return _told(answer) | {"wall": spent.wall, "processor": spent.processor, "peak": spent.peak}


def rocwise_sketch(path: str, column: str, _memory: str) -> Answer:
    """A sketch of 4,096 cells, fed row group by row group."""
    import pyarrow.parquet as pq

    import rocwise as rw

    sketch = rw.TallySketch()
    file = pq.ParquetFile(path)
    for group in range(file.num_row_groups):
        part = file.read_row_group(group, columns=["y", column])
        sketch.update(part["y"].to_numpy(), part[column].to_numpy())
    return _told(rw.auc(sketch)) | {"bound": sketch.error_bound}


def duckdb_alone(path: str, column: str, _memory: str) -> Answer:
    """Only the table of counts that an area needs."""
    import duckdb

    found = duckdb.sql(
        f"select {column} as score, sum(y)::bigint as pos, count(*) as n from "
        f"read_parquet('{path}') group by 1 order by 1"
    ).fetchnumpy()
    return {"table": (found["pos"], found["n"] - found["pos"])}


def polars_alone(path: str, column: str, _memory: str) -> Answer:
    """Only the table of counts that an area needs."""
    import polars as pl

    found = (
        pl.scan_parquet(path)
        .group_by(column)
        .agg(pl.col("y").cast(pl.Int64).sum().alias("pos"), pl.len().cast(pl.Int64).alias("n"))
        .sort(column)
        .collect(engine="streaming")
    )
    pos = found["pos"].to_numpy()
    return {"table": (pos, found["n"].to_numpy() - pos)}


PLANS = {
    "rocwise, the file": rocwise_file,
    "Polars group_by alone": polars_alone,
    "DuckDB group by alone": duckdb_alone,
    "rocwise, DuckDB relation": rocwise_relation,
    "rocwise, Polars lazy frame": rocwise_lazy,
    "rocwise, sketch": rocwise_sketch,
    "rocwise, Spark local[2]": rocwise_spark,
}


def _told(answer: Any) -> Answer:
    doubled = round(answer.value * 2 * answer.n_pos * answer.n_neg)
    return {"auc": answer.value, "error": answer.standard_error, "doubled": doubled}


def run_one(name: str, path: str, column: str, memory: str) -> None:
    """Ask one plan and print what it said and what it took, as JSON."""
    start, processor = time.perf_counter(), time.process_time()
    found = PLANS[name](path, column, memory)
    spent = {
        "wall": time.perf_counter() - start,
        "processor": time.process_time() - processor,
        "peak": _status_bytes("VmHWM"),
    }
    table = found.pop("table", None)
    if table is not None:  # not timed: the plan alone ends with its table
        pos, neg = table
        below = np.cumsum(neg) - neg
        found["doubled"] = int(np.sum(pos * (2 * below + neg)))
        found["auc"] = found["doubled"] / (2 * int(pos.sum()) * int(neg.sum()))
    print(json.dumps(spent | found))


def asked(name: str, path: Path, column: str, memory: str) -> Answer:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.scale", "--one", name, str(path)]
    command += ["--column", column, "--memory-limit", memory]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or ["?"])[-1][:120]}
    answer: Answer = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


def line(name: str, answer: Answer, expected: int | None) -> str:
    """A row of the table."""
    if "failed" in answer:
        return f"| {name} | not run: {answer['failed']} | | | |"
    if answer.get("bound"):
        same = f"to ± {answer['bound']:.1e}"
    else:
        same = "yes" if expected in (None, answer["doubled"]) else "NO"
    cost = f"{answer['wall']:.1f} | {answer['processor']:.1f} | {answer['peak'] / 1e9:.2f}"
    return f"| {name} | {cost} | {same} |"


def main() -> int:
    """Write the file, ask all, print a table for each column."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="1e8", type=float)
    parser.add_argument("--file", help="use this file, made by an earlier run, and keep it")
    parser.add_argument("--only", default="", help="plans whose name contains this")
    parser.add_argument("--column", choices=COLUMNS)
    parser.add_argument("--memory-limit", default="2GB")
    parser.add_argument("--one", nargs=2, metavar=("PLAN", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        run_one(*options.one, options.column, options.memory_limit)
        return 0
    wrong = False
    with tempfile.TemporaryDirectory(prefix="rocwise-scale-") as folder:
        path = Path(options.file or Path(folder) / "scale.parquet")
        if not path.exists():
            print(f"writing {options.rows:,.0f} rows ...", file=sys.stderr, flush=True)
            write_file(path, int(options.rows))
        print(f"{path.stat().st_size / 1e9:.2f} GB of Parquet, load {os.getloadavg()[0]:.1f}")
        for column in [options.column] if options.column else COLUMNS:
            print(
                f"\n{column}: {COLUMNS[column]}\n\n| plan | s | processor s | peak GB | 2U same |"
            )
            print("|---|---|---|---|---|")
            expected = None
            for name in (plan for plan in PLANS if options.only in plan):
                answer = asked(name, path, column, options.memory_limit)
                row = line(name, answer, expected)
                wrong |= row.endswith("NO |")
                if expected is None and "bound" not in answer:
                    expected = answer.get("doubled")
                print(row, flush=True)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
