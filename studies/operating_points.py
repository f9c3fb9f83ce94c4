"""How cheap the class weights of each method are: against the optimum, and on new rows.

``python -m studies.operating_points`` writes the tables of the page (about two minutes of a core).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import rocwise as rw
from rocwise.multiclass import Evolution, class_cost, sample_costs

from .pages import markdown

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "operating-points.md"
MARKED = re.compile(r"(<!-- table: ([a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)
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
        return rw.metaclass(y, scores, costs=costs).cost
    options = METHODS.get(name, {})
    method = name.split(",")[0]
    return rw.class_weights(y, scores, costs=costs, method=method, rng=0, **options).cost


def against_the_optimum(m: int, n: int, problems: int) -> list[list[str]]:
    """One line per method: mean cost, mean excess, problems solved, seconds."""
    exact = "sweep" if m <= 3 else "milp"
    names = [*METHODS, exact]
    costs = np.empty((len(names) + 1, problems))
    seconds = np.zeros((len(names) + 1, problems))
    for place in range(problems):
        source = Source(m, place)
        y, scores = source.rows(n)
        costs[-1, place] = class_cost(y, scores, costs=source.costs())
        for line, name in enumerate(names):
            started = time.process_time()
            costs[line, place] = asked(name, y, scores, source.costs())
            seconds[line, place] = time.process_time() - started
    least = costs[len(names) - 1]
    return [
        _line(name, costs[line], least, seconds[line])
        for line, name in enumerate([*names, "equal weights"])
    ]


def _line(name: str, costs: Floats, least: Floats, seconds: Floats) -> list[str]:
    hits = int((costs <= least + SAME_COST).sum())
    return [
        name,
        f"{costs.mean():.3f}",
        f"{100 * (costs / least - 1).mean():+.1f} %",
        f"{hits} of {len(costs)}",
        f"{np.median(seconds):.3f}",
    ]


def optimum_table(m: int, n: int, problems: int) -> str:
    """Methods against the certified optimum."""
    header = ["method", "mean cost", "excess", "optimum reached", "CPU seconds (median)"]
    return markdown(header, against_the_optimum(m, n, problems))


def held_out(m: int, sizes: tuple[int, ...], problems: int) -> list[list[str]]:
    """Cost on the rows fitted to and on new rows, for exact weights and for equal ones."""
    lines = []
    for n in sizes:
        found = []
        for place in range(problems):
            source = Source(m, place)
            y, scores = source.rows(n)
            new_y, new_scores = source.rows(HELD_OUT_ROWS, part=1)
            fitted = rw.class_weights(y, scores, costs=source.costs())
            new = [
                class_cost(new_y, new_scores, rule=rule, costs=source.costs())
                for rule in (fitted, None)
            ]
            found.append([fitted.cost, *new])
        means = np.mean(found, axis=0)
        lines.append([str(n), *(f"{mean:.3f}" for mean in means)])
    return lines


def held_out_table(m: int, sizes: tuple[int, ...], problems: int) -> str:
    """Optimism of the cost that was minimised."""
    header = ["rows fitted to", "cost there", "cost on new rows", "equal weights on new rows"]
    return markdown(header, held_out(m, sizes, problems))


TABLES: dict[str, Callable[[], str]] = {
    "three classes": lambda: optimum_table(3, 60, 20),
    "five classes": lambda: optimum_table(5, 60, 8),
    "held out": lambda: held_out_table(3, (30, 100, 300, 1000, 3000), 40),
}


def written(page: str) -> str:
    """The page with its tables filled in."""
    return MARKED.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n\n{found[3]}", page)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
