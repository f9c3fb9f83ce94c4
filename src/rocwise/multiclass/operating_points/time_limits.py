"""How much time a search may take, and how far it has come."""

from __future__ import annotations

import time
from typing import Any

from rocwise import checks
from rocwise.errors import InputError, shown
from rocwise.progress import Report, reporter


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
        self.seconds = None if seconds is None else _checked(seconds)
        self.started = time.perf_counter()
        self.ran_out = False
        self._report = reporter(progress, label)

    def is_over(self, done: float | None = None) -> bool:
        """Report the fraction done, if given, and tell whether the search must stop."""
        if done is not None:
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


def _checked(value: Any) -> float:
    seconds = checks.real(value, "time_limit")
    if seconds <= 0:
        raise InputError(f"`time_limit` must be a number of seconds above 0; got {shown(value)}.")
    return seconds
