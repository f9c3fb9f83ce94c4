"""The binormal ROC model, fitted by maximum likelihood (Dorfman and Alf; F6.8 to F6.10).

Negatives are N(0, 1), positives N(a/b, 1/b^2), on a scale defined by the cut points
t_1 < ... < t_{K-1} between K ordered categories. The information of the cut points is tridiagonal,
so they are eliminated and only a 2 x 2 system remains, whose inverse is the covariance of (a, b).
"""

from typing import Any, NamedTuple, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.roc import roc_rates, straight_runs
from rocwise.data.tally import check_unweighted
from rocwise.errors import InputError
from rocwise.inference.intervals import normal_quantile
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import Interval, Result, result

MOST_STEPS = 500
NOT_OVERSHOT = 0.4  # fraction of the predicted gain above which half a step is no better
SMALLEST_STEP = 1e-10  # for up to so many categories; beyond, rounding grows with their number
FEW_CATEGORIES = 4096
NARROW = 0.01  # width of a category, in multiples of the scale of the density, that counts as small
LARGEST_A, SMALLEST_B, LARGEST_B = 50.0, 1e-3, 1e3
LARGEST_SCORE, LARGEST_GAIN, LARGEST_VARIANCE = 1e-4, 1e-8, 1e4
DEGENERATE = (
    "the binormal fit is degenerate: the likelihood of these scores has no interior maximum "
    "({reason}). There are too few changes between the classes along the scores; use another kind "
    "of band, such as 'joint-regions'."
)


@by_group
def binormal(
    data: Any = None,
    y_score: Any = None,
    *,
    level: float = 0.95,
    **given: Unpack[TallyOptions],
) -> "BinormalFit":
    """Fit the binormal ROC curve by maximum likelihood.

    The model is that some increasing function of the scores is normal in both classes [1]_ [2]_, so
    that probit(TPR) = a + b probit(FPR) and AUC = Phi(a / sqrt(1 + b^2)).

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`. Weights are not supported.
    y_score : array-like, optional
        Scores, one per label.
    level : float, default 0.95
        Confidence level of the interval of the AUC (delta method on the probit scale).

    Returns
    -------
    BinormalFit
        Result with `a`, `b`, `covariance`, `auc`, `interval`, `log_likelihood` and the method
        ``tpr(fpr)``.

    Raises
    ------
    InputError
        If the classes are separated, or the likelihood has no maximum inside the parameter space.

    See Also
    --------
    roc : Empirical ROC curve.
    smooth_roc : Smooth ROC curve (smROC).
    predict_roc : ROC curve of two given distributions.
    band : Confidence band of the ROC curve.

    References
    ----------
    .. [1] D. D. Dorfman and E. Alf, "Maximum-likelihood estimation of parameters of
           signal-detection theory and determination of confidence intervals: rating-method data",
           J. Math. Psychol. 6, 1969. doi:10.1016/0022-2496(69)90019-4
    .. [2] C. E. Metz, B. A. Herman and J.-H. Shen, "Maximum likelihood estimation of receiver
           operating characteristic (ROC) curves from continuously-distributed data", Stat. Med.
           17, 1998, 1033-1053.

    Examples
    --------
    >>> import rocwise as rw
    >>> fit = rw.binormal([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7])
    >>> round(fit.a, 4), round(fit.b, 4), round(fit.auc, 4)
    (2.1973, 1.1329, 0.927)
    >>> ax = fit.plot()
    """
    tally = as_tally("binormal", data, y_score, given)
    from scipy.special import ndtr

    level = checks.level(level)
    check_unweighted(
        tally,
        "binormal",
        why="its likelihood and its standard errors are those of counts of independent cases",
        instead="use `auc` for the area and `band` for the curve, which take weights and clusters",
    )
    found, covariance, log_likelihood, n_steps = maximum_likelihood(categories(tally.tp, tally.fp))
    variance = 1.0 + found.b**2
    z = found.a / np.sqrt(variance)
    slopes = np.array([1.0, -found.a * found.b / variance]) / np.sqrt(variance)
    error = float(np.sqrt(slopes @ covariance @ slopes))
    reach = normal_quantile(level) * error
    fpr, tpr = roc_rates(tally)
    return BinormalFit(
        a=found.a,
        b=found.b,
        covariance=covariance,
        auc=float(ndtr(z)),
        interval=Interval(ndtr(z - reach), ndtr(z + reach), level, "binormal"),
        standard_error=float(np.exp(-z * z / 2) / np.sqrt(2 * np.pi)) * error,
        log_likelihood=log_likelihood,
        n_steps=n_steps,
        curve_fpr=fpr,
        curve_tpr=tpr,
        **tally.result_fields,
    )


