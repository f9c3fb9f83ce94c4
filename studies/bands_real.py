"""Coverage of bands for new samples of real data, as in Macskassy, Provost and Rosset (2005).

Models are trained on some observations; samples of the others, which stand for the population, give
bands and the curves of further samples. Data sets are read from the folder ROCWISE_DATA.
"""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rocwise as rw

from .bands import FUTURE_KINDS, LEVEL, SEED, SIZES, SLOPES, band_of, curve_of
from .simulation import AbsentDataError, Cell, Part, Records, Study, by_cell, cells, markdown

Labels = NDArray[np.int64]
DATA_SETS: dict[str, Callable[[Any], Any]] = {  # which values of the target are positive
    "adult": lambda target: target == ">50K",
    "calhous": lambda target: target > target.median(),
    "covertype": lambda target: target.astype(str) == "2",
    "intcensor": lambda target: target == 1,
    "intrusion": lambda target: target != "normal",
    "letter": lambda target: target == "V",
    "letter-a": lambda target: target == "A",
}
FEW = ("letter-a", "intrusion", "intcensor")  # 20 samples in place of 60, none of 10,000
TRAINING = (100, 2500)


def data_folder() -> Path:
    """Folder of the data sets."""
    named = os.environ.get("ROCWISE_DATA")
    return Path(named) if named else Path(__file__).parents[2] / "shared" / "data"


def data_file(name: str) -> Path:
    """File of a data set."""
    return data_folder() / f"{'letter' if name == 'letter-a' else name}.csv.gz"


@functools.lru_cache(maxsize=1)
def read(name: str) -> tuple[NDArray[np.float64], Labels]:
    """Standardized features (indicators for categories) and labels."""
    import pandas as pd

    if not data_file(name).exists():
        raise AbsentDataError(f"data set {name}: no file {data_file(name).name}")
    table = pd.read_csv(data_file(name))
    target, features = table.iloc[:, -1], table.iloc[:, :-1]
    categories = features.select_dtypes(exclude="number").columns
    numbers = pd.get_dummies(features, columns=list(categories), dtype=float).to_numpy(float)
    numbers = np.nan_to_num(numbers)
    sd = numbers.std(axis=0)
    numbers = (numbers - numbers.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    return numbers, np.asarray(DATA_SETS[name](target), np.int64)


def models() -> dict[str, Any]:
    """Models with the letters of the paper's tables."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    return {
        "LR": LogisticRegression(max_iter=500, C=0.1),
        "NB": GaussianNB(var_smoothing=1e-3),
        "tree": DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
    }


def scored(name: str, n_train: int) -> Iterator[tuple[str, Labels, NDArray[np.float64]]]:
    """Model, labels and scores of the observations that are not in the training set."""
    features, y = read(name)
    order = np.random.default_rng(SEED).permutation(len(y))
    train, rest = order[:n_train], order[n_train:]
    for letters, model in models().items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # 100 observations may not suffice for convergence
            model.fit(features[train], y[train])
            score = model.predict_proba(features[rest])[:, 1]
        yield letters, y[rest], score


def sample(y: Labels, score: NDArray[np.float64], n: int, rng: np.random.Generator) -> rw.Tally:
    """Independent draws with both classes."""
    while True:
        rows = rng.integers(len(y), size=n)
        if 0 < y[rows].sum() < n:
            return rw.tally(y[rows], score[rows])


def mean_error(values: Sequence[float]) -> tuple[float, float]:
    """Mean and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))


@dataclass(frozen=True)
class Coverage:
    """Mean coverage of new curves by the bands of one kind, with the published slope."""

    dataset: str
    n_train: int
    model: str
    n: int
    kind: str
    bands: int
    coverage: float
    error: float

    @property
    def cell(self) -> str:
        """The cell of the design."""
        return str(cell_of(self.dataset, self.n_train, self.n))


def cell_of(dataset: str, n_train: int, n: int) -> Cell:
    """The cell with its number of samples."""
    return Cell((dataset, n_train, n), 20 if dataset in FEW else 60)


def tasks(quick: bool) -> list[Cell]:
    """Data sets, sizes of the training set and of the samples."""
    if quick:
        return [Cell(("calhous", 100, 25), 3)]
    return [
        cell_of(*place)
        for place in product(DATA_SETS, TRAINING, SIZES)
        if place[0] not in FEW or place[2] < max(SIZES)
    ]


def coverage(cell: Cell) -> list[Coverage]:
    """All models and kinds."""
    name, n_train, n = cell.settings
    found = []
    for model, y, score in scored(name, n_train):
        for kind, values in coverages(y, score, n, cell.samples).items():
            place = (name, n_train, model, n, kind, len(values))
            found.append(Coverage(*place, *(round(value, 6) for value in mean_error(values))))
    return found


