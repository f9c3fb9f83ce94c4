"""The points of a ROC curve that the page may know: few, exact, and no more telling than allowed.

Reading counts off a drawn line would be wrong; the page reads them off these knots.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import rocwise as rw


class Knots(NamedTuple):
    """Places in the table of a tally, -1 for the origin, with the counts at each.

    The places rise, so that counts do too.
    """

    places: NDArray[np.intp]
    tp: NDArray[Any]
    fp: NDArray[Any]


def curve_knots(tally: rw.Tally, *, most: int | None, min_cell: int = 1) -> Knots:
    """At most about `most` knots with the hull, the best Youden index and both ends among them.

    Parameters
    ----------
    tally : Tally
        The model.
    most : int or None
        How many; None for all distinct scores. More only if the hull alone has more.
    min_cell : int
        Fewest cases between a knot and the next; the hull gives way to this.

    Examples
    --------
    >>> import rocwise as rw
    >>> tally = rw.tally([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> curve_knots(tally, most=None).tp.tolist()
    [0, 1, 2, 2, 3, 3, 3]
    >>> curve_knots(tally, most=None, min_cell=3).tp.tolist()
    [0, 2, 3]
    """
    tp, fp = np.asarray(tally.tp), np.asarray(tally.fp)
    every = most is None or len(tp) <= most
    places = np.arange(len(tp)) if every or most is None else _spread(tally, most)
    if min_cell > 1:
        places = _far_enough(places, tp + fp, min_cell)
    zero = np.zeros(1, dtype=tp.dtype)
    return Knots(
        np.concatenate([[-1], places]),
        np.concatenate([zero, tp[places]]),
        np.concatenate([zero, fp[places]]),
    )


def _spread(tally: rw.Tally, most: int) -> NDArray[np.intp]:
    """The places that must be kept, and others at even distances along the curve."""
    along = tally.tp / tally.n_pos + tally.fp / tally.n_neg
    kept = np.union1d(_hull_places(tally), [best_youden(tally), len(along) - 1])
    free = max(most - len(kept), 0)
    even = np.searchsorted(along, 2 * (np.arange(free) + 0.5) / max(free, 1))
    return np.union1d(kept, np.minimum(even, len(along) - 1))


def _hull_places(tally: rw.Tally) -> NDArray[np.intp]:
    """Places of the hull's vertices in the table; the origin is not in it."""
    from_last = np.arange(len(tally.tp) - 1.0, -1.0, -1.0)  # unlike scores, never one float
    ranked = rw.Tally.from_counts(from_last, tally.pos, tally.neg, squares=tally.squares)
    return len(from_last) - 1 - rw.hull(ranked).thresholds[1:].astype(np.intp)


def _far_enough(places: Any, cases: Any, fewest: int) -> NDArray[np.intp]:
    """Those after each of which, and before the first, lie at least so many cases."""
    kept: list[int] = []
    last = 0
    total = cases[-1]
    for place in places.tolist():
        if cases[place] - last >= fewest and total - cases[place] >= fewest:
            kept.append(place)
            last = cases[place]
    return np.array([*kept, len(cases) - 1], dtype=np.intp)


def best_youden(tally: rw.Tally) -> int:
    """The place with the largest difference of the two rates, the first of several."""
    return int(np.argmax(tally.tp / tally.n_pos - tally.fp / tally.n_neg))


def coarse_tally(tally: rw.Tally, knots: Knots) -> rw.Tally:
    """The cases between knots at one score each: what may be drawn where few cases must not show.

    >>> import rocwise as rw
    >>> tally = rw.tally([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> coarse_tally(tally, curve_knots(tally, most=None, min_cell=3)).scores.tolist()
    [4.0, 1.0]
    """
    return rw.Tally.from_counts(
        tally.scores[knots.places[1:]], np.diff(knots.tp), np.diff(knots.fp), origin=tally.origin
    )


def plain_knots(tally: rw.Tally, knots: Knots) -> dict[str, list[Any]]:
    """Thresholds and steps of the counts, ready for JSON."""
    threshold = [None, *(_threshold(tally, place) for place in knots.places[1:].tolist())]
    return {"threshold": threshold, "tp": _steps(knots.tp), "fp": _steps(knots.fp)}


def _steps(counts: NDArray[Any]) -> list[Any]:
    steps: list[Any] = np.diff(counts, prepend=counts[:1]).tolist()
    return steps


def _threshold(tally: rw.Tally, place: int) -> float | int | str:
    """A number, or its text where a number in JavaScript would be another one."""
    if tally.origin.categories:
        return int(tally.scores[place])
    text = tally.threshold_text(place)
    number = float(text)
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if Decimal(repr(number)) != Decimal(text):
        return text
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
