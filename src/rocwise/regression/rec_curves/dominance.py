"""Which of two samples of losses is better, and where: dominance, crossings, stretches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats, Integers, Places
from rocwise.errors import InputError
from rocwise.regression.rec_curves.losses import Losses, as_distances, chain_starts


@dataclass(frozen=True, slots=True, eq=False)
class Stretches:
    """The stretches of tolerances on which one of two models stays the better one.

    `first_aoc` and `second_aoc` are the areas over the curves up to each crossing.
    """

    verdict: str
    crossings: Floats
    start: Floats
    end: Floats
    winner: tuple[str, ...]
    first_aoc: list[float]
    second_aoc: list[float]


def stretches(first: Losses, second: Losses) -> Stretches:
    """Who is better from where to where."""
    grid, lead = signed_lead(first, second)
    turns = _turning_points(lead)
    cuts = grid[turns]
    leaders = [*lead[lead != 0][:1], *lead[turns]]
    winner = tuple("first" if sign > 0 else "second" for sign in leaders)
    verdicts = {0: "equal", 1: f"{winner[0]} dominates"} if winner else {0: "equal"}
    return Stretches(
        verdict=verdicts.get(len(winner), "crossing"),
        crossings=cuts,
        start=np.array([0.0, *cuts][: len(winner)]),
        end=np.array([*cuts, np.inf][: len(winner)]),
        winner=winner,
        first_aoc=areas_up_to(first, cuts),
        second_aoc=areas_up_to(second, cuts),
    )


def areas_up_to(losses: Losses, cuts: Floats) -> list[float]:
    """Means of the losses cut at each of many places (C5), from one sort."""
    order = kernels.argsort(losses.values)
    ascending, held = losses.values[order], losses.shares()[order]
    below = np.searchsorted(ascending, cuts, side="right")
    sums = np.concatenate([[0.0], np.cumsum(ascending * held)])  # shares: sums might overflow
    upto = np.concatenate([[0.0], np.cumsum(held)])
    found: list[float] = (sums[below] + (1 - upto[below]) * cuts).tolist()
    return found


def dominates(first: Losses, second: Losses) -> bool:
    """First-order stochastic dominance: nowhere below, somewhere above."""
    _, lead = signed_lead(first, second)
    return bool((lead >= 0).all() and (lead > 0).any())


def crossings(first: Losses, second: Losses) -> list[float]:
    """First tolerances at which the new sign of the difference holds; equal stretches skipped."""
    grid, lead = signed_lead(first, second)
    found: list[float] = grid[_turning_points(lead)].tolist()
    return found


def signed_lead(first: Losses, second: Losses) -> tuple[Floats, Integers]:
    """Pooled distinct losses, and at each the sign of the first curve minus the second.

    Losses of both curves are pooled and every chain of values that differ by rounding becomes one;
    shares are compared as whole numbers (counts times the other curve's size), those of weighted
    rows up to their rounding.
    """
    if first.kind != second.kind:
        raise InputError(
            f"Curves of {first.kind} and of {second.kind} errors cannot be compared; "
            "use one `loss` for both."
        )
    values = np.concatenate([first.values, second.values])
    order = kernels.argsort(values)
    ascending = values[order]
    gap = max(first.rounding, second.rounding)
    starts = chain_starts(as_distances(ascending, first.kind), gap)
    ends = np.append(np.flatnonzero(starts)[1:], len(values)) - 1
    if first.weights is not None or second.weights is not None:
        gained = np.concatenate([first.shares(), -second.shares()])[order]
        ahead = np.cumsum(gained)[ends]
        return ascending[starts], np.sign(np.where(np.abs(ahead) < 1e-12, 0.0, ahead)).astype(int)
    of_first = np.cumsum(order < len(first.values))[ends].astype(np.int64)
    of_second = ends + 1 - of_first
    lead = np.sign(of_first * len(second.values) - of_second * len(first.values))
    return ascending[starts], lead


def _turning_points(lead: Integers) -> Places:
    """Where the sign differs from the last one that was not 0."""
    places = np.flatnonzero(lead)
    return np.asarray(places[1:][np.diff(lead[places]) != 0])
