"""AUC, confident area and mean difference of errors of four learners on unequal classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from studies.simulation import markdown

import rocwise as rw
from papers.imbalance.claims import claims
from papers.imbalance.pictures import draw
from papers.shared.data import read
from papers.shared.out_of_fold import on_test_part, out_of_fold
from papers.shared.paper import Expected, Paper, Part, Records

DATA_SETS = ("dis", "hypothyroid", "sick", "sick-euthyroid", "spect", "spectf")
POSITIVE = {"spect": "0", "spectf": "0"}  # the rarer class of the test part, as Table 2 has it
LEARNERS = {"S": "stump", "T": "pruned tree", "F": "small forest", "B": "naive Bayes"}


@dataclass(frozen=True)
class Task:
    """A learner on a data set."""

    data: str
    letter: str

    def __str__(self) -> str:
        return f"{self.data}, {self.letter}"


@dataclass(frozen=True)
class Segment:
    """What both ways of judging say; a learner without confident points has no difference."""

    cell: str
    data: str
    letter: str
    positives: int
    negatives: int
    area: float
    points: int
    confident_area: float
    difference: float | None
    absolute_difference: float | None
    least_difference: float | None  # without its sign
    lowest_threshold: float | None  # of the confident points
    highest_threshold: float | None
    last_tpr: float | None
    band_area: float


@dataclass(frozen=True)
class Sizes:
    """Table 2: positives and negatives of both parts; 0 where there is no test part."""

    cell: str
    training_positives: int
    training_negatives: int
    test_positives: int
    test_negatives: int


def size_tasks(quick: bool) -> list[str]:
    """The data sets."""
    return list(DATA_SETS[-2:] if quick else DATA_SETS)


def count_sizes(name: str) -> list[Sizes]:
    """Rows of each class."""
    data = read(name)
    label = data.with_positive(POSITIVE.get(name, data.positive)).labels
    rows = data.train_rows or len(label)
    parts = (label[:rows], label[rows:])
    return [Sizes(name, *(int((part == side).sum()) for part in parts for side in (1, 0)))]


def tasks(quick: bool) -> list[Task]:
    """All cells of Table 3; the two small sets when quick."""
    sets = DATA_SETS[-2:] if quick else DATA_SETS
    return [Task(data, letter) for data in sets for letter in LEARNERS]


def scored(task: Task) -> tuple[np.ndarray, np.ndarray]:
    """The test part where there is one, else ten folds pooled."""
    data, learner = read(task.data), LEARNERS[task.letter]
    data = data.with_positive(POSITIVE.get(task.data, data.positive))
    if data.train_rows:
        return on_test_part(data, learner)
    return data.labels, out_of_fold(data, learner)


def count(task: Task) -> list[Segment]:
    """The curve, its confident segment, and the fixed-width band that the paper rejects."""
    tally = rw.tally(*scored(task))
    segment = rw.confident_segment(tally)
    band = rw.band(tally, kind="fixed-width", level=0.95, n_resamples=500, rng=0)
    found = len(segment.fpr)
    ends: tuple[float | None, ...] = (None,) * 4
    if found:
        finite = segment.thresholds[np.isfinite(segment.thresholds)]
        least = float(np.abs(segment.b - segment.c).min()) / (tally.n_pos + tally.n_neg)
        ends = (least, float(finite.min()), float(finite.max()), float(segment.tpr[-1]))
    return [
        Segment(
            *(str(task), task.data, task.letter, int(tally.n_pos), int(tally.n_neg)),
            *(rw.auc(tally).value, found, segment.cauc if found else 0.0),
            *(segment.mean_difference, segment.mean_absolute_difference, *ends, float(band.area)),
        )
    ]


def tables(records: Records, expected: Expected) -> Mapping[str, str]:
    """Tables 2 and 3, and figure 6 as numbers."""
    found: Sequence[Segment] = records["segments"]
    return {
        "table-2": table_2(records["sizes"], expected),
        "table-3": table_3(found, expected),
        "figure-6": figure_6(found),
    }


def table_2(found: Sequence[Sizes], expected: Expected) -> str:
    """Sizes, published and here."""
    rows = []
    for one in found:
        said = expected["table-2"][one.cell]
        cells = (
            *(one.training_positives, one.training_negatives),
            *(one.test_positives, one.test_negatives),
        )
        shown = [f"{there or '–'} / {here or '–'}" for there, here in zip(said, cells, strict=True)]
        rows.append((one.cell, *shown))
    return markdown(("data", "training +", "training -", "test +", "test -"), rows)


def table_3(found: Sequence[Segment], expected: Expected) -> str:
    """Areas, published and here."""
    by_place = {(one.data, one.letter): one for one in found}
    rows = []
    for data in dict.fromkeys(one.data for one in found):
        cells = [
            f"{expected['table-3'][data][letter]:.3f} / {by_place[data, letter].area:.3f}"
            for letter in LEARNERS
        ]
        one = by_place[data, "S"]
        rows.append((data, f"{one.positives} + {one.negatives}", *cells))
    heads = ("data", "judged on", *(f"{letter} (published / here)" for letter in LEARNERS))
    return markdown(heads, rows)


def figure_6(found: Sequence[Segment]) -> str:
    """Confident area and differences."""
    rows = [
        (
            *(one.data, one.letter, one.points, f"{one.confident_area:.3f}"),
            "" if one.difference is None else f"{one.difference:+.4f}",
            "" if one.absolute_difference is None else f"{one.absolute_difference:.4f}",
            f"{one.band_area:.0%}",
        )
        for one in found
    ]
    heads = ("data", "learner", "confident points", "CAUC", "AveD", "mean of absolute values")
    return markdown((*heads, "area of the fixed-width band"), rows)


PAPER = Paper(
    name="imbalance",
    citation="Elazmeh, Japkowicz and Matwin (2006)",
    parts=(Part("sizes", Sizes, size_tasks, count_sizes), Part("segments", Segment, tasks, count)),
    tables=tables,
    pictures=lambda records, folder: draw(records["segments"], scored, folder),
    claims=claims,
    sentence=(
        "That the stump ranks above the tree in AUC, and below it by confident segments, is not "
        "found (another tree than Weka's); that naive Bayes has a larger confident area than the "
        "forest, against the AUC, is."
    ),
)
