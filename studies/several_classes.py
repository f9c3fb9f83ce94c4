"""Several classes: coverage of AUC intervals, type I error of paired tests, search of weights."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

import rocwise as rw
from rocwise.multiclass import Evolution, class_cost, sample_costs

from . import populations as pop
from .simulation import (
    Counts,
    Part,
    Proportion,
    Records,
    Study,
    by_cell,
    markdown,
    proportions,
    rows_by_quantity,
)

Floats = NDArray[np.float64]
METHODS = {"auto": "the default", "delong": "DeLong"}


# Intervals

PREVALENCES = np.array([0.6, 0.3, 0.1])
AVERAGES = ("hand-till", "ovr", "ovr-weighted", "ovo-weighted")


def unequal_classes(rng: np.random.Generator, n: int, *, fixed: bool) -> tuple[Floats, Floats]:
    """Three classes of unequal size and unequal discrimination."""
    y = (
        np.repeat([0, 1, 2], np.round(PREVALENCES * n).astype(int))
        if fixed
        else rng.choice(3, n, p=PREVALENCES)
    )
    z = rng.normal(size=(n, 3)) + np.array([[1.5, 0, 0], [0, 1, 0.5], [-0.8, 0, 1.2]])[y]
    return y, z


def averages(sizes: str, samples: int) -> Counts:
    """Averages of AUCs; the true values are those of a large sample."""
    fixed, found = sizes == "fixed", Counts()
    rng = np.random.default_rng([4, fixed])
    large = unequal_classes(rng, 400_000, fixed=fixed)
    truth = {name: rw.multiclass.auc(*large, average=name).value for name in AVERAGES}
    for _ in range(samples):
        sample = unequal_classes(rng, 150, fixed=fixed)
        for name, method in product(AVERAGES, METHODS):
            result = rw.multiclass.auc(*sample, average=name, method=method)
            found.add(f"`{name}`, {METHODS[method]}", truth[name] in result.interval)
    return found


def volume(n: int, samples: int) -> Counts:
    """The volume of three normal classes one standard deviation apart."""
    rng, found = np.random.default_rng(5), Counts()
    y, truth = np.repeat([0, 1, 2], n), pop.volume(1.0)
    for _ in range(samples):
        score = y + rng.normal(size=3 * n)
        for method, name in METHODS.items():
            interval = rw.ordinal.auc(y, score, method=method).interval
            found.add(f"volume, 3 classes of {n}, {name}", truth in interval)
    return found


EQUAL = [(n,) * m for m in (3, 5, 10) for n in (5, 10, 20, 50)]
UNEQUAL = [(90, 45, 15), (50, 50, 5), (100, 10, 5), (5, 50, 50, 50, 50)]
AUCS = (0.6, 0.8, 0.95, 0.99)
SCORES = {"own": "a score of its own", "one": "one measurement"}
SMALL = [
    *(("own", sizes, auc) for sizes in EQUAL + UNEQUAL for auc in AUCS),
    *(("one", sizes, auc) for sizes in UNEQUAL for auc in AUCS),
]


def scored_classes(scores: str, sizes: Sequence[int], distance: float, rng: Any) -> Any:
    """Labels, and a score for each class: independent, or the distance on a common scale."""
    m = len(sizes)
    y = np.repeat(np.arange(m), sizes)
    if scores == "own":
        return y, rng.normal(size=(len(y), m)) + distance * np.eye(m)[y]
    x = rng.normal(size=len(y)) + distance * y
    return y, -np.abs(x[:, None] - distance * np.arange(m))


def small_classes(scores: str, sizes: tuple[int, ...], auc: float, samples: int) -> Counts:
    """Hand and Till's M with few observations in a class."""
    rng = np.random.default_rng([6, *sizes, round(100 * auc), scores == "own"])
    found, distance, truth = Counts(), float(ndtri(auc)) * np.sqrt(2), auc
    if scores == "one":
        large = scored_classes(scores, (100_000,) * len(sizes), distance, rng)
        truth = rw.multiclass.auc(*large).value
    for _ in range(samples):
        result = rw.multiclass.auc(*scored_classes(scores, sizes, distance, rng))
        found.add(METHODS["auto"], truth in result.interval)
        wald = abs(result.value - truth) <= 1.96 * result.standard_error
        found.add(METHODS["delong"], wald)
    return found


