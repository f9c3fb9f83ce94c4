"""Future-curve containment on real data, in the manner of Macskassy, Provost and Rosset (2005).

A model is trained on some cases; bands are made from samples of the others and asked for the
curves of further samples. Needs scikit-learn, pandas and the data sets (folder in ROCWISE_DATA).
Run `python -m studies.containment_real`; a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rocwise as rw

from .containment_models import DATA_SETS, Labels, scored
from .containment_world import FUTURE_KINDS, SEED, band_of
from .kept_counts import markdown, read_records, write_records, write_table
from .processes import results

COUNTS = Path(__file__).parents[1] / "docs" / "validation" / "bands-real.csv"
SIZES = (25, 100, 250, 1000, 2500, 10000)
TRAINED_ON = (100, 2500)


@dataclass(frozen=True)
class Task:
    """All models trained on so many cases of a data set, and samples of one size."""

    name: str
    trained_on: int
    size: int
    bands: int
    future: int
    resamples: int


@dataclass(frozen=True)
class Share:
    """How often the bands of one kind held the curves of new samples."""

    name: str
    trained_on: int
    model: str
    size: int
    kind: str
    bands: int
    share: float
    error: float


def count(task: Task) -> list[Share]:
    """Shares of one task, by model and kind."""
    found = []
    for model, label, score in scored(task.name, task.trained_on):
        for kind, values in shares(label, score, task).items():
            error = float(np.std(values, ddof=1) / np.sqrt(len(values)))
            mean = round(float(np.mean(values)), 6)
            place = (task.name, task.trained_on, model, task.size, kind, len(values))
            found.append(Share(*place, mean, round(error, 6)))
    return found


def shares(label: Labels, score: NDArray[np.float64], task: Task) -> dict[str, list[float]]:
    """For each band the share of new samples' curves that it held, by kind."""
    generator = np.random.default_rng([SEED, task.size])
    found: dict[str, list[float]] = {kind: [] for kind in FUTURE_KINDS}
    for _ in range(task.bands):
        data = drawn(label, score, task.size, generator)
        coming = [curve_of(drawn(label, score, task.size, generator)) for _ in range(task.future)]
        seed = int(generator.integers(2**62))
        for kind in FUTURE_KINDS:
            band = band_of(data, kind, task.resamples, seed)
            if band is not None:
                found[kind].append(float(np.mean([band.contains(curve) for curve in coming])))
    return {kind: values for kind, values in found.items() if len(values) > 1}


def drawn(
    label: Labels, score: NDArray[np.float64], size: int, generator: np.random.Generator
) -> rw.Tally:
    """Independent draws from the cases, which stand for the population, with both classes."""
    while True:
        rows = generator.integers(len(label), size=size)
        if 0 < label[rows].sum() < size:
            return rw.tally(label[rows], score[rows])


def curve_of(data: rw.Tally) -> Any:
    """The curve, without a word about its direction."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.DirectionWarning)
        return rw.roc(data)


def table(trained_on: int, found: Sequence[Share]) -> str:
    """Rows are sample sizes; a cell has the √2 widening, then the calibrated band."""
    models = list(dict.fromkeys(one.model for one in found))
    rows = []
    for size in sorted({one.size for one in found}):
        here = [one for one in found if (one.trained_on, one.size) == (trained_on, size)]
        cells = [_cell([one for one in here if one.model == model]) for model in models]
        rows.append([f"{size:,}", *cells, _cell(here)])
    return markdown(["n", *models, "average"], rows)


def _cell(found: Sequence[Share]) -> str:
    """Mean over data sets and models with its standard error, for both kinds."""
    words = []
    for kind in FUTURE_KINDS:
        chosen = [one for one in found if one.kind == kind]
        mean = np.mean([one.share for one in chosen])
        error = np.sqrt(np.sum([one.error**2 for one in chosen])) / len(chosen)
        words.append(f"{mean:.3f} ± {error:.3f}")
    return ", ".join(words)


def _place(one: Share) -> tuple[object, ...]:
    """In which order shares are kept."""
    return one.name, one.trained_on, one.model, one.size, one.kind


def tasks(options: argparse.Namespace) -> Iterator[Task]:
    """Everything to be counted, large samples last."""
    for size in options.sizes:
        for trained_on in TRAINED_ON:
            for name in DATA_SETS:
                yield Task(name, trained_on, size, options.bands, options.future, options.resamples)


def main(arguments: Sequence[str]) -> None:
    """Count what is missing, and write the tables."""
    parser = argparse.ArgumentParser(prog="studies.containment_real", description=__doc__)
    parser.add_argument("--counts", type=Path, default=COUNTS)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="sample sizes")
    parser.add_argument("--bands", type=int, default=100, help="bands for each model and size")
    parser.add_argument("--future", type=int, default=10, help="new samples for each band")
    parser.add_argument("--resamples", type=int, default=500)
    parser.add_argument("--processes", type=int, help="side by side")
    options = parser.parse_args(arguments)
    path = options.counts
    found = read_records(path, Share)
    done = {(one.name, one.trained_on, one.size) for one in found}
    left = [one for one in tasks(options) if (one.name, one.trained_on, one.size) not in done]
    for counted in results(count, left, processes=options.processes):
        found += counted
        write_records(path, sorted(found, key=_place), Share)
    for trained_on in TRAINED_ON:
        write_table(path.with_name("tables"), f"bands real {trained_on}", table(trained_on, found))


if __name__ == "__main__":
    main(sys.argv[1:])
