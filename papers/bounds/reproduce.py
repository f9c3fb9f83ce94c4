"""Bounds on the area from one operating point: the printed formulas, ours, and brute force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from studies.simulation import markdown

import rocwise as rw
from papers.bounds.brute_force import largest_area
from papers.bounds.claims import CLOSE, claims
from papers.shared.paper import Expected, Paper, Part, Records
from rocwise.plotting import save

POINTS, QUICK_POINTS = 300, 30
SEED = 2006
REGIONS = {
    "F <= 1/2 <= H": "1 - 2F(1-H)",
    "F <= H < 1/2": "1 - F/(2H)",
    "1/2 < F <= H": "1 - (1-H)/(2(1-F))",
}


@dataclass(frozen=True)
class Task:
    """Random points of one region above the diagonal."""

    region: str
    points: int

    def __str__(self) -> str:
        return f"{self.region}, {self.points} points"


@dataclass(frozen=True)
class Point:
    """Upper bounds at one point, by formula and by brute force."""

    cell: str
    region: str
    fpr: float
    tpr: float
    lower: float
    upper: float
    printed: float
    searched: float


def tasks(quick: bool) -> list[Task]:
    """The three cases of Proposition 5.1."""
    return [Task(region, QUICK_POINTS if quick else POINTS) for region in REGIONS]


def count(task: Task) -> list[Point]:
    """Bounds at the points of one region."""
    found = []
    for fpr, tpr in points(task):
        bounds = rw.auc_bounds(fpr, tpr)
        found.append(
            Point(
                *(str(task), task.region, fpr, tpr, bounds.lower, bounds.upper),
                *(printed(task.region, fpr, tpr), largest_area(fpr, tpr)),
            )
        )
    return found


def points(task: Task) -> list[tuple[float, float]]:
    """Above the diagonal and in the region, a little off the edges."""
    rng = np.random.default_rng([SEED, list(REGIONS).index(task.region)])
    found: list[tuple[float, float]] = []
    while len(found) < task.points:
        fpr, tpr = rng.uniform(0.01, 0.99, 2)
        if tpr > fpr and region_of(fpr, tpr) == task.region:
            found.append((float(fpr), float(tpr)))
    return found


def region_of(fpr: float, tpr: float) -> str:
    """Which case a point belongs to."""
    if fpr <= 0.5 <= tpr:
        return "F <= 1/2 <= H"
    return "F <= H < 1/2" if tpr < 0.5 else "1/2 < F <= H"


def printed(region: str, fpr: float, tpr: float) -> float:
    """Proposition 5.1 letter by letter."""
    if region == "F <= 1/2 <= H":
        return 1 - 2 * tpr * (1 - fpr)
    if region == "F <= H < 1/2":
        return (1 - fpr) / (2 * tpr)
    return 1 - (1 - tpr) / (2 * (1 - fpr))


def tables(records: Records, expected: Expected) -> Mapping[str, str]:
    """How many points of each region every formula gets right."""
    return {"formulas": formulas(records["points"], expected)}


def formulas(found: Sequence[Point], expected: Expected) -> str:
    """Table of right results and largest errors."""
    rows = []
    for region, mended in REGIONS.items():
        here = [one for one in found if one.region == region]
        right = sum(abs(one.printed - one.searched) <= CLOSE for one in here)
        ours = sum(abs(one.upper - one.searched) <= CLOSE for one in here)
        worst = max(abs(one.upper - one.searched) for one in here)
        said = expected["printed"][region]
        rows.append((region, said, f"{right} of {len(here)}", mended, f"{ours} of {len(here)}"))
        rows[-1] = (*rows[-1], f"{worst:.1e}")
    heads = ("region", "printed", "right", "corrected", "right", "largest error")
    return markdown(heads, rows)


def sentence(records: Records) -> str:
    """What matters most."""
    found = records["points"]
    right = sum(abs(one.printed - one.searched) <= CLOSE for one in found)
    ours = sum(abs(one.upper - one.searched) <= CLOSE for one in found)
    return (
        f"The upper bound as printed is right at {right} of {len(found)} random points, "
        f"the corrected one at {ours}; figures 3 and 4 follow from the corrected formulas."
    )


def pictures(_records: Records, folder: Path) -> None:
    """Figure 3: the gap between the bounds; figure 4: the index A."""
    folder.mkdir(parents=True, exist_ok=True)
    save(rw.auc_contours("gap"), folder / "figure-3.svg")
    save(rw.auc_contours("a"), folder / "figure-4.svg")


PAPER = Paper(
    name="bounds",
    citation="Mueller and Zhang (2006)",
    parts=(Part("points", Point, tasks, count),),
    tables=tables,
    pictures=pictures,
    claims=claims,
    sentence=sentence,
)
