"""How the measures of ordered classes behave: normal classes, random rankings, and tests.

Repeats section 3 of Waegeman, De Baets and Boullart (2006), and counts how often the paired tests
for ordered and for several classes reject when both models are equally good.
``python -m studies.ordinal_measures`` counts what is missing and writes the tables of intervals and
tests (some minutes of a core); those of the measures are `papers/ordinal`'s.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocwise as rw

from .cells import Records
from .kept_counts import markdown
from .study import Asked, Hits, Study, by_cell, hits_part, run

MEASURES = ("volume", "consecutive", "pairwise")
SHIFTS = (0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0)
CLASSES = (2, 3, 4, 5)
ROWS, RUNS = 100, 20
Floats = NDArray[np.float64]


def expected(r: int, d: float) -> dict[str, float]:
    """What the measures are on average when class k is normal with mean k d and equal sizes."""
    areas = {
        (low, high): float(ndtr((high - low) * d / np.sqrt(2)))
        for low, high in combinations(range(r), 2)
    }
    cuts = []
    for cut in range(1, r):
        pairs = [areas[low, high] for low in range(cut) for high in range(cut, r)]
        cuts.append(np.mean(pairs))
    return {
        "volume": _expected_volume(r, d),
        "consecutive": float(np.mean(cuts)),
        "pairwise": float(np.mean(list(areas.values()))),
    }


def _expected_volume(r: int, d: float, steps: int = 40_001) -> float:
    """P(X_1 < ... < X_r): one cumulative integral per class (Simpson would gain nothing here)."""
    x = np.linspace(-9.0, (r - 1) * d + 9.0, steps)
    inner = np.ones(steps)
    for k in range(r):
        density = np.exp(-0.5 * (x - k * d) ** 2) / np.sqrt(2 * np.pi) * inner
        inner = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2 * (x[1] - x[0]))])
    return float(inner[-1])


def simulated(r: int, d: float, *, runs: int = RUNS, seed: int = 1) -> Floats:
    """The measures in each run, (runs, measures)."""
    rng = np.random.default_rng([seed, r, round(100 * d)])
    y = np.repeat(np.arange(r), ROWS)
    results = []
    for _ in range(runs):
        f = y * d + rng.normal(size=len(y))
        results.append([rw.ordinal.auc(y, f, measure=name).value for name in MEASURES])
    return np.array(results)


def random_rankings(rankings: int, seed: int) -> Floats:
    """The four measures of random rankings."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(4), 50)
    results = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.DirectionWarning)  # some are below by chance
        for _ in range(rankings):
            f = rng.permutation(len(y))
            results.append([rw.ordinal.auc(y, f, measure=m).value for m in (*MEASURES, "pairs")])
    return np.array(results)


METHODS = {"auto": "the default", "delong": "DeLong"}
Ask = Callable[[str], float]  # a p value by method


def _ordered_pair(rng: np.random.Generator, n: int) -> Ask:
    y = np.repeat([0, 1, 2], n)
    shared = rng.normal(size=3 * n)
    a, b = (y * 0.8 + (shared + rng.normal(size=3 * n)) / np.sqrt(2) for _ in range(2))
    return lambda method: rw.ordinal.compare(y, {"a": a, "b": b}, method=method).p_value


def _class_pair(average: str) -> Callable[[np.random.Generator, int], Ask]:
    def drawn(rng: np.random.Generator, n: int) -> Ask:
        y = rng.permutation(np.repeat([0, 1, 2], [n, n, 2 * n]))
        signal = np.eye(3)[y]
        shared = rng.normal(size=signal.shape)
        tables = [signal + (shared + rng.normal(size=signal.shape)) / np.sqrt(2) for _ in range(2)]
        scores = dict(zip("ab", tables, strict=True))
        options = {"average": average}
        return lambda how: rw.multiclass.compare(y, scores, method=how, **options).p_value

    return drawn


TESTS: dict[str, Callable[[np.random.Generator, int], Ask]] = {
    "`ordinal.compare`, volume, 3 classes": _ordered_pair,
    "`multiclass.compare`, Hand-Till, 3 classes": _class_pair("hand-till"),
    "`multiclass.compare`, one-vs-rest, 3 classes": _class_pair("ovr"),
}
SMALLEST = (10, 25, 100)


def rejections(test: str, n: int, samples: int) -> Asked:
    """How often a paired test rejects at 5% when both models are equally good."""
    rng = np.random.default_rng([3, n, list(TESTS).index(test)])
    hits = dict.fromkeys(METHODS, 0)
    for _ in range(samples):
        p_value = TESTS[test](rng, n)
        for method in METHODS:
            hits[method] += p_value(method) <= 0.05
    return {f"{test}, {METHODS[method]}": (samples, int(found)) for method, found in hits.items()}


def rejection_table(counts: Sequence[Hits]) -> str:
    """Shares of rejections with their standard errors."""
    rows = [
        [question, *(one.percent for one in counts if one.question == question)]
        for question in dict.fromkeys(one.question for one in counts)
    ]
    return markdown(["smallest class:", *map(str, SMALLEST)], rows)


SHARES = np.array([0.6, 0.3, 0.1])
AVERAGES = ("hand-till", "ovr", "ovr-weighted", "ovo-weighted")


def class_sample(rng: np.random.Generator, n: int, *, fixed: bool) -> tuple[Floats, Floats]:
    """Three classes of unequal size that are told apart unequally well."""
    y = (
        np.repeat([0, 1, 2], np.round(SHARES * n).astype(int))
        if fixed
        else rng.choice(3, n, p=SHARES)
    )
    z = rng.normal(size=(n, 3)) + np.array([[1.5, 0, 0], [0, 1, 0.5], [-0.8, 0, 1.2]])[y]
    return y, z


