"""How often comparisons at a point of the curve by influence functions reject equal models.

Two models with equal curves and correlated scores, at a specificity and at a sensitivity of 0.9.
``python -m studies.point_comparisons`` counts what is missing and writes the table of
`docs/validation/comparisons.md` (some minutes of one core).
"""

from __future__ import annotations

import sys

import numpy as np

import rocwise as rw

from .cells import Records
from .kept_counts import markdown
from .study import Asked, Study, hits_part, run

SEED = 13
CASES = (100, 300, 1_000)  # beyond the given rate; a tenth of all of its class
SAMPLES = 2_000


def rejections(given: str, cases: int, samples: int) -> Asked:
    """How many of the samples are told apart at the level of 5%."""
    rng = np.random.default_rng([SEED, cases, len(given)])
    sizes = (10 * cases, 2 * cases) if given == "at_specificity" else (2 * cases, 10 * cases)
    y = np.repeat([0, 1], sizes)
    found = 0
    for _ in range(samples):
        shared = rng.normal(size=len(y)) + 1.5 * y
        both = {name: shared + rng.normal(size=len(y)) for name in ("a", "b")}
        asked = {given: 0.9}
        result = rw.compare(y, both, method="influence", **asked)
        found += result.p_value < 0.05
    return {f"{given}, {cases:,}": (samples, int(found))}


def tables(records: Records) -> dict[str, str]:
    """Rejections in percent."""
    rows = []
    for one in records["rejections"]:
        given, cases = one.question.split(", ")
        shares = f"{100 * one.share:.1f}%", f"{100 * one.error:.1f}%"
        rows.append([f"`{given}=0.9`", cases, *shares])
    heads = ["compared", "cases beyond the given rate", "rejected at 5%", "standard error"]
    return {"point comparisons": markdown(heads, rows)}


STUDY = Study(
    "point_comparisons",
    (
        hits_part(
            "rejections",
            [(given, cases) for given in ("at_specificity", "at_sensitivity") for cases in CASES],
            rejections,
            samples=SAMPLES,
            few=3,
        ),
    ),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
