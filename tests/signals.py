"""Ctrl-C in tests: a real signal that stops one call and nothing else."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_after(seconds: float) -> Iterator[None]:
    """Press Ctrl-C once; however late it comes, the tests that follow do not hear it."""
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(seconds, signal.pthread_kill, (main, signal.SIGINT))
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        timer.join()
        signal.signal(signal.SIGINT, usual)
