"""Intervals of one area over many kinds of scores: how often they hold the truth.

Samples are drawn and judged in bulk, by the formulas written out again for arrays; a test compares
them with `rw.auc`. Part of `make coverage`; alone: `python -m studies.interval_grid`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from scipy import optimize, stats

from .bulk_limits import LIMITS, Sample
from .grid_pages import written
from .kept_counts import read_records, write_records
from .populations import Array

COUNTS = Path(__file__).parents[1] / "docs" / "explanation" / "interval-grid.csv"
SEED, SAMPLES = 20061105, 2000
LARGE = 100  # cases of the smaller class from which on half as many samples are drawn
SCORES = ("normal", "ties", "skewed", "heavy")
SPREADS = (0.5, 1.0, 2.0, 3.0)
AREAS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99)
SMALLER = (2, 3, 5, 8, 10, 15, 20, 30, 50, 100, 250)
SHARES = ((1, 1), (1, 5), (5, 1))  # positives to negatives
WIDTH = 0.7  # of the steps to which scores with ties are rounded
DISTRIBUTIONS = {"normal": stats.norm(), "skewed": stats.expon(), "heavy": stats.t(3)}


@dataclass(frozen=True)
class Cell:
    """How many of the samples of a setting each method's interval held the truth in."""

    scores: str
    spread: float
    area: float
    n_pos: int
    n_neg: int
    samples: int
    delong: int
    logit: int
    logit_t: int
    score: int
    wilson: int
    auto: int

    @property
    def place(self) -> tuple[object, ...]:
        """The setting."""
        return self.scores, self.spread, self.area, self.n_pos, self.n_neg

    @property
    def smaller(self) -> int:
        """Cases of the smaller class."""
        return min(self.n_pos, self.n_neg)


def true_area(scores: str, shift: float, spread: float) -> float:
    """P(positive above negative) + P(tie)/2, by quadrature or on the grid of rounded scores."""
    if scores == "ties":
        edges = (np.arange(-200, 200) + 0.5) * WIDTH
        negatives = np.diff(stats.norm.cdf(edges), prepend=0.0, append=1.0)
        positives = np.diff(stats.norm.cdf(edges, shift, spread), prepend=0.0, append=1.0)
        return float(positives @ (np.cumsum(negatives) - negatives / 2))
    family = DISTRIBUTIONS[scores]
    quantiles = (np.arange(40001) + 0.5) / 40001
    return float(family.cdf(shift + spread * family.ppf(quantiles)).mean())


def shift_of(scores: str, spread: float, area: float) -> float:
    """How far positives lie above negatives for an area to be true."""
    return float(optimize.brentq(lambda x: true_area(scores, x, spread) - area, -30.0, 200.0))


def drawn(cell: tuple[str, float, int, int], shift: float, samples: int) -> Sample:
    """Areas and their spreads in many samples of one setting."""
    scores, spread, n_pos, n_neg = cell
    seed = zlib.crc32(f"{cell} {shift:.6f}".encode())
    rng = np.random.default_rng([SEED, seed])
    noise = {
        "skewed": rng.exponential,
        "heavy": lambda size: rng.standard_t(3, size),
    }.get(scores, lambda size: rng.normal(size=size))
    positives = shift + spread * noise(size=(samples, n_pos))
    negatives = noise(size=(samples, n_neg))
    if scores == "ties":
        positives, negatives = np.round(positives / WIDTH), np.round(negatives / WIDTH)
    return placements(positives, negatives)


def placements(positives: Array, negatives: Array) -> Sample:
    """Area and variance of the placements of either class, one row for each sample."""
    of_positives = _shares_below(negatives, positives)
    of_negatives = 1 - _shares_below(positives, negatives)
    return Sample(
        area=of_positives.mean(1),
        spread_pos=of_positives.var(1, ddof=1),
        spread_neg=of_negatives.var(1, ddof=1),
        n_pos=positives.shape[1],
        n_neg=negatives.shape[1],
    )


def _shares_below(others: Array, cases: Array) -> Array:
    """Share of the other class below each case, ties one half; rows are set apart by offsets."""
    low = min(others.min(), cases.min())
    width = (max(others.max(), cases.max()) - low) * 1.5 + 1
    offsets = (np.arange(len(cases)) * width)[:, None]
    ranked = (np.sort(others, axis=1) - low + offsets).ravel()
    placed = (cases - low + offsets).ravel()
    both = np.searchsorted(ranked, placed, "left") + np.searchsorted(ranked, placed, "right")
    n = others.shape[1]
    return (both.reshape(cases.shape) / 2 - np.arange(len(cases))[:, None] * n) / n


def counted(samples: int, known: set[tuple[object, ...]]) -> Iterator[Cell]:
    """The settings that have no count yet."""
    for scores, spread, area in product(SCORES, SPREADS, AREAS):
        shift = shift_of(scores, spread, area)
        truth = true_area(scores, shift, spread)
        for smaller, (more_pos, more_neg) in product(SMALLER, SHARES):
            place = (scores, spread, area, smaller * more_pos, smaller * more_neg)
            if place in known:
                continue
            runs = samples if smaller < LARGE else samples // 2
            sample = drawn((scores, spread, *place[3:]), shift, runs)
            hits = {}
            for name, limits in LIMITS.items():
                low, high = limits(sample)
                hits[name] = int(np.count_nonzero((low <= truth) & (truth <= high)))
            yield Cell(*place, runs, **hits)


def count_grid(page: Path | None, path: Path = COUNTS, samples: int = SAMPLES) -> None:
    """Count what is missing, keep it as it comes, and write the tables of a page."""
    cells = read_records(path, Cell)
    for number, cell in enumerate(counted(samples, {one.place for one in cells})):
        cells.append(cell)
        if number % 264 == 263:
            write_records(path, cells, Cell)
            print(f"interval grid: {len(cells)} settings", flush=True)
    write_records(path, cells, Cell)
    if page is not None and page.exists():
        text = page.read_text(encoding="utf-8")
        page.write_text(written(text, cells), encoding="utf-8")


if __name__ == "__main__":
    count_grid(Path(__file__).parents[1] / "docs" / "explanation" / "coverage.md")
