"""Work cut into independent parts, which threads run side by side.

The compiled kernels release the interpreter's lock meanwhile.
"""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, TypeVar

from rocwise.kernels.threads.settings import thread_limit
from rocwise.kernels.threads.teams import Team

Answer = TypeVar("Answer")
PIECES_PER_THREAD = 4  # the last of them is what another thread may have to wait for


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


def pieces(size: int, threads: int) -> list[tuple[int, int]]:
    """Cut `range(size)` into what `run_parts` deals out: several pieces for each of the threads.

    Examples
    --------
    >>> pieces(100, 1), pieces(2, 2)
    ([(0, 100)], [(0, 1), (1, 2)])
    """
    return even_parts(size, PIECES_PER_THREAD * threads if threads > 1 else 1)


def shrinking_pieces(
    size: int, threads: int, smallest: int, share: float = 1 / 2
) -> list[tuple[int, int]]:
    """Cut `range(size)` into pieces that get shorter: nobody waits long for whoever takes the last.

    Each is a share of what falls to a thread of all that is left, a multiple of `smallest` where
    that leaves two for each thread.

    Examples
    --------
    >>> shrinking_pieces(100, 1, 8), shrinking_pieces(100, 2, 8)[:4]
    ([(0, 100)], [(0, 24), (24, 40), (40, 48), (48, 56)])
    """
    if threads == 1:
        return [(0, size)]
    smallest = max(1, min(smallest, size // (2 * threads)))
    cuts = [0]
    while size - cuts[-1] > smallest:
        each = int((size - cuts[-1]) * share) // threads
        cuts.append(cuts[-1] + smallest * max(1, each // smallest))
    return list(pairwise([*cuts, size]))


def run_parts(task: Callable[..., Answer], parts: Sequence[tuple[Any, ...]]) -> list[Answer]:
    """Call ``task(*part)`` for every part on the threads there may be; answers in parts' order.

    Whoever is done with a part takes the next one: a thread whose processor is taken away for a
    while holds up one part, and one that has not begun yet holds up nothing. Where parts fail, the
    first of them in their order is told about.

    Examples
    --------
    >>> run_parts(pow, [(2, 3), (3, 2)])
    [8, 9]
    """
    if len(parts) == 1:
        return [task(*parts[0])]
    answers: dict[int, Answer] = {}
    failures: dict[int, BaseException] = {}
    waiting = deque(range(len(parts)))

    def run() -> None:
        while True:
            try:
                index = waiting.popleft()
            except IndexError:
                return
            try:
                answers[index] = task(*parts[index])
            except BaseException as failure:
                failures[index] = failure
                waiting.clear()

    team = Team(run)
    try:
        with suppress(RuntimeError):  # no thread is left to start: those that are there do it all
            for _ in range(min(len(parts), thread_limit()) - 1):
                team.add()
        run()
    finally:
        waiting.clear()  # Ctrl-C before or between two parts
    for failure in list(failures.values()):
        if not isinstance(failure, Exception):
            raise failure  # Ctrl-C: the others end by themselves, nobody reads what they write
    team.wait()
    if failures:
        raise failures[min(failures)]
    return [answers[index] for index in range(len(parts))]
