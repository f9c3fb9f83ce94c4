"""A decision tree grown for its probabilities: not pruned, and smoothed by Laplace's rule."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.errors import count_of
from rocwise.estimators.base import row_weights

# A weight of a leaf is a sum of floats; a leaf that misses the minimum by rounding is kept.
SLACK = 1e-9
NEVER = 1e300  # a gain that no split reaches


@dataclass(eq=False, repr=False, kw_only=True)
class ProbabilityEstimatingTree(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Unpruned tree whose probabilities are (n_c + 1) / (n_leaf + K) in a leaf.

    The tree splits by entropy. Pruning merges leaves that discriminate without changing the
    predicted class, and raw proportions call a leaf of two cases certain; leaving out the one and
    smoothing the other ranks cases better (Provost & Domingos, 2003).

    Parameters
    ----------
    min_samples_leaf : int, default 2
        Least number of cases in a leaf. A row of weight 2 counts as two cases.
    ccp_alpha : float, default 0
        Cost-complexity pruning; 0 leaves the tree as it grew.
    random_state : optional
        Decides between splits that are equally good.

    Attributes
    ----------
    tree_ : DecisionTreeClassifier
        The tree as grown.
    leaf_counts_ : ndarray of shape (n_nodes, n_classes)
        Cases (sums of weights) of each class in each leaf; zero rows are inner nodes.
    classes_ : ndarray
        The labels, sorted.
    how_ : str
        The tree in a sentence.

    Examples
    --------
    >>> from rocwise.estimators import ProbabilityEstimatingTree
    >>> tree = ProbabilityEstimatingTree().fit([[1], [2], [3], [8], [9]], [0, 0, 0, 1, 1])
    >>> tree.predict_proba([[0], [10]]).tolist()
    [[0.8, 0.2], [0.25, 0.75]]
    """

    min_samples_leaf: int = 2
    ccp_alpha: float = 0.0
    random_state: Any = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree; `sample_weight` counts cases, so that weight 2 is the row twice."""
        X, y = validate_data(self, X, y, accept_sparse="csc", dtype=np.float32)
        check_classification_targets(y)
        given = 1.0 if sample_weight is None else sample_weight
        weights = row_weights(given, X.shape[0], dtype=[np.float64, np.float32])
        kept = weights > 0  # a row without weight must not even name a class
        X, y, weights = X[kept], y[kept], weights[kept]
        self.classes_: Array
        self.classes_, codes = np.unique(y, return_inverse=True)
        smallest = checks.whole(self.min_samples_leaf, "min_samples_leaf", at_most=2**53)
        fraction = (smallest - SLACK) / weights.sum()
        self.tree_: Any = DecisionTreeClassifier(
            criterion="entropy",
            min_weight_fraction_leaf=min(fraction, 0.5),
            min_impurity_decrease=NEVER if fraction > 0.5 else 0.0,
            ccp_alpha=checks.not_negative(self.ccp_alpha, "ccp_alpha"),
            random_state=checks.random_state(self.random_state),
        ).fit(X, codes, sample_weight=weights)
        self.leaf_counts_: Floats = np.zeros((self.tree_.tree_.node_count, len(self.classes_)))
        np.add.at(self.leaf_counts_, (self.tree_.apply(X), codes), weights)
        leaves = printing.counted(self.tree_.get_n_leaves(), "leaf", "leaves")
        pruned = "pruned" if self.ccp_alpha else "not pruned"
        self.how_: str = (
            f"{leaves} of at least {count_of(smallest, 'case')}, "
            f"{pruned}; probabilities by Laplace's rule"
        )
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Laplace's estimate (n_c + 1) / (n_leaf + K), classes in the order of `classes_`."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float32, reset=False)
        counts = self.leaf_counts_[self.tree_.apply(X)] + 1.0
        smoothed: Floats = counts / counts.sum(axis=1, keepdims=True)
        return smoothed

    def predict(self, X: Any) -> Array:
        """The most probable class; of several the first in `classes_`."""
        probabilities = self.predict_proba(X)  # first: it raises for a model that is not fitted
        labels: Array = self.classes_[probabilities.argmax(axis=1)]
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
