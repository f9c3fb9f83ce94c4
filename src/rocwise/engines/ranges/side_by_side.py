"""Pieces of work for all cores, with Ctrl-C heard and progress told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from rocwise.kernels.threads import thread_limit
from rocwise.progress import Report

Piece = TypeVar("Piece")
Answer = TypeVar("Answer")
LISTEN = 0.1  # seconds between two looks at signals


def each_piece(
    work: Callable[[Piece], Answer],
    pieces: Sequence[Piece],
    *,
    sizes: Sequence[int] | None = None,
    report: Report = lambda _done: None,
    interrupt: Callable[[], None] = lambda: None,
) -> list[Answer]:
    """What `work` makes of each piece, in their order, on all cores.

    `interrupt` ends work that is under way: it is called when something failed or on Ctrl-C.

    >>> each_piece(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    line = _Line(work, pieces, sizes or [1] * len(pieces))
    helpers = [
        threading.Thread(target=line.run, daemon=True)
        for _ in range(min(thread_limit(), len(pieces)))
    ]
    try:
        for helper in helpers:
            helper.start()
        while any(helper.is_alive() for helper in helpers):
            helpers[-1 if helpers[-1].is_alive() else 0].join(LISTEN)
            report(line.done())
            if line.failures:
                interrupt()
    except BaseException:
        line.stop = True
        interrupt()
        for helper in helpers:
            helper.join()
        raise
    if line.failures:
        raise line.failures[0]
    return [line.answers[place] for place in range(len(pieces))]


class _Line(Generic[Piece, Answer]):
    """Pieces that wait for a thread that is free."""

    def __init__(
        self, work: Callable[[Piece], Answer], pieces: Sequence[Piece], sizes: Sequence[int]
    ) -> None:
        self.work, self.pieces, self.sizes = work, pieces, sizes
        self.answers: dict[int, Answer] = {}
        self.failures: list[BaseException] = []
        self.next, self.rows_done, self.stop = 0, 0, False
        self.lock = threading.Lock()

    def run(self) -> None:
        """Work on the next piece until none is left."""
        while not self.stop:
            with self.lock:
                place = self.next
                self.next += 1
            if place >= len(self.pieces):
                return
            try:
                self.answers[place] = self.work(self.pieces[place])
            except BaseException as failure:
                self.failures.append(failure)
                self.stop = True
                return
            with self.lock:
                self.rows_done += self.sizes[place]

    def done(self) -> float:
        """The share of the rows that is done."""
        return self.rows_done / max(1, sum(self.sizes))
