"""Volume, consecutive and pairwise areas of ordered normal classes and of random rankings."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from studies.simulation import markdown

import rocwise as rw
from papers.ordinal.claims import claims, correlation, disagreement
from papers.ordinal.pictures import draw
from papers.ordinal.simulations import MEASURES, expected, random_rankings, simulated
from papers.shared.paper import Expected, Paper, Part, Records

CLASSES = (2, 3, 4, 5)
SHIFTS = tuple(k / 4 for k in range(21))
RUNS = 20
RANKINGS, QUICK_RANKINGS = 1000, 100


@dataclass(frozen=True)
class ShiftTask:
    """Normal classes whose means are this far apart."""

    classes: int
    shift: float

    def __str__(self) -> str:
        return f"{self.classes} classes, {self.shift:g} apart"


@dataclass(frozen=True)
class Means:
    """The measures on average over the runs, and what is expected."""

    cell: str
    classes: int
    shift: float
    measure: str
    mean: float
    error: float
    expected: float


@dataclass(frozen=True)
class RankingTask:
    """Random rankings of four classes with 50 rows each."""

    rankings: int

    def __str__(self) -> str:
        return f"{self.rankings} random rankings"


@dataclass(frozen=True)
class Ranking:
    """The measures of one random ranking."""

    cell: str
    volume: float
    consecutive: float
    pairwise: float
    pairs: float


def shift_tasks(quick: bool) -> list[ShiftTask]:
    """Every number of classes and every distance."""
    shifts = (0.0, 0.5, 1.0, 2.0, 5.0) if quick else SHIFTS
    return [ShiftTask(classes, shift) for classes in CLASSES for shift in shifts]


def means(task: ShiftTask) -> list[Means]:
    """20 runs with 100 rows of each class."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.DirectionWarning)  # below chance by chance
        runs = simulated(task.classes, task.shift, runs=RUNS)
    truth = expected(task.classes, task.shift)
    return [
        Means(
            *(str(task), task.classes, task.shift, name, float(runs[:, place].mean())),
            *(float(runs[:, place].std(ddof=1) / np.sqrt(RUNS)), truth[name]),
        )
        for place, name in enumerate(MEASURES)
    ]


def ranking_tasks(quick: bool) -> list[RankingTask]:
    """One table of rankings."""
    return [RankingTask(QUICK_RANKINGS if quick else RANKINGS)]


def rankings(task: RankingTask) -> list[Ranking]:
    """Figure 7."""
    return [Ranking(str(task), *map(float, row)) for row in random_rankings(task.rankings, 2)]


def tables(records: Records, _expected: Expected) -> Mapping[str, str]:
    """Some distances of figures 3 to 6, and how alike the measures are."""
    return {
        "measures": measures_table(records["means"]),
        "rankings": rankings_table(records["rankings"]),
    }


def measures_table(found: Sequence[Means]) -> str:
    """Counted and expected, at a few distances."""
    told = {
        (
            one.shift,
            one.classes,
            one.measure,
        ): f"{one.mean:.3f} ± {one.error:.3f} ({one.expected:.3f})"
        for one in found
    }
    rows = [
        (f"{shift:g}", classes, *(told[shift, classes, name] for name in MEASURES))
        for shift in (0.0, 0.5, 1.0, 2.0, 5.0)
        for classes in CLASSES
    ]
    return markdown(("distance", "classes", *MEASURES), rows)


def rankings_table(found: Sequence[Ranking]) -> str:
    """Correlations, and pairs of rankings that two measures order differently."""
    names = (*MEASURES, "pairs")
    rows = [
        (f"{a} and {b}", f"{correlation(found, a, b):.3f}", f"{disagreement(found, a, b):.1%}")
        for a, b in combinations(names, 2)
    ]
    return markdown(("measures", "correlation", "ordered differently"), rows)


PAPER = Paper(
    name="ordinal",
    citation="Waegeman, De Baets and Boullart (2006)",
    parts=(
        Part("means", Means, shift_tasks, means),
        Part("rankings", Ranking, ranking_tasks, rankings),
    ),
    tables=tables,
    pictures=lambda records, folder: draw(records["means"], records["rankings"], folder),
    claims=claims,
    sentence=(
        "Pairwise area and pairs are the same number at equal class sizes, so that the paper's "
        "'for no pair of measures' holds without these two; its equation (15) lacks the sum of "
        "the weights."
    ),
)
