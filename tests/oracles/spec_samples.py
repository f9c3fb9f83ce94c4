"""The small samples on which the specification states its values (x negatives, y positives)."""

import numpy as np

import rocwise as rw

SAMPLES = {
    "A": ([1, 2, 3, 5], [4, 6, 7]),
    "B": ([1, 2, 2, 3, 4], [2, 3, 4, 5]),
    "C": (
        [0.12, 0.25, 0.31, 0.38, 0.44, 0.47, 0.52, 0.59, 0.66, 0.71, 0.78, 0.90],
        [0.29, 0.42, 0.55, 0.61, 0.64, 0.73, 0.81, 0.85, 0.93, 0.97],
    ),
    "T": (list(range(1, 21)), [12.5, 15.5, 17.5, 19.5, 21]),
}
P1 = ([12, 31, 25, 40, 18, 22, 35, 28], [30, 45, 38, 52, 41, 27, 60])
P2 = ([15, 28, 33, 38, 20, 29, 35, 24], [26, 47, 36, 44, 35, 31, 50])
P3 = ([20, 25, 28, 30, 22, 33, 29, 31], [32, 40, 27, 45, 38, 34, 42])
Q1 = ([1, 3, 2], [3, 4, 2, 5])
Q2 = ([2, 2, 4], [3, 2, 5, 4])


def tally_of(sample):
    """A tally from (negatives, positives)."""
    x, y = sample
    return rw.tally([0] * len(x) + [1] * len(y), [*x, *y])


def pairs_of(**samples):
    """Pairs from named (negatives, positives) of the same subjects."""
    x, y = next(iter(samples.values()))
    labels = np.array([0] * len(x) + [1] * len(y))
    return rw.pair(labels, {name: [*neg, *pos] for name, (neg, pos) in samples.items()})
