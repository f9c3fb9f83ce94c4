"""Numpy twins of resamples drawn by blocks of neighbouring scores.

All blocks are halved, halves are halved again, and so on: each split is a binomial number, how many
of the rows drawn so far fall to the left. Then the rows inside each block are drawn. The compiled
loops leave out what nobody looks at. All steps together have the distribution of rows drawn one by
one.
"""

import numpy as np

from rocwise.arrays import Counts, Flags, Floats, Words
from rocwise.kernels.plain.resampling import _STEP, NEGATIVE, POSITIVE, _mix, stream_keys

PER_BLOCK = 64  # vertices; `compiled/_bands.pyx` has it too, and the next two
SMALL = 256  # rows of a block up to which one random number is good for `TOGETHER` draws
TOGETHER = 4
FEW = 10.0
_TAILS = np.array(
    [
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
    ]
)


class Streams:
    """Generators splitmix64, each from its own key: numbers between 0 and 1, and binomial numbers.

    Examples
    --------
    >>> streams, all_rows = Streams(np.array([1, 2], np.uint64)), np.array([3, 3])
    >>> streams.drawn_of(np.array([5, 5]), np.array([3, 0]), all_rows).tolist()
    [5, 0]
    """

    def __init__(self, keys: Words) -> None:
        self.states: Words = keys.copy()

    def uniform(self, which: Counts) -> Floats:
        """A number between 0 and 1, neither of which it is, from these generators."""
        self.states[which] += np.uint64(_STEP)
        drawn = (_mix(self.states[which]) >> np.uint64(11)).astype(np.float64)
        return (drawn + 0.5) * 2.0**-53

    def drawn_of(self, draws: Counts, rows: Counts, all_rows: Counts) -> Counts:
        """How many of `draws` fall on `rows` of `all_rows` equally likely rows: one by each."""
        flipped = rows / np.maximum(all_rows, 1) > 0.5
        p = np.where(flipped, all_rows - rows, rows) / np.maximum(all_rows, 1)
        open_ = (draws > 0) & (p > 0.0)
        found = np.zeros(len(draws), np.int64)
        few = np.flatnonzero(open_ & (draws * p < FEW))
        many = np.flatnonzero(open_ & (draws * p >= FEW))
        found[few] = self._few_of(few, draws[few].astype(np.float64), p[few])
        found[many] = self._many_of(many, draws[many].astype(np.float64), p[many])
        return np.where(flipped, draws - found, found)

    def _few_of(self, which: Counts, n: Floats, p: Floats) -> Counts:
        """By inversion, for a small expectation."""
        odds = p / (1.0 - p)
        a, none = (n + 1.0) * odds, np.exp(n * np.log1p(-p))
        found = np.zeros(len(which), np.int64)
        pending = np.arange(len(which))
        while pending.size:
            left, chance = self.uniform(which[pending]), none[pending]
            k = np.zeros(pending.size)
            going = (left > chance) & (k <= n[pending])
            while going.any():
                left[going] -= chance[going]
                k[going] += 1.0
                own = pending[going]
                chance[going] *= a[own] / k[going] - odds[own]
                going &= (left > chance) & (k <= n[pending])
            kept = k <= n[pending]
            found[pending[kept]] = k[kept]
            pending = pending[~kept]
        return found

    def _many_of(self, which: Counts, n: Floats, p: Floats) -> Counts:
        """By the transformed rejection of Hoermann (1993, algorithm BTRS), for p up to 1/2."""
        found = np.zeros(len(which), np.int64)
        pending = np.arange(len(which))
        while pending.size:
            own = which[pending]
            u, v = self.uniform(own) - 0.5, self.uniform(own)
            k, kept = _proposed(u, v, n[pending], p[pending])
            found[pending[kept]] = k[kept]
            pending = pending[~kept]
        return found


