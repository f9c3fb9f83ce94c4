"""Threads that help another one, and stay awake for a moment in case there is more to help with.

A question shares out its work several times. A thread that sleeps, or is yet to be started, is
there after some 100 microseconds where processors are rented, as long as 10,000 rows take; one that
looks out for work without sleeping is there at once. Meanwhile it lets all others go first.
"""

import _thread
import os
from collections.abc import Callable
from contextvars import Context, copy_context
from importlib import import_module
from time import sleep
from typing import Any

from rocwise.kernels.selection import ACTIVE
from rocwise.kernels.threads.processors import available_processors

AWAKE = 1000  # microseconds for which a thread looks out for more to do, and for the end of others
BEGINNING = 10  # microseconds in which whoever calls has let go of the interpreter's lock
PATIENCE = 100  # thousandths of a second for which a thread that was chosen waits to be told
_IDLE: list["_Helper"] = []
Run = Callable[[], None]


class PlainFlag:
    """A flag that another thread sets: without compiled loops nobody can wait for it awake.

    Examples
    --------
    >>> flag = PlainFlag()
    >>> flag.set()
    >>> flag.wait(100)
    True
    """

    def __init__(self) -> None:
        self._is_set = False

    def set(self) -> None:
        """Let whoever waits go on."""
        self._is_set = True

    def clear(self) -> None:
        """Let it be waited for again."""
        self._is_set = False

    def wait(self, microseconds: int, longer: int = 0) -> bool:
        """Whether it is set; a thread that would ask again and again holds up all the others."""
        return self._is_set


# nobody waits awake where a compiled loop is missing
Flag: Any = (
    import_module("rocwise.kernels.compiled._waiting").Flag if ACTIVE == "compiled" else PlainFlag
)


class Team:
    """Threads that run something beside the one that asks for it.

    Examples
    --------
    >>> done = []
    >>> team = Team(lambda: done.append(1))
    >>> team.add()
    >>> while not done:
    ...     sleep(0.001)
    >>> team.wait()
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._ends: list[tuple[Any, _thread.LockType]] = []

    def add(self) -> None:
        """Let another thread run it too; a RuntimeError says that none can be started."""
        context = copy_context()
        try:
            helper = _IDLE.pop()
        except IndexError:
            # twice as quick as `threading.Thread`, which waits until the thread is there
            _thread.start_new_thread(_serve, (_Helper(context, self._run_to_the_end),))
        else:
            helper.call(context, self._run_to_the_end)

    def wait(self) -> None:
        """Wait for those that have begun: whoever begins from now on must find nothing to do."""
        for is_done, end in self._ends:
            if not is_done.wait(AWAKE):
                end.acquire()

    def _run_to_the_end(self) -> None:
        is_done, end = Flag(), _thread.allocate_lock()
        end.acquire()
        self._ends.append((is_done, end))
        try:
            self._run()
        finally:
            end.release()
            is_done.set()


class _Helper:
    """What a thread does, and is called for when it has nothing to do."""

    def __init__(self, context: Context, run: Run) -> None:
        self._is_called = Flag()
        self._work: tuple[Context, Run] | None = (context, run)

    def call(self, context: Context, run: Run) -> None:
        """Give it something to do; it must have been taken from the idle ones."""
        self._work = context, run
        self._is_called.set()

    def work(self) -> bool:
        """Do what it was called for; whether there was anything."""
        if self._work is None:
            return False
        (context, run), self._work = self._work, None
        context.run(run)
        return True

    def await_call(self) -> None:
        """Wait until it is called, but not for long."""
        self._is_called.clear()
        _IDLE.append(self)
        if not self._is_called.wait(AWAKE, BEGINNING):
            try:
                _IDLE.remove(self)
            except ValueError:  # taken by someone who has not said what for
                self._await_asleep()

    def _await_asleep(self) -> None:
        for _ in range(PATIENCE):
            if self._is_called.wait(0):
                return
            sleep(0.001)


def _serve(helper: _Helper) -> None:
    """Do what the thread was started for, and what it is called for soon afterwards."""
    while helper.work() and len(_IDLE) < _most_idle():
        helper.await_call()


def _most_idle() -> int:
    """More threads awake than processors would take these from those that work."""
    return available_processors() - 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_IDLE.clear)  # threads stay with the parent
