"""REC curves: the proportion of cases whose error stays within a tolerance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from operator import itemgetter
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict, Unpack, get_args, overload

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Flags, Floats, Integers, Places, masked_nan
from rocwise.errors import InputError, MisuseWarning, count_of, ends_traceback, listed, shown, warn
from rocwise.inference.proportions import (
    METHODS,
    PROPORTION_NAMES,
    ProportionMethod,
    proportion_limits,
)
from rocwise.inference.significance import Reference
from rocwise.inputs.coercion import Missing
from rocwise.inputs.forecasts import forecast_rows, forecasts_by_model, training_targets
from rocwise.results import ASIDE, Interval, ModelResults, Origin, Result, json_safe, result

LossFunction: TypeAlias = Callable[[Floats, Floats], Any]
Loss = Literal["absolute", "squared"]
NullConstant = Literal["mean", "median", "last"]
LOSSES: tuple[str, ...] = get_args(Loss)
EQUAL = 1e-12  # distances closer than this, relative to the largest (at least 1), are one
SMALL_UNITS = 1e-6  # data below this size are in units of their own, and 1 means nothing
ROUNDING = 4 * float(np.finfo(np.float64).eps)  # of a difference, relative to its terms
SMALLEST = 1e-290  # largest squared errors below it leave too few digits to the others
HUGE = 1e280  # sums of larger numbers could overflow
MOST_NAMED = 3  # crossings written out in a sentence
TOO_SKEWED = 0.4  # skewness of the mean; limits hold too rarely where it is usually larger
CORRECTED = "t corrected for skewness (Hall 1992)"


class RecOptions(TypedDict, total=False):
    """Options of `rec`."""

    loss: Loss | LossFunction
    null: Any
    y_train: Any
    sample_weight: Any
    missing: Missing


@overload
def rec(y_true: Any, y_pred: Mapping[str, Any], **options: Unpack[RecOptions]) -> RecCurves: ...
@overload
def rec(y_true: Any, y_pred: Any, **options: Unpack[RecOptions]) -> RecCurve: ...
@ends_traceback
def rec(
    y_true: Any,
    y_pred: Any,
    *,
    loss: Loss | LossFunction = "absolute",
    null: Any = None,
    y_train: Any = None,
    sample_weight: Any = None,
    missing: Missing = "raise",
) -> RecCurve | RecCurves:
    """Compute the regression error characteristic (REC) curve.

    The curve shows, for every tolerance, the proportion of cases with at most that loss; the area
    over the curve (AOC) is the mean loss [1]_.

    Parameters
    ----------
    y_true : array-like
        Targets.
    y_pred : array-like, dict of str to array-like, or DataFrame
        Predictions; of several models by name, for one curve each.
    loss : {"absolute", "squared"} or callable, default "absolute"
        Loss; a function receives targets and predictions and returns the loss of each row.
    null : {"mean", "median", "last"}, float or array-like, optional
        Null model: a constant computed from `y_train`, a number, or one prediction per row.
    y_train : array-like, optional
        Targets of the training set.
    sample_weight : array-like, optional
        Weight of each row. For estimates, weight 2 equals the row twice; intervals treat rows as
        the sampling units.
    missing : {"raise", "drop"}, default "raise"
        What to do with rows with a missing value.

    Returns
    -------
    RecCurve
        Result with `tolerance`, `accuracy`, `aoc`, `interval` and `null_aoc`, and the methods
        ``within(tolerance)``, ``order(other)``, ``dominates(other)``, ``crossings(other)``,
        ``aoc_up_to(tolerance)`` and ``trapezoid_aoc()``. For several models, one such curve per
        name.

    See Also
    --------
    regression.rroc : RROC curve.
    regression.band : Confidence band of a REC curve.
    regression.compare : Comparison of regression models.
    estimators.RecDisplay : REC curve of a regressor.

    References
    ----------
    .. [1] J. Bi and K. P. Bennett, "Regression error characteristic curves", ICML, 2003.

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true, y_pred = [1, 2, 3, 4, 5, 6], [1.2, 1.7, 3.1, 4.8, 4.6, 6.0]
    >>> curve = rw.regression.rec(y_true, y_pred, null="mean", y_train=[2, 3, 7])
    >>> round(curve.aoc, 3), curve.null_aoc
    (0.3, 1.5)
    >>> ax = curve.plot()
    """
    models = forecasts_by_model(y_pred)
    columns = {"y_pred": y_pred}
    if models is not None:
        columns = {f"y_pred[{name!r}]": column for name, column in models.items()}
    given = hasattr(null, "__len__") and not isinstance(null, str) and getattr(null, "ndim", 1) > 0
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
        return _curve(found.y_true, found.predictions["y_pred"], origin=found.origin, **options)
    curves = {
        name: _curve(found.y_true, forecast, origin=replace(found.origin, name=name), **options)
        for name, forecast in zip(models, found.predictions.values(), strict=True)
    }
    return RecCurves(results=curves, origin=found.origin)


def _curve(
    y_true: Floats,
    y_pred: Floats,
    *,
    loss: str | LossFunction,
    null: Any,
    y_train: Floats | None,
    weights: Floats | None,
    origin: Origin,
) -> RecCurve:
    """The curve of checked columns."""
    found = losses_of(y_true, y_pred, loss)
    if null is None:
        return _step_function(found, weights, origin=origin)
    forecasts, name = _null_forecasts(null, y_train, len(y_true))
    baseline = _step_function(losses_of(y_true, forecasts, loss), weights)
    if baseline.aoc == 0.0:
        raise InputError(
            f"`null` ({name}) makes no error at all, so nothing can be measured against it. "
            "Leave it out, or take another null model."
        )
    compared = {"null": name, "null_curve": baseline, "null_aoc": baseline.aoc}
    return _step_function(found, weights, origin=origin, **compared)


def _step_function(found: Losses, weights: Floats | None, **fields: Any) -> RecCurve:
    """The step function of the losses (C1)."""
    order = np.argsort(found.values, kind="stable")
    ascending = found.values[order]
    starts = np.flatnonzero(chain_starts(as_distances(ascending, found.kind), found.rounding))
    n = len(ascending)
    sums = np.arange(1, n + 1) if weights is None else np.cumsum(weights[order])
    return RecCurve(
        tolerance=ascending[starts],
        accuracy=sums[np.append(starts[1:], n) - 1] / sums[-1],
        aoc=exact_mean(found.values, weights),
        n=n,
        loss=found.kind,
        losses=found.values,
        rounding=found.rounding,
        weights=weights,
        **fields,
    )


def _null_forecasts(null: Any, y_train: Floats | None, n: int) -> tuple[Floats, str]:
    """The n forecasts of the null model, and their name."""
    if isinstance(null, str):
        checks.one_of(null, "null", get_args(NullConstant))
        if y_train is None:
            raise InputError(
                f"`null` {null!r} needs `y_train`, the targets of the training data: a null model "
                "fitted to the test targets would be optimistic."
            )
        summary: Any = {"mean": np.mean, "median": np.median, "last": itemgetter(-1)}[null]
        return np.full(n, float(summary(y_train))), f"{null} of the training targets"
    if isinstance(null, np.ndarray) and null.ndim:
        return null, "given forecasts"
    constant = checks.real(null, "null")
    return np.full(n, constant), f"constant {constant:g}"


# --- results --------------------------------------------------------------------------------------


@result
class RecCurve(Result):
    """REC curve: proportion of cases within each tolerance, a step function of the errors.

    `tolerance` contains the distinct losses (those that differ by rounding are one) and `accuracy`
    the proportion of cases with at most that loss. `aoc` is the area over the curve, the mean
    loss. `losses` are those of the rows, in their order; distances closer than `rounding` count as
    equal. `weights` are those of the rows, if any. With a null model, `null_aoc` is its area and
    `null_curve` its curve.
    """

    tolerance: Floats
    accuracy: Floats
    aoc: float
    null_aoc: float | None = None
    n: int
    loss: str
    losses: Floats
    rounding: float
    weights: Floats | None = None
    null: str | None = None
    null_curve: RecCurve | None = None

    @property
    def relative_aoc(self) -> float | None:
        """The area over the curve as a fraction of the null model's; None without a null model."""
        return None if self.null_aoc is None else self.aoc / self.null_aoc

    @property
    def interval(self) -> Interval | None:
        """The 95% interval of `aoc` for independent errors; None where all are equal."""
        return self.aoc_interval()

    def aoc_interval(self, *, level: float = 0.95, block: int = 1) -> Interval | None:
        """Confidence interval of the area over the curve: of the mean loss of new cases.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level.
        block : int, default 1
            For a series, over how many rows errors depend on each other.

        Returns
        -------
        Interval or None
            By Student's t, corrected for the skewness of the losses by Hall's transformation;
            never below 0. None where the losses do not vary (one row, or all equal).

        Warns
        -----
        MisuseWarning
            Where the skewness of the losses divided by the root of n is above 0.4: where it is
            so in most samples, the coverage of 95% limits was 90 to 92% in simulations.

        References
        ----------
        P. Hall, "On the removal of skewness by transformation", J. R. Statist. Soc. B 54, 1992.

        Examples
        --------
        >>> import rocwise as rw
        >>> rw.regression.rec([1, 2, 3, 4, 5, 6], [1.2, 1.7, 3.1, 4.8, 4.6, 6.0]).aoc_interval()
        0.084 to 1.483 (95% CI, t corrected for skewness (Hall 1992), for independent errors)
        """
        level = checks.level(level)
        block = checks.whole(block, "block", at_most=max(self.n // 2, 1))
        if block > 1 and self.weights is not None:
            raise InputError("`block` is for rows in their order; it does not go with weights.")
        limits, skewness = self._limits(level, block)
        if skewness > TOO_SKEWED:
            warn(
                f"`level` {level:g} may not be reached: the losses are skewed for "
                f"{count_of(self.n, 'case')} (skewness / sqrt(n) = {skewness:.2f}), and limits of "
                "95% covered only 90 to 92% in simulations where that is usually above "
                f"{TOO_SKEWED:g}. Take more cases, or aoc_up_to(tolerance).",
                MisuseWarning,
            )
        return limits

    def _limits(self, level: float, block: int) -> tuple[Interval | None, float]:
        """The interval of the area, and the skewness it corrects for."""
        error, df, skewness = self._moments_of_mean(block)
        if not error > 0:
            return None, 0.0
        reach, n = Reference(df).quantile(level), self.n
        unbiased = skewness * math.sqrt(n * (n - 1)) / max(n - 2, 1)
        low, high = (self.aoc - error * _unskewed(t, unbiased) for t in (reach, -reach))
        rows = f"series, blocks of {block}" if block > 1 else "independent errors"
        return Interval(max(low, 0.0), high, level, f"{CORRECTED}, for {rows}"), skewness

    def _moments_of_mean(self, block: int) -> tuple[float, float, float]:
        """Standard error of the mean loss, its degrees of freedom, and skewness of the mean.

        Rows are what was sampled; of a stationary series, overlapping means of `block` rows, which
        have 3/2 of the degrees of freedom of means that do not overlap (Meketon, Schmeiser).
        """
        scale, df = float(self.losses.max()) or 1.0, self.n - 1.0
        if block == 1:
            gaps = self.n * self._row_weights() * ((self.losses - self.aoc) / scale)
        else:
            sums = np.concatenate([[0.0], np.cumsum(self.losses / scale)])
            gaps = (sums[block:] - sums[:-block]) / block - self.aoc / scale
            df = max(1.5 * (self.n / block - 1), 1.0)
        n, squares = len(gaps), float(gaps @ gaps)
        if n < 2 or not squares > 0:
            return 0.0, 1.0, 0.0
        error = scale * math.sqrt(block / (n * (n - 1)) * squares)
        cubes = float(np.sum((gaps / math.sqrt(squares)) ** 3))
        return error, df, math.sqrt(block) * cubes

    def _row_weights(self) -> Floats:
        """The proportion of every row among all, by its weight."""
        weights = np.ones(self.n) if self.weights is None else self.weights
        return np.asarray(weights / weights.sum())

    @property
    def median_loss(self) -> float:
        """The smallest tolerance within which at least half of the cases lie."""
        return float(self.tolerance[int((self.accuracy >= 0.5).argmax())])

    def dominates(self, other: RecCurve) -> bool:
        """Whether this curve is nowhere below the other and somewhere above it."""
        return self.order(other).verdict == "first dominates"

    def crossings(self, other: RecCurve) -> list[float]:
        """Tolerances at which the better of the two curves changes."""
        found: list[float] = self.order(other).crossings.tolist()
        return found

    def order(self, other: RecCurve, *, names: tuple[str, str] | None = None) -> RecOrder:
        """Which of two curves is better, and where: one dominates, or they cross.

        Parameters
        ----------
        other : RecCurve
            A curve of the same kind of loss.
        names : pair of str, optional
            What to call this curve and the other.

        Returns
        -------
        RecOrder

        Examples
        --------
        >>> import rocwise as rw
        >>> truth = [0, 0, 0, 0]
        >>> cautious = rw.regression.rec(truth, [0.5, 0.5, 1, 1])
        >>> bold = rw.regression.rec(truth, [0, 0.25, 2, 2])
        >>> cautious.order(bold, names=("cautious", "bold"))
        REC curves of cautious and bold cross at 1: bold then cautious is better
        """
        grid, lead = signed_lead(self, checked_curve(other, "other"))
        signs = np.flatnonzero(lead)
        turns = signs[1:][np.diff(lead[signs]) != 0]  # the sign differs from the one before
        cuts = grid[turns]
        leaders = [*lead[signs[:1]], *lead[turns]]
        winner = tuple("first" if sign > 0 else "second" for sign in leaders)
        verdicts = {0: "equal", 1: f"{winner[0]} dominates"} if winner else {0: "equal"}
        return RecOrder(
            verdict=verdicts.get(len(winner), "crossing"),
            crossings=cuts,
            start=np.array([0.0, *cuts][: len(winner)]),
            end=np.array([*cuts, np.inf][: len(winner)]),
            winner=winner,
            first_aoc=np.array([*self._areas_up_to(cuts), self.aoc][: len(winner)]),
            second_aoc=np.array([*other._areas_up_to(cuts), other.aoc][: len(winner)]),
            names=_pair_of_names(names, self, other),
            curves=(self, other),
        )

    def within(
        self, tolerance: Any, *, level: float = 0.95, method: ProportionMethod = "wilson"
    ) -> RecAccuracy:
        """Proportion of cases whose loss is at most the tolerance, with its confidence interval.

        Parameters
        ----------
        tolerance : float or array
            Largest losses to forgive, in the units of the loss (squared ones for squared errors).
        level : float, default 0.95
            Confidence level of each interval, for independent cases.
        method : {"wilson", "clopper-pearson"}
            Wilson's interval is right on average, Clopper and Pearson's never too short.

        Returns
        -------
        RecAccuracy

        Examples
        --------
        >>> import rocwise as rw
        >>> rw.regression.rec([1, 2, 3, 4, 5, 6], [1.2, 1.7, 3.1, 4.8, 4.6, 6.0]).within(0.3)
        0.67 within 0.3 (0.30 to 0.90); 95% CI, Wilson; 6 cases
        """
        limits = checked_tolerances(tolerance)
        checks.one_of(method, "method", METHODS)
        level = checks.level(level)
        fractions, size = self.share_at(limits), float(self.n)
        how = PROPORTION_NAMES.get(method, method)
        if self.weights is not None:  # as many equal rows as they are worth: Kish's number
            size = float(self.weights.sum()) ** 2 / float(self.weights @ self.weights)
            how += f" with the effective number {size:.4g} of weighted rows"
        low, high = proportion_limits(fractions * size, size, level, method)
        return RecAccuracy(
            tolerance=limits,
            hits=self.hits_at(limits),
            accuracy=fractions,
            lower=low,
            upper=high,
            n=self.n,
            level=level,
            method=how,
            loss=self.loss,
            origin=self.origin,
        )

    def aoc_up_to(self, tolerance: float) -> float:
        """The area over the curve left of a tolerance: the mean of the losses, cut there."""
        limit = checks.not_negative(tolerance, "tolerance")
        return exact_mean(np.minimum(self.losses, limit), self.weights)

    def trapezoid_aoc(self) -> float:
        """The area over the straight lines through the vertices; smaller than the mean loss."""
        steps = np.diff(self.tolerance, prepend=0.0) * np.diff(self.accuracy, prepend=0.0)
        return self.aoc - 0.5 * float(steps.sum())

    def hits_at(self, tolerance: Any) -> Places:
        """How many cases lie within each tolerance, those that miss it by rounding included."""
        limits = checks.numbers(tolerance, "tolerance")
        limits = as_distances(limits, self.loss) + self.rounding
        ascending = np.sort(as_distances(self.losses, self.loss))
        return np.searchsorted(ascending, limits, side="right")

    def share_at(self, tolerance: Any) -> Floats:
        """The proportion of the cases, or of their weight, within each tolerance."""
        if self.weights is None:
            return np.asarray(self.hits_at(tolerance) / self.n)
        order = np.argsort(as_distances(self.losses, self.loss), kind="stable")
        sums = np.concatenate([[0.0], np.cumsum(self.weights[order])])
        return np.asarray(sums[self.hits_at(tolerance)] / sums[-1])

    def _areas_up_to(self, cuts: Floats) -> list[float]:
        """Means of the losses cut at each of many tolerances (C5), from one sort."""
        order = np.argsort(self.losses, kind="stable") if len(cuts) else slice(0)
        ascending, fractions = self.losses[order], self._row_weights()[order]
        below = np.searchsorted(ascending, cuts, side="right")
        sums = np.concatenate([[0.0], np.cumsum(ascending * fractions)])  # of weights: no overflow
        upto = np.concatenate([[0.0], np.cumsum(fractions)])
        found: list[float] = (sums[below] + (1 - upto[below]) * cuts).tolist()
        return found

    def _sentence(self) -> str:
        loss = f"{self.loss} error" if self.loss in LOSSES else self.loss
        limits, skewness = self._limits(0.95, 1)
        doubt = " for losses less skewed" if skewness > TOO_SKEWED else ""
        interval = f"; 95% CI {limits.low:.4g} to {limits.high:.4g}{doubt}" if limits else ""
        measured = f"AOC {self.aoc:.4g} (mean {loss}{interval})"
        if self.null_aoc is not None:
            measured += f", {self.relative_aoc:.3g} of the null model's {self.null_aoc:.4g}"
        return f"{measured}; {count_of(self.n, 'case')}"

    def to_dict(self) -> dict[str, Any]:
        """The result as plain JSON-safe values, with the numbers derived from the curve."""
        derived = {
            "interval": json_safe(self.interval),
            "relative_aoc": self.relative_aoc,
            "median_loss": self.median_loss,
            "largest_loss": float(self.losses.max()),
        }
        return {**super().to_dict(), **derived}

    def _columns(self) -> dict[str, Any]:
        return {"tolerance": self.tolerance, "accuracy": self.accuracy}


@result
class RecCurves(ModelResults[RecCurve]):
    """REC curves of several models on the same rows; `[name]` is that of one.

    `to_frame()` has one row per model: `aoc`, the mean loss, with `low` and `high`, the median
    and the largest loss, and with a null model `relative_aoc`.
    """

    def _columns(self) -> dict[str, Any]:
        curves = list(self.results.values())
        limits = [curve.interval for curve in curves]
        columns: dict[str, Any] = {
            "model": np.array(self.names, dtype=object),
            **{name: np.array([getattr(each, name) for each in curves]) for name in ("n", "aoc")},
            "low": masked_nan([getattr(each, "low", np.nan) for each in limits]),
            "high": masked_nan([getattr(each, "high", np.nan) for each in limits]),
            "median_loss": np.array([curve.median_loss for curve in curves]),
            "largest_loss": np.array([float(curve.losses.max()) for curve in curves]),
        }
        if curves[0].relative_aoc is not None:
            columns["relative_aoc"] = np.array([curve.relative_aoc for curve in curves])
        return columns

    def _columns_to_read(self) -> dict[str, Any]:
        return self._columns()


@result
class RecAccuracy(Result):
    """Proportion of cases within each tolerance, with pointwise confidence intervals."""

    tolerance: Floats
    hits: Places
    accuracy: Floats
    lower: Floats
    upper: Floats
    n: int
    level: float
    method: str
    loss: str

    def _sentence(self) -> str:
        how = f"{printing.percent(self.level)} CI, {self.method}"
        shown = [
            f"{printing.rate(accuracy, self.n)} within {limit:.4g} "
            f"({printing.rate(low, self.n)} to {printing.rate(high, self.n)})"
            for limit, accuracy, low, high in zip(
                self.tolerance[:3], self.accuracy, self.lower, self.upper, strict=False
            )
        ]
        more = len(self.tolerance) - len(shown)
        further = f" and {more} more" if more > 0 else ""
        return f"{', '.join(shown)}{further}; {how}; {count_of(self.n, 'case')}"


@result
class RecOrder(Result):
    """Order of two REC curves: dominance or crossings, and the better model in each range.

    `verdict` is "first dominates", "second dominates", "crossing" or "equal". Stretch k reaches
    from `start[k]` to `end[k]` (the last has no end: inf), where `winner[k]` is "first" or
    "second"; `first_aoc[k]` and `second_aoc[k]` are the areas over the curves up to its end.
    """

    verdict: str
    crossings: Floats
    start: Floats
    end: Floats
    winner: tuple[str, ...]
    first_aoc: Floats
    second_aoc: Floats
    names: tuple[str, str] = ("first", "second")
    curves: tuple[RecCurve, RecCurve] = field(metadata=ASIDE)

    def named_winners(self) -> list[str]:
        """Better model in each range, by name."""
        called = dict(zip(("first", "second"), self.names, strict=True))
        return [called[each] for each in self.winner]

    def _sentence(self) -> str:
        first, second = self.names
        if self.verdict == "equal":
            return f"{first} and {second} have the same REC curve"
        if self.verdict != "crossing":
            better, worse = (first, second) if self.verdict.startswith("first") else (second, first)
            return f"{better} dominates {worse}: at no tolerance is it worse"
        winners = self.named_winners()
        places = self.crossings
        if len(places) > MOST_NAMED:
            return (
                f"REC curves of {first} and {second} cross {len(places)} times, first at "
                f"{places[0]:.4g}, last at {places[-1]:.4g}; from there {winners[-1]} is better"
            )
        turns = ", ".join(f"{place:.4g}" for place in places)
        return (
            f"REC curves of {first} and {second} cross at {turns}: "
            f"{' then '.join(winners)} is better"
        )

    def _columns(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "winner": self.named_winners(),
            "first_aoc": self.first_aoc,
            "second_aoc": self.second_aoc,
        }


def checked_curve(curve: Any, argument: str) -> RecCurve:
    """The curve, if it is one, and not the forecasts themselves."""
    if not isinstance(curve, RecCurve):
        raise InputError(
            f"`{argument}` must be a RecCurve; got {type(curve).__name__}. "
            "Pass what rec(y_true, y_pred) returns."
        )
    return curve


def _pair_of_names(names: Any, first: RecCurve, second: RecCurve) -> tuple[str, str]:
    """Names of two curves: those given, else those of their data."""
    if names is None:
        return first.origin.name or "first", second.origin.name or "second"
    if not isinstance(names, (list, tuple)) or len(names) != 2:
        raise InputError(f"`names` must be a pair, one for each curve; got {shown(names)}.")
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"`names` must be a pair of texts; got {shown(name)} in it.")
    return names[0], names[1]


def checked_tolerances(tolerance: Any) -> Floats:
    """One or more tolerances as an array, finite and not negative."""
    limits = np.atleast_1d(checks.numbers(tolerance, "tolerance"))
    bad = ~(np.isfinite(limits) & (limits >= 0))
    if limits.ndim != 1 or not len(limits) or bad.any():
        wrong = listed(limits[bad]) if limits.ndim == 1 and bad.any() else shown(tolerance)
        raise InputError(f"`tolerance` must be finite and not negative; got {wrong}.")
    return limits


# --- losses ---------------------------------------------------------------------------------------


class Losses(NamedTuple):
    """The losses of one model in the order of the rows.

    `kind` is "absolute", "squared", or the name of the user's own function. Distances (roots of
    squared losses) as close as `rounding` differ by rounding only.
    """

    values: Floats
    kind: str
    rounding: float


def as_distances(values: Any, kind: str) -> Floats:
    """Losses of this kind as distances; the root undoes the square exactly."""
    return np.sqrt(values) if kind == "squared" else np.asarray(values, np.float64)


def losses_of(y_true: Floats, y_pred: Floats, loss: str | LossFunction) -> Losses:
    """The loss of every row: finite numbers of at least 0."""
    if isinstance(loss, type):
        raise InputError(f"`loss` must be a name or a function; got the class {shown(loss)}.")
    if callable(loss):
        values = _checked(loss(y_true, y_pred), len(y_true))
        name = getattr(loss, "__name__", "loss")
        return Losses(values, "loss" if name == "<lambda>" else name, _rounding(values, 1.0))
    if not isinstance(loss, str) or loss not in LOSSES:
        checks.one_of(loss, "loss", (*LOSSES, "a function of y_true and y_pred"))
    with np.errstate(over="ignore"):
        distances = np.abs(y_true - y_pred)
        values = np.square(distances) if loss == "squared" else distances
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise InputError(
            f"The {loss} error at row {row} ({y_true[row]:g} against {y_pred[row]:g}) is too large "
            "for a floating-point number. Divide `y_true` and `y_pred` by one number first."
        )
    if loss == "squared" and distances.any() and values.max() < SMALLEST:
        row = int(distances.argmax())
        raise InputError(
            f"Even the largest squared error, at row {row} ({y_true[row]:g} against "
            f"{y_pred[row]:g}), is too small for a floating-point number. Multiply `y_true` and "
            "`y_pred` by one number first."
        )
    size = max(float(np.abs(y_true).max()), float(np.abs(y_pred).max()))
    return Losses(values, loss, _rounding(distances, size))


def _checked(losses: Any, n: int) -> Floats:
    """What the user's function gave, if it can be used."""
    try:
        complex_ones = np.iscomplexobj(losses)  # of which numpy would keep the real part
        values = None if complex_ones else np.array(losses, dtype=np.float64)
    except (TypeError, ValueError):
        values = None
    if values is None:
        raise InputError(f"`loss` must return numbers; got {shown(losses, 60)}.")
    if values.shape != (n,):
        raise InputError(
            f"`loss` must return one loss for each of the {n:,} rows; got an array of shape "
            f"{values.shape}."
        )
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        row = int(bad.argmax())
        raise InputError(
            "`loss` must return finite losses of at least 0; got "
            f"{listed(values[row : row + 1])} at row {row}."
        )
    return values


def _rounding(distances: Floats, size: float) -> float:
    """Distances closer than this are equal; `size` is that of the numbers they come from."""
    if size < SMALL_UNITS:
        return EQUAL * size
    return max(EQUAL * max(1.0, float(distances.max())), ROUNDING * size)


def chain_starts(ascending: Floats, gap: float) -> Flags:
    """Marks the first of every chain of values whose successive gaps are at most `gap`."""
    return np.concatenate([[True], np.diff(ascending) > gap])


def merged(values: Floats, kind: str, gap: float) -> Floats:
    """Values of which every chain of near neighbors gets its first value.

    |4.2 - 4| and |1.2 - 1| are both 0.2, but not as floating-point numbers.
    """
    order = np.argsort(values, kind="stable")
    ascending, found = values[order], np.empty_like(values)
    starts = chain_starts(as_distances(ascending, kind), gap)
    found[order] = ascending[starts][np.cumsum(starts) - 1]
    return found


def exact_mean(values: Floats, weights: Floats | None = None) -> float:
    """The mean by a correctly rounded sum, so that the order of the rows never decides."""
    scale = 2.0**-64 if values.max() > HUGE else 1.0
    if weights is None:
        return math.fsum((values * scale).tolist()) / len(values) / scale
    fractions = weights / weights.max()  # products must not overflow
    total = math.fsum((values * scale * fractions).tolist())
    return total / math.fsum(fractions.tolist()) / scale


def _unskewed(t: float, skewness: float) -> float:
    """Where Hall's cubic transformation of a t statistic of this skewness has the value `t`."""
    shifted = t - skewness / 6
    root = math.cbrt(1 + skewness * shifted)
    return 3 * shifted / (root**2 + root + 1)  # 3 (root - 1) / skewness, also where that is 0


def signed_lead(first: RecCurve, second: RecCurve) -> tuple[Floats, Integers]:
    """Pooled distinct losses, and at each the sign of the first curve minus the second.

    Losses of both curves are pooled and every chain of values that differ by rounding becomes one;
    proportions are compared as integers (counts times the other curve's size), those of weighted
    rows up to their rounding.
    """
    if first.loss != second.loss:
        raise InputError(
            f"Curves of {first.loss} and of {second.loss} errors cannot be compared; "
            "use one `loss` for both."
        )
    values = np.concatenate([first.losses, second.losses])
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    gap = max(first.rounding, second.rounding)
    starts = chain_starts(as_distances(ascending, first.loss), gap)
    ends = np.append(np.flatnonzero(starts)[1:], len(values)) - 1
    if first.weights is not None or second.weights is not None:
        gained = np.concatenate([first._row_weights(), -second._row_weights()])[order]
        ahead = np.cumsum(gained)[ends]
        return ascending[starts], np.sign(np.where(np.abs(ahead) < 1e-12, 0.0, ahead)).astype(int)
    of_first = np.cumsum(order < first.n)[ends].astype(np.int64)
    return ascending[starts], np.sign(of_first * second.n - (ends + 1 - of_first) * first.n)
