"""Decision curves: the net benefit of acting on a risk, over the risk at which one would act."""

from dataclasses import field
from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Flags, Floats
from rocwise.binary.curve_bands import DecisionBand, NetBenefit, band_fields
from rocwise.data.tally import Tally
from rocwise.errors import count_of
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.progress import Report
from rocwise.results import ASIDE, Result, result


@by_group
def decision_curve(
    data: Any = None,
    y_score: Any = None,
    *,
    thresholds: Any = None,
    prevalence: float | None = None,
    **given: Unpack[TallyOptions],
) -> "DecisionCurve":
    """Compute the decision curve: net benefit over threshold probabilities.

    At threshold probability t the net benefit of treating cases with a risk of at least t is
    p TPR - (1 - p) FPR t / (1 - t), for the prevalence p [1]_.

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`.
    y_score : array-like, optional
        Predicted risks, from 0 to 1, well calibrated.
    thresholds : sequence of float, optional
        Increasing threshold probabilities from 0 to below 1; by default 0.01, 0.02, ..., 0.99.
    prevalence : float, optional
        Prevalence in the target population; that of the data by default.

    Returns
    -------
    DecisionCurve
        Result with `thresholds`, `net_benefit`, `treat_all` and `prevalence`.

    See Also
    --------
    cost_curve : Cost curve.
    calibration : Calibration curve, slope and intercept.
    compare_curves : Difference of two cost curves or decision curves.
    threshold : Optimal threshold by a criterion.

    References
    ----------
    .. [1] A. J. Vickers and E. B. Elkin, "Decision curve analysis: a novel method for evaluating
           prediction models", Med. Decis. Making 26, 2006. doi:10.1177/0272989X06295361

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true, risk = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    >>> curve = rw.decision_curve(y_true, risk, thresholds=[0.2, 0.5])
    >>> curve.net_benefit.tolist(), curve.treat_all.tolist()
    ([0.4375, 0.25], [0.375, 0.0])
    >>> ax = curve.plot()
    """
    tally = as_tally("decision_curve", data, y_score, given)
    prior = float(tally.n_pos) / float(tally.n_pos + tally.n_neg)
    if prevalence is not None:
        prior = checks.prevalence(prevalence)
    statistic = NetBenefit.at_thresholds(thresholds, prior)
    places = statistic.x
    return DecisionCurve(
        thresholds=places,
        net_benefit=statistic.of(tally),
        treat_all=prior - (1 - prior) * places / (1 - places),
        prevalence=prior,
        data=tally,
        **tally.result_fields,
    )


@result
class DecisionCurve(Result):
    """Net benefit of treating when the score reaches a threshold, of treating all, and none (0)."""

    thresholds: Floats
    net_benefit: Floats
    treat_all: Floats
    prevalence: float
    n_pos: float
    n_neg: float
    data: Tally = field(metadata=ASIDE)

    def useful(self) -> Flags:
        """At which thresholds the model beats both treating all and treating none."""
        return np.asarray(self.net_benefit > np.maximum(self.treat_all, 0.0) + 1e-12)

    def band(
        self,
        *,
        level: float = 0.95,
        n_resamples: int = 1000,
        rng: Any = None,
        progress: bool | Report | None = None,
    ) -> DecisionBand:
        """Pointwise bootstrap limits of the curve at its thresholds and its prevalence.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level of the pointwise limits.
        n_resamples : int, default 1000
            Number of bootstrap resamples.
        rng : int, numpy.random.Generator or None, optional
            Seed or random generator; None draws a seed, which the result reports.
        progress : bool or callable, optional
            Whether to show the progress of resamples, or a function of the fraction done.

        Returns
        -------
        DecisionBand
            With `thresholds`, `net_benefit`, `lower`, `upper`.

        Examples
        --------
        >>> import rocwise as rw
        >>> heart = rw.datasets.heart_disease()
        >>> curve = rw.decision_curve(heart["disease"], heart["exercise"], thresholds=[0.2, 0.5])
        >>> band = curve.band(n_resamples=100, rng=1)
        >>> band.lower.round(3).tolist(), band.upper.round(3).tolist()
        ([0.382, 0.251], [0.405, 0.313])
        """
        statistic = NetBenefit.at_thresholds(self.thresholds, self.prevalence)
        fields = band_fields(
            self.data, statistic, level=level, n_resamples=n_resamples, rng=rng, progress=progress
        )
        return DecisionBand(
            thresholds=statistic.x,
            net_benefit=statistic.of(self.data),
            treat_all=np.interp(statistic.x, self.thresholds, self.treat_all),
            **fields,
        )

    def _sentence(self) -> str:
        helps = self.thresholds[self.useful()]
        words = (
            f"beats treating all and none at {len(helps)} of them, "
            f"between {helps[0]:g} and {helps[-1]:g}"
            if len(helps)
            else "never beats treating all or none"
        )
        return (
            f"decision curve at {count_of(len(self.thresholds), 'threshold')}, prevalence "
            f"{printing.rate(self.prevalence)}; {words}; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )
