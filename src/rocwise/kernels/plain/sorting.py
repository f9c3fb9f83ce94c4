"""Numpy twins of the kernels that read rows: labels, sorting and placements."""

import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Counts, Mask, Scores
from rocwise.kernels.no_nan import refuse_nan

MOST_TEXTS = 4096  # with more of them rows are hardly classes, and the table of texts grows long


def first_nan(scores: Scores) -> int:
    """First row whose score is not a number, or -1.

    Examples
    --------
    >>> first_nan(np.array([0.1, np.nan, 0.3]))
    1
    """
    missing = np.isnan(scores)
    return int(missing.argmax()) if missing.any() else -1


def match_labels(
    labels: NDArray[np.generic], negative: object, positive: object
) -> tuple[Mask, int, int]:
    """Mask of the positives, how many they are, and the first row that is neither (or -1).

    Examples
    --------
    >>> mask, n_pos, first_bad = match_labels(np.array([0, 1, 1, 7]), 0, 1)
    >>> mask.tolist(), n_pos, first_bad
    ([0, 1, 1, 0], 2, 3)
    """
    is_positive = np.asarray(labels == positive)
    known = is_positive | np.asarray(labels == negative)
    first_bad = -1 if known.all() else int(known.argmin())
    return is_positive.view(np.uint8), int(np.count_nonzero(is_positive)), first_bad


def text_codes(objects: NDArray[np.object_]) -> tuple[Counts, list[str]] | None:
    """Which text each row holds, -1 for None, and the texts in the order of their first rows.

    None if something else is among the objects, if there are more than `MOST_TEXTS`, or none.

    Examples
    --------
    >>> codes, texts = text_codes(np.array(["yes", None, "no", "yes"], dtype=object))
    >>> codes.tolist(), texts
    ([0, -1, 1, 0], ['yes', 'no'])
    """
    order: dict[str, int] = {}
    codes = np.full(len(objects), -1, np.int64)
    for row, item in enumerate(objects.tolist()):
        if item is None:
            continue
        if type(item) is not str:
            return None
        codes[row] = order.setdefault(item, len(order))
        if len(order) > MOST_TEXTS:
            return None
    return (codes, list(order)) if order else None


def sort_classes(mask: Mask, scores: Scores) -> tuple[Scores, Scores]:
    """Scores of the negatives and of the positives, each ascending, with 0.0 for -0.0.

    Examples
    --------
    >>> mask = np.array([1, 0, 0], np.uint8)
    >>> neg, pos = sort_classes(mask, np.array([3.0, 2.0, 1.0]))
    >>> neg.tolist(), pos.tolist()
    ([1.0, 2.0], [3.0])
    """
    is_positive = mask.view(np.bool_)
    classes = scores[~is_positive], scores[is_positive]  # copies: nobody else can change them
    refuse_nan(scores)
    for values in classes:
        values.sort()
        values += 0.0  # turns -0.0 into 0.0 and leaves all else as it is
        refuse_nan(values[-1:], first=values.size - 1)  # whatever came in meanwhile
    return classes


def argsort(scores: Scores) -> Counts:
    """Rows in ascending order of score; equal scores (0.0 and -0.0 too) keep their order.

    Examples
    --------
    >>> argsort(np.array([0.5, 0.1, 0.5])).tolist()
    [1, 0, 2]
    """
    scores = np.array(scores)  # a copy: nobody else can change it
    refuse_nan(scores)
    return np.argsort(scores, kind="stable").astype(np.int64, copy=False)


def placements(mask: Mask, scores: Scores, *, out: Counts | None = None) -> Counts:
    """For each row 2 * (rows of the other class below) + (rows of the other class tied).

    They are written to `out`, a column of int64, where it is given.

    Examples
    --------
    >>> placements(np.array([0, 1, 1], np.uint8), np.array([0.5, 0.5, 0.9])).tolist()
    [1, 1, 2]
    """
    scores = np.array(scores)
    order = argsort(scores)
    ranked, is_positive = scores[order], mask[order].view(np.bool_)
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], scores.size > 0))
    group = np.repeat(np.arange(last.size), np.diff(last, prepend=-1))
    pos_upto = np.cumsum(is_positive)[last]
    neg_upto = last + 1 - pos_upto
    # twice those below plus those tied = those below + those up to and with the group
    u = neg_upto + np.concatenate(([0], neg_upto[:-1]))
    v = pos_upto + np.concatenate(([0], pos_upto[:-1]))
    result = place_for_placements(scores.size, out)
    result[order] = np.where(is_positive, u[group], v[group])
    return result


def place_for_placements(rows: int, out: Counts | None) -> Counts:
    """A column of so many whole numbers to write to: a new one, or the one that was given.

    Examples
    --------
    >>> place_for_placements(3, None).shape
    (3,)
    """
    if out is None:
        return np.empty(rows, np.int64)
    if out.shape != (rows,) or out.dtype != np.int64 or not out.flags.carray:
        raise ValueError(f"`out` must be {rows} numbers of int64, side by side.")
    return out
