"""Planning a study: number of cases, power, detectable AUC, significance level.

Variances are of an AUC in a study not yet made, times its number of positives (F5.1 to F5.6).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from statistics import NormalDist
from typing import Any, Literal, NamedTuple, TypeAlias, cast, get_args

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks, printing
from rocwise.arrays import Floats, Integers
from rocwise.binary.influence import area_variance_by_class, auc_covariance_by_class
from rocwise.binary.partial_area import WHOLE
from rocwise.binary.roc import whole_area
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, count_of, ends_traceback, shown
from rocwise.inference.comparison import correlation_of
from rocwise.inference.significance import error_of_difference
from rocwise.results import Result, result

Variance = Literal["obuchowski", "hanley-mcneil", "binormal", "delong"]
Sides = Literal[1, 2]
Expected: TypeAlias = float | tuple[float, float]
"""An AUC, or the intercept and slope (a, b) of a binormal curve."""
Pilot: TypeAlias = Tally | Pairs
"""Data of a small study: one model, or two on the same cases."""
Correlation: TypeAlias = float | tuple[float, float]
"""Of the two AUC estimates, or (among negatives, among positives) of the two scores."""
NORMAL = NormalDist()
NEGLIGIBLE = 1e-100
STEEPEST, FLATTEST = 1e3, 1e-3
SMALLEST_DISTANCE = 1e-12  # of planned areas from 0, 1 and each other
SMALLEST_ALPHA = 1e-300
SolvedFor = Literal["n", "power", "alpha", "auc", "other"]
FORMULA_NAMES = {
    "obuchowski": "Obuchowski's variance",
    "hanley-mcneil": "Hanley and McNeil's variance",
    "binormal": "Obuchowski and McClish's variance",
    "delong": "DeLong's variance of normal scores",
}
ROUGH_BELOW = 10  # cases in a class below which the normal approximation is rough
MOST_CASES = 10**15  # more than any study, and counted exactly by floats
LARGEST_RATIO = 1e9
NO_DIFFERENCE = 1e-12
HIGHEST_POWER = 0.99  # where a curve ends by default
BEYOND = 1.25  # how far a curve goes beyond a study that has more cases than that
FEWEST, SIZES = 2, 60


@ends_traceback
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
    """Compute the sample size for a test of one AUC, or of the difference of two AUCs.

    Parameters
    ----------
    auc : float, (float, float), Tally or Pairs
        Expected AUC, or intercept and slope (a, b) of a binormal curve; or pilot data, a tally or
        pairs of two models, whose AUCs, variances and correlation are used.
    other : float or (float, float), optional
        Expected AUC of a second score, to compare the two. For "delong" the variance under the null
        hypothesis is that of `auc`, so that the order matters.
    null : float, default 0.5
        AUC under the null hypothesis, without `other`.
    power : float, default 0.8
        Target power.
    alpha : float, default 0.05
        Significance level.
    ratio : float, default 1
        Negatives per positive.
    sides : {2, 1}, default 2
        Two-sided or one-sided test.
    correlation : float or (float, float), optional
        With `other`: None for different cases; for the same cases the correlation of the two AUC
        estimates, or of the two scores (among negatives, among positives).
    variance : {"obuchowski", "hanley-mcneil", "binormal", "delong"}, optional
        Variance formula: by default "delong" for two AUCs, "obuchowski" [1]_ for one, and
        "binormal" [2]_ for one pair (a, b).
    difference : float, optional
        Difference to detect, if it is not that of the two AUCs; for pilot data the smallest
        relevant one.

    Returns
    -------
    StudyPlan
        Result with `n_pos` and `n_neg` (integers), `n_pos_exact`, `n_neg_exact`, `power` and
        `achieved_power`; ``plot()`` shows power by sample size.

    See Also
    --------
    power : Power of a test of AUCs.
    binary.detectable_auc : AUC that a study can detect.
    binary.significance_level : Significance level at a given power.
    compare : Test and interval for the difference of AUCs.
    test_auc : Test of one AUC against a null value.

    Notes
    -----
    The plan is for the default tests: `compare` for two AUCs, where "delong" [3]_ is the variance
    of normal scores, and `test_auc` for one, for which Obuchowski's variance is conservative. The
    simulated power of plans for 0.8 is 79 to 87% and 76 to 99%.

    References
    ----------
    .. [1] N. A. Obuchowski, "Computing sample size for receiver operating characteristic studies",
           Invest. Radiol. 29, 1994. doi:10.1097/00004424-199402000-00020
    .. [2] N. A. Obuchowski and D. K. McClish, "Sample size determination for diagnostic accuracy
           studies involving binormal ROC curve indices", Stat. Med. 16, 1997, 1529-1542.
    .. [3] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the areas under two or
           more correlated receiver operating characteristic curves", Biometrics 44, 1988.
           doi:10.2307/2531595

    Examples
    --------
    >>> import rocwise as rw
    >>> plan = rw.sample_size(0.8, null=0.7, ratio=2)
    >>> plan.n_pos, plan.n_neg
    (85, 170)
    >>> ax = plan.plot()
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


