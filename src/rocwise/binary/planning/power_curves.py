"""Power against the number of cases."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats, Integers
from rocwise.binary.planning.designs import (
    NO_DIFFERENCE,
    Design,
    Sides,
    needed_positives,
    reached_power,
)
from rocwise.binary.planning.wording import (
    difference_words,
    formula_words,
    groups_words,
    significance_words,
)
from rocwise.errors import InputError, count_of, shown
from rocwise.results import Result, result

HIGHEST_POWER = 0.99
"""Where a curve ends if no sizes were asked for."""
BEYOND = 1.25
"""How far a curve goes beyond a study that has more cases than that."""
SIZES = 60
FEWEST = 2
MOST_CASES = 10**15


@result
class PowerCurve(Result):
    """Power of a design at several numbers of cases."""

    n_pos: Integers
    n_neg: Integers
    power: Floats
    alpha: float
    sides: Sides
    design: Design

    @property
    def question(self) -> str:
        """What is to be told apart: ``AUC 0.8 from 0.7``."""
        return difference_words(self.design)

    def conditions(self) -> tuple[str, str]:
        """Two sentences: which cases and which test, and which formula."""
        ratio = float(np.mean(self.n_neg / self.n_pos))
        each = "as many negatives" if abs(ratio - 1) < 1e-9 else f"{ratio:.3g} negatives for each"
        cases = f"Positives and {each} {groups_words(self.design)}".rstrip()
        test = significance_words(self.alpha, self.sides)
        return f"{cases}; test {test}.", f"Normal approximation, {formula_words(self.design)}."

    def _sentence(self) -> str:
        reach = f"{self.power.min():.3f} to {self.power.max():.3f}"
        sizes = f"{self.n_pos.min():,} to {self.n_pos.max():,} positives"
        test = significance_words(self.alpha, self.sides)
        return (
            f"power {reach} for {sizes} {groups_words(self.design)}".rstrip()
            + f" to tell {difference_words(self.design)}, {test} "
            f"({formula_words(self.design)}); {count_of(len(self.power), 'size')}"
        )


def power_curve(design: Design, sizes: Integers, ratio: float) -> PowerCurve:
    """The power at these numbers of positives, with `ratio` negatives for each, rounded up."""
    negatives = np.maximum(np.ceil(ratio * sizes), 1).astype(np.int64)
    cases = zip(sizes.tolist(), negatives.tolist(), strict=True)
    return PowerCurve(
        n_pos=sizes,
        n_neg=negatives,
        power=np.array([reached_power(design, M, N) for M, N in cases]),
        alpha=design.alpha,
        sides=design.sides,
        design=design,
    )


def usual_sizes(design: Design, n_pos: int, ratio: float) -> Integers:
    """Up to as many positives as give a power of 0.99, or somewhat more than `n_pos` if fewer."""
    largest = math.ceil(BEYOND * n_pos)
    if abs(design.difference) >= NO_DIFFERENCE:
        highest = needed_positives(design, max(HIGHEST_POWER, design.alpha), ratio)
        enough = max(math.ceil(highest), FEWEST + 1)
        largest = enough if n_pos <= enough else largest
    sizes = np.linspace(FEWEST, max(largest, FEWEST + 1), SIZES)
    spread: Integers = np.unique(sizes.round().astype(np.int64))
    return spread


def checked_sizes(n_pos: Any) -> Integers:
    """Numbers of positives, each a whole number of at least 1."""
    sizes = np.atleast_1d(checks.numbers(n_pos, "n_pos"))
    if sizes.ndim != 1 or sizes.size == 0:
        raise InputError(f"`n_pos` must be a list of whole numbers; got {shown(n_pos)}.")
    whole = [checks.whole(size, "n_pos", at_most=MOST_CASES) for size in sizes.tolist()]
    return np.array(whole, dtype=np.int64)


def checked_cases(n_pos: Any, n_neg: Any) -> tuple[int, int]:
    """Numbers of positives and negatives, each a whole number of at least 1."""
    given = {"n_pos": n_pos, "n_neg": n_neg}
    found = [checks.whole(count, name, at_most=MOST_CASES) for name, count in given.items()]
    return found[0], found[1]
