"""REC curves: the share of cases whose error stays within a tolerance."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats, Places
from rocwise.errors import InputError, count_of
from rocwise.inputs.forecasts import forecasts, training_targets
from rocwise.regression.rec_curves import dominance
from rocwise.regression.rec_curves.losses import (
    LOSSES,
    Losses,
    LossFunction,
    as_distances,
    chain_starts,
    exact_mean,
    losses_of,
)
from rocwise.regression.rec_curves.null_models import null_forecasts
from rocwise.results import Origin, Result, result


@result
class RecCurve(Result):
    """Share of cases within each tolerance: a step function, drawn from its distinct errors.

    `tolerance` holds the distinct losses (those that differ by rounding are one) and `accuracy`
    the share of cases with at most that loss. `aoc` is the area over the curve, which is the mean
    loss. `losses` are those of the rows, in their order; distances closer than `rounding` count as
    equal. With a null model, `null_aoc` is its area and `null_curve` its curve.
    """

    tolerance: Floats
    accuracy: Floats
    aoc: float
    null_aoc: float | None
    n: int
    loss: str
    losses: Floats
    rounding: float
    null: str | None = None
    null_curve: RecCurve | None = None

    @property
    def relative_aoc(self) -> float | None:
        """The area over the curve as a share of the null model's; None without a null model."""
        return None if self.null_aoc is None else self.aoc / self.null_aoc

    @property
    def median_loss(self) -> float:
        """The smallest tolerance within which at least half of the cases lie."""
        return float(self.tolerance[int((self.accuracy >= 0.5).argmax())])

    def dominates(self, other: RecCurve) -> bool:
        """Whether this curve is nowhere below the other and somewhere above it."""
        return dominance.dominates(self, checked_curve(other, "other"))

    def crossings(self, other: RecCurve) -> list[float]:
        """Tolerances at which the better of the two curves changes."""
        return dominance.crossings(self, checked_curve(other, "other"))

    def aoc_up_to(self, tolerance: float) -> float:
        """The area over the curve left of a tolerance: the mean of the losses, cut there."""
        limit = checks.not_negative(tolerance, "tolerance")
        return exact_mean(np.minimum(self.losses, limit))

    def trapezoid_aoc(self) -> float:
        """The area over the straight lines through the vertices; smaller than the mean loss."""
        steps = np.diff(self.tolerance, prepend=0.0) * np.diff(self.accuracy, prepend=0.0)
        return self.aoc - 0.5 * float(steps.sum())

    def hits_at(self, tolerance: Any) -> Places:
        """How many cases lie within each tolerance, those that miss it by rounding included."""
        limits = as_distances(np.asarray(tolerance, np.float64), self.loss) + self.rounding
        ascending = np.sort(as_distances(self.losses, self.loss))
        return np.searchsorted(ascending, limits, side="right")

    def _sentence(self) -> str:
        loss = f"{self.loss} error" if self.loss in LOSSES else self.loss
        measured = f"AOC {self.aoc:.4g} (mean {loss})"
        if self.null_aoc is not None:
            measured += f", {self.relative_aoc:.3g} of the null model's {self.null_aoc:.4g}"
        return f"{measured}; {count_of(self.n, 'case')}"

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON-safe values, with the numbers derived from the curve."""
        derived = {
            "relative_aoc": self.relative_aoc,
            "median_loss": self.median_loss,
            "largest_loss": float(self.losses.max()),
        }
        return {**super().to_dict(), **derived}

    def _columns(self) -> dict[str, Any]:
        return {"tolerance": self.tolerance, "accuracy": self.accuracy}


def checked_curve(curve: Any, argument: str) -> RecCurve:
    """The curve, refused if it is anything else, such as the forecasts themselves."""
    if not isinstance(curve, RecCurve):
        raise InputError(
            f"`{argument}` must be a RecCurve; got {type(curve).__name__}. "
            "Pass what rec(y_true, y_pred) returns."
        )
    return curve


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


def rec_curve(
    y_true: Floats,
    y_pred: Floats,
    *,
    loss: str | LossFunction = "absolute",
    null: Any = None,
    y_train: Floats | None = None,
    origin: Origin | None = None,
) -> RecCurve:
    """The curve of checked columns."""
    found = losses_of(y_true, y_pred, loss)
    if null is None:
        return curve_of(found, origin=origin)
    forecasts, name = null_forecasts(null, y_train, len(y_true))
    baseline = curve_of(losses_of(y_true, forecasts, loss))
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
    ascending = np.sort(found.values)
    starts = np.flatnonzero(chain_starts(as_distances(ascending, found.kind), found.rounding))
    n = len(ascending)
    name, baseline = null or (None, None)
    return RecCurve(
        tolerance=ascending[starts],
        accuracy=np.append(starts[1:], n) / n,
        aoc=exact_mean(found.values),
        null_aoc=baseline.aoc if baseline else None,
        n=n,
        loss=found.kind,
        losses=found.values,
        rounding=found.rounding,
        null=name,
        null_curve=baseline,
        origin=origin or Origin(),
    )
