"""How often bootstrap bands of many scores hold what they promise, by blocks and of every row.

Both are made of the same samples. ``python -m studies.bands_of_many_scores`` counts what is missing
and writes a table of `docs/explanation/variances-and-intervals.md` (a minute of one core).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import ndtr, ndtri

import rocwise as rw

from .cells import Part, Records
from .pages import markdown
from .study import DOCS, Cell, Hits, Study, cells, run

ROWS = 20_000
SHIFT = 1.0  # between the classes, both normal with variance 1
RESAMPLES = 200
RATE = 0.1  # of false positives, at which pointwise bands are asked
Kind = Literal["simultaneous", "fixed-width", "future", "pointwise"]
KINDS: dict[str, Kind] = {
    "simultaneous": "simultaneous",
    "fixed-width": "fixed-width",
    "future": "future",
    "pointwise, at FPR 0.1": "pointwise",
}
FPR = np.concatenate([[0.0], ndtr(np.linspace(-5.0, 5.0, 2001)), [1.0]])
TRUTH = FPR, ndtr(ndtri(FPR) + SHIFT)


@dataclass(frozen=True)
class Held(Hits):
    """Bands that held what they promise, and their mean area."""

    area: float


def held(cell: Cell) -> list[Held]:
    """Both ways to draw, for the samples of a cell and one kind of band."""
    (name,) = cell.place
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [ROWS * 7 // 10, ROWS * 3 // 10])
    found = {"by blocks": (0, 0.0), "every row": (0, 0.0)}
    for number in range(cell.samples):
        data, new = (rw.tally(y, rng.normal(size=ROWS) + SHIFT * y) for _ in range(2))
        for how, (hits, area) in found.items():
            band = rw.band(
                data,
                kind=KINDS[name],
                n_resamples=RESAMPLES,
                rng=number,
                exact=how == "every row",
            )
            found[how] = hits + kept(band, new), area + band.area
    return [
        Held(str(cell), f"{name} | {how}", cell.samples, int(hits), area / cell.samples)
        for how, (hits, area) in found.items()
    ]


def kept(band: Any, new: rw.Tally) -> bool:
    """Whether a band holds the true curve, the curve of a new sample, or the truth at one FPR."""
    if band.kind == "pointwise":
        low, high = band.at(RATE)
        return bool(low <= ndtr(ndtri(RATE) + SHIFT) <= high)
    return bool(band.contains(rw.roc(new) if band.future else TRUTH))


def tables(records: Records) -> dict[str, str]:
    """Bands that held, in percent, and mean areas."""
    heads = ["band", "drawn", "held", "standard error", "mean area"]
    rows = [
        [
            *one.question.split(" | "),
            f"{100 * one.share:.1f} %",
            f"{100 * one.error:.1f} %",
            f"{one.area:.5f}",
        ]
        for one in records["held"]
    ]
    return {"bands of many scores": markdown(heads, rows)}


STUDY = Study(
    "bands_of_many_scores",
    (Part("held", Held, cells([(name,) for name in KINDS], 150, 1), held),),
    tables,
    (DOCS / "explanation" / "variances-and-intervals.md",),
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
