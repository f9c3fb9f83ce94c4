"""Clustered cases: intervals and tests that know the clusters, and some that do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

import rocwise as rw

from . import populations as pop
from .populations import Setting
from .questions import MANY, SOME, Family, Question, grid, held, rejected

KNOWN, IGNORED, AUTO = "with groups", "clusters ignored", "with groups, auto"
Grouping = Callable[[Setting], pop.Array]


def _drawn(grouping: Grouping) -> Callable[[Setting, np.random.Generator], Any]:
    def draw(setting: Setting, rng: np.random.Generator) -> tuple[Setting, pop.Array, list[Any]]:
        groups = grouping(setting)
        scores = [setting.scored(pop.clustered_noise(groups, rng)) for _ in range(2)]
        return setting, groups, scores

    return draw


def _interval(name: str) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        setting, groups, scores = data
        extra = {} if name == IGNORED else {"groups": groups}
        answer = rw.auc(setting.labels, scores[0], method=_method(name), **extra)
        return held(answer.interval, pop.clustered_truth(setting, groups))

    return Question(name, ask, SOME if name == AUTO else MANY)


def _test(name: str) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        setting, groups, (first, second) = data
        scores = {"a": first, "b": second}
        pairs = rw.pair(setting.labels, scores, groups=None if name == IGNORED else groups)
        return rejected(rw.compare(pairs, method=_method(name)).p_value)

    return Question(name, ask, SOME if name == AUTO else MANY)


def _method(name: str) -> Literal["auto", "delong"]:
    return "auto" if name == AUTO else "delong"


def _families(name: str, grouping: Grouping) -> tuple[Family, Family]:
    """Intervals and tests of cases grouped in one way."""

    def truth(setting: Setting) -> float:
        return pop.clustered_truth(setting, grouping(setting))

    common: dict[str, Any] = {"settings": grid((False,)), "draw": _drawn(grouping), "truth": truth}
    names = (AUTO, KNOWN, IGNORED)
    intervals, tests = (tuple(ask(name) for name in names) for ask in (_interval, _test))
    return (
        Family(f"{name} intervals", "coverage", questions=intervals, **common),
        Family(f"{name} tests", "rejection", questions=tests, **common),
    )


CLUSTERED = (
    *_families("mixed clusters", pop.mixed_clusters),
    *_families("pure clusters", pop.pure_clusters),
)
