"""Numpy twins of the kernels that bring rows together by the number of their group."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Array, Counts, Floats, Mask, Places
from rocwise.kernels.no_nan import refuse_nan


class GroupedScores(NamedTuple):
    """Scores by group, of each those of the negatives and then those of the positives.

    Attributes
    ----------
    values : ndarray of float
        The scores; `group_curves` sorts them.
    bounds : ndarray of int
        Where the negatives of group k begin: at 2 k; its positives: at 2 k + 1.
    """

    values: Floats
    bounds: Counts


class GroupCurves(NamedTuple):
    """The curves of some groups, one behind the other.

    Attributes
    ----------
    scores : ndarray of float
        Infinity, where nobody is called positive; then the distinct scores, the highest first.
    tp, fp : ndarray of int
        Positives and negatives at or above each.
    starts : ndarray of int
        Where each group begins.
    """

    scores: Floats
    tp: Counts
    fp: Counts
    starts: Counts


def rows_by_group(codes: Places, groups: int) -> tuple[Counts, Counts]:
    """Rows by the number of their group, in their order within each, and where groups begin.

    The last of the bounds is the number of rows: group k has the rows from ``bounds[k]`` on, up to
    ``bounds[k + 1]``.

    Examples
    --------
    >>> rows, bounds = rows_by_group(np.array([1, 0, 1]), 2)
    >>> rows.tolist(), bounds.tolist()
    ([1, 0, 2], [0, 1, 3])
    """
    codes = np.asarray(codes, np.int64)
    refuse_other_codes(codes, groups)
    bounds = np.zeros(groups + 1, np.int64)
    np.cumsum(np.bincount(codes, minlength=groups), out=bounds[1:])
    return np.argsort(codes, kind="stable").astype(np.int64, copy=False), bounds


def class_sizes(codes: Places, mask: Mask, groups: int) -> Counts:
    """Negatives and positives of each group, (groups, 2); `mask` is 1 where a row is positive.

    Examples
    --------
    >>> class_sizes(np.array([1, 0, 1]), np.array([1, 0, 1], np.uint8), 2).tolist()
    [[1, 0], [0, 2]]
    """
    if len(codes) != len(mask):
        raise unlike_lengths(codes, mask)
    refuse_other_codes(codes, groups)
    slots = 2 * np.asarray(codes, np.int64) + (mask != 0)
    return np.bincount(slots, minlength=2 * groups).reshape(groups, 2)


def grouped_scores(codes: Places, mask: Mask, scores: Floats, groups: int) -> GroupedScores:
    """Scores by group and class; `codes` has the group of each row, `mask` is 1 if positive.

    Examples
    --------
    >>> grouped_scores(np.array([1, 0, 1]), np.array([1, 0, 0], np.uint8), np.arange(3.0), 2)
    GroupedScores(values=array([1., 2., 0.]), bounds=array([0, 1, 1, 2, 3]))
    """
    if len(codes) != len(mask) or len(codes) != len(scores):
        raise unlike_lengths(codes, mask, scores)
    refuse_nan(scores)
    refuse_other_codes(codes, groups)
    order, bounds = rows_by_group(2 * np.asarray(codes, np.int64) + (mask != 0), 2 * groups)
    return GroupedScores(scores[order].astype(np.float64) + 0.0, bounds)


def group_curves(held: GroupedScores, first: int, last: int) -> GroupCurves:
    """The curves of the groups from `first` on, before `last`.

    Examples
    --------
    >>> held = grouped_scores(np.zeros(3, int), np.array([0, 1, 0], np.uint8), np.ones(3), 1)
    >>> group_curves(held, 0, 1)
    GroupCurves(scores=array([inf,  1.]), tp=array([0, 1]), fp=array([0, 2]), starts=array([0]))
    """
    made = [_curve(held, group) for group in range(first, last)]
    sizes = [len(scores) for scores, _, _ in made]
    scores, tp, fp = (np.concatenate(each) for each in zip(*made, strict=True))
    return GroupCurves(scores, tp, fp, np.cumsum([0, *sizes[:-1]]))


def _curve(held: GroupedScores, group: int) -> tuple[Floats, Counts, Counts]:
    ends = held.bounds[2 * group : 2 * group + 3]
    classes = [np.sort(held.values[low:high]) for low, high in pairwise(ends.tolist())]
    scores = np.unique(np.concatenate(classes))[::-1]
    fp, tp = (len(own) - np.searchsorted(own, scores) for own in classes)
    return np.append(np.inf, scores), np.append(0, tp), np.append(0, fp)


def unlike_lengths(*columns: Array) -> ValueError:
    """What to say of columns that do not have the same rows."""
    return ValueError(f"columns of {' and '.join(str(len(each)) for each in columns)} rows.")


def refuse_other_codes(codes: Places, groups: int) -> None:
    """Refuse what is not the number of a group."""
    if codes.ndim != 1 or (codes.size and not 0 <= codes.min() <= codes.max() < groups):
        raise other_codes(groups)


def other_codes(groups: int) -> ValueError:
    """What to say of codes that are not the numbers of groups."""
    return ValueError(f"`codes` must be a column of whole numbers from 0 on, below {groups}.")