@result
class BinormalFit(Result):
    """Fitted binormal ROC curve: probit of TPR = `a` + `b` * probit of FPR.

    `covariance` is that of (a, b), from the expected information; `interval` is for `auc`.
    `curve_fpr` and `curve_tpr` are the vertices of the observed curve.
    """

    a: float
    b: float
    covariance: Floats
    auc: float
    interval: Interval
    standard_error: float
    log_likelihood: float
    n_pos: float
    n_neg: float
    n_steps: int
    curve_fpr: Floats
    curve_tpr: Floats

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        return (
            f"binormal fit a = {self.a:z.3f}, b = {self.b:.3f}; "  # z: no -0.000
            f"AUC {printing.estimate(self.auc, self.interval, size)}; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )

    def _columns(self) -> dict[str, Any]:
        fpr, tpr = self.curve()
        return {"fpr": fpr, "tpr": tpr}

    def tpr(self, fpr: Any) -> Floats:
        """True positive rate of the fitted curve at these false positive rates."""
        return self.limits(fpr, 0.0)[0]

    def limits(self, fpr: Floats, multiplier: float) -> tuple[Floats, Floats]:
        """The curve moved by so many standard errors on the probit scale, down and up (F6.11)."""
        from scipy.special import ndtr, ndtri

        fpr, multiplier = checks.rates(fpr, "fpr"), checks.real(multiplier, "multiplier")
        inside = (fpr > 0) & (fpr < 1)
        x = ndtri(np.where(inside, fpr, 0.5))
        (var_a, cov), (_, var_b) = self.covariance
        reach = multiplier * np.sqrt(np.maximum(var_a + 2 * x * cov + x * x * var_b, 0.0))
        middle = self.a + self.b * x
        lower, upper = (
            np.where(inside, ndtr(probit), fpr) for probit in (middle - reach, middle + reach)
        )
        return lower, upper

    def curve(self) -> tuple[Floats, Floats]:
        """FPR and TPR of the fitted curve, dense enough to draw."""
        return probit_grid(), self.tpr(probit_grid())


def probit_grid() -> Floats:
    """False positive rates from 0 to 1: evenly spaced, and dense at both ends."""
    from scipy.special import ndtr

    probits = ndtr(np.linspace(-6.0, 6.0, 601))
    return np.unique(np.concatenate([[0.0, 1.0], probits, np.linspace(0.0, 1.0, 401)]))


class Parameters(NamedTuple):
    """Intercept, slope, cut points."""

    a: float
    b: float
    t: Floats


class Information(NamedTuple):
    """Log likelihood, score and expected information, tridiagonal in the cut points."""

    cuts: Floats
    log_likelihood: float
    score: Floats
    own: Floats
    least: float


class ScoringStep(NamedTuple):
    """A step of Fisher scoring, the covariance of (a, b), the largest score, the predicted gain."""

    a: float
    b: float
    t: Floats
    covariance: Floats
    steepest: float
    gain: float


def categories(tp: Array, fp: Array) -> Floats:
    """Counts of LABROC4's categories in ascending order of score, negatives first (F6.8)."""
    ends = straight_runs(tp, fp)
    counts = np.diff([fp[ends], tp[ends]], prepend=0)
    return counts[:, ::-1].astype(np.float64)


def maximum_likelihood(counts: Floats) -> tuple[Parameters, Floats, float, int]:
    """Parameters at the maximum for counts (2, K), covariance, log likelihood, number of steps."""
    if counts.shape[1] <= 2:
        raise InputError(
            "the binormal model has no interior maximum for these scores: the classes are "
            "perfectly separated, or there are fewer than three distinct groups of scores (a small "
            "`resolution` merges them)."
        )
    at, n_steps = _start_from_probits(counts), 0
    here = _information(counts, at)
    smallest = before = SMALLEST_STEP * max(1.0, counts.shape[1] / FEW_CATEGORIES)
    for _ in range(MOST_STEPS):
        step = _scoring_step(here)
        at, here, fraction = _line_search(counts, at, here, step)
        if abs(at.a) > LARGEST_A or not SMALLEST_B <= at.b <= LARGEST_B:
            reason = f"the estimates run away to a = {at.a:.3g}, b = {at.b:.3g}"
            raise InputError(DEGENERATE.format(reason=reason))
        n_steps += 1
        size = fraction * max(abs(step.a), abs(step.b), float(np.abs(step.t).max()))
        if size < smallest or size / before * size < smallest / 10:
            break  # steps shrink by the same factor at least: the next one would be as small
        before = size
    step = _scoring_step(here)
    _check_maximum(step)
    return at, step.covariance, here.log_likelihood, n_steps


def _start_from_probits(counts: Floats) -> Parameters:
    """The straight line through probits of the cumulative rates, and cut points between them."""
    from scipy.special import ndtri

    sums = np.cumsum(counts, axis=1)
    t, v = ndtri((sums[:, :-1] + 0.5) / (sums[:, -1:] + 1.0))
    away = t - t.mean()
    squares = float((away**2).sum())
    b = float((away * (v - v.mean())).sum()) / squares if squares > 0 else 1.0
    b = min(max(b, 0.2), 5.0)
    a = b * float(t.mean()) - float(v.mean())
    n_neg, n_pos = counts.sum(axis=1).tolist()
    # where one class has no cases, the other separates the cut points
    t = (n_neg * t + n_pos * (v + a) / b) / (n_neg + n_pos)
    ramp = 1e-6 * np.arange(len(t))
    t = np.maximum.accumulate(t - ramp) + ramp  # distances of at least the step of the ramp
    return Parameters(a, b, t)


def _information(counts: Floats, at: Parameters) -> Information:
    """Log likelihood, score and expected information of (a, b) and the cut points."""
    a, b, t = at
    n_neg, n_pos = counts.sum(axis=1)
    sides = np.stack([t, b * t - a])
    densities = np.exp(-0.5 * sides * sides) / np.sqrt(2 * np.pi)
    widths = np.diff(t)
    negative = _probabilities(sides[0], widths, densities[0])
    positive = _probabilities(sides[1], b * widths, densities[1])
    probabilities = np.stack([negative, positive])
    with np.errstate(all="ignore"):  # probabilities that are 0 or nan show in `least`
        ratios = counts / probabilities
        value = float(np.where(counts > 0, counts * np.log(probabilities), 0.0).sum())
        by_side = densities * (ratios[:, :-1] - ratios[:, 1:])
        by_t = by_side[0] + b * by_side[1]
        # derivatives of the probabilities of positives in a and b, and their products
        edges = np.pad(np.stack([-densities[1], t * densities[1]]), ((0, 0), (1, 1)))
        slopes = np.diff(edges, axis=1)
        relative = slopes / positive
        shared = n_pos * b * densities[1] * (relative[:, :-1] - relative[:, 1:])
        first = _tridiagonal(n_neg, densities[0], negative)
        second = _tridiagonal(n_pos, b * densities[1], positive)
        return Information(
            np.stack([*(first + second), by_t, *shared]),
            value if np.isfinite(value) else -np.inf,
            np.array([-by_side[1].sum(), t @ by_side[1]]),
            n_pos * np.einsum("ik,jk->ij", slopes, relative),
            float(probabilities.min()) if np.all(probabilities > 0) else 0.0,
        )


def _tridiagonal(total: float, density: Floats, probabilities: Floats) -> Floats:
    """Diagonal and superdiagonal (its last entry 0) of the information of the cut points."""
    inverse = 1 / probabilities
    diagonal = total * density**2 * (inverse[:-1] + inverse[1:])
    above = -total * density[:-1] * density[1:] * inverse[1:-1]
    return np.stack([diagonal, np.append(above, 0.0)])


def _probabilities(x: Floats, widths: Floats, densities: Floats) -> Floats:
    """Normal probabilities below, between and above the values x; narrow ones by a series."""
    from scipy.special import ndtr

    first, third = x * densities, (3.0 - x * x) * x * densities
    with np.errstate(all="ignore"):
        squares = widths * widths  # a power of 3 is slow
        bend = widths * (np.diff(first) * (1 / 12) + squares * np.diff(third) * (1 / 720))
    between = widths * (0.5 * (densities[:-1] + densities[1:]) + bend)
    sizes = np.abs(x)
    wide = np.flatnonzero(~(widths * (1.0 + np.maximum(sizes[:-1], sizes[1:])) < NARROW))
    low, high = x[wide], x[wide + 1]
    between[wide] = np.where(low > 0, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low))
    return np.concatenate([ndtr(x[:1]), between, ndtr(-x[-1:])])


