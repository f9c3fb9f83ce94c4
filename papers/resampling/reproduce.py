"""Bias, error, size and power of five ways to compare two areas on the same cases."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from studies.simulation import markdown, standard_error

import rocwise as rw
from papers.resampling.claims import VARIANCES, beside, claims
from papers.resampling.pictures import draw
from papers.shared.paper import Expected, Paper, Part, Records

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
    """Every method on the same samples."""
    found: dict[str, list[tuple[float, float, float]]] = {method: [] for method in METHODS}
    for pairs in samples(task):
        for method in METHODS:
            result = rw.compare(pairs, method=method)
            found[method].append((result.difference, result.standard_error**2, result.p_value))
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


@dataclass(frozen=True)
class SingleTask:
    """Samples of one size and AUC."""

    area: float
    size: int
    samples: int

    def __str__(self) -> str:
        return f"AUC {self.area}, {self.size} of each class, {self.samples} samples"


@dataclass(frozen=True)
class Single:
    """A variance of one AUC: its mean and error over the samples."""

    cell: str
    method: str
    area: float
    size: int
    samples: int
    true_variance: float
    mean_variance: float
    squared_error: float

    @property
    def bias(self) -> float:
        """Relative to the variance of the AUC over the samples."""
        return self.mean_variance / self.true_variance - 1


def single_tasks(quick: bool) -> list[SingleTask]:
    """Every size and AUC."""
    samples = QUICK_SAMPLES if quick else 2 * SAMPLES
    sizes, areas = ((20,), (0.7, 0.9)) if quick else (SIZES, AREAS)
    return [SingleTask(area, size, samples) for size in sizes for area in areas]


def count_single(task: SingleTask) -> list[Single]:
    """Every variance of the AUC of each sample."""
    rng = np.random.default_rng(zlib.crc32(str(task).encode()))
    label = np.repeat([0, 1], task.size)
    shift = math.sqrt(2) * NormalDist().inv_cdf(task.area)
    tallies = [
        rw.tally(label, rng.normal(size=2 * task.size) + shift * label) for _ in range(task.samples)
    ]
    truth = float(np.var([rw.auc(each).value for each in tallies], ddof=1))
    found = []
    for method in VARIANCES:
        own = np.array([rw.auc_variance(each, method=method) for each in tallies])
        moments = float(own.mean()), float(((own - truth) ** 2).mean())
        setting = str(task), method, task.area, task.size, task.samples
        found.append(Single(*setting, truth, *moments))
    return found


@dataclass(frozen=True)
class CurveTests:
    """Rejections of the permutation test of areas and of Venkatraman's test."""

    cell: str
    samples: int
    areas: int
    curves: int


def curve_tasks(quick: bool) -> list[Task]:
    """One alternative: a larger AUC of the second model."""
    return [Task(0.85, 0.6, 40, GAIN, 20 if quick else 300)]


def count_curves(task: Task) -> list[CurveTests]:
    """Both tests of the same samples."""
    p_values = [
        (
            rw.compare(pairs, method="permutation-asymptotic").p_value,
            rw.compare(pairs, method="venkatraman", n_resamples=500, rng=place).p_value,
        )
        for place, pairs in enumerate(samples(task))
    ]
    areas, curves = (np.array(p_values) < LEVEL).sum(axis=0).tolist()
    return [CurveTests(str(task), len(p_values), areas, curves)]


def tables(records: Records, _expected: Expected) -> Mapping[str, str]:
    """Variances, then the two tests beside each other."""
    cells = records["settings"]
    return {
        "single": single_table(records["single"]),
        "variances": variances(cells),
        "tests": tests(cells),
    }


def single_table(found: Sequence[Single]) -> str:
    """Bias and error of the variance of one AUC, by size and AUC."""
    rows = []
    for size, area in dict.fromkeys((one.size, one.area) for one in found):
        here = {one.method: one for one in found if (one.size, one.area) == (size, area)}
        cells = [
            f"{one.bias:+.1%} ({math.sqrt(one.squared_error) / one.true_variance:.0%})"
            for one in map(here.__getitem__, VARIANCES)
        ]
        rows.append((size, area, *cells))
    return markdown(("of each class", "AUC", *VARIANCES.values()), rows)


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


def power(pair: tuple[Cell, Cell] | None) -> tuple[str, str]:
    """Rejections of both, if the better area was below 1."""
    return ("", "") if pair is None else (percent(pair[0]), percent(pair[1]))


def percent(one: Cell) -> str:
    """A share of rejections with its standard error."""
    return f"{one.rate:.1%} ± {standard_error(one.rejections, one.samples):.1%}"


PAPER = Paper(
    name="resampling",
    citation="Bandos, Rockette and Gur (2006)",
    parts=(
        Part("settings", Cell, tasks, count),
        Part("single", Single, single_tasks, count_single),
        Part("curves", CurveTests, curve_tasks, count_curves),
    ),
    tables=tables,
    pictures=lambda records, folder: draw(records["settings"], folder),
    claims=claims,
    sentence=(
        "The paper prints no table; the advantage of the permutation test for AUC above 0.8 and "
        "correlation above 0.4 is there, and formula (8) needs a correction."
    ),
)
