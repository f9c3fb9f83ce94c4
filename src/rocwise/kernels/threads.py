"""Runs independent parts of a kernel side by side; the kernels release the interpreter's lock."""

import os
import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def available_threads() -> int:
    """Number of processors this process may use.

    Examples
    --------
    >>> available_threads() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def even_parts(size: int, parts: int) -> list[tuple[int, int]]:
    """Cut `range(size)` into at most `parts` pieces of nearly equal length.

    Examples
    --------
    >>> even_parts(5, 2)
    [(0, 2), (2, 5)]
    """
    parts = max(1, min(parts, size))
    cuts = [size * part // parts for part in range(parts + 1)]
    return list(pairwise(cuts))


def run_parts(task: Callable[..., Answer], parts: Sequence[tuple[Any, ...]]) -> list[Answer]:
    """Call ``task(*part)`` for every part at the same time; answers come in the parts' order.

    Examples
    --------
    >>> run_parts(pow, [(2, 3), (3, 2)])
    [8, 9]
    """
    if len(parts) == 1:
        return [task(*parts[0])]
    answers: dict[int, Answer] = {}
    failures: list[BaseException] = []

    def run(index: int) -> None:
        try:
            answers[index] = task(*parts[index])
        except BaseException as failure:
            failures.append(failure)

    helpers = [threading.Thread(target=run, args=(index,)) for index in range(1, len(parts))]
    for helper in helpers:
        helper.start()
    run(0)
    for helper in helpers:
        helper.join()
    if failures:
        raise failures[0]
    return [answers[index] for index in range(len(parts))]