@ends_traceback
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
    """Compute the power of a test of one AUC, or of the difference of two AUCs.

    Parameters
    ----------
    auc : float, (float, float), Tally or Pairs
        Expected AUC, binormal parameters (a, b), or pilot data, as in `sample_size`.
    other : float or (float, float), optional
        Expected AUC of a second score.
    n_pos : int
        Number of positives; with two AUCs on different cases, in each group.
    n_neg : int
        Number of negatives, likewise.
    null : float, default 0.5
        AUC under the null hypothesis, without `other`.
    alpha : float, default 0.05
        Significance level.
    sides : {2, 1}, default 2
        Two-sided or one-sided test.
    correlation : float or (float, float), optional
        Correlation of two scores on the same cases, as in `sample_size`.
    variance : {"obuchowski", "hanley-mcneil", "binormal", "delong"}, optional
        Variance formula, as in `sample_size`.
    difference : float, optional
        Difference to detect, if it is not that of the two AUCs.

    Returns
    -------
    StudyPlan
        Result with `power`.

    See Also
    --------
    sample_size : Sample size for a test of AUCs.
    binary.detectable_auc : AUC that a study can detect.
    test_auc : Test of one AUC against a null value.
    compare : Test and interval for the difference of AUCs.

    Notes
    -----
    Rejections in the wrong direction are not counted: without a difference the power is
    alpha / `sides`.

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
    """Compute the significance level at which a study has a given power.

    Parameters
    ----------
    auc : float or (float, float)
        Expected AUC or binormal parameters (a, b), as in `sample_size`.
    other : float or (float, float), optional
        Expected AUC of a second score.
    n_pos : int
        Number of positives; with two AUCs on different cases, in each group.
    n_neg : int
        Number of negatives, likewise.
    power : float, default 0.8
        Target power.
    null : float, default 0.5
        AUC under the null hypothesis, without `other`.
    sides : {2, 1}, default 2
        Two-sided or one-sided test.
    correlation : float or (float, float), optional
        Correlation of two scores on the same cases, as in `sample_size`.
    variance : {"obuchowski", "hanley-mcneil", "binormal", "delong"}, optional
        Variance formula, as in `sample_size`.
    difference : float, optional
        Difference to detect, if it is not that of the two AUCs.

    Returns
    -------
    StudyPlan
        Result with `alpha`.

    See Also
    --------
    power : Power of a test of AUCs.
    sample_size : Sample size for a test of AUCs.

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
    """Compute the smallest detectable AUC of a study.

    Parameters
    ----------
    auc : float or (float, float), optional
        Known AUC of one score; the result is the `other` one nearest to it. Without it, the result
        is the `auc` nearest to `null`.
    n_pos : int
        Number of positives; with two AUCs on different cases, in each group.
    n_neg : int
        Number of negatives, likewise.
    null : float, default 0.5
        AUC under the null hypothesis, for one AUC.
    power : float, default 0.8
        Power.
    alpha : float, default 0.05
        Significance level.
    sides : {2, 1}, default 2
        Two-sided or one-sided test.
    correlation : float or (float, float), optional
        Correlation of two scores on the same cases, as in `sample_size`.
    variance : {"obuchowski", "hanley-mcneil", "binormal", "delong"}, optional
        Variance formula, as in `sample_size`.
    larger : bool, default True
        Whether to look above the known AUC; below it if False.

    Returns
    -------
    StudyPlan
        Result with `auc` or `other`.

    See Also
    --------
    sample_size : Sample size for a test of AUCs.
    power : Power of a test of AUCs.
    binary.significance_level : Significance level at a given power.

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
    """Sample size, power, alpha and AUCs of a study; one of them was solved for.

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
        """Power of this design at several numbers of cases, as a table and a plot.

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
            sizes = usual_sizes(self.design, self.n_pos, kappa)
        else:
            sizes = checked_sizes(n_pos)
        negatives = np.maximum(np.ceil(kappa * sizes), 1).astype(np.int64)
        cases = zip(sizes.tolist(), negatives.tolist(), strict=True)
        return PowerCurve(
            n_pos=sizes,
            n_neg=negatives,
            power=np.array([reached_power(self.design, M, N) for M, N in cases]),
            alpha=self.alpha,
            sides=self.sides,
            design=self.design,
        )

    def _sentence(self) -> str:
        wanted = f" (target {self.power:.3g})" if self.solved_for == "n" else ""
        cases = f"{printing.classes(self.n_pos, self.n_neg)} {groups_words(self.design)}".rstrip()
        power = f"power {self.achieved_power:.3f}{wanted}"
        sentence = f"{cases}: {power} {tested_words(self.design)}"
        if min(self.n_pos, self.n_neg) < ROUGH_BELOW:
            sentence += f"; approximate, with fewer than {ROUGH_BELOW} cases in a class"
        return sentence


def _nearest_detected(
    design: Design, cases: tuple[int, int], power: float, *, larger: bool
) -> float:
    """The first crossing, in small steps, of the power wanted from the known AUC to 1 (or 0)."""
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
    """Power of a study design for several sample sizes."""

    n_pos: Integers
    n_neg: Integers
    power: Floats
    alpha: float
    sides: Sides
    design: Design

    @property
    def hypothesis(self) -> str:
        """The alternative and the null hypothesis: ``AUC 0.8 against 0.7``."""
        return difference_words(self.design)

    def conditions(self) -> tuple[str, str]:
        """Two sentences: which cases and which test, and which formula."""
        ratio = float(np.mean(self.n_neg / self.n_pos))
        each = "as many negatives" if abs(ratio - 1) < 1e-9 else f"{ratio:.3g} negatives for each"
        cases = f"Positives and {each} {groups_words(self.design)}".rstrip()
        test = significance_words(self.design)
        return f"{cases}; test {test}.", f"Normal approximation, {formula_words(self.design)}."

    def _sentence(self) -> str:
        reach = f"{self.power.min():.3f} to {self.power.max():.3f}"
        sizes = f"{self.n_pos.min():,} to {self.n_pos.max():,} positives"
        cases = f"power {reach} for {sizes} {groups_words(self.design)}".rstrip()
        return f"{cases} {tested_words(self.design)}; {count_of(len(self.power), 'size')}"


def usual_sizes(design: Design, n_pos: int, ratio: float) -> Integers:
    """Up to as many positives as give a power of 0.99, or somewhat more than `n_pos` if fewer."""
    largest = math.ceil(BEYOND * n_pos)
    if abs(design.difference) >= NO_DIFFERENCE:
        highest = needed_positives(design, max(HIGHEST_POWER, design.alpha), ratio)
        enough = max(math.ceil(highest), FEWEST + 1)
        largest = enough if n_pos <= enough else largest
    sizes = np.linspace(FEWEST, max(largest, FEWEST + 1), SIZES)
    return np.unique(sizes.round().astype(np.int64))


def checked_sizes(n_pos: Any) -> Integers:
    """Numbers of positives, each an integer of at least 1."""
    sizes = np.atleast_1d(checks.numbers(n_pos, "n_pos"))
    if sizes.ndim != 1 or sizes.size == 0:
        raise InputError(f"`n_pos` must be a list of integers; got {shown(n_pos)}.")
    whole = [checks.whole(size, "n_pos", at_most=MOST_CASES) for size in sizes.tolist()]
    return np.array(whole, dtype=np.int64)


def checked_cases(n_pos: Any, n_neg: Any) -> tuple[int, int]:
    """Numbers of positives and negatives, each an integer of at least 1."""
    given = {"n_pos": n_pos, "n_neg": n_neg}
    found = [checks.whole(count, name, at_most=MOST_CASES) for name, count in given.items()]
    return found[0], found[1]


def groups_words(design: Design) -> str:
    """Who the cases are, where it is not plain: ``in each of two groups``."""
    if design.second is None:
        return ""
    return "in each of two groups" if design.correlation is None else "with both scores"


def difference_words(design: Design) -> str:
    """``AUC 0.8 against 0.7``, or the two AUCs and the difference if that was set by itself."""
    other = design.null if design.second is None else design.second.auc
    words = f"AUC {design.first.auc:.4g} against {other:.4g}"
    if design.difference == design.first.auc - other:
        return words if design.pilot is None else f"{words} (the pilot's difference, uncertain)"
    if design.second is None:
        return words
    return f"{words} if they differ by {design.difference:.4g}"


def significance_words(design: Design) -> str:
    """``two-sided at 5%``."""
    return f"{'two' if design.sides == 2 else 'one'}-sided at {100 * design.alpha:.3g}%"


def tested_words(design: Design) -> str:
    """What is tested, by which function, and how."""
    test = f"{difference_words(design)}, {significance_words(design)}"
    function = "test_auc" if design.second is None else "compare"
    return f"for {test} by {function} ({formula_words(design)})"


def formula_words(design: Design) -> str:
    """Which variance, and for paired designs how correlated."""
    if design.pilot is not None:
        sizes = printing.classes(*design.pilot.sizes)
        agree = "" if design.correlation is None else f", correlation {design.correlation:.2f}"
        return f"DeLong's variance of a pilot with {sizes}{agree}"
    words = FORMULA_NAMES[design.variance]
    if isinstance(design.correlation, tuple):
        negatives, positives = design.correlation
        return f"{words}, score correlations {negatives:g} and {positives:g}"
    if design.correlation is not None:
        return f"{words}, correlation {design.correlation:g}"
    return words


class PlannedCurve(NamedTuple):
    """The ROC curve expected of a score: TPR = Phi(a + b Phi^-1(FPR))."""

    auc: float
    a: float
    b: float

    @classmethod
    def of_area(cls, auc: float, b: float = 1.0) -> PlannedCurve:
        """The curve with this area; by default of equal variances (b = 1)."""
        return cls(auc, NORMAL.inv_cdf(auc) * math.sqrt(1 + b * b), b)

    @classmethod
    def of_line(cls, a: float, b: float) -> PlannedCurve:
        """The curve with this intercept and slope on normal-deviate axes."""
        return cls(NORMAL.cdf(a / math.sqrt(1 + b * b)), a, b)


def planned_variance(method: str, curve: PlannedCurve, kappa: float) -> float:
    """Number of positives times the variance of the AUC."""
    A, a, b = curve
    if method == "obuchowski":  # F5.1: F5.5 at slope 1 with 1/(32 pi) rounded
        a = math.sqrt(2) * NORMAL.inv_cdf(A)  # others round the root too
        return 0.0099 * math.exp(-a * a / 2) * ((5 * a * a + 8) + (a * a + 8) / kappa)
    if method == "hanley-mcneil":  # F5.2: exact for exponential scores
        Q1, Q2 = A / (2 - A), 2 * A * A / (1 + A)
        return (Q1 - A * A) / kappa + (Q2 - A * A)
    if method == "delong":  # what DeLong's test estimates: the covariance of the AUC with itself
        return planned_covariance(method, curve, curve, kappa, (1.0, 1.0))
    f, g = _slopes(curve)  # F5.5: f^2 Var(a) + g^2 Var(b), their covariance left out
    return f * f * (1 + b * b / kappa + a * a / 2) + g * g * b * b * (1 + kappa) / (2 * kappa)


def _slopes(curve: PlannedCurve) -> tuple[float, float]:
    """Derivatives f and g of the area by a and by b."""
    scale = 1 + curve.b**2
    E = math.exp(-(curve.a**2) / (2 * scale))
    f = E / math.sqrt(2 * math.pi * scale)
    g = -E * curve.a * curve.b / math.sqrt(2 * math.pi * scale**3)
    return f, g


def planned_covariance(
    method: str,
    first: PlannedCurve,
    second: PlannedCurve,
    kappa: float,
    correlations: tuple[float, float],
) -> float:
    """Number of positives times the covariance of two AUCs, by the correlations of each class."""
    rn, ra = correlations
    (_, A1, B1), (_, A2, B2) = first, second
    if method == "binormal":  # F5.6 (Obuchowski & McClish 1997)
        (f1, g1), (f2, g2) = _slopes(first), _slopes(second)
        return (
            f1 * f2 * (ra + rn * B1 * B2 / kappa + ra**2 * A1 * A2 / 2)
            + g1 * g2 * B1 * B2 * (rn**2 + kappa * ra**2) / (2 * kappa)
            + f1 * g2 * ra**2 * A1 * B2 / 2
            + f2 * g1 * ra**2 * A2 * B1 / 2
        )
    # Of empirical AUCs of normal scores, up to terms in 1/n: a case contributes the proportion of
    # the other class on its right side. Two such proportions of one positive have the mean product
    # P(X1 < Y1, X2' < Y2) with X1, X2' from different negatives, a bivariate normal probability:
    # the positives' variance is 1/(1 + b^2) of that of a difference.
    between = math.sqrt((1 + B1**2) * (1 + B2**2))
    h, k, chance = A1 / math.sqrt(1 + B1**2), A2 / math.sqrt(1 + B2**2), first.auc * second.auc
    of_positives = bivariate_normal(h, k, ra / between) - chance
    of_negatives = bivariate_normal(h, k, rn * B1 * B2 / between) - chance
    return of_positives + of_negatives / kappa


def bivariate_normal(h: float, k: float, rho: float) -> float:
    """P(X <= h, Y <= k) for standard normal X, Y with correlation `rho`, by Owen's T function."""
    from scipy.special import owens_t

    h, k = (0.0 if abs(x) < NEGLIGIBLE else x for x in (h, k))  # products must not underflow
    if h == 0 and k == 0:
        return 0.25 + math.asin(rho) / (2 * math.pi)
    root = math.sqrt((1 - rho) * (1 + rho))
    towards = [
        float(owens_t(x, (y - rho * x) / (x * root))) if x != 0 else math.copysign(0.25, y)
        for x, y in ((h, k), (k, h))
    ]
    # Owen (1956): a half is taken off where the two limits lie on different sides of 0
    opposite = (h < 0) != (k < 0)
    return (NORMAL.cdf(h) + NORMAL.cdf(k)) / 2 - sum(towards) - (0.5 if opposite else 0.0)


