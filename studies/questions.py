"""What can be asked of a sample, and of which samples it is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from operator import attrgetter
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
    slow_with_ties: bool = False  # counts drawn on a large tied tally cost ten times as much

    def due(self, setting: Setting) -> int:
        """How many samples of a setting are to be asked."""
        large = setting.ties and setting.n_pos + setting.n_neg >= max(SIZES)
        return FEW if self.slow_with_ties and large else self.replicates


@dataclass(frozen=True)
class Family:
    """Questions of one kind; `kind` says whether holding the truth or rejecting is counted."""

    name: str
    kind: str
    settings: tuple[Setting, ...]
    draw: Callable[[Setting, np.random.Generator], Any]
    questions: tuple[Question, ...]
    truth: Callable[[Setting], float] = attrgetter("truth")


def grid(ties: tuple[bool, ...] = (False, True)) -> tuple[Setting, ...]:
    """Every size, balance and area, with ties and without."""
    found = []
    for rounded, n, share, area in product(ties, SIZES, SHARES, AREAS):
        n_pos = round(n * share)
        found.append(Setting(n_pos, n - n_pos, area, rounded))
    return tuple(found)


def held(interval: rw.Interval, truth: float) -> tuple[bool, float]:
    """Whether an interval holds the truth, and its width."""
    return interval.low <= truth <= interval.high, interval.high - interval.low


def rejected(p_value: float) -> tuple[bool, float]:
    """Whether a test rejects; it has no width."""
    return p_value <= 1 - LEVEL + 1e-12, 0.0


def counted(setting: Setting, rng: np.random.Generator) -> tuple[rw.Tally, float, int]:
    """A sample of one model, what is true of it, and a seed."""
    scores = pop.one_sample(setting, rng)
    return rw.tally(setting.labels, scores), setting.truth, int(rng.integers(2**31))
