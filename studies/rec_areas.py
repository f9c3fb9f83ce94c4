"""How often the interval of an area over a REC curve holds the true mean loss.

``python -m studies.rec_areas`` counts what is missing and writes the tables of
`docs/guide/regression.md`.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

import rocwise as rw

from .cells import Records
from .kept_counts import markdown
from .study import Asked, Hits, Study, hits_part, run

Draw = Callable[[np.random.Generator, int], np.ndarray]
FAMILIES: dict[str, tuple[Draw, str, float]] = {
    "normal, absolute": (lambda rng, n: rng.normal(size=n), "absolute", math.sqrt(2 / math.pi)),
    "normal, squared": (lambda rng, n: rng.normal(size=n), "squared", 1.0),
    "exponential, absolute": (lambda rng, n: rng.exponential(size=n), "absolute", 1.0),
    "t with 3 df, absolute": (
        lambda rng, n: rng.standard_t(3, size=n),
        "absolute",
        2 * math.sqrt(3) / math.pi,
    ),
    "t with 5 df, squared": (lambda rng, n: rng.standard_t(5, size=n), "squared", 5 / 3),
    "lognormal": (lambda rng, n: rng.lognormal(size=n), "absolute", math.exp(0.5)),
    "Pareto, 2.5": (lambda rng, n: rng.pareto(2.5, size=n), "absolute", 1 / 1.5),
    "70% exact, else exponential": (
        lambda rng, n: (rng.random(n) < 0.3) * rng.exponential(size=n),
        "absolute",
        0.3,
    ),
}
SIZES = (10, 30, 100, 300)
LENGTHS, BLOCKS = (100, 300, 1000), (1, 5, 10, 20)


def series(rng: np.random.Generator, n: int) -> np.ndarray:
    """Errors of a stationary autoregression with correlation 0.7 and variance 1."""
    noise = rng.normal(size=n) * math.sqrt(1 - 0.49)
    errors = np.empty(n)
    last = rng.normal()
    for k in range(n):
        last = errors[k] = 0.7 * last + noise[k]
    return errors


def covered(draw: Draw, loss: str, mean: float, n: int, samples: int, block: int = 1) -> Asked:
    """In how many samples the interval holds the mean loss; without an interval: missed."""
    rng = np.random.default_rng([n, block, samples])
    hits = 0
    for _ in range(samples):
        curve = rw.regression.rec(np.zeros(n), draw(rng, n), loss=loss)
        with warnings.catch_warnings(action="ignore", category=rw.errors.MisuseWarning):
            limits = curve.aoc_interval(block=block)
        hits += limits is not None and limits.low <= mean <= limits.high
    return {"mean loss": (samples, hits)}


def of_errors(name: str, n: int, samples: int) -> Asked:
    """Independent errors."""
    draw, loss, mean = FAMILIES[name]
    return covered(draw, loss, mean, n, samples)


def of_series(n: int, block: int, samples: int) -> Asked:
    """Errors that depend on the ones before."""
    return covered(series, "absolute", math.sqrt(2 / math.pi), n, samples, block)


def _lines(names: Sequence[object], counts: Sequence[Hits]) -> list[list[str]]:
    width = len(counts) // len(names)
    return [
        [str(name), *(one.percent for one in counts[k * width : (k + 1) * width])]
        for k, name in enumerate(names)
    ]


def tables(records: Records) -> dict[str, str]:
    """Both tables by their marks."""
    sizes, blocks = ([f"n = {n}" for n in SIZES], [f"block {block}" for block in BLOCKS])
    return {
        "rec areas": markdown(["errors, loss", *sizes], _lines(list(FAMILIES), records["errors"])),
        "rec series": markdown(["n", *blocks], _lines(LENGTHS, records["series"])),
    }


STUDY = Study(
    "rec_areas",
    (
        hits_part("errors", list(product(FAMILIES, SIZES)), of_errors, samples=2000, few=10),
        hits_part("series", list(product(LENGTHS, BLOCKS)), of_series, samples=2000, few=5),
    ),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
