"""How much time a search may take, and how far it has come."""

from __future__ import annotations

import time
from typing import Any

from rocwise import checks
from rocwise.errors import InputError
from rocwise.progress import Report, reporter


class Clock:
    """Asked between steps of a search: shows progress and says when the time is over.

    Parameters
    ----------
    time_limit : float or None
        Seconds; None for no limit.
    progress : bool, callable or None
        As in `rocwise.progress.reporter`.
    label : str
        What the line on the terminal says.

    Examples
    --------
    >>> clock = Clock(time_limit=60.0)
    >>> clock.is_over(), clock.ran_out
    (False, False)
    """

    def __init__(
        self,
        time_limit: float | None = None,
        progress: bool | Report | None = False,
        label: str = "class weights",
    ) -> None:
        self.limit = None if time_limit is None else _seconds(time_limit)
        self.started = time.perf_counter()
        self.ran_out = False
        self._report = reporter(progress, label)

    def is_over(self, done: float | None = None) -> bool:
        """Report the fraction done, if given, and tell whether the search must stop."""
        if done is not None:
            self._report(min(done, 1.0))
        if self.limit is not None and self.left() <= 0:
            self.ran_out = True
        return self.ran_out

    def left(self) -> float:
        """Seconds left; infinite without a limit."""
        if self.limit is None:
            return float("inf")
        return self.limit - (time.perf_counter() - self.started)

    def close(self) -> None:
        """Wipe the line on the terminal."""
        self._report(1.0)


def _seconds(value: Any) -> float:
    seconds = checks.real(value, "time_limit")
    if seconds <= 0:
        raise InputError(f"`time_limit` must be a number of seconds above 0; got {value!r}.")
    return seconds
