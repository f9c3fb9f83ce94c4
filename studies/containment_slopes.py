"""Bands for new curves on real data with few positives, by the slope of their lines.

``python -m studies.containment_slopes`` counts what is missing and writes a table of
`docs/validation/bands.md`: models trained on 100 cases, letters (4% positives) and
Californian housing (half), samples of up to 250 (half a minute of one core; data sets in the folder
ROCWISE_DATA).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

import rocwise as rw

from .cells import AbsentDataError, Part
from .containment_models import data_folder, scored
from .containment_real import curve_of, drawn
from .containment_world import LEVEL, SEED
from .kept_counts import markdown
from .study import Cell, Study, by_cell, cells, run

BANDS, FUTURE, RESAMPLES, TRAINED_ON = 60, 5, 200, 100
NAMES, MODELS, SIZES = ("letter", "calhous"), ("LR", "NB"), (25, 100, 250)
KINDS = {"fixed-width": True, "future": False}
SLOPES = ("paper", "sd")


@dataclass(frozen=True)
class Share:
    """Mean share of the new curves that bands held, with its standard error."""

    cell: str
    name: str
    model: str
    size: int
    kind: str
    slope: str
    positives: float  # mean number in a sample
    bands: int
    share: float
    error: float


def shares(
    label: np.ndarray, score: np.ndarray, size: int, bands: int
) -> dict[tuple[str, str], list[float]]:
    """Per kind and slope the share of new curves that each band held, and the positives drawn."""
    rng = np.random.default_rng([SEED, size])
    found: dict[tuple[str, str], list[float]] = {("positives", ""): []}
    for seed in range(bands):
        data = drawn(label, score, size, rng)
        coming = [curve_of(drawn(label, score, size, rng)) for _ in range(FUTURE)]
        found["positives", ""].append(float(data.n_pos))
        for kind, future in KINDS.items():
            for slope in SLOPES:
                options = {"slope": slope, "level": LEVEL, "n_resamples": RESAMPLES, "rng": seed}
                try:
                    band = rw.band(data, kind=kind, future=future, **options)
                except rw.InputError:  # separated classes
                    continue
                held = [band.contains(curve) for curve in coming]
                found.setdefault((kind, slope), []).append(float(np.mean(held)))
    return found


def count(cell: Cell) -> list[Share]:
    """All kinds and slopes for one data set, model and size."""
    name, model, size = cell.place
    if not (data_folder() / f"{name}.csv.gz").exists():
        raise AbsentDataError(f"data set {name}: no file {name}.csv.gz")
    label, score = next((y, s) for told, y, s in scored(name, TRAINED_ON) if told == model)
    found = shares(label, score, size, cell.samples)
    positives = float(np.mean(found.pop(("positives", ""))))
    return [
        Share(
            *(str(cell), name, model, size, kind, slope, positives, len(values)),
            share=float(np.mean(values)),
            error=float(np.std(values, ddof=1) / np.sqrt(len(values))),
        )
        for (kind, slope), values in found.items()
    ]


def table(records: Sequence[Share]) -> str:
    """One row for each data set, model and size."""
    rows = []
    for alike in by_cell(records).values():
        one = alike[-1]
        row = [one.name, one.model, f"{one.size}", f"{one.positives:.1f}"]
        row += [f"{each.share:.2f} ± {each.error:.2f}" for each in alike]
        rows.append([*row, f"{one.bands}"])
    heads = ["data", "model", "n", "positives"]
    heads += [f"{words}, `{slope}`" for words in ("√2", "`future`") for slope in SLOPES]
    return markdown([*heads, "bands"], rows)


STUDY = Study(
    "containment_slopes",
    (Part("shares", Share, cells(list(product(NAMES, MODELS, SIZES)), BANDS, 5), count),),
    lambda records: {"slopes of lines": table(records["shares"])},
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
