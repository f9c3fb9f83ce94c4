"""How honest a chosen threshold is: ``python -m studies.threshold_intervals``.

Two normal classes one standard deviation apart, where the best threshold and the true value of
any other are known.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

import rocwise as rw

from . import kept_counts
from .guarantees import PAGE
from .kept_counts import standard_error

COUNTS = PAGE.with_name("chosen-thresholds.csv")
MARKED = kept_counts.mark_of("chosen thresholds")
SEED, RUNS, RESAMPLES = 21, 1000, 300
COSTS = rw.Costs(fp=1, fn=3)
BEST = {"youden": 0.5, "cost": 0.5 - math.log(3)}  # where the likelihood ratio is 1, and 1/3


@dataclass(frozen=True)
class Count:
    """How often the interval held the best threshold, and mean values of the chosen one."""

    rule: str
    n: int
    runs: int
    covered: int
    width: float
    in_sample: float
    out_of_bag: float
    true: float
    error: float  # standard error of the difference of the last two


def true_value(rule: str, cut: float) -> float:
    """The Youden index, or the expected cost with equal classes, in the population."""
    tpr, fpr = float(norm.sf(cut, loc=1)), float(norm.sf(cut))
    return tpr - fpr if rule == "youden" else 0.5 * COSTS.fn * (1 - tpr) + 0.5 * COSTS.fp * fpr


def settings() -> Iterator[tuple[str, int]]:
    """Every cell of the study."""
    for rule in BEST:
        for n in (60, 200):
            yield rule, n


def count(rule: str, n: int, runs: int) -> Count:
    """One cell."""
    place = zlib.crc32(f"{rule} {n}".encode())
    covered = 0
    rows: list[list[float]] = []
    y = np.repeat([0, 1], n // 2)
    for replicate in range(runs):
        rng = np.random.default_rng([SEED, place, replicate])
        point = rw.threshold(y, rng.normal(size=len(y)) + y, rule=rule, costs=COSTS)
        sure = point.uncertainty(n_resamples=RESAMPLES, rng=rng)
        covered += BEST[rule] in sure.interval
        wide = min(sure.interval.high, 10.0) - sure.interval.low  # no limit counts as 10
        value = float(sure.in_sample[0]), float(sure.out_of_bag[0])
        rows.append([wide, *value, true_value(rule, sure.threshold)])
    table = np.array(rows)
    gap = table[:, 2] - table[:, 3]
    width, inside, outside, true = (round(float(mean), 4) for mean in table.mean(axis=0))
    error = round(float(gap.std() / math.sqrt(runs)), 4)
    return Count(rule, n, runs, covered, width, inside, outside, true, error)


def table(counts: list[Count]) -> str:
    """The counts as a table."""
    heads = ["rule", "cases", "coverage %", "mean width", "in sample", "out of bag", "true"]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for one in counts:
        share, error = one.covered / one.runs, standard_error(one.covered, one.runs)
        cells = [one.rule, str(one.n), f"{100 * share:.1f} ± {100 * error:.1f}"]
        cells += [f"{one.width:.2f}", f"{one.in_sample:.3f}"]
        cells += [f"{one.out_of_bag:.3f}", f"{one.true:.3f} ± {one.error:.3f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def read_counts() -> list[Count]:
    """The counts kept beside the page."""
    return kept_counts.read_records(COUNTS, Count)


def written(text: str, counts: list[Count]) -> str:
    """The page with its table made anew."""
    return kept_counts.with_table(text, MARKED, table(counts))


def every_cell(runs: int) -> Iterator[Count]:
    """The counts of all settings, one after the other."""
    for rule, n in settings():
        yield count(rule, n, runs)


def main() -> None:
    """Count, keep the counts, write the table."""
    counts = kept_counts.counted(__doc__, RUNS, every_cell)
    kept_counts.write_records(COUNTS, counts, Count)
    if PAGE.exists():
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), counts), encoding="utf-8")


if __name__ == "__main__":
    main()
