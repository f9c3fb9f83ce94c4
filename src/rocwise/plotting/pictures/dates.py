"""Dates on the axis of a series that is numbered 0, 1, 2, ..."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rocwise.errors import InputError, shown
from rocwise.plotting.layers import Picture, Tick

MOST_TICKS = 4


def dated(picture: Picture, dates: Any, n_times: int, *, ahead: int = 0) -> Picture:
    """The same picture with dates in place of numbers at the axis of time.

    Parameters
    ----------
    picture
        Over times that count from 0.
    dates
        One for each of `n_times`, or of `n_times + ahead`, times; None leaves the numbers.
    n_times
        How long the series is.
    ahead
        How many times after it are forecast; their dates go on in steps like the last one.
    """
    if dates is None:
        return picture
    try:
        days = np.asarray(dates).astype("datetime64[s]")
    except (TypeError, ValueError):
        raise InputError(f"`dates` must hold dates; got {shown(dates, 60)}.") from None
    if days.ndim != 1 or len(days) not in (n_times, n_times + ahead):
        raise InputError(
            f"`dates` must hold one date for each of {n_times:,} times; got {len(days):,}."
        )
    if len(days) == n_times and ahead and n_times > 1:
        days = np.concatenate([days, days[-1] + np.arange(1, ahead + 1) * (days[-1] - days[-2])])
    low, high = picture.x.limits
    first, last = max(0, int(np.ceil(low))), min(len(days) - 1, int(np.floor(high)))
    places = np.unique(np.linspace(first, last, MOST_TICKS).round().astype(np.intp))
    unit = _unit(days[last] - days[first])
    ticks = tuple(Tick(float(k), str(days[k].astype(f"datetime64[{unit}]"))) for k in places)
    return replace(picture, x=replace(picture.x, title="", ticks=ticks))


def _unit(span: np.timedelta64) -> str:
    """The coarsest words that still tell the ticks apart.

    >>> _unit(np.timedelta64(10 * 366, "D")), _unit(np.timedelta64(3, "h"))
    ('Y', 'm')
    """
    days = float(span / np.timedelta64(1, "D"))
    if days > 8 * 365:
        return "Y"
    if days > 300:
        return "M"
    return "D" if days > MOST_TICKS else "m"
