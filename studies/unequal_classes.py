"""Bands when one class is rare: containment by the slope of the lines along which curves move.

`python -m studies.unequal_classes` counts what is missing and writes its table of
docs/validation/bands.md.
"""

from __future__ import annotations

import sys
import warnings
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

import rocwise as rw

from .cells import Part
from .kept_counts import markdown, standard_error
from .populations import NORMAL
from .study import Cell, Study, cells, run

LEVEL, BANDS, RESAMPLES, SEED = 0.9, 400, 300, 20050307
POSITIVES, RATIOS, AREAS = (5, 10, 20, 50), (1, 4, 20), (0.85, 0.96)
KINDS = ("simultaneous", "fixed-width", "future")
Slopes = ("paper", "sd")


@dataclass(frozen=True)
class Containment:
    """How many bands of a kind held the true curve; kind "future" the curve of a new sample."""

    cell: str
    kind: str
    slope: str
    n_pos: int
    n_neg: int
    area: float
    bands: int
    held: int
    mean_area: float


def count(cell: Cell) -> list[Containment]:
    """All kinds and slopes, asked of the same samples."""
    n_pos, ratio, area = cell.place
    n_neg, shift = n_pos * ratio, 2**0.5 * NORMAL.inv_cdf(area)
    labels = np.repeat([1, 0], [n_pos, n_neg])
    rng = np.random.default_rng([SEED, zlib.crc32(repr(cell.place).encode())])
    truth = true_curve(shift)
    found: dict[tuple[str, str], list[tuple[bool, float]]] = {
        place: [] for place in product(KINDS, Slopes)
    }
    for seed in range(cell.samples):
        data, new = (rw.tally(labels, rng.normal(size=len(labels)) + shift * labels) for _ in "ab")
        for (kind, slope), answered in found.items():
            try:
                band = rw.band(
                    data,
                    kind=kind,  # type: ignore[arg-type]
                    slope=slope,  # type: ignore[arg-type]
                    level=LEVEL,
                    n_resamples=RESAMPLES,
                    rng=seed,
                )
            except rw.InputError:  # separated classes have no such band
                continue
            held = band.contains(curve(new) if kind == "future" else truth)
            answered.append((held, band.area))
    return [
        Containment(
            str(cell),
            *place,
            n_pos,
            n_neg,
            area,
            len(all_of),
            sum(held for held, _ in all_of),
            round(float(np.mean([size for _, size in all_of])), 4),
        )
        for place, all_of in found.items()
    ]


def true_curve(shift: float) -> tuple[Any, Any]:
    """The binormal curve with equal spreads, at many rates."""
    fpr = np.linspace(0.0, 1.0, 2001)
    scores = [NORMAL.inv_cdf(rate) for rate in fpr[1:-1]]
    tpr = [0.0, *(NORMAL.cdf(shift + score) for score in scores), 1.0]
    return fpr, np.array(tpr)


def curve(data: rw.Tally) -> Any:
    """The curve, without a word about its direction."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.RocwiseWarning)
        return rw.roc(data)


def table(counts: Sequence[Containment]) -> str:
    """Rows are class sizes; a cell has the published slope, then the default."""
    rows = []
    sizes = sorted({(one.n_pos, one.n_neg) for one in counts})
    for n_pos, n_neg in sizes:
        row = [f"{n_pos}", f"{n_neg:,}"]
        for kind, area in product(KINDS, AREAS):
            here = {
                one.slope: one
                for one in counts
                if (one.kind, one.n_pos, one.n_neg, one.area) == (kind, n_pos, n_neg, area)
            }
            row.append(", ".join(_cell(here[slope]) for slope in Slopes if slope in here))
        rows.append(row)
    heads = [f"`{kind}`, AUC {area:g}" for kind, area in product(KINDS, AREAS)]
    return markdown(["positives", "negatives", *heads], rows)


def _cell(one: Containment) -> str:
    if not one.bands:
        return "–"
    return f"{one.held / one.bands:.2f} ± {standard_error(one.held, one.bands):.2f}"


STUDY = Study(
    "unequal_classes",
    (Part("bands", Containment, cells(list(product(POSITIVES, RATIOS, AREAS)), BANDS, 10), count),),
    lambda records: {"unequal classes": table(records["bands"])},
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
