"""Columns that an engine returns, with counts of equal rows, and whether counting pays."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise.arrays import Counts

SAMPLE_ROWS = 10_000  # sampled to decide whether counting equal rows pays
FEW = 1_000_000  # distinct rows, which take little memory in every engine
EXACT_TOTAL = 2.0**53  # whole numbers up to this add up exactly, in whatever order


@dataclass(frozen=True, slots=True)
class CountedRows:
    """Columns as they are in the source, and the number of rows of each entry."""

    columns: dict[str, Any]  # arrays (masked where cells are missing) or narwhals series
    counts: Counts | None  # rows behind each entry. None: one each, in the order of the source
    library: str | None  # library of the frame; None for files


def counting_pays(n_sampled: int, n_distinct: int, n_rows: int = 0) -> bool:
    """Whether at most half of the rows are distinct, judged from repetitions in a sample."""
    repeated = n_sampled - n_distinct
    return 2 * n_distinct <= n_sampled or n_sampled**2 <= repeated * n_rows


def about_distinct(seen: int, once: int, twice: int) -> float:
    """Lower bound of the number of distinct values (Chao 1984), by those seen once and twice."""
    return seen + once * max(0, once - 1) / (2 * (twice + 1))


def few_distinct(times: Counts) -> bool:
    """Whether about a million values or fewer are distinct, from the counts of a sample."""
    once, twice = (int(np.count_nonzero(times == k)) for k in (1, 2))
    return about_distinct(len(times), once, twice) <= FEW


def sums_are_exact(weights: Any, counts: Counts) -> bool:
    """Whether weights and their squares add up to the same number in any order."""
    try:
        values = np.ma.filled(np.ma.asarray(weights, dtype=np.float64), np.nan)
    except (TypeError, ValueError):  # text, an error later
        return True
    present = np.isfinite(values)
    values, counts = values[present], counts[present]
    return any(
        bool(np.all(scaled == np.floor(scaled))) and float(counts @ scaled**2) < EXACT_TOTAL
        for scaled in (values, values * 1024)
    )
