"""Accuracy, AUC and the volume under the abstention cost surface: Table 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import rocwise as rw
from papers.abstention.pictures import draw
from papers.shared.data import read
from papers.shared.out_of_fold import out_of_fold
from papers.shared.pages import markdown
from papers.shared.paper import Expected, Finding, Paper, Part, Records

# Name in the paper: file, and the class called positive (the paper does not say which)
DATA_SETS = {
    "breast-w": ("wisc", "malignant"),
    "bupa": ("liver", "2"),
    "credit-a": ("jcrx", "+"),
    "diabetes": ("diab", "tested_positive"),
    "haberman": ("habr", "1"),
    "vote": ("vots", "democrat"),
}
LEARNERS = {"J48": "pruned tree", "NB": "naive Bayes", "RF": "forest", "SVM": "SVM"}


@dataclass(frozen=True)
class Task:
    """A learner on a data set."""

    data: str
    learner: str

    def __str__(self) -> str:
        return f"{self.data}, {self.learner}"


@dataclass(frozen=True)
class Score:
    """One cell of Table 1."""

    cell: str
    data: str
    learner: str
    accuracy: float
    area: float
    volume: float
    trivial: float


def tasks(quick: bool) -> list[Task]:
    """All cells; two data sets and naive Bayes when quick."""
    sets, learners = (("haberman", "vote"), ("NB",)) if quick else (DATA_SETS, LEARNERS)
    return [Task(data, learner) for data in sets for learner in learners]


def scored(task: Task) -> tuple[np.ndarray, np.ndarray]:
    """Labels and out-of-fold scores."""
    name, positive = DATA_SETS[task.data]
    data = read(name).with_positive(positive)
    return data.labels, out_of_fold(data, LEARNERS[task.learner])


def count(task: Task) -> list[Score]:
    """Ten folds pooled, as the paper does."""
    label, chance = scored(task)
    surface = rw.abstention_surface(label, chance, grid=2)
    return [
        Score(
            *(str(task), task.data, task.learner, float(np.mean((chance >= 0.5) == label))),
            *(rw.auc(label, chance).value, surface.volume),
            surface.volume - surface.versus_trivial().volume,
        )
    ]


def tables(records: Records, expected: Expected) -> Mapping[str, str]:
    """Table 1, published and here."""
    return {"table-1": table_1(records["scores"], expected)}


def table_1(found: Sequence[Score], expected: Expected) -> str:
    """One line for each data set and learner."""
    rows = []
    for one in found:
        accuracy, area, volume = expected["table-1"][one.data][one.learner]
        rows.append(
            (
                *(one.data, one.learner, accuracy, f"{100 * one.accuracy:.0f}"),
                *(f"{area:.2f}", f"{one.area:.2f}", f"{volume:.3f}", f"{one.volume:.3f}"),
                f"{one.trivial:.3f}",
            )
        )
    heads = ("data", "learner", "accuracy %", "here", "AUC", "here", "VACC", "here", "trivial")
    return markdown(heads, rows)


def finding(records: Records, expected: Expected) -> Finding:
    """How near the volumes are, and whether the learners come in the same order."""
    found: Sequence[Score] = records["scores"]
    published = {
        (data, learner): values[2]
        for data, row in expected["table-1"].items()
        for learner, values in row.items()
    }
    bayes = [one for one in found if one.learner == "NB"]
    near = sum(abs(one.volume / published[one.data, "NB"] - 1) <= 0.1 for one in bayes)
    ours, theirs = (
        [one.volume for one in found],
        [published[one.data, one.learner] for one in found],
    )
    order = float(np.corrcoef(np.argsort(np.argsort(ours)), np.argsort(np.argsort(theirs)))[0, 1])
    sentence = (
        "Naive Bayes, which is nearly the same in both programs, has a volume within a tenth of "
        f"the published one on {near} of {len(bayes)} data sets; over all cells the volumes come "
        f"in nearly the same order (rank correlation {order:.2f}). PART is not at hand."
    )
    return Finding("reproduced" if near >= len(bayes) - 1 and order > 0.9 else "in part", sentence)


def pictures(records: Records, folder: Path) -> None:
    """Figures 3 and 4, from scores that are kept."""
    draw([(one.data, one.learner) for one in records["scores"]], surface_of, folder)


def surface_of(data: str, learner: str) -> rw.AbstentionSurface:
    """The surface of least costs of one cell of the table."""
    return rw.abstention_surface(*scored(Task(data, learner)))


PAPER = Paper(
    name="abstention",
    citation="Friedel, Rückert and Kramer (2006)",
    claim="The volume under the surface of least costs ranks classifiers that may abstain.",
    parts=(Part("scores", Score, tasks, count),),
    tables=tables,
    pictures=pictures,
    finding=finding,
)
