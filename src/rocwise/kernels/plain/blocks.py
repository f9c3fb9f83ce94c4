"""Numpy twins of resamples drawn by blocks of neighbouring scores.

First it is drawn how many rows of each block there are, then the rows inside each block; the
compiled loops leave the second step out for blocks that nobody looks at. Both steps together have
the distribution of rows drawn one by one.
"""

import math
from itertools import pairwise

import numpy as np

from rocwise.arrays import Counts
from rocwise.kernels.plain.resampling import _STEP, NEGATIVE, POSITIVE, _mix, _scale, stream_keys

PER_BLOCK = 128  # vertices; `compiled/_bands.pyx` has it too
FEW = 10.0
_ALL = 2**64 - 1
_TAILS = (
    0.08106146679532726,
    0.04134069595540929,
    0.02767792568499834,
    0.02079067210376509,
    0.01664469118982119,
    0.01387612882307075,
    0.01189670994589177,
    0.01041126526197209,
    0.009255462182712733,
    0.008330563433362871,
)


class Stream:
    """Splitmix64 from a key, as numbers between 0 and 1 and as binomial numbers."""

    def __init__(self, key: int) -> None:
        self.state: int = key

    def uniform(self) -> float:
        """A number between 0 and 1, neither of which it is."""
        self.state = (self.state + _STEP) & _ALL
        return ((mixed(self.state) >> 11) + 0.5) * 2.0**-53

    def drawn_of(self, draws: int, rows: int, all_rows: int) -> int:
        """How many of `draws` fall on `rows` of `all_rows` equally likely rows.

        Examples
        --------
        >>> Stream(1).drawn_of(5, 3, 3), Stream(1).drawn_of(5, 0, 3)
        (5, 0)
        """
        if draws == 0 or rows == 0:
            return 0
        if rows == all_rows:
            return draws
        p = rows / all_rows
        if p > 0.5:
            return draws - self.drawn_of(draws, all_rows - rows, all_rows)
        return self._few_of(draws, p) if draws * p < FEW else self._many_of(float(draws), p)

    def _few_of(self, n: int, p: float) -> int:
        """By inversion, for a small expectation."""
        odds = p / (1.0 - p)
        a, none = (n + 1.0) * odds, math.exp(n * math.log1p(-p))
        while True:
            left, chance, k = self.uniform(), none, 0
            while left > chance and k <= n:
                left -= chance
                k += 1
                chance *= a / k - odds
            if k <= n:
                return k

    def _many_of(self, n: float, p: float) -> int:
        """By the transformed rejection of Hoermann (1993, algorithm BTRS), for p up to 1/2."""
        spread = math.sqrt(n * p * (1.0 - p))
        b = 1.15 + 2.53 * spread
        a, c = -0.0873 + 0.0248 * b + 0.01 * p, n * p + 0.5
        near, odds = 0.92 - 4.2 / b, p / (1.0 - p)
        alpha, m = (2.83 + 5.1 / b) * spread, math.floor((n + 1.0) * p)
        while True:
            u, v = self.uniform() - 0.5, self.uniform()
            us = 0.5 - abs(u)
            k = math.floor((2.0 * a / us + b) * u + c)
            if us >= 0.07 and v <= near:
                return k
            if k < 0 or k > n:
                continue
            v = math.log(v * alpha / (a / (us * us) + b))
            most = (
                (m + 0.5) * math.log((m + 1.0) / (odds * (n - m + 1.0)))
                + (n + 1.0) * math.log((n - m + 1.0) / (n - k + 1.0))
                + (k + 0.5) * math.log(odds * (n - k + 1.0) / (k + 1.0))
                + _tail(m)
                + _tail(n - m)
                - _tail(k)
                - _tail(n - k)
            )
            if v <= most:
                return k


def _tail(k: float) -> float:
    """log(k!) less Stirling's formula for it."""
    if k <= 9:
        return _TAILS[int(k)]
    k += 1.0
    return (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / (k * k)) / (k * k)) / k


def mixed(state: int) -> int:
    """Splitmix64's mixing of one number."""
    return int(_mix(np.array([state], np.uint64))[0])


def block_counts(
    tp_rank: Counts, fp_rank: Counts, seed: int, replicate: int, stratified: bool
) -> tuple[Counts, Counts]:
    """How often each row of the two classes is drawn.

    Examples
    --------
    >>> ranks = np.array([0, 2, 3])
    >>> [int(part.sum()) for part in block_counts(ranks, ranks, 1, 0, True)]
    [3, 3]
    """
    n_pos, n_neg = int(tp_rank[-1]), int(fp_rank[-1])
    keys = [
        int(stream_keys(seed, replicate, replicate + 1, kind)[0]) for kind in (NEGATIVE, POSITIVE)
    ]
    stream, of_pos = Stream(keys[POSITIVE]), n_pos
    if not stratified:
        of_pos = 0
        while of_pos in (0, n_pos + n_neg):
            of_pos = stream.drawn_of(n_pos + n_neg, n_pos, n_pos + n_neg)
    inner = keys[POSITIVE]
    return (
        _class_counts(mixed(stream.state), inner, POSITIVE, of_pos, tp_rank),
        _class_counts(keys[NEGATIVE], inner, NEGATIVE, n_pos + n_neg - of_pos, fp_rank),
    )


def _class_counts(key: int, inner: int, kind: int, draws: int, rank: Counts) -> Counts:
    """The rows of one class: the number in each block from `key`, those inside from `inner`."""
    stream, counts, left = Stream(key), np.zeros(int(rank[-1]), np.int64), int(rank[-1])
    borders = rank[np.append(np.arange(0, len(rank) - 1, PER_BLOCK), len(rank) - 1)].tolist()
    for block, (start, end) in enumerate(pairwise(borders)):
        drawn = stream.drawn_of(draws, end - start, left)
        own = stream_keys(inner, block, block + 1, kind)
        steps = np.arange(1, drawn + 1, dtype=np.uint64)
        rows = _scale(_mix(own + steps * np.uint64(_STEP)), end - start).view(np.int64)
        counts[start:end] = np.bincount(rows, minlength=end - start)
        draws, left = draws - drawn, left - (end - start)
    return counts
