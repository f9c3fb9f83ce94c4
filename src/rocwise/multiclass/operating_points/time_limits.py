"""How much time a search may take, and how far it has come."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown, warn
from rocwise.progress import Report, reporter

LONG_PAIR_MOVES = 3_000_000_000  # pairs of classes times squared rows: about 20 s
LONG_PROGRAMME = 50_000  # cells of a linear programme: about 20 s


class TimeLimit:
    """Asked between steps of a search: shows progress and says when the time is over.

    Parameters
    ----------
    seconds : float or None
        How long the search may take; None for no limit.
    progress : bool, callable or None
        As in `rocwise.progress.reporter`.
    label : str
        What the line on the terminal says.

    Examples
    --------
    >>> limit = TimeLimit(60.0)
    >>> limit.is_over(), limit.ran_out
    (False, False)
    """

    def __init__(
        self,
        seconds: float | None = None,
        progress: bool | Report | None = False,
        label: str = "class weights",
    ) -> None:
        checks.reported(progress)
        self.seconds: float | None = None if seconds is None else _checked(seconds)
        self.started: float = time.perf_counter()
        self.ran_out: bool = False
        self._report = reporter(progress, label)
        self._asking = threading.get_ident()  # what is told need not be made for other threads

    def is_over(self, done: float | None = None) -> bool:
        """Report the fraction done, if given, and tell whether the search must stop."""
        if done is not None and threading.get_ident() == self._asking:
            self._report(min(done, 1.0))
        if self.seconds is not None and self.left() <= 0:
            self.ran_out = True
        return self.ran_out

    def left(self) -> float:
        """Seconds left; infinite without a limit."""
        if self.seconds is None:
            return float("inf")
        return self.seconds - (time.perf_counter() - self.started)

    def close(self) -> None:
        """Wipe the line on the terminal."""
        self._report(1.0)


class TimeIsOverError(Exception):
    """Ends a search in the middle of a step."""


class BestSoFar:
    """The best of the points that a search has tried, for one that is ended by its time limit.

    Examples
    --------
    >>> best = BestSoFar(TimeLimit(60.0))
    >>> for point, value in ((1.0, 5.0), (2.0, 3.0), (3.0, 4.0)):
    ...     best.tried(np.array([point]), value)
    >>> best.point.tolist()
    [2.0]
    """

    def __init__(self, limit: TimeLimit) -> None:
        self.limit: TimeLimit = limit
        self.point: Floats = np.empty(0)
        self.value: float = np.inf

    def tried(self, point: Floats, value: float) -> None:
        """Remember a better point, or the first; an error ends the search when time is over."""
        if not self.point.size or value < self.value:
            self.point, self.value = point.copy(), value
        if self.limit.is_over():
            raise TimeIsOverError


def warn_if_long(method: str, n_rows: int, n_classes: int) -> None:
    """Say beforehand that a search without a limit will take more than about 20 seconds."""
    moves = n_classes * (n_classes - 1) // 2 * n_rows**2
    cells = n_rows * n_classes
    if (method == "pair-moves" and moves > LONG_PAIR_MOVES) or (
        method == "lp" and cells > LONG_PROGRAMME
    ):
        warn(
            f"`method` {method!r} on {n_rows:,} distinct rows of {n_classes} classes takes long, "
            "perhaps many minutes. Pass `time_limit` for the best weights within so many seconds, "
            "or method='passes', which is much faster."
        )


def _checked(value: Any) -> float:
    seconds = checks.real(value, "time_limit")
    if seconds <= 0:
        raise InputError(f"`time_limit` must be a number of seconds above 0; got {shown(value)}.")
    return seconds
