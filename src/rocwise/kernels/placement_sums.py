"""The seven integers that say all about the classes' order within a range of scores.

Ranges combine exactly, so files, threads and machines can each sum their own range and the
sums of the whole follow from seven numbers per range.
"""

from typing import NamedTuple


class PlacementSums(NamedTuple):
    """Sums over the rows of one range of scores, as Python integers of any size.

    Each positive has the placement u = 2 * (negatives below) + (negatives tied), each negative
    the placement v = 2 * (positives below) + (positives tied); twos and ones instead of ones
    and halves keep everything an integer. AUC = sum_u / (2 * n_pos * n_neg).

    Examples
    --------
    >>> PlacementSums(n_pos=1, n_neg=1, sum_u=2, sum_u2=4, sum_v=0, sum_v2=0, ties=0).sum_u
    2
    """

    n_pos: int = 0
    n_neg: int = 0
    sum_u: int = 0
    sum_u2: int = 0
    sum_v: int = 0
    sum_v2: int = 0
    ties: int = 0


def combine(lower: PlacementSums, upper: PlacementSums) -> PlacementSums:
    """Sums of two ranges together, where every score of `lower` is below all of `upper`.

    Every placement in the upper range grows by the same amount, twice the number of rows of the
    other class in the lower range; the sum and the sum of squares follow.

    Examples
    --------
    >>> negative = PlacementSums(n_neg=1)
    >>> positive = PlacementSums(n_pos=1)
    >>> combine(negative, positive).sum_u
    2
    >>> combine(positive, negative).sum_v
    2
    """
    grow_u, grow_v = 2 * lower.n_neg, 2 * lower.n_pos
    return PlacementSums(
        n_pos=lower.n_pos + upper.n_pos,
        n_neg=lower.n_neg + upper.n_neg,
        sum_u=lower.sum_u + _shifted_sum(upper.n_pos, upper.sum_u, grow_u),
        sum_u2=lower.sum_u2 + _shifted_squares(upper.n_pos, upper.sum_u, upper.sum_u2, grow_u),
        sum_v=lower.sum_v + _shifted_sum(upper.n_neg, upper.sum_v, grow_v),
        sum_v2=lower.sum_v2 + _shifted_squares(upper.n_neg, upper.sum_v, upper.sum_v2, grow_v),
        ties=lower.ties + upper.ties,
    )


def _shifted_sum(count: int, total: int, shift: int) -> int:
    return total + count * shift


def _shifted_squares(count: int, total: int, squares: int, shift: int) -> int:
    return squares + 2 * shift * total + count * shift * shift
