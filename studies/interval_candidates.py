"""Other candidates for the interval of an area, beside the one that `auc` makes by itself.

Empirical likelihood (Qin and Zhou 2006) and the bootstrap-t on the logit scale, counted on some of
the settings of the interval grid. `python -m studies.interval_candidates` counts what is missing
and writes their table of docs/explanation/coverage.md (some minutes from nothing).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy import special, stats

from .bulk_limits import auto
from .cells import Part
from .grid_pages import candidates_table
from .interval_grid import placements, shift_of
from .populations import Array
from .study import DOCS, Cell, Study, cells, run

SEED, SAMPLES, RESAMPLES = 20061119, 1000, 199
SMALLER, RATIOS, SPREADS, AREAS = (2, 5, 10, 20, 50), (1, 5), (1.0, 3.0), (0.7, 0.9, 0.97)
ONE = float(stats.chi2.ppf(0.95, 1))


@dataclass(frozen=True)
class Candidates:
    """How many of the samples of a setting each candidate held the truth in."""

    cell: str
    n_pos: int
    n_neg: int
    spread: float
    area: float
    samples: int
    likelihood: int
    bootstrap_t: int
    auto: int


def count(cell: Cell) -> list[Candidates]:
    """All candidates on the same samples of normal scores; separated ones are left to `auto`."""
    (n_pos, n_neg, spread, area), samples = cell.place, cell.samples
    rng = np.random.default_rng([SEED, n_pos, n_neg, int(10 * spread), int(100 * area)])
    shift = shift_of("normal", spread, area)
    positives = shift + spread * rng.normal(size=(samples, n_pos))
    negatives = rng.normal(size=(samples, n_neg))
    low, high = auto(placements(positives, negatives))
    by_likelihood = np.mean(positives[:, :, None] > negatives[:, None, :], axis=2)
    held = (low <= area) & (area <= high)
    separated = (by_likelihood.min(1) == 1) | (by_likelihood.max(1) == 0)
    likely = likelihood_holds(by_likelihood, positives, negatives, area)
    bootstrapped = [
        in_bootstrap_t(p, q, area, rng) for p, q in zip(positives, negatives, strict=True)
    ]
    found = Candidates(
        *(str(cell), n_pos, n_neg, spread, area, samples),
        likelihood=int(np.where(separated, held, likely).sum()),
        bootstrap_t=int(np.where(separated, held, bootstrapped).sum()),
        auto=int(held.sum()),
    )
    return [found]


def likelihood_holds(shares: Array, positives: Array, negatives: Array, area: float) -> Array:
    """Whether the scaled likelihood ratio at the true area is below its quantile.

    Shares of negatives below each positive count as observations of the area; the ratio is scaled
    by what their variance is of DeLong's.
    """
    sample = placements(positives, negatives)
    centred = shares - area
    inside = (centred.min(1) < 0) & (centred.max(1) > 0)
    ratio = np.full(len(shares), 1e9)
    rows = centred[inside]
    low, high = -1 / rows.max(1), -1 / rows.min(1)
    for _ in range(80):
        middle = (low + high) / 2
        above = np.sum(rows / (1 + middle[:, None] * rows), axis=1) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    ratio[inside] = 2 * np.sum(np.log1p(((low + high) / 2)[:, None] * rows), axis=1)
    own = np.where(sample.variance > 0, sample.spread_pos / sample.n_pos, 1.0)
    return np.asarray(ratio * own / np.where(sample.variance > 0, sample.variance, 1.0) <= ONE)


def in_bootstrap_t(
    positives: Array, negatives: Array, area: float, rng: np.random.Generator
) -> bool:
    """Whether the bootstrap-t interval on the logit scale holds the area.

    Areas are drawn towards one half by half a pair, so that separated resamples have a logit.
    """
    drawn = [
        cases[rng.integers(len(cases), size=(RESAMPLES, len(cases)))]
        for cases in (positives, negatives)
    ]
    centre, error = _logit(positives[None], negatives[None])
    centres, errors = _logit(*drawn)
    steps = (centres - centre) / errors
    low, high = np.quantile(steps, [0.025, 0.975])
    truth = float(special.logit(area))
    return bool(centre[0] - high * error[0] <= truth <= centre[0] - low * error[0])


def _logit(positives: Array, negatives: Array) -> tuple[Array, Array]:
    sample = placements(positives, negatives)
    pairs = sample.n_pos * sample.n_neg
    a = (sample.area * pairs + 0.5) / (pairs + 1)
    least = a * (1 - a) / pairs
    return special.logit(a), np.sqrt(np.maximum(sample.variance, least)) / (a * (1 - a))


PLACES = [
    (smaller, smaller * ratio, spread, area)
    for smaller, ratio, spread, area in product(SMALLER, RATIOS, SPREADS, AREAS)
]
STUDY = Study(
    "interval_candidates",
    (Part("candidates", Candidates, cells(PLACES, SAMPLES, 10), count),),
    lambda records: {"candidates": candidates_table(records["candidates"])},
    (DOCS / "explanation" / "coverage.md",),
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
