"""REC curves as answers, and what can be asked of one or two of them."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Floats, Places
from rocwise.errors import InputError, count_of, shown
from rocwise.inference.proportions import ProportionMethod
from rocwise.regression.rec_curves import dominance
from rocwise.regression.rec_curves.losses import LOSSES, Losses, as_distances, exact_mean
from rocwise.regression.rec_curves.mean_losses import mean_interval
from rocwise.regression.rec_curves.tolerances import (
    RecAccuracy,
    accuracy_within,
    checked_tolerances,
)
from rocwise.results import ASIDE, Interval, ModelAnswers, Result, json_safe, result

MOST_NAMED = 3  # crossings written out in a sentence


@result
class RecCurve(Result):
    """Share of cases within each tolerance: a step function, drawn from its distinct errors.

    `tolerance` holds the distinct losses (those that differ by rounding are one) and `accuracy`
    the share of cases with at most that loss. `aoc` is the area over the curve, which is the mean
    loss. `losses` are those of the rows, in their order; distances closer than `rounding` count as
    equal. `weights` are those of the rows, if any. With a null model, `null_aoc` is its area and
    `null_curve` its curve.
    """

    tolerance: Floats
    accuracy: Floats
    aoc: float
    null_aoc: float | None
    n: int
    loss: str
    losses: Floats
    rounding: float
    weights: Floats | None = None
    null: str | None = None
    null_curve: RecCurve | None = None

    @property
    def relative_aoc(self) -> float | None:
        """The area over the curve as a share of the null model's; None without a null model."""
        return None if self.null_aoc is None else self.aoc / self.null_aoc

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of `aoc` for independent errors; None where they show no spread."""
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
            By t on the log scale, since losses are skewed and never negative; None where the
            sample shows no spread (one row, or all losses equal).

        Examples
        --------
        >>> import rocwise as rw
        >>> rw.rec([1, 2, 3, 4, 5, 6], [1.2, 1.7, 3.1, 4.8, 4.6, 6.0]).aoc_interval()
        0.112 to 0.807 (95 % CI, t on the log scale, for independent errors)
        """
        return mean_interval(self.losses, self.weights, self.aoc, level, block)

    @property
    def median_loss(self) -> float:
        """The smallest tolerance within which at least half of the cases lie."""
        return float(self.tolerance[int((self.accuracy >= 0.5).argmax())])

    def dominates(self, other: RecCurve) -> bool:
        """Whether this curve is nowhere below the other and somewhere above it."""
        return dominance.dominates(*self._losses_beside(other))

    def crossings(self, other: RecCurve) -> list[float]:
        """Tolerances at which the better of the two curves changes."""
        return dominance.crossings(*self._losses_beside(other))

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
        >>> careful, bold = rw.rec(truth, [0.5, 0.5, 1, 1]), rw.rec(truth, [0, 0.25, 2, 2])
        >>> careful.order(bold, names=("careful", "bold"))
        REC curves of careful and bold cross at 1: bold then careful is better
        """
        found = dominance.stretches(*self._losses_beside(other))
        return RecOrder(
            verdict=found.verdict,
            crossings=found.crossings,
            start=found.start,
            end=found.end,
            winner=found.winner,
            first_aoc=np.array([*found.first_aoc, self.aoc][: len(found.winner)]),
            second_aoc=np.array([*found.second_aoc, other.aoc][: len(found.winner)]),
            names=_pair_of_names(names, self, other),
            curves=(self, other),
        )

    def within(
        self, tolerance: Any, *, level: float = 0.95, method: ProportionMethod = "wilson"
    ) -> RecAccuracy:
        """Share of cases whose loss is at most the tolerance, with its confidence interval.

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
        >>> rw.rec([1, 2, 3, 4, 5, 6], [1.2, 1.7, 3.1, 4.8, 4.6, 6.0]).within(0.3)
        0.67 within 0.3 (0.30 to 0.90); 95 % CI, wilson; 6 cases
        """
        limits = checked_tolerances(tolerance)
        return accuracy_within(
            limits,
            self.hits_at(limits),
            self.n,
            shares=self.share_at(limits),
            weights=self.weights,
            level=level,
            method=method,
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
        ascending = kernels.ascending(as_distances(self.losses, self.loss))
        return np.searchsorted(ascending, limits, side="right")

    def share_at(self, tolerance: Any) -> Floats:
        """The share of the cases, or of their weight, within each tolerance."""
        if self.weights is None:
            return np.asarray(self.hits_at(tolerance) / self.n)
        order = kernels.argsort(as_distances(self.losses, self.loss))
        sums = np.concatenate([[0.0], np.cumsum(self.weights[order])])
        return np.asarray(sums[self.hits_at(tolerance)] / sums[-1])

    def _losses_beside(self, other: Any) -> tuple[Losses, Losses]:
        """The losses of this curve and of another one, for their comparison."""
        first, second = self, checked_curve(other, "other")
        return (
            Losses(first.losses, first.loss, first.rounding, first.weights),
            Losses(second.losses, second.loss, second.rounding, second.weights),
        )

    def _sentence(self) -> str:
        loss = f"{self.loss} error" if self.loss in LOSSES else self.loss
        limits = self.interval
        spread = "" if limits is None else f"; 95 % CI {limits.low:.4g} to {limits.high:.4g}"
        measured = f"AOC {self.aoc:.4g} (mean {loss}{spread})"
        if self.null_aoc is not None:
            measured += f", {self.relative_aoc:.3g} of the null model's {self.null_aoc:.4g}"
        return f"{measured}; {count_of(self.n, 'case')}"

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON-safe values, with the numbers derived from the curve."""
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
class RecCurves(ModelAnswers):
    """The REC curves of several forecasters on the same rows; `[name]` is that of one.

    `to_frame()` has one row per model: `aoc`, the mean loss, with `low` and `high`, the median
    and the largest loss, and with a null model `relative_aoc`.
    """

    def _columns(self) -> dict[str, Any]:
        curves = list(self.answers.values())
        limits = [curve.interval for curve in curves]
        columns: dict[str, Any] = {
            "model": np.array(self.names, dtype=object),
            "n": np.array([curve.n for curve in curves]),
            "aoc": np.array([curve.aoc for curve in curves]),
            "low": masked([None if each is None else each.low for each in limits]),
            "high": masked([None if each is None else each.high for each in limits]),
            "median_loss": np.array([curve.median_loss for curve in curves]),
            "largest_loss": np.array([float(curve.losses.max()) for curve in curves]),
        }
        if curves[0].relative_aoc is not None:
            columns["relative_aoc"] = np.array([curve.relative_aoc for curve in curves])
        return columns

    def _columns_to_read(self) -> dict[str, Any]:
        return self._columns()


def masked(values: list[float | None]) -> Floats:
    """Numbers as an array, masked where there are none."""
    missing = np.array([value is None for value in values])
    numbers = np.array([np.nan if value is None else value for value in values])
    return np.ma.masked_array(numbers, mask=missing) if missing.any() else numbers


@result
class RecOrder(Result):
    """Two REC curves in order: who wins on which stretch of tolerances.

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
        """The winner of each stretch by its own name."""
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
    """The curve, refused if it is anything else, such as the forecasts themselves."""
    if not isinstance(curve, RecCurve):
        raise InputError(
            f"`{argument}` must be a RecCurve; got {type(curve).__name__}. "
            "Pass what rec(y_true, y_pred) returns."
        )
    return curve


def _pair_of_names(names: Any, first: RecCurve, second: RecCurve) -> tuple[str, str]:
    """What two curves are called: as asked for, else as their data is."""
    if names is None:
        return first.origin.name or "first", second.origin.name or "second"
    if not isinstance(names, (list, tuple)) or len(names) != 2:
        raise InputError(f"`names` must be a pair, one for each curve; got {shown(names)}.")
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"`names` must be a pair of texts; got {shown(name)} in it.")
    return names[0], names[1]
