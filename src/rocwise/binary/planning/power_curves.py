"""Power against the number of cases."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks
from rocwise.arrays import Floats, Integers
from rocwise.binary.planning.designs import (
    NO_DIFFERENCE,
    Design,
    Expected,
    checked_ratio,
    checked_test,
    needed_positives,
    planned_design,
    reached_power,
)
from rocwise.binary.planning.study_plans import StudyPlan
from rocwise.binary.planning.wording import (
    difference_words,
    formula_words,
    groups_words,
    test_words,
)
from rocwise.errors import InputError, count_of
from rocwise.results import Result, result

HIGHEST_POWER = 0.99
"""Where a curve ends if no sizes were asked for."""
SIZES = 60
FEWEST = 2


@result
class PowerCurve(Result):
    """Power of a design at several numbers of cases."""

    n_pos: Integers
    n_neg: Integers
    power: Floats
    alpha: float
    sides: int
    design: Design

    def _sentence(self) -> str:
        reach = f"{self.power.min():.3f} to {self.power.max():.3f}"
        sizes = f"{self.n_pos.min():,} to {self.n_pos.max():,} positives"
        return (
            f"power {reach} for {sizes} {groups_words(self.design)}".rstrip()
            + f" to tell {difference_words(self.design)}, {test_words(self.alpha, self.sides)} "
            f"({formula_words(self.design)}); {count_of(len(self.power), 'size')}"
        )


def power_curve(
    auc: Expected,
    other: Expected | None = None,
    *,
    n_pos: ArrayLike | None = None,
    null: float = 0.5,
    alpha: float = 0.05,
    ratio: float = 1.0,
    sides: int = 2,
    correlation: float | tuple[float, float] | None = None,
    variance: str | None = None,
    difference: float | None = None,
) -> PowerCurve:
    """Power at several numbers of cases, as a table and a picture.

    Parameters
    ----------
    n_pos : array-like of int, optional
        Numbers of positives; by default up to as many as give a power of 0.99.
    ratio : float, default 1
        Negatives per positive; their number is rounded up.
    auc, other, null, alpha, sides, correlation, variance, difference
        As in `sample_size`.

    Returns
    -------
    PowerCurve
        With arrays `n_pos`, `n_neg`, `power`.

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.power_curve(0.8, null=0.7, n_pos=[50, 100, 150], ratio=2)
    >>> curve.power.round(3).tolist()
    [0.562, 0.864, 0.966]
    """
    design = planned_design(
        auc, other, null=null, correlation=correlation, variance=variance, difference=difference
    )
    ratio = checked_ratio(ratio)
    _, alpha, sides = checked_test(HIGHEST_POWER, alpha, sides)
    sizes = _usual_sizes(design, alpha, sides, ratio) if n_pos is None else _checked_sizes(n_pos)
    return _curve(design, sizes, alpha, sides, ratio)


def curve_of(plan: StudyPlan) -> PowerCurve:
    """The power curve of the design of a plan, up to somewhat more cases than it has."""
    ratio = plan.n_neg_exact / plan.n_pos_exact
    sizes = _spread(max(math.ceil(1.25 * plan.n_pos), FEWEST + 1))
    if abs(plan.design.difference) >= NO_DIFFERENCE:
        usual = _usual_sizes(plan.design, plan.alpha, plan.sides, ratio)
        sizes = usual if plan.n_pos <= usual[-1] else sizes
    return _curve(plan.design, sizes, plan.alpha, plan.sides, ratio)


def _curve(design: Design, sizes: Integers, alpha: float, sides: int, ratio: float) -> PowerCurve:
    negatives = np.maximum(np.ceil(ratio * sizes), 1).astype(np.int64)
    cases = zip(sizes.tolist(), negatives.tolist(), strict=True)
    reached = [reached_power(design, M, N, alpha, sides) for M, N in cases]
    return PowerCurve(
        n_pos=sizes,
        n_neg=negatives,
        power=np.array(reached),
        alpha=alpha,
        sides=sides,
        design=design,
    )


def _usual_sizes(design: Design, alpha: float, sides: int, ratio: float) -> Integers:
    highest = needed_positives(design, max(HIGHEST_POWER, alpha), alpha, sides, ratio)
    return _spread(max(math.ceil(highest), FEWEST + 1))


def _spread(largest: int) -> Integers:
    sizes: Integers = np.unique(np.linspace(FEWEST, largest, SIZES).round().astype(np.int64))
    return sizes


def _checked_sizes(n_pos: Any) -> Integers:
    sizes = np.atleast_1d(np.asarray(n_pos))
    if sizes.ndim != 1 or sizes.size == 0:
        raise InputError(f"`n_pos` must be a list of whole numbers; got {n_pos!r}.")
    return np.array([checks.whole(size, "n_pos") for size in sizes.tolist()], dtype=np.int64)
