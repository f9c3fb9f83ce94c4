"""Signals while rows are read: the usual exception, and no temporary files left behind.

Engines replace the `KeyboardInterrupt` of a Ctrl-C by errors of their own, or lose it. SIGTERM ends
a process at once by default, with its temporary files in place.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

ENDING = ("SIGTERM", "SIGHUP")  # which end a process


class _Ended(BaseException):
    """A signal that ends the process, after it was cleaned up."""


def _end(number: int, _frame: Any) -> NoReturn:
    raise _Ended(number)


class _Signals:
    """The handler while rows are read; at most one at a time, in the main thread."""

    current: "_Signals | None" = None

    def __init__(self) -> None:
        self.usual: dict[int, Any] = {}  # handlers by signal
        self.raised: BaseException | None = None
        self.waiting: list[int] = []  # signals that came while something was cleaned up
        self.deferring: bool = False

    def install(self) -> None:
        """Handle Ctrl-C, and signals that would end the process at once."""
        for name in ("SIGINT", *ENDING):
            number = getattr(signal, name, 0)  # Windows has no SIGHUP
            usual = signal.getsignal(number) if number else None
            if callable(usual) or (usual is signal.SIG_DFL and name in ENDING):
                self.usual[number] = usual
                signal.signal(number, self)

    def restore(self) -> None:
        """The handlers that there were."""
        for number, usual in self.usual.items():
            signal.signal(number, usual)

    def __call__(self, number: int, frame: Any) -> None:
        """Raise what the usual handler raises, now or when the signal is no longer deferred."""
        if self.deferring:
            self.waiting.append(number)
            return
        usual = self.usual[number]
        handler = usual if callable(usual) else _end
        try:
            handler(number, frame)
        except BaseException as problem:
            self.raised = problem
            raise

    def defer(self, deferring: bool) -> None:
        """Begin or end to defer signals; those that waited are handled in the end."""
        self.deferring = deferring
        while self.waiting and not deferring:
            self(self.waiting.pop(), None)


@contextmanager
def interruptible() -> Iterator[None]:
    """Context manager and decorator: a signal raises the usual exception, whatever engines do."""
    if _Signals.current is not None or threading.current_thread() is not threading.main_thread():
        yield
        return
    signals = _Signals.current = _Signals()
    signals.install()
    try:
        yield
    except BaseException as problem:
        if signals.raised is None or signals.raised is problem:
            raise
        raise signals.raised from None
    else:
        if signals.raised is not None:  # and lost, as in a callback
            raise signals.raised
    finally:
        _Signals.current = None
        signals.restore()
        if isinstance(signals.raised, _Ended):
            os.kill(os.getpid(), signals.raised.args[0])


@contextmanager
def cleaned_up() -> Iterator[Callable[[], Any]]:
    """Defer signals, except in the context managers that the function given makes.

    Use it as `with cleaned_up() as interruptible_part: ...; try: with interruptible_part(): ...`.
    """
    signals = _Signals.current
    if signals is None or threading.current_thread() is not threading.main_thread():
        yield _unchanged
        return

    @contextmanager
    def interruptible_part() -> Iterator[None]:
        try:
            signals.defer(before)
            yield
        finally:
            signals.defer(True)

    before = signals.deferring
    signals.defer(True)
    try:
        yield interruptible_part
    finally:
        signals.defer(before)


@contextmanager
def _unchanged() -> Iterator[None]:
    yield
