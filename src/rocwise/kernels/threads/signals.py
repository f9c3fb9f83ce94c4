"""Compiled loops hear no Ctrl-C: long ones go step by step, or in a thread that is waited for."""

import threading
from collections.abc import Callable
from contextvars import copy_context
from itertools import pairwise
from typing import Any, TypeVar

Answer = TypeVar("Answer")
STEP_ROWS = 2**22  # rows that a compiled loop takes before Ctrl-C is looked at: a few hundredths


def steps_between_signals(start: int, stop: int) -> list[tuple[int, int]]:
    """Cut a range of rows into steps, between which the interpreter hears Ctrl-C.

    Examples
    --------
    >>> steps_between_signals(0, 10)
    [(0, 10)]
    """
    cuts = [*range(start, stop, STEP_ROWS), stop]
    return list(pairwise(cuts)) if len(cuts) > 1 else [(start, stop)]


def heard(task: Callable[..., Answer], *arguments: Any, rows: int) -> Answer:
    """Call a compiled loop over so many rows: in a thread of its own where it may take long.

    Examples
    --------
    >>> heard(pow, 2, 3, rows=1)
    8
    """
    if rows <= STEP_ROWS:
        return task(*arguments)
    return interruptible(lambda: task(*arguments))


def interruptible(task: Callable[[], Answer]) -> Answer:
    """Run a task that hears no signals, in a thread of its own; Ctrl-C ends the waiting for it.

    Where no thread can be started the calling one does it, and hears Ctrl-C when it is done.

    Examples
    --------
    >>> interruptible(lambda: 7)
    7
    """
    if threading.get_ident() != threading.main_thread().ident:
        return task()
    answers: list[Answer] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(task())
        except BaseException as failure:
            failures.append(failure)

    helper = threading.Thread(target=copy_context().run, args=(run,), daemon=True)
    try:
        helper.start()
    except RuntimeError:
        return task()
    while helper.is_alive():
        helper.join(0.1)
    if failures:
        raise failures[0]
    return answers[0]
