"""How the measures of ordered classes behave: normal classes, random rankings, and tests.

Repeats section 3 of Waegeman, De Baets and Boullart (2006), and counts how often the paired tests
for ordered and for several classes reject when both models are equally good.
``python -m studies.ordinal_measures`` writes the tables of the page (less than a minute of a core).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

import rocwise as rw

from .kept_counts import mark_of, with_table
from .pages import markdown

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "ordinal-measures.md"
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
    answers = []
    for _ in range(runs):
        f = y * d + rng.normal(size=len(y))
        answers.append([rw.ordinal_auc(y, f, measure=name).value for name in MEASURES])
    return np.array(answers)


def random_rankings(rankings: int, seed: int) -> Floats:
    """The four measures of random rankings."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(4), 50)
    answers = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.DirectionWarning)  # some are below by chance
        for _ in range(rankings):
            f = rng.permutation(len(y))
            answers.append([rw.ordinal_auc(y, f, measure=m).value for m in (*MEASURES, "pairs")])
    return np.array(answers)


def _ordered_pair(rng: np.random.Generator, n: int) -> float:
    y = np.repeat([0, 1, 2], n)
    shared = rng.normal(size=3 * n)
    a, b = (y * 0.8 + (shared + rng.normal(size=3 * n)) / np.sqrt(2) for _ in range(2))
    return rw.compare_ordinal(y, {"a": a, "b": b}).p_value


def _class_pair(average: str) -> Callable[[np.random.Generator, int], float]:
    def p_value(rng: np.random.Generator, n: int) -> float:
        y = rng.permutation(np.repeat([0, 1, 2], [n, n, 2 * n]))
        signal = np.eye(3)[y]
        shared = rng.normal(size=signal.shape)
        tables = [signal + (shared + rng.normal(size=signal.shape)) / np.sqrt(2) for _ in range(2)]
        scores = dict(zip("ab", tables, strict=True))
        return rw.compare_multiclass(y, scores, average=average).p_value

    return p_value


TESTS: dict[str, Callable[[np.random.Generator, int], float]] = {
    "`compare_ordinal`, volume, 3 classes": _ordered_pair,
    "`compare_multiclass`, Hand-Till, 3 classes": _class_pair("hand-till"),
    "`compare_multiclass`, one-vs-rest, 3 classes": _class_pair("ovr"),
}


def rejections(test: str, n: int, *, replicates: int = 2000, seed: int = 3) -> float:
    """How often a paired test rejects at 5 % when both models are equally good."""
    rng = np.random.default_rng([seed, n, list(TESTS).index(test)])
    return float(np.mean([TESTS[test](rng, n) <= 0.05 for _ in range(replicates)]))


def rejection_table(*, replicates: int = 2000) -> str:
    """Shares of rejections with their standard errors."""
    rows = []
    for test in TESTS:
        cells = []
        for n in (10, 25, 100):
            share = rejections(test, n, replicates=replicates)
            error = np.sqrt(share * (1 - share) / replicates)
            cells.append(f"{100 * share:.1f} ± {100 * error:.1f}")
        rows.append([test, *cells])
    return markdown(["smallest class:", "10", "25", "100"], rows)


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


def coverages(*, fixed: bool, n: int = 150, replicates: int = 1000, seed: int = 4) -> list[float]:
    """How often the 95 % interval of each average holds the truth, found in a large sample."""
    rng = np.random.default_rng([seed, fixed])
    large = class_sample(rng, 400_000, fixed=fixed)
    truths = [rw.multiclass_auc(*large, average=name).value for name in AVERAGES]
    hits = np.zeros(len(AVERAGES))
    for _ in range(replicates):
        sample = class_sample(rng, n, fixed=fixed)
        answers = [rw.multiclass_auc(*sample, average=name).interval for name in AVERAGES]
        hits += [truth in interval for truth, interval in zip(truths, answers, strict=True)]
    return (hits / replicates).tolist()


def volume_coverage(*, n: int = 30, replicates: int = 1000, seed: int = 5) -> float:
    """The same for the volume of three normal classes a standard deviation apart."""
    rng = np.random.default_rng(seed)
    y, truth = np.repeat([0, 1, 2], n), expected(3, 1.0)["volume"]
    found = [rw.ordinal_auc(y, y + rng.normal(size=3 * n)).interval for _ in range(replicates)]
    return float(np.mean([truth in interval for interval in found]))


def coverage_table(*, replicates: int = 1000) -> str:
    """Shares of intervals that hold the truth, with their standard errors."""

    def cell(share: float) -> str:
        error = np.sqrt(share * (1 - share) / replicates)
        return f"{100 * share:.1f} ± {100 * error:.1f}"

    by_design = [coverages(fixed=fixed, replicates=replicates) for fixed in (True, False)]
    rows = [
        [f"`{name}`", *(cell(design[k]) for design in by_design)] for k, name in enumerate(AVERAGES)
    ]
    rows.append(["volume, 3 classes of 30", cell(volume_coverage(replicates=replicates)), "–"])
    return markdown(["measure", "class sizes fixed", "class sizes random"], rows)


TABLES: dict[str, Callable[[], str]] = {
    "coverage": coverage_table,
    "rejections": rejection_table,
}


def main() -> None:
    """Write the tables of intervals and tests; those of the measures are `papers/ordinal`'s."""
    text = PAGE.read_text(encoding="utf-8")
    for name, table in TABLES.items():
        text = with_table(text, mark_of(name), table())
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