class PilotVariance(NamedTuple):
    """AUCs of a pilot, and DeLong's variance by class: each over the number of its cases."""

    areas: tuple[float, ...]
    of_positives: float
    of_negatives: float
    sizes: tuple[int, int]
    correlation: float | None


def pilot_variance(data: Tally | Pairs) -> PilotVariance:
    """Of one model, or of the difference of two on the same cases."""
    if isinstance(data, Pairs) and len(data.names) > 2:
        raise InputError(
            f"`auc` as a pilot needs one or two models; got {len(data.names)}. Pass "
            "pairs.select([first, second])."
        )
    if data.weighted or data.clustered:
        raise InputError("`auc` as a pilot needs rows without weights and clusters.")
    sizes = int(data.n_pos), int(data.n_neg)
    if min(sizes) < 2:
        raise InputError("`auc` as a pilot needs at least two cases in each class.")
    areas: Sequence[float] | Floats
    parts: Sequence[float]
    correlation = None
    if isinstance(data, Pairs) and len(data.names) == 2:
        areas, matrices = auc_covariance_by_class(data)
        correlation = correlation_of(matrices.total, 0, 1)
        parts = [error_of_difference(part, 0, 1, "delong") ** 2 for part in matrices.parts]
    else:
        tally = data.tally(data.names[0]) if isinstance(data, Pairs) else data
        areas, parts = [whole_area(tally)], area_variance_by_class(tally, WHOLE).parts
    if sum(parts) <= 0 or not all(0 < area < 1 for area in areas):
        raise InputError(
            "`auc` as a pilot has no variance (an AUC of 0 or 1, or identical ranks); give "
            "the areas you expect instead."
        )
    M, N = sizes
    found = tuple(map(float, areas))
    return PilotVariance(found, M * parts[0], N * parts[1], sizes, correlation)