def _proposed(u: Floats, v: Floats, n: Floats, p: Floats) -> tuple[Floats, Flags]:
    """What a pair of numbers proposes for a binomial number, and whether it is taken."""
    spread = np.sqrt(n * p * (1.0 - p))
    b = 1.15 + 2.53 * spread
    a, c = -0.0873 + 0.0248 * b + 0.01 * p, n * p + 0.5
    near, odds = 0.92 - 4.2 / b, p / (1.0 - p)
    alpha, m = (2.83 + 5.1 / b) * spread, np.floor((n + 1.0) * p)
    us = 0.5 - np.abs(u)
    k = np.floor((2.0 * a / us + b) * u + c)
    taken = (us >= 0.07) & (v <= near)
    asked = np.flatnonzero(~taken & (k >= 0) & (k <= n))
    a, b, n, odds, alpha, m = (each[asked] for each in (a, b, n, odds, alpha, m))
    at, us = k[asked], us[asked]
    most = (
        (m + 0.5) * np.log((m + 1.0) / (odds * (n - m + 1.0)))
        + (n + 1.0) * np.log((n - m + 1.0) / (n - at + 1.0))
        + (at + 0.5) * np.log(odds * (n - at + 1.0) / (at + 1.0))
        + _tail(m)
        + _tail(n - m)
        - _tail(at)
        - _tail(n - at)
    )
    taken[asked] = np.log(v[asked] * alpha / (a / (us * us) + b)) <= most
    return k, taken


def _tail(k: Floats) -> Floats:
    """log(k!) less Stirling's formula for it."""
    more = k + 1.0
    large = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / (more * more)) / (more * more)) / more
    return np.where(k <= 9, _TAILS[np.minimum(k, 9).astype(np.intp)], large)


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
    n_pos, size = int(tp_rank[-1]), int(tp_rank[-1] + fp_rank[-1])
    key, of_pos = stream_keys(seed, replicate, replicate + 1, POSITIVE), n_pos
    if not stratified:
        streams, of_pos = Streams(key), 0
        while of_pos in (0, size):
            told = (np.array([number]) for number in (size, n_pos, size))
            of_pos = int(streams.drawn_of(*told)[0])
    return (
        _class_counts(int(key[0]), POSITIVE, of_pos, tp_rank),
        _class_counts(int(key[0]), NEGATIVE, size - of_pos, fp_rank),
    )


def counts_of_rows(seed: int, first: int, last: int, rows: int) -> Counts:
    """How often each of so many rows is drawn in as many draws: a line for each resample.

    Examples
    --------
    >>> counts_of_rows(1, 0, 2, 300).sum(axis=1).tolist()
    [300, 300]
    """
    ranks = np.arange(rows + 1)
    keys = stream_keys(seed, first, last, POSITIVE)
    return np.array([_class_counts(int(key), POSITIVE, rows, ranks, SMALL) for key in keys])


def _class_counts(
    key: int, kind: int, draws: int, rank: Counts, per_block: int = PER_BLOCK
) -> Counts:
    """How often each row of one class is drawn: splits first, then the rows of each block."""
    borders = rank[np.append(np.arange(0, len(rank) - 1, per_block), len(rank) - 1)]
    blocks = len(borders) - 1
    keys = stream_keys(key, 0, 2 * blocks, kind)  # of the blocks, then of the borders
    above = np.zeros(blocks + 1, np.int64)
    above[-1] = draws
    low, high = np.array([0]), np.array([blocks])
    while (wide := high - low > 1).any():
        low, high = low[wide], high[wide]
        middle = (low + high) // 2
        streams = Streams(keys[blocks + middle])
        above[middle] = above[low] + streams.drawn_of(
            above[high] - above[low], borders[middle] - borders[low], borders[high] - borders[low]
        )
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    return _rows_of_blocks(keys[:blocks], np.diff(above), borders)


def _rows_of_blocks(keys: Words, draws: Counts, borders: Counts) -> Counts:
    """Draws of each block on its rows."""
    rows = np.diff(borders)
    together = np.where(rows <= SMALL, TOGETHER, 1)
    words = -(-draws // together)
    block = np.repeat(np.arange(len(rows)), words)
    number = np.arange(len(block)) - np.repeat(np.cumsum(words) - words, words)
    state = keys[block] + (number + 1).astype(np.uint64) * np.uint64(_STEP)
    word, size = _mix(state), rows[block].astype(np.uint64)
    counts = np.zeros(int(borders[-1]), np.int64)
    for turn in range(TOGETHER):
        kept = (turn < together[block]) & (number * together[block] + turn < draws[block])
        chosen = borders[block] + _upper_half(word, size).view(np.int64)
        counts += np.bincount(chosen[kept], minlength=len(counts))
        word = word * size
    return counts


def _upper_half(words: Words, sizes: Words) -> Words:
    """Upper 64 bits of the products, for sizes below 2**32."""
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    return np.asarray(((words >> half) * sizes + (((words & low) * sizes) >> half)) >> half)
