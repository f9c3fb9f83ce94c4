"""Numpy twins of the kernels that walk two sorted classes or a table of counts."""

from math import prod

import numpy as np

from rocwise.arrays import Counts, Floats, Scores
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.placement_sums import PlacementSums

Rates = Floats

_LARGEST = 2**63 - 1


def merge_sums(neg: Scores, pos: Scores, *, numbers: bool = False) -> PlacementSums:
    """Sums of two ascending classes: see `PlacementSums` for what is summed.

    Nan is not looked for where they are known to be `numbers`, as those of `sort_classes` are.

    Examples
    --------
    >>> merge_sums(np.array([0.1, 0.4]), np.array([0.4, 0.8])).sum_u
    7
    """
    if not numbers:
        refuse_nan(neg, pos)
    if neg.size < pos.size:  # search the ranks of the smaller class: the others follow
        return _swapped(merge_sums(pos, neg, numbers=True))
    below = np.searchsorted(neg, pos, side="left")
    upto = np.searchsorted(neg, pos, side="right")
    u = below + upto
    # a positive is below negative k if at most k negatives are below or tied with it
    v = np.cumsum(
        np.bincount(upto, minlength=neg.size + 1) + np.bincount(below, minlength=neg.size + 1)
    )
    v = v[: neg.size]
    return PlacementSums(
        n_pos=pos.size,
        n_neg=neg.size,
        sum_u=exact_sum(u),
        sum_u2=exact_sum(u, u),
        sum_v=exact_sum(v),
        sum_v2=exact_sum(v, v),
        ties=int((upto - below).sum()),
    )


def _swapped(sums: PlacementSums) -> PlacementSums:
    """The same rows with the names of the classes exchanged."""
    n_pos, n_neg, sum_u, sum_u2, sum_v, sum_v2, ties = sums
    return PlacementSums(n_neg, n_pos, sum_v, sum_v2, sum_u, sum_u2, ties)


def table_sums(pos_counts: Counts, neg_counts: Counts) -> PlacementSums:
    """Sums of a table of counts per distinct score, in descending order of score.

    Examples
    --------
    >>> table_sums(np.array([1, 1, 0]), np.array([0, 1, 1])).sum_u
    7
    """
    check_same_length(pos_counts, neg_counts)
    pos = pos_counts[::-1].astype(np.int64)
    neg = neg_counts[::-1].astype(np.int64)
    u = 2 * np.cumsum(neg) - neg
    v = 2 * np.cumsum(pos) - pos
    return PlacementSums(
        n_pos=exact_sum(pos),
        n_neg=exact_sum(neg),
        sum_u=exact_sum(pos, u),
        sum_u2=exact_sum(pos, u, u),
        sum_v=exact_sum(neg, v),
        sum_v2=exact_sum(neg, v, v),
        ties=exact_sum(pos, neg),
    )


def merge_table(neg: Scores, pos: Scores) -> tuple[Scores, Counts, Counts]:
    """Distinct scores, descending, with the positives and the negatives at each.

    Examples
    --------
    >>> scores, pos, neg = merge_table(np.array([0.1, 0.4]), np.array([0.4, 0.8]))
    >>> scores.tolist(), pos.tolist(), neg.tolist()
    ([0.8, 0.4, 0.1], [1, 1, 0], [0, 1, 1])
    """
    scores, tp, fp = curve_counts(neg, pos)
    return scores, np.diff(tp, prepend=0), np.diff(fp, prepend=0)


def curve_counts(
    neg: Scores, pos: Scores, *, numbers: bool = False
) -> tuple[Scores, Counts, Counts]:
    """Distinct scores, descending, with the positives and negatives at or above each.

    Nan is not looked for where they are known to be `numbers`, as those of `sort_classes` are.

    Examples
    --------
    >>> scores, tp, fp = curve_counts(np.array([0.1, 0.4]), np.array([0.4, 0.8]))
    >>> scores.tolist(), tp.tolist(), fp.tolist()
    ([0.8, 0.4, 0.1], [1, 2, 2], [0, 1, 2])
    """
    if not numbers:
        refuse_nan(neg, pos)
    merged = np.concatenate((neg, pos))
    merged.sort(kind="stable")  # two sorted runs: a single merge
    is_first = np.ones(merged.size, np.bool_)
    np.not_equal(merged[1:], merged[:-1], out=is_first[1:])
    scores = merged[is_first][::-1].copy()
    tp = pos.size - np.searchsorted(pos, scores, side="left")
    fp = neg.size - np.searchsorted(neg, scores, side="left")
    return scores, tp.astype(np.int64, copy=False), fp.astype(np.int64, copy=False)


def curve_rates(
    neg: Scores, pos: Scores, *, numbers: bool = False
) -> tuple[Scores, Rates, Rates, int]:
    """Points of the ROC curve: threshold, TPR and FPR from the origin on; and twice U.

    The origin has the threshold infinity, beyond every score; `numbers` is as in `curve_counts`.

    Examples
    --------
    >>> scores, tpr, fpr, doubled = curve_rates(np.array([0.1, 0.4]), np.array([0.4, 0.8]))
    >>> scores.tolist(), tpr.tolist(), fpr.tolist(), doubled
    ([inf, 0.8, 0.4, 0.1], [0.0, 0.5, 1.0, 1.0], [0.0, 0.0, 0.5, 1.0], 7)
    """
    scores, tp, fp = curve_counts(neg, pos, numbers=numbers)
    tp, fp = np.concatenate(([0], tp)), np.concatenate(([0], fp))
    doubled = int(np.dot(np.diff(fp), tp[1:] + tp[:-1]))
    thresholds = np.concatenate((np.array([np.inf], scores.dtype), scores))
    return thresholds, tp / pos.size, fp / neg.size, doubled


def check_same_length(pos_counts: Counts, neg_counts: Counts) -> None:
    """Refuse two columns that do not make a table."""
    if pos_counts.ndim != 1 or pos_counts.shape != neg_counts.shape:
        raise ValueError(
            f"`pos_counts` has shape {pos_counts.shape} but `neg_counts` has shape "
            f"{neg_counts.shape}; both need one count per distinct score."
        )


def exact_sum(*factors: Counts) -> int:
    """Sum of the products of non-negative integers, exact whatever its size.

    A product that might not fit 63 bits is halved: the largest factor is split into its upper
    and its lower bits and each half summed on its own.

    Examples
    --------
    >>> exact_sum(np.array([2**40, 3]), np.array([2**40, 5])) == 2**80 + 15
    True
    """
    if factors[0].size == 0:
        return 0
    tops = [int(factor.max()) for factor in factors]
    if prod(tops) * factors[0].size <= _LARGEST:
        product = factors[0]
        for factor in factors[1:]:
            product = product * factor
        return int(product.sum(dtype=np.int64))
    largest = tops.index(max(tops))
    bits = tops[largest].bit_length() // 2
    rest = [factor for index, factor in enumerate(factors) if index != largest]
    upper, lower = factors[largest] >> bits, factors[largest] & ((1 << bits) - 1)
    return (exact_sum(upper, *rest) << bits) + exact_sum(lower, *rest)
