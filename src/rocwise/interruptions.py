"""Ctrl-C stops the whole call, unless answers from the resamples drawn so far were asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

FEWEST = 2  # resamples that an answer can rest on


@dataclass(slots=True)
class Interruption:
    """How far an interrupted resampling came; false where nothing was interrupted.

    Attributes
    ----------
    made, asked : int
        Resamples that were drawn, and that should have been drawn.
    """

    made: int = 0
    asked: int = 0

    def __bool__(self) -> bool:
        return self.asked > 0

    def note(self, made: int, asked: int) -> bool:
        """Remember where it stopped; False if that is too few for an answer."""
        if made < FEWEST:
            return False
        self.made, self.asked = made, asked
        return True


_allowed: ContextVar[Interruption | None] = ContextVar("partial answers", default=None)


@contextmanager
def partial_answers() -> Iterator[Interruption]:
    """Let Ctrl-C end a resampling early; the answer then rests on what was drawn until then.

    Without it Ctrl-C raises `KeyboardInterrupt` and nothing is answered. Within it the first
    interruption ends the resampling that is under way; the answer, in print, in `origin` and in
    `to_dict()`, says how many resamples it rests on, and a warning says so too. Whatever needs
    further resamples after that, such as the next model, is not begun: it raises
    `KeyboardInterrupt`, like a second Ctrl-C. A simultaneous band looks at those it has drawn once
    more.

    Yields
    ------
    Interruption
        False as long as nothing was interrupted; then with `made` and `asked`.

    Examples
    --------
    >>> import rocwise as rw
    >>> with rw.partial_answers() as stopped:
    ...     answer = rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], n_resamples=200, rng=1)
    >>> bool(stopped), len(answer.replicates)
    (False, 200)
    """
    token = _allowed.set(Interruption())
    try:
        yield _allowed.get()  # type: ignore[misc]  # just set
    finally:
        _allowed.reset(token)


def allowed() -> Interruption | None:
    """What to note an interruption in; None where it must stop the call."""
    return _allowed.get()
