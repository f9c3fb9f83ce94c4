"""How many threads there may be: one setting, `thread_limit`.

It is what the argument or the context `threads` says, else the environment variable
``ROCWISE_THREADS``, else as many as the process may use. Answers never depend on it.
"""

import math
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from typing import Any

from rocwise import checks
from rocwise.errors import InputError, shown
from rocwise.kernels.threads.processors import available_processors

VARIABLE = "ROCWISE_THREADS"
CGROUP = "/sys/fs/cgroup/cpu.max"
MOST_THREADS = 10_000
_CHOSEN: ContextVar[int | None] = ContextVar("threads", default=None)


def threads(number: int) -> AbstractContextManager[None]:
    """Let everything that is asked inside use so many threads; answers do not depend on it.

    It goes before ``ROCWISE_THREADS`` and every other setting, and holds in the thread that
    enters it (and for what that thread asks), so that two threads can have limits of their own.

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
