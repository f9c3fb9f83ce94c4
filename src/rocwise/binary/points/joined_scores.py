"""Scores that no point asked for can tell apart, joined: few cells to draw in place of rows.

At thresholds, a row counts by the side of each on which its score lies. At a rate, only the scores
near the point matter; one cell on either side holds the others, and a resample whose point lies
beyond has a chance of 1e-15. Every measure of a resample is that of the same rows unjoined.
"""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Flags, Places
from rocwise.binary.points.places import Asked, places_of_thresholds
from rocwise.binary.points.resampled import PointMeasures
from rocwise.binary.resampling.binned import MOST_SCORES, coarsened, window_along
from rocwise.binary.resampling.equal_rows import draws_kinds, rows_of_counts
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally

NEVER_LEFT_OUT = 35  # cases: that a resample has none of them has a chance of exp(-35)


def with_joined_scores(data: Tally, plan: PointMeasures) -> Tally:
    """The tally that resamples of these measures need; itself where there is nothing to gain."""
    ends = ends_of_cells(data, plan)
    if ends is None:
        return data
    joined = coarsened(data, ends)
    if plan.asked.axis == "threshold":
        return joined
    rows = rows_of_counts(joined.pos, joined.neg)
    assert rows.counts is not None
    return joined.with_rows(rows) if draws_kinds(rows.counts) else data


def pairs_with_joined_scores(pairs: Pairs, plan: PointMeasures) -> Pairs:
    """The same for two models, each with cells of its own."""
    ends = {name: ends_of_cells(pairs.tally(name).for_once(), plan) for name in pairs.names}
    found = {name: own for name, own in ends.items() if own is not None}
    return pairs.joined(found) if len(found) == len(ends) else pairs


def ends_of_cells(data: Tally, plan: PointMeasures) -> Places | None:
    """Places of the last score of each cell; None where every score is needed.

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.binary.points.measures import Measured
    >>> asked = Asked("threshold", np.array([2.5, 9.0]), interpolate=False)
    >>> data = rw.tally([0, 0, 1, 1], [1, 2, 3, 4])
    >>> ends_of_cells(data, PointMeasures(asked, Measured(None, {}), None)).tolist()
    [1, 3]
    """
    last = len(data) - 1
    if plan.asked.axis == "threshold":
        places = places_of_thresholds(data, plan.asked)
        return np.union1d(places[places > 0] - 1, [last])
    if data.rows is not None or data.weighted or len(data) <= MOST_SCORES:
        return None
    near = np.zeros(len(data), np.bool_)
    windows = _windows(data, plan.asked, plan.share_of(data))
    for first, end in windows:
        near[first : end + 1] = True
    near &= ~_amid_alike(data, plan.asked)
    near[np.ravel(windows)] = True  # runs that go on beyond are cut there
    near[last] = True
    return np.flatnonzero(near)


def _windows(data: Tally, asked: Asked, share: float) -> list[tuple[int, int]]:
    """First and last of the scores near each point.

    A point at a sensitivity moves on to the next negative that was drawn, others move back to the
    last positive: so many cases are kept apart there that one of them is.
    """
    found = []
    for value in asked.values.tolist():
        if asked.axis == "sensitivity":
            first, last = window_along(data, 1.0, value)
            enough = int(np.searchsorted(data.fp, data.fp[last] + NEVER_LEFT_OUT))
            found.append((first, min(enough, len(data) - 1)))
            continue
        rate = 1.0 - value if asked.axis == "specificity" else value
        first, last = window_along(data, share if asked.axis == "alarms" else 0.0, rate)
        enough = int(np.searchsorted(data.tp, data.tp[first] - NEVER_LEFT_OUT, side="right")) - 1
        found.append((max(enough, 0), last))
    return found


def _amid_alike(data: Tally, asked: Asked) -> Flags:
    """Scores that need not be told from the next, since no point of a resample lies between them.

    Neighbours with negatives alone are passed together; so are those with positives alone, but
    for alarms, of which each of them is one.
    """
    pos, neg = data.narrow_counts()
    alike = np.zeros(len(data), np.bool_)
    alike[:-1] = (pos[:-1] == 0) & (pos[1:] == 0)
    if asked.axis != "alarms":
        alike[:-1] |= (neg[:-1] == 0) & (neg[1:] == 0)
    return alike
