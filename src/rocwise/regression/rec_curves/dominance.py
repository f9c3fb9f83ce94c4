"""Which of two REC curves is better, and where: dominance, crossings, and the parts between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise.arrays import Floats, Integers, Places
from rocwise.errors import InputError
from rocwise.regression.rec_curves.losses import as_distances, chain_starts
from rocwise.results import Result, result

if TYPE_CHECKING:
    from rocwise.regression.rec_curves.curves import RecCurve

MOST_NAMED = 3  # crossings written out in a sentence


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
    curves: tuple[RecCurve, RecCurve]

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

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON-safe values, without the two curves."""
        plain = super().to_dict()
        del plain["curves"]
        return plain

    def _columns(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "winner": self.named_winners(),
            "first_aoc": self.first_aoc,
            "second_aoc": self.second_aoc,
        }


def rec_order(
    first: RecCurve, second: RecCurve, *, names: tuple[str, str] | None = None
) -> RecOrder:
    """Put two REC curves in order: whether one dominates, or where they cross.

    Parameters
    ----------
    first, second : RecCurve
        Curves of the same kind of loss.
    names : pair of str, optional
        What to call them.

    Returns
    -------
    RecOrder

    Examples
    --------
    >>> import rocwise as rw
    >>> truth = [0, 0, 0, 0]
    >>> careful, bold = rw.rec(truth, [0.5, 0.5, 1, 1]), rw.rec(truth, [0, 0.25, 2, 2])
    >>> rw.rec_order(careful, bold, names=("careful", "bold"))
    REC curves of careful and bold cross at 1: bold then careful is better
    """
    from rocwise.regression.rec_curves.curves import checked_curve

    grid, lead = signed_lead(checked_curve(first, "first"), checked_curve(second, "second"))
    if names is not None and (isinstance(names, str) or len(names) != 2):
        raise InputError(f"`names` must be a pair, one for each curve; got {names!r}.")
    turns = _turning_points(lead)
    cuts = grid[turns]
    leaders = [*lead[lead != 0][:1], *lead[turns]]
    winner = tuple("first" if sign > 0 else "second" for sign in leaders)
    areas = [[*areas_up_to(curve.losses, cuts), curve.aoc] for curve in (first, second)]
    verdicts = {0: "equal", 1: f"{winner[0]} dominates"} if winner else {0: "equal"}
    return RecOrder(
        verdict=verdicts.get(len(winner), "crossing"),
        crossings=cuts,
        start=np.array([0.0, *cuts][: len(winner)]),
        end=np.array([*cuts, np.inf][: len(winner)]),
        winner=winner,
        first_aoc=np.array(areas[0][: len(winner)]),
        second_aoc=np.array(areas[1][: len(winner)]),
        names=(str(names[0]), str(names[1]))
        if names
        else (first.origin.name or "first", second.origin.name or "second"),
        curves=(first, second),
    )


def areas_up_to(losses: Floats, cuts: Floats) -> list[float]:
    """Means of the losses cut at each of many places (C5), from one sort."""
    ascending = np.sort(losses)
    below = np.searchsorted(ascending, cuts, side="right")
    shares = np.concatenate([[0.0], np.cumsum(ascending / len(losses))])  # sums might overflow
    found: list[float] = (shares[below] + (1 - below / len(losses)) * cuts).tolist()
    return found


def dominates(first: RecCurve, second: RecCurve) -> bool:
    """First-order stochastic dominance: nowhere below, somewhere above."""
    _, lead = signed_lead(first, second)
    return bool((lead >= 0).all() and (lead > 0).any())


def crossings(first: RecCurve, second: RecCurve) -> list[float]:
    """First tolerances at which the new sign of the difference holds; equal stretches skipped."""
    grid, lead = signed_lead(first, second)
    found: list[float] = grid[_turning_points(lead)].tolist()
    return found


def signed_lead(first: RecCurve, second: RecCurve) -> tuple[Floats, Integers]:
    """Pooled distinct losses, and at each the sign of the first curve minus the second.

    Losses of both curves are pooled and every chain of values that differ by rounding becomes one;
    shares are compared as whole numbers (counts times the other curve's size).
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
    of_first = np.cumsum(order < first.n)[ends].astype(np.int64)
    of_second = ends + 1 - of_first
    lead = np.sign(of_first * second.n - of_second * first.n)
    return ascending[starts], lead


def _turning_points(lead: Integers) -> Places:
    """Where the sign differs from the last one that was not 0."""
    places = np.flatnonzero(lead)
    return np.asarray(places[1:][np.diff(lead[places]) != 0])
