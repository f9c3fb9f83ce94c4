"""ROC curves, areas and means of accuracies predicted from means and standard deviations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from studies.simulation import markdown

import rocwise as rw
from papers.prediction.claims import NEGATIVE, POSITIVE, claims
from papers.prediction.iris import FEATURES, differences, measurements, statistics
from papers.prediction.pictures import draw
from papers.shared.paper import Expected, Paper, Part, Records

SIZES = {"balanced": (1000, 1000), "imbalanced": (500, 1000)}  # negatives, positives
SAMPLES, QUICK_SAMPLES = 1000, 50
SEED = 2014


@dataclass(frozen=True)
class Task:
    """One published table."""

    table: str
    samples: int = 0

    def __str__(self) -> str:
        return f"Table {self.table}" + (f", {self.samples} samples" if self.samples else "")


@dataclass(frozen=True)
class Value:
    """One number of a table, with the standard deviation over samples where it is drawn."""

    cell: str
    table: str
    row: str
    quantity: str
    value: float
    spread: float


def tasks(quick: bool) -> list[Task]:
    """The four tables."""
    return [Task("I", QUICK_SAMPLES if quick else SAMPLES), *map(Task, ("II", "III", "IV"))]


def count(task: Task) -> list[Value]:
    """All numbers of one table."""
    made: Mapping[str, Callable[[Task], list[tuple[str, str, float, float]]]] = {
        "I": normal_classes,
        "II": lambda _: [*statistics(FEATURES), *differences()],
        "III": lambda _: statistics(("distance to mean 2", "distance to mean 3")),
        "IV": lambda _: predictions(),
    }
    return [Value(str(task), task.table, *line) for line in made[task.table](task)]


def normal_classes(task: Task) -> list[tuple[str, str, float, float]]:
    """The predicted values, and what samples of either size give."""
    predicted = rw.predict_roc(NEGATIVE, POSITIVE)
    found = [
        ("predicted", "AUC", 100 * predicted.auc, 0.0),
        ("predicted", "Ameans", 100 * predicted.max_ameans, 0.0),
        ("predicted", "threshold", predicted.best_threshold, 0.0),
    ]
    for place, (name, (negatives, positives)) in enumerate(SIZES.items()):
        rng = np.random.default_rng([SEED, place])
        drawn = [sample_values(rng, negatives, positives) for _ in range(task.samples)]
        for quantity, values in zip(("AUC", "Ameans"), np.array(drawn).T, strict=True):
            found.append((name, quantity, float(values.mean()), float(values.std(ddof=1))))
    return found


def sample_values(rng: np.random.Generator, negatives: int, positives: int) -> tuple[float, float]:
    """Area and largest mean of accuracies of one sample, in percent."""
    scores = np.concatenate(
        [rng.normal(*NEGATIVE, size=negatives), rng.normal(*POSITIVE, size=positives)]
    )
    tally = rw.tally(np.repeat([0, 1], [negatives, positives]), scores)
    curve = rw.roc(tally)
    means = (np.asarray(curve.tpr) + 1 - np.asarray(curve.fpr)) / 2
    return 100 * rw.auc(tally).value, 100 * float(means.max())


def predictions() -> list[tuple[str, str, float, float]]:
    """Closed forms from the measurements' means and deviations, and the paper's sums of steps."""
    found = []
    for name, (second, third) in measurements().items():
        classes = (second, third) if second.mean() < third.mean() else (third, second)
        low, high = ((float(one.mean()), float(one.std(ddof=1))) for one in classes)
        predicted = rw.predict_roc(low, high)
        found += [
            (name, "AUC", 100 * predicted.auc, 0.0),
            (name, "Ameans", 100 * predicted.max_ameans, 0.0),
            (name, "AUC by steps of 0.1", 100 * stepped_area(low, high, 0.1), 0.0),
        ]
    return found


def stepped_area(low: tuple[float, float], high: tuple[float, float], step: float) -> float:
    """The trapezoid rule on thresholds this far apart, as the printed areas seem to be made."""
    from scipy.special import ndtr

    thresholds = np.arange(-20.0, 30.0, step)
    fpr: NDArray[Any] = ndtr((low[0] - thresholds) / low[1])
    tpr: NDArray[Any] = ndtr((high[0] - thresholds) / high[1])
    return float(np.trapezoid(tpr[::-1], fpr[::-1]))


def tables(records: Records, expected: Expected) -> Mapping[str, str]:
    """Each published number beside ours."""
    found: Sequence[Value] = records["values"]
    return {f"table-{name}": beside(found, name, expected) for name in ("I", "II", "III", "IV")}


def beside(found: Sequence[Value], table: str, expected: Expected) -> str:
    """Ours, theirs, and the difference."""
    rows = []
    for one in found:
        if one.table != table:
            continue
        said = expected["table"][table].get(one.row, {}).get(one.quantity)
        drawn = f" ± {one.spread:.2f}" if one.spread else ""
        rows.append(
            (
                one.row,
                one.quantity,
                "" if said is None else f"{said:.2f}",
                f"{one.value:.2f}{drawn}",
            )
        )
    return markdown(("", "", "published", "here"), rows)


PAPER = Paper(
    name="prediction",
    citation="Timotius (2014)",
    parts=(Part("values", Value, tasks, count),),
    tables=tables,
    pictures=lambda _records, folder: draw(folder),
    claims=claims,
    sentence=(
        "Three of the six areas of Table IV agree if summed over steps of 0.1; the printed rule "
        "for the best threshold takes the wrong root where the negatives vary more."
    ),
)
