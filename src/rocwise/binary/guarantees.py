"""Thresholds with a guarantee: with high confidence a chosen error rate stays below a limit.

Learn-then-test (Angelopoulos, Bates, Candès, Jordan and Lei, 2021/2025): every threshold is a
hypothesis "its rate is above alpha", tested by an exact binomial p value; the thresholds whose
hypotheses are rejected, with the family-wise error rate at delta, are certified.
"""

import math
from bisect import bisect_right
from dataclasses import field
from typing import Any, ClassVar, Literal, NamedTuple, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Flags, Floats
from rocwise.binary.roc import DataResult, from_zero, vertices_at
from rocwise.data.tally import Tally, check_unweighted
from rocwise.errors import InputError
from rocwise.inference.proportions import exact_limits
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import ASIDE, result

ErrorRate = Literal["fpr", "fnr", "fdr", "for", "error"]
RATES: dict[ErrorRate, str] = {
    "fpr": "false positive rate",
    "fnr": "false negative rate",
    "fdr": "false discovery rate",
    "for": "false omission rate",
    "error": "error rate",
}
STARTS = 10  # of the test sequences along a grid, for rates that need not be monotone in it
USUAL_GRID = np.arange(99, 0, -1) / 100


@by_group
def guaranteed_threshold(
    data: Any = None,
    y_score: Any = None,
    *,
    rate: ErrorRate = "fpr",
    alpha: float = 0.1,
    delta: float = 0.1,
    thresholds: Any = None,
    **given: Unpack[TallyOptions],
) -> "GuaranteedThreshold":
    """Select the best threshold whose error rate is at most `alpha` with confidence 1 - `delta`.

    Over repeated samples the true rate at the selected threshold exceeds `alpha` with probability
    at most `delta`, for any distribution of the scores, provided that the cases are independent,
    from the target population, and were not used to fit the model.

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`. Weights are not supported; for "fdr", "for" and "error" the sample must
        have the prevalence of the population.
    y_score : array-like, optional
        Scores, one per label.
    rate : {"fpr", "fnr", "fdr", "for", "error"}, default "fpr"
        Error rate: false positive rate, false negative rate, false discovery rate (1 - PPV), false
        omission rate (1 - NPV), or proportion of errors.
    alpha : float, default 0.1
        Upper limit of the rate.
    delta : float, default 0.1
        Largest probability that the limit is exceeded.
    thresholds : array-like, optional
        For "fdr", "for" and "error": candidates, chosen without these data; by default 0.01, 0.02,
        ..., 0.99 if all scores are from 0 to 1. The other two rates use every score.

    Returns
    -------
    GuaranteedThreshold
        Result with `threshold`: for "fpr" and "fdr" the lowest certified one, for "fnr" and "for"
        the highest, for "error" the one with the fewest errors.

    See Also
    --------
    threshold : Optimal threshold by a criterion.
    reliable : Thresholds with a target precision for each class.
    at : Sensitivity, specificity, PPV and NPV at an operating point.

    Notes
    -----
    A threshold is certified if the one-sided Clopper-Pearson limit [1]_ of its rate is at most
    `alpha`, with a correction for the number of thresholds tested.

    References
    ----------
    .. [1] C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated
           in the case of the binomial", Biometrika 26, 1934. doi:10.1093/biomet/26.4.404

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true, y_score = [0] * 50 + [1] * 50, list(range(100))
    >>> result = rw.guaranteed_threshold(y_true, y_score, rate="fpr", alpha=0.1, delta=0.1)
    >>> result.threshold
    49.0
    >>> ax = result.plot()
    """
    tally = as_tally("guaranteed_threshold", data, y_score, given)
    check_unweighted(
        tally,
        "guaranteed_threshold",
        why="its certificate is an exact tail of counts of independent cases",
        instead="choose with `threshold` and see its `uncertainty`, which draws rows with "
        "their weights and clusters",
    )
    checks.one_of(rate, "rate", get_args(ErrorRate))
    alpha = checks.within(checks.fraction(alpha, "alpha"), "alpha", 1e-12, 1.0)
    delta = checks.within(checks.fraction(delta, "delta"), "delta", 1e-12, 1.0)
    if rate in ("fpr", "fnr"):
        if thresholds is not None:
            raise InputError(
                f"`thresholds` has no meaning with rate={rate!r}, which tests every score."
            )
        scores, tp, fp = tally.curve_counts()
        errors, n = (fp, tally.n_neg) if rate == "fpr" else (tally.n_pos - tp, tally.n_pos)
        trials = _Trials(scores, errors, np.broadcast_to(float(n), tp.shape), tp, fp)
        method = "fixed sequence over all scores"
        certified = trials.errors < _too_many(int(trials.trials[0]), alpha, delta)
    else:
        trials = _at_grid(tally, rate, thresholds)
        p_values = _p_values(trials.errors, trials.trials, alpha)
        certified = _from_starts(p_values, delta, upwards=rate == "for")
        method = f"fixed sequences from {min(STARTS, len(p_values))} starts of a grid"
    if not certified.any():
        raise _nothing_certified(trials, rate, alpha, delta)
    return _result(
        tally,
        trials,
        certified,
        rate=rate,
        alpha=alpha,
        delta=delta,
        method=f"learn then test, {method}",
        grid=None if thresholds is None else trials.thresholds,
    )


