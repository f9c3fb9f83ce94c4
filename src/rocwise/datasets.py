"""Example data: scores to try things on, without a file at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import checks
from rocwise.errors import InputError, missing_package

FOLDS = 10
SEED = 0


@dataclass(frozen=True, eq=False)
class ScoredCases:
    """Labels with the scores of one or more models on the same cases.

    Attributes
    ----------
    y_true : ndarray of int
        1 for a positive case, 0 for a negative one.
    scores : dict of str to ndarray
        Scores by the name of the model; higher means more likely positive.
    """

    y_true: NDArray[np.int64]
    scores: dict[str, NDArray[np.float64]]

    def __repr__(self) -> str:
        n_pos = int(self.y_true.sum())
        return (
            f"{len(self.y_true):,} cases, {n_pos:,} of them positive, "
            f"scored by {', '.join(self.scores)}"
        )


def binormal_example(
    n_pos: int = 100,
    n_neg: int = 100,
    *,
    separation: float = 1.0,
    spread: float = 1.0,
    rng: Any = 0,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Labels and normal scores, in random order.

    Negatives are drawn from N(0, 1) and positives from N(separation, spread²), so that the true
    area under the curve is Φ(separation / √(1 + spread²)).

    Parameters
    ----------
    n_pos, n_neg : int
        How many of each class.
    separation : float
        Mean of the positives, in standard deviations of the negatives.
    spread : float
        Standard deviation of the positives.
    rng : optional
        Seed or generator; the default always gives the same data.

    Returns
    -------
    y_true, y_score : ndarray

    Examples
    --------
    >>> from rocwise.datasets import binormal_example
    >>> y_true, y_score = binormal_example(n_pos=40, n_neg=160)
    >>> int(y_true.sum()), y_score.shape
    (40, (200,))
    """
    n_pos, n_neg = checks.whole(n_pos, "n_pos"), checks.whole(n_neg, "n_neg")
    separation = checks.real(separation, "separation")
    if checks.real(spread, "spread") <= 0:
        raise InputError(f"`spread` must be greater than 0; got {spread!r}.")
    generator = np.random.default_rng(checks.seed(rng))
    y_true = generator.permutation(np.repeat(np.array([1, 0]), [n_pos, n_neg]))
    noise = generator.standard_normal(n_pos + n_neg)
    return y_true, np.where(y_true == 1, separation + spread * noise, noise)


def breast_cancer_scores() -> ScoredCases:
    """Two models on scikit-learn's breast cancer data; malignant is positive.

    ``logistic`` is a logistic regression on all 30 measurements, ``tree`` a decision tree of
    depth 3. Every score was given by a fit that had not seen the case (stratified 10-fold
    cross-validation, measurements standardised within the folds; fixed seed).

    Returns
    -------
    ScoredCases

    Examples
    --------
    >>> from rocwise.datasets import breast_cancer_scores
    >>> breast_cancer_scores()
    569 cases, 212 of them positive, scored by logistic, tree
    """
    try:
        from sklearn.datasets import load_breast_cancer
        from sklearn.model_selection import StratifiedKFold, cross_val_predict
    except ImportError:
        raise missing_package("scikit-learn", "models", "the breast cancer example") from None
    measured = load_breast_cancer()
    malignant = list(measured.target_names).index("malignant")
    y_true = (measured.target == malignant).astype(np.int64)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    scores = {
        name: cross_val_predict(model, measured.data, y_true, cv=folds, method="predict_proba")
        for name, model in _models().items()
    }
    return ScoredCases(y_true, {name: columns[:, 1] for name, columns in scores.items()})


def _models() -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(max_depth=3, min_samples_leaf=10, random_state=SEED)
    return {"logistic": make_pipeline(StandardScaler(), LogisticRegression()), "tree": tree}
