"""The model tree as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from rocwise import checks
from rocwise.regression.model_trees.growing import Node, grow


class ModelTreeRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A tree with a linear model at each leaf, like M5'.

    Splits lower the standard deviation of the target most; at every node a linear model loses
    coefficients as long as its estimated error, MAE (n + v) / (n - v) with v coefficients, falls;
    a node is cut back to a leaf where its own model does no worse than its children.

    Parameters
    ----------
    min_samples_leaf : int
        Fewest cases on each side of a split.
    smoothing : float
        A prediction is drawn towards the models above its leaf: p becomes
        (n p + smoothing q) / (n + smoothing) for the n cases below a node with the model q.
        0 for none.
    prune : bool
        Whether to cut back.

    Attributes
    ----------
    tree_ : Node
        The root.

    References
    ----------
    Y. Wang and I. H. Witten (1997), Inducing model trees for continuous classes.

    Examples
    --------
    >>> X = np.arange(10.0)[:, None]
    >>> y = np.array([0, 1, 2, 3, 4, 10, 9, 8, 7, 6])
    >>> ModelTreeRegressor(smoothing=0).fit(X, y).predict([[2.5], [7.5]]).round(6).tolist()
    [2.5, 7.5]
    """

    def __init__(
        self, *, min_samples_leaf: int = 2, smoothing: float = 15.0, prune: bool = True
    ) -> None:
        self.min_samples_leaf = min_samples_leaf
        self.smoothing = smoothing
        self.prune = prune

    def fit(self, X: Any, y: Any) -> ModelTreeRegressor:
        """Grow the tree."""
        fewest = checks.whole(self.min_samples_leaf, "min_samples_leaf")
        checks.within(checks.not_negative(self.smoothing, "smoothing"), "smoothing", 0, 1e100)
        prune = checks.flag(self.prune, "prune")
        X, y = validate_data(self, X, y, y_numeric=True, dtype=np.float64)
        self.tree_: Node = grow(X, np.asarray(y, float), min_samples_leaf=fewest, prune=prune)
        return self

    def predict(self, X: Any) -> Any:
        """One value per row."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return self.tree_.predict(X, float(self.smoothing))

    def get_n_leaves(self) -> int:
        """How many leaves the tree has."""
        check_is_fitted(self)
        return len(self.tree_.leaves())
