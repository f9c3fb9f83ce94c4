"""How honest a chosen threshold is: ``python -m studies.threshold_intervals``.

Two normal classes one standard deviation apart, where the best threshold and the true value of
any other are known. The command counts what is missing and writes a table of
`docs/guide/guaranteed-thresholds.md`.
"""

from __future__ import annotations

import math
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

import rocwise as rw

from .cells import Part
from .kept_counts import standard_error
from .study import Cell, Study, cells, run

SEED, RUNS, RESAMPLES = 21, 1000, 300
COSTS = rw.Costs(fp=1, fn=3)
BEST = {"youden": 0.5, "cost": 0.5 - math.log(3)}  # where the likelihood ratio is 1, and 1/3


@dataclass(frozen=True)
class Count:
    """How often the interval held the best threshold, and mean values of the chosen one."""

    cell: str
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


def count(cell: Cell) -> list[Count]:
    """One rule and size."""
    (rule, n), runs = cell.place, cell.samples
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
    means = (width, inside, outside, true, error)
    return [Count(str(cell), rule, n, runs, int(covered), *means)]


def table(counts: Sequence[Count]) -> str:
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


STUDY = Study(
    "threshold_intervals",
    (Part("chosen", Count, cells(list(settings()), RUNS, 5), count),),
    lambda records: {"chosen thresholds": table(records["chosen"])},
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
