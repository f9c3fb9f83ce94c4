"""On which side true curves leave simultaneous and fixed-width bands.

``python -m studies.band_sides`` counts what is missing and writes the table of
`docs/guide/auc.md` (minutes).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import ndtr, ndtri

import rocwise as rw

from .cells import Part, Records
from .study import Cell, Hits, Study, cells, run, shares

SHIFT = 1.0  # between the classes, both normal with variance 1
RESAMPLES = 500
KINDS: tuple[Literal["simultaneous", "fixed-width"], ...] = ("simultaneous", "fixed-width")
SIDES = [(name, rows) for name in KINDS for rows in (2_000, 20_000)]
NEAR = 1e-12  # what rounding does to a height
FPR = np.concatenate([[0.0], ndtr(np.linspace(-5.0, 5.0, 2001)), [1.0]])
TRUTH = FPR, ndtr(ndtri(FPR) + SHIFT)


def labels(rows: int) -> Any:
    """So many cases, of which 30% are positive."""
    return np.repeat([0, 1], [rows * 7 // 10, rows * 3 // 10])


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
        band = rw.band(data, kind=name, n_resamples=RESAMPLES, rng=number)
        places = np.union1d(FPR, band.fpr)
        truth, (lower, upper) = np.interp(places, *TRUTH), band.at(places)
        outside[:, number] = np.any(truth > upper + NEAR), np.any(truth < lower - NEAR)
    hits = int((~outside.any(axis=0)).sum())
    above, below = outside.sum(axis=1).tolist()
    return [Left(str(cell), f"{name} | {rows:,}", cell.samples, hits, above, below)]


def tables(records: Records) -> dict[str, str]:
    """Bands that contain the true curve, and the sides on which it leaves the others."""
    sides = shares(
        ["band", "rows", "coverage"],
        records["left"],
        ("samples", lambda one: f"{one.samples:,}"),
        ("missed above", lambda one: str(one.above)),
        ("missed below", lambda one: str(one.below)),
    )
    return {"sides of bands": sides}


STUDY = Study(
    "band_sides",
    (Part("left", Left, cells(SIDES, 1000, 1), left),),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
