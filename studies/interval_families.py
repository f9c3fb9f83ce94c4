"""Intervals of one area, and how often they hold the truth."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import rocwise as rw

from .populations import Setting
from .questions import AREAS, LEVEL, MANY, SOME, Family, Question, counted, grid, held


def _interval(method: str, replicates: int = MANY, n_resamples: int = 1000) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        tally, truth, seed = data
        answer = rw.auc(tally, method=method, level=LEVEL, n_resamples=n_resamples, rng=seed)
        return held(answer.interval, truth)

    return Question(method, ask, replicates, slow_with_ties=method in ("bootstrap", "bca"))


CLOSED = ("delong", "logit", "hanley-mcneil", "jackknife", "exact-bootstrap", "unbiased", "score")
INTERVALS = Family(
    "intervals",
    "coverage",
    grid(),
    counted,
    (
        *(_interval(method) for method in (*CLOSED, "hoeffding")),
        _interval("bootstrap", SOME),
        _interval("bca", SOME),
    ),
)
SMALL = Family(
    "small classes",
    "coverage",
    tuple(
        Setting(n_pos, n_neg, area, spread=spread)
        for spread, n_pos, n_neg, area in product((1.0, 3.0), (1, 2, 3), (10, 50), AREAS)
    ),
    counted,
    tuple(
        _interval(method) for method in ("delong", "logit", "hanley-mcneil", "score", "hoeffding")
    ),
)


UNEQUAL = Family(
    "unequal spread",
    "coverage",
    tuple(replace(setting, spread=2.0) for setting in grid((False,))),
    counted,
    tuple(
        _interval(method) for method in ("delong", "logit", "hanley-mcneil", "jackknife", "score")
    ),
)
