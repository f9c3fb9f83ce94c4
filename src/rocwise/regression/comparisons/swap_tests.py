"""Swap tests: if two models are alike, their losses on a row may trade places.

Every one of the 2^n ways to swap is equally likely then; the p value is the share of them that
make the statistic at least as large as it is. All of them are counted where that is affordable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Codes, Floats, Integers
from rocwise.kernels.threads import limited_to, run_parts, thread_limit
from rocwise.progress import Report

MOST_HALVES = 40  # rows whose sums are counted by two lists of 2^20 half sums
MOST_LISTED = 20  # rows whose swaps are listed one by one
MOST_CELLS = 2e8  # additions when sums are counted on a grid
UNITS = tuple(10.0**k for k in range(7)) + tuple(2.0**k for k in range(1, 31))
TRIED = 64  # values, before all
CHUNK = 2_000_000  # signs drawn at a time
CHUNKS_AT_ONCE = 4  # whose lines are added up together
PARTS_PER_THREAD = 4  # between two looks at what is to be told
ALL_BITS = 2**64 - 1
LINES_AT_ONCE = 256  # of signs at least, so that threads have as many words each
Signs: TypeAlias = Array  # of int8, 1 or -1


@dataclass(frozen=True, slots=True)
class SwapTest:
    """A swap test: its statistic, its p value, and over how many random swaps (None: all)."""

    statistic: float
    p_value: float
    n_resamples: int | None


def mean_swap_test(
    differences: Floats, *, near: float, n_resamples: int, seed: int, report: Report
) -> SwapTest:
    """Swap test of the absolute mean difference; sums within `near` of each other are equal."""
    n = len(differences)
    moving = differences[differences != 0.0]
    observed = abs(kernels.rounded_sum(moving))
    statistic = observed / n
    if observed <= near:  # every swap is at least as far from 0
        return SwapTest(statistic, 1.0, None)
    steps = whole_steps(moving, near / max(len(moving), 1))
    if steps is not None:
        sizes, total = np.abs(steps), abs(int(steps.sum()))
        if sizes.min() == sizes.max():
            return SwapTest(statistic, _binomial_tail(len(sizes), total), None)
        if len(sizes) * float(sizes.sum()) <= MOST_CELLS:
            return SwapTest(statistic, counted_tail(sizes, total), None)
    if len(moving) <= MOST_HALVES:
        return SwapTest(statistic, _tail_by_halves(moving, observed - near), None)
    reached = _count_far_sums(moving, observed - near, n_resamples, seed, report)
    return SwapTest(statistic, (reached + 1) / (n_resamples + 1), n_resamples)


def whole_steps(values: Floats, near: float) -> Integers | None:
    """The values as whole multiples of a common unit, a decimal or binary fraction; None if not."""
    largest = float(np.abs(values).max())
    for unit in UNITS:
        if np.rint(largest * unit) > 2**50:
            return None
        most = min(near * unit, 1e-3)
        # a few values tell most units to be none
        if all(_rest(some * unit).max() <= most for some in (values[:TRIED], values)):
            whole = np.rint(values * unit).astype(np.int64)
            divisor = int(np.gcd.reduce(whole))
            return whole // divisor if divisor else None
    return None


def _rest(scaled: Floats) -> Floats:
    """How far from whole numbers."""
    return np.asarray(np.abs(scaled - np.rint(scaled)))


def _count_far_sums(
    values: Floats, least: float, n_resamples: int, seed: int, report: Report
) -> int:
    """How many sums with random signs are at least so far from 0, some lines at a time.

    Signs are drawn in chunks of lines, a bit each; many lines are added up together.
    """
    size, octets = max(1, CHUNK // len(values)), -(-len(values) // 8)
    each = -(-size * octets // 4)  # numbers of 32 bits

    def drawn(chunk: int) -> Codes:
        lines = min(size, n_resamples - chunk * size)
        return _random_octets(seed, chunk * each, lines * octets).reshape(lines, octets)

    def count(first: int, last: int) -> int:
        bits = np.concatenate([drawn(chunk) for chunk in range(first, last)])
        with limited_to(1):  # the threads are taken by other lines
            sums = kernels.signed_sums(bits, values)
        return int(np.count_nonzero(np.abs(sums) >= least))

    reached, chunks = 0, -(-n_resamples // size)
    starts = range(0, chunks, CHUNKS_AT_ONCE)
    together = PARTS_PER_THREAD * thread_limit()
    for first in starts[::together]:
        some = range(first, min(first + together * CHUNKS_AT_ONCE, chunks), CHUNKS_AT_ONCE)
        parts = [(start, min(start + CHUNKS_AT_ONCE, chunks)) for start in some]
        reached += sum(run_parts(count, parts))
        report(min(1.0, parts[-1][1] * size / n_resamples))
    return reached


def _random_octets(seed: int, before: int, number: int) -> Codes:
    """So many bytes of the one stream of a seed, after so many numbers of 32 bits.

    The same as those of `Generator.bytes`, which makes halves of numbers one by one.
    """
    generator = np.random.Generator(np.random.PCG64(seed).advance(before // 2))
    skipped = before % 2 * 4
    wanted = -(-(skipped + number) // 8)
    words = generator.integers(0, ALL_BITS, size=wanted, dtype=np.uint64, endpoint=True)
    return words.astype("<u8", copy=False).view(np.uint8)[skipped : skipped + number]


def counted_tail(steps: Integers, observed: int) -> float:
    """Share of sign vectors with |sum of signed steps| >= observed, by the law of the sum."""
    total = int(steps.sum())
    law = np.zeros(total + 1)
    law[0], top = 1.0, 0
    for step in steps.tolist():
        # the law of the sum of the steps with a plus sign, one step more
        law[: top + 1] *= 0.5
        law[step : top + step + 1] += law[: top + 1].copy()
        top += step
    sums = np.abs(2 * np.arange(total + 1) - total)
    return min(1.0, float(law[sums >= observed].sum()))


def _binomial_tail(n: int, observed: int) -> float:
    """The same for n steps of size 1: a sign test, for any n."""
    from scipy.special import bdtr

    return min(1.0, 2.0 * float(bdtr((n - observed) // 2, n, 0.5)))


def _tail_by_halves(values: Floats, threshold: float) -> float:
    """The same for any values: sorted sums of one half searched for those of the other."""
    middle = len(values) // 2
    left, right = _all_sums(values[:middle]), _all_sums(values[middle:])
    above = len(right) - np.searchsorted(right, threshold - left, side="left")
    return min(1.0, 2.0 * float(above.sum()) / 2.0 ** len(values))


def _all_sums(values: Floats) -> Floats:
    """All signed sums, ascending."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums - value, sums + value])
    return np.sort(sums)


