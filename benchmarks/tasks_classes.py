"""Class weights: the exact sweep, pair moves and passes, each against its time limit."""

import statistics
import time
from collections.abc import Iterator

import numpy as np

import rocwise as rw

from .rows import Row, at_most
from .tasks import Setting, Task

ROUNDS, QUICK_ROUNDS = 5, 3
RACES = (("sweep", 2_000, 3, 0.3), ("pair-moves", 5_000, 5, 10.0), ("passes", 100_000, 10, 2.0))


def tasks() -> Iterator[Task]:
    """One task, three methods."""
    yield Task("class-weights", ["class_weights"], _weights)


def _weights(setting: Setting) -> list[Row]:
    return [_row(setting, *race) for race in RACES]


def _row(setting: Setting, method: str, full: int, m: int, limit: float) -> Row:
    n = setting.rows(full)
    y, scores, costs = _problem(n, m)
    rw.class_weights(y[:50], scores[:50], method=method)  # what it imports is loaded
    seconds = []
    for _ in range(QUICK_ROUNDS if setting.quick else ROUNDS):
        started = time.perf_counter()
        rw.class_weights(y, scores, costs=costs, method=method)
        seconds.append(time.perf_counter() - started)
    figure, bar = statistics.median(seconds), at_most(limit, "s")
    title = f"Class weights by {method}, {n:,} rows of {m} classes"
    raw = {"seconds": seconds}
    return Row(title, ours=figure, unit="s", bar=bar, status=bar.judge(figure), raw=raw)


def _problem(n: int, m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A badly calibrated classifier and costs from 1 to 10."""
    rng = np.random.default_rng([n, m])
    y = np.concatenate([np.arange(m), rng.integers(0, m, n - m)])
    logits = (rng.normal(size=(n, m)) + np.eye(m)[y]) * rng.uniform(0.5, 2.5, m)
    scores = np.exp(logits + rng.normal(size=m))
    costs = rng.integers(1, 11, (m, m)) * (1.0 - np.eye(m))
    return y, scores / scores.sum(axis=1, keepdims=True), costs
