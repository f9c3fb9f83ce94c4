"""How long the volume of ordered classes takes, beside one AUC of as many rows.

``python -m studies.ordinal_speed`` prints medians of ratios; the two are asked in turns, so that
what else the machine does falls on both.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

import rocwise as rw


def ratios(
    rows: int = 1_000_000, classes: int = 5, rounds: int = 25, seed: int = 0
) -> tuple[float, float]:
    """Time of the volume, and of volume and standard error, over that of one AUC."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    score = 0.5 * y + rng.normal(size=rows)
    positive = (y > classes // 2).astype(int)
    found = []
    for _ in range(rounds):
        area = _seconds(lambda: rw.auc(positive, score))
        volume = _seconds(lambda: rw.ordinal.auc(y, score).value)
        error = _seconds(lambda: rw.ordinal.auc(y, score).standard_error)
        found.append((volume / area, error / area))
    volume_ratio, error_ratio = np.median(found, axis=0).tolist()
    return volume_ratio, error_ratio


def _seconds(task: Callable[[], object]) -> float:
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


if __name__ == "__main__":
    volume_over_area, error_over_area = ratios()
    sys.stdout.write(
        f"volume {volume_over_area:.2f} times one AUC, with its standard error "
        f"{error_over_area:.2f} times\n"
    )