def supremum_swap_test(
    first: Floats, second: Floats, *, n_resamples: int, seed: int, report: Report
) -> SwapTest:
    """Swap test of the largest vertical distance between the two REC curves."""
    n = len(first)
    moving = np.flatnonzero(first != second)
    if not len(moving):
        return SwapTest(0.0, 1.0, None)
    events = _Events(first[moving], second[moving])
    observed = int(events.largest(np.ones((1, len(moving)), np.int8))[0])
    reached = 0
    if len(moving) <= MOST_LISTED:
        for signs in _listed_signs(len(moving), report):
            reached += int(np.count_nonzero(events.largest(signs) >= observed))
        return SwapTest(observed / n, reached / 2.0 ** (len(moving) - 1), None)
    for largest in events.of_random_signs(len(moving), n_resamples, seed, report):
        reached += int(np.count_nonzero(largest >= observed))
    return SwapTest(observed / n, (reached + 1) / (n_resamples + 1), n_resamples)


class _Events:
    """The losses of both models in ascending order, as steps up and down of the difference."""

    def __init__(self, first: Floats, second: Floats) -> None:
        values = np.concatenate([first, second])
        order = kernels.argsort(values)
        self.rows = (order % len(first)).astype(np.int32)
        self.steps = np.where(order < len(first), 1, -1).astype(np.int8)
        self.ends = np.append(np.diff(values[order]) != 0, True).astype(np.uint8)

    def largest(self, signs: Signs) -> Array:
        """Largest |count of the first minus count of the second|, one for each row of signs."""
        return kernels.largest_heights(signs, self.rows, self.steps, self.ends)

    def of_random_signs(
        self, n_rows: int, n_resamples: int, seed: int, report: Report
    ) -> Iterator[Array]:
        """The same for random signs, some lines at a time: a bit each, 16 lines to a word."""
        size = max(LINES_AT_ONCE, CHUNK // n_rows) // 16 * 16
        starts = range(0, n_resamples, size)
        together = PARTS_PER_THREAD * thread_limit()
        for first in range(0, len(starts), together):
            some = starts[first : first + together]
            each = size // 16 * n_rows  # words
            parts = [
                (seed, start // size * -(-each // 2), n_rows, min(size, n_resamples - start))
                for start in some
            ]
            yield from run_parts(self._of_some_signs, parts)
            report(min(1.0, (some[-1] + size) / n_resamples))

    def _of_some_signs(self, seed: int, before: int, n_rows: int, count: int) -> Array:
        """For `count` lines, after so many numbers of 32 bits of the one stream of a seed."""
        n_words = -(-count // 16)
        drawn = _random_octets(seed, before, 2 * n_words * n_rows).view("<u2")
        words = drawn.astype(np.uint16, copy=False).reshape(n_words, n_rows)
        with limited_to(1):  # the threads are taken by other lines
            return kernels.swapped_heights(words, self.rows, self.steps, self.ends)[:count]


def _listed_signs(n_rows: int, report: Report) -> Iterator[Signs]:
    """All sign vectors whose last sign is plus; turning every sign round changes nothing."""
    total = 2 ** (n_rows - 1)
    size = max(1, CHUNK // (4 * n_rows))
    for start in range(0, total, size):
        codes = np.arange(start, min(start + size, total))
        bits = (codes[:, None] >> np.arange(n_rows)) & 1
        yield (1 - 2 * bits).astype(np.int8)
        report(min(1.0, (start + size) / total))
