"""The longest call of every kernel, recorded while questions are asked, to be timed by itself.

A question is many steps, of which the short ones need no second thread; a kernel that runs long
does. Kernels that callers hand to several threads themselves, a few resamples each, are left to the
tables of questions: asked alone they would show what one of those threads does.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial, wraps
from time import thread_time
from types import FunctionType
from typing import Any

import rocwise as rw
from rocwise import kernels

from .gain_questions import Ask, Questions

GROUP = "Kernels, their longest call"


class Recorder:
    """The longest call of each kernel, and which kernels other threads than the asking one call."""

    def __init__(self) -> None:
        self.longest: dict[str, tuple[float, Ask]] = {}
        self.shared_by_callers: set[str] = set()
        self._own = threading.current_thread()

    def watched(self, name: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel that tells how long it takes, and in which thread."""

        @wraps(kernel)
        def call(*given: Any, **options: Any) -> Any:
            if threading.current_thread() is not self._own:
                self.shared_by_callers.add(name)
                return kernel(*given, **options)
            begun = thread_time()
            answer = kernel(*given, **options)
            taken = thread_time() - begun
            if name not in self.longest or taken > self.longest[name][0]:
                self.longest[name] = taken, partial(kernel, *given, **options)
            return answer

        return call


@contextmanager
def recording(recorder: Recorder) -> Iterator[None]:
    """Let every kernel that is called meanwhile be recorded."""
    plain = {name: each for name, each in vars(kernels).items() if _is_kernel(name, each)}
    vars(kernels).update({name: recorder.watched(name, each) for name, each in plain.items()})
    try:
        yield
    finally:
        vars(kernels).update(plain)


def _is_kernel(name: str, found: object) -> bool:
    return isinstance(found, FunctionType) and not name.startswith("_")


def longest_calls(asked: Mapping[str, Questions]) -> Questions:
    """The longest call of each kernel with one thread, over all questions."""
    recorder = Recorder()
    for group in asked.values():
        for ask in group.values():
            # two threads tell which kernels callers share out, one how long they take
            for number in (2, 1):
                with recording(recorder), rw.threads(number):
                    ask()
    return {
        f"`{name}`": call
        for name, (_, call) in sorted(recorder.longest.items())
        if name not in recorder.shared_by_callers
    }
