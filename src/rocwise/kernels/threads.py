"""Runs independent parts of a kernel side by side; the kernels release the interpreter's lock.

How many threads there are is one setting, `thread_limit`: what the argument or the context
`threads` says, else the environment variable ``ROCWISE_THREADS``, else as many as the process may
use. Answers never depend on it.
"""

import math
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar, copy_context
from functools import cache, wraps
from importlib import import_module
from itertools import pairwise
from typing import Any, ParamSpec, TypeVar

from rocwise import checks
from rocwise.errors import InputError, shown
from rocwise.kernels.processors import available_processors
from rocwise.kernels.teams import Team

Answer = TypeVar("Answer")
P = ParamSpec("P")
VARIABLE = "ROCWISE_THREADS"
CGROUP = "/sys/fs/cgroup/cpu.max"
STEP_ROWS = 2**22  # rows that a compiled loop takes before Ctrl-C is looked at: a few hundredths
MOST_THREADS = 10_000
PIECES_PER_THREAD = 4  # the last of them is what another thread may have to wait for
_CHOSEN: ContextVar[int | None] = ContextVar("threads", default=None)


def threads(number: int) -> AbstractContextManager[None]:
    """Let everything that is asked inside use so many threads; answers do not depend on it.

    It goes before ``ROCWISE_THREADS`` and every other setting, and holds in the thread that
    enters it (and for what that thread asks), so that two threads can have limits of their own.
    What resamples has an argument `threads` too, which goes before the context for that question.

    Parameters
    ----------
    number : int
        How many threads, from 1 on.

    Examples
    --------
    >>> import rocwise as rw
    >>> with rw.threads(1):
    ...     rw.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).value
    0.75
    """
    return _limited(checks.whole(number, "number", at_most=MOST_THREADS))


def takes_threads(question: Callable[P, Answer]) -> Callable[P, Answer]:
    """Let a question be answered with as many threads as its argument `threads` says.

    The argument stands in the signature of the question, whose body need not look at it.

    Examples
    --------
    >>> @takes_threads
    ... def limit(threads: int | None = None) -> int:
    ...     return thread_limit()
    >>> limit(threads=3)
    3
    """

    @wraps(question)
    def ask(*data: P.args, **options: P.kwargs) -> Answer:
        number = options.pop("threads", None)
        if number is None:
            return question(*data, **options)
        with limited_to(number):
            return question(*data, **options)

    return ask


def limited_to(number: Any) -> AbstractContextManager[None]:
    """As many threads as an argument `threads` says; None changes nothing.

    Examples
    --------
    >>> with limited_to(3), limited_to(None):
    ...     thread_limit()
    3
    """
    if number is None:
        return nullcontext()
    return _limited(checks.whole(number, "threads", at_most=MOST_THREADS))


def chosen_threads() -> int | None:
    """What the innermost context or argument says, for what is made later; None where none does.

    Examples
    --------
    >>> with threads(3):
    ...     chosen_threads()
    3
    """
    return _CHOSEN.get()


@contextmanager
def _limited(number: int) -> Iterator[None]:
    token = _CHOSEN.set(number)
    try:
        yield
    finally:
        _CHOSEN.reset(token)


def thread_limit() -> int:
    """Threads that may be used: as `threads` or ``ROCWISE_THREADS`` say, else what there are.

    Inside a worker of joblib, or wherever a limit is set for numerical libraries, that limit
    holds as well (``OMP_NUM_THREADS`` when the process starts, `threadpoolctl.threadpool_limits`
    while it runs): workers that share a machine do not each start as many threads as the machine
    has processors.

    Examples
    --------
    >>> thread_limit() >= 1
    True
    """
    chosen = _CHOSEN.get()
    if chosen is not None:
        return chosen
    told = os.environ.get(VARIABLE, "").strip()
    if told:
        return _told(told, VARIABLE)
    told_others = _omp_limit()
    inner = _inner_limit() if told_others is None else told_others
    limits = [available_processors(), _cgroup_limit(), inner, _controlled_limit()]
    return max(1, min(limit for limit in limits if limit is not None))


def _told(text: str, variable: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:10]) <= MOST_THREADS:
        raise InputError(
            f"`{variable}` must be a number of threads from 1 to 10000; got {shown(text)}."
        )
    return int(text)


@cache
def _cgroup_limit() -> int | None:
    """Processors that a container may use, rounded up; None where there is no limit."""
    try:
        with open(CGROUP, encoding="ascii") as told:
            quota, period = told.read().split()[:2]
        return max(1, math.ceil(int(quota) / int(period)))
    except (OSError, ValueError):  # no such file, or "max"
        return None


def _omp_limit() -> int | None:
    """What the user, or joblib for its workers, has told numerical libraries."""
    told = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return int(told) if told.isdecimal() and 1 <= int(told[:10]) <= MOST_THREADS else None


def _inner_limit() -> int | None:
    """One thread for what joblib runs side by side; None outside of that."""
    joblib = sys.modules.get("joblib.parallel")
    active = getattr(joblib, "get_active_backend", None)
    if active is None:
        return None
    return 1 if getattr(active()[0], "nesting_level", 0) else None


def _controlled_limit() -> int | None:
    """What threadpoolctl lets numerical libraries use now; None where nobody has imported it."""
    if "threadpoolctl" not in sys.modules:
        return None
    told = [each.num_threads for each in _controlled_libraries()]
    return min((number for number in told if number), default=None)


@cache
def _controlled_libraries() -> list[Any]:
    """The libraries in this process that threadpoolctl sets limits for: found once, in 10 ms."""
    control = import_module("threadpoolctl")
    return list(control.ThreadpoolController().lib_controllers)


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


def steps_between_signals(start: int, stop: int) -> list[tuple[int, int]]:
    """Cut a range of rows into steps, between which the interpreter hears Ctrl-C.

    Examples
    --------
    >>> steps_between_signals(0, 10)
    [(0, 10)]
    """
    cuts = [*range(start, stop, STEP_ROWS), stop]
    return list(pairwise(cuts)) if len(cuts) > 1 else [(start, stop)]


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