@result
class GuaranteedThreshold(DataResult):
    """Threshold with a rate of at most `alpha` in the population, with confidence 1 - `delta`.

    `observed` is the rate in the data, `upper` its one-sided Clopper-Pearson limit at that
    confidence; `n_certified` of `n_tested` thresholds passed, and this one is the best of them.
    `grid` are the candidates, where they were given.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        *("threshold", "threshold_text", "rate", "alpha", "delta", "observed", "upper", "p_value"),
        *("tpr", "fpr", "tp", "fp", "tn", "fn", "n_certified", "n_tested", "method"),
        *("n_pos", "n_neg"),
    )
    threshold: float
    threshold_text: str
    rate: ErrorRate
    alpha: float
    delta: float
    observed: float
    upper: float
    p_value: float
    tpr: float
    fpr: float
    tp: float
    fp: float
    tn: float
    fn: float
    n_certified: int
    n_tested: int
    method: str
    n_pos: float
    n_neg: float
    grid: Floats | None
    data: Tally = field(metadata=ASIDE)

    @property
    def decision(self) -> str:
        """The decision in words."""
        sign = ">=" if self.origin.direction == "higher" else "<="
        return f"positive when score {sign} {self.threshold_text}"

    def description(self) -> str:
        """The guarantee in words: ``false positive rate at most 0.1 with confidence 95%``."""
        confidence = printing.percent(1 - self.delta)
        return f"{RATES[self.rate]} at most {self.alpha:g} with confidence {confidence}"

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        return (
            f"{self.decision}: {self.description()} (observed {self.observed:.4g}); sensitivity "
            f"{printing.rate(self.tpr, size)}, specificity {printing.rate(1 - self.fpr, size)}; "
            f"{self.method}; {printing.classes(self.n_pos, self.n_neg)}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The result as plain JSON-safe values, without the data."""
        return super().to_dict() | {"decision": self.decision}


class _Trials(NamedTuple):
    """At each threshold, highest first: errors of the rate's kind among so many trials."""

    thresholds: Array
    errors: Floats
    trials: Floats
    tp: Floats
    fp: Floats


def _at_grid(data: Tally, rate: ErrorRate, thresholds: Any) -> _Trials:
    """Errors among predicted positives, predicted negatives or all, at given thresholds."""
    grid = _checked_grid(data, thresholds)
    called = vertices_at(data, grid)
    tp, fp = (from_zero(counts)[called] for counts in (data.tp, data.fp))
    fn, tn = data.n_pos - tp, data.n_neg - fp
    errors_among = {
        "fdr": (fp, tp + fp),
        "for": (fn, tn + fn),
        "error": (fp + fn, tp + fp + fn + tn),
    }
    return _Trials(grid, *errors_among[rate], tp, fp)


