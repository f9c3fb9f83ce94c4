"""Slow, plain computations of what no peer offers; rocwise must agree before it is timed."""

import numpy as np
from numpy.typing import NDArray

from .agreement import Value
from .data import Sample

Floats = NDArray[np.floating]


def exact_bootstrap_variance(sample: Sample) -> Value:
    """Variance of the paired difference over all stratified resamples, from the N x M matrix.

    With w the kernel of the difference, its row, column and residual sums of squares:
    SN / N**2 + SM / M**2 + R / (N M)**2.
    """
    w = _kernel(sample.label, sample.first) - _kernel(sample.label, sample.second)
    rows, columns, mean = w.mean(axis=1), w.mean(axis=0), w.mean()
    residual = w - rows[:, None] - columns[None, :] + mean
    variance = rows.var() / len(rows) + columns.var() / len(columns)
    return (float(variance + np.square(residual).sum() / w.size**2),)


def permutation_p(sample: Sample) -> Value:
    """Exact two-sided p over all 2**n swaps of a subject's two midranks.

    A swap changes the sign of one term of a sum (a Rademacher sum), so the distribution of the
    difference is a convolution of two-point distributions with integer steps.
    """
    first, second = (_midranks(score) for score in (sample.first, sample.second))
    positive = sample.label == 1
    pooled_positive = np.concatenate([first[positive], second[positive]])
    pooled_negative = np.concatenate([first[~positive], second[~positive]])
    negative_steps = [
        _above(pooled_positive, a) - _above(pooled_positive, b)
        for a, b in zip(first[~positive], second[~positive], strict=True)
    ]
    positive_steps = [
        _above(-pooled_negative, -a) - _above(-pooled_negative, -b)
        for a, b in zip(first[positive], second[positive], strict=True)
    ]
    steps = negative_steps + positive_steps
    reach = sum(abs(step) for step in steps)
    mass = np.zeros(2 * reach + 1)
    mass[reach] = 1.0
    for step in steps:
        # The mass never comes within `step` of the ends it would wrap around.
        mass = (np.roll(mass, step) + np.roll(mass, -step)) / 2
    observed = abs(sum(steps))
    return (float(mass[np.abs(np.arange(-reach, reach + 1)) >= observed].sum()),)


def _kernel(label: NDArray[np.int64], score: Floats) -> Floats:
    """1, 1/2 or 0 for each negative (row) and positive (column)."""
    negative, positive = score[label == 0, None], score[None, label == 1]
    kernel: Floats = (negative < positive) + 0.5 * (negative == positive)
    return kernel


def _midranks(score: Floats) -> Floats:
    smaller = (score[:, None] > score[None, :]).sum(axis=1)
    equal = (score[:, None] == score[None, :]).sum(axis=1)
    midranks: Floats = smaller + (equal + 1) / 2
    return midranks


def _above(others: Floats, value: float) -> int:
    """Twice the number of `others` above `value`, ties counting one half: an integer."""
    return int(2 * (others > value).sum() + (others == value).sum())
