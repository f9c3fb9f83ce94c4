"""How often comparisons of the smAUC by influence functions reject equal models.

Two models with equal curves and correlated scores, calibrated, too low throughout or too high, so
that the midpoint lies at 0.5, below or above. ``python -m studies.smooth_comparisons`` counts what
is missing and writes the table of `docs/validation/comparisons.md` (minutes).
"""

from __future__ import annotations

import sys

import numpy as np

import rocwise as rw

from .cells import Records
from .kept_counts import markdown
from .study import Asked, Study, hits_part, run

SEED = 11
CASES = (300, 1_000, 3_000)  # positives, and as many negatives
SHIFTS = {"calibrated": -1.1, "too low": -2.5, "too high": 0.5}  # of the logits
SAMPLES = 2_000


def rejections(shift: str, cases: int, samples: int) -> Asked:
    """How many of the samples are told apart at the level of 5%."""
    rng = np.random.default_rng([SEED, cases, list(SHIFTS).index(shift)])
    y = np.repeat([0, 1], cases)
    found = 0
    for _ in range(samples):
        shared = rng.normal(size=len(y)) + 1.5 * y
        logits = [1.5 * (shared + rng.normal(size=len(y))) + SHIFTS[shift] for _ in range(2)]
        both = {name: 1 / (1 + np.exp(-each)) for name, each in zip("ab", logits, strict=True)}
        result = rw.compare(y, both, statistic="smooth-auc", method="influence")
        found += result.p_value < 0.05
    return {f"{shift}, {cases:,}": (samples, int(found))}


def tables(records: Records) -> dict[str, str]:
    """Rejections in percent."""
    rows = [
        [*one.question.split(", "), f"{100 * one.share:.1f}%", f"{100 * one.error:.1f}%"]
        for one in records["rejections"]
    ]
    heads = ["scores", "cases of either class", "rejected at 5%", "standard error"]
    return {"smooth comparisons": markdown(heads, rows)}


STUDY = Study(
    "smooth_comparisons",
    (
        hits_part(
            "rejections",
            [(shift, cases) for shift in SHIFTS for cases in CASES],
            rejections,
            samples=SAMPLES,
            few=3,
        ),
    ),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
