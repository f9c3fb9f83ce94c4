"""Entries of the study of defaults, and what is counted of them."""

from __future__ import annotations

import math
import sys
import time
import warnings
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

import rocwise as rw

from .kept_counts import read_records, write_records

BATCH = 100  # samples between two writings of the file
QUICK = 5  # a quick run draws one of so many samples
ResultT = bool | np.bool | Mapping[str, bool | np.bool]


@dataclass(frozen=True)
class Entry:
    """A default in a setting: what is asked of one sample, and how many samples are drawn."""

    default: str
    kind: str  # "coverage", "size" or "power"
    setting: str
    smallest: int  # cases (or clusters) of the smallest class
    ask: Callable[[np.random.Generator], ResultT]
    samples: int = 5000
    planned: float | None = None  # power

    @property
    def nominal(self) -> float | None:
        """Percent of hits if all is right; none for power that was not planned."""
        return {"coverage": 95.0, "size": 5.0}.get(self.kind, self.planned)


def sized(
    kind: str,
    default: str,
    words: str,
    ask: Callable[..., ResultT],
    n_pos: int,
    n_neg: int,
    *more: object,
    samples: int = 5000,
) -> Entry:
    """An entry for so many positives and negatives, the first arguments of what is asked."""
    setting = f"{n_pos}/{n_neg}{words}"
    question = partial(ask, n_pos, n_neg, *more)
    return Entry(default, kind, setting, min(n_pos, n_neg), question, samples)


@dataclass(frozen=True)
class Count:
    """What was found for one entry (and measure, or test)."""

    default: str
    measure: str
    kind: str
    setting: str
    smallest: int
    nominal: float | None
    samples: int
    refused: int
    hits: int
    percent: float = math.nan
    standard_error: float = math.nan

    def and_more(self, samples: int, refused: int, hits: int) -> Count:
        """With further samples."""
        n, out, all_hits = self.samples + samples, self.refused + refused, self.hits + hits
        answered = n - out
        if not answered:
            return replace(self, samples=n, refused=out)
        share, cautious = all_hits / answered, (all_hits + 1) / (answered + 2)
        error = math.sqrt(cautious * (1 - cautious) / answered)
        told = {"percent": round(100 * share, 2), "standard_error": round(100 * error, 2)}
        return replace(self, samples=n, refused=out, hits=all_hits, **told)


def place(one: Entry | Count) -> tuple[str, str, str]:
    """What tells an entry apart."""
    return one.default, one.kind, one.setting


def asked(entry: Entry, first: int, last: int) -> dict[str, tuple[int, int]]:
    """Results and hits of the samples from first to last, by measure; they may warn."""
    seed = zlib.crc32(" ".join(place(entry)).encode())
    found: dict[str, tuple[int, int]] = {}
    for k in range(first, last):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", rw.RocwiseWarning)
                result = entry.ask(np.random.default_rng([seed, k]))
        except rw.InputError:
            continue
        for name, hit in (result if isinstance(result, Mapping) else {"": result}).items():
            answered, hits = found.get(name, (0, 0))
            found[name] = answered + 1, hits + bool(hit)
    return found


def counted(entry: Entry, counts: Sequence[Count], first: int, last: int) -> list[Count]:
    """The counts of one entry with a batch more."""
    found = asked(entry, first, last)
    known = {one.measure: one for one in counts}
    head = (entry.kind, entry.setting, entry.smallest, entry.nominal, first, first, 0)
    names = list(dict.fromkeys([*known, *found])) or [""]
    more = []
    for name in names:
        answered, hits = found.get(name, (0, 0))
        so_far = known.get(name) or Count(entry.default, name, *head)
        more.append(so_far.and_more(last - first, last - first - answered, hits))
    return more


def run(entries: Sequence[Entry], path: Path, *, quick: bool) -> list[Count]:
    """Count what is missing, keeping the file whole after each batch."""
    of_place: dict[tuple[str, str, str], list[Count]] = {}
    for one in read_records(path, Count):
        of_place.setdefault(place(one), []).append(one)
    began = time.monotonic()
    for number, entry in enumerate(entries):
        counts, target = of_place.get(place(entry), []), entry.samples // (QUICK if quick else 1)
        done = counts[0].samples if counts else 0
        for first in range(done, target, BATCH):
            counts = counted(entry, counts, first, min(first + BATCH, target))
            of_place[place(entry)] = counts
            write_records(path, [one for each in of_place.values() for one in each], Count)
        if done < target:
            told = f"{number + 1} of {len(entries)}, {time.monotonic() - began:.0f} s: "
            print(told + ", ".join(place(entry)), file=sys.stderr, flush=True)
    return [one for entry in entries for one in of_place.get(place(entry), [])]
