"""Areas of a great many groups at once: the formulas of `intervals`, over columns of sums.

Groups that need more than these (a class of one case, no spread, sums beyond exact floats) are
left to the question itself, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Flags, Floats
from rocwise.binary.areas.intervals import METHOD_NAMES
from rocwise.inference.intervals.effective_sizes import ENOUGH, NEARLY_NORMAL, ROUNDING
from rocwise.inference.intervals.interval_limits import normal_quantile

EXACT = 2.0**53  # below, whole numbers are exact floats, and their quotients correctly rounded
TOGETHER = ("auto", "delong", "wilson")
COLUMNS = ("value", "standard_error", "low", "high")


class GroupAreas(NamedTuple):
    """Areas of groups, what positives and negatives have of their variances, and their sizes."""

    value: Floats
    of_positives: Floats
    of_negatives: Floats
    n_pos: Floats
    n_neg: Floats

    @property
    def variance(self) -> Floats:
        """DeLong's variance."""
        return self.of_positives + self.of_negatives

    @property
    def smaller(self) -> Floats:
        """Cases of the smaller class."""
        return np.minimum(self.n_pos, self.n_neg)


def area_columns(
    sums: Mapping[str, Any],
    one: Callable[[int], Mapping[str, Any]],
    *,
    method: str = "auto",
    level: float = 0.95,
    **more: Any,
) -> dict[str, Any] | None:
    """The columns of `Auc` for all groups; `one` answers for the group at one place.

    None where something else is asked for, which only the question itself can answer.
    """
    if method not in TOGETHER or any(value is not None for value in more.values()):
        return None
    level = checks.level(level)
    usable, areas = _areas(sums)
    wilson = np.full(len(areas.value), method == "wilson")
    if method == "auto":
        wrong_side = areas.smaller * np.minimum(areas.value, 1 - areas.value)
        wilson = wrong_side < ENOUGH * (1 - ROUNDING)
    usable &= wilson | (areas.variance > 0)
    error = np.sqrt(np.maximum(areas.variance, 0.0))
    reach = normal_quantile(level) * error
    low, high = np.maximum(areas.value - reach, 0.0), np.minimum(areas.value + reach, 1.0)
    small = usable & wilson
    low[small], high[small] = _wilson(GroupAreas(*(own[small] for own in areas)), (1 - level) / 2)
    names = np.where(wilson, METHOD_NAMES["wilson"], METHOD_NAMES["delong"]).astype(object)
    columns = dict(zip(COLUMNS, (areas.value, error, low, high), strict=True))
    columns["standard_error"] = error.astype(object)
    columns |= {"level": np.full(len(error), level), "method": names}
    columns |= {name: np.array(sums[name]) for name in ("n_pos", "n_neg")}
    for place in np.flatnonzero(~usable).tolist():
        for name, cells in one(place).items():
            columns[name][place] = cells[0]
    columns["method"] = columns["method"].astype(np.str_)
    if not any(cell is None for cell in columns["standard_error"]):
        columns["standard_error"] = columns["standard_error"].astype(np.float64)
    for place in np.flatnonzero(usable & (columns["high"] < 0.5))[:1].tolist():
        one(place)  # warns of an area below one half
    return columns


def _areas(sums: Mapping[str, Any]) -> tuple[Flags, GroupAreas]:
    """Which groups have exact floats throughout and two cases of each class; all areas."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        M, N, u, u2, v, v2 = (
            np.asarray(sums[name], np.float64)
            for name in ("n_pos", "n_neg", "sum_u", "sum_u2", "sum_v", "sum_v2")
        )
        scale = 4 * N * N * M * M
        wholes = (M * u2, u * u, N * v2, v * v, scale * M, scale * N)
        usable = (M > 1) & (N > 1) & (np.max(wholes, axis=0) < EXACT)
        areas = GroupAreas(
            u / (2 * M * N),
            (M * u2 - u * u) / (scale * (M - 1)),
            (N * v2 - v * v) / (scale * (N - 1)),
            M,
            N,
        )
    return usable, GroupAreas(*(np.where(usable, own, 0.5) for own in areas))


def _wilson(areas: GroupAreas, tail: float) -> tuple[Floats, Floats]:
    """Limits of `effective_sizes.SizedArea`, with the effective sizes that belong to them."""
    from scipy.special import ndtri, stdtrit

    value, variance, smaller = areas.value, areas.variance, areas.smaller
    a = (smaller * value + 0.5) / (smaller + 1)
    largest = a * (1 - a) / smaller
    trust = 1 - 1 / (1 + (smaller * a * (1 - a)) ** 1.5)
    mixed = trust * variance + (1 - trust) * largest
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = areas.of_positives**2 / (areas.n_pos - 1)
        spread += areas.of_negatives**2 / (areas.n_neg - 1)
        own = np.maximum(np.where(spread > 0, variance * variance / spread, np.inf), 1.0)
        known = trust * variance / mixed
        df = np.where(known > 1 / NEARLY_NORMAL, own / known**2, np.inf)
    size = a * (1 - a) / mixed
    z = -float(ndtri(tail))
    q = np.full(len(df), z)
    student = df < NEARLY_NORMAL
    q[student] = -stdtrit(df[student], tail)
    with np.errstate(over="ignore", invalid="ignore"):
        step = q * q / size
        centre = (value + step / 2) / (1 + step)
        reach = np.sqrt(value * (1 - value) * step + step * step / 4) / (1 + step)
        comparisons = size * (z / q) ** 2 if z > 0 else size
        low = 1 - _beyond(1 - value, 1 - centre + reach, comparisons, tail)
        high = _beyond(value, centre + reach, comparisons, tail)
    lost = ~(q * q < np.inf)
    return np.where(lost, 0.0, low), np.where(lost, 1.0, high)


def _beyond(value: Floats, wilson: Floats, comparisons: Array, tail: float) -> Floats:
    """The upper limit; with less than two failures it goes over into Clopper and Pearson's."""
    from scipy.special import betaincinv

    failures = (1 - value) * comparisons
    found = np.minimum(wilson, 1.0)
    share = np.minimum(1.0, 2.0 - failures)
    few = (share > 0.0) & (failures > 0.0)
    exact = 1 - betaincinv(failures[few], (value * comparisons + 1)[few], tail)
    near = wilson[few] + share[few] * np.maximum(exact - wilson[few], 0.0)
    found[few] = np.minimum(near, 1.0)
    return np.where(failures <= 0.0, 1.0, found)
