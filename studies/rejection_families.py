"""Tests of areas and curves, and how often they reject where nothing is to be found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import rocwise as rw

from . import populations as pop
from .interval_families import CLOSED
from .populations import Setting
from .questions import FEW, MANY, SOME, Family, Question, counted, grid, rejected


def _single(method: str) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        tally, truth, _ = data
        return rejected(rw.test_auc(tally, null=truth, method=method).p_value)

    return Question(method, ask, SOME)


ONE = Family("one area", "rejection", grid(), counted, tuple(_single(m) for m in CLOSED))


def _models(count: int) -> Callable[[Setting, np.random.Generator], Any]:
    def draw(setting: Setting, rng: np.random.Generator) -> tuple[rw.Pairs, int]:
        scores = pop.correlated(setting, rng, (setting.area,) * count)
        return rw.pair(setting.labels, scores), int(rng.integers(2**31))

    return draw


def _compared(name: str, replicates: int = MANY, **options: Any) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        pairs, seed = data
        return rejected(rw.compare(pairs, rng=seed, progress=False, **options).p_value)

    return Question(name, ask, replicates)


BY_VARIANCE = ("delong", "jackknife", "exact-bootstrap", "unbiased", "permutation-asymptotic")
PAIRED = Family(
    "paired",
    "rejection",
    grid(),
    _models(2),
    (
        _compared("auto", SOME, method="auto"),
        *(_compared(method, method=method) for method in BY_VARIANCE),
        _compared("permutation", SOME, method="permutation"),
        _compared("bootstrap", SOME, method="bootstrap", n_resamples=500),
        _compared("venkatraman", FEW, method="venkatraman", n_resamples=199),
    ),
)
PARTS = replace(
    PAIRED,
    name="parts and points",
    settings=grid((False,)),
    questions=(
        _compared("max_fpr=0.2", FEW, max_fpr=0.2, n_resamples=200),
        _compared("at_specificity=0.8", FEW, at_specificity=0.8, n_resamples=200),
    ),
)
JOINT = Family(
    "three models",
    "rejection",
    grid(),
    _models(3),
    (_compared("auto", SOME, method="auto"), _compared("delong", method="delong")),
)


def _apart(setting: Setting, rng: np.random.Generator) -> tuple[rw.Pairs, float]:
    """Two models whose areas differ by exactly the margin, so that the null holds, just."""
    lower = setting.area - pop.DIFFERENCE
    pairs = rw.pair(setting.labels, pop.correlated(setting, rng, (lower, setting.area)))
    return pairs, setting.truth - setting.truth_of(lower)


def _within_margin(alternative: str, method: str) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        pairs, margin = data
        answer = rw.compare(pairs, alternative=alternative, margin=margin, method=method)
        return rejected(answer.p_value)

    by_delong = method == "delong"
    name = alternative if by_delong else f"{alternative}, auto"
    return Question(name, ask, MANY if by_delong else SOME)


MARGINS = Family(
    "margins",
    "rejection",
    grid(),
    _apart,
    tuple(
        _within_margin(alternative, method)
        for method in ("auto", "delong")
        for alternative in ("non-inferior", "equivalent")
    ),
)


def _independent(setting: Setting, rng: np.random.Generator) -> tuple[rw.Tally, rw.Tally, int]:
    first, second = (counted(setting, rng)[0] for _ in range(2))
    return first, second, int(rng.integers(2**31))


def _unpaired(method: str, replicates: int, n_resamples: int = 500) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        first, second, seed = data
        options = {"n_resamples": n_resamples, "rng": seed, "progress": False}
        return rejected(rw.compare(first, second, method=method, **options).p_value)

    return Question(method, ask, replicates, slow_with_ties=method == "bootstrap")


UNPAIRED = Family(
    "unpaired",
    "rejection",
    grid(),
    _independent,
    (
        _unpaired("auto", SOME),
        _unpaired("delong", MANY),
        _unpaired("bootstrap", SOME),
        _unpaired("venkatraman", FEW, 99),
    ),
)
