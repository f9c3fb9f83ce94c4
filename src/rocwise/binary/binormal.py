"""Maximum likelihood of the binormal model by Fisher scoring, O(K) a step (F6.8 to F6.10).

Negatives are N(0, 1), positives N(a/b, 1/b^2), on a scale that the cut points t_1 < ... < t_{K-1}
between K ordered categories define. The information of the cut points is tridiagonal, so they are
eliminated and only a 2 x 2 system remains, whose inverse is the covariance of (a, b).
"""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.roc import roc_rates
from rocwise.data.tally import Tally
from rocwise.data.unweighted import refuse_weights
from rocwise.errors import InputError
from rocwise.inference.intervals import normal_quantile
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import parts_of_rows, row_by_row
from rocwise.kernels.threads import run_parts
from rocwise.results import Interval, Result, result

MOST_STEPS = 500
MOST_AT_ONCE = 4096  # categories that are fitted without a fit of fewer before
MERGED = 32  # categories that are made one in the fit of fewer; at both ends each is one
NEAR_ENOUGH = 1e-6  # a step of the fit of fewer, which is another anyway
NOT_LEAPT = 0.4  # share of what the slope promises, above which half a step is no better
SMALLEST_STEP = 1e-10
LARGEST_A, SMALLEST_B, LARGEST_B = 50.0, 1e-3, 1e3
LARGEST_SCORE, LARGEST_GAIN, LARGEST_VARIANCE = 1e-4, 1e-8, 1e4
DEGENERATE = (
    "the binormal fit is degenerate: the likelihood of these scores has no interior maximum "
    "({reason}). There are too few changes between the classes along the scores; use another kind "
    "of band, such as 'joint-regions'."
)


class Estimate(NamedTuple):
    """Where the likelihood is largest."""

    a: float
    b: float
    covariance: Floats
    log_likelihood: float
    n_steps: int


class Parameters(NamedTuple):
    """Intercept, slope, cut points."""

    a: float
    b: float
    t: Floats


def categories(tp: Array, fp: Array) -> Floats:
    """Counts of LABROC4's categories in ascending order of score, negatives first (F6.8).

    `tp` and `fp` are those of a tally: cases at or beyond each score, the most positive first.

    Examples
    --------
    >>> categories(np.array([1, 2, 2, 2]), np.array([0, 1, 2, 3])).tolist()
    [[2.0, 1.0, 0.0], [0.0, 1.0, 1.0]]
    """
    _, pos, neg = kernels.straight_runs(tp, fp)
    counts = on_large_pages((2, len(pos)))
    for row, runs in zip(counts, (neg, pos), strict=True):
        row_by_row(np.asarray, runs[::-1], out=row)
    return counts


def maximised(counts: Floats) -> Estimate:
    """The maximum for category counts (2, K), of negatives and of positives."""
    if counts.shape[1] <= 2:
        raise InputError(
            "the binormal model has no interior maximum for these scores: the classes are "
            "perfectly separated, or there are fewer than three distinct groups of scores (a small "
            "`resolution` merges them)."
        )
    at, rows, n_steps = _climbed(counts, SMALLEST_STEP)
    value = rows.log_likelihood
    step = _scoring_step(rows, cuts=False)
    _refuse_flatness(step)
    return Estimate(at.a, at.b, step.covariance, value, n_steps)


def _climbed(counts: Floats, smallest: float) -> tuple[Parameters, kernels.BinormalRows, int]:
    """Where steps are as small as this; the rows of the information there; how many steps."""
    at = _start(counts)
    rows = kernels.binormal_rows(counts, *at)
    n_steps, before = 0, smallest  # no step yet to judge the first one by
    for _ in range(MOST_STEPS):
        step = _scoring_step(rows)
        at, rows, taken = _halved(counts, at, rows, step)
        _refuse_divergence(at)
        n_steps += 1
        size = taken * max(abs(step.a), abs(step.b), step.farthest)
        if size < smallest or size / before * size < smallest / 10:
            break  # steps shrink by the same factor at least: the next one would be as small
        before = size
    return at, rows, n_steps


def _start(counts: Floats) -> Parameters:
    """Many categories start from the fit of fewer, for which several were made one."""
    return _from_probits(counts) if counts.shape[1] <= MOST_AT_ONCE else _from_fewer(counts)


