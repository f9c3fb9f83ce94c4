"""One limit of alarms for several groups: how many of them each group gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.data.tally import Tally

MOST_CELLS = 200_000_000  # thresholds times alarms that are tried one by one: about a second


@dataclass(frozen=True, slots=True)
class SharedAlarms:
    """Which threshold each group gets, and how far the choice may be from the best.

    Attributes
    ----------
    places
        For each group, how many of its distinct scores are called positive.
    hits
        Positives found in all groups together.
    most_hits
        No thresholds find more within the limit; equal to `hits` where all were tried.
    """

    places: tuple[int, ...]
    hits: float
    most_hits: float


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """The thresholds of a group that find more than every stricter one; the first finds none."""

    places: Places
    alarms: Places
    hits: Places


def shared_alarms(groups: Sequence[Tally], limit: float) -> SharedAlarms:
    """Thresholds of all groups that find the most positives with `limit` alarms in all.

    Up to `MOST_CELLS` every division of the alarms among the groups is tried, one group after the
    other. Beyond, stretches of the groups' convex hulls are taken by positives per alarm, and
    the linear programme, which may stop inside a stretch, bounds what could be found.
    """
    choices = [_choices(group) for group in groups]
    room = int(min(np.floor(limit), sum(int(each.alarms[-1]) for each in choices)))
    size = sum(len(each.places) for each in choices) * (room + 1)
    chosen, bound = (_every, None) if size <= MOST_CELLS else (_by_stretches, True)
    picked, most = chosen(choices, room)
    hits = sum(int(each.hits[k]) for each, k in zip(choices, picked, strict=True))
    places = tuple(int(each.places[k]) for each, k in zip(choices, picked, strict=True))
    return SharedAlarms(places, float(hits), float(hits) if bound is None else max(most, hits))


def _choices(group: Tally) -> Choices:
    """What is worth choosing: a threshold that finds no more than a stricter one is not."""
    hits = np.concatenate([[0], group.tp]).astype(np.intp)
    alarms = hits + np.concatenate([[0], group.fp]).astype(np.intp)
    places = np.concatenate([[0], np.flatnonzero(np.diff(hits) > 0) + 1])
    return Choices(places, alarms[places], hits[places])


def _every(choices: list[Choices], room: int) -> tuple[list[int], float]:
    """The best of all combinations, by the most hits for every number of alarms used so far."""
    best = np.zeros(room + 1, dtype=np.intp)
    taken: list[Places] = []
    for group in choices:
        now, which = best.copy(), np.zeros(room + 1, dtype=np.intp)
        for k in range(1, int(np.searchsorted(group.alarms, room, side="right"))):
            used = int(group.alarms[k])
            tried = best[: room + 1 - used] + group.hits[k]
            better = tried > now[used:]
            now[used:][better], which[used:][better] = tried[better], k
        best, taken = now, [*taken, which]
    left, picked = room, []
    for group, which in zip(reversed(choices), reversed(taken), strict=True):
        picked.append(int(which[left]))
        left -= int(group.alarms[picked[-1]])
    return picked[::-1], float(best[-1])


def _by_stretches(choices: list[Choices], room: int) -> tuple[list[int], float]:
    """Hull edges by positives per alarm while they fit, then single thresholds; and the bound."""
    edges = sorted(
        (edge for group, each in enumerate(choices) for edge in _edges(group, each)), reverse=True
    )
    picked, left, bound, rest = [0] * len(choices), room, 0.0, float(room)
    for slope, group, end, alarms in edges:
        bound, rest = bound + slope * min(alarms, rest), rest - min(alarms, rest)
        here = choices[group]
        wanted = int(here.alarms[end] - here.alarms[picked[group]])
        if wanted <= left:
            picked[group], left = end, left - wanted
    for group, here in enumerate(choices):  # what is left goes to thresholds inside a stretch
        now = int(here.alarms[picked[group]])
        end = int(np.searchsorted(here.alarms, now + left, side="right")) - 1
        picked[group], left = end, left - (int(here.alarms[end]) - now)
    return picked, bound


def _edges(group: int, choices: Choices) -> list[tuple[float, int, int, int]]:
    """Edges of the upper hull: hits per alarm, the group, the choice at its end, its alarms."""
    alarms, hits = choices.alarms.astype(np.float64), choices.hits.astype(np.float64)
    hull = [0]
    for place in range(1, len(alarms)):
        while len(hull) > 1 and _turns_up(alarms, hits, hull[-2], hull[-1], place):
            hull.pop()
        hull.append(place)
    return [
        (float((hits[b] - hits[a]) / (alarms[b] - alarms[a])), group, b, int(alarms[b] - alarms[a]))
        for a, b in pairwise(hull)
    ]


def _turns_up(alarms: Floats, hits: Floats, first: int, middle: int, last: int) -> bool:
    """Whether the middle of three points lies on or below the line through the others."""
    run, rise = alarms[last] - alarms[first], hits[last] - hits[first]
    return bool((hits[middle] - hits[first]) * run <= (alarms[middle] - alarms[first]) * rise)
