"""What is asked of each sample: families of intervals and tests that see the same data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

import rocwise as rw

from . import populations as pop
from .populations import Setting

LEVEL = 0.95
SIZES = (20, 50, 100, 500)
AREAS = (0.5, 0.7, 0.9, 0.97)
SHARES = (0.1, 0.5)
MANY, SOME, FEW = 2000, 1000, 200  # replicates, by what an answer costs
Asked = Callable[[Any], tuple[bool, float]]


@dataclass(frozen=True)
class Question:
    """How a method answers: whether the event happened, and the width of its interval."""

    method: str
    ask: Asked
    replicates: int = MANY


@dataclass(frozen=True)
class Family:
    """Questions of one kind; `kind` says whether holding the truth or rejecting is counted."""

    name: str
    kind: str
    settings: tuple[Setting, ...]
    draw: Callable[[Setting, np.random.Generator], Any]
    questions: tuple[Question, ...]


def _grid(ties: tuple[bool, ...] = (False, True)) -> tuple[Setting, ...]:
    found = []
    for rounded, n, share, area in product(ties, SIZES, SHARES, AREAS):
        n_pos = round(n * share)
        found.append(Setting(n_pos, n - n_pos, area, rounded))
    return tuple(found)


def _held(interval: rw.Interval, truth: float) -> tuple[bool, float]:
    return interval.low <= truth <= interval.high, interval.high - interval.low


def _rejected(p_value: float) -> tuple[bool, float]:
    return p_value <= 1 - LEVEL + 1e-12, 0.0


def _counted(setting: Setting, rng: np.random.Generator) -> tuple[rw.Tally, float, int]:
    scores = pop.one_sample(setting, rng)
    return rw.tally(setting.labels, scores), setting.truth, int(rng.integers(2**31))


def _interval(method: str, replicates: int = MANY, n_resamples: int = 1000) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        tally, truth, seed = data
        answer = rw.auc(tally, method=method, level=LEVEL, n_resamples=n_resamples, rng=seed)
        return _held(answer.interval, truth)

    return Question(method, ask, replicates)


CLOSED = ("delong", "logit", "hanley-mcneil", "jackknife", "exact-bootstrap", "unbiased", "score")
INTERVALS = Family(
    "intervals",
    "coverage",
    _grid(),
    _counted,
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
    _counted,
    tuple(
        _interval(method) for method in ("delong", "logit", "hanley-mcneil", "score", "hoeffding")
    ),
)


def _single(method: str) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        tally, truth, _ = data
        return _rejected(rw.test_auc(tally, null=truth, method=method).p_value)

    return Question(method, ask, SOME)


ONE = Family("one area", "rejection", _grid(), _counted, tuple(_single(m) for m in CLOSED))


def _models(count: int) -> Callable[[Setting, np.random.Generator], Any]:
    def draw(setting: Setting, rng: np.random.Generator) -> tuple[rw.Pairs, int]:
        scores = pop.correlated(setting, rng, (setting.area,) * count)
        return rw.pair(setting.labels, scores), int(rng.integers(2**31))

    return draw


def _compared(name: str, replicates: int = MANY, **options: Any) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        pairs, seed = data
        return _rejected(rw.compare(pairs, rng=seed, progress=False, **options).p_value)

    return Question(name, ask, replicates)


BY_VARIANCE = ("delong", "jackknife", "exact-bootstrap", "unbiased", "permutation-asymptotic")
PAIRED = Family(
    "paired",
    "rejection",
    _grid(),
    _models(2),
    (
        *(_compared(method, method=method) for method in BY_VARIANCE),
        _compared("permutation", SOME, method="permutation"),
        _compared("bootstrap", SOME, method="bootstrap", n_resamples=500),
        _compared("venkatraman", FEW, method="venkatraman", n_resamples=199),
    ),
)
PARTS = replace(
    PAIRED,
    name="parts and points",
    settings=_grid((False,)),
    questions=(
        _compared("max_fpr=0.2", FEW, max_fpr=0.2, n_resamples=200),
        _compared("at_specificity=0.8", FEW, at_specificity=0.8, n_resamples=200),
    ),
)
JOINT = Family(
    "three models", "rejection", _grid(), _models(3), (_compared("delong", method="delong"),)
)


def _apart(setting: Setting, rng: np.random.Generator) -> tuple[rw.Pairs, float]:
    """Two models whose areas differ by exactly the margin, so that the null holds, just."""
    lower = setting.area - pop.DIFFERENCE
    pairs = rw.pair(setting.labels, pop.correlated(setting, rng, (lower, setting.area)))
    return pairs, setting.truth - setting.truth_of(lower)


def _within_margin(alternative: str) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        pairs, margin = data
        return _rejected(rw.compare(pairs, alternative=alternative, margin=margin).p_value)

    return Question(alternative, ask)


MARGINS = Family(
    "margins",
    "rejection",
    _grid(),
    _apart,
    (_within_margin("non-inferior"), _within_margin("equivalent")),
)


def _independent(setting: Setting, rng: np.random.Generator) -> tuple[rw.Tally, rw.Tally, int]:
    first, second = (_counted(setting, rng)[0] for _ in range(2))
    return first, second, int(rng.integers(2**31))


def _unpaired(method: str, replicates: int, n_resamples: int = 500) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        first, second, seed = data
        options = {"n_resamples": n_resamples, "rng": seed, "progress": False}
        return _rejected(rw.compare(first, second, method=method, **options).p_value)

    return Question(method, ask, replicates)


UNPAIRED = Family(
    "unpaired",
    "rejection",
    _grid(),
    _independent,
    (
        _unpaired("delong", MANY),
        _unpaired("bootstrap", SOME),
        _unpaired("venkatraman", FEW, 99),
    ),
)


def _clustered(setting: Setting, rng: np.random.Generator) -> tuple[Setting, list[Any]]:
    first, second = (setting.scored(pop.clustered_noise(setting, rng)) for _ in range(2))
    return setting, [first, second]


def _clustered_interval(known: bool) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        setting, (scores, _) = data
        extra = {"groups": pop.clusters(setting)} if known else {}
        answer = rw.auc(setting.labels, scores, **extra)
        return _held(answer.interval, pop.clustered_truth(setting))

    return Question("with groups" if known else "clusters ignored", ask)


def _clustered_test(known: bool) -> Question:
    def ask(data: Any) -> tuple[bool, float]:
        setting, (first, second) = data
        groups = pop.clusters(setting) if known else None
        pairs = rw.pair(setting.labels, {"a": first, "b": second}, groups=groups)
        return _rejected(rw.compare(pairs).p_value)

    return Question("with groups" if known else "clusters ignored", ask)


CLUSTERED = Family(
    "clustered intervals",
    "coverage",
    _grid((False,)),
    _clustered,
    (_clustered_interval(True), _clustered_interval(False)),
)
CLUSTERED_TESTS = replace(
    CLUSTERED,
    name="clustered tests",
    kind="rejection",
    questions=(_clustered_test(True), _clustered_test(False)),
)
FAMILIES = (
    INTERVALS,
    SMALL,
    ONE,
    PAIRED,
    PARTS,
    JOINT,
    MARGINS,
    UNPAIRED,
    CLUSTERED,
    CLUSTERED_TESTS,
)
