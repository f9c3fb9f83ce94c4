"""How often Venkatraman's test with midranks rejects equal curves when one marker is coarse.

Both markers have the same true curve: the second is the first grouped into a few levels, or an
independent one so grouped, and the first is spread evenly inside each level.
``python -m studies.coarse_markers`` counts what is missing and writes the table of
`docs/guide/comparison.md`.
"""

from __future__ import annotations

import sys
from itertools import product
from typing import Literal

import numpy as np

import rocwise as rw

from .cells import Records
from .kept_counts import markdown
from .study import Asked, Study, by_cell, hits_part, run

LEVEL, RESAMPLES = 0.05, 399
SIZES, LEVELS = (60, 200), (2, 3, 5, 10, 20)
Ties = Literal["midrank", "random"]
TIES: tuple[Ties, ...] = ("midrank", "random")


def drawn(rng: np.random.Generator, n: int, levels: int) -> tuple[np.ndarray, ...]:
    """Labels, a fine marker, and a coarse one with the same true curve (with lines, not steps)."""
    mask = (np.arange(n) < n // 2).astype(np.uint8)
    shared = rng.normal(size=n)
    edges = np.linspace(-1.5, 2.5, levels - 1)
    coarse, base = (
        np.digitize(mask + 0.7 * shared + 0.7 * rng.normal(size=n), edges) for _ in range(2)
    )
    return mask, base + rng.random(n), coarse.astype(float)


def rejected(n: int, levels: int, samples: int) -> Asked:
    """In how many samples the p value is at most the level, by what is done with ties."""
    found = {}
    for ties in TIES:
        rng = np.random.default_rng([n, levels])  # the same samples for both
        hits = 0
        for sample in range(samples):
            mask, fine, coarse = drawn(rng, n, levels)
            both = {"fine": fine, "coarse": coarse}
            options = {"ties": ties, "n_resamples": RESAMPLES, "rng": sample}
            hits += rw.compare(mask, both, method="venkatraman", **options).p_value <= LEVEL
        found[ties] = (samples, int(hits))
    return found


def tables(records: Records) -> dict[str, str]:
    """Rejections in percent."""
    rows = [
        [*map(str, place), *(f"{one.percent}%" for one in found)]
        for place, found in zip(PLACES, by_cell(records["rejected"]).values(), strict=True)
    ]
    return {"coarse markers": markdown(["n", "levels", *TIES], rows)}


PLACES = list(product(SIZES, LEVELS))
STUDY = Study(
    "coarse_markers",
    (hits_part("rejected", PLACES, rejected, samples=500, few=3),),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
