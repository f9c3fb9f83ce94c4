"""Whether bootstrap percentile intervals of an area hold less often than they say, and why.

Many small samples with few and with many resamples show what the percentiles themselves miss.
``python -m studies.percentile_intervals`` counts what is missing and writes the table of
`docs/guide/auc.md` (a minute and a half of one core).
"""

from __future__ import annotations

import math
import sys
from statistics import NormalDist

import numpy as np

import rocwise as rw

from .cells import Records
from .kept_counts import markdown
from .study import Asked, Study, hits_part, run

SMALL = 2000
RESAMPLES = (500, 2000)
ROWS = 140_000
SHIFT = 1.0  # between the classes, both normal with variance 1
TRUTH = NormalDist().cdf(SHIFT / math.sqrt(2))


def _labels(rows: int) -> np.ndarray:
    return np.repeat([0, 1], [rows * 7 // 10, rows * 3 // 10])


def same_samples(samples: int) -> Asked:
    """DeLong's intervals of large samples."""
    rng, y = np.random.default_rng(0), _labels(ROWS)
    held = sum(
        TRUTH in rw.auc(y, rng.normal(size=ROWS) + SHIFT * y, method="delong").interval
        for _ in range(samples)
    )
    return {f"the same samples of {ROWS:,} rows | DeLong": (samples, int(held))}


def small_samples(resamples: int, samples: int) -> Asked:
    """Percentiles of some resamples and DeLong's intervals, both of the same small samples."""
    rng, y = np.random.default_rng([1, resamples]), _labels(SMALL)
    held = np.zeros(2, int)
    for number in range(samples):
        data = rw.tally(y, rng.normal(size=SMALL) + SHIFT * y)
        drawn = rw.auc(data, method="bootstrap", n_resamples=resamples, rng=number).interval
        held += TRUTH in drawn, TRUTH in rw.auc(data, method="delong").interval
    named = f"samples of {SMALL:,} rows"
    return {
        f"{named} | {resamples:,} resamples": (samples, int(held[0])),
        f"{named} | DeLong, of those": (samples, int(held[1])),
    }


def tables(records: Records) -> dict[str, str]:
    """Coverage in percent."""
    rows = [
        [*one.question.split(" | "), f"{one.samples:,}", f"{one.percent}%"]
        for one in [*records["same"], *records["small"]]
    ]
    return {"percentile intervals": markdown(["", "interval", "samples", "coverage"], rows)}


STUDY = Study(
    "percentile_intervals",
    (
        hits_part("same", [()], same_samples, samples=400, few=4),
        hits_part("small", [(n,) for n in RESAMPLES], small_samples, samples=4000, few=20),
    ),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
