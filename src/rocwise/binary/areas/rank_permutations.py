"""One area against one half by the permutation distribution of ranks: Wilcoxon's test, with ties.

If labels do not depend on scores, every choice of which cases are positive is equally likely. The
sum of the midranks of one class then has a distribution that follows from the ties alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwise.arrays import Floats, Integers
from rocwise.data.score_columns import steps_of
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.kernels.row_formulas import row_by_row

MOST_STEPS = 2_000_000_000  # additions for the exact distribution: a few seconds


@dataclass(frozen=True, slots=True)
class RankSums:
    """Tie groups from the lowest score up: their sizes and their midranks, doubled.

    `chosen` cases, the smaller class, are drawn among all; `observed` is their doubled rank sum;
    `turned` says that they are the negatives.
    """

    sizes: Integers
    midranks: Integers
    chosen: int
    observed: int
    turned: bool

    @classmethod
    def of_tally(cls, data: Tally) -> RankSums:
        """The tie groups of a tally."""
        pos, neg = data.pos[::-1], data.neg[::-1]
        sizes = np.asarray(pos + neg, np.int64)
        midranks = 2 * (np.cumsum(sizes) - sizes) + sizes + 1
        turned = bool(data.n_neg < data.n_pos)
        own = neg if turned else pos
        return cls(sizes, midranks, int(own.sum()), int(own @ midranks), turned)


def wilcoxon_variance(data: Tally) -> float:
    """Variance of the area when labels do not depend on scores, ties taken into account.

    (n + 1 - sum(t^3 - t) / (n (n - 1))) / (12 P N) for tie groups of t cases.

    >>> import rocwise as rw
    >>> round(wilcoxon_variance(rw.tally([0, 0, 1, 1], [1, 2, 3, 4])) * 12 * 4, 12)  # n + 1
    5.0
    """
    n_pos, n_neg = int(data.n_pos), int(data.n_neg)
    n = n_pos + n_neg
    return (n + 1 - _tied(data) / (n * (n - 1))) / (12 * n_pos * n_neg)


def _tied(data: Tally) -> int:
    """The sum of t^3 - t over all tie groups, in Python numbers, which never overflow."""
    if len(data) == int(data.n_pos) + int(data.n_neg):
        return 0  # every case has a score of its own
    sizes = steps_of(row_by_row(np.add, data.tp, data.fp, dtype=data.tp.dtype))
    several, times = np.unique(sizes[sizes > 1], return_counts=True)
    found = zip(map(int, several.tolist()), times.tolist(), strict=True)
    return sum(number * (t**3 - t) for t, number in found)


def exact_tails(data: Tally) -> dict[str, float]:
    """Exact p values of the area against one half, for each alternative.

    Two-sided: all sums at least as far from their mean as the one observed.
    """
    ranks = RankSums.of_tally(data)
    step, least = _unit(ranks)
    values = (ranks.midranks - least) // step
    observed = (ranks.observed - ranks.chosen * least) // step
    chances = _rank_sum_distribution(values, ranks.sizes, ranks.chosen)
    sums = np.arange(len(chances))
    total, n = int(values @ ranks.sizes) * ranks.chosen, int(ranks.sizes.sum())
    gaps = np.abs(n * sums - total)  # whole numbers: distances are compared exactly
    up, down = float(chances[observed:].sum()), float(chances[: observed + 1].sum())
    if ranks.turned:
        up, down = down, up
    far = float(chances[gaps >= abs(n * observed - total)].sum())
    return {name: min(p, 1.0) for name, p in (("two-sided", far), ("greater", up), ("less", down))}


def _unit(ranks: RankSums) -> tuple[int, int]:
    """Greatest common step of the midranks, and the least of them."""
    least = int(ranks.midranks.min())
    return max(math.gcd(*(ranks.midranks - least).tolist()), 1), least


def _rank_sum_distribution(values: Integers, sizes: Integers, chosen: int) -> Floats:
    """Chances of every sum of `chosen` cases, by adding one tie group after the other.

    Cases are first taken independently with chance chosen / n, which keeps every number between 0
    and 1, and then only the outcomes with exactly `chosen` cases are kept.
    """
    largest = _largest_sum(values, sizes, chosen)
    steps = int(np.minimum(sizes, chosen).sum() + len(sizes)) * (chosen + 1) * (largest + 1)
    if steps > MOST_STEPS:
        raise InputError(
            f"method='exact' would take {steps:.2g} steps for {int(sizes.sum()):,} cases with "
            f"{len(sizes):,} distinct scores; use method='wilcoxon', whose normal distribution is "
            "near enough with so many."
        )
    share = chosen / int(sizes.sum())
    table = np.zeros((chosen + 1, largest + 1))
    table[0, 0] = 1.0
    for value, size in zip(values.tolist(), sizes.tolist(), strict=True):
        added = np.zeros_like(table)
        for taken, chance in enumerate(_binomial(size, share)[: chosen + 1]):
            shift = taken * value
            if shift <= largest:
                added[taken:, shift:] += chance * table[: chosen + 1 - taken, : largest + 1 - shift]
        table = added
    return np.asarray(table[chosen] / table[chosen].sum())


def _largest_sum(values: Integers, sizes: Integers, chosen: int) -> int:
    left, total = chosen, 0
    for value, size in zip(values[::-1].tolist(), sizes[::-1].tolist(), strict=True):
        taken = min(left, size)
        total, left = total + taken * value, left - taken
    return total


def _binomial(size: int, share: float) -> list[float]:
    """Chances of taking 0, 1, ..., size of a tie group."""
    logs = math.log(share), math.log1p(-share)
    whole = math.lgamma(size + 1)
    return [
        math.exp(
            whole
            - math.lgamma(k + 1)
            - math.lgamma(size - k + 1)
            + k * logs[0]
            + (size - k) * logs[1]
        )
        for k in range(size + 1)
    ]