def _scoring_step(here: Information) -> ScoringStep:
    """Expected information solved for the score; the cut points are eliminated first."""
    from scipy.linalg import solveh_banded

    diagonal, above, by_t, *shared = here.cuts
    sides = np.stack([by_t, *shared])
    try:
        banded = np.stack([np.append(0.0, above[:-1]), diagonal])
        solved = solveh_banded(banded, sides.T).T
        products = np.einsum("ik,jk->ij", sides, solved)
        covariance = np.linalg.inv(here.own - products[1:, 1:])
    except (np.linalg.LinAlgError, ValueError):
        raise InputError(DEGENERATE.format(reason="its information is singular")) from None
    a, b = (covariance @ (here.score - products[0, 1:])).tolist()
    t = solved[0] - a * solved[1] - b * solved[2]
    along_cuts = products[0, 0] - a * products[0, 1] - b * products[0, 2]
    steepest = max(float(np.abs(here.score).max()), float(np.abs(by_t).max()))
    gain = float(here.score @ [a, b] + along_cuts)
    return ScoringStep(a, b, t, covariance, steepest, gain)


def _line_search(
    counts: Floats, at: Parameters, here: Information, step: ScoringStep
) -> tuple[Parameters, Information, float]:
    """The parameters after the step, halved until it gains, and the fraction of it taken."""
    fraction, value = 1.0, here.log_likelihood
    allowance = 1e-13 * abs(value)  # rounding of a sum of many terms
    while fraction > 1e-12:
        found = _after(counts, at, step, fraction)
        if found is not None and found[1].log_likelihood >= value - allowance:
            gained, predicted = found[1].log_likelihood - value, fraction * step.gain
            if gained < NOT_OVERSHOT * predicted and predicted > allowance:
                half = _after(counts, at, step, fraction / 2)
                if half is not None and half[1].log_likelihood > value + gained + allowance:
                    return (*half, fraction / 2)
            return (*found, fraction)
        fraction /= 2
    return at, here, 0.0


def _after(
    counts: Floats, at: Parameters, step: ScoringStep, fraction: float
) -> tuple[Parameters, Information] | None:
    """Parameters and information after a fraction of a step; None outside the parameter space."""
    b = at.b + fraction * step.b
    if not b > 0:
        return None
    there = Parameters(at.a + fraction * step.a, b, at.t + fraction * step.t)
    found = _information(counts, there)
    return (there, found) if found.least > 0 else None


def _check_maximum(step: ScoringStep) -> None:
    """Raise where the likelihood is still rising, or is flat."""
    if step.steepest > LARGEST_SCORE and abs(step.gain) > LARGEST_GAIN:
        raise InputError(DEGENERATE.format(reason="no step improves it, yet it is not level"))
    variances = np.diag(step.covariance)
    if not np.all((variances > 0) & (variances < LARGEST_VARIANCE)):
        raise InputError(DEGENERATE.format(reason="its top is flat"))
