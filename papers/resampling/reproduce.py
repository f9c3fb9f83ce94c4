"""Bias, error, size and power of five ways to compare two areas on the same cases."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np
from studies.kept_counts import standard_error

import rocwise as rw
from papers.resampling.pictures import draw
from papers.shared.pages import markdown
from papers.shared.paper import Expected, Finding, Paper, Part, Records

METHODS = ("delong", "jackknife", "exact-bootstrap", "unbiased", "permutation-asymptotic")
AREAS = (0.7, 0.8, 0.85, 0.9, 0.95)
CORRELATIONS = (0.0, 0.2, 0.4, 0.6, 0.8)
SIZES = (20, 40, 80)  # of each class
SAMPLES, QUICK_SAMPLES = 2000, 60
GAIN = 0.08  # what the second model is better by where power is counted
LEVEL = 0.05


@dataclass(frozen=True)
class Task:
    """Samples of one size, area and correlation; `gain` is 0 where the areas are equal."""

    area: float
    correlation: float
    size: int
    gain: float
    samples: int

    def __str__(self) -> str:
        return (
            f"area {self.area}, correlation {self.correlation}, {self.size} of each class, "
            f"gain {self.gain}, {self.samples} samples"
        )


@dataclass(frozen=True)
class Cell:
    """What one method did with the samples of a task."""

    cell: str
    method: str
    area: float
    correlation: float
    size: int
    gain: float
    samples: int
    true_variance: float
    mean_variance: float
    squared_error: float
    rejections: int

    @property
    def bias(self) -> float:
        """Relative to the variance of the difference over the samples."""
        return self.mean_variance / self.true_variance - 1

    @property
    def rate(self) -> float:
        """Share of samples in which equality was rejected."""
        return self.rejections / self.samples


def tasks(quick: bool) -> list[Task]:
    """Equal areas and unequal ones, over area, correlation and size."""
    areas = (0.7, 0.9) if quick else AREAS
    correlations = (0.0, 0.6) if quick else CORRELATIONS
    samples = QUICK_SAMPLES if quick else SAMPLES
    return [
        Task(area, correlation, size, gain, samples)
        for size in ((20,) if quick else SIZES)
        for area in areas
        for correlation in correlations
        for gain in (0.0, GAIN)
        if area + gain < 0.99
    ]


def count(task: Task) -> list[Cell]:
    """Ask every method about the same samples."""
    found: dict[str, list[tuple[float, float, float]]] = {method: [] for method in METHODS}
    for pairs in samples(task):
        for method in METHODS:
            answer = rw.compare(pairs, method=method)
            found[method].append((answer.difference, answer.standard_error**2, answer.p_value))
    return [summary(task, method, np.array(found[method])) for method in METHODS]


def samples(task: Task) -> Iterator[rw.Pairs]:
    """Normal scores of two models, correlated within each class."""
    rng = np.random.default_rng(zlib.crc32(str(task).encode()))
    apart = [
        math.sqrt(2) * NormalDist().inv_cdf(area) for area in (task.area, task.area + task.gain)
    ]
    label = np.repeat([0, 1], task.size)
    for _ in range(task.samples):
        common, own = rng.normal(size=2 * task.size), rng.normal(size=(2, 2 * task.size))
        share = math.sqrt(task.correlation)
        scores = share * common + math.sqrt(1 - task.correlation) * own
        first, second = (scores[k] + apart[k] * label for k in (0, 1))
        yield rw.pair(label, {"first": first, "second": second})


def summary(task: Task, method: str, found: np.ndarray) -> Cell:
    """Moments of the estimated variance beside the variance over the samples."""
    differences, variances, p_values = found.T
    truth = float(differences.var(ddof=1))
    return Cell(
        *(str(task), method, task.area, task.correlation, task.size, task.gain, task.samples),
        *(truth, float(variances.mean()), float(((variances - truth) ** 2).mean())),
        int((p_values < LEVEL).sum()),
    )


def tables(records: Records, _expected: Expected) -> Mapping[str, str]:
    """Variances, then the two tests beside each other."""
    cells = records["settings"]
    return {"variances": variances(cells), "tests": tests(cells)}


def variances(cells: Sequence[Cell]) -> str:
    """Bias and error of the variance for equal areas, over areas and correlations."""
    rows = []
    for size in dict.fromkeys(one.size for one in cells):
        for method in METHODS:
            here = [one for one in cells if (one.size, one.method, one.gain) == (size, method, 0)]
            bias = [one.bias for one in here]
            error = np.mean([math.sqrt(one.squared_error) / one.true_variance for one in here])
            rows.append(
                (size, method, f"{np.mean(bias):+.1%}", f"{min(bias):+.0%} to {max(bias):+.0%}")
            )
            rows[-1] = (*rows[-1], f"{error:.0%}")
    return markdown(("of each class", "method", "bias", "over cells", "root mean square"), rows)


def tests(cells: Sequence[Cell]) -> str:
    """Rejections of equal and of unequal areas, DeLong's test beside the permutation test."""
    rows = []
    for (size, area, correlation), pair in beside(cells, 0.0).items():
        gained = beside(cells, GAIN).get((size, area, correlation))
        rows.append((size, area, correlation, *map(percent, pair), *power(gained)))
    heads = ("of each class", "AUC", "correlation", "size, DeLong", "size, permutation")
    return markdown((*heads, "power, DeLong", "power, permutation"), rows)


