"""How cheap the class weights of each method are: against the optimum, and on new rows.

``python -m studies.operating_points`` counts the problems that are missing in its folder of counts
and writes the tables of the page (about two minutes of a core from nothing).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import rocwise as rw
from rocwise.multiclass import Evolution, class_cost, sample_costs

from .cells import Part, Records
from .kept_counts import markdown
from .study import Study, run

Floats = NDArray[np.float64]
SAME_COST = 1e-9
HELD_OUT_ROWS = 20_000

METHODS: dict[str, dict[str, object]] = {
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
class Source:
    """A classifier that is badly calibrated in its own way, and costs from 1 to 10."""

    m: int
    seed: int

    def rows(self, n: int, part: int = 0) -> tuple[NDArray[np.intp], Floats]:
        """Classes and confidences; `part` tells independent samples apart."""
        own, rng = self._own(), np.random.default_rng([self.m, self.seed, n, part])
        y = np.concatenate([np.arange(self.m), rng.integers(0, self.m, n - self.m)])
        logits = rng.normal(size=(n, self.m)) + np.eye(self.m)[y]
        logits = logits * own.uniform(0.5, 2.5, self.m) + own.normal(size=self.m)
        scores = np.exp(logits - logits.max(axis=1, keepdims=True))
        return y.astype(np.intp), scores / scores.sum(axis=1, keepdims=True)

    def costs(self) -> Floats:
        """A cost matrix as in the experiments of Deng et al. (2006)."""
        return sample_costs(
            1, 10, n_classes=self.m, n_samples=1, whole=True, rng=1000 * self.m + self.seed
        )[0]

    def _own(self) -> np.random.Generator:
        return np.random.default_rng([self.m, self.seed])


def asked(name: str, y: NDArray[np.intp], scores: Floats, costs: Floats) -> float:
    """Expected cost of one method on the rows it is fitted to."""
    if name == "metaclass":
        return rw.multiclass.metaclass(y, scores, costs=costs).cost
    options = METHODS.get(name, {})
    method = name.split(",")[0]
    return rw.multiclass.class_weights(y, scores, costs=costs, method=method, rng=0, **options).cost


@dataclass(frozen=True)
class Problem:
    """One source, and how many rows of it are fitted to."""

    m: int
    n: int
    seed: int

    def __str__(self) -> str:
        return f"{self.m} classes, {self.n} rows, problem {self.seed}"


@dataclass(frozen=True)
class Solved:
    """What a method reached on one problem, with what time of the processor."""

    cell: str
    m: int
    n: int
    method: str
    cost: float
    seconds: float


@dataclass(frozen=True)
class Held:
    """Cost of exact weights where they were fitted and on new rows, and of equal ones there."""

    cell: str
    n: int
    there: float
    new: float
    equal: float


def exact(m: int) -> str:
    """The method whose result is proven."""
    return "sweep" if m <= 3 else "milp"


def solved(problem: Problem) -> list[Solved]:
    """Every method on one problem, the exact one and equal weights last."""
    source = Source(problem.m, problem.seed)
    y, scores = source.rows(problem.n)
    place, found = (str(problem), problem.m, problem.n), []
    for name in [*METHODS, exact(problem.m)]:
        started = time.process_time()
        cost = asked(name, y, scores, source.costs())
        found.append(Solved(*place, name, cost, time.process_time() - started))
    equal = class_cost(y, scores, costs=source.costs())
    return [*found, Solved(*place, "equal weights", equal, 0.0)]


def held_out(problem: Problem) -> list[Held]:
    """Cost on the rows fitted to and on new rows, for exact weights and for equal ones."""
    source = Source(problem.m, problem.seed)
    y, scores = source.rows(problem.n)
    new_y, new_scores = source.rows(HELD_OUT_ROWS, part=1)
    fitted = rw.multiclass.class_weights(y, scores, costs=source.costs())
    new = [
        class_cost(new_y, new_scores, rule=rule, costs=source.costs()) for rule in (fitted, None)
    ]
    return [Held(str(problem), problem.n, fitted.cost, *new)]


def optimum_table(records: Sequence[Solved]) -> str:
    """Methods against the certified optimum, over the problems of one number of classes."""
    least = np.array([one.cost for one in records if one.method == exact(one.m)])
    header = ["method", "mean cost", "excess", "optimum reached", "CPU seconds (median)"]
    lines = []
    for name in dict.fromkeys(one.method for one in records):
        own = [one for one in records if one.method == name]
        costs = np.array([one.cost for one in own])
        hits = int((costs <= least + SAME_COST).sum())
        excess = f"{100 * (costs / least - 1).mean():+.1f}%"
        seconds = f"{np.median([one.seconds for one in own]):.3f}"
        lines.append([name, f"{costs.mean():.3f}", excess, f"{hits} of {len(costs)}", seconds])
    return markdown(header, lines)


def held_out_table(records: Sequence[Held]) -> str:
    """Optimism of the cost that was minimised."""
    header = ["rows fitted to", "cost there", "cost on new rows", "equal weights on new rows"]
    lines = []
    for n in dict.fromkeys(one.n for one in records):
        own = [(one.there, one.new, one.equal) for one in records if one.n == n]
        lines.append([str(n), *(f"{mean:.3f}" for mean in np.mean(own, axis=0))])
    return markdown(header, lines)


def tables(records: Records) -> dict[str, str]:
    """The tables of the page by their marks."""
    by_classes = {
        words: [one for one in records["optimum"] if one.m == m]
        for words, m in (("multiclass three classes", 3), ("multiclass five classes", 5))
    }
    found = {words: optimum_table(own) for words, own in by_classes.items()}
    return found | {"multiclass held out": held_out_table(records["held_out"])}


def problems(*sizes: tuple[int, int, int]) -> list[Problem]:
    """Problems by classes, rows, and how many."""
    return [Problem(m, n, seed) for m, n, count in sizes for seed in range(count)]


WHOLE = problems((3, 60, 20), (5, 60, 8))
SOME = problems((3, 30, 2), (5, 15, 1))
WHOLE_HELD = problems(*((3, n, 40) for n in (30, 100, 300, 1000, 3000)))
SOME_HELD = problems((3, 40, 3))
STUDY = Study(
    "operating_points",
    (
        Part("optimum", Solved, lambda quick: SOME if quick else WHOLE, solved),
        Part("held_out", Held, lambda quick: SOME_HELD if quick else WHOLE_HELD, held_out),
    ),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
