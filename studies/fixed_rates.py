"""How often intervals of the sensitivity at a fixed specificity hold the truth.

``python -m studies.fixed_rates`` counts what is missing of 1,000 samples in each of 63 settings and
writes the table of `docs/explanation/coverage.md` (two minutes of one core from nothing).

Scores of both classes are normal, with equal spreads.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

import rocwise as rw
from rocwise.inference.effective_sizes import rate_at_rate

from .cells import Part
from .kept_counts import standard_error
from .pages import markdown
from .populations import NORMAL
from .study import DOCS, Cell, Study, cells, run

SIZES = ((5, 50), (10, 10), (10, 50), (25, 25), (25, 100), (100, 20), (200, 200))
AREAS, RATES = (0.75, 0.9, 0.97), (0.8, 0.9, 0.95)
RESAMPLES = 200
METHODS = {"auto": "auto", "bootstrap": "bootstrap percentile"}


@dataclass(frozen=True)
class Count:
    """Samples whose interval held the true sensitivity, of one setting and method."""

    cell: str
    method: str
    n_pos: int
    n_neg: int
    area: float
    specificity: float
    samples: int
    held: int
    width: float


def count(cell: Cell) -> list[Count]:
    """All rates and methods, asked of the same samples."""
    (n_pos, n_neg, area), samples = cell.place, cell.samples
    shift = NORMAL.inv_cdf(area) * 2**0.5
    truths = np.array([1 - NORMAL.cdf(NORMAL.inv_cdf(rate) - shift) for rate in RATES])
    y = np.repeat([1, 0], [n_pos, n_neg])
    held = {method: np.zeros(len(RATES), int) for method in METHODS}
    widths = {method: np.zeros(len(RATES)) for method in METHODS}
    for seed in range(samples):
        rng = np.random.default_rng([n_pos, n_neg, round(100 * area), seed])
        s = np.concatenate([rng.normal(shift, 1, n_pos), rng.normal(size=n_neg)])
        data = rw.tally(y, s)
        for method, (low, high) in limits(data, seed).items():
            held[method] += (low <= truths + 1e-12) & (truths <= high + 1e-12)
            widths[method] += high - low
    found = []
    for method, (k, rate) in product(METHODS, enumerate(RATES)):
        place = (str(cell), method, n_pos, n_neg, area, rate, samples)
        width = round(float(widths[method][k]) / samples, 4)
        found.append(Count(*place, int(held[method][k]), width))
    return found


def limits(data: rw.Tally, seed: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Lower and upper limits at all rates: those of `at`, and percentiles of the same resamples."""
    found: dict[str, list[tuple[float, float]]] = {method: [] for method in METHODS}
    for rate in RATES:
        drawn = rw.bootstrap(
            data,
            statistic=rw.statistics.SensitivityAt(specificity=rate),
            n_resamples=RESAMPLES,
            rng=seed,
        )
        variance = drawn.standard_error**2
        sized = rate_at_rate(drawn.value, variance, data.n_pos, data.n_neg, rate)
        found["auto"].append(sized.limits(0.025))
        found["bootstrap"].append((drawn.interval.low, drawn.interval.high))
    return {method: tuple(np.array(ends).T) for method, ends in found.items()}


def table(counts: Sequence[Count]) -> str:
    """Rows are sizes; the smallest and the mean coverage over areas, by method."""
    header = ["positives", "negatives", "specificity", "negatives beyond"]
    header += [f"{words}, {what}" for words in METHODS.values() for what in ("lowest", "mean")]
    rows = []
    for (n_pos, n_neg), rate in product(SIZES, RATES):
        cells = [f"{n_pos}", f"{n_neg}", f"{rate:g}", f"{n_neg * (1 - rate):.3g}"]
        for method in METHODS:
            here = [
                one
                for one in counts
                if (one.method, one.n_pos, one.n_neg, one.specificity)
                == (method, n_pos, n_neg, rate)
            ]
            worst = min(here, key=lambda one: one.held / one.samples)
            error = standard_error(worst.held, worst.samples)
            mean = np.mean([one.held / one.samples for one in here])
            share = 100 * worst.held / worst.samples
            cells += [f"{share:.1f} ± {100 * error:.1f}", f"{100 * mean:.1f}"]
        rows.append(cells)
    return markdown(header, rows)


PLACES = [(*sizes, area) for sizes, area in product(SIZES, AREAS)]
STUDY = Study(
    "fixed_rates",
    (Part("held", Count, cells(PLACES, 1000, 2), count),),
    lambda records: {"fixed rates": table(records["held"])},
    (DOCS / "explanation" / "coverage.md",),
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
