"""Ten-fold areas with a t interval on data sets, and how often that interval holds."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from sklearn.model_selection import StratifiedKFold
from studies.simulation import markdown, standard_error

import rocwise as rw
from papers.scoring.claims import claims
from papers.scoring.pictures import draw
from papers.shared.data import read
from papers.shared.out_of_fold import FOLDS, SEED, out_of_fold
from papers.shared.paper import Expected, Paper, Part, Records

DATA_SETS = ("hepa", "hart", "habr", "iono", "vots", "jcrx", "wisc", "diab", "mamo", "ger", "spam")
LEARNERS = ("naive Bayes", "tree", "logistic")
METHODS = ("t", "corrected-t", "influence")
SIZES = (60, 100, 200, 500, 1000)
SAMPLES, QUICK_SAMPLES = 1000, 40
FEATURES, APART = 5, 1.2  # one of the features tells the classes apart


@dataclass(frozen=True)
class DataTask:
    """A learner on a data set."""

    data: str
    learner: str

    def __str__(self) -> str:
        return f"{self.data}, {self.learner}"


@dataclass(frozen=True)
class Area:
    """The mean over folds and its intervals."""

    cell: str
    data: str
    learner: str
    value: float
    pooled: float
    t_low: float
    t_high: float
    corrected_low: float
    corrected_high: float


@dataclass(frozen=True)
class SampleTask:
    """Samples of one size from a population whose areas are known."""

    size: int
    samples: int

    def __str__(self) -> str:
        return f"{self.size} cases, {self.samples} samples"


@dataclass(frozen=True)
class Coverage:
    """How often one interval contains the mean true area of the models that were trained."""

    cell: str
    size: int
    method: str
    samples: int
    hits: int
    width: float


def data_tasks(quick: bool) -> list[DataTask]:
    """Every data set with every learner."""
    sets = DATA_SETS[:2] if quick else DATA_SETS
    return [DataTask(data, learner) for data in sets for learner in LEARNERS]


def area(task: DataTask) -> list[Area]:
    """Ten folds, one area each, as the thesis scores its learners."""
    data = read(task.data)
    scores = out_of_fold(data, task.learner)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    found = rw.cross_validated_auc(data.labels, scores, list(folds.split(scores, data.labels)))
    t = rw.inference.cv_interval(found.fold_values)
    corrected = rw.inference.cv_interval(found.fold_values, corrected=True)
    limits = (t.low, t.high, corrected.low, corrected.high)
    return [Area(str(task), task.data, task.learner, found.value, found.pooled, *limits)]


def sample_tasks(quick: bool) -> list[SampleTask]:
    """Sizes of samples."""
    samples = QUICK_SAMPLES if quick else SAMPLES
    return [SampleTask(size, samples) for size in (SIZES[:2] if quick else SIZES)]


def coverage(task: SampleTask) -> list[Coverage]:
    """Cross-validate linear discriminants on every sample, and look whether the truth is inside."""
    rng = np.random.default_rng(zlib.crc32(str(task).encode()))
    hits, widths = dict.fromkeys(METHODS, 0), dict.fromkeys(METHODS, 0.0)
    for _ in range(task.samples):
        label, scores, folds, truth = cross_validated_sample(task.size, rng)
        for method in METHODS:
            interval = rw.cross_validated_auc(label, scores, folds, method=method).interval
            hits[method] += interval.low <= truth <= interval.high
            widths[method] += (interval.high - interval.low) / task.samples
    return [
        Coverage(str(task), task.size, method, task.samples, hits[method], widths[method])
        for method in METHODS
    ]


def cross_validated_sample(
    size: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Labels, out-of-fold scores, folds, and the mean of the trained models' true areas."""
    label = np.tile([0, 1], size // 2)
    rows = rng.normal(size=(size, FEATURES))
    rows[:, 0] += APART * label
    folds = np.empty(size, int)
    for value in (0, 1):
        places = np.flatnonzero(label == value)
        folds[rng.permutation(places)] = np.arange(len(places)) % FOLDS
    scores, areas = np.empty(size), []
    for fold in range(FOLDS):
        train, test = folds != fold, folds == fold
        weights = discriminant(rows[train], label[train])
        scores[test] = rows[test] @ weights
        distance = APART * weights[0] / math.sqrt(2 * float(weights @ weights))
        areas.append(NormalDist().cdf(distance))
    return label, scores, folds, float(np.mean(areas))


def discriminant(rows: np.ndarray, label: np.ndarray) -> np.ndarray:
    """Weights of the linear discriminant."""
    means = [rows[label == value].mean(axis=0) for value in (0, 1)]
    within = sum(np.cov(rows[label == value].T) for value in (0, 1)) / 2
    return np.asarray(np.linalg.solve(within, means[1] - means[0]))


def tables(records: Records, _expected: Expected) -> Mapping[str, str]:
    """Areas of data sets, and coverage."""
    return {
        "areas": areas_table(records["areas"]),
        "coverage": coverage_table(records["coverage"]),
    }


def areas_table(found: Sequence[Area]) -> str:
    """As the thesis prints its scores, and the corrected interval beside."""
    rows = [
        (
            *(one.data, one.learner, f"{one.value:.3f}", f"{one.t_low:.3f} to {one.t_high:.3f}"),
            *(f"{one.corrected_low:.3f} to {one.corrected_high:.3f}", f"{one.pooled:.3f}"),
        )
        for one in found
    ]
    return markdown(("data", "learner", "AUC", "95%, t", "95%, corrected t", "pooled"), rows)


def coverage_table(found: Sequence[Coverage]) -> str:
    """Shares with standard errors, and mean widths."""
    rows = [
        (
            *(one.size, one.method, f"{one.hits / one.samples:.1%}"),
            *(f"{standard_error(one.hits, one.samples):.1%}", f"{one.width:.3f}"),
        )
        for one in found
    ]
    return markdown(("cases", "interval", "coverage", "s.e.", "mean width"), rows)


def sentence(records: Records) -> str:
    """What matters most."""
    t = [one.hits / one.samples for one in records["coverage"] if one.method == "t"]
    corrected = [one.hits / one.samples for one in records["coverage"] if one.method == METHODS[1]]
    return (
        f"The 95% t interval over ten folds covers the mean true area in {min(t):.0%} to "
        f"{max(t):.0%} of samples, the corrected one in {min(corrected):.0%} to "
        f"{max(corrected):.0%}; the thesis prints no number to compare with."
    )


PAPER = Paper(
    name="scoring",
    citation="Komarek (2004), section 5.1.4",
    parts=(
        Part("areas", Area, data_tasks, area),
        Part("coverage", Coverage, sample_tasks, coverage),
    ),
    tables=tables,
    pictures=lambda records, folder: draw(records["areas"], folder),
    claims=claims,
    sentence=sentence,
)