def coverages(
    y: Labels, score: NDArray[np.float64], n: int, samples: int, new: int = 10
) -> dict[str, list[float]]:
    """For each band the proportion of the curves of new samples that it contains, by kind."""
    rng = np.random.default_rng([SEED, n])
    found: dict[str, list[float]] = {kind: [] for kind in FUTURE_KINDS}
    for _ in range(samples):
        data = sample(y, score, n, rng)
        curves = [curve_of(sample(y, score, n, rng)) for _ in range(new)]
        seed = int(rng.integers(2**62))
        for kind, n_resamples in FUTURE_KINDS.items():
            band = band_of(data, kind, n_resamples, seed)
            if band is not None:
                found[kind].append(float(np.mean([band.contains(curve) for curve in curves])))
    return {kind: values for kind, values in found.items() if len(values) > 1}


def table(n_train: int, records: Iterable[Coverage]) -> str:
    """Rows are sample sizes; values are those of the widened, then of the calibrated band."""
    chosen = [one for one in records if one.n_train == n_train]
    names, rows = list(dict.fromkeys(one.model for one in chosen)), []
    for n in sorted({one.n for one in chosen}):
        here = [one for one in chosen if one.n == n]
        by_model = [_mean_text([one for one in here if one.model == name]) for name in names]
        rows.append([f"{n:,}", *by_model, _mean_text(here)])
    return markdown(["n", *names, "average"], rows)


def _mean_text(records: Sequence[Coverage]) -> str:
    """Mean over data sets and models with its standard error, for both kinds."""
    texts = []
    for kind in FUTURE_KINDS:
        own = [one for one in records if one.kind == kind]
        error = np.sqrt(np.sum([one.error**2 for one in own])) / len(own)
        texts.append(f"{np.mean([one.coverage for one in own]):.3f} ± {error:.3f}")
    return ", ".join(texts)


# Few positives, by the slope of the lines on which distances are measured


@dataclass(frozen=True)
class SlopeCoverage:
    """Mean coverage of new curves, and the mean number of positives in a sample."""

    cell: str
    dataset: str
    model: str
    n: int
    kind: str
    slope: str
    positives: float
    bands: int
    coverage: float
    error: float


def slopes(cell: Cell) -> list[SlopeCoverage]:
    """Models trained on 100 observations; bands that are widened and calibrated, both slopes."""
    name, model, n = cell.settings
    y, score = next((y, score) for letters, y, score in scored(name, 100) if letters == model)
    rng, positives = np.random.default_rng([SEED, n]), []
    found: dict[tuple[str, str], list[float]] = {}
    for seed in range(cell.samples):
        data = sample(y, score, n, rng)
        curves = [curve_of(sample(y, score, n, rng)) for _ in range(5)]
        positives.append(float(data.n_pos))
        for kind, slope in product(("fixed-width", "future"), SLOPES):
            options = {"slope": slope, "level": LEVEL, "n_resamples": 200, "rng": seed}
            try:
                band = rw.band(data, kind=kind, future=kind == "fixed-width", **options)
            except rw.InputError:  # perfect separation
                continue
            inside = float(np.mean([band.contains(curve) for curve in curves]))
            found.setdefault((kind, slope), []).append(inside)
    place = (str(cell), name, model, n)
    return [
        SlopeCoverage(*place, *key, float(np.mean(positives)), len(values), *mean_error(values))
        for key, values in found.items()
    ]


def slope_table(records: Sequence[SlopeCoverage]) -> str:
    """One row for each data set, model and size."""
    rows = []
    for own in by_cell(records).values():
        last = own[-1]
        row = [last.dataset, last.model, f"{last.n}", f"{last.positives:.1f}"]
        row += [f"{one.coverage:.2f} ± {one.error:.2f}" for one in own]
        rows.append([*row, f"{last.bands}"])
    heads = [f"{kind}, `{slope}`" for kind, slope in product(("√2", "`future`"), SLOPES)]
    return markdown(["data", "model", "n", "positives", *heads, "bands"], rows)


def tables(records: Records) -> dict[str, str]:
    """Both training sizes, and both slopes."""
    found = {f"bands real {n}": table(n, records["coverage"]) for n in TRAINING}
    return {**found, "slopes of lines": slope_table(records["slopes"])}


SLOPE_SETTINGS = list(product(("letter", "calhous"), ("LR", "NB"), (25, 100, 250)))
STUDY = Study(
    "bands_real",
    (
        Part("coverage", Coverage, tasks, coverage),
        Part("slopes", SlopeCoverage, cells(SLOPE_SETTINGS, 60, 5), slopes),
    ),
    tables,
)
