"""Planning a study: number of cases, power, detectable AUC, significance level."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks, printing
from rocwise.arrays import Floats, Integers
from rocwise.binary.planning_designs import (
    NORMAL,
    Correlation,
    Design,
    Expected,
    Pilot,
    Sides,
    Variance,
    planned_area,
    planned_design,
)
from rocwise.errors import InputError, count_of, shown
from rocwise.results import Result, result

SolvedFor = Literal["n", "power", "alpha", "auc", "other"]
FORMULA_NAMES = {
    "obuchowski": "Obuchowski's variance",
    "hanley-mcneil": "Hanley and McNeil's variance",
    "binormal": "Obuchowski and McClish's variance",
    "delong": "DeLong's test of normal scores",
}
ROUGH_BELOW = 10  # cases in a class below which the normal approximation is rough
MOST_CASES = 10**15  # more than any study, and counted exactly by floats
LARGEST_RATIO = 1e9
NO_DIFFERENCE = 1e-12
HIGHEST_POWER = 0.99  # where a curve ends by default
BEYOND = 1.25  # how far a curve goes beyond a study that has more cases than that
FEWEST, SIZES = 2, 60


def sample_size(
    auc: Expected | Pilot,
    other: Expected | None = None,
    *,
    null: float = 0.5,
    power: float = 0.8,
    alpha: float = 0.05,
    ratio: float = 1.0,
    sides: Sides = 2,
    correlation: Correlation | None = None,
    variance: Variance | None = None,
    difference: float | None = None,
) -> StudyPlan:
    """Cases needed to tell an AUC from a value, or two AUCs from each other.

    Parameters
    ----------
    auc, other : float, or (float, float)
        AUC expected, or intercept and slope (a, b) of a binormal curve. With `other` the two are
        compared; the null hypothesis then has the variance of `auc`, so their order matters.
        Or, as `auc` alone, a pilot: a Tally, or Pairs of two models, whose areas, variances and
        correlation are taken as they are (set `difference` to what is worth detecting).
    null : float, default 0.5
        Without `other`: the AUC to tell `auc` from.
    power, alpha : float
        Power wanted, and significance level.
    ratio : float, default 1
        Negatives per positive.
    sides : {2, 1}
        Two-sided or one-sided test.
    correlation : float, or (float, float), optional
        With `other`: None for different cases; for the same cases the correlation of the two AUC
        estimates, or of the two scores (among negatives, among positives).
    variance : {"obuchowski", "hanley-mcneil", "binormal", "delong"}, optional
        Formula; by default "binormal" for (a, b) and pairs of correlations, "hanley-mcneil" for
        two AUCs on different cases, else "obuchowski". "delong" plans for DeLong's test.
    difference : float, optional
        Difference to detect, if it is not that of the two AUCs.

    Returns
    -------
    StudyPlan
        `n_pos`, `n_neg` (whole cases), `n_pos_exact`, `n_neg_exact`, `power`, `achieved_power`.

    Examples
    --------
    >>> import rocwise as rw
    >>> plan = rw.sample_size(0.8, null=0.7, ratio=2)
    >>> plan.n_pos, plan.n_neg
    (85, 170)
    """
    design = planned_design(auc, other, null, alpha, sides, correlation, variance, difference)
    ratio, power = checked_ratio(ratio), checks.fraction(power, "power")
    exact = needed_positives(design, power, ratio)
    if not max(exact, ratio * exact) < MOST_CASES:
        raise InputError(
            f"`ratio` {ratio:g} needs more cases than there are: {exact:.3g} positives and "
            f"{ratio * exact:.3g} negatives."
        )
    cases = math.ceil(exact), math.ceil(ratio * exact)
    plan = _plan(design, cases, power=power, solved_for="n")
    return replace(plan, n_pos_exact=exact, n_neg_exact=ratio * exact, ratio=ratio)


def power(
    auc: Expected | Pilot,
    other: Expected | None = None,
    *,
    n_pos: int,
    n_neg: int,
    null: float = 0.5,
    alpha: float = 0.05,
    sides: Sides = 2,
    correlation: Correlation | None = None,
    variance: Variance | None = None,
    difference: float | None = None,
) -> StudyPlan:
    """Power of a study to tell an AUC from a value, or two AUCs from each other.

    Parameters
    ----------
    n_pos, n_neg : int
        Positives and negatives; with two AUCs on different cases, in each of the two groups.
    auc, other, null, alpha, sides, correlation, variance, difference
        As in `sample_size`.

    Returns
    -------
    StudyPlan
        With `power`.

    Notes
    -----
    Rejections in favor of the wrong AUC are not counted, so that the power to detect no
    difference at all is alpha / `sides`.

    Examples
    --------
    >>> import rocwise as rw
    >>> round(rw.power(0.7, n_pos=40, n_neg=80).power, 4)
    0.9602
    """
    design = planned_design(auc, other, null, alpha, sides, correlation, variance, difference)
    cases = checked_cases(n_pos, n_neg)
    return _plan(design, cases, power=reached_power(design, *cases), solved_for="power")


def significance_level(
    auc: Expected,
    other: Expected | None = None,
    *,
    n_pos: int,
    n_neg: int,
    power: float = 0.8,
    null: float = 0.5,
    sides: Sides = 2,
    correlation: Correlation | None = None,
    variance: Variance | None = None,
    difference: float | None = None,
) -> StudyPlan:
    """The smallest alpha at which a study of this size has the power wanted.

    Parameters
    ----------
    n_pos, n_neg : int
        As in `power`.
    auc, other, power, null, sides, correlation, variance, difference
        As in `sample_size`.

    Returns
    -------
    StudyPlan
        With `alpha`.

    Examples
    --------
    >>> from rocwise.binary import significance_level
    >>> round(significance_level(0.7, n_pos=40, n_neg=80, power=0.9).alpha, 4)
    0.0155
    """
    design = planned_design(auc, other, null, 0.05, sides, correlation, variance, difference)
    cases = checked_cases(n_pos, n_neg)
    power = checks.fraction(power, "power")
    alpha = reached_alpha(design, *cases, power)
    if not 0 < alpha < 1:
        raise InputError(
            f"`power` {power:g} with {printing.classes(*cases)} would take an alpha of "
            f"{alpha:.3g}, which is not between 0 and 1."
        )
    return _plan(replace(design, alpha=alpha), cases, power=power, solved_for="alpha")


def detectable_auc(
    auc: Expected | None = None,
    *,
    n_pos: int,
    n_neg: int,
    null: float = 0.5,
    power: float = 0.8,
    alpha: float = 0.05,
    sides: Sides = 2,
    correlation: Correlation | None = None,
    variance: Variance | None = None,
    larger: bool = True,
) -> StudyPlan:
    """The AUC nearest to a known one that a study of this size can tell from it.

    Parameters
    ----------
    auc : float, or (float, float), optional
        AUC known of one score; the result is the `other` one. Without it the result is the `auc`
        that can be told from `null`.
    n_pos, n_neg : int
        As in `power`.
    null, power, alpha, sides, correlation, variance
        As in `sample_size`.
    larger : bool, default True
        Whether to look above the known AUC; False looks below.

    Returns
    -------
    StudyPlan
        With `auc`, or `other`.

    Examples
    --------
    >>> from rocwise.binary import detectable_auc
    >>> round(detectable_auc(n_pos=40, n_neg=80).auc, 4)
    0.6522
    """
    known = planned_area(null, "null") if auc is None else auc
    design = planned_design(known, auc, null, alpha, sides, correlation, variance)
    larger = checks.flag(larger, "larger")
    power, least = checks.fraction(power, "power"), design.alpha / design.sides
    if power <= least:
        raise InputError(
            f"`power` must exceed alpha / sides = {least:g}, which any AUC has; got {power:g}."
        )
    cases = checked_cases(n_pos, n_neg)
    found = _nearest_detected(design, cases, power, larger=larger)
    solved_for: SolvedFor = "auc" if auc is None else "other"
    return _plan(design.against(found), cases, power=power, solved_for=solved_for)


@result
class StudyPlan(Result):
    """Numbers of cases, power, alpha and AUCs that belong together; one of them was solved for.

    `n_pos`, `n_neg` are whole cases (in each of two groups, if the design is unpaired), `power`
    is the power wanted and `achieved_power` the power with those whole cases; `ratio` is the
    number of negatives per positive.
    """

    n_pos: int
    n_neg: int
    n_pos_exact: float
    n_neg_exact: float
    ratio: float
    power: float
    achieved_power: float
    alpha: float
    sides: Sides
    auc: float
    other: float | None
    null: float
    solved_for: SolvedFor
    design: Design

    def curve(self, n_pos: ArrayLike | None = None, *, ratio: float | None = None) -> PowerCurve:
        """Power of this design at several numbers of cases, as a table and a picture.

        Parameters
        ----------
        n_pos : array-like of int, optional
            Numbers of positives; by default up to as many as give a power of 0.99, or somewhat
            more than the plan has.
        ratio : float, optional
            Negatives per positive; by default as in the plan. Their number is rounded up.

        Returns
        -------
        PowerCurve
            With arrays `n_pos`, `n_neg`, `power`.

        Examples
        --------
        >>> import rocwise as rw
        >>> curve = rw.sample_size(0.8, null=0.7, ratio=2).curve(n_pos=[50, 100, 150])
        >>> curve.power.round(3).tolist()
        [0.562, 0.864, 0.966]
        """
        kappa = self.ratio if ratio is None else checked_ratio(ratio)
        if n_pos is None:
            return power_curve(self.design, usual_sizes(self.design, self.n_pos, kappa), kappa)
        return power_curve(self.design, checked_sizes(n_pos), kappa)

    def _sentence(self) -> str:
        asked = f" ({self.power:.3g} asked)" if self.solved_for == "n" else ""
        cases = f"{printing.classes(self.n_pos, self.n_neg)} {groups_words(self.design)}".rstrip()
        sentence = (
            f"{cases}: "
            f"power {self.achieved_power:.3f}{asked} to tell {difference_words(self.design)}, "
            f"{significance_words(self.alpha, self.sides)} ({formula_words(self.design)})"
        )
        if min(self.n_pos, self.n_neg) < ROUGH_BELOW:
            sentence += f"; a rough guess, with fewer than {ROUGH_BELOW} cases in a class"
        return sentence


def _nearest_detected(
    design: Design, cases: tuple[int, int], power: float, *, larger: bool
) -> float:
    """The first crossing of the power wanted on the way from the known AUC to 1 (or 0).

    The power need not rise all the way, so the way is searched in small steps before the
    crossing is narrowed down.
    """
    start = design.null if design.second is None else design.first.auc
    end = 1.0 if larger else 0.0

    def missing(auc: float) -> float:
        return power - reached_power(design.against(auc), *cases)

    steps = start + (end - start) * np.linspace(0, 1, 2002)[1:-1]
    low = start
    for high in steps.tolist():
        if missing(high) <= 0:
            from scipy.optimize import brentq

            return float(brentq(missing, low, high, xtol=1e-13))
        low = high
    raise InputError(
        f"`n_pos` and `n_neg` are too small: with {printing.classes(*cases)} no AUC "
        f"{'above' if larger else 'below'} {start:g} is detected with power {power:g} "
        f"at alpha {design.alpha:g}."
    )


def _plan(
    design: Design, cases: tuple[int, int], *, power: float, solved_for: SolvedFor
) -> StudyPlan:
    n_pos, n_neg = cases
    return StudyPlan(
        n_pos=n_pos,
        n_neg=n_neg,
        n_pos_exact=float(n_pos),
        n_neg_exact=float(n_neg),
        ratio=n_neg / n_pos,
        power=power,
        achieved_power=reached_power(design, n_pos, n_neg),
        alpha=design.alpha,
        sides=design.sides,
        auc=design.first.auc,
        other=None if design.second is None else design.second.auc,
        null=design.null,
        solved_for=solved_for,
        design=design,
    )


def needed_positives(design: Design, power: float, kappa: float) -> float:
    """F5.3: the number of positives, as a real number."""
    V0, VA = design.variances(kappa)
    reach = design.critical_value * math.sqrt(V0) + NORMAL.inv_cdf(power) * math.sqrt(VA)
    if design.difference == 0:
        raise InputError(
            "`auc` leaves no difference to detect, so that no number of cases is enough."
        )
    if reach <= 0:
        raise InputError(
            f"`power` {power:g} is reached without any cases at alpha {design.alpha:g}."
        )
    return (reach / design.difference) ** 2


def reached_power(design: Design, n_pos: float, n_neg: float) -> float:
    """F5.4; rejections in the wrong direction are not counted."""
    V0, VA = design.variances(n_neg / n_pos)
    if VA <= 0:
        raise InputError("`auc` is so close to 0 or 1 that its variance vanishes: no power exists.")
    distance = math.sqrt(n_pos) * abs(design.difference)
    return NORMAL.cdf((distance - design.critical_value * math.sqrt(V0)) / math.sqrt(VA))


def reached_alpha(design: Design, n_pos: float, n_neg: float, power: float) -> float:
    """F5.4 solved for alpha, whatever that of the design is."""
    V0, VA = design.variances(n_neg / n_pos)
    distance = math.sqrt(n_pos) * abs(design.difference)
    z = (distance - NORMAL.inv_cdf(power) * math.sqrt(VA)) / math.sqrt(V0)
    return design.sides * NORMAL.cdf(-z)


def checked_ratio(ratio: Any) -> float:
    """Negatives per positive, in bounds within which cases can be counted."""
    number = checks.positive(ratio, "ratio")
    return checks.within(number, "ratio", 1 / LARGEST_RATIO, LARGEST_RATIO)


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


def groups_words(design: Design) -> str:
    """Who the cases are, where it is not plain: ``in each of two groups``."""
    if design.second is None:
        return ""
    return "in each of two groups" if design.correlation is None else "with both scores"


def difference_words(design: Design) -> str:
    """``AUC 0.8 from 0.7``, or the two AUCs and the difference if that was set by itself."""
    other = design.null if design.second is None else design.second.auc
    words = f"AUC {design.first.auc:.4g} from {other:.4g}"
    if design.second is None or design.difference == design.first.auc - other:
        return words
    return f"{words} if they differ by {design.difference:.4g}"


def significance_words(alpha: float, sides: int) -> str:
    """``two-sided at 5 %``."""
    return f"{'two' if sides == 2 else 'one'}-sided at {100 * alpha:.3g} %"


def formula_words(design: Design) -> str:
    """Which variance, and for paired designs how correlated."""
    if design.pilot is not None:
        sizes = printing.classes(design.pilot.n_pos, design.pilot.n_neg)
        agree = "" if design.correlation is None else f", correlation {design.correlation:.2f}"
        return f"DeLong's variance of a pilot with {sizes}{agree}"
    words = FORMULA_NAMES[design.variance]
    if isinstance(design.correlation, tuple):
        negatives, positives = design.correlation
        return f"{words}, score correlations {negatives:g} and {positives:g}"
    if design.correlation is not None:
        return f"{words}, correlation {design.correlation:g}"
    return words
