"""The 22 copies on problems whose truth is known, where 3,000 new rows tell the cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocwise as rw
from papers.shared.pages import markdown
from papers.thresholds.copies import CONFIGURATIONS, SKEWS, Copies, fitted
from papers.thresholds.experiments import one_hot

if TYPE_CHECKING:
    import pandas as pd

N_TRAIN, N_TEST, INVENTED, SAMPLES = 300, 3000, 2000, 4
SHOWN = ("Mim2Dirb", "Mim2Ordb")  # by oracle


@dataclass(frozen=True)
class Problem:
    """Where rows come from: share of class 1, how attributes differ, and of which kind they are."""

    name: str
    share: float = 0.5
    ring: bool = False
    echo: bool = False
    nominal: tuple[int, ...] = ()

    def draw(self, n: int, rng: np.random.Generator) -> tuple[pd.DataFrame, NDArray[np.int64]]:
        """Rows of five attributes, and their classes."""
        import pandas as pd

        y = (rng.random(n) < self.share).astype(np.int64)
        X = rng.normal(size=(n, 5))
        if self.ring:
            X[:, :2] *= np.where(y == 1, 0.6, 1.8)[:, np.newaxis]
        else:
            X[:, :3] += 0.8 * y[:, np.newaxis]
        if self.echo:  # the same evidence twice makes naive Bayes too sure
            X[:, 3:] = X[:, :2] + 0.2 * rng.normal(size=(n, 2))
        for place in self.nominal:  # three values, cut from a normal attribute
            X[:, place] = np.digitize(X[:, place], [-0.5, 0.8])
        table = pd.DataFrame(X, columns=[f"x{place}" for place in range(X.shape[1])])
        return table.astype({f"x{place}": str for place in self.nominal}), y


PROBLEMS = (
    Problem("balanced"),
    Problem("class 1 rare", share=0.25),
    Problem("class 1 common", share=0.75),
    Problem("ring", ring=True),
    Problem("echo", echo=True),
    Problem("nominal", nominal=(0, 1, 3)),
)


@dataclass(frozen=True)
class Task:
    """A sample of a problem, with both oracles."""

    problem: Problem
    seed: int
    invented: int = INVENTED

    def __str__(self) -> str:
        return f"{self.problem.name}, sample {self.seed}, {self.invented} rows"


@dataclass(frozen=True)
class Cell:
    """Cost per new row by skew, and AUC (mean of the skews), of one copy of one oracle."""

    cell: str
    problem: str
    oracle: str
    model: str
    cost_1: float
    cost_2: float
    cost_3: float
    cost_5: float
    cost_10: float
    area: float

    @property
    def costs(self) -> list[float]:
        """By skew."""
        return [getattr(self, f"cost_{skew}") for skew in SKEWS]


def tasks(quick: bool) -> list[Task]:
    """Every problem, four samples; two samples of the easiest and few rows when quick."""
    if quick:
        return [Task(PROBLEMS[0], seed, 100) for seed in range(2)]
    return [Task(problem, seed) for problem in PROBLEMS for seed in range(SAMPLES)]


def oracles(seed: int) -> dict[str, Any]:
    """The models to mimic; naive Bayes takes one-hot columns for normal ones."""
    net = MLPClassifier((16,), max_iter=400, random_state=seed)
    return {"naive Bayes": GaussianNB(), "neural net": make_pipeline(StandardScaler(), net)}


def count(task: Task) -> list[Cell]:
    """All copies of both oracles."""
    rng = np.random.default_rng([task.seed, PROBLEMS.index(task.problem)])
    (table, label), (new, truth) = (task.problem.draw(n, rng) for n in (N_TRAIN, N_TEST))
    found = []
    for called, oracle in oracles(task.seed).items():
        model = fitted(oracle, one_hot(table, table), label)
        copies = Copies(table, label, new, model, task.invented, task.seed)
        for name in CONFIGURATIONS:
            costs, areas = [], []
            for skew in SKEWS:
                one = copies.result(name, skew)
                costs.append(float(np.where(truth, skew * ~one.called, one.called).mean()))
                areas.append(rw.auc(truth, one.chance).value)
            values = (round(value, 5) for value in (*costs, float(np.mean(areas))))
            found.append(Cell(str(task), task.problem.name, called, name, *values))
    return found


def tables(found: Sequence[Cell]) -> Mapping[str, str]:
    """Means over problems and oracles, and two models by problem and oracle."""
    return {"synthetic": by_model(found), "synthetic-oracles": by_oracle(found)}


def by_model(found: Sequence[Cell]) -> str:
    """Cost per row by skew, their mean with its standard error over samples, and the AUC."""
    rows = []
    for name in CONFIGURATIONS:
        ours = [one for one in found if one.model == name]
        costs = np.array([one.costs for one in ours])
        area = np.mean([one.area for one in ours])
        cells = [f"{cost:.3f}" for cost in (*costs.mean(axis=0), costs.mean())]
        rows.append((name, *cells, f"{error_of(ours):.3f}", f"{area:.3f}"))
    return markdown(("model", *map(str, SKEWS), "mean", "s.e.", "AUC"), rows)


def error_of(found: Sequence[Cell]) -> float:
    """Standard error of the mean cost: samples of a problem vary, problems are given."""
    samples: dict[str, dict[str, list[float]]] = {}
    for one in found:
        samples.setdefault(one.problem, {}).setdefault(one.cell, []).append(
            float(np.mean(one.costs))
        )
    means = [[np.mean(each) for each in cells.values()] for cells in samples.values()]
    return float(np.sqrt(sum(np.var(each, ddof=1) / len(each) for each in means)) / len(means))


def by_oracle(found: Sequence[Cell]) -> str:
    """Cost per row at the largest skew."""
    names = list(oracles(0))
    rows = []
    for problem in PROBLEMS:
        if all(one.problem != problem.name for one in found):
            continue
        cells = [
            np.mean(
                [
                    one.costs[-1]
                    for one in found
                    if (one.problem, one.oracle, one.model) == (problem.name, oracle, model)
                ]
            )
            for oracle in names
            for model in SHOWN
        ]
        always = f"{1 - problem.share:g}"
        rows.append((problem.name, *(f"{cell:.3f}" for cell in cells), always))
    heads = [f"{oracle}, {model}" for oracle in names for model in SHOWN]
    return markdown(("problem", *heads, "always class 1"), rows)
