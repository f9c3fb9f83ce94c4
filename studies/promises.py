"""What becomes of promised precisions and of expected costs on new cases.

`python -m studies.promises` counts what is missing and writes the tables of two pages (under a
minute of one core). Scores are normal with spread 1, positives 1.5 higher, and three in ten cases
are positive, so what a rule does on new cases is known exactly.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

import rocwise as rw

from .cells import Part, Records
from .kept_counts import markdown
from .study import Cell, Study, cells, run

SHARE, SHIFT = 0.3, 1.5
SIZES = (200, 500, 2000, 10_000)
POSITIVE, NEGATIVE = 0.9, 0.95
SEED = 1
COSTS = rw.Costs(fp=1, fn=5, abstain=0.4)


def sample(size: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores of a sample that holds both classes."""
    while True:
        y = (rng.random(size) < SHARE).astype(int)
        if 0 < y.sum() < size:
            return y, rng.normal(SHIFT * y)


def true_precisions(lower: float, upper: float) -> tuple[float, float]:
    """On new cases: precision of scores from `upper` on as positives, up to `lower` as negatives.

    >>> [round(p, 3) for p in true_precisions(0.0, 1.5)]
    [0.946, 0.762]
    """
    hits, alarms = SHARE * ndtr(SHIFT - upper), (1 - SHARE) * ndtr(-upper)
    cleared, missed = (1 - SHARE) * ndtr(lower), SHARE * ndtr(lower - SHIFT)
    return float(cleared / (cleared + missed)), float(hits / (hits + alarms))


def true_cost(lower: float, upper: float) -> float:
    """The expected cost of a window on new cases."""
    missed, hit = ndtr(lower - SHIFT), ndtr(SHIFT - upper)
    cleared, alarm = ndtr(lower), ndtr(-upper)
    undecided = SHARE * (1 - missed - hit) + (1 - SHARE) * (1 - cleared - alarm)
    return float(5 * SHARE * missed + (1 - SHARE) * alarm + 0.4 * undecided)


@dataclass(frozen=True)
class Kept:
    """Means over the samples of one size: precisions of positives and negatives on new cases."""

    cell: str
    size: int
    samples: int
    refused: int
    positive: float
    below_positive: float
    negative: float
    below_negative: float
    undecided: float


@dataclass(frozen=True)
class Paid:
    """Mean costs of the best window on its own data, on cases left out, and on new cases."""

    cell: str
    size: int
    samples: int
    apparent: float
    unseen: float
    true: float


def promises(cell: Cell) -> list[Kept]:
    """How `reliable` keeps its promises on new cases."""
    (size,), samples = cell.place, cell.samples
    rng = np.random.default_rng([SEED, size])
    found: list[tuple[float, float, float]] = []
    for _ in range(samples):
        y, s = sample(size, rng)
        try:
            rule = rw.reliable(y, s, positive=POSITIVE, negative=NEGATIVE)
        except rw.errors.UnattainableError:
            continue
        lower, upper = rule.lower_mixed, rule.upper_threshold
        if np.isfinite([lower, upper]).all():
            of_negatives, of_positives = true_precisions(lower, upper)
            found.append((of_positives, of_negatives, float(np.mean(rule.decide(s) == -1))))
    table = np.array(found)
    positive, negative, undecided = table.mean(axis=0).tolist()
    below = (table[:, :2] < [POSITIVE, NEGATIVE]).mean(axis=0).tolist()
    place = (str(cell), size, samples, samples - len(found))
    return [Kept(*place, positive, below[0], negative, below[1], undecided)]


def costs(cell: Cell) -> list[Paid]:
    """What the best window costs, and what it was said to cost."""
    (size,), samples = cell.place, cell.samples
    rng = np.random.default_rng([SEED, size])
    found = []
    for draw in range(samples):
        y, s = sample(size, rng)
        window = rw.abstain(y, s, costs=COSTS)
        result = window.uncertainty(n_resamples=100, rng=draw)
        truth = true_cost(window.lower, window.upper)
        found.append((window.expected_cost, result.out_of_bag_cost or np.nan, truth))
    return [Paid(str(cell), size, samples, *np.nanmean(np.array(found), axis=0).tolist())]


def promise_table(records: Sequence[Kept]) -> str:
    """Promised precisions on new cases."""
    heads = ["cases", "refused", "precision of positives", f"below {POSITIVE}"]
    heads += ["precision of negatives", f"below {NEGATIVE}", "undecided"]
    rows = []
    for one in records:
        refused = f"{100 * one.refused / one.samples:.1f}%" if one.refused else "0"
        row = [f"{one.size:,}", refused, f"{one.positive:.3f}", f"{100 * one.below_positive:.0f}%"]
        row += [f"{one.negative:.3f}", f"{100 * one.below_negative:.0f}%", f"{one.undecided:.2f}"]
        rows.append(row)
    return markdown(heads, rows)


def cost_table(records: Sequence[Paid]) -> str:
    """Expected costs on new cases."""
    heads = ["cases", "cost on the data", "on cases left out", "on new cases"]
    rows = [
        [f"{one.size:,}", *(f"{cost:.3f}" for cost in (one.apparent, one.unseen, one.true))]
        for one in records
    ]
    return markdown(heads, rows)


def tables(records: Records) -> dict[str, str]:
    """Both tables by their marks."""
    return {
        "target precision": promise_table(records["promises"]),
        "costs on new cases": cost_table(records["costs"]),
    }


STUDY = Study(
    "promises",
    (
        Part("promises", Kept, cells([(size,) for size in SIZES], 1000, 20), promises),
        Part("costs", Paid, cells([(size,) for size in SIZES[:3]], 200, 5), costs),
    ),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