def beside(cells: Sequence[Cell], gain: float) -> dict[tuple[int, float, float], tuple[Cell, Cell]]:
    """DeLong's cell and that of the permutation test, by setting."""
    by_place = {(one.size, one.area, one.correlation, one.gain, one.method): one for one in cells}
    return {
        (size, area, correlation): (one, by_place[size, area, correlation, gain, METHODS[-1]])
        for (size, area, correlation, has, method), one in by_place.items()
        if has == gain and method == "delong"
    }


def power(pair: tuple[Cell, Cell] | None) -> tuple[str, str]:
    """Rejections of both, if the better area was below 1."""
    return ("", "") if pair is None else (percent(pair[0]), percent(pair[1]))


def percent(one: Cell) -> str:
    """A share of rejections with its standard error."""
    return f"{one.rate:.1%} ± {standard_error(one.rejections, one.samples):.1%}"


def finding(records: Records, _expected: Expected) -> Finding:
    """Whether the permutation test is better where the paper says so."""
    cells = records["settings"]
    equal, gained = beside(cells, 0.0), beside(cells, GAIN)

    def nearer(inside: bool) -> tuple[int, int]:
        judged = [
            abs(permuted.rate - LEVEL) <= abs(delong.rate - LEVEL)
            for (_, area, correlation), (delong, permuted) in equal.items()
            if (area > 0.8 and correlation > 0.4) == inside
        ]
        return sum(judged), len(judged)

    stronger = [
        permuted.rate >= delong.rate
        for (_, area, correlation), (delong, permuted) in gained.items()
        if area > 0.8 and correlation > 0.4
    ]
    (within, of), (without, others) = nearer(True), nearer(False)
    sentence = (
        "With AUC above 0.8 and correlation above 0.4 the permutation test is as near to its "
        f"level as DeLong's or nearer in {within} of {of} settings "
        f"({without} of {others} elsewhere) "
        f"and at least as powerful in {sum(stronger)} of {len(stronger)}."
    )
    return Finding("reproduced" if within > 0.7 * of else "in part", sentence)


PAPER = Paper(
    name="resampling",
    citation="Bandos, Rockette and Gur (2006)",
    claim="Resampling of paired areas has closed forms; the permutation test gains in imaging.",
    parts=(Part("settings", Cell, tasks, count),),
    tables=tables,
    pictures=lambda records, folder: draw(records["settings"], Path(folder)),
    finding=finding,
)
