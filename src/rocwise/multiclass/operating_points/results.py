"""What a search for class weights answers, and the rule that goes with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.data.class_rows import checked_scores
from rocwise.inference.intervals.proportions import proportion_limits
from rocwise.multiclass.operating_points.cost_columns import least_risk
from rocwise.multiclass.operating_points.problems import (
    Classes,
    OperatingProblem,
    called_classes,
    warn_of_empty_rows,
)
from rocwise.results import Result, result

COLUMNS = "cost-columns"


def called_by(table: Floats, weights: Floats, costs: Floats, method: str) -> Classes:
    """The classes that a fitted rule calls; `table` has one line per class."""
    if method == COLUMNS:
        return least_risk(table, costs, weights)
    return called_classes(table, weights)


def shares_called(problem: OperatingProblem, called: Classes) -> Floats:
    """r_jk: of the rows of class j, the share called k; a class without rows has zeros."""
    m = problem.n_classes
    flat = np.bincount(problem.labels * m + called, problem.row_weights, minlength=m * m)
    counts = flat.reshape(m, m).astype(np.float64)
    totals = counts.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0))


@result
class ClassWeights(Result):
    """Weights of the classes; a row is called the class of the largest weighted confidence.

    Attributes
    ----------
    weights : ndarray (m,)
        As the method found them; only their ratios matter, and they are on this scale in print,
        in tables and in pictures. Of `method="cost-columns"`: 1 / alpha, where the class of the
        least risk / weight is called.
    cost, baseline_cost : float
        Expected cost on the data given, and that of the largest confidence (weights 1).
    method : str
        The method used; what "auto" picked.
    optimal : bool
        Whether no positive weights have a smaller cost on these data, up to cells narrower than
        the method can see.
    finished : bool
        False if the time was over first; the best weights so far are given.
    objective : float or None
        What "lp", "milp", "soft" and "genetic-soft" minimised.
    at_bound : bool
        "soft", "genetic-soft": whether a weight lies at the bound of the search, as for a constant
        classifier.
    costs, prior : ndarray
        What was minimised: costs[true, predicted], and the shares of the classes.
    called, baseline_called : ndarray (m, m)
        Of the rows of each class (line), the share called each class; with equal weights.
    sizes : ndarray (m,)
        Rows of each class, or the sums of their weights.
    names, classes : tuple
        What the classes are called, and their labels; no labels where they are column numbers.
    seed : int or None
        Repeats a random search.

    Examples
    --------
    >>> import rocwise as rw
    >>> found = rw.class_weights([0, 1, 1], [[0.6, 0.4], [0.55, 0.45], [0.2, 0.8]])
    >>> found.cost, found.predict([[0.52, 0.48]]).tolist()
    (0.0, [1])
    """

    weights: Floats
    cost: float
    baseline_cost: float
    method: str
    optimal: bool
    finished: bool
    objective: float | None
    at_bound: bool
    costs: Floats
    prior: Floats
    called: Floats
    baseline_called: Floats
    seed: int | None
    sizes: Floats
    names: tuple[str, ...]
    classes: tuple[Any, ...] = ()

    def class_costs(self) -> tuple[Floats, Floats]:
        """What the rows of each class add to `baseline_cost`, and to `cost`."""
        before, after = (
            self.prior * (called * self.costs).sum(axis=1)
            for called in (self.baseline_called, self.called)
        )
        return before, after

    def predict(self, y_score: Any) -> Array:
        """The class called in each row of an (n, m) table of scores; ties: the lowest.

        A label of `classes` where these were given or named by a frame, else a column number.
        """
        return labelled(self.predict_columns(y_score), self.classes)

    def predict_columns(self, y_score: Any) -> Classes:
        """The same as column numbers."""
        table = checked_scores(in_class_order(y_score, self.names), len(self.weights))
        warn_of_empty_rows(table)
        return called_by(table.T, self.weights, self.costs, self.method)

    def right_limits(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Wilson's limits of the share of each class that is called right (the diagonal).

        For weights that are given; weights chosen on the same rows do a little worse on new ones.
        """
        right = np.diagonal(self.called)
        held = np.maximum(self.sizes, 1.0)
        level = checks.level(level)
        limits = [
            proportion_limits(np.array([share * n]), float(n), level, "wilson")
            for share, n in zip(right, held, strict=True)
        ]
        low, high = (np.array([float(each[k][0]) for each in limits]) for k in (0, 1))
        nobody = self.sizes == 0  # nothing is known of such a class
        return np.where(nobody, 0.0, low), np.where(nobody, 1.0, high)

    def _sentence(self) -> str:
        shown = weights_in_words(self.weights, self.names if self.named else ())
        proof = ", the optimum" if self.optimal else ""
        # equal weights of the columns are another rule than equal weights of the confidences
        plain = "the largest confidence" if self.method == COLUMNS else "equal weights"
        stopped = "" if self.finished else " (stopped by the time limit)"
        return (
            f"Class weights {shown} by {self.method}{stopped}: expected cost "
            f"{_cost(self.cost)}{proof}; {_cost(self.baseline_cost)} with {plain}"
        )

    @property
    def named(self) -> bool:
        """Whether the classes have names of their own."""
        return self.names != tuple(map(str, range(len(self.names))))

    def _columns(self) -> Mapping[str, Any]:
        low, high = self.right_limits()
        called = np.array(self.names, dtype=object) if self.named else np.arange(len(self.names))
        return {
            "class": called,
            "weight": self.weights,
            "prior": self.prior,
            "right": np.diagonal(self.called),
            "right_low": low,
            "right_high": high,
            "right_with_equal_weights": np.diagonal(self.baseline_called),
        }


def _cost(value: float) -> str:
    return printing.count(round(value, 4)) if value >= 100 else f"{value:.4g}"


def weights_in_words(weights: Floats, names: tuple[str, ...] = ()) -> str:
    """Weights in the order of the classes, with their names if they have any."""
    texts = [f"{weight:.4g}" for weight in weights]
    if not names:
        return ", ".join(texts)
    return ", ".join(f"{name} {text}" for name, text in zip(names, texts, strict=True))


def labelled(called: Classes, classes: tuple[Any, ...]) -> Array:
    """Column numbers as the labels of the columns, if these have any."""
    if not classes:
        return called
    kinds = {type(label) for label in classes}
    alike = len(kinds) == 1 and kinds <= {str, int, float, bool}
    return np.array(classes, dtype=None if alike else object)[called]


def in_class_order(y_score: Any, names: tuple[str, ...]) -> Any:
    """A frame with a column for every class in the order of the classes; the rest as it is."""
    columns = [str(name) for name in getattr(y_score, "columns", ())]
    if columns and all(name in columns for name in names):
        own = dict(zip(columns, y_score.columns, strict=True))
        return y_score[[own[name] for name in names]]
    return y_score
