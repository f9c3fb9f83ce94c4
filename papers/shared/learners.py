"""The papers' learners, as near to Weka's as scikit-learn comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from rocwise.estimators import ProbabilityEstimatingTree

if TYPE_CHECKING:
    import pandas as pd

NUMBERS = make_column_selector(dtype_include="number")
WORDS = make_column_selector(dtype_exclude="number")


class MixedNaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Normal densities for numbers, shares with one case more for words; gaps count as mean.

    Both parts give joint log-likelihoods with the prior; one prior is taken off.
    """

    def fit(self, X: pd.DataFrame, y: NDArray[Any]) -> MixedNaiveBayes:
        """Learn both parts, where there are columns for them."""
        numbers, words = NUMBERS(X), WORDS(X)
        self.numbers_ = numbers
        self.words_ = words
        self.classes_ = np.unique(y)
        if numbers:
            self.means_ = X[numbers].mean().fillna(0.0)
            self.normal_ = GaussianNB().fit(self._filled(X), y)
        if words:
            self.encoder_ = OrdinalEncoder(
                handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-1
            ).fit(X[words].astype("object"))
            codes = self._codes(X)
            categories = codes.max(axis=0) + 2
            self.shares_ = CategoricalNB(min_categories=categories).fit(codes, y)
        return self

    def predict_proba(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Probabilities of the classes."""
        total = -np.log(self._prior())
        if self.numbers_:
            total = total + self.normal_.predict_joint_log_proba(self._filled(X))
        if self.words_:
            seen = np.minimum(self._codes(X), self.shares_.n_categories_ - 1)
            total = total + self.shares_.predict_joint_log_proba(seen)
        if not (self.numbers_ and self.words_):
            total = total + np.log(self._prior())
        total = total - total.max(axis=1, keepdims=True)
        chance = np.exp(total)
        return np.asarray(chance / chance.sum(axis=1, keepdims=True))

    def predict(self, X: pd.DataFrame) -> NDArray[Any]:
        """The likelier class."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

    def _prior(self) -> NDArray[np.float64]:
        if self.numbers_:
            return np.asarray(self.normal_.class_prior_)
        return np.asarray(np.exp(self.shares_.class_log_prior_))

    def _filled(self, X: pd.DataFrame) -> NDArray[np.float64]:
        return X[self.numbers_].fillna(self.means_).to_numpy(float)

    def _codes(self, X: pd.DataFrame) -> NDArray[np.int64]:
        """Words as whole numbers; 0 is a word that was not there, or a gap."""
        codes = self.encoder_.transform(X[self.words_].astype("object")) + 1
        return np.asarray(np.nan_to_num(codes), np.int64)


def columns() -> Any:
    """Numbers with gaps filled by the median, words as one column for each value."""
    return make_column_transformer(
        (SimpleImputer(strategy="median", keep_empty_features=True), NUMBERS),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), WORDS),
    )


def probability_tree() -> Any:
    """An unpruned tree with Laplace's correction at its leaves."""
    return make_pipeline(columns(), ProbabilityEstimatingTree(random_state=0))


def logistic() -> Any:
    """Logistic regression on standardized columns."""
    return make_pipeline(columns(), StandardScaler(), LogisticRegression(max_iter=1000))


def pruned_tree() -> Any:
    """A tree pruned by the cost of its size, with Laplace's correction."""
    return make_pipeline(
        columns(), ProbabilityEstimatingTree(min_samples_leaf=5, ccp_alpha=0.005, random_state=0)
    )


def stump() -> Any:
    """A tree with a single question."""
    return make_pipeline(columns(), DecisionTreeClassifier(max_depth=1, random_state=0))


def small_forest() -> Any:
    """A random forest of 10 trees, as many as Weka grew in 2006."""
    return make_pipeline(columns(), RandomForestClassifier(10, random_state=0))


def forest() -> Any:
    """A random forest of 100 trees."""
    return make_pipeline(columns(), RandomForestClassifier(100, random_state=0))


def vector_machine() -> Any:
    """A linear support vector machine whose margins are turned into chances."""
    machine = CalibratedClassifierCV(LinearSVC(random_state=0), ensemble=False, cv=3)
    return make_pipeline(columns(), StandardScaler(), machine)


LEARNERS: dict[str, Callable[[], Any]] = {
    "naive Bayes": MixedNaiveBayes,
    "tree": probability_tree,
    "logistic": logistic,
    "pruned tree": pruned_tree,
    "forest": forest,
    "stump": stump,
    "small forest": small_forest,
    "SVM": vector_machine,
}
