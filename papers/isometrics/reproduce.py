"""Theorems about reliable classifiers, and what becomes of their promises on held-out cases."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from studies.simulation import markdown

import rocwise as rw
from papers.isometrics.claims import claims
from papers.isometrics.pictures import draw
from papers.isometrics.theorems import judged as theorems_of
from papers.isometrics.theorems import windows
from papers.shared.data import read
from papers.shared.out_of_fold import out_of_fold
from papers.shared.paper import Expected, Paper, Part, Records

BATCHES, IN_BATCH = 10, 200
DATA_SETS = ("hart", "diab", "ger", "jcrx", "mamo", "spam")
LEARNERS = ("naive Bayes", "tree")
TARGETS = (0.85, 0.9, 0.95)
SPLITS, QUICK_SPLITS = 50, 5


@dataclass(frozen=True)
class Batch:
    """So many random windows."""

    number: int

    def __str__(self) -> str:
        return f"batch {self.number}"


@dataclass(frozen=True)
class Check:
    """In how many windows of a batch a theorem held."""

    cell: str
    theorem: str
    windows: int
    held: int


@dataclass(frozen=True)
class Promise:
    """A learner on a data set, asked for this precision of both classes."""

    data: str
    learner: str
    target: float
    splits: int

    def __str__(self) -> str:
        return f"{self.data}, {self.learner}, {self.target}, {self.splits} halves"


@dataclass(frozen=True)
class Kept:
    """Means over random halves: promised on one, looked at on the other."""

    cell: str
    data: str
    learner: str
    target: float
    answered: int
    refused: int
    positive: float
    negative: float
    undecided: float
    error_before: float
    error_after: float


def batches(quick: bool) -> list[Batch]:
    """Random windows in batches."""
    return [Batch(number) for number in range(1 if quick else BATCHES)]


def checks(task: Batch) -> list[Check]:
    """Every theorem on every window."""
    held: Counter[str] = Counter()
    for one in windows(np.random.default_rng(task.number), IN_BATCH):
        held.update(theorems_of(one))
    return [Check(str(task), theorem, IN_BATCH, count) for theorem, count in held.items()]


def promises(quick: bool) -> list[Promise]:
    """All data sets, learners and targets."""
    sets, targets = (DATA_SETS[:1], TARGETS[1:2]) if quick else (DATA_SETS, TARGETS)
    return [
        Promise(data, learner, target, QUICK_SPLITS if quick else SPLITS)
        for data in sets
        for learner in LEARNERS
        for target in targets
    ]


def kept(task: Promise) -> list[Kept]:
    """Half of the cases choose the thresholds, the others judge them."""
    data = read(task.data)
    label, score = data.labels, out_of_fold(data, task.learner)
    rng = np.random.default_rng(zlib.crc32(str(task).encode()))
    found, refused = [], 0
    for _ in range(task.splits):
        order = rng.permutation(len(label))
        first, second = np.array_split(order, 2)
        try:
            rule = rw.reliable(
                label[first], score[first], positive=task.target, negative=task.target
            )
        except (rw.errors.UnattainableError, rw.errors.ConflictError):
            refused += 1
            continue
        found.append(judged_rule(rule, label[second], score[second]))
    values = np.nanmean(np.array(found), axis=0) if found else np.full(5, np.nan)
    return [
        Kept(
            *(str(task), task.data, task.learner, task.target, len(found), refused),
            *map(float, values),
        )
    ]


def judged_rule(rule: rw.ReliableRule, label: np.ndarray, score: np.ndarray) -> tuple[float, ...]:
    """Precisions, undecided share, and the error with and without abstaining."""
    decided = rule.decide(score)
    called, cleared = decided == 1, decided == 0
    wrong = ((score >= 0.5).astype(int) != label).mean()
    some = decided >= 0
    return (
        float(label[called].mean()) if called.any() else np.nan,
        float((label[cleared] == 0).mean()) if cleared.any() else np.nan,
        float((decided == -1).mean()),
        float(wrong),
        float((decided[some] != label[some]).mean()) if some.any() else np.nan,
    )


def tables(records: Records, _expected: Expected) -> Mapping[str, str]:
    """Precisions on held-out cases."""
    return {"promises": kept_table(records["promises"])}


def kept_table(found: Sequence[Kept]) -> str:
    """What was promised and what new cases gave."""
    rows = [
        (
            *(one.data, one.learner, one.target, one.refused),
            *told(one),
        )
        for one in found
    ]
    heads = ("data", "learner", "target", "unattainable", "precision +", "precision −", "undecided")
    return markdown((*heads, "error of all at ½", "error of the decided"), rows)


def told(one: Kept) -> tuple[str, ...]:
    """The means, where any half was answered."""
    if not one.answered:
        return ("",) * 5
    return (
        *(f"{one.positive:.3f}", f"{one.negative:.3f}", f"{one.undecided:.0%}"),
        *(f"{one.error_before:.1%}", f"{one.error_after:.1%}"),
    )


def sentence(records: Records) -> str:
    """What matters most."""
    answered = [one for one in records["promises"] if one.answered]
    gaps = [min(one.positive, one.negative) - one.target for one in answered]
    less = sum(one.error_after < one.error_before for one in answered)
    return (
        "Beyond the paper: on held-out cases the smaller precision differs from its target by "
        f"{np.mean(gaps):+.3f} on average ({min(gaps):+.3f} at worst), and the decided cases have "
        f"fewer errors in {less} of {len(answered)} settings."
    )


PAPER = Paper(
    name="isometrics",
    citation="Vanderlooy, Sprinkhuizen-Kuyper and Smirnov (2006)",
    parts=(
        Part("checks", Check, batches, checks),
        Part("promises", Kept, promises, kept),
    ),
    tables=tables,
    pictures=lambda _records, folder: draw(folder),
    claims=claims,
    sentence=sentence,
)
