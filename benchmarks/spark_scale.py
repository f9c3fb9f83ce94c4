"""Spark on a large Parquet file: time, memory, and what is added to its own scan and shuffle.

`make scale` calls `measured`; `python -m benchmarks.spark_scale FILE LABEL SCORE` measures the
overhead: the processor time of `rw.auc`, all of it, against that of `repartitionByRange` and a sort
within the partitions, which is the least that a plan in Spark's own words must do. Both are run in
turn in one session, and the least of some rounds counts: the first one warms Java up.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import rocwise as rw

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
RANGE_ROWS = 1_000_000  # as many as a task of the plan by ranges has


@dataclass
class Spent:
    """Seconds by the clock, seconds of processors, and the largest resident memory in bytes."""

    wall: float = 0.0
    processor: float = 0.0
    peak: int = 0


def unavailable() -> str | None:
    """Why Spark cannot run here; None if it can."""
    if find_spec("pyspark") is None:
        return "pyspark is not installed; pip install 'rocwise[spark]'"
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "Java is not installed; Spark needs version 17 or later"
    return None


@contextmanager
def session(folder: str | None = None) -> Iterator[Any]:
    """Spark on two threads of this machine, reachable from nowhere else."""
    reason = unavailable()
    if reason is not None:
        raise RuntimeError(reason)
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.log.level": "ERROR",
        "spark.ui.showConsoleProgress": "false",
    }
    if folder is not None:
        settings["spark.local.dir"] = folder
    for name, value in settings.items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    try:
        yield found
    finally:
        found.stop()


def measured(
    path: str | Path, *, label: str, score: str, folder: str | None = None
) -> tuple[Any, Spent]:
    """The area of a file with its interval, by Spark, and its time and memory."""
    with session(folder) as spark:
        frame = spark.read.parquet(str(path))
        with spent() as cost:
            result = rw.auc(frame, label=label, score=score)
    return result, cost


@contextmanager
def spent() -> Iterator[Spent]:
    """Measure this process and all that it started: Java, and Spark's Python workers."""
    cost, done = Spent(), threading.Event()

    def watch() -> None:
        while not done.wait(0.2):
            cost.peak = max(cost.peak, sum(_resident(pid) for pid in _family()))

    watcher = threading.Thread(target=watch, daemon=True)
    start, before = time.perf_counter(), _processor()
    watcher.start()
    try:
        yield cost
    finally:
        done.set()
        watcher.join()
        cost.wall, cost.processor = time.perf_counter() - start, _processor() - before


def _family() -> list[int]:
    """This process and its descendants."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            fields = _stat(int(entry.name))
            if fields:
                parents[int(entry.name)] = int(fields[1])
    family, found = {os.getpid()}, True
    while found:
        found = {pid for pid, parent in parents.items() if parent in family} - family
        family |= found
    return sorted(family)


def _stat(pid: int) -> list[str]:
    """The fields of a process from its state on; none if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _resident(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[21]) * PAGE if fields else 0


def _processor() -> float:
    """Processor seconds of the family, and of those in it that have ended."""
    return sum(sum(map(int, _stat(pid)[11:15])) for pid in _family()) / TICKS


def shuffled_alone(frame: Any, score: str, ranges: int) -> None:
    """What Spark does by itself: range the rows, sort them, and let all of them go."""
    ranged = frame.repartitionByRange(ranges, score).sortWithinPartitions(score)
    ranged.write.format("noop").mode("overwrite").save()  # a count would leave the sort out


def overhead(
    path: str | Path, *, label: str, score: str, folder: str | None = None, rounds: int = 3
) -> dict[str, Spent]:
    """The least of some rounds of both plans, one after the other.

    Rows are ranged where more than ten million scores are distinct; below, equal rows are counted.
    """
    best: dict[str, Spent] = {}
    with session(folder) as spark:
        frame = spark.read.parquet(str(path)).select(label, score)
        ranges = max(1, -(-frame.count() // RANGE_ROWS))
        plans = {
            "scan, shuffle and sort": lambda: shuffled_alone(frame, score, ranges),
            "rocwise": lambda: rw.auc(frame, label=label, score=score),
        }
        for _ in range(rounds):
            for name, plan in plans.items():
                with spent() as cost:
                    plan()
                print(f"{name}: {cost.wall:.1f} s, {cost.processor:.1f} processor s", flush=True)
                best[name] = min(best.get(name, cost), cost, key=lambda each: each.processor)
    return best


if __name__ == "__main__":
    file, label, score, *folder = sys.argv[1:]
    found = overhead(file, label=label, score=score, folder=folder[0] if folder else None)
    alone = found["scan, shuffle and sort"].processor
    for name, cost in found.items():
        print(
            f"{name}: {cost.wall:.1f} s, {cost.processor:.1f} processor s "
            f"({cost.processor / alone:.2f}), {cost.peak / 1e9:.2f} GB at most"
        )
