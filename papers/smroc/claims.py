"""The paper's qualitative sentences as counts of data sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Protocol

OZONE = ("oz8h", "oz1h")
BAYES, TREE = "naive Bayes", "tree"


class Areas(Protocol):
    """One run, as kept."""

    data: str
    learner: str
    run: int
    area: float
    smooth: float
    smooth_half: float
    midpoint: float


@dataclass(frozen=True)
class Mean:
    """Means and standard deviations over the runs of one learner on one data set."""

    data: str
    learner: str
    area: float
    area_spread: float
    smooth: float
    smooth_spread: float
    smooth_half: float
    midpoint: float


@dataclass(frozen=True)
class Difference:
    """Naive Bayes less tree, over paired runs: mean and spread, of the area and of smAUC."""

    data: str
    area: float
    area_spread: float
    smooth: float
    smooth_spread: float


@dataclass(frozen=True)
class Claim:
    """In how many data sets a sentence holds."""

    name: str
    holds: int
    of: int

    @property
    def share(self) -> float:
        """Of the data sets it speaks of."""
        return self.holds / self.of if self.of else math.nan

    @property
    def p_value(self) -> float:
        """Of the sign test, one-sided: as many or more if either were as likely."""
        return sum(math.comb(self.of, k) for k in range(self.holds, self.of + 1)) / 2**self.of


def grouped(runs: Iterable[Areas]) -> dict[tuple[str, str], list[Areas]]:
    """Runs by data set and learner."""
    found: dict[tuple[str, str], list[Areas]] = {}
    for one in runs:
        found.setdefault((one.data, one.learner), []).append(one)
    return found


def means(runs: Iterable[Areas]) -> list[Mean]:
    """One line for each data set and learner."""
    return [
        Mean(
            *key,
            *(fmean(one.area for one in group), stdev(one.area for one in group)),
            *(fmean(one.smooth for one in group), stdev(one.smooth for one in group)),
            *(fmean(one.smooth_half for one in group), fmean(one.midpoint for one in group)),
        )
        for key, group in grouped(runs).items()
    ]


def differences(runs: Sequence[Areas]) -> list[Difference]:
    """One line for each data set that both learners have."""
    groups = grouped(runs)
    found = []
    for data in dict.fromkeys(one.data for one in runs):
        if (data, BAYES) not in groups or (data, TREE) not in groups:
            continue
        pairs = list(zip(groups[data, BAYES], groups[data, TREE], strict=True))
        areas = [bayes.area - tree.area for bayes, tree in pairs]
        smooth = [bayes.smooth - tree.smooth for bayes, tree in pairs]
        found.append(Difference(data, fmean(areas), stdev(areas), fmean(smooth), stdev(smooth)))
    return found


def claim(name: str, lines: Iterable[object], holds: Callable[..., bool]) -> Claim:
    """Count the lines for which a sentence holds."""
    judged = [holds(one) for one in lines]
    return Claim(name, sum(judged), len(judged))


def claims(runs: Sequence[Areas]) -> list[Claim]:
    """C1 to C6, and what becomes of the exception with another midpoint."""
    lines = means(runs)
    trees = [one for one in lines if one.learner == TREE]
    bayes = [one for one in lines if one.learner == BAYES and one.data not in OZONE]
    ozone = [one for one in lines if one.learner == BAYES and one.data in OZONE]
    pairs = differences(runs)
    ahead = [one for one in pairs if one.smooth > 0]
    behind = [one for one in pairs if one.area < 0]
    return [
        claim("C1", trees, lambda one: one.smooth_spread <= one.area_spread),
        claim("C2", trees, lambda one: one.smooth <= one.area),
        claim("C3 spread", bayes, lambda one: one.smooth_spread <= one.area_spread),
        claim("C3 mean", bayes, lambda one: one.smooth <= one.area),
        claim("C3 ozone", ozone, lambda one: one.smooth > one.area + 0.05),
        claim("C3 ozone, midpoint ½", ozone, lambda one: one.smooth_half > one.area + 0.05),
        claim("C4", ahead, lambda one: one.smooth > one.area),
        claim("C5", ahead, lambda one: one.smooth_spread <= one.area_spread),
        claim("C6", behind, lambda one: one.smooth < 0),
    ]
