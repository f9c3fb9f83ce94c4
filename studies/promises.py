"""What becomes of promised precisions and of expected costs on new cases.

Run `python -m studies.promises`. Scores are normal with spread 1, positives 1.5 higher, and three
in ten cases are positive, so what a rule does on new cases is known exactly.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

import rocwise as rw

SHARE, SHIFT = 0.3, 1.5
SIZES = (200, 500, 2000, 10_000)
POSITIVE, NEGATIVE = 0.9, 0.95
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


@dataclass
class Row:
    """Means over the samples of one size."""

    size: int
    samples: int
    refused: int
    precisions: np.ndarray
    below: np.ndarray
    undecided: float


def promises(size: int, samples: int, seed: int) -> Row:
    """How `reliable` keeps its promises on new cases."""
    rng = np.random.default_rng([seed, size])
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
    targets = np.array([POSITIVE, NEGATIVE])
    return Row(
        size=size,
        samples=samples,
        refused=samples - len(found),
        precisions=table[:, :2].mean(axis=0),
        below=(table[:, :2] < targets).mean(axis=0),
        undecided=float(table[:, 2].mean()),
    )


def costs(size: int, samples: int, seed: int) -> tuple[float, float, float]:
    """Mean cost of the best window on its own data, on cases left out, and on new cases."""
    rng = np.random.default_rng([seed, size])
    found = []
    for draw in range(samples):
        y, s = sample(size, rng)
        window = rw.abstain(y, s, costs=COSTS)
        answer = window.uncertainty(n_resamples=100, rng=draw)
        truth = true_cost(window.lower, window.upper)
        found.append((window.expected_cost, answer.out_of_bag_cost or np.nan, truth))
    apparent, unseen, true = np.nanmean(np.array(found), axis=0)
    return float(apparent), float(unseen), float(true)


def main(samples: int = 1000, seed: int = 1) -> None:
    """Print both tables."""
    print("cases  refused  precision +  below 0.9  precision -  below 0.95  undecided")
    for size in SIZES:
        row = promises(size, samples, seed)
        cells = [f"{row.precisions[0]:.3f}", f"{row.below[0]:.2f}"]
        cells += [f"{row.precisions[1]:.3f}", f"{row.below[1]:.2f}", f"{row.undecided:.2f}"]
        print(f"{size:>5}  {row.refused / samples:.3f}  {'  '.join(cells)}")
    print("cases  cost on the data  on cases left out  on new cases")
    for size in SIZES[:3]:
        print(
            f"{size:>5}  {'  '.join(f'{value:.3f}' for value in costs(size, samples // 5, seed))}"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
