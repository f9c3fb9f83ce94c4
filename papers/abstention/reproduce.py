"""Accuracy, AUC and the volume under the abstention cost surface: Table 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from studies.simulation import markdown

import rocwise as rw
from papers.abstention.claims import claims
from papers.abstention.pictures import draw
from papers.shared.data import DataSet, read
from papers.shared.learners import LEARNERS as LEARNERS_OF_ALL
from papers.shared.out_of_fold import fresh_out_of_fold, out_of_fold
from papers.shared.paper import Expected, Paper, Part, Records

# Name in the paper: file, and the class called positive (the paper does not say which)
DATA_SETS = {
    "breast-w": ("wisc", "malignant"),
    "bupa": ("liver", "2"),
    "credit-a": ("jcrx", "+"),
    "diabetes": ("diab", "tested_positive"),
    "haberman": ("habr", "1"),
    "vote": ("vots", "democrat"),
}
SETTINGS = {  # a parameter, and values from the simplest model on
    "J48": ("probabilityestimatingtree__ccp_alpha", (0.02, 0.01, 0.005, 0.002, 0.0)),
    "SVM": ("calibratedclassifiercv__estimator__C", (0.01, 0.1, 1.0, 10.0, 100.0)),
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


def data_of(task: Task) -> DataSet:
    """The rows, with the class called positive here."""
    name, positive = DATA_SETS[task.data]
    return read(name).with_positive(positive)


def scored(task: Task) -> tuple[np.ndarray, np.ndarray]:
    """Labels and out-of-fold scores."""
    data = data_of(task)
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


@dataclass(frozen=True)
class Variant:
    """Volumes by other conventions, and what figures 3 and 4 show of the surface."""

    cell: str
    data: str
    learner: str
    other_volume: float
    even_volume: float
    lower_depends: bool
    upper_depends: bool
    positive: float  # share, at the least cost of a false alarm above 0; abstaining costs 1
    undecided: float  # share, at the least cost of abstaining above 0; false alarms cost 1
    rate_beyond_half: float
    above_trivial: float


def count_variants(task: Task) -> list[Variant]:
    """The other class as positive, equal class probabilities, and the surface on a grid."""
    label, chance = scored(task)
    surface = rw.abstention_surface(label, chance, grid=41)
    trivial = surface.versus_trivial()
    beyond = surface.nu > 0.5
    depends = [
        any(
            len(np.unique(threshold[surface.rate[:, k] > 0, k])) > 1
            for k in np.flatnonzero(~beyond)
        )
        for threshold in (surface.lower, surface.upper)
    ]
    return [
        Variant(
            *(str(task), task.data, task.learner),
            rw.abstention_surface(1 - label, 1 - chance, grid=2).volume,
            rw.abstention_surface(label, chance, grid=2, prevalence=0.5).volume,
            *depends,
            float(np.mean(chance >= surface.upper[1, -1])),
            float(surface.rate[-1, 1]),
            float(surface.rate[:, beyond].max()),
            float(np.max(trivial.cost)),
        )
    ]


@dataclass(frozen=True)
class Setting:
    """The volume with one cost of a tree's size, or one C."""

    cell: str
    data: str
    learner: str
    value: float
    volume: float


def setting_tasks(quick: bool) -> list[Task]:
    """Both learners of the paper's preliminary experiments; a small tree when quick."""
    sets, learners = (("haberman",), ("J48",)) if quick else (DATA_SETS, SETTINGS)
    return [Task(data, learner) for data in sets for learner in learners]


def count_settings(task: Task) -> list[Setting]:
    """Ten folds pooled, for each value."""
    data = data_of(task)
    parameter, values = SETTINGS[task.learner]
    found = []
    for value in values:
        model = LEARNERS_OF_ALL[LEARNERS[task.learner]]().set_params(**{parameter: value})
        chance = fresh_out_of_fold(data, model)
        volume = rw.abstention_surface(data.labels, chance, grid=2).volume
        found.append(Setting(str(task), task.data, task.learner, value, volume))
    return found


def settings_table(found: Sequence[Setting]) -> str:
    """Volumes by data set, from much pruning to none, and from a small C to a large one."""
    rows = []
    for learner, (_, values) in SETTINGS.items():
        for data in dict.fromkeys(one.data for one in found if one.learner == learner):
            by_value = {
                one.value: f"{one.volume:.3f}"
                for one in found
                if (one.data, one.learner) == (data, learner)
            }
            rows.append((learner, data, *(by_value[value] for value in values)))
    (_, costs), (_, penalties) = SETTINGS.values()
    heads = [f"α = {cost:g}, C = {c:g}" for cost, c in zip(costs, penalties, strict=True)]
    return markdown(("learner", "data", *heads), rows)


def tables(records: Records, expected: Expected) -> Mapping[str, str]:
    """Table 1, published and here, and other settings of two learners."""
    return {
        "table-1": table_1(records["scores"], records["variants"], expected),
        "settings": settings_table(records["settings"]),
    }


def table_1(found: Sequence[Score], variants: Sequence[Variant], expected: Expected) -> str:
    """One line for each data set and learner; normalized by the largest of the data set."""
    rows = []
    other = {(one.data, one.learner): one.other_volume for one in variants}
    largest = {
        data: max(one.volume for one in found if one.data == data)
        for data in dict.fromkeys(one.data for one in found)
    }
    for one in found:
        accuracy, area, volume = expected["table-1"][one.data][one.learner]
        rows.append(
            (
                *(one.data, one.learner, accuracy, f"{100 * one.accuracy:.0f}"),
                *(f"{area:.2f}", f"{one.area:.2f}", f"{volume:.3f}", f"{one.volume:.3f}"),
                *(f"{one.volume / largest[one.data]:.2f}", f"{one.trivial:.3f}"),
                f"{other[one.data, one.learner]:.3f}",
            )
        )
    heads = ("data", "learner", "accuracy %", "here", "AUC", "here", "VACC", "here")
    last = ("normalized", "trivial", "other class positive")
    return markdown((*heads, *last), rows)


def pictures(records: Records, folder: Path) -> None:
    """Figures 3 and 4, from scores that are kept."""
    draw([(one.data, one.learner) for one in records["scores"]], surface_of, folder)


def surface_of(data: str, learner: str) -> rw.AbstentionSurface:
    """The surface of least costs of one cell of the table."""
    return rw.abstention_surface(*scored(Task(data, learner)))


PAPER = Paper(
    name="abstention",
    citation="Friedel, Rückert and Kramer (2006)",
    parts=(
        Part("scores", Score, tasks, count),
        Part("variants", Variant, tasks, count_variants),
        Part("settings", Setting, setting_tasks, count_settings),
    ),
    tables=tables,
    pictures=pictures,
    claims=claims,
    sentence=(
        "The volumes of naive Bayes, nearly the same in both programs, are there if the positive "
        "class is chosen to fit; the order over all cells is mostly that of the data sets, and "
        "within them it agrees less."
    ),
)