@dataclass(frozen=True)
class Design:
    """Hypotheses and test of a study: every option of a plan, checked once."""

    first: PlannedCurve
    second: PlannedCurve | None  # None where one AUC is compared with `null`
    null: float
    correlation: Correlation | None  # None for different cases
    variance: Variance
    difference: float  # to detect
    alpha: float
    sides: Sides
    pilot: PilotVariance | None = None  # whose variance takes the place of a formula

    @property
    def critical_value(self) -> float:
        """Limit that the test statistic must exceed."""
        # not 1 - alpha/sides, which rounds a tiny alpha off
        return -NORMAL.inv_cdf(self.alpha / self.sides)

    def variances(self, kappa: float) -> tuple[float, float]:
        """Number of positives times the variance of the difference: under H0, and as expected.

        DeLong's test takes the variance from the sample, so that both variances are equal there.
        """
        if self.pilot is not None:
            V = self.pilot.of_positives + self.pilot.of_negatives / kappa
            return V, V
        own = self.variance == "delong"
        V1 = planned_variance(self.variance, self.first, kappa)
        if self.second is None:
            null = self.first if own else PlannedCurve.of_area(self.null, self.first.b)
            return planned_variance(self.variance, null, kappa), V1
        V2 = planned_variance(self.variance, self.second, kappa)
        if isinstance(self.correlation, tuple):
            curves = self.first, self.second
            C = planned_covariance(self.variance, *curves, kappa, self.correlation)
        else:
            C = (self.correlation or 0.0) * math.sqrt(V1 * V2)
        VA = V1 + V2 - 2 * C
        V0 = VA if own else 2 * V1 - 2 * C
        if min(V0, VA) <= 0:
            raise InputError(
                f"`correlation` {self.correlation} is too high for these AUCs: the variance of "
                f"the difference would be {min(V0, VA):.3g} under the "
                f"{'null hypothesis' if V0 <= 0 else 'alternative'}. Lower it, or give the AUC "
                "with the larger variance (as a rule the lower AUC) first."
            )
        return V0, VA

    def against(self, auc: float) -> Design:
        """The same study if the AUC that is looked for has this value."""
        found = PlannedCurve.of_area(auc, self.first.b)
        if self.second is None:
            return replace(self, first=found, difference=auc - self.null)
        return replace(self, second=found, difference=self.first.auc - auc)


