"""The statements of the section: the worked example, and the interval by simulation."""

from __future__ import annotations

import math
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

import rocwise as rw
from papers.shared.claims import Claim
from papers.shared.paper import Expected, Records

if TYPE_CHECKING:
    pass

EXAMPLE = (1, 1, 0, 1, 0, 1)  # the only order that begins with two positives and has area 5 of 8
LEVEL = 0.95


def claims(records: Records, _expected: Expected) -> list[Claim]:
    """In the order of the paper."""
    t = [one for one in records["coverage"] if one.method == "t"]
    scores = np.arange(6, 0, -1)
    example = rw.step_area(EXAMPLE, scores)
    curve = rw.roc(EXAMPLE, scores)
    steps = np.column_stack([np.rint(curve.fpr * 2), np.rint(curve.tpr * 4)]).astype(int)
    orders = [rw.step_area(own, scores).value for own in set(permutations(EXAMPLE))]
    perfect = rw.step_area(sorted(EXAMPLE, reverse=True), scores)
    shares = [one.hits / one.samples for one in t]
    errors = [math.sqrt(LEVEL * (1 - LEVEL) / one.samples) for one in t]
    inside = sum(
        abs(share - LEVEL) <= 2 * error for share, error in zip(shares, errors, strict=True)
    )
    return [
        Claim(
            "figure 5.2",
            "the second point of the example is (1, 0), the third (2, 0), the fourth (2, 1)",
            "`roc` of the example",
            f"{', '.join(map(str, map(tuple, steps[1:4].tolist())))}: up is y",
            bool((steps[1:4] == [(0, 1), (0, 2), (1, 2)]).all()),
            erratum=True,
        ),
        Claim(
            "section 5.1.4",
            "a curve of R rows has R steps and ends at (R - P, P)",
            "`roc` of the example",
            f"{int(np.diff(steps, axis=0).sum())} steps to {tuple(steps[-1].tolist())}",
            int(np.diff(steps, axis=0).sum()) == 6 and tuple(steps[-1]) == (2, 4),
        ),
        Claim(
            "figure 5.2",
            "the area is 5, that of the perfect learner 8, the AUC 5/8",
            "`step_area` of the example",
            f"{example.area:g}, {example.perfect_area:g}, {example.value:g}",
            (example.area, example.perfect_area, example.value) == (5, 8, 5 / 8),
            conclusion=True,
        ),
        Claim(
            "section 5.1.4",
            "a perfect learner has an AUC of 1, random guessing 0.5",
            f"`step_area` of all {len(orders)} orders of the example",
            f"{perfect.value:g}, mean {np.mean(orders):g}",
            perfect.value == 1 and abs(np.mean(orders) - 0.5) < 1e-12,
        ),
        Claim(
            "section 5.1.4",
            "Student's t over ten folds gives a 95% interval",
            f"coverage of the mean true AUC, {len(t)} sizes of samples",
            f"{min(shares):.1%} to {max(shares):.1%}; within two s.e. of 95% at {inside}",
            inside == len(t),
        ),
    ]
