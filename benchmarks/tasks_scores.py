"""Questions beyond the empirical curve, measured against rocwise's own area and tally."""

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import rocwise as rw

from .rows import Bar, Row, at_most
from .tasks import Setting, Task

ROUNDS, QUICK_ROUNDS = 11, 5
MIDPOINTS = ("estimated", "calibrated", "class-means")


def tasks() -> Iterator[Task]:
    """The smooth area over the area, then the cost curve of a finished tally."""
    yield Task("smooth area", ["smooth_roc"], _smooth)
    yield Task("cost curve", ["cost_curve"], _costs)


def _risks(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Calibrated risks, so that the midpoint is inside the range of the scores."""
    rng = np.random.default_rng(5)
    risks = rng.beta(2, 3, rows)
    return (rng.random(rows) < risks).astype(np.int64), risks


def _smooth(setting: Setting) -> list[Row]:
    """Every midpoint, and single precision: each against the area of the same arrays."""
    y, s = _risks(setting.rows(1_000_000))
    rows = [_smooth_row(setting, y, s, midpoint) for midpoint in MIDPOINTS]
    return [*rows, _smooth_row(setting, y, s.astype(np.float32), MIDPOINTS[0])]


def _smooth_row(setting: Setting, y: np.ndarray, s: np.ndarray, midpoint: str) -> Row:
    smooth, plain = _taken_turns(
        setting, lambda: rw.smooth_roc(y, s, midpoint=midpoint).auc, lambda: rw.auc(y, s).value
    )
    ratio = statistics.median(smooth) / statistics.median(plain)
    kind = "" if s.dtype == np.float64 else f", {s.dtype}"
    title = f"Smooth area ({midpoint}) over area, {len(y):,} rows{kind}"
    return _row(title, ratio, at_most(1.5, "x"), {"smooth": smooth, "area": plain})


def _costs(setting: Setting) -> list[Row]:
    y, s = _risks(setting.rows(1_000_000))
    tally = rw.tally(y, s)
    assert len(tally.scores)  # the table is made before the clock starts
    rw.cost_curve(tally)  # and scipy is loaded
    (seconds,) = _taken_turns(setting, lambda: rw.cost_curve(tally).area)
    title = f"Cost curve of a finished tally, {len(y):,} rows"
    return [_row(title, statistics.median(seconds), at_most(0.3, "s"), {"seconds": seconds})]


def _taken_turns(setting: Setting, *calls: Callable[[], Any]) -> list[list[float]]:
    """Seconds of each call, the calls taking turns so that a busy moment hits them all."""
    found: list[list[float]] = [[] for _ in calls]
    for _ in range(QUICK_ROUNDS if setting.quick else ROUNDS):
        for seconds, call in zip(found, calls, strict=True):
            start = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - start)
    return found


def _row(title: str, figure: float, bar: Bar, raw: dict[str, Any]) -> Row:
    return Row(title, ours=figure, unit=bar.unit, bar=bar, status=bar.judge(figure), raw=raw)