def planned_design(
    auc: Expected | Pilot,
    other: Expected | None = None,
    null: float = 0.5,
    alpha: float = 0.05,
    sides: Sides = 2,
    correlation: Correlation | None = None,
    variance: Variance | None = None,
    difference: float | None = None,
) -> Design:
    """The design that the arguments describe, checked against each other."""
    pilot = None
    chosen: Variance
    if isinstance(auc, (Tally, Pairs)):
        for name, value in (("other", other), ("correlation", correlation), ("variance", variance)):
            if value is not None:
                raise InputError(f"`{name}` comes from the pilot given as `auc`; leave it out.")
        pilot = pilot_variance(auc)
        curves = [PlannedCurve.of_area(area) for area in pilot.areas]
        chosen, correlation = "delong", pilot.correlation
    else:
        curves = [_curve(auc, "auc")] + ([] if other is None else [_curve(other, "other")])
        chosen = _variance_of(variance, auc, other)
        correlation = _checked_correlation(correlation, chosen, paired=len(curves) == 2)
    first, second = curves[0], curves[1] if len(curves) == 2 else None
    null = planned_area(null, "null")
    if second is not None and null != 0.5:
        raise InputError(f"`null` is for one AUC, but two are compared; got {null:g}.")
    if second is None and difference is not None and pilot is None:
        raise InputError("`difference` is between two AUCs, but `other` was not given.")
    if not isinstance(sides, Real) or isinstance(sides, bool) or sides not in (1, 2):
        raise InputError(f"`sides` must be 1 or 2; got {shown(sides)}.")
    distance = first.auc - (null if second is None else second.auc)
    return Design(
        first=first,
        second=second,
        null=null,
        correlation=correlation,
        variance=chosen,
        difference=distance if difference is None else _checked_difference(difference),
        alpha=checks.within(checks.fraction(alpha, "alpha"), "alpha", SMALLEST_ALPHA, 1),
        sides=1 if sides == 1 else 2,
        pilot=pilot,
    )


