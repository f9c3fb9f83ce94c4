"""Numpy twins of the loops over rows with weights, or in clusters.

Rows go from the most positive score down; `positive` says which class each is of.
"""

from typing import NamedTuple, NoReturn

import numpy as np

from rocwise.arrays import Amounts, Array, Counts, Flags, Floats, Mask, Places, Scores
from rocwise.kernels.plain.sorting import argsort
from rocwise.kernels.threads import even_parts

MOST_BLOCKS = 16  # of rows whose sums are added up on their own
ROWS_PER_SUM = 16  # fewer rows of a block are not worth another table of sums


class FallingRows(NamedTuple):
    """Rows by falling score: which are positive, where a new score starts, scores and the rest."""

    positive: Flags
    new_score: Flags
    scores: Scores
    columns: tuple[Array, ...]


def falling_rows(mask: Mask, scores: Scores, columns: tuple[Array, ...]) -> FallingRows:
    """Rows from the highest score down; of equal scores the last row comes first.

    The `columns` have a number of eight bytes for each row.

    Examples
    --------
    >>> mask, scores = np.array([0, 1, 1], np.uint8), np.array([0.5, 0.5, 0.9])
    >>> found = falling_rows(mask, scores, (np.array([7, 8, 9]),))
    >>> found.positive.tolist(), found.new_score.tolist(), found.columns[0].tolist()
    ([True, True, False], [True, True, False], [9, 8, 7])
    """
    check_columns(mask, scores, columns)
    scores = np.array(scores)  # a copy: nobody else can change it
    order = argsort(scores)[::-1]
    falling = scores[order] + 0  # turns -0.0 into 0.0
    new_score = np.concatenate([[True], falling[1:] != falling[:-1]])
    taken = tuple(column[order] for column in columns)
    return FallingRows(mask[order] != 0, new_score, falling, taken)


def by_class(positive: Flags, amounts: Amounts) -> tuple[Amounts, Amounts]:
    """Amounts of positive rows, and of negative ones; 0 at rows of the other class.

    Examples
    --------
    >>> [part.tolist() for part in by_class(np.array([True, False]), np.array([3, 4]))]
    [[3, 0], [0, 4]]
    """
    check_columns(positive, amounts, (amounts,))
    return np.where(positive, amounts, 0), np.where(positive, 0, amounts)


def whole_influences(
    sums: Amounts, amounts: Amounts, total: float, area: float, noise: float, *, beyond: bool
) -> Floats:
    """How much a case at each score moves the area, by sums and amounts of the other class.

    `sums` are of all from the highest score to this one. A case counts those above its score, or
    those `beyond` it, half of those at it, as a share of the `total`, less the area; 0 where only
    rounding, `noise`, is left.

    Examples
    --------
    >>> whole_influences(np.array([1, 1, 4]), np.array([1, 0, 3]), 4, 0.5, 0.0, beyond=True)
    array([ 0.375,  0.25 , -0.125])
    """
    check_columns(sums, amounts, (sums, amounts))
    half = amounts / 2
    share = (total - sums + half) / total if beyond else (sums - half) / total
    moved = share - area
    return np.where(np.abs(moved) > noise, moved, 0.0)


def numbered_in_order(codes: Places, n_codes: int) -> Places:
    """Whole numbers from 0 on, below `n_codes`, numbered anew in the order of their first rows.

    Examples
    --------
    >>> numbered_in_order(np.array([5, 3, 5]), 6).tolist()
    [0, 1, 0]
    """
    check_codes(codes, n_codes)
    first = np.full(n_codes, len(codes), np.intp)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # of equal codes the last one stays
    rank = np.empty(n_codes, np.intp)
    rank[np.argsort(first, kind="stable")] = np.arange(n_codes)
    return np.asarray(rank[codes])


def cluster_members(positive: Flags, clusters: Places, n_clusters: int) -> Counts:
    """How many negative rows (first) and positive rows (second) each cluster has.

    Examples
    --------
    >>> cluster_members(np.array([True, False, True]), np.array([0, 0, 1]), 2).tolist()
    [[1, 0], [1, 1]]
    """
    check_columns(positive, clusters, (clusters,))
    check_codes(clusters, n_clusters)
    return np.stack(
        [np.bincount(clusters[own], minlength=n_clusters) for own in (~positive, positive)]
    )


def cluster_sums(
    positive: Flags,
    starts: Places,
    clusters: Places,
    n_clusters: int,
    held: Floats | None,
    moved: tuple[Floats, Floats],
) -> Floats:
    """What the negatives (first) and the positives (second) of each cluster move, summed.

    A row moves the `moved` of its class at its score, `held` times; scores begin at `starts`.

    Examples
    --------
    >>> positive, starts = np.array([True, False, False]), np.array([0, 1])
    >>> moved = np.array([0.5, 2.0]), np.array([3.0, 4.0])
    >>> cluster_sums(positive, starts, np.array([0, 0, 1]), 2, None, moved).tolist()
    [[2.0, 2.0], [3.0, 0.0]]
    """
    check_columns(positive, clusters, (clusters,))
    check_codes(clusters, n_clusters)
    rows = len(positive)
    score = np.repeat(np.arange(len(starts)), np.diff(starts, append=rows))
    share = np.where(positive, moved[1][score], moved[0][score])
    share = share if held is None else held * share
    summed = np.zeros((2, n_clusters))
    for block in (slice(*part) for part in blocks_of_sums(rows, n_clusters)):
        summed += [
            np.bincount(clusters[block][own], share[block][own], minlength=n_clusters)
            for own in (~positive[block], positive[block])
        ]
    return summed


def blocks_of_sums(rows: int, n_clusters: int) -> list[tuple[int, int]]:
    """Blocks of rows that are summed on their own: the same with any number of threads.

    Examples
    --------
    >>> blocks_of_sums(100, 1000), len(blocks_of_sums(1_000_000, 1000))
    ([(0, 100)], 16)
    """
    return even_parts(rows, min(MOST_BLOCKS, rows // (ROWS_PER_SUM * n_clusters)))


def check_columns(mask: Array, scores: Array, columns: tuple[Array, ...]) -> None:
    """Refuse columns that the compiled loops would misread."""
    if scores.ndim != 1 or any(each.shape != scores.shape for each in (mask, *columns)):
        raise ValueError("the columns must be of one length.")
    if any(each.dtype.itemsize != 8 for each in columns):
        raise ValueError("columns beside the scores must have numbers of eight bytes.")


def check_codes(codes: Places, n_codes: int) -> None:
    """Refuse whole numbers that no table has a place for."""
    if len(codes) and (int(codes.min()) < 0 or int(codes.max()) >= n_codes):
        refuse_codes(n_codes)


def refuse_codes(n_codes: int) -> NoReturn:
    """Say what the numbers of clusters must be."""
    raise ValueError(f"numbers of clusters must be from 0 to {n_codes - 1}.")
