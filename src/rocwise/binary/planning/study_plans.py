"""Planning a study: how many cases, what power, which AUC, which significance level (F5.1-F5.6)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks, printing
from rocwise.binary.planning.designs import (
    Correlation,
    Design,
    Expected,
    Pilot,
    Sides,
    checked_ratio,
    needed_positives,
    planned_area,
    planned_design,
    reached_alpha,
    reached_power,
)
from rocwise.binary.planning.power_curves import (
    PowerCurve,
    checked_cases,
    checked_sizes,
    power_curve,
    usual_sizes,
)
from rocwise.binary.planning.variances import Variance
from rocwise.binary.planning.wording import (
    ROUGH_BELOW,
    cases_words,
    difference_words,
    formula_words,
    significance_words,
)
from rocwise.errors import InputError
from rocwise.results import Result, result

MOST_CASES = 1e15  # more than any study, and counted exactly by floats

SolvedFor = Literal["n", "power", "alpha", "auc", "other"]


@result
class StudyPlan(Result):
    """Numbers of cases, power, alpha and AUCs that belong together; one of them was solved for.

    `n_pos`, `n_neg` are whole cases (in each of two groups, if the design is unpaired), `power`
    is the power asked for and `achieved_power` the power with those whole cases; `ratio` is the
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
        sentence = (
            f"{cases_words(self.n_pos, self.n_neg, self.design)}: "
            f"power {self.achieved_power:.3f}{asked} to tell {difference_words(self.design)}, "
            f"{significance_words(self.alpha, self.sides)} ({formula_words(self.design)})"
        )
        if min(self.n_pos, self.n_neg) < ROUGH_BELOW:
            sentence += f"; a rough guess, with fewer than {ROUGH_BELOW} cases in a class"
        return sentence


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
    design = planned_design(
        auc,
        other,
        null=null,
        alpha=alpha,
        sides=sides,
        correlation=correlation,
        variance=variance,
        difference=difference,
    )
    ratio, power = checked_ratio(ratio), checks.fraction(power, "power")
    exact = needed_positives(design, power, ratio)
    if not max(exact, ratio * exact) < MOST_CASES:
        raise InputError(
            f"`ratio` {ratio:g} asks for more cases than there are: {exact:.3g} positives and "
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
    Rejections in favour of the wrong AUC are not counted, so that the power to detect no
    difference at all is alpha / `sides`.

    Examples
    --------
    >>> import rocwise as rw
    >>> round(rw.power(0.7, n_pos=40, n_neg=80).power, 4)
    0.9602
    """
    design = planned_design(
        auc,
        other,
        null=null,
        alpha=alpha,
        sides=sides,
        correlation=correlation,
        variance=variance,
        difference=difference,
    )
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
    """The smallest alpha at which a study of this size has the power asked for.

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
    >>> from rocwise.binary.planning import significance_level
    >>> round(significance_level(0.7, n_pos=40, n_neg=80, power=0.9).alpha, 4)
    0.0155
    """
    design = planned_design(
        auc,
        other,
        null=null,
        sides=sides,
        correlation=correlation,
        variance=variance,
        difference=difference,
    )
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
        AUC known of one score; the answer is the `other` one. Without it the answer is the `auc`
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
    >>> from rocwise.binary.planning import detectable_auc
    >>> round(detectable_auc(n_pos=40, n_neg=80).auc, 4)
    0.6522
    """
    design = planned_design(
        planned_area(null, "null") if auc is None else auc,
        auc,
        null=null,
        alpha=alpha,
        sides=sides,
        correlation=correlation,
        variance=variance,
    )
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
