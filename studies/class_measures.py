"""How often intervals of measures of several and of ordered classes hold the truth.

``python -m studies.class_measures`` counts what is missing and writes its table into
`docs/explanation/coverage.md` (less than a minute of one core).

Ordered classes: three normal classes whose means are equally far apart. Several classes: three
normal classes in the plane, the score of a class is minus the squared distance to its mean. True
values are those of three hundred thousand cases.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np

import rocwise as rw

from .cells import Records
from .kept_counts import standard_error
from .pages import markdown
from .study import DOCS, Asked, Study, by_cell, hits_part, run

SIZES = ((3, 3, 3), (5, 20, 20), (10, 10, 10), (25, 25, 25))
SHIFTS = (0.5, 1.5, 3.0)
METHODS = ("auto", "delong")
MANY = 300_000
Rows = tuple[np.ndarray, np.ndarray]
Ask = Callable[[Rows, str], Any]


def ordered(rng: np.random.Generator, sizes: tuple[int, ...], shift: float) -> Rows:
    """Labels and one score."""
    y = np.repeat(np.arange(3), sizes)
    return y, rng.normal(size=len(y)) + shift * y


def several(rng: np.random.Generator, sizes: tuple[int, ...], shift: float) -> Rows:
    """Labels and one score for each class."""
    y = np.repeat(np.arange(3), sizes)
    corners = shift / 3**0.5 * np.array([[np.cos(a), np.sin(a)] for a in (0.5, 2.6, 4.7)])
    x = rng.normal(size=(len(y), 2)) + corners[y]
    return y, -((x[:, None, :] - corners) ** 2).sum(axis=2)


MEASURES: dict[str, tuple[Callable[..., Rows], Ask]] = {
    "VUS": (ordered, lambda rows, method: rw.ordinal.auc(*rows, method=method)),
    "mean pairwise AUC": (
        ordered,
        lambda rows, method: rw.ordinal.auc(*rows, measure="pairwise", method=method),
    ),
    "Hand-Till M": (several, lambda rows, method: rw.multiclass.auc(*rows, method=method)),
}


@cache
def truth(name: str, shift: float) -> float:
    """The measure of very many cases."""
    make, ask = MEASURES[name]
    many = (MANY // 3,) * 3
    return float(ask(make(np.random.default_rng(0), many, shift), "delong").value)


def shares(name: str, sizes: str, samples: int) -> Asked:
    """Intervals that hold the truth, by method and distance of the classes."""
    make, ask = MEASURES[name]
    numbers = tuple(map(int, sizes.split(", ")))
    found = {}
    for shift in SHIFTS:
        rows = [
            make(np.random.default_rng([seed, *numbers, round(10 * shift)]), numbers, shift)
            for seed in range(samples)
        ]
        for method in METHODS:
            held = sum(truth(name, shift) in ask(one, method).interval for one in rows)
            found[f"{method}, {shift:g}"] = (samples, held)
    return found


def tables(records: Records) -> dict[str, str]:
    """Lowest and mean coverage over the distances of the classes."""
    heads = ["measure", "rows of the classes", "auto, lowest", "auto, mean"]
    heads += ["DeLong, lowest", "DeLong, mean"]
    rows = []
    for place, found in zip(PLACES, by_cell(records["shares"]).values(), strict=True):
        row = list(place)
        for method in METHODS:
            own = [one for one in found if one.question.startswith(method)]
            worst = min(own, key=lambda one: one.share)
            error = standard_error(worst.hits, worst.samples)
            row.append(f"{100 * worst.share:.1f} ± {100 * error:.1f}")
            row.append(f"{100 * np.mean([one.share for one in own]):.1f}")
        rows.append(row)
    return {"class measures": markdown(heads, rows)}


PLACES = list(product(MEASURES, [", ".join(map(str, sizes)) for sizes in SIZES]))
STUDY = Study(
    "class_measures",
    (hits_part("shares", PLACES, shares, samples=200, few=5),),
    tables,
    (DOCS / "explanation" / "coverage.md",),
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
