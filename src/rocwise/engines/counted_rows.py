"""What an engine hands over: rows of which equal ones are counted once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Counts

SAMPLE_ROWS = 10_000  # looked at to see whether counting equal rows pays
FEW = 1_000_000  # distinct rows, which take little memory wherever they are counted
EXACT_TOTAL = 2.0**53  # whole numbers up to this add up exactly, in whatever order


@dataclass(frozen=True, slots=True)
class CountedRows:
    """Columns as the source holds them, uncleaned, and how many rows each entry stands for.

    Attributes
    ----------
    columns : dict
        By name: numpy arrays (masked where cells are missing), or narwhals series.
    counts : ndarray of int64 or None
        Rows behind each entry. None: one each, in the order of the source.
    library : str or None
        Library of the frame; None for files.
    """

    columns: dict[str, Any]
    counts: Counts | None
    library: str | None


def counting_pays(n_sampled: int, n_distinct: int, n_rows: int = 0) -> bool:
    """Whether a sample says that at most half of the rows are distinct.

    m rows drawn from D equally frequent ones repeat an earlier one about m**2 / (2 * D) times, so
    where the number of all rows is known even a few repetitions tell.

    >>> counting_pays(10_000, 200), counting_pays(10_000, 9_990)
    (True, False)
    >>> counting_pays(10_000, 9_990, n_rows=100_000_000)
    True
    """
    repeated = n_sampled - n_distinct
    return 2 * n_distinct <= n_sampled or n_sampled**2 <= repeated * n_rows


def about_distinct(seen: int, once: int, twice: int) -> float:
    """About how many distinct values there are, if a sample has `seen` so many of them.

    A lower bound of Chao (1984): values that were not seen are at least as many as those seen
    once, squared, over twice those seen twice. So a few frequent values hide no rare ones. Where
    rows come in blocks (1987), count in how many blocks a value is: rows that were sorted
    repeat their neighbours, and only them.

    >>> about_distinct(2, 0, 0), about_distinct(9_900, 9_800, 100)
    (2.0, 485297.0297029703)
    """
    return seen + once * max(0, once - 1) / (2 * (twice + 1))


def few_distinct(times: Counts) -> bool:
    """Whether a sample, in which values have occurred so many times, says that about a million,
    or fewer, are distinct among all.

    >>> few_distinct(np.array([9_000, 1, 1, 2])), few_distinct(np.ones(9_000, np.int64))
    (True, False)
    """
    once, twice = (int(np.count_nonzero(times == k)) for k in (1, 2))
    return about_distinct(len(times), once, twice) <= FEW


def sums_are_exact(weights: Any, counts: Counts) -> bool:
    """Whether weights, and their squares, add up to the same number in any order.

    Only then may equal rows be counted: else the last digit would depend on who added them up.

    >>> sums_are_exact([1, 2.5], np.array([3, 1])), sums_are_exact([0.1], np.array([3]))
    (True, False)
    """
    try:
        values = np.ma.filled(np.ma.asarray(weights, dtype=np.float64), np.nan)
    except (TypeError, ValueError):  # text, which is refused as weights anyway
        return True
    present = np.isfinite(values)
    values, counts = values[present], counts[present]
    return any(
        bool(np.all(scaled == np.floor(scaled))) and kernels.dot(counts, scaled**2) < EXACT_TOTAL
        for scaled in (values, values * 1024)
    )
