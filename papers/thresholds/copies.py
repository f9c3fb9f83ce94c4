"""All 22 copies of an oracle in one fold, at every skew; trees that are the same grow once."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import ConvergenceWarning

import rocwise as rw
from papers.thresholds.experiments import one_hot
from rocwise.estimators import MimeticClassifier, ProbabilityEstimatingTree, mimetic
from rocwise.estimators.mimetic import AbsentClassError, Attributes, sample_rows

if TYPE_CHECKING:
    import pandas as pd

CONFIGURATIONS = tuple(name for name in mimetic.CONFIGURATIONS if "Hyb" not in name)  # the 22
SKEWS = (1, 2, 3, 5, 10)
METHODS = {"Dir": "direct", "Ord": "rank", "ROC": "nroc"}
PRUNING = MimeticClassifier().ccp_alpha
ALWAYS = "always class 1"
ORACLE, DIRECT = "Oracle", "Oracle, direct"
SOUND_DIRECT, SOUND_COPY = "calibrated oracle, direct", "calibrated oracle, Mim2Dirb"
OURS = (DIRECT, SOUND_DIRECT, SOUND_COPY, ALWAYS)
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ResultT:
    """What a model says of the rows of a fold."""

    chance: Floats
    called: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Invented:
    """Rows that were invented, what the oracle says of them, and the tree that learned them."""

    rows: Floats
    chance: Floats
    positive: NDArray[np.bool_]
    tree: Any


@dataclass(eq=False)
class Copies:
    """Copies of one fitted oracle, made without the rows that it was trained on.

    As the estimator makes them, but rows of a type are invented once, and trees that are the same
    are grown once.
    """

    table: pd.DataFrame
    label: NDArray[np.int64]
    new: pd.DataFrame
    oracle: Any
    n_samples: int
    seed: int
    fallen_back: set[str] = field(default_factory=set)
    drawn: dict[tuple[str, float], Invented] = field(default_factory=dict)
    grown: dict[tuple[str, float], Any] = field(default_factory=dict)

    def result(self, name: str, skew: float) -> ResultT:
        """What the copy of that name says of the new rows."""
        scheme, kind = name[3], name[-1]
        if scheme == "3":
            return self.cut_at_half(self.invented("d", skew).tree)
        rows = self.invented(kind)
        if scheme == "0":
            return self.cut_at_half(rows.tree)
        method = METHODS[name[4:-1]]
        if scheme == "1":  # one tree for all costs
            tree = self.tree((f"Mim1{kind}", 0), rows, rows.positive, pruned=False)
            cut = cut_of(said(tree, rows.rows), skew, method)
            chance = said(tree, self.new_rows)
            return ResultT(chance, chance >= cut)
        cut = cut_of(rows.chance, skew, method)
        return self.cut_at_half(self.tree((name, skew), rows, rows.chance >= cut, pruned=True))

    @cached_property
    def new_rows(self) -> Floats:
        """As trees see them."""
        return one_hot(self.table, self.new)

    def cut_at_half(self, tree: Any) -> ResultT:
        """Class 1 where it is the likelier."""
        chance = said(tree, self.new_rows)
        return ResultT(chance, chance > 0.5)

    def tree(
        self, key: tuple[str, float], rows: Invented, label: NDArray[np.bool_], *, pruned: bool
    ) -> Any:
        """A tree on the rows, labeled anew."""
        if key not in self.grown:
            fresh = clone(rows.tree)
            if not pruned:
                fresh.set_params(ccp_alpha=0.0)
            self.grown[key] = fresh.fit(rows.rows, label)
        return self.grown[key]

    def invented(self, kind: str, skew: float = 1) -> Invented:
        """Rows of a type; as they come where those asked for cannot be invented."""
        if (kind, skew) == ("d", 1):
            kind = "b"  # the same shares
        if (kind, skew) not in self.drawn:
            try:
                self.drawn[kind, skew] = self.draw(kind, skew)
            except AbsentClassError:
                self.fallen_back.add(kind)
                self.drawn[kind, skew] = self.invented("c")
        return self.drawn[kind, skew]

    def draw(self, kind: str, skew: float) -> Invented:
        """Rows and the tree that learns them by scheme 0, or 3, as the estimator makes them."""
        attributes, rng = Attributes.of(self.table, None), np.random.RandomState(self.seed)
        share = {"a": float((self.label == 0).mean()), "b": 0.5, "c": None, "d": 1 / (skew + 1)}
        drawn = sample_rows(
            *(attributes, lambda columns: self.oracle.predict_proba(attributes.encode(columns))),
            *(self.n_samples, share[kind], np.array([0, 1]), rng),
        )
        rows = attributes.encode(drawn.columns)
        seed = rng.randint(np.iinfo(np.int32).max)
        tree = ProbabilityEstimatingTree(ccp_alpha=PRUNING, random_state=seed)
        return Invented(rows, drawn.probability, drawn.positive, tree.fit(rows, drawn.positive))


def cut_of(chance: Floats, skew: float, method: str) -> float:
    """The threshold; where an oracle is certain of one class everywhere, any cut says the same."""
    if method == "nroc" and (chance.min() == 1 or chance.max() == 0):
        method = "direct"
    return float(rw.threshold_without_labels(chance, costs=rw.Costs(fp=1, fn=skew), method=method))


def said(tree: Any, rows: Floats) -> Floats:
    """Chance of class 1; of a tree that saw one class only, by Laplace's rule."""
    if len(tree.classes_) == 2:
        return np.asarray(tree.predict_proba(rows)[:, 1])
    n = float(tree.leaf_counts_.sum())
    return np.full(len(rows), (n + 1) / (n + 2) if tree.classes_[0] else 1 / (n + 2))


def fitted(model: Any, rows: Floats, label: NDArray[np.int64]) -> Any:
    """A trained oracle; nets that had no time to settle are used as they are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(rows, label)


def results(
    table: pd.DataFrame,
    label: NDArray[np.int64],
    new: pd.DataFrame,
    oracle: Any,
    n_samples: int,
    seed: int,
) -> tuple[dict[tuple[str, int], ResultT], set[str]]:
    """Results by model and skew, and which types of rows could not be invented."""
    rows, new_rows = one_hot(table, table), one_hot(table, new)
    sound = CalibratedClassifierCV(oracle, method="sigmoid", cv=3, ensemble=False)
    models = [fitted(clone(each), rows, label) for each in (oracle, sound)]
    chances = [each.predict_proba(new_rows)[:, 1] for each in models]
    copies, of_sound = (Copies(table, label, new, each, n_samples, seed) for each in models)
    found: dict[tuple[str, int], ResultT] = {}
    for skew in SKEWS:
        for name in CONFIGURATIONS:
            found[name, skew] = copies.result(name, skew)
        found[ORACLE, skew] = ResultT(chances[0], chances[0] > 0.5)
        found[DIRECT, skew] = ResultT(chances[0], chances[0] >= 1 / (1 + skew))
        found[SOUND_DIRECT, skew] = ResultT(chances[1], chances[1] >= 1 / (1 + skew))
        found[SOUND_COPY, skew] = of_sound.result("Mim2Dirb", skew)
        found[ALWAYS, skew] = ResultT(np.zeros(len(new)), np.ones(len(new), bool))
    return found, copies.fallen_back
