"""Operating points of several classes: what calling each row each class costs, and rules.

A rule calls every row one class. Its expected cost is the sum of the losses
a_ik = p_y / n_y * c_yk, y the true class of row i and k the class called.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Unpack

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Floats, Places
from rocwise.costs import class_priors, cost_matrix
from rocwise.data.class_rows import ClassRows, checked_scores, rescaled
from rocwise.errors import InputError, MisuseWarning, count_of, listed, shown, warn
from rocwise.inputs.coercion import ClassOptions, as_class_rows, options_shown
from rocwise.results import Result

Classes = Places
CALLED_FIRST = "always predicted as class 0"  # what a rule does with rows without confidence


@dataclass(frozen=True, eq=False)
class OperatingProblem:
    """Scores f_ik and losses, a line per class; equal rows are one column with a weight."""

    scores: Floats
    labels: Classes
    row_weights: Floats
    costs: Floats
    prior: Floats
    class_sizes: Floats

    @property
    def n_classes(self) -> int:
        """Number of classes m."""
        return len(self.scores)

    @property
    def n_rows(self) -> int:
        """Number of distinct rows."""
        return int(self.scores.shape[1])

    @property
    def least_gain(self) -> float:
        """Costs that differ by less are equal: rounding, in the units of the costs."""
        return 1e-12 * float(self.costs.max() or 1.0)

    @cached_property
    def case_weights(self) -> Floats:
        """p_y / n_y times the weight of each row: what a loss of 1 there adds."""
        sizes = self.class_sizes
        priors = np.divide(self.prior, sizes, out=np.zeros_like(self.prior), where=sizes > 0)
        return priors[self.labels] * self.row_weights

    @cached_property
    def losses(self) -> Floats:
        """a_ik = p_y / n_y * c_yk * weight (m, n); expected cost is their sum over the calls."""
        return np.asarray(np.take(self.costs.T, self.labels, axis=1) * self.case_weights)

    def logs(self) -> Floats:
        """Logarithms of the scores; minus infinity at 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.scores)

    def cost(self, called: Classes) -> float:
        """Expected cost of calling the rows these classes."""
        return float((self.costs[self.labels, called] * self.case_weights).sum())

    def cost_at(self, weights: Floats) -> float:
        """Expected cost of the largest weighted confidence."""
        return self.cost(called_classes(self.scores, weights))


def operating_problem(
    rows: ClassRows, costs: Any, prior: Any, empty_rows: str = CALLED_FIRST
) -> OperatingProblem:
    """Check costs and prior, and work out the losses; by default every error costs 1."""
    m, sizes = rows.n_classes, rows.class_sizes
    matrix = 1.0 - np.eye(m) if costs is None else cost_matrix(costs, m)
    priors = class_priors(prior, sizes)
    warn_of_empty_rows(rows.scores, rows.rows, fate=empty_rows)
    weights = np.ones(len(rows.labels)) if rows.weights is None else rows.weights
    lines, labels, counts = _distinct(rescaled(rows.scores), rows.labels, weights)
    return OperatingProblem(lines, labels, counts, matrix, priors, sizes)


def _distinct(scores: Floats, labels: Classes, weights: Floats) -> tuple[Floats, Classes, Floats]:
    """Distinct rows, sorted by a mixture of their columns, in which equal rows are neighbors."""
    present = weights > 0
    if not present.all():
        scores, labels, weights = scores[present], labels[present], weights[present]
    *factors, of_label = np.random.default_rng(0).random(scores.shape[1] + 1)
    scale = scores.max() or 1.0
    lines = np.ascontiguousarray(scores.T)
    mixture = of_label * labels
    for factor, line in zip(factors, lines, strict=True):
        mixture += line / scale * factor
    order = kernels.argsort(mixture)
    mixture, labels, weights = mixture[order], labels[order], weights[order]
    lines = np.take(lines, order, axis=1)
    differs = mixture[1:] != mixture[:-1]
    equal = np.flatnonzero(~differs)
    differs[equal] = (labels[equal + 1] != labels[equal]) | (
        lines[:, equal + 1] != lines[:, equal]
    ).any(axis=0)
    if differs.all():
        return lines, labels, weights
    starts = np.concatenate(([0], np.flatnonzero(differs) + 1))
    return np.take(lines, starts, axis=1), labels[starts], np.add.reduceat(weights, starts)


def warn_of_empty_rows(
    scores: Floats, rows: Places | None = None, fate: str = CALLED_FIRST
) -> None:
    """Warn of rows without confidence in any class."""
    empty = ~scores.any(axis=1)
    if empty.any():
        first = int(empty.argmax()) if rows is None else int(rows[empty.argmax()])
        warn(
            f"`y_score` has {count_of(int(empty.sum()), 'row')} without any confidence above 0 "
            f"(first at row {first}); such rows are {fate}.",
            MisuseWarning,
        )


