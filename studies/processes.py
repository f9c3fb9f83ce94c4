"""Independent tasks shared out among processes, one processor each."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, TypeVar

Task = TypeVar("Task")
ResultT = TypeVar("ResultT")


def results(
    function: Callable[[Task], ResultT],
    tasks: Sequence[Task],
    *,
    processes: int | None = None,
    minutes: float = float("inf"),
) -> Iterator[ResultT]:
    """Results as they come, with a line of progress each; none is begun when time is up."""
    began = time.monotonic()
    count = processes or os.cpu_count() or 1
    found = map(function, tasks) if count == 1 else _side_by_side(function, tasks, count)
    for done, result in enumerate(found, start=1):
        yield result
        seconds = time.monotonic() - began
        print(f"{done} of {len(tasks)} tasks, {seconds:.0f} s", file=sys.stderr, flush=True)
        if seconds > 60 * minutes:
            break


def _side_by_side(
    function: Callable[[Task], ResultT], tasks: Sequence[Task], count: int
) -> Iterator[ResultT]:
    """Results in the order in which they are ready."""
    context = multiprocessing.get_context("spawn")
    numbers: Any = context.Queue()
    for number in range(count):
        numbers.put(number)
    with ProcessPoolExecutor(
        count, mp_context=context, initializer=keep_to_one_processor, initargs=(numbers,)
    ) as pool:
        running = [pool.submit(function, task) for task in tasks]
        try:
            for ended in as_completed(running):
                yield ended.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def keep_to_one_processor(numbers: Any) -> None:
    """Kernels start a thread for every processor they may use, and these are spoken for."""
    number = numbers.get()
    if hasattr(os, "sched_setaffinity"):
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {allowed[number % len(allowed)]})