def _from_probits(counts: Floats) -> Parameters:
    """The straight line through probits of the cumulative shares, and cut points between them."""
    from scipy.special import ndtri

    sums = np.cumsum(counts, axis=1)
    t, v = ndtri((sums[:, :-1] + 0.5) / (sums[:, -1:] + 1.0))
    away = t - t.mean()
    spread = float((away**2).sum())
    b = float((away * (v - v.mean())).sum()) / spread if spread > 0 else 1.0
    b = min(max(b, 0.2), 5.0)
    a = b * float(t.mean()) - float(v.mean())
    n_neg, n_pos = counts.sum(axis=1).tolist()
    # where one class has no cases, the other tells cut points apart
    t = (n_neg * t + n_pos * (v + a) / b) / (n_neg + n_pos)
    ramp = 1e-6 * np.arange(len(t))
    t = np.maximum.accumulate(t - ramp) + ramp  # apart by at least the step of the ramp
    return Parameters(a, b, t)


def _from_fewer(counts: Floats) -> Parameters:
    """The fit of every so many categories made one, and cut points between its cut points.

    There the share of a category is nearly that of its cases, of whichever class: the density of
    all cases, straight from one known cut point to the next, tells how far along it ends.
    """
    size = counts.shape[1]
    last = (size - MERGED) // MERGED * MERGED  # the categories up to here are merged
    starts = np.r_[:MERGED:1, MERGED:last:MERGED, last:size]
    few, _, _ = _climbed(np.add.reduceat(counts, starts, axis=1), NEAR_ENOUGH)
    density = _density(few, counts.sum(axis=1))
    below = np.cumsum(counts.sum(axis=0))[:-1]
    cuts = on_large_pages(size - 1)
    groups = slice(MERGED, last)
    inside, found = (column[groups].reshape(-1, MERGED) for column in (below, cuts))
    cuts[:MERGED], cuts[last:] = few.t[:MERGED], few.t[MERGED - 1 + len(inside) + 1 :]

    def fill(first: int, stop: int) -> None:
        own, ends = inside[first:stop], slice(MERGED - 1 + first, MERGED + stop)
        known = np.append(below[MERGED - 1 + first * MERGED], own[:, -1])[:, None]
        middle, high = few.t[ends, None], density[ends, None]
        share = (own - known[:-1]) / np.diff(known, axis=0)
        root = np.sqrt(high[:-1] ** 2 + np.diff(high**2, axis=0) * share)
        along = share * (high[:-1] + high[1:]) / (high[:-1] + root)
        found[first:stop] = middle[:-1] + np.diff(middle, axis=0) * along

    parts = parts_of_rows(size)
    run_parts(fill, [(a * len(inside) // size, b * len(inside) // size) for a, b in parts])
    return Parameters(few.a, few.b, cuts)


def _density(at: Parameters, totals: Floats) -> Floats:
    """That of all cases at the cut points, but for a factor."""
    negatives, positives = (np.exp(-x * x / 2) for x in (at.t, at.b * at.t - at.a))
    return np.asarray(totals[0] * negatives + totals[1] * at.b * positives)


def _scoring_step(rows: kernels.BinormalRows, *, cuts: bool = True) -> kernels.BinormalStep:
    """Expected information solved for the gradient; also the covariance of (a, b)."""
    step = kernels.binormal_step(rows, cuts=cuts)
    if step is None:
        raise InputError(DEGENERATE.format(reason="its information is singular"))
    return step


def _halved(
    counts: Floats, at: Parameters, rows: kernels.BinormalRows, step: kernels.BinormalStep
) -> tuple[Parameters, kernels.BinormalRows, float]:
    """The parameters after the step, halved until it is no loss; and the share of it taken.

    Half of a step is looked at too: where the likelihood is steeper than expected, whole steps
    leap from one side of the top to the other and back, for ever. A step that has gained two
    fifths of what the slope at its start promises has not leapt: on a parabola a half of it is
    better only where the whole gains less than a third.
    """
    share, value = 1.0, rows.log_likelihood
    allowance = 1e-13 * abs(value)  # rounding of a sum of many terms
    while share > 1e-12:
        found = _after(counts, at, step, share, rows.table)
        if found is not None and found[1].log_likelihood >= value - allowance:
            gained, promised = found[1].log_likelihood - value, share * step.gain
            if gained < NOT_LEAPT * promised and promised > allowance:
                half = _after(counts, at, step, share / 2)
                if half is not None and half[1].log_likelihood > value + gained + allowance:
                    return (*half, share / 2)
            return (*found, share)
        share /= 2
    return at, kernels.binormal_rows(counts, *at, rows.table), 0.0


def _after(
    counts: Floats,
    at: Parameters,
    step: kernels.BinormalStep,
    share: float,
    room: Floats | None = None,
) -> tuple[Parameters, kernels.BinormalRows] | None:
    """Parameters, likelihood and rows after this share of a step, where it is allowed."""
    b = at.b + share * step.b
    if not b > 0:
        return None
    assert step.cuts is not None
    t = row_by_row(lambda cut, by: cut + share * by, at.t, step.cuts)
    there = Parameters(at.a + share * step.a, b, t)
    found = kernels.binormal_rows(counts, *there, room)
    return (there, found) if found.least > 0 else None


def _refuse_divergence(at: Parameters) -> None:
    if abs(at.a) > LARGEST_A or not SMALLEST_B <= at.b <= LARGEST_B:
        raise InputError(
            DEGENERATE.format(reason=f"the estimates run away to a = {at.a:.3g}, b = {at.b:.3g}")
        )


def _refuse_flatness(step: kernels.BinormalStep) -> None:
    """Refuse where the likelihood is still rising, or hardly falls on any side.

    Rounding of the gradient grows with the number of cases; what a step would gain does not.
    """
    if step.steepest > LARGEST_SCORE and abs(step.gain) > LARGEST_GAIN:
        raise InputError(DEGENERATE.format(reason="no step improves it, yet it is not level"))
    variances = np.diag(step.covariance)
    if not np.all((variances > 0) & (variances < LARGEST_VARIANCE)):
        raise InputError(DEGENERATE.format(reason="its top is flat"))


@result
class BinormalFit(Result):
    """A fitted curve: probit of TPR = `a` + `b` * probit of FPR.

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
            f"AUC {printing.rate(self.auc, size)} ({printing.percent(self.interval.level)} CI "
            f"{printing.rate(self.interval.low, size)} to "
            f"{printing.rate(self.interval.high, size)}, {self.interval.method}); "
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
            np.where(inside, ndtr(place), fpr) for place in (middle - reach, middle + reach)
        )
        return lower, upper

    def curve(self) -> tuple[Floats, Floats]:
        """FPR and TPR of the fitted curve, dense enough to draw."""
        return probit_grid(), self.tpr(probit_grid())


@by_group
def binormal(
    data: Any = None,
    y_score: Any = None,
    *,
    level: float = 0.95,
    **given: Unpack[TallyOptions],
) -> BinormalFit:
    """Maximum likelihood fit of the binormal ROC curve (Dorfman and Alf; F6.8 to F6.10).

    The scores need not be normal: the model is that some increasing function of them is normal
    in both classes. Then probit(TPR) = a + b * probit(FPR) and AUC = Phi(a / sqrt(1 + b^2)).

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`. Weights are
        refused, and so are classes that are separated, or scores whose likelihood has no
        maximum inside the parameter space.
    level : float, default 0.95
        Confidence level of the interval of the AUC (delta method on the probit scale).
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `direction`,
        `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    BinormalFit
        With `a`, `b`, `covariance`, `auc`, `interval`, `log_likelihood`, and `tpr(fpr)`.

    Examples
    --------
    >>> import rocwise as rw
    >>> fit = rw.binormal([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7])
    >>> round(fit.a, 4), round(fit.b, 4)
    (2.1973, 1.1329)
    """
    tally = as_tally("binormal", data, y_score, given)
    from scipy.special import ndtr

    level = checks.level(level)
    refuse_weights(
        tally,
        "binormal",
        why="its likelihood and its standard errors are those of counts of independent cases",
        instead="use `auc` for the area and `band` for the curve, which take weights and clusters",
    )
    found = maximised(_counts_of(tally.for_once()))
    spread = 1.0 + found.b**2
    z = found.a / np.sqrt(spread)
    slopes = np.array([1.0, -found.a * found.b / spread]) / np.sqrt(spread)
    error = float(np.sqrt(slopes @ found.covariance @ slopes))
    reach = normal_quantile(level) * error
    fpr, tpr = roc_rates(tally)
    return BinormalFit(
        a=found.a,
        b=found.b,
        covariance=found.covariance,
        auc=float(ndtr(z)),
        interval=Interval(ndtr(z - reach), ndtr(z + reach), level, "binormal"),
        standard_error=float(np.exp(-z * z / 2) / np.sqrt(2 * np.pi)) * error,
        log_likelihood=found.log_likelihood,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        n_steps=found.n_steps,
        curve_fpr=fpr,
        curve_tpr=tpr,
        origin=tally.origin,
    )


def _counts_of(once: Tally) -> Floats:
    """The categories of a tally, which is let go with the columns that they were made of."""
    return categories(once.tp, once.fp)


def probit_grid() -> Floats:
    """False positive rates from 0 to 1: evenly spaced, and dense at both ends."""
    from scipy.special import ndtr

    probits = ndtr(np.linspace(-6.0, 6.0, 601))
    return np.unique(np.concatenate([[0.0, 1.0], probits, np.linspace(0.0, 1.0, 401)]))
