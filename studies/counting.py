"""Ask every question of simulated samples, count, and keep the counts in a file."""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

import rocwise as rw

from .kept_counts import read_records, standard_error, write_records
from .populations import Setting
from .questions import Family, Question

SEED = 20060315


@dataclass(frozen=True)
class Count:
    """What one method did in one setting; `hits` of the `answered` samples out of `replicates`."""

    family: str
    kind: str
    method: str
    n_pos: int
    n_neg: int
    area: float
    ties: bool
    spread: float
    truth: float
    replicates: int
    answered: int
    hits: int
    mean_width: float | None

    @property
    def place(self) -> tuple[object, ...]:
        """Family, method and setting, which tell counts apart."""
        return astuple(self)[:8]

    @property
    def share(self) -> float:
        """Hits per answer."""
        return self.hits / self.answered

    @property
    def error(self) -> float:
        """Standard error of the share, with one hit and one miss more: 0 would claim too much."""
        return standard_error(self.hits, self.answered)


def count(
    family: Family, setting: Setting, questions: Iterable[Question], most: int
) -> list[Count]:
    """Ask the questions of the same samples, each of as many as it is due, `most` at most."""
    due = {question: min(question.due(setting), most) for question in questions}
    found = {question: [0, 0, 0.0] for question in due}
    for replicate in range(max(due.values())):
        data = family.draw(setting, _generator(family, setting, replicate))
        for question, tally in found.items():
            if replicate < due[question]:
                _ask(question, data, tally)
    place = (setting.n_pos, setting.n_neg, setting.area, setting.ties, setting.spread)
    return [
        Count(
            family.name,
            family.kind,
            question.method,
            *place,
            round(family.truth(setting), 6),
            due[question],
            int(answered),
            int(hits),
            round(width / answered, 5) if answered and family.kind == "coverage" else None,
        )
        for question, (answered, hits, width) in found.items()
    ]


def _ask(question: Question, data: object, tally: list[float]) -> None:
    """Add one answer; a method may refuse a sample, which is counted by not counting it."""
    try:
        with warnings.catch_warnings():
            # Samples with an area below one half are part of the study, not a mistake.
            warnings.simplefilter("ignore", rw.RocwiseWarning)
            hit, width = question.ask(data)
    except rw.InputError:
        return
    tally[0] += 1
    tally[1] += hit
    tally[2] += width


def _generator(family: Family, setting: Setting, replicate: int) -> np.random.Generator:
    """Random numbers that depend on the family, the setting and the replicate alone.

    Intervals of one area and tests of one area see the same samples, so that the two can be
    checked against each other.
    """
    name = "intervals" if family.name == "one area" else family.name
    place = zlib.crc32(f"{name} {astuple(setting)}".encode())
    return np.random.default_rng([SEED, place, replicate])


def missing(family: Family, kept: Iterable[Count]) -> Iterator[tuple[Setting, list[Question]]]:
    """Settings with the questions that have no count yet."""
    known = {one.place for one in kept}
    for setting in family.settings:
        place = (setting.n_pos, setting.n_neg, setting.area, setting.ties, setting.spread)
        left = [
            question
            for question in family.questions
            if (family.name, family.kind, question.method, *place) not in known
        ]
        if left:
            yield setting, left


def read_counts(path: Path) -> list[Count]:
    """The counts in a file, none if there is no file."""
    return read_records(path, Count)


def write_counts(path: Path, counts: Iterable[Count]) -> None:
    """All counts, in an order of their own."""
    write_records(path, sorted(counts, key=lambda one: one.place), Count)


def by_setting(counts: Iterable[Count]) -> Iterator[tuple[tuple[object, ...], dict[str, Count]]]:
    """Counts of one family, one setting at a time, by method."""

    def setting(one: Count) -> tuple[object, ...]:
        return (one.ties, one.spread, one.n_pos + one.n_neg, one.n_pos, one.area)

    for place, group in groupby(sorted(counts, key=setting), setting):
        yield place, {one.method: one for one in group}
