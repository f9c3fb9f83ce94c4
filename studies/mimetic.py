"""What the 22 ways to mimic a model cost, on synthetic problems, against the published claims.

Run `python -m studies.mimetic`; it takes some minutes of one core and prints the first table of
`docs/explanation/mimetic-models.md`, with `--oracles` the second.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocwise as rw
from rocwise.estimators import MimeticClassifier
from rocwise.estimators.mimetic import CONFIGURATIONS, AbsentClassError

SKEWS = (1, 2, 3, 5, 10)
N_TRAIN, N_TEST = 300, 3000


@dataclass(frozen=True)
class Problem:
    """Where rows come from: share of class 1, how attributes differ, and of which kind they are."""

    name: str
    share: float = 0.5
    ring: bool = False
    echo: bool = False
    nominal: tuple[int, ...] = ()

    def draw(self, n: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        """Rows of five attributes, and their classes."""
        y = (rng.random(n) < self.share).astype(int)
        X = rng.normal(size=(n, 5))
        if self.ring:
            X[:, :2] *= np.where(y == 1, 0.6, 1.8)[:, np.newaxis]
        else:
            X[:, :3] += 0.8 * y[:, np.newaxis]
        if self.echo:  # the same evidence twice makes naive Bayes too sure
            X[:, 3:] = X[:, :2] + 0.2 * rng.normal(size=(n, 2))
        for place in self.nominal:  # three values, cut from a normal attribute
            X[:, place] = np.digitize(X[:, place], [-0.5, 0.8])
        return X, y


PROBLEMS = (
    Problem("balanced"),
    Problem("class 1 rare", share=0.25),
    Problem("class 1 common", share=0.75),
    Problem("ring", ring=True),
    Problem("echo", echo=True),
    Problem("nominal", nominal=(0, 1, 3)),
)


def oracles(seed: int) -> dict[str, Any]:
    """The models to mimic."""
    net = MLPClassifier((16,), max_iter=400, random_state=seed)
    return {"naive Bayes": GaussianNB(), "neural net": make_pipeline(StandardScaler(), net)}


def one_hot(X: NDArray[Any], nominal: Collection[int]) -> NDArray[np.float64]:
    """Numbers as they are, and one column for each value of a nominal one, as the mimics see it."""
    columns = [
        X[:, [place]] == np.unique(X[:, place]) if place in nominal else X[:, [place]]
        for place in range(X.shape[1])
    ]
    return np.hstack(columns).astype(np.float64)


def compare(
    problem: Problem,
    seed: int,
    names: Sequence[str],
    n_samples: int,
    skews: Sequence[float] = SKEWS,
) -> list[Any]:
    """Per oracle, configuration and skew: mean cost and AUC on new rows, or None if refused."""
    rng = np.random.default_rng([seed, PROBLEMS.index(problem)])
    (X, y), (new_X, new_y) = problem.draw(N_TRAIN, rng), problem.draw(N_TEST, rng)
    encoded = one_hot(X, problem.nominal)
    found = []
    for called, oracle in oracles(seed).items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            frozen = FrozenEstimator(oracle.fit(encoded, y))
        for name in names:
            for skew in skews:
                mimic = MimeticClassifier(
                    name,
                    oracle=frozen,
                    costs=rw.Costs(fp=1, fn=skew),
                    n_samples=n_samples,
                    nominal=list(problem.nominal),
                    random_state=seed,
                )
                try:
                    mimic.fit(X, y)
                except AbsentClassError:
                    found.append((called, name, skew, None, None))
                    continue
                cost = mimic.mean_cost(new_X, new_y)
                area = float(roc_auc_score(new_y, mimic.predict_proba(new_X)[:, 1]))
                found.append((called, name, skew, cost, area))
    return found


def averages(repeats: int, names: Sequence[str], n_samples: int) -> dict[str, dict[Any, float]]:
    """Mean cost by configuration and skew, and mean AUC by configuration ("auc")."""
    values: dict[str, dict[Any, list[float]]] = defaultdict(lambda: defaultdict(list))
    for problem in PROBLEMS:
        for seed in range(repeats):
            for _, name, skew, cost, area in compare(problem, seed, names, n_samples):
                if cost is None or area is None:
                    values[name]["refused"].append(1.0)
                else:
                    values[name][skew].append(cost)
                    values[name]["auc"].append(area)
        sys.stderr.write(f"{problem.name} done\n")
    return {
        name: {
            key: float(np.sum(each) if key == "refused" else np.mean(each))
            for key, each in found.items()
        }
        for name, found in values.items()
    }


def table(found: dict[str, dict[Any, float]]) -> str:
    """A table for the page: cost per case by skew, their mean, and the AUC."""
    lines = ["| model | 1 | 2 | 3 | 5 | 10 | mean | AUC |", "|---|---|---|---|---|---|---|---|"]
    for name, values in found.items():
        costs = [values[skew] for skew in SKEWS]
        cells = [*(f"{cost:.3f}" for cost in (*costs, np.mean(costs))), f"{values['auc']:.3f}"]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def by_oracle(repeats: int, n_samples: int, names: Sequence[str], skew: float) -> str:
    """A table for the page: cost per case of some configurations, by problem and oracle."""
    heads = [f"{called}, {name}" for called in oracles(0) for name in names]
    lines = ["| problem | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for problem in PROBLEMS:
        costs: dict[str, list[float]] = defaultdict(list)
        for seed in range(repeats):
            for called, name, _, cost, _ in compare(problem, seed, names, n_samples, (skew,)):
                costs[f"{called}, {name}"].append(np.inf if cost is None else cost)
        lines.append(
            f"| {problem.name} | " + " | ".join(f"{np.mean(costs[h]):.3f}" for h in heads) + " |"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> None:
    """Compare, and print the table and the claims."""
    parser = argparse.ArgumentParser(prog="python -m studies.mimetic", description=__doc__)
    parser.add_argument("--repeats", type=int, default=4, help="samples of every problem")
    parser.add_argument("--rows", type=int, default=2000, help="invented rows")
    parser.add_argument("--oracles", action="store_true", help="only the table by oracle")
    options = parser.parse_args(arguments)
    if options.oracles:
        names = ["Mim2Dirb", "Mim2Ordb"]
        sys.stdout.write(by_oracle(options.repeats, options.rows, names, 10) + "\n")
        return
    found = averages(options.repeats, list(CONFIGURATIONS), options.rows)
    sys.stdout.write(table(found) + "\n")
    refused = {name: int(each["refused"]) for name, each in found.items() if "refused" in each}
    sys.stdout.write(f"refused: {refused or 'none'}\n")
    for skew in SKEWS:
        best = sorted(found, key=lambda name: found[name][skew])[:4]
        sys.stdout.write(f"cheapest at skew {skew}: {', '.join(best)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
