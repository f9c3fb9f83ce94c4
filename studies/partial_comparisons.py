"""How often paired comparisons of partial areas by influence functions reject equal models.

Two models with equal curves and correlated scores; cases within the part are few, as many as the
default asks for, and more. ``python -m studies.partial_comparisons`` counts what is missing and
writes the table of `docs/validation/comparisons.md` (minutes).
"""

from __future__ import annotations

import sys

import numpy as np

import rocwise as rw

from .cells import Records
from .kept_counts import markdown
from .study import Asked, Study, hits_part, run

PART = 0.1  # largest FPR
SEED = 7
CASES = (300, 1_000, 3_000)  # negatives within the part, and as many positives in all


def rejections(cases: int, samples: int) -> Asked:
    """How many of the samples are told apart at the level of 5%."""
    rng = np.random.default_rng([SEED, cases])
    y = np.repeat([0, 1], [round(cases / PART), cases])
    found = 0
    for _ in range(samples):
        shared = rng.normal(size=len(y))
        both = {name: shared + rng.normal(size=len(y)) + 1.5 * y for name in ("a", "b")}
        result = rw.compare(y, both, max_fpr=PART, method="influence")
        found += result.p_value < 0.05
    return {f"{cases:,}": (samples, int(found))}


def tables(records: Records) -> dict[str, str]:
    """Rejections in percent."""
    rows = [
        [one.question, f"{100 * one.share:.1f}%", f"{100 * one.error:.1f}%"]
        for one in records["rejections"]
    ]
    heads = ["cases within the part", "rejected at 5%", "standard error"]
    return {"partial comparisons": markdown(heads, rows)}


STUDY = Study(
    "partial_comparisons",
    (hits_part("rejections", [(cases,) for cases in CASES], rejections, samples=4000, few=3),),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