def planned_area(value: Any, argument: str) -> float:
    """An AUC inside 0 to 1, and not so close to them that its variance vanishes in rounding."""
    number = checks.fraction(value, argument)
    return checks.within(number, argument, SMALLEST_DISTANCE, 1 - SMALLEST_DISTANCE)


def _checked_difference(difference: Any) -> float:
    """A difference of two AUCs; 0 is checked where it divides."""
    number = checks.within(difference, "difference", -1, 1)
    if 0 < abs(number) < SMALLEST_DISTANCE:
        raise InputError(
            f"`difference` must be 0 or at least {SMALLEST_DISTANCE:g} in size; got "
            f"{shown(difference)}."
        )
    return number


def _curve(value: Any, argument: str) -> PlannedCurve:
    if not isinstance(value, tuple):
        return PlannedCurve.of_area(planned_area(value, argument))
    if len(value) != 2:
        raise InputError(
            f"`{argument}` must be an AUC, or the pair (a, b) of a binormal curve; got "
            f"{shown(value)}."
        )
    a, b = (checks.real(number, argument) for number in value)
    if not FLATTEST <= b <= STEEPEST:
        raise InputError(
            f"`{argument}` is the binormal curve (a, b), whose slope b must lie between "
            f"{FLATTEST:g} and {STEEPEST:g}; got {b:g}."
        )
    curve = PlannedCurve.of_line(a, b)
    if not 0.0 < curve.auc < 1.0:
        raise InputError(
            f"`{argument}` {shown(value)} has an AUC of {curve.auc:g}; it must be inside."
        )
    return curve


