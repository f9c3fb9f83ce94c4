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
Answer = TypeVar("Answer")


def answers(
    function: Callable[[Task], Answer],
    tasks: Sequence[Task],
    *,
    processes: int | None = None,
    minutes: float = float("inf"),
) -> Iterator[Answer]:
    """Answers as they come, with a line of progress each; those begun in time are waited for."""
    began = time.monotonic()
    count = processes or os.cpu_count() or 1
    context = multiprocessing.get_context("spawn")
    numbers: Any = context.Queue()
    for number in range(count):
        numbers.put(number)
    with ProcessPoolExecutor(
        count, mp_context=context, initializer=keep_to_one_processor, initargs=(numbers,)
    ) as pool:
        running = [pool.submit(function, task) for task in tasks]
        for done, ended in enumerate(as_completed(running), start=1):
            yield ended.result()
            seconds = time.monotonic() - began
            print(f"{done} of {len(tasks)} tasks, {seconds:.0f} s", file=sys.stderr, flush=True)
            if seconds > 60 * minutes:
                pool.shutdown(wait=False, cancel_futures=True)
                break


def keep_to_one_processor(numbers: Any) -> None:
    """Kernels start a thread for every processor they may use, and these are spoken for."""
    number = numbers.get()
    if hasattr(os, "sched_setaffinity"):
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {allowed[number % len(allowed)]})