def small_table(records: Sequence[Proportion]) -> str:
    """A row for each list of sizes; the default with its standard error, DeLong in brackets."""
    groups, rows = list(by_cell(records).values()), []
    for start in range(0, len(groups), len(AUCS)):
        scores, sizes, _ = SMALL[start]
        equal = len(set(sizes)) == 1
        name = f"{len(sizes)} of {sizes[0]}" if equal else ", ".join(map(str, sizes))
        shown = [
            f"{default.percent} ({100 * delong.value:.1f})"
            for default, delong in groups[start : start + len(AUCS)]
        ]
        rows.append([name, SCORES[scores], *shown])
    return markdown(["classes", "each has", *map(str, AUCS)], rows)


# Paired tests of equally good models

Test = Callable[[str], float]  # p value by method
SMALLEST = (10, 25, 100)


def _ordinal(rng: np.random.Generator, n: int) -> Test:
    y = np.repeat([0, 1, 2], n)
    shared = rng.normal(size=3 * n)
    a, b = (y * 0.8 + (shared + rng.normal(size=3 * n)) / np.sqrt(2) for _ in range(2))
    return lambda method: rw.ordinal.compare(y, {"a": a, "b": b}, method=method).p_value


def _multiclass(average: str) -> Callable[[np.random.Generator, int], Test]:
    def sample(rng: np.random.Generator, n: int) -> Test:
        y = rng.permutation(np.repeat([0, 1, 2], [n, n, 2 * n]))
        signal = np.eye(3)[y]
        shared = rng.normal(size=signal.shape)
        a, b = (signal + (shared + rng.normal(size=signal.shape)) / np.sqrt(2) for _ in range(2))
        options = {"average": average}
        return lambda method: (
            rw.multiclass.compare(y, {"a": a, "b": b}, method=method, **options).p_value
        )

    return sample


TESTS: dict[str, Callable[[np.random.Generator, int], Test]] = {
    "`ordinal.compare`, volume, 3 classes": _ordinal,
    "`multiclass.compare`, Hand-Till, 3 classes": _multiclass("hand-till"),
    "`multiclass.compare`, one-vs-rest, 3 classes": _multiclass("ovr"),
}


def rejections(test: str, n: int, samples: int) -> Counts:
    """Type I error by method."""
    rng, found = np.random.default_rng([3, n, list(TESTS).index(test)]), Counts()
    for _ in range(samples):
        p_value = TESTS[test](rng, n)
        for method, name in METHODS.items():
            found.add(f"{test}, {name}", p_value(method) <= 0.05)
    return found


# Class weights that minimize the expected cost: classifiers that are badly calibrated

SEARCHES: dict[str, dict[str, object]] = {
    "sequential": {},
    "passes": {},
    "cost-columns": {},
    "metaclass": {},
    "lp": {},
    "soft": {},
    "soft, continuation": {"continuation": True},
    "genetic-soft": {},
    "genetic": {},
    "genetic, differential evolution": {"evolution": Evolution(engine="differential-evolution")},
    "pair-moves": {},
}


@dataclass(frozen=True)
class Problem:
    """A classifier and a cost matrix by seed, and the number of observations."""

    m: int
    n: int
    seed: int

    def __str__(self) -> str:
        return f"{self.m} classes, {self.n} rows, problem {self.seed}"

    def sample(self, n: int, part: int = 0) -> tuple[NDArray[np.intp], Floats]:
        """Labels and probabilities; samples with different `part` are independent."""
        own = np.random.default_rng([self.m, self.seed])
        rng = np.random.default_rng([self.m, self.seed, n, part])
        y = np.concatenate([np.arange(self.m), rng.integers(0, self.m, n - self.m)])
        logits = rng.normal(size=(n, self.m)) + np.eye(self.m)[y]
        logits = logits * own.uniform(0.5, 2.5, self.m) + own.normal(size=self.m)
        scores = np.exp(logits - logits.max(axis=1, keepdims=True))
        return y.astype(np.intp), scores / scores.sum(axis=1, keepdims=True)

    def costs(self) -> Floats:
        """A cost matrix as in Deng et al. (2006)."""
        seed = 1000 * self.m + self.seed
        return sample_costs(1, 10, n_classes=self.m, n_samples=1, whole=True, rng=seed)[0]


@dataclass(frozen=True)
class Solution:
    """Cost that a search reaches, and its processor time."""

    cell: str
    m: int
    n: int
    method: str
    cost: float
    seconds: float


@dataclass(frozen=True)
class HeldOut:
    """Cost of optimal weights on the training sample and on new data, and of equal weights."""

    cell: str
    n: int
    train: float
    new: float
    equal: float


def expected_cost(name: str, y: NDArray[np.intp], scores: Floats, costs: Floats) -> float:
    """Expected cost of one search on its training sample."""
    if name == "metaclass":
        return rw.multiclass.metaclass(y, scores, costs=costs).cost
    options = SEARCHES.get(name, {})
    method = name.split(",")[0]
    return rw.multiclass.class_weights(y, scores, costs=costs, method=method, rng=0, **options).cost


