"""Table 1 of the paper: 20 data sets, three kinds of experiment, two oracles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from papers.shared.data import read

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal["balanced", "majority", "minority"]
SEED = 2006
# Name in the paper: file, and which label is its class 0
BALANCED = {
    "credit-a": ("jcrx", "+"),
    "heart-statlog": ("hart", "absent"),
    "monks1": ("monks1", "0"),
    "monks3": ("monks3", "0"),
    "monks2": ("monks2", "1"),
    "tic-tac": ("tic", "negative"),
    "breast-cancer": ("breast-cancer", "recurrence-events"),
    "labor": ("labor", "bad"),
    "vote": ("vots", "republican"),
    "diabetes": ("diab", "tested_positive"),
}
UNBALANCED = {
    "haberman": ("habr", "2"),
    "monks2": ("monks2", "1"),
    "abalone-morethan": ("abalone", "more than 10"),
    "tic-tac": ("tic", "negative"),
    "breast-cancer": ("breast-cancer", "recurrence-events"),
    "labor": ("labor", "bad"),
    "vote": ("vots", "republican"),
    "credit-g": ("ger", "bad"),
    "diabetes": ("diab", "tested_positive"),
    "liver": ("liver", "1"),
}
THINNED = ("monks2", "tic-tac", "breast-cancer", "labor", "vote", "diabetes")  # to equal classes
RINGS = 10  # of abalone: class 0 has more


@dataclass(frozen=True)
class Experiment:
    """A data set in one of its three roles."""

    data: str
    kind: Kind

    def __str__(self) -> str:
        return f"{self.data}, {self.kind}"


EXPERIMENTS = (
    *(Experiment(data, "balanced") for data in BALANCED),
    *(Experiment(data, "majority") for data in UNBALANCED),
    *(Experiment(data, "minority") for data in UNBALANCED),
)


def rows_of(experiment: Experiment) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Columns without gaps and classes 0 and 1; the minority kind has the classes swapped."""
    chosen = BALANCED if experiment.kind == "balanced" else UNBALANCED
    file, zero = chosen[experiment.data]
    data = read(file)
    if file == "abalone":
        label = np.asarray(data.target.astype(float) <= RINGS, np.int64)
    else:
        label = np.asarray(data.target.astype(str) != zero, np.int64)
    words = file.startswith("monks") or file == "breast-cancer"  # codes and grades
    table = filled(data.features)
    if words:
        table = table.astype(str)
    if experiment.kind == "balanced" and experiment.data in THINNED:
        kept = thinned(label)
        return table.iloc[kept].reset_index(drop=True), label[kept]
    return table, 1 - label if experiment.kind == "minority" else label


def filled(table: pd.DataFrame) -> pd.DataFrame:
    """Gaps get the mean of a column of numbers and the commonest of words, as trees of Weka's."""
    fill = {
        name: column.mean() if column.dtype.kind in "if" else column.mode()[0]
        for name, column in table.items()
    }
    return table.fillna(fill)


def thinned(label: NDArray[np.int64]) -> NDArray[np.intp]:
    """All rows of the smaller class and as many of the other, drawn once."""
    rng = np.random.default_rng(SEED)
    places = [np.flatnonzero(label == value) for value in (0, 1)]
    least = min(map(len, places))
    return np.sort(np.concatenate([rng.permutation(each)[:least] for each in places]))


def one_hot(table: pd.DataFrame, rows: pd.DataFrame) -> NDArray[np.float64]:
    """Numbers as they are, a column for each value of words, as the copies show rows to oracles."""
    columns = [
        rows[[name]].to_numpy()
        if column.dtype.kind in "if"
        else rows[[name]].to_numpy() == np.unique(column.to_numpy(object))
        for name, column in table.items()
    ]
    return np.hstack(columns).astype(np.float64)


def known(table: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Rows in which words that the table does not have are replaced by its commonest."""
    words = [name for name, column in table.items() if column.dtype.kind not in "if"]
    seen = {name: rows[name].isin(table[name].unique()) for name in words}
    return rows.assign(
        **{name: rows[name].where(seen[name], table[name].mode()[0]) for name in words}
    )


class NaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Normal densities of numbers, shares (with one case more) of words in one-hot columns.

    `widths` has a 0 for a column of numbers and the number of values for a nominal one.
    """

    def __init__(self, widths: tuple[int, ...] = ()) -> None:
        self.widths = widths

    def fit(self, X: NDArray[np.float64], y: NDArray[Any]) -> NaiveBayes:
        """Learn densities and shares of each class."""
        self.classes_ = np.unique(y)
        self.number_ = np.concatenate([[width == 0] * max(width, 1) for width in self.widths])
        values = np.concatenate([[max(width, 1)] * max(width, 1) for width in self.widths])
        members = np.stack([y == value for value in self.classes_])
        self.prior_ = np.log(members.mean(axis=1))
        words = ~self.number_
        cases = members @ X[:, words]
        self.shares_ = np.log((cases + 1) / (members.sum(axis=1)[:, np.newaxis] + values[words]))
        if self.number_.any():
            self.normal_ = GaussianNB().fit(X[:, self.number_], y)
        return self

    def predict_proba(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probabilities of the classes."""
        total = self.prior_ + X[:, ~self.number_] @ self.shares_.T
        if self.number_.any():
            joint = self.normal_.predict_joint_log_proba(X[:, self.number_])
            total = total + joint - np.log(self.normal_.class_prior_)
        chance = np.exp(total - total.max(axis=1, keepdims=True))
        return np.asarray(chance / chance.sum(axis=1, keepdims=True))

    def predict(self, X: NDArray[np.float64]) -> NDArray[Any]:
        """The likelier class."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])


def oracle(name: str, table: pd.DataFrame) -> Any:
    """The model to mimic; it sees nominal columns one-hot."""
    if name == "neural net":
        net = MLPClassifier((16,), solver="lbfgs", alpha=5.0, max_iter=100, random_state=SEED)
        return make_pipeline(StandardScaler(), net)
    return NaiveBayes(
        tuple(0 if column.dtype.kind in "if" else column.nunique() for _, column in table.items())
    )


ORACLES = ("naive Bayes", "neural net")
