"""How often bootstrap bands of many scores hold what they promise, by blocks and of every row.

Both are made of the same samples. Of bands for the true curve it is also counted on which side it
leaves them. ``python -m studies.bands_of_many_scores`` counts what is missing and writes two
tables of `docs/explanation/variances-and-intervals.md` (ten minutes of one core).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import ndtr, ndtri

import rocwise as rw

from .cells import Part, Records
from .study import DOCS, Cell, Hits, Study, cells, run, shares

SHIFT = 1.0  # between the classes, both normal with variance 1
RESAMPLES = 500
RATE = 0.1  # of false positives, at which pointwise bands are asked
Kind = Literal["simultaneous", "fixed-width", "future", "pointwise"]
KINDS: dict[str, Kind] = {
    "simultaneous": "simultaneous",
    "fixed-width": "fixed-width",
    "future": "future",
    "pointwise, at FPR 0.1": "pointwise",
}
SAMPLES = {  # of so many rows
    ("simultaneous", 20_000): 1500,
    ("simultaneous", 60_000): 200,
    ("fixed-width", 20_000): 300,
    ("future", 20_000): 300,
    ("pointwise, at FPR 0.1", 20_000): 300,
}
SIDES = [(name, rows) for name in ("simultaneous", "fixed-width") for rows in (2_000, 20_000)]
NEAR = 1e-12  # what rounding does to a height
FPR = np.concatenate([[0.0], ndtr(np.linspace(-5.0, 5.0, 2001)), [1.0]])
TRUTH = FPR, ndtr(ndtri(FPR) + SHIFT)


def labels(rows: int) -> Any:
    """So many cases, of which 30 % are positive."""
    return np.repeat([0, 1], [rows * 7 // 10, rows * 3 // 10])


@dataclass(frozen=True)
class Held(Hits):
    """Bands that held what they promise, their mean area, and those that only one way made hold."""

    area: float
    alone: int


def held(cell: Cell) -> list[Held]:
    """Both ways to draw, for the samples of a cell and one kind of band."""
    name, rows = cell.place
    rng = np.random.default_rng(0)
    y = labels(rows)
    ways = ("by blocks", "every row")
    hits, areas = np.zeros((2, cell.samples), bool), np.zeros(2)
    for number in range(cell.samples):
        data, new = (rw.tally(y, rng.normal(size=rows) + SHIFT * y) for _ in range(2))
        for way, how in enumerate(ways):
            band = rw.band(
                data,
                kind=KINDS[name],
                n_resamples=RESAMPLES,
                rng=number,
                exact=how == "every row",
            )
            hits[way, number] = kept(band, new)
            areas[way] += band.area / cell.samples
    return [
        Held(
            str(cell),
            f"{name} | {rows:,} | {how}",
            cell.samples,
            int(hits[way].sum()),
            float(areas[way]),
            int((hits[way] & ~hits[1 - way]).sum()),
        )
        for way, how in enumerate(ways)
    ]


def kept(band: Any, new: rw.Tally) -> bool:
    """Whether a band holds the true curve, the curve of a new sample, or the truth at one FPR."""
    if band.kind == "pointwise":
        low, high = band.at(RATE)
        return bool(low <= ndtr(ndtri(RATE) + SHIFT) <= high)
    return bool(band.contains(rw.roc(new) if band.future else TRUTH))


@dataclass(frozen=True)
class Left(Hits):
    """Bands that held the true curve, and those that it left upwards or downwards."""

    above: int
    below: int


def left(cell: Cell) -> list[Left]:
    """On which side true curves leave the bands of samples of one size."""
    name, rows = cell.place
    rng, y = np.random.default_rng(1), labels(rows)
    outside = np.zeros((2, cell.samples), bool)
    for number in range(cell.samples):
        data = rw.tally(y, rng.normal(size=rows) + SHIFT * y)
        band = rw.band(data, kind=KINDS[name], n_resamples=RESAMPLES, rng=number)
        places = np.union1d(FPR, band.fpr)
        truth, (lower, upper) = np.interp(places, *TRUTH), band.at(places)
        outside[:, number] = np.any(truth > upper + NEAR), np.any(truth < lower - NEAR)
    hits = int((~outside.any(axis=0)).sum())
    above, below = outside.sum(axis=1).tolist()
    return [Left(str(cell), f"{name} | {rows:,}", cell.samples, hits, above, below)]


def tables(records: Records) -> dict[str, str]:
    """Bands that held, in percent, mean areas, and how often the two ways do not agree."""
    table = shares(
        ["band", "rows", "drawn", "held"],
        records["held"],
        ("samples", lambda one: f"{one.samples:,}"),
        ("held this way alone", lambda one: str(one.alone)),
        ("mean area", lambda one: f"{one.area:.5f}"),
    )
    sides = shares(
        ["band", "rows", "held"],
        records["left"],
        ("samples", lambda one: f"{one.samples:,}"),
        ("curve above the band", lambda one: str(one.above)),
        ("below it", lambda one: str(one.below)),
    )
    return {"bands of many scores": table, "sides of bands": sides}


def tasks(quick: bool) -> list[Cell]:
    """A cell for each kind of band and number of rows."""
    return [Cell(place, 1 if quick else samples) for place, samples in SAMPLES.items()]


STUDY = Study(
    "bands_of_many_scores",
    (
        Part("held", Held, tasks, held),
        Part("left", Left, cells(SIDES, 1000, 1), left),
    ),
    tables,
    (DOCS / "explanation" / "variances-and-intervals.md",),
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