def exact(m: int) -> str:
    """The search with a proven optimum."""
    return "sweep" if m <= 3 else "milp"


def solutions(problem: Problem) -> list[Solution]:
    """All searches, the exact one, and equal weights."""
    y, scores = problem.sample(problem.n)
    place, found = (str(problem), problem.m, problem.n), []
    for name in [*SEARCHES, exact(problem.m)]:
        started = time.process_time()
        cost = expected_cost(name, y, scores, problem.costs())
        found.append(Solution(*place, name, cost, time.process_time() - started))
    equal = class_cost(y, scores, costs=problem.costs())
    return [*found, Solution(*place, "equal weights", equal, 0.0)]


def held_out(problem: Problem) -> list[HeldOut]:
    """Optimism of the minimized cost."""
    costs, new = problem.costs(), problem.sample(20_000, part=1)
    fitted = rw.multiclass.class_weights(*problem.sample(problem.n), costs=costs)
    values = [class_cost(*new, rule=rule, costs=costs) for rule in (fitted, None)]
    return [HeldOut(str(problem), problem.n, fitted.cost, *values)]


def solution_table(records: Sequence[Solution]) -> str:
    """Searches against the proven optimum."""
    least = np.array([one.cost for one in records if one.method == exact(one.m)])
    rows = []
    for name in dict.fromkeys(one.method for one in records):
        own = [one for one in records if one.method == name]
        costs = np.array([one.cost for one in own])
        reached = int((costs <= least + 1e-9).sum())
        excess = f"{100 * (costs / least - 1).mean():+.1f}%"
        seconds = f"{np.median([one.seconds for one in own]):.3f}"
        rows.append([name, f"{costs.mean():.3f}", excess, f"{reached} of {len(costs)}", seconds])
    heads = ["method", "mean cost", "excess", "optimum reached", "CPU seconds (median)"]
    return markdown(heads, rows)


def held_out_table(records: Sequence[HeldOut]) -> str:
    """Mean costs by the size of the training sample."""
    rows = []
    for n in dict.fromkeys(one.n for one in records):
        own = [(one.train, one.new, one.equal) for one in records if one.n == n]
        rows.append([str(n), *(f"{mean:.3f}" for mean in np.mean(own, axis=0))])
    heads = ["rows fitted to", "cost there", "cost on new rows", "equal weights on new rows"]
    return markdown(heads, rows)


def tables(records: Records) -> dict[str, str]:
    """Coverage, type I error and costs."""
    coverage = rows_by_quantity(records["averages"])
    coverage += [[one.quantity, one.percent, "–"] for one in records["volume"]]
    tests = []
    for name in dict.fromkeys(one.quantity for one in records["rejections"]):
        own = [one.percent for one in records["rejections"] if one.quantity == name]
        tests.append([name, *own])
    solved = {m: [one for one in records["optimum"] if one.m == m] for m in (3, 5)}
    heads = ["measure", "class sizes fixed", "class sizes random"]
    return {
        "ordinal coverage": markdown(heads, coverage),
        "ordinal small classes": small_table(records["small"]),
        "ordinal null test": markdown(["smallest class:", *map(str, SMALLEST)], tests),
        "multiclass three classes": solution_table(solved[3]),
        "multiclass five classes": solution_table(solved[5]),
        "multiclass held out": held_out_table(records["held_out"]),
    }


def problems(*sizes: tuple[int, int, int]) -> list[Problem]:
    """Problems by number of classes, number of observations and number of problems."""
    return [Problem(m, n, seed) for m, n, count in sizes for seed in range(count)]


OPTIMUM = {False: problems((3, 60, 20), (5, 60, 8)), True: problems((3, 30, 2), (5, 15, 1))}
HELD_OUT = {
    False: problems(*((3, n, 40) for n in (30, 100, 300, 1000, 3000))),
    True: problems((3, 40, 3)),
}
STUDY = Study(
    "several_classes",
    (
        proportions("averages", [("fixed",), ("random",)], averages, samples=1000, few=20),
        proportions("small", SMALL, small_classes, samples=500, few=4),
        proportions("volume", [(30,)], volume, samples=1000, few=20),
        proportions("rejections", product(TESTS, SMALLEST), rejections, samples=2000, few=20),
        Part("optimum", Solution, OPTIMUM.__getitem__, solutions),
        Part("held_out", HeldOut, HELD_OUT.__getitem__, held_out),
    ),
    tables,
)
