"""Progress of long computations, and results of those that Ctrl-C ends early."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

Report = Callable[[float], None]
PATIENCE = 1.0  # seconds before the line appears: short work stays silent
WIDTH = 78
FEWEST = 2  # resamples of a result
_listener: ContextVar[Report | None] = ContextVar("listener", default=None)


class ProgressLine:
    """Writes ``label: 42%, about 3 s left`` on a terminal, with `rows` also rows per second."""

    def __init__(self, label: str, rows: int | None = None) -> None:
        self.label = label
        self.rows = rows
        self.started: float = time.perf_counter()
        self.shown: bool = False

    def __call__(self, done: float) -> None:
        """Show the fraction done."""
        elapsed = time.perf_counter() - self.started
        if elapsed < PATIENCE or sys.stderr is None or not sys.stderr.isatty():
            return
        left = elapsed * (1 - done) / done if done > 0 else 0.0
        self.shown = True
        speed = ""
        if self.rows is not None:
            speed = f" {self.rows * done / elapsed / 1e6:.1f} million rows/s,"
        text = f"{self.label}: {100 * done:.0f}%,{speed} about {left:.0f} s left"
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
    """A function of the fraction done: a line on the terminal, the user's own, or nothing."""
    if callable(progress):
        return progress
    if progress is not None and not progress:
        return lambda _done: None
    return _listener.get() or ProgressLine(label, rows)


@contextmanager
def listening(report: Report) -> Iterator[None]:
    """Context manager: report progress to a function instead of the terminal.

    >>> with listening(print):
    ...     reporter(None, "work")(0.5)
    0.5
    """
    token = _listener.set(report)
    try:
        yield
    finally:
        _listener.reset(token)


@dataclass(slots=True)
class Interruption:
    """How far an interrupted resampling came; false where nothing was interrupted.

    Attributes
    ----------
    made, requested : int
        Resamples that were drawn, and that should have been drawn.
    """

    made: int = 0
    requested: int = 0

    def __bool__(self) -> bool:
        return self.requested > 0

    def note(self, made: int, requested: int) -> bool:
        """Record where it stopped; False if that is too few for a result."""
        if made < FEWEST:
            return False
        self.made, self.requested = made, requested
        return True


_allowed: ContextVar[Interruption | None] = ContextVar("partial results", default=None)


@contextmanager
def partial_results() -> Iterator[Interruption]:
    """Keep the resamples made before an interruption by Ctrl-C (context manager).

    Without it, Ctrl-C raises `KeyboardInterrupt` and no result is returned. Within it, the first
    interruption ends the current resampling; the number of resamples is in the printed result, in
    `origin`, in ``to_dict()`` and in a warning. Later resampling, and a second Ctrl-C, raise
    `KeyboardInterrupt`.

    Yields
    ------
    Interruption
        False unless interrupted; then with `made` and `requested`, the numbers of resamples.

    See Also
    --------
    bootstrap : Bootstrap interval for a statistic of the ROC curve.
    threads : Set the number of threads.

    Examples
    --------
    >>> import rocwise as rw
    >>> with rw.partial_results() as stopped:
    ...     result = rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], n_resamples=200, rng=1)
    >>> bool(stopped), len(result.replicates)
    (False, 200)
    """
    token = _allowed.set(Interruption())
    try:
        yield _allowed.get()  # type: ignore[misc]  # just set
    finally:
        _allowed.reset(token)


def allowed_interruption() -> Interruption | None:
    """Where to record an interruption; None where Ctrl-C must stop the call."""
    return _allowed.get()
