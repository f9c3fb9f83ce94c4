"""How often bootstrap intervals of very many scores hold the truth, in bins and of every row.

Both are made of the same samples. ``python -m studies.resamples_in_bins`` counts what is missing
and writes the table of `docs/explanation/variances-and-intervals.md` (5 minutes of one core from
nothing).
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

import rocwise as rw

from .cells import Part, Records
from .study import DOCS, Cell, Hits, Study, cells, run, shares

ROWS = 140_000
SHIFT = 1.0  # between the classes, both normal with variance 1
RESAMPLES = 500
TRUTHS = {
    "AUC": NormalDist().cdf(SHIFT / math.sqrt(2)),
    "sensitivity at specificity 0.9": NormalDist().cdf(SHIFT - NormalDist().inv_cdf(0.9)),
}
STATISTICS = {
    "AUC": rw.statistics.Area(),
    "sensitivity at specificity 0.9": rw.statistics.SensitivityAt(0.9),
}


@dataclass(frozen=True)
class Held(Hits):
    """Intervals that held the truth, and their mean width."""

    width: float


def held(cell: Cell) -> list[Held]:
    """Both ways to draw, for the samples of a cell and one statistic."""
    (name,) = cell.place
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [ROWS * 7 // 10, ROWS * 3 // 10])
    found = {"in bins": (0, 0.0), "every row": (0, 0.0)}
    for number in range(cell.samples):
        data = rw.tally(y, rng.normal(size=ROWS) + SHIFT * y)
        for how, (hits, width) in found.items():
            low, high = rw.bootstrap(
                data,
                statistic=STATISTICS[name],
                n_resamples=RESAMPLES,
                rng=number,
                exact=how == "every row",
                progress=False,
            ).interval
            found[how] = hits + (low <= TRUTHS[name] <= high), width + high - low
    return [
        Held(str(cell), f"{name} | {how}", cell.samples, int(hits), width / cell.samples)
        for how, (hits, width) in found.items()
    ]


def tables(records: Records) -> dict[str, str]:
    """Coverage in percent, and mean widths."""
    heads = ["statistic", "resampled", "held the truth"]
    width = "mean width", lambda one: f"{one.width:.6f}"
    return {"resamples in bins": shares(heads, records["held"], width)}


STUDY = Study(
    "resamples_in_bins",
    (Part("held", Held, cells([(name,) for name in TRUTHS], 400, 1), held),),
    tables,
    (DOCS / "explanation" / "variances-and-intervals.md",),
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
