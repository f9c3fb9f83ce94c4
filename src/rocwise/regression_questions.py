"""The front desk for forecasts of a number: targets and forecasts in, answers out."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise.errors import InputError
from rocwise.inputs.forecasts import forecasts, named_predictions, training_targets
from rocwise.progress import Report
from rocwise.regression.comparisons.forecasters import IN_TIME_ORDER, compared
from rocwise.regression.comparisons.results import RecComparison
from rocwise.regression.rec_curves.curves import RecCurve, rec_curve
from rocwise.regression.rec_curves.losses import LossFunction
from rocwise.regression.rroc_curves import RrocCurve, rroc_curve


def rec(
    y_true: Any,
    y_pred: Any,
    *,
    loss: str | LossFunction = "absolute",
    null: Any = None,
    y_train: Any = None,
    missing: str = "raise",
) -> RecCurve:
    """REC curve: for every tolerance, the share of cases whose error stays within it.

    Parameters
    ----------
    y_true, y_pred : array-like
        What happened, and what the model said.
    loss : {"absolute", "squared"} or callable
        Size of an error; a function takes both columns and returns a loss of at least 0 per row.
    null : None, {"mean", "median", "last"}, number or array
        The model to beat: a constant from `y_train`, a number, or a forecast for each row.
    y_train : array-like, optional
        Targets of the training data. The null model never sees the targets it is judged by.
    missing : {"raise", "drop"}
        What to do with rows that miss a target or a forecast.

    Returns
    -------
    RecCurve
        With `tolerance`, `accuracy`, `aoc` (the mean loss), `null_aoc`; `.dominates(other)`,
        `.crossings(other)`, `.aoc_up_to(tolerance)`, `.trapezoid_aoc()`.

    References
    ----------
    J. Bi and K. P. Bennett, "Regression error characteristic curves", ICML 2003.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.rec([1, 2, 3, 4, 5, 6], [1.2, 1.7, 3.1, 4.8, 4.6, 6.0], null="mean", y_train=[2, 3, 7])
    AOC 0.3 (mean absolute error), 0.2 of the null model's 1.5; 6 cases
    """
    columns = {"y_pred": y_pred}
    given = not (null is None or isinstance(null, str) or np.ndim(null) == 0)
    if given:
        columns["null"] = null
    found = forecasts(y_true, columns, missing=missing)
    return rec_curve(
        found.y_true,
        found.predictions["y_pred"],
        loss=loss,
        null=found.predictions["null"] if given else null,
        y_train=training_targets(y_train),
        origin=found.origin,
    )


def compare_rec(
    y_true: Any,
    predictions: Any,
    *,
    loss: str | LossFunction = "absolute",
    method: str = "swap",
    horizon: int = 1,
    block: int | None = None,
    tolerance: float | None = None,
    up_to: float | None = None,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Any = None,
    missing: str = "raise",
    progress: bool | Report | None = None,
) -> RecComparison:
    """Is one forecaster better than another on the same rows? More than two: every pair.

    Parameters
    ----------
    y_true, predictions : array-like, and dict of name to array-like, data frame or 2-D array
        Targets, and the forecasts of each model.
    loss, missing
        As in `rec`.
    method : {"swap", "swap-sup", "wilcoxon", "diebold-mariano", "bootstrap", "block-bootstrap"}
        The first three and "bootstrap" take rows for independent; the other two take them in time
        order. "swap-sup" compares whole curves.
    horizon : int, default 1
        Steps ahead of the forecasts, for the methods in time order.
    block : int, optional
        Rows per block of "block-bootstrap"; by default the cube root of n, at least `horizon`.
    tolerance, up_to : float, optional
        Compare the shares of cases within this tolerance, or the AOC up to it.
    level, n_resamples, rng
        Of the interval; random swaps (where not all are counted) or resamples; seed or generator.
    progress : bool or callable, optional
        Whether to show how far long work has come.

    Returns
    -------
    RecComparison

    Examples
    --------
    >>> import rocwise as rw
    >>> models = {"a": [1.2, 1.7, 3.1, 4.8, 4.6, 6.0], "b": [1.1, 2.6, 3.0, 4.2, 5.3, 5.1]}
    >>> rw.compare_rec([1, 2, 3, 4, 5, 6], models)
    AOC a 0.3 against b 0.35: difference -0.05, p = 0.812 (swap test, all swaps); 6 cases
    """
    if missing == "drop" and method in IN_TIME_ORDER:
        raise InputError(
            f"`missing` 'drop' does not go with method={method!r}: without those rows the others "
            "are no longer one step apart. Fill the gaps, or cut the series."
        )
    named = named_predictions(predictions)
    arguments = {f"predictions[{name!r}]": values for name, values in named.items()}
    found = forecasts(y_true, arguments, missing=missing)
    return compared(
        found.y_true,
        dict(zip(named, found.predictions.values(), strict=True)),
        loss=loss,
        method=method,
        horizon=horizon,
        block=block,
        tolerance=tolerance,
        up_to=up_to,
        level=level,
        n_resamples=n_resamples,
        rng=rng,
        progress=progress,
        origin=found.origin,
    )


def rroc(y_true: Any, y_pred: Any, *, missing: str = "raise") -> RrocCurve:
    """RROC curve: total over- and underestimation for every shift of the forecasts.

    Parameters
    ----------
    y_true, y_pred : array-like
        What happened, and what the model said.
    missing : {"raise", "drop"}
        What to do with rows that miss a target or a forecast.

    Returns
    -------
    RrocCurve
        With `shift`, `over`, `under`, `aoc` (n² / 2 times the variance of the errors) and
        `.best_shift(over=, under=)`.

    References
    ----------
    J. Hernández-Orallo, "ROC curves for regression", Pattern Recognition 46 (2013).

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.rroc([1, 2, 3], [2, 2, 5])
    >>> curve.over.tolist(), curve.under.tolist()
    ([0.0, 1.0, 3.0], [-3.0, -1.0, 0.0])
    """
    found = forecasts(y_true, {"y_pred": y_pred}, missing=missing)
    return rroc_curve(found.y_true, found.predictions["y_pred"], origin=found.origin)
