"""`class_cost`: what a rule costs on data it was not fitted to."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.coercion import Missing, as_class_rows
from rocwise.multiclass.operating_points.problems import (
    OperatingProblem,
    called_classes,
    operating_problem,
)


def class_cost(
    y_true: Any,
    y_score: Any = None,
    *,
    classes: Any = None,
    rule: Any = None,
    costs: Any = None,
    prior: Any = None,
    sample_weight: Any = None,
    missing: Missing = "raise",
) -> float:
    """Expected cost per case: sum over classes of prior * share called * cost.

    Parameters
    ----------
    y_true : array-like (n,)
        Classes: the column numbers 0..m-1 of `y_score`, the names of its columns if it is a
        frame, or labels of any kind with `classes`.
    y_score : array-like (n, m)
        Probabilities of the classes, or other scores of at least 0.
    classes : sequence of labels, optional
        The label of each column of `y_score`, in their order.
    rule : ClassWeights, MetaClass or array-like (m,), optional
        What decides: anything with `predict(y_score)`, or weights of the classes, of which
        some but not all may be 0. By default the largest confidence.
    costs : array-like (m, m), optional
        costs[true, predicted], 0 on the diagonal; by default every error costs 1.
    prior : array-like (m,), optional
        Shares of the classes; by default those of the data.
    sample_weight, missing
        Weight 2 is the row twice; "raise", or "drop" for leaving out incomplete rows.

    Returns
    -------
    float

    Examples
    --------
    >>> from rocwise.multiclass import class_cost
    >>> y_true, y_score = [0, 0, 1, 1], [[0.7, 0.3], [0.45, 0.55], [0.4, 0.6], [0.2, 0.8]]
    >>> class_cost(y_true, y_score), class_cost(y_true, y_score, rule=[1.3, 1])
    (0.25, 0.0)
    """
    rows = as_class_rows(
        y_true,
        y_score,
        classes=classes,
        sample_weight=sample_weight,
        missing=missing,
        nonnegative=True,
    )
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
            "`rule` must hold finite weights of at least 0, not all 0; got "
            f"{listed(values, limit=12)}."
        )
    return values
