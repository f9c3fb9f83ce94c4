"""What the outcomes of a decision cost: of two classes, and of several with their priors."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, listed, shown

PRIOR_TOLERANCE = 1e-9  # of the sum of priors


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of the four outcomes of a two-class decision, in any unit.

    Parameters
    ----------
    fp, fn : float
        Cost of a false positive and of a false negative. Each must exceed the cost of the correct
        decision when a threshold is chosen; in `thresholds` one of the two may equal it.
    tp, tn : float, default 0
        Cost of a true positive and of a true negative. A negative cost is a gain.
    abstain : float or (float, float), optional
        Cost of not deciding; a pair is (for positives, for negatives). Infinite: never abstain.
        Negative, a gain, only where the right decision gains as much. Only differences matter.

    Examples
    --------
    >>> Costs(fp=1, fn=20)
    Costs(fp=1.0, fn=20.0, tp=0.0, tn=0.0, abstain=None)
    >>> Costs(fp=1, fn=20, tp=-0.5)  # a true positive gains half of what a false positive costs
    Costs(fp=1.0, fn=20.0, tp=-0.5, tn=0.0, abstain=None)
    """

    fp: float
    fn: float
    tp: float = 0.0
    tn: float = 0.0
    abstain: float | tuple[float, float] | None = None

    def __post_init__(self) -> None:
        for name in ("fp", "fn", "tp", "tn"):
            cost = checks.within(getattr(self, name), f"costs.{name}", -1e250, 1e250)
            object.__setattr__(self, name, cost)
        loss_negative, loss_positive = self.fp - self.tn, self.fn - self.tp
        if min(loss_negative, loss_positive) < 0 or max(loss_negative, loss_positive) == 0:
            raise InputError(
                "`costs` must not make an error cheaper than the right decision, nor both errors "
                "free (fp >= tn, fn >= tp, one of them strictly); "
                f"got fp={self.fp:g}, tn={self.tn:g}, fn={self.fn:g}, tp={self.tp:g}."
            )
        if self.abstain is not None:
            self._check_abstention_cost(self.abstain)

    def _check_abstention_cost(self, given: Any) -> None:
        """Numbers, and no gain that the right decision does not reach (nu < 0 in (5.2))."""
        pair = given if isinstance(given, tuple) else (given, given)
        if len(pair) != 2:
            raise InputError(
                "`costs.abstain` must be a number or a pair (for positives, for negatives); "
                f"got {shown(given)}."
            )
        costs = [
            math.inf
            if isinstance(cost, float) and cost == math.inf
            else checks.real(cost, "costs.abstain")
            for cost in pair
        ]
        object.__setattr__(self, "abstain", tuple(costs) if isinstance(given, tuple) else costs[0])
        for cost, right, name in zip(costs, (self.tp, self.tn), ("tp", "tn"), strict=True):
            if cost < min(right, 0.0):
                raise InputError(
                    "`costs.abstain` may be negative, a gain, but not below the cost of the right "
                    f"decision; got abstain={cost:g} with {name}={right:g}."
                )


def checked_costs(costs: Any, argument: str = "costs") -> Costs:
    """The costs, which must be a `Costs` object; `argument` is what they were given as."""
    if not isinstance(costs, Costs):
        raise InputError(
            f"`{argument}` must be a Costs object, e.g. Costs(fp=1, fn=5); got {shown(costs)}."
        )
    return costs


def check_costly_errors(costs: Costs, function: str) -> None:
    """An error where one of the errors costs no more than the right decision."""
    if costs.fn <= costs.tp or costs.fp <= costs.tn:
        raise InputError(
            f"`costs` of `{function}` must make each error cost more than the right decision "
            f"(fn > tp and fp > tn); got fp={costs.fp:g}, tn={costs.tn:g}, fn={costs.fn:g}, "
            f"tp={costs.tp:g}."
        )


def cost_matrix(costs: Any, n_classes: int, argument: str = "costs") -> Floats:
    """A matrix costs[true, predicted] of finite numbers of at least 0, with 0 on its diagonal."""
    matrix = checks.numbers(costs, argument, infinite=True, nan=True)
    if matrix.shape != (n_classes, n_classes):
        raise InputError(
            f"`{argument}` must be a {n_classes} by {n_classes} matrix, costs[true, predicted] in "
            f"the order of the classes; got the shape {matrix.shape}."
        )
    _check_not_negative(matrix, argument)
    if np.diagonal(matrix).any():
        k = int(np.flatnonzero(np.diagonal(matrix))[0])
        raise InputError(
            f"`{argument}` must be 0 on its diagonal, where the class is right; got "
            f"{argument}[{k}, {k}] = {matrix[k, k]:g}. Subtract it from its row."
        )
    return matrix


def class_priors(prior: Any, sizes: Floats) -> Floats:
    """Proportions of the classes that add up to 1; by default those of the data."""
    if prior is None:
        return np.asarray(sizes / sizes.sum())
    priors = checks.numbers(prior, "prior", infinite=True, nan=True)
    if priors.shape != sizes.shape:
        raise InputError(
            f"`prior` must have one probability for each of {len(sizes)} classes; got the shape "
            f"{priors.shape}."
        )
    _check_not_negative(priors, "prior")
    if abs(priors.sum() - 1.0) > PRIOR_TOLERANCE:
        raise InputError(
            f"`prior` must add up to 1; got {listed(priors)}, which add up to {priors.sum():.10g}."
        )
    for k in np.flatnonzero((priors > 0) & (sizes == 0)):
        raise InputError(
            f"`prior` of class {k} is {priors[k]:g}, but `y_true` has no example of it, "
            "so its errors are unknown. Set it to 0 or add examples."
        )
    return priors


def _check_not_negative(values: Floats, argument: str) -> None:
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        place = tuple(int(k) for k in np.argwhere(bad)[0])
        where = ", ".join(str(k) for k in place)
        raise InputError(
            f"`{argument}` must contain finite numbers of at least 0; got "
            f"{argument}[{where}] = {values[place]:g}."
        )
