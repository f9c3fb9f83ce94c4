"""A line that says how far long work has come, shown only when it takes a while."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Report = Callable[[float], None]
PATIENCE = 1.0  # seconds before the line appears: short work stays silent
WIDTH = 78
_listener: ContextVar[Report | None] = ContextVar("listener", default=None)


class ProgressLine:
    """Writes ``label: 42 %, about 3 s left`` over itself on a terminal; silent elsewhere.

    With a number of `rows` it also tells how many of them were done in a second.
    """

    def __init__(self, label: str, rows: int | None = None) -> None:
        self.label = label
        self.rows = rows
        self.started: float = time.perf_counter()
        self.shown: bool = False

    def __call__(self, done: float) -> None:
        """Show that the fraction `done` is done."""
        elapsed = time.perf_counter() - self.started
        if elapsed < PATIENCE or sys.stderr is None or not sys.stderr.isatty():
            return
        left = elapsed * (1 - done) / done if done > 0 else 0.0
        self.shown = True
        speed = ""
        if self.rows is not None:
            speed = f" {self.rows * done / elapsed / 1e6:.1f} million rows/s,"
        text = f"{self.label}: {100 * done:.0f} %,{speed} about {left:.0f} s left"
        sys.stderr.write(f"\r{text:<{WIDTH}}")
        if done >= 1:
            self.close()
        sys.stderr.flush()

    def close(self) -> None:
        """Wipe the line."""
        if self.shown:
            sys.stderr.write("\r" + " " * WIDTH + "\r")
            self.shown = False


def reporter(progress: bool | Report | None, label: str, rows: int | None = None) -> Report:
    """What to call with the fraction done: a line on the terminal, the user's own, or nothing."""
    if callable(progress):
        return progress
    if progress is not None and not progress:
        return lambda _done: None
    return _listener.get() or ProgressLine(label, rows)


@contextmanager
def listening(report: Report) -> Iterator[None]:
    """Tell `report`, in place of the terminal, how far long work inside this block has come.

    >>> with listening(print):
    ...     reporter(None, "work")(0.5)
    0.5
    """
    token = _listener.set(report)
    try:
        yield
    finally:
        _listener.reset(token)