def _checked_grid(data: Tally, thresholds: Any) -> Floats:
    """Distinct candidate thresholds, the highest first."""
    if data.origin.categories:
        grid = np.arange(len(data.origin.categories), dtype=np.float64)
    elif thresholds is not None:
        values = [checks.real(value, "thresholds") for value in np.atleast_1d(thresholds)]
        grid = np.unique(np.array(values))
        if not len(grid):
            raise InputError("`thresholds` is empty; at least one candidate is needed.")
    elif data.scores.min() < 0 or data.scores.max() > 1:
        raise InputError(
            "this rate needs `thresholds`, candidates that do not depend on these data (scores of "
            "other cases, or round numbers), because the scores are not all from 0 to 1."
        )
    else:
        grid = USUAL_GRID
    grid = np.sort(grid)
    return grid[::-1] if data.direction == "higher" else grid


def _p_values(wrong: Any, trials: Any, alpha: float) -> Floats:
    """P(at most so many errors) if the rate were alpha: small where the rate must be lower."""
    from scipy.special import betainc

    right = trials - wrong
    tail = betainc(np.maximum(right, 1.0), wrong + 1, 1 - alpha)
    return np.asarray(np.where(right > 0, tail, 1.0))


def _too_many(trials: int, alpha: float, delta: float) -> int:
    """The least number of errors that is not rejected; it grows along the sequence of scores."""
    numbers = range(trials + 1)
    return bisect_right(numbers, delta, key=lambda wrong: float(_p_values(wrong, trials, alpha)))


def _from_starts(p_values: Floats, delta: float, *, upwards: bool) -> Flags:
    """Fixed sequences from several points of a grid, each with its part of delta (Bonferroni)."""
    along = p_values[::-1] if upwards else p_values
    n_starts = min(STARTS, len(along))
    starts = np.unique(np.linspace(0, len(along) - 1, n_starts).round().astype(np.intp))
    passed = np.zeros(len(along), dtype=np.bool_)
    for start in starts:
        passed[start:] |= np.logical_and.accumulate(along[start:] <= delta / len(starts))
    return passed[::-1] if upwards else passed


def _best(trials: _Trials, certified: Flags, rate: ErrorRate) -> int:
    """The certified threshold that gives away least."""
    if rate == "error":
        places = np.flatnonzero(certified)
        return int(places[np.argmin(trials.errors[places])])
    if rate in ("fpr", "fdr"):
        return len(certified) - 1 - int(np.argmax(certified[::-1]))
    return int(np.argmax(certified))


def _nothing_certified(trials: _Trials, rate: ErrorRate, alpha: float, delta: float) -> InputError:
    """What could be certified, or how many cases it would take."""
    n = int(trials.trials.max())
    needed = math.ceil(math.log(delta) / math.log1p(-alpha))
    what = {"fpr": "negatives", "fnr": "positives"}.get(rate, "cases")
    lead = (
        f"no threshold can be certified to have a {RATES[rate]} of at most `alpha` {alpha:g} with "
        f"confidence {1 - delta:g}"
    )
    if n < needed:
        return InputError(
            f"{lead}: even without any error it takes {needed:,} {what}, and there are {n:,}."
        )
    reached = float(exact_limits(trials.errors, trials.trials, delta)[1].min())
    return InputError(
        f"{lead}: the smallest limit that a single threshold reaches here is {reached:.4g}. "
        "Allow a larger `alpha` or `delta`, or collect more cases."
    )


def _result(
    data: Tally,
    trials: _Trials,
    certified: Flags,
    **given: Any,
) -> GuaranteedThreshold:
    place = _best(trials, certified, given["rate"])
    tp, fp = int(trials.tp[place]), int(trials.fp[place])
    errors, n = trials.errors[place], trials.trials[place]
    return GuaranteedThreshold(
        threshold=trials.thresholds[place].item(),
        threshold_text=_text(data, trials, place),
        observed=float(errors / n),
        upper=float(exact_limits(errors, n, given["delta"])[1]),
        p_value=float(_p_values(errors, n, given["alpha"])),
        tpr=tp / data.n_pos,
        fpr=fp / data.n_neg,
        tp=tp,
        fp=fp,
        tn=data.n_neg - fp,
        fn=data.n_pos - tp,
        n_certified=int(certified.sum()),
        n_tested=len(certified),
        data=data,
        **data.result_fields,
        **given,
    )


def _text(data: Tally, trials: _Trials, place: int) -> str:
    """The threshold with every digit: the guarantee is for it, not for a rounder neighbor."""
    if data.origin.categories:
        return data.origin.categories[int(trials.thresholds[place])]
    return repr(trials.thresholds[place].item()).removesuffix(".0")
