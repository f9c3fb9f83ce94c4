"""Decision curves: the net benefit of acting on a risk, over the risk at which one would act."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, printing
from rocwise.binary.unit_scores import unit_scores
from rocwise.errors import InputError, count_of
from rocwise.primitives.tallies import Tally, refuse_weights
from rocwise.results import Result

Floats = NDArray[np.float64]
USUAL = np.arange(1, 100) / 100


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DecisionCurve(Result):
    """Net benefit of treating when the score reaches a threshold, of treating all, and none (0)."""

    thresholds: Floats
    net_benefit: Floats
    treat_all: Floats
    prevalence: float
    n_pos: float
    n_neg: float

    def useful(self) -> NDArray[np.bool_]:
        """At which thresholds the model beats both treating all and treating none."""
        return np.asarray(self.net_benefit > np.maximum(self.treat_all, 0.0) + 1e-12)

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


@dataclass(frozen=True, eq=False)
class NetBenefit:
    """The net benefit at several thresholds, for resampled counts."""

    thresholds: Floats
    prevalence: float | None = None

    @property
    def name(self) -> str:
        """What the numbers are called."""
        return "net benefit"

    def of_counts(self, data: Tally) -> Callable[[NDArray[Any], NDArray[Any]], Floats]:
        """One row of net benefits per row of counts."""
        scores = unit_scores(data, "decision_curve")
        called = np.searchsorted(-scores, -self.thresholds, side="right")  # scores >= threshold
        odds = self.thresholds / (1 - self.thresholds)

        def benefits(pos: NDArray[Any], neg: NDArray[Any]) -> Floats:
            n_pos, n_neg = pos.sum(axis=1), neg.sum(axis=1)
            share = n_pos / (n_pos + n_neg) if self.prevalence is None else self.prevalence
            share = np.broadcast_to(share, n_pos.shape)[:, None]
            tpr, fpr = (
                _from_zero(counts)[:, called] / total[:, None]
                for counts, total in ((pos, n_pos), (neg, n_neg))
            )
            return np.asarray(share * tpr - (1 - share) * odds * fpr)

        return benefits


def _from_zero(counts: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([np.zeros((len(counts), 1)), np.cumsum(counts, axis=1)], axis=1)


def decision_curve(
    data: Tally, *, thresholds: Any = None, prevalence: float | None = None
) -> DecisionCurve:
    """The decision curve of Vickers and Elkin: net benefit over threshold probabilities.

    At threshold probability t a false alarm weighs t / (1 - t) of a hit, so the net benefit of
    acting on scores of at least t is p TPR - (1 - p) FPR t / (1 - t), p the share of positives.

    Parameters
    ----------
    data : Tally, or y_true and y_score
        The scored cases; scores are risks from 0 to 1, well calibrated, without weights.
    thresholds : sequence of float, optional
        Threshold probabilities, rising, from 0 to below 1; 0.01, 0.02, ..., 0.99 without it.
    prevalence : float, optional
        The share of positives where the model will be used; that of the data without it.

    Returns
    -------
    DecisionCurve
        With `thresholds`, `net_benefit`, `treat_all` and `prevalence`.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.decision_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], thresholds=[0.2]).net_benefit
    array([0.4375])
    """
    refuse_weights(data, "decision_curve")
    places = checked_thresholds(thresholds)
    share = float(data.n_pos) / float(data.n_pos + data.n_neg)
    if prevalence is not None:
        share = checks.fraction(prevalence, "prevalence")
    statistic = NetBenefit(places, share)
    return DecisionCurve(
        thresholds=places,
        net_benefit=statistic.of_counts(data)(data.pos[None, :], data.neg[None, :])[0],
        treat_all=share - (1 - share) * places / (1 - places),
        prevalence=share,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        origin=data.origin,
    )


def checked_thresholds(thresholds: Any) -> Floats:
    """Rising threshold probabilities from 0 to below 1."""
    if thresholds is None:
        return USUAL
    places = np.array([checks.rate(value, "thresholds") for value in np.atleast_1d(thresholds)])
    if not len(places) or np.any(np.diff(places) <= 0) or places[-1] >= 1:
        raise InputError("`thresholds` must be rising probabilities below 1, at least one of them.")
    return places
