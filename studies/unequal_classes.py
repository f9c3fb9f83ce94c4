"""Bands when one class is rare: containment by the slope of the lines along which curves move.

`python -m studies.unequal_classes` counts and writes its table of docs/explanation/containment.md.
"""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import rocwise as rw

from .kept_counts import mark_of, standard_error, with_table, write_records
from .pages import markdown
from .populations import NORMAL
from .processes import answers

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "containment.md"
COUNTS = PAGE.parent / "containment-unequal.csv"
LEVEL, BANDS, RESAMPLES, SEED = 0.9, 400, 300, 20050307
POSITIVES, RATIOS, AREAS = (5, 10, 20, 50), (1, 4, 20), (0.85, 0.96)
KINDS = ("simultaneous", "fixed-width", "future")
Slopes = ("paper", "sd")


@dataclass(frozen=True)
class Containment:
    """How many bands of a kind held the true curve; kind "future" the curve of a new sample."""

    kind: str
    slope: str
    n_pos: int
    n_neg: int
    area: float
    bands: int
    held: int
    mean_area: float


def count(setting: tuple[int, int, float]) -> list[Containment]:
    """All kinds and slopes, asked of the same samples."""
    n_pos, ratio, area = setting
    n_neg, shift = n_pos * ratio, 2**0.5 * NORMAL.inv_cdf(area)
    labels = np.repeat([1, 0], [n_pos, n_neg])
    rng = np.random.default_rng([SEED, zlib.crc32(repr(setting).encode())])
    truth = true_curve(shift)
    found: dict[tuple[str, str], list[tuple[bool, float]]] = {
        place: [] for place in product(KINDS, Slopes)
    }
    for seed in range(BANDS):
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
            *place,
            n_pos,
            n_neg,
            area,
            len(all_of),
            sum(held for held, _ in all_of),
            round(float(np.mean([area for _, area in all_of])), 4),
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


def table(counts: list[Containment]) -> str:
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


def settings() -> Iterator[tuple[int, int, float]]:
    """Every number of positives, ratio of the classes and area."""
    yield from product(POSITIVES, RATIOS, AREAS)


def main() -> None:
    """Count, keep, and write the table."""
    counts = [one for found in answers(count, list(settings())) for one in found]
    write_records(COUNTS, counts, Containment)
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_table(text, mark_of("unequal classes"), table(counts)), encoding="utf-8")


if __name__ == "__main__":
    main()