def coverages(sizes: str, samples: int) -> Asked:
    """How often the 95% interval of each average holds the truth, found in a large sample."""
    fixed = sizes == "fixed"
    rng = np.random.default_rng([4, fixed])
    large = class_sample(rng, 400_000, fixed=fixed)
    truths = [rw.multiclass.auc(*large, average=name).value for name in AVERAGES]
    hits = dict.fromkeys(product(AVERAGES, METHODS), 0)
    for _ in range(samples):
        sample = class_sample(rng, 150, fixed=fixed)
        for (name, method), truth in zip(hits, np.repeat(truths, len(METHODS)), strict=True):
            result = rw.multiclass.auc(*sample, average=name, method=method)
            hits[name, method] += truth in result.interval
    return {f"`{name}`, {METHODS[how]}": (samples, found) for (name, how), found in hits.items()}


SIZED = [(n,) * m for m in (3, 5, 10) for n in (5, 10, 20, 50)]
UNLIKE = [(90, 45, 15), (50, 50, 5), (100, 10, 5), (5, 50, 50, 50, 50)]
AREAS = (0.6, 0.8, 0.95, 0.99)
SCORES = {"own": "a score of its own", "one": "one measurement"}


def scored_classes(scores: str, sizes: Sequence[int], distance: float, rng: Any) -> Any:
    """Labels, and for each class the score of its own, or nearness to it on one scale."""
    m = len(sizes)
    y = np.repeat(np.arange(m), sizes)
    if scores == "own":
        return y, rng.normal(size=(len(y), m)) + distance * np.eye(m)[y]
    x = rng.normal(size=len(y)) + distance * y
    return y, -np.abs(x[:, None] - distance * np.arange(m))


def small_classes(scores: str, sizes: tuple[int, ...], area: float, samples: int) -> Asked:
    """How often 95% intervals of Hand and Till's M hold the truth with few rows in a class."""
    rng = np.random.default_rng([6, *sizes, round(100 * area), scores == "own"])
    distance = float(ndtri(area)) * np.sqrt(2)
    truth = area
    if scores == "one":
        large = scored_classes(scores, (100_000,) * len(sizes), distance, rng)
        truth = rw.multiclass.auc(*large).value
    held = np.zeros(2, int)
    for _ in range(samples):
        result = rw.multiclass.auc(*scored_classes(scores, sizes, distance, rng))
        reach = 1.96 * result.standard_error
        held += truth in result.interval, abs(result.value - truth) <= reach
    return {METHODS[how]: (samples, int(hits)) for how, hits in zip(METHODS, held, strict=True)}


SMALL_PLACES = [
    *(("own", sizes, area) for sizes in SIZED + UNLIKE for area in AREAS),
    *(("one", sizes, area) for sizes in UNLIKE for area in AREAS),
]


def small_table(counts: Sequence[Hits]) -> str:
    """The default with its standard error, DeLong in brackets; a row for each list of sizes."""
    found = list(by_cell(counts).values())
    rows = []
    for start in range(0, len(found), len(AREAS)):
        scores, sizes, _ = SMALL_PLACES[start]
        alike = len(set(sizes)) == 1
        named = f"{len(sizes)} of {sizes[0]}" if alike else ", ".join(map(str, sizes))
        shown = [f"{own.percent} ({100 * delong.share:.1f})" for own, delong in found[start:][:4]]
        rows.append([named, SCORES[scores], *shown])
    return markdown(["classes", "each has", *map(str, AREAS)], rows)


def volume_coverage(n: int, samples: int) -> Asked:
    """The same for the volume of three normal classes a standard deviation apart."""
    rng = np.random.default_rng(5)
    y, truth = np.repeat([0, 1, 2], n), expected(3, 1.0)["volume"]
    scores = [y + rng.normal(size=3 * n) for _ in range(samples)]
    held = {
        method: sum(truth in rw.ordinal.auc(y, s, method=method).interval for s in scores)
        for method in METHODS
    }
    return {f"volume, 3 classes of {n}, {METHODS[how]}": (samples, held[how]) for how in METHODS}


def coverage_table(averages: Sequence[Hits], volume: Sequence[Hits]) -> str:
    """Shares of intervals that hold the truth, with their standard errors."""
    fixed, random = by_cell(averages).values()
    rows = [
        [one.question, one.percent, other.percent] for one, other in zip(fixed, random, strict=True)
    ]
    rows += [[one.question, one.percent, "–"] for one in volume]
    return markdown(["measure", "class sizes fixed", "class sizes random"], rows)


def tables(records: Records) -> dict[str, str]:
    """The tables of intervals and tests by their marks."""
    return {
        "ordinal coverage": coverage_table(records["averages"], records["volume"]),
        "ordinal small classes": small_table(records["small"]),
        "ordinal null test": rejection_table(records["rejections"]),
    }


STUDY = Study(
    "ordinal_measures",
    (
        hits_part("averages", [("fixed",), ("random",)], coverages, samples=1000, few=20),
        hits_part("small", SMALL_PLACES, small_classes, samples=500, few=4),
        hits_part("volume", [(30,)], volume_coverage, samples=1000, few=20),
        hits_part("rejections", list(product(TESTS, SMALLEST)), rejections, samples=2000, few=20),
    ),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
