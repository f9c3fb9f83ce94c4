"""How often intervals of measures of several and of ordered classes hold the truth.

``python -m studies.class_measures`` prints the table of `docs/explanation/coverage.md` (about
one minute of one core); ``--samples 20`` tries it.

Ordered classes: three normal classes whose means are equally far apart. Several classes: three
normal classes in the plane, the score of a class is minus the squared distance to its mean. True
values are those of three hundred thousand cases.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import rocwise as rw

from .kept_counts import standard_error
from .pages import markdown

SIZES = ((3, 3, 3), (5, 20, 20), (10, 10, 10), (25, 25, 25))
SHIFTS = (0.5, 1.5, 3.0)
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
    "VUS": (ordered, lambda rows, method: rw.ordinal_auc(*rows, method=method)),
    "mean pairwise AUC": (
        ordered,
        lambda rows, method: rw.ordinal_auc(*rows, measure="pairwise", method=method),
    ),
    "Hand-Till M": (several, lambda rows, method: rw.multiclass_auc(*rows, method=method)),
}


def truth(name: str, shift: float) -> float:
    """The measure of very many cases."""
    make, ask = MEASURES[name]
    many = (MANY // 3,) * 3
    return float(ask(make(np.random.default_rng(0), many, shift), "delong").value)


def shares(samples: int) -> Iterator[tuple[str, tuple[int, ...], list[float]]]:
    """Per measure and sizes, then by method, the coverage at every distance of the classes."""
    for name, (make, ask) in MEASURES.items():
        known = {shift: truth(name, shift) for shift in SHIFTS}
        for sizes in SIZES:
            held: dict[str, list[float]] = {"auto": [], "delong": []}
            for shift, true in known.items():
                rows = [
                    make(np.random.default_rng([seed, *sizes, round(10 * shift)]), sizes, shift)
                    for seed in range(samples)
                ]
                for method, found in held.items():
                    found.append(
                        float(np.mean([true in ask(one, method).interval for one in rows]))
                    )
            for found in held.values():
                yield name, sizes, found


def main(samples: int) -> None:
    """Print the table."""
    found: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for name, sizes, values in shares(samples):
        worst = min(values)
        error = standard_error(round(worst * samples), samples)
        cells = [f"{100 * worst:.1f} ± {100 * error:.1f}", f"{100 * np.mean(values):.1f}"]
        found.setdefault((name, sizes), []).extend(cells)
    heads = ["measure", "rows of the classes", "auto, lowest", "auto, mean"]
    heads += ["DeLong, lowest", "DeLong, mean"]
    rows = [[name, ", ".join(map(str, sizes)), *cells] for (name, sizes), cells in found.items()]
    print(markdown(heads, rows))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=500)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.RocwiseWarning)
        main(parser.parse_args().samples)
