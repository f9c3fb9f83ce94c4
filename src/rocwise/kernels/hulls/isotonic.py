"""The isotonic fit between the corners of a hull, and resamples of many cases at few scores."""

from collections.abc import Callable

import numpy as np

from rocwise.arrays import Amounts, Counts, Floats, Places
from rocwise.kernels import resampling_tables as tables

CornersOf = Callable[[Amounts, Amounts], Places]


def fit_at(places: Places, pos: Amounts, neg: Amounts, corners_of: CornersOf) -> Floats:
    """The isotonic fit at places of the highest-first table, for counts that may be 0 there.

    `corners_of` is one of the twins of `concave_corners`.

    Examples
    --------
    >>> pos, neg = np.array([2, 0, 0, 1]), np.array([0, 0, 3, 1])
    >>> from rocwise.kernels.hulls.plain import concave_corners
    >>> fit_at(np.array([3, 1, 0]), pos, neg, concave_corners).tolist()
    [0.2, 0.2, 1.0]
    """
    tp, fp = (np.append(part.dtype.type(0), np.cumsum(part)) for part in (pos, neg))
    rises = np.flatnonzero(np.diff(fp + tp) > 0) + 1
    ends = np.append(0, rises)[corners_of(fp[rises], tp[rises])]
    hits, alarms = np.diff(tp[ends]), np.diff(fp[ends])
    block = np.clip(np.searchsorted(ends, places, side="right") - 1, 0, len(hits) - 1)
    return np.asarray((hits / (hits + alarms))[block])


def fits_of_counts(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    places: Places,
    corners_of: CornersOf,
) -> Floats:
    """`resample_isotonic` where counts are drawn, and not rows."""
    cells = np.concatenate([pos, neg])
    total = int(cells.sum())
    shares = cells / total

    def fits(start: int, stop: int) -> Floats:
        made = np.empty((stop - start, len(places)))
        for replicate in range(start, stop):
            drawn = np.random.default_rng([seed, replicate]).multinomial(total, shares)
            made[replicate - start] = fit_at(
                places, drawn[: len(pos)], drawn[len(pos) :], corners_of
            )
        return made

    return tables.in_chunks(fits, first, last, len(cells))
