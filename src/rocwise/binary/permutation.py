"""The permutation test for two paired areas (Bandos, Rockette & Gur 2005; F3.1 to F3.7)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, kernels
from rocwise.arrays import Array, Codes, Flags, Floats, Integers
from rocwise.errors import InputError
from rocwise.inference.resampling import chunks, side_by_side
from rocwise.inference.significance import decide
from rocwise.progress import Report

Transform = Literal["rank", "none"]
LARGEST_LATTICE = 5e8  # subjects times lattice points of the exact test (F3.5)
DOUBLINGS_AT_ONCE = 500  # counts stay below 2**500 between two rescalings


@dataclass(frozen=True, slots=True)
class PermutationOutcome:
    """Difference of the areas, its permutation variance, z, p, and how p was found."""

    difference: float
    variance: float
    z: float
    p_value: float
    how: str


def permutation_outcome(
    mask: Array,
    first: Array,
    second: Array,
    *,
    how: str,
    transform: Transform = "rank",
    alternative: str = "two-sided",
    n_resamples: int = 10000,
    seed: int = 0,
    progress: Report | None = None,
) -> PermutationOutcome:
    """Test whether two areas are equal by swapping the two scores of each subject.

    `how` is "exact" (all 2**n swaps, F3.5), "monte-carlo" (random swaps, F3.6), "asymptotic" (the
    normal approximation with the exact permutation variance, F3.7) or "auto": exact where
    affordable, else asymptotic. `transform` "rank" swaps each model's midranks, "none" its raw
    scores, which must then share one scale (F3.1).
    """
    steps = swap_steps(mask, first, second, transform)
    how = _settled(how, steps)
    total, squares = int(steps.sum()), float(np.square(steps, dtype=np.float64).sum())
    z = total / math.sqrt(squares) if total else 0.0
    if squares == 0.0:
        p = 1.0  # no swap changes anything
    elif how == "exact":
        p = exact_p(steps, alternative)
    elif how == "monte-carlo":
        p = monte_carlo_p(steps, alternative, n_resamples, seed, progress)
    else:
        p = decide(z, 1.0, alternative=alternative).p_value
    n_pos = int(np.count_nonzero(mask))
    scale = 4 * n_pos * (len(mask) - n_pos)
    return PermutationOutcome(total / scale, squares / scale**2, z, p, how)


def swap_steps(mask: Array, first: Array, second: Array, transform: Transform) -> Integers:
    """What each subject adds to 4NM times the difference, in integers (F3.2).

    The difference after any swaps is the sum of these steps, each with its sign turned round
    where the subject is swapped. A subject is placed among the other class under both models.
    """
    if transform == "rank":
        one, two = kernels.midrank_placements(mask, first, second)
    else:
        scores = np.concatenate([first, second]).astype(np.float64)
        one, two = kernels.placements(np.tile(mask, 2), scores).reshape(2, -1)
    return np.asarray(np.where(mask, one - two, two - one), np.int64)


def _settled(how: str, steps: Integers) -> str:
    """The method of "auto": exact where affordable, else asymptotic."""
    lattice = 2 * int(np.abs(steps).sum()) + 1
    affordable = len(steps) * lattice <= LARGEST_LATTICE
    if how == "exact" and not affordable:
        raise InputError(
            f"`how`='exact' needs {len(steps):,} subjects times {lattice:,} lattice points, more "
            f"than {LARGEST_LATTICE:.0e}; use the Monte Carlo or the asymptotic permutation test."
        )
    if how == "auto":
        return "exact" if affordable else "asymptotic"
    return how


def exact_p(steps: Integers, alternative: str) -> float:
    """Share of all 2**n swaps with a difference as extreme as the observed one (F3.4, F3.5).

    Swapping a set of subjects lowers the largest possible sum, S = sum |k|, by twice the sum of
    their |k|; so sums of random subsets up to (S - |D|)/2 are all that the tail needs.
    """
    sizes = np.abs(steps[steps != 0])
    unit = int(np.gcd.reduce(sizes))
    total, observed = int(sizes.sum()) // unit, int(steps.sum()) // unit
    if alternative == "two-sided" and observed == 0:
        return 1.0
    last = (total - abs(observed)) // 2
    masses = subset_sum_masses(sizes // unit, last)
    if alternative == "two-sided":
        return min(1.0, 2.0 * float(masses.sum()))
    towards = observed if alternative == "greater" else -observed
    return float(masses.sum()) if towards >= 0 else 1.0 - float(masses[:-1].sum())


def subset_sum_masses(sizes: Integers, last: int) -> Floats:
    """Probability that a random subset of `sizes` sums to 0, 1, ..., `last`.

    Only non-negative numbers are added and powers of two multiplied, so every probability keeps
    its relative accuracy, far into the tail.
    """
    masses = np.zeros(last + 1)
    masses[0] = 1.0
    reach = pending = 0
    for size in np.sort(sizes).tolist():  # small ones first: the support stays short for long
        reach = min(reach + size, last)
        if size <= reach:
            masses[size : reach + 1] += masses[: reach + 1 - size]
        pending += 1
        if pending == DOUBLINGS_AT_ONCE:
            masses[: reach + 1] *= 2.0**-pending
            pending = 0
    return np.asarray(masses * 2.0**-pending)


def monte_carlo_p(
    steps: Integers,
    alternative: str,
    n_resamples: int,
    seed: int,
    progress: Report | None,
) -> float:
    """(b + 1)/(B + 1) for the b of B random swaps that are as extreme (F3.6)."""
    n_resamples = checks.size(n_resamples, "n_resamples")
    total, cells = int(steps.sum()), -(-len(steps) // 8)  # a coin for a subject, eight in a byte
    extreme = 0

    def swapped(start: int, stop: int) -> Floats:
        kept = kernels.coin_sums(random_octets(seed, start, stop, len(steps)), steps)
        return (2 * kept - total).astype(np.float64)

    for start, stop in chunks(n_resamples, cells):
        sums = side_by_side(swapped, start, stop, cells)
        extreme += int(np.count_nonzero(_as_extreme(sums, total, alternative)))
        if progress is not None:
            progress(stop / n_resamples)
    return (extreme + 1) / (n_resamples + 1)


def _as_extreme(sums: Floats, total: int, alternative: str) -> Flags:
    if alternative == "two-sided":
        return np.abs(sums) >= abs(total)
    return sums >= total if alternative == "greater" else sums <= total


def random_bits(seed: int, start: int, stop: int, n_bits: int) -> Codes:
    """A row of fair coins for each replicate from `start` to `stop`."""
    return np.unpackbits(random_octets(seed, start, stop, n_bits), axis=1, count=n_bits)


def random_octets(seed: int, start: int, stop: int, n_bits: int) -> Codes:
    """The same coins, eight in a byte, and some more at the end."""
    words = random_words(seed, start, stop, 4 * -(-n_bits // 256))  # as they are made: no copy
    return words.astype("<u8", copy=False).view(np.uint8)


def random_words(
    seed: int, start: int, stop: int, n_words: int, *, stream: int = 0
) -> NDArray[np.uint64]:
    """A row of random 64-bit words for each replicate, from (seed, replicate) alone.

    The Philox generator is a function of a key and a counter; each replicate owns a range of
    counters, so chunks of any size give the same rows. A second `stream` is independent.
    """
    blocks = -(-n_words // 4)  # Philox makes four words per count
    source = np.random.Philox(key=seed + (stream << 64), counter=start * blocks)
    words = source.random_raw((stop - start) * blocks * 4).reshape(stop - start, blocks * 4)
    return np.asarray(words[:, :n_words])
