"""The number of threads, tasks on several threads, and long calls that Ctrl-C interrupts.

Results never depend on the number of threads. Compiled loops release the interpreter's lock.
"""

import math
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar, copy_context
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any, TypeVar

from rocwise import checks
from rocwise.errors import InputError, shown

T = TypeVar("T")
VARIABLE = "ROCWISE_THREADS"
CGROUP = "/sys/fs/cgroup/cpu.max"
MOST_THREADS = 10_000
CHUNKS_PER_THREAD = 4
ROWS_PER_THREAD = 100_000  # fewer are done before a second thread has started
STEP_ROWS = 2**22  # of a compiled loop between two looks at Ctrl-C: some hundredths of a second
_LIMIT: ContextVar[int | None] = ContextVar("threads", default=None)


def threads(number: int) -> AbstractContextManager[None]:
    """Set the number of threads (context manager).

    It takes precedence over the environment variable ``ROCWISE_THREADS`` and applies to calls from
    the thread that enters it. Results do not depend on the number of threads.

    Parameters
    ----------
    number : int
        Number of threads, at least 1.

    Returns
    -------
    context manager
        Restores the previous number at its end.

    See Also
    --------
    partial_results : Keep the resamples made before Ctrl-C.

    Examples
    --------
    >>> import rocwise as rw
    >>> with rw.threads(1):
    ...     rw.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).value
    0.75
    """
    return limited_to(checks.whole(number, "number", at_most=MOST_THREADS))


def limited_to(number: int | None) -> AbstractContextManager[None]:
    """The same context for a valid number; None changes nothing."""
    return nullcontext() if number is None else _limited(number)


@contextmanager
def _limited(number: int) -> Iterator[None]:
    token = _LIMIT.set(number)
    try:
        yield
    finally:
        _LIMIT.reset(token)


def chosen_threads() -> int | None:
    """The number set by the innermost context, for lazy computations; None without a context."""
    return _LIMIT.get()


def thread_limit() -> int:
    """Number of threads: the context, ``ROCWISE_THREADS``, or what system and packages permit."""
    number = _LIMIT.get()
    if number is not None:
        return number
    text = os.environ.get(VARIABLE, "").strip()
    if text:
        return _parsed(text)
    omp = _omp_limit()
    inner = _joblib_limit() if omp is None else omp
    limits = [_processors(), _cgroup_limit(), inner, _threadpoolctl_limit()]
    return max(1, min(limit for limit in limits if limit is not None))


def _parsed(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:10]) <= MOST_THREADS:
        raise InputError(
            f"`{VARIABLE}` must be a number of threads from 1 to 10000; got {shown(text)}."
        )
    return int(text)


def _processors() -> int:
    count = getattr(os, "process_cpu_count", None)  # from Python 3.13 on
    if count is not None:
        return int(count() or 1)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _cgroup_limit() -> int | None:
    """Processors of a container, rounded up; None without a limit."""
    try:
        with open(CGROUP, encoding="ascii") as file:
            quota, period = file.read().split()[:2]
        return max(1, math.ceil(int(quota) / int(period)))
    except (OSError, ValueError):  # no such file, or "max"
        return None


def _omp_limit() -> int | None:
    """``OMP_NUM_THREADS``, which joblib sets for its worker processes."""
    text = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return int(text) if text.isdecimal() and 1 <= int(text[:10]) <= MOST_THREADS else None


def _joblib_limit() -> int | None:
    """One thread inside of joblib's parallel tasks."""
    active = getattr(sys.modules.get("joblib.parallel"), "get_active_backend", None)
    if active is None:
        return None
    return 1 if getattr(active()[0], "nesting_level", 0) else None


def _threadpoolctl_limit() -> int | None:
    if "threadpoolctl" not in sys.modules:
        return None
    numbers = [library.num_threads for library in _controlled_libraries()]
    return min((number for number in numbers if number), default=None)


@cache
def _controlled_libraries() -> list[Any]:
    return list(import_module("threadpoolctl").ThreadpoolController().lib_controllers)


def even_chunks(size: int, parts: int) -> list[tuple[int, int]]:
    """Divide `range(size)` into at most `parts` chunks of nearly equal length."""
    parts = max(1, min(parts, size))
    return list(pairwise(size * part // parts for part in range(parts + 1)))


def chunks(size: int, threads: int) -> list[tuple[int, int]]:
    """Chunks of `range(size)` for tasks: several for each thread, one for a single thread."""
    return even_chunks(size, CHUNKS_PER_THREAD * threads if threads > 1 else 1)


def run_tasks(
    task: Callable[..., T], parts: Sequence[tuple[Any, ...]], rows: int = ROWS_PER_THREAD
) -> list[T]:
    """``[task(*part) for part in parts]`` on several threads, unless they have too few rows.

    A task has one thread. The calling thread takes part. After an error or Ctrl-C no task begins;
    of several errors the first one by part is raised.
    """
    workers = min(len(parts), thread_limit()) if len(parts) > 1 and rows >= ROWS_PER_THREAD else 1
    if workers == 1:
        return [task(*part) for part in parts]
    waiting = deque(enumerate(parts))
    results: dict[int, T] = {}
    errors: dict[int, BaseException] = {}

    def work() -> None:
        _LIMIT.set(1)  # in the copied context of this thread
        with suppress(IndexError):  # nothing is waiting
            while True:
                index, part = waiting.popleft()
                try:
                    results[index] = task(*part)
                except BaseException as error:
                    errors[index] = error
                    waiting.clear()

    helpers = [threading.Thread(target=copy_context().run, args=(work,)) for _ in range(1, workers)]
    try:
        with suppress(RuntimeError):  # no thread can be started
            for helper in helpers:
                helper.start()
        copy_context().run(work)
    finally:
        waiting.clear()
    _join(helpers, errors)
    if errors:
        raise errors.pop(min(errors))
    return [results[index] for index in range(len(parts))]


def _join(helpers: list[threading.Thread], errors: dict[int, BaseException]) -> None:
    """Wait for the threads, but not after Ctrl-C."""
    for helper in helpers:
        while helper.is_alive() and all(isinstance(e, Exception) for e in list(errors.values())):
            helper.join(0.1)  # without timeout it would not be interruptible on Windows


def interruptible(task: Callable[..., T], *arguments: Any, rows: int | None = None) -> T:
    """Call a long compiled loop in a daemon thread, so that Ctrl-C ends the wait for it."""
    short = rows is not None and rows <= STEP_ROWS
    if short or threading.current_thread() is not threading.main_thread():
        return task(*arguments)
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(task(*arguments))
        except BaseException as error:
            future.set_exception(error)

    try:
        threading.Thread(target=copy_context().run, args=(run,), daemon=True).start()
    except RuntimeError:  # no thread can be started
        return task(*arguments)
    while not wait([future], timeout=0.1).done:
        pass
    return future.result()
