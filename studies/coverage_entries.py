"""Entries of the study of defaults: a function in a setting, simulated for many samples."""

from __future__ import annotations

import math
import warnings
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

import rocwise as rw

Rng = np.random.Generator
Result = bool | np.bool | Mapping[str, bool | np.bool]  # covers or rejects, or that by measure


@dataclass(frozen=True)
class Entry:
    """A function in a setting; `simulate` draws one sample."""

    default: str
    kind: str  # "coverage", "size" or "power"
    setting: str
    smallest: int  # observations (or clusters) of the smallest class
    simulate: Callable[[Rng], Result]
    samples: int = 1000
    planned: float | None = None  # power

    def __str__(self) -> str:
        return f"{self.default}, {self.kind}, {self.setting}"

    @property
    def nominal(self) -> float | None:
        """Nominal percentage; none for power that was not planned."""
        return {"coverage": 95.0, "size": 5.0}.get(self.kind, self.planned)


def sized(
    kind: str,
    default: str,
    rest: str,
    simulate: Callable[..., Result],
    n_pos: int,
    n_neg: int,
    *more: object,
    samples: int = 1000,
) -> Entry:
    """An entry with the numbers of positives and negatives as first arguments."""
    setting = f"{n_pos}/{n_neg}{rest}"
    function = partial(simulate, n_pos, n_neg, *more)
    return Entry(default, kind, setting, min(n_pos, n_neg), function, samples)


@dataclass(frozen=True)
class Count:
    """Result of one entry and measure, without the samples that raised an error."""

    default: str
    measure: str
    kind: str
    setting: str
    smallest: int
    nominal: float | None
    samples: int
    errors: int
    count: int
    percent: float
    standard_error: float

    @property
    def cell(self) -> str:
        """The name of the entry."""
        return f"{self.default}, {self.kind}, {self.setting}"


def simulated(entry: Entry) -> list[Count]:
    """Counts of one entry by measure; sample k depends on the name of the entry and k alone."""
    seed = zlib.crc32(f"{entry.default} {entry.kind} {entry.setting}".encode())
    found: dict[str, list[bool]] = {}
    for k in range(entry.samples):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", rw.RocwiseWarning)
                result = entry.simulate(np.random.default_rng([seed, k]))
        except rw.InputError:
            continue
        for name, hit in (result if isinstance(result, Mapping) else {"": result}).items():
            found.setdefault(name, []).append(bool(hit))
    counts = []
    for name, hits in (found or {"": []}).items():
        valid, count = len(hits), sum(hits)
        percent = error = math.nan
        if valid:
            value = (count + 1) / (valid + 2)  # the error is never 0
            percent = round(100 * count / valid, 2)
            error = round(100 * math.sqrt(value * (1 - value) / valid), 2)
        place = (entry.setting, entry.smallest, entry.nominal, entry.samples, entry.samples - valid)
        counts.append(Count(entry.default, name, entry.kind, *place, count, percent, error))
    return counts
