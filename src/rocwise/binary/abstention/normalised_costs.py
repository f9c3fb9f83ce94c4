"""Costs of errors and of abstaining in units of what a miss costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocwise import checks
from rocwise.binary.abstention.hull_vertices import TIED
from rocwise.costs import checked_costs, refuse_free_errors
from rocwise.data.tally import Tally
from rocwise.errors import InputError

MOST_MISSES = 1e150  # beyond, products of costs leave the range of floats


@dataclass(frozen=True, slots=True)
class NormalisedCosts:
    """Costs in units of what a miss adds to a hit, (5.2)."""

    mu: float
    nu_pos: float
    nu_neg: float
    unit: float
    base_pos: float
    base_neg: float

    @property
    def abstaining_may_pay(self) -> bool:
        """Lemma 1 of Friedel et al., for unequal costs: only if nu_pos + nu_neg / mu < 1, (5.5)."""
        return self.nu_pos * self.mu + self.nu_neg < self.mu * (1 - TIED)

    def in_units(self, cost: float, prevalence: float) -> float:
        """The expected cost per case, (5.3)."""
        base = prevalence * self.base_pos + (1 - prevalence) * self.base_neg
        return float(self.unit * cost + base)


def normalised(costs: Any, question: str) -> NormalisedCosts:
    """Check the costs and normalise them, (5.2)."""
    checked_costs(costs)
    if costs.abstain is None:
        raise InputError(
            f"`{question}` needs the cost of not deciding: `costs.abstain`, "
            "e.g. Costs(fp=1, fn=5, abstain=0.2)."
        )
    of_pos, of_neg = (
        costs.abstain if isinstance(costs.abstain, tuple) else (costs.abstain, costs.abstain)
    )
    refuse_free_errors(costs, question)
    for cost, right, case, name in (
        (of_pos, costs.tp, "positive", "tp"),
        (of_neg, costs.tn, "negative", "tn"),
    ):
        if cost < right:
            raise InputError(
                f"`costs.abstain` must not be below the cost of a right decision: abstaining on a "
                f"{case} costs {cost:g}, but {name}={right:g}."
            )
    unit = costs.fn - costs.tp
    mu = (costs.fp - costs.tn) / unit
    if mu > MOST_MISSES:
        raise InputError(
            f"`costs.fp` costs as much as {mu:.3g} misses, beyond all comparison with `costs.fn`. "
            f"Name costs that differ by a factor of {MOST_MISSES:g} at most."
        )
    return NormalisedCosts(
        mu=mu,
        nu_pos=(of_pos - costs.tp) / unit,
        nu_neg=(of_neg - costs.tn) / unit,
        unit=unit,
        base_pos=costs.tp,
        base_neg=costs.tn,
    )


def share_of_positives(data: Tally, prevalence: float | None) -> float:
    """The share of positives: the one given, from 0 to 1, else that of the data."""
    if prevalence is None:
        return float(data.n_pos) / float(data.n_pos + data.n_neg)
    return checks.rate(prevalence, "prevalence")
