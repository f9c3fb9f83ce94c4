"""A program with a Spark of its own: of a cluster, or through Spark Connect.

A process can have one Spark only, so the tests run this in another: `spark_child.py MASTER FOLDER
STEP...`. Each step prints one line of JSON; the test reads it, and does to the cluster what the
step is about.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import rocwise as rw
from rocwise.engines.out_of_core.large_sources import Request
from rocwise.engines.spark import SparkSource
from spark_sessions import configured

N = 4000
PARTS = 8


def table() -> pa.Table:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, N)
    rounded = np.round(rng.normal(size=N) + labels, 1) + 0.0
    return pa.table({"ill": labels, "a": rng.normal(size=N) + labels, "b": rounded})


def send(**words: Any) -> None:
    print(json.dumps(words), flush=True)


def source(frame: Any) -> SparkSource:
    return SparkSource(frame, range_rows=N // 4, most_counted=10**6)


def request_of(*scores: str) -> Request:
    return Request("ill", 1, 0, scores, True, 50, N)


def slowly(folder: str, seconds: float) -> Any:
    """Leave a mark for every batch of rows, and take a while."""

    def work(batches: Any) -> Any:
        for batch in batches:
            Path(folder, f"{time.time_ns()}.mark").touch()
            time.sleep(seconds)
            yield batch

    return work


def slow(frame: Any, folder: str, seconds: float) -> Any:
    schema = "ill bigint, a double, b double"
    return frame.repartition(PARTS).mapInArrow(slowly(folder, seconds), schema)


def analyses(frame: Any, _folder: str) -> None:
    """What all engines result, by both plans."""
    state = source(frame).range_state(request_of("a"))
    pairs = source(frame).cluster_sums(request_of("a", "b"), None)
    send(
        sums=state.sums,
        bins=state.scores.tolist(),
        products=pairs.products,
        area=rw.auc(frame, label="ill", score="b").value,
        kind=type(frame).__module__,
    )


def killed(frame: Any, folder: str) -> None:
    """A long job, in which a worker will be lost."""
    send(started=True)
    state = source(slow(frame, folder, 0.1)).range_state(request_of("a"))
    send(sums=state.sums, executors=_executors(frame))


def interrupted(frame: Any, folder: str) -> None:
    """A job without end, until Ctrl-C; then a computation, to see that Spark still works."""
    send(started=True)
    try:
        source(slow(frame, folder, 600)).survey("ill", ["a"])
    except KeyboardInterrupt:
        tracker = frame.sparkSession.sparkContext.statusTracker()
        end = time.monotonic() + 30
        while tracker.getActiveJobsIds() and time.monotonic() < end:
            time.sleep(0.1)
        left = len(tracker.getActiveJobsIds())
        send(interrupted=True, jobs=left, area=rw.auc(frame, label="ill", score="b").value)


def ended(frame: Any, _folder: str) -> None:
    """A computation in a session that has been stopped."""
    frame.sparkSession.stop()
    try:
        rw.auc(frame, label="ill", score="b")
    except Exception as problem:
        send(kind=type(problem).__name__, message=str(problem))


def _executors(frame: Any) -> int:
    context = frame.sparkSession.sparkContext
    return int(context._jsc.sc().getExecutorMemoryStatus().size()) - 1


STEPS = {step.__name__: step for step in (analyses, killed, interrupted, ended)}


def main(master: str, folder: str, *steps: str) -> None:
    from pyspark.sql import SparkSession

    if master.startswith("sc://"):
        session = SparkSession.builder.remote(master).getOrCreate()
    else:
        builder = configured(SparkSession.builder.master(master))
        session = builder.config("spark.local.dir", folder).getOrCreate()
    frame = session.createDataFrame(table())
    for step in steps:
        STEPS[step](frame, folder)
    if "ended" not in steps:
        session.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