def called_classes(scores: Floats, weights: Floats) -> Classes:
    """The class of the largest weighted confidence in each column; ties: the lowest class."""
    best, called = scores[0] * weights[0], np.zeros(scores.shape[1], np.intp)
    for k in range(1, len(scores)):
        weighted = scores[k] * weights[k]
        np.copyto(called, k, where=weighted > best)
        np.maximum(best, weighted, out=best)
    return called


def risks(scores: Floats, costs: Floats) -> Floats:
    """g_ik = sum over j of f_ij c_jk, one line per class k: what calling row i class k may cost."""
    return np.asarray(costs.T @ scores)


def altered_risks(scores: Floats, costs: Floats, weights: Floats, *, rows: bool) -> Floats:
    """Risks by costs whose rows are multiplied by weights, or whose columns are divided."""
    if rows:
        return risks(scores * weights[:, None], costs)
    return risks(scores, costs) / weights[:, None]


def predicted_rates(problem: OperatingProblem, called: Classes) -> Floats:
    """r_jk: the proportion of class j predicted as k; a class without rows has zeros."""
    m = problem.n_classes
    flat = np.bincount(problem.labels * m + called, problem.row_weights, minlength=m * m)
    counts = flat.reshape(m, m).astype(np.float64)
    totals = counts.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0))


class ClassRule(Result):
    """A result that decides: it calls every row of a table of scores one class."""

    _empty_rows: ClassVar[str] = CALLED_FIRST
    names: tuple[str, ...]
    classes: tuple[Any, ...]

    def predict(self, y_score: Any) -> Array:
        """The class called in each row of an (n, m) table of scores; ties: the lowest.

        A label of `classes` where these were given or named by a frame, else a column number.
        """
        called = self.predict_columns(y_score)
        if not self.classes:
            return called
        kinds = {type(label) for label in self.classes}
        one_type = len(kinds) == 1 and kinds <= {str, int, float, bool}
        return np.array(self.classes, dtype=None if one_type else object)[called]

    def predict_columns(self, y_score: Any) -> Classes:
        """The same as column numbers."""
        columns = [str(name) for name in getattr(y_score, "columns", ())]
        if columns and all(name in columns for name in self.names):
            own = dict(zip(columns, y_score.columns, strict=True))
            y_score = y_score[[own[name] for name in self.names]]
        table = checked_scores(y_score, len(self.names))
        warn_of_empty_rows(table, fate=self._empty_rows)
        return self._called(table.T)

    def _called(self, table: Floats) -> Classes:
        """The classes called in the columns of a checked table, which has a line for each."""
        raise NotImplementedError


@options_shown(ClassOptions)
def class_cost(
    y_true: Any,
    y_score: Any = None,
    *,
    rule: Any = None,
    costs: Any = None,
    prior: Any = None,
    **given: Unpack[ClassOptions],
) -> float:
    """Compute the expected cost per case of a multiclass decision rule.

    Parameters
    ----------
    rule : ClassWeights, MetaClass or array-like of shape (m,), optional
        Object with a method ``predict(y_score)``, or class weights; by default the class with the
        highest score is predicted.
    costs : array-like of shape (m, m), optional
        ``costs[true, predicted]``, 0 on the diagonal; by default each error costs 1.
    prior : array-like of shape (m,), optional
        Class probabilities; by default the proportions in the data.

    Returns
    -------
    float
        Expected cost.

    See Also
    --------
    multiclass.class_weights : Class weights with the least expected cost.
    multiclass.metaclass : Tree of thresholds between groups of classes.

    Examples
    --------
    >>> from rocwise.multiclass import class_cost
    >>> y_true, y_score = [0, 0, 1, 1], [[0.7, 0.3], [0.45, 0.55], [0.4, 0.6], [0.2, 0.8]]
    >>> class_cost(y_true, y_score), class_cost(y_true, y_score, rule=[1.3, 1])
    (0.25, 0.0)
    """
    rows = as_class_rows(y_true, y_score, nonnegative=True, **given)
    problem = operating_problem(rows, costs, prior)
    decides = getattr(rule, "predict_columns", None) or getattr(rule, "predict", None)
    if decides is not None:
        called = np.asarray(decides(problem.scores.T), dtype=np.intp)
        return problem.cost(called)
    weights = np.ones(problem.n_classes) if rule is None else checked_weights(rule, problem)
    return problem.cost(called_classes(problem.scores, weights))


def checked_weights(weights: Any, problem: OperatingProblem) -> Floats:
    """One finite number of at least 0 for each class, not all 0."""
    try:
        values = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"`rule` must be a rule or weights; got {shown(weights, 60)}.") from None
    if values.shape != (problem.n_classes,):
        raise InputError(
            f"`rule` must have one weight for each of {problem.n_classes} classes; got the shape "
            f"{values.shape}."
        )
    if not np.isfinite(values).all() or (values < 0).any() or not values.any():
        raise InputError(
            "`rule` must contain finite weights of at least 0, not all 0; got "
            f"{listed(values, limit=12)}."
        )
    return values
