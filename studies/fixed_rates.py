"""How often intervals of the sensitivity at a fixed specificity hold the truth.

``python -m studies.fixed_rates`` counts 1,000 samples in each of 63 settings, keeps the counts in
`docs/explanation/fixed-rates.csv` and writes the table of `docs/explanation/coverage.md` (two
minutes of one core); ``--samples 20 --page trial.md`` tries it.

Scores of both classes are normal, with equal spreads.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

import rocwise as rw
from rocwise.inference.effective_sizes import rate_at_rate

from .kept_counts import mark_of, standard_error, with_table, write_records
from .pages import markdown
from .populations import NORMAL

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "coverage.md"
SIZES = ((5, 50), (10, 10), (10, 50), (25, 25), (25, 100), (100, 20), (200, 200))
AREAS, RATES = (0.75, 0.9, 0.97), (0.8, 0.9, 0.95)
RESAMPLES = 200
METHODS = {"auto": "auto", "bootstrap": "bootstrap percentile"}


@dataclass(frozen=True)
class Count:
    """Samples whose interval held the true sensitivity, of one setting and method."""

    method: str
    n_pos: int
    n_neg: int
    area: float
    specificity: float
    samples: int
    held: int
    width: float


def count(n_pos: int, n_neg: int, area: float, samples: int) -> Iterator[Count]:
    """All rates and methods, asked of the same samples."""
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
    for method, (k, rate) in product(METHODS, enumerate(RATES)):
        place = (method, n_pos, n_neg, area, rate, samples)
        yield Count(*place, int(held[method][k]), round(float(widths[method][k]) / samples, 4))


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


def table(counts: list[Count]) -> str:
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


def main() -> None:
    """Count, keep the counts, and write the table into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--page", type=Path, default=PAGE)
    options = parser.parse_args()
    settings = product(SIZES, AREAS)
    counts = [
        found
        for (n_pos, n_neg), area in settings
        for found in count(n_pos, n_neg, area, options.samples)
    ]
    write_records(options.page.with_name("fixed-rates.csv"), counts, Count)
    text = options.page.read_text("utf-8")
    mended = with_table(text, mark_of("fixed rates"), table(counts))
    options.page.write_text(mended, encoding="utf-8")


if __name__ == "__main__":
    main()
