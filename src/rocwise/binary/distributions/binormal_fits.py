"""The binormal model: a straight ROC curve on probit paper, fitted by maximum likelihood."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.curves.empirical import rates_from_zero
from rocwise.binary.distributions.binormal_likelihood import categories, maximised
from rocwise.data.tally import Tally
from rocwise.data.unweighted import refuse_weights
from rocwise.inference.intervals.interval_limits import normal_quantile
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import Interval, Result, result


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
    fpr, tpr = rates_from_zero(tally)
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