def _variance_of(variance: Any, auc: Any, other: Any) -> Variance:
    """The formula given, else that of the default test of two AUCs, or the usual one of one."""
    if variance is not None:
        return cast(Variance, checks.one_of(variance, "variance", get_args(Variance)))
    if other is not None:
        return "delong"
    return "binormal" if isinstance(auc, tuple) else "obuchowski"


def _checked_correlation(correlation: Any, variance: str, *, paired: bool) -> Correlation | None:
    if correlation is None:
        return None
    if not paired:
        raise InputError("`correlation` is between two AUCs, but `other` was not given.")
    if not isinstance(correlation, tuple):
        return _inside_one(correlation)
    if len(correlation) != 2:
        raise InputError(
            "`correlation` must be a number, or the pair of the scores' correlations among the "
            f"negatives and among the positives; got {shown(correlation)}."
        )
    if variance not in ("binormal", "delong"):  # which have a covariance
        raise InputError(
            "`correlation` as a pair of score correlations needs variance='binormal' or "
            f"variance='delong'; got {variance!r}."
        )
    return _inside_one(correlation[0]), _inside_one(correlation[1])


def _inside_one(value: Any) -> float:
    number = checks.real(value, "correlation")
    if not -1.0 < number < 1.0:
        raise InputError(f"`correlation` must lie strictly between -1 and 1; got {shown(value)}.")
    return number
