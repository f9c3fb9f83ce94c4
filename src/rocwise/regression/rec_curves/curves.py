"""REC curves: the share of cases whose error stays within a tolerance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.inputs.coercion import Missing
from rocwise.inputs.forecasts import forecast_rows, forecasters, training_targets
from rocwise.regression.rec_curves.losses import (
    Loss,
    Losses,
    LossFunction,
    as_distances,
    chain_starts,
    exact_mean,
    losses_of,
)
from rocwise.regression.rec_curves.null_models import null_forecasts
from rocwise.regression.rec_curves.results import RecCurve, RecCurves
from rocwise.results import Origin


def rec(
    y_true: Any,
    y_pred: Any,
    *,
    loss: Loss | LossFunction = "absolute",
    null: Any = None,
    y_train: Any = None,
    sample_weight: Any = None,
    missing: Missing = "raise",
) -> RecCurve:
    """REC curve: for every tolerance, the share of cases whose error stays within it.

    Parameters
    ----------
    y_true : array-like
        What happened.
    y_pred : array-like, or a dict or data frame of them
        What the model said; of several models by name, each of which gets its curve.
    loss : {"absolute", "squared"} or callable
        Size of an error; a function takes both columns and returns a loss of at least 0 per row.
    null : None, {"mean", "median", "last"}, number or array
        The model to beat: a constant from `y_train`, a number, or a forecast for each row.
    y_train : array-like, optional
        Targets of the training data. The null model never sees the targets it is judged by.
    sample_weight : array-like, optional
        Weight of each row: for every value weight 2 is the row twice; intervals and bands take
        rows for what was sampled, and weights for how many cases each stands for.
    missing : {"raise", "drop"}
        What to do with rows that miss a target, a forecast or a weight.

    Returns
    -------
    RecCurve
        With `tolerance`, `accuracy`, `aoc` (the mean loss), its `interval`, `null_aoc`;
        `.within(tolerance)`, `.order(other)`, `.dominates(other)`, `.crossings(other)`,
        `.aoc_up_to(tolerance)`, `.trapezoid_aoc()`. Of several models a `RecCurves`: `[name]` is
        the curve of one, `to_frame()` has one row per model.

    References
    ----------
    J. Bi and K. P. Bennett, "Regression error characteristic curves", ICML 2003.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.rec([1, 2, 3, 4, 5, 6], [1.2, 1.7, 3.1, 4.8, 4.6, 6.0], null="mean", y_train=[2, 3, 7])
    AOC 0.3 (mean absolute error; 95 % CI 0.1115 to 0.8069), 0.2 of the null model's 1.5; 6 cases
    """
    models = forecasters(y_pred)
    several = models is not None
    columns = {f"y_pred[{name!r}]": column for name, column in (models or {}).items()}
    columns = columns if several else {"y_pred": y_pred}
    single = null is None or isinstance(null, str) or not hasattr(null, "__len__")
    given = not (single or getattr(null, "ndim", 1) == 0)
    if given:
        columns["null"] = null
    found = forecast_rows(y_true, columns, sample_weight=sample_weight, missing=missing)
    options: dict[str, Any] = {
        "loss": loss,
        "null": found.predictions.pop("null") if given else null,
        "y_train": training_targets(y_train),
        "weights": found.weights,
    }
    if models is None:
        return rec_curve(found.y_true, found.predictions["y_pred"], origin=found.origin, **options)
    curves = {
        name: rec_curve(found.y_true, forecast, origin=replace(found.origin, name=name), **options)
        for name, forecast in zip(models, found.predictions.values(), strict=True)
    }
    return cast(RecCurve, RecCurves(answers=curves, origin=found.origin))


def rec_curve(
    y_true: Floats,
    y_pred: Floats,
    *,
    loss: str | LossFunction = "absolute",
    null: Any = None,
    y_train: Floats | None = None,
    origin: Origin | None = None,
    weights: Floats | None = None,
) -> RecCurve:
    """The curve of checked columns."""
    found = replace(losses_of(y_true, y_pred, loss), weights=weights)
    if null is None:
        return curve_of(found, origin=origin)
    forecasts, name = null_forecasts(null, y_train, len(y_true))
    baseline = curve_of(replace(losses_of(y_true, forecasts, loss), weights=weights))
    if baseline.aoc == 0.0:
        raise InputError(
            f"`null` ({name}) makes no error at all, so nothing can be measured against it. "
            "Leave it out, or take another null model."
        )
    return curve_of(found, origin=origin, null=(name, baseline))


def curve_of(
    found: Losses, *, origin: Origin | None = None, null: tuple[str, RecCurve] | None = None
) -> RecCurve:
    """The step function of the losses (C1)."""
    order = kernels.argsort(found.values)
    ascending = found.values[order]
    starts = np.flatnonzero(chain_starts(as_distances(ascending, found.kind), found.rounding))
    n = len(ascending)
    ends = np.append(starts[1:], n)
    if found.weights is None:
        accuracy = ends / n
    else:
        sums = np.cumsum(found.weights[order])
        accuracy = sums[ends - 1] / sums[-1]
    name, baseline = null or (None, None)
    return RecCurve(
        tolerance=ascending[starts],
        accuracy=accuracy,
        aoc=exact_mean(found.values, found.weights),
        null_aoc=baseline.aoc if baseline else None,
        n=n,
        loss=found.kind,
        losses=found.values,
        rounding=found.rounding,
        weights=found.weights,
        null=name,
        null_curve=baseline,
        origin=origin or Origin(),
    )
