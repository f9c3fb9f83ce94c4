"""Timing one implementation inside this process."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from .agreement import Value

Answer = TypeVar("Answer")
Measure = Callable[[int], "Timed"]


@dataclass(frozen=True)
class Timed:
    """Seconds of one call and the numbers it gave."""

    seconds: float
    value: Value


def stopwatch(call: Callable[[], Answer], value: Callable[[Answer], Value]) -> Measure:
    """Time `call`; `value` reads the numbers to compare from its answer and is not timed.

    `call` must therefore touch everything that may be computed only when asked for.
    """

    def measure(calls: int) -> Timed:
        start = time.perf_counter()
        for _ in range(calls):
            answer = call()
        seconds = (time.perf_counter() - start) / calls
        return Timed(seconds, value(answer))

    return measure
