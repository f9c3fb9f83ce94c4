"""Files beyond memory: every engine against Polars and DuckDB alone, on one Parquet file.

`make scale` writes the file (1e8 rows by default; ARGS="--rows 1e7"), runs each plan in a process
of its own, one after the other, and prints time, processor time, peak memory and whether twice U,
a whole number, and DeLong's standard error are the same. Exit code 1 if one is not. Plans whose
packages are not installed are named and left out. Then Spark is compared with its own scan,
shuffle and sort, on a smaller file. All files are gone afterwards.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from . import spark_scale

PARTS = 1_000_000
MOST_SECONDS = 400  # of one plan
SPARK_ROWS = 20_000_000  # on which Spark is compared with its own shuffle
COUNTED_ROWS = 10_000_000  # distinct scores up to which Spark counts equal rows instead
COLUMNS = {"s": "all distinct", "r": "about 1e4 distinct"}
ResultT = dict[str, Any]


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


def rocwise_file(path: str, column: str, memory: str) -> ResultT:
    """The path itself."""
    import rocwise as rw

    return _plain(rw.auc(path, label="y", score=column, memory_limit=memory))


def rocwise_relation(path: str, column: str, memory: str) -> ResultT:
    """A relation of DuckDB over the file."""
    import duckdb

    import rocwise as rw

    relation = duckdb.sql(f"from read_parquet('{path}')")
    return _plain(rw.auc(relation, label="y", score=column, memory_limit=memory))


def rocwise_lazy(path: str, column: str, memory: str) -> ResultT:
    """A lazy frame of Polars over the file."""
    import polars as pl

    import rocwise as rw

    frame = pl.scan_parquet(path)
    return _plain(rw.auc(frame, label="y", score=column, memory_limit=memory))


def rocwise_spark(path: str, column: str, _memory: str) -> ResultT:
    """A frame of Spark on two threads."""
    folder = str(Path(path).parent)
    result, spent = spark_scale.measured(path, label="y", score=column, folder=folder)
    return _plain(result) | {"wall": spent.wall, "processor": spent.processor, "peak": spent.peak}


def rocwise_sketch(path: str, column: str, _memory: str) -> ResultT:
    """A sketch of 4,096 cells, fed row group by row group."""
    import pyarrow.parquet as pq

    import rocwise as rw

    sketch = rw.TallySketch()
    file = pq.ParquetFile(path)
    for group in range(file.num_row_groups):
        part = file.read_row_group(group, columns=["y", column])
        sketch.update(part["y"].to_numpy(), part[column].to_numpy())
    return _plain(rw.auc(sketch)) | {"bound": sketch.error_bound}


def duckdb_alone(path: str, column: str, _memory: str) -> ResultT:
    """Only the table of counts that an area needs."""
    import duckdb

    found = duckdb.sql(
        f"select {column} as score, sum(y)::bigint as pos, count(*) as n from "
        f"read_parquet('{path}') group by 1 order by 1"
    ).fetchnumpy()
    return {"table": (found["pos"], found["n"] - found["pos"])}


def polars_alone(path: str, column: str, _memory: str) -> ResultT:
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
    "rocwise, the file": (rocwise_file, "duckdb"),
    "Polars group_by alone": (polars_alone, "polars"),
    "DuckDB group by alone": (duckdb_alone, "duckdb"),
    "rocwise, DuckDB relation": (rocwise_relation, "duckdb"),
    "rocwise, Polars lazy frame": (rocwise_lazy, "polars"),
    "rocwise, sketch": (rocwise_sketch, "pyarrow"),
    "rocwise, Spark local[2]": (rocwise_spark, "pyspark"),
}


def lacking(name: str) -> str | None:
    """Why a plan cannot run here; None if it can."""
    needs = PLANS[name][1]
    if needs == "pyspark":
        return spark_scale.unavailable()
    return None if find_spec(needs) else f"{needs} is not installed"


def _plain(result: Any) -> ResultT:
    doubled = round(Fraction(result.value) * 2 * int(result.n_pos) * int(result.n_neg))
    return {"auc": result.value, "error": result.standard_error, "doubled": doubled}


def run_one(name: str, path: str, column: str, memory: str) -> None:
    """Run one plan and print its result, time and memory as JSON."""
    start, processor = time.perf_counter(), time.process_time()
    found = PLANS[name][0](path, column, memory)
    spent = {
        "wall": time.perf_counter() - start,
        "processor": time.process_time() - processor,
        "peak": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    }
    table = found.pop("table", None)
    if table is not None:  # not timed: the plan alone ends with its table
        pos, neg = table
        below = np.cumsum(neg) - neg
        found["doubled"] = int(np.sum(pos * (2 * below + neg)))
        found["auc"] = found["doubled"] / (2 * int(pos.sum()) * int(neg.sum()))
    print(json.dumps(spent | found))


def in_process(name: str, path: Path, column: str, memory: str) -> ResultT:
    """The same in a process of its own, with all that it starts."""
    reason = lacking(name)
    if reason is not None:
        return {"failed": reason}
    command = [sys.executable, "-m", "benchmarks.scale", "--one", name, str(path)]
    command += ["--column", column, "--memory-limit", memory]
    started = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        output, errors = started.communicate(timeout=MOST_SECONDS)
    except BaseException as problem:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
        if not isinstance(problem, subprocess.TimeoutExpired):
            raise
        return {"failed": f"stopped after {MOST_SECONDS} s"}
    if started.returncode:
        return {"failed": (errors.strip().splitlines() or ["?"])[-1][:120]}
    result: ResultT = json.loads(output.strip().splitlines()[-1])
    return result


def same(result: ResultT, expected: ResultT) -> str:
    """Whether a result is the expected one, as far as it goes."""
    if result.get("bound"):
        near = abs(result["auc"] - expected.get("auc", result["auc"])) <= result["bound"]
        return f"to ± {result['bound']:.1e}" if near else "NO"
    parts = [name for name in ("doubled", "error") if name in result and name in expected]
    return "yes" if all(result[name] == expected[name] for name in parts) else "NO"


def line(name: str, result: ResultT, expected: ResultT) -> str:
    """A row of the table."""
    if "failed" in result:
        return f"| {name} | not run: {result['failed']} | | | |"
    cost = f"{result['wall']:.1f} | {result['processor']:.1f} | {result['peak'] / 1e9:.2f}"
    return f"| {name} | {cost} | {same(result, expected)} |"


def compared(path: Path, column: str, only: str, memory: str) -> bool:
    """Run all plans on one column and print a table; whether one of them is wrong."""
    print(f"\n{column}: {COLUMNS[column]}\n\n| plan | s | processor s | peak GB | exact |")
    print("|---|---|---|---|---|", flush=True)
    expected: ResultT = {}
    wrong = False
    for name in (plan for plan in PLANS if only in plan):
        result = in_process(name, path, column, memory)
        row = line(name, result, expected)
        wrong |= row.endswith("NO |")
        if "failed" not in result and "bound" not in result:
            expected = result | expected
        print(row, flush=True)
    return wrong


def spark_against_scan(folder: str, rows: int) -> None:
    """Time in addition to Spark's own scan, shuffle and sort, which an exact AUC needs."""
    rows = min(rows, SPARK_ROWS)
    reason = spark_scale.unavailable()
    if reason is None and rows <= COUNTED_ROWS:
        reason = f"up to {COUNTED_ROWS:,} distinct scores are counted, not sorted"
    if reason is not None:
        print(f"\nSpark and its own shuffle: not run: {reason}")
        return
    print(f"\nSpark and its own scan, shuffle and sort, {rows:,} distinct scores", flush=True)
    path = Path(folder) / "spark.parquet"
    write_file(path, rows)
    command = [sys.executable, "-m", "benchmarks.spark_scale", str(path), "y", "s", folder]
    subprocess.run(command, check=False)


def main() -> int:
    """Write the file, run all plans, print a table for each column."""
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
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="rocwise-scale-") as folder:
        path = Path(options.file or Path(folder) / "scale.parquet")
        if not path.exists():
            print(f"writing {options.rows:,.0f} rows ...", file=sys.stderr, flush=True)
            write_file(path, int(options.rows))
        print(f"{path.stat().st_size / 1e9:.2f} GB of Parquet, load {os.getloadavg()[0]:.1f}")
        for column in [options.column] if options.column else COLUMNS:
            wrong |= compared(path, column, options.only, options.memory_limit)
        if options.only in "Spark" and options.column != "r":
            spark_against_scan(folder, int(options.rows))
    print(f"\n{(time.perf_counter() - start) / 60:.1f} minutes; all files are removed")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
