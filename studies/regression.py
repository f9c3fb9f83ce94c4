"""Coverage of the interval of an area over the REC curve (mean loss), for errors and series."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np

import rocwise as rw

from .simulation import Counts, Records, Study, markdown, proportions, rows_by_name

Draw = Callable[[np.random.Generator, int], np.ndarray]
FAMILIES: dict[str, tuple[Draw, str, float]] = {  # errors, loss, its mean
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


def ar1(rng: np.random.Generator, n: int) -> np.ndarray:
    """A stationary autoregressive series with correlation 0.7 and variance 1."""
    noise = rng.normal(size=n) * math.sqrt(1 - 0.49)
    errors = np.empty(n)
    last = rng.normal()
    for k in range(n):
        last = errors[k] = 0.7 * last + noise[k]
    return errors


def coverage(draw: Draw, loss: str, mean: float, n: int, samples: int, block: int = 1) -> Counts:
    """Coverage of the mean loss; a missing interval does not cover."""
    rng, found = np.random.default_rng([n, block, samples]), Counts()
    for _ in range(samples):
        interval = rw.regression.rec(np.zeros(n), draw(rng, n), loss=loss).aoc_interval(block=block)
        covers = interval is not None and interval.low <= mean <= interval.high
        found.add("mean loss", covers)
    return found


def independent(name: str, n: int, samples: int) -> Counts:
    """Independent errors."""
    return coverage(*FAMILIES[name], n, samples)


def series(n: int, block: int, samples: int) -> Counts:
    """Autocorrelated errors, with an interval from blocks."""
    return coverage(ar1, "absolute", math.sqrt(2 / math.pi), n, samples, block)


def tables(records: Records) -> dict[str, str]:
    """Coverage by sample size, and by length of the blocks."""
    errors = rows_by_name([(name,) for name in FAMILIES], records["errors"])
    lengths = rows_by_name([(n,) for n in LENGTHS], records["series"])
    return {
        "rec areas": markdown(["errors, loss", *(f"n = {n}" for n in SIZES)], errors),
        "rec series": markdown(["n", *(f"block {block}" for block in BLOCKS)], lengths),
    }


STUDY = Study(
    "regression",
    (
        proportions("errors", product(FAMILIES, SIZES), independent, samples=2000, few=10),
        proportions("series", product(LENGTHS, BLOCKS), series, samples=2000, few=5),
    ),
    tables,
)
