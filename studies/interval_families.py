"""Intervals of one area, and how often they hold the truth."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

import rocwise as rw

from .populations import NORMAL, Array, Setting
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
        *(_interval(method) for method in ("auto", "wilson", *CLOSED, "hoeffding")),
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
        _interval(method)
        for method in ("auto", "delong", "logit", "hanley-mcneil", "score", "hoeffding")
    ),
)


UNEQUAL = Family(
    "unequal spread",
    "coverage",
    tuple(replace(setting, spread=2.0) for setting in grid((False,))),
    counted,
    tuple(
        _interval(method)
        for method in ("auto", "delong", "logit", "hanley-mcneil", "jackknife", "score")
    ),
)


def partial_truth(setting: Setting, max_fpr: float) -> float:
    """Area of the true curve, tpr = cdf((shift - quantile(1 - fpr)) / spread), up to a rate."""
    fpr = (np.arange(20_000) + 0.5) / 20_000 * max_fpr
    tpr = [NORMAL.cdf((setting.shift(setting.area) - z) / setting.spread) for z in upper(fpr)]
    return max_fpr * float(np.mean(tpr))


def upper(fpr: Array) -> list[float]:
    """Scores of negatives above which these shares of them lie."""
    return [NORMAL.inv_cdf(1 - rate) for rate in fpr]


def _partial(method: str, max_fpr: float) -> Question:
    truths: dict[Setting, float] = {}

    def ask(data: Any) -> tuple[bool, float]:
        setting, tally = data
        if setting not in truths:
            truths[setting] = partial_truth(setting, max_fpr)
        answer = rw.auc(tally, max_fpr=max_fpr, method=method, level=LEVEL)
        return held(answer.interval, truths[setting])

    return Question(f"{method}, max_fpr={max_fpr:g}", ask, SOME)


def _with_setting(setting: Setting, rng: np.random.Generator) -> tuple[Setting, rw.Tally]:
    return setting, counted(setting, rng)[0]


SPREADS = tuple(
    replace(setting, spread=spread) for spread in (1.0, 2.0) for setting in grid((False,))
)
PARTIAL = Family(
    "partial areas",
    "coverage",
    SPREADS,
    _with_setting,
    tuple(_partial(method, rate) for rate in (0.1, 0.5) for method in ("auto", "delong", "logit")),
)
