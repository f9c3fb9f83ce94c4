"""Decision curves: the net benefit of acting on a risk, over the risk at which one would act."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Flags, Floats
from rocwise.binary.unit_scores import unit_scores
from rocwise.errors import InputError, count_of
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.primitives.tallies import Tally, refuse_weights
from rocwise.results import Result, result

USUAL = np.arange(1, 100) / 100


@result
class DecisionCurve(Result):
    """Net benefit of treating when the score reaches a threshold, of treating all, and none (0)."""

    thresholds: Floats
    net_benefit: Floats
    treat_all: Floats
    prevalence: float
    n_pos: float
    n_neg: float

    def useful(self) -> Flags:
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

    def of_counts(self, data: Tally) -> Callable[[Array, Array], Floats]:
        """One row of net benefits per row of counts."""
        scores = unit_scores(data, "decision_curve")
        called = np.searchsorted(-scores, -self.thresholds, side="right")  # scores >= threshold
        odds = self.thresholds / (1 - self.thresholds)

        def benefits(pos: Array, neg: Array) -> Floats:
            n_pos, n_neg = pos.sum(axis=1), neg.sum(axis=1)
            share = n_pos / (n_pos + n_neg) if self.prevalence is None else self.prevalence
            share = np.broadcast_to(share, n_pos.shape)[:, None]
            tpr, fpr = (
                _from_zero(counts)[:, called] / total[:, None]
                for counts, total in ((pos, n_pos), (neg, n_neg))
            )
            return np.asarray(share * tpr - (1 - share) * odds * fpr)

        return benefits


def _from_zero(counts: Array) -> Array:
    return np.concatenate([np.zeros((len(counts), 1)), np.cumsum(counts, axis=1)], axis=1)


@by_group
def decision_curve(
    data: Any = None,
    y_score: Any = None,
    *,
    thresholds: Any = None,
    prevalence: float | None = None,
    **given: Unpack[TallyOptions],
) -> DecisionCurve:
    """The decision curve of Vickers and Elkin: net benefit over threshold probabilities.

    At threshold probability t a false alarm weighs t / (1 - t) of a hit, so the net benefit of
    acting on scores of at least t is p TPR - (1 - p) FPR t / (1 - t), p the share of positives.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
        The scored cases; scores are risks from 0 to 1, well calibrated, without weights.
    thresholds : sequence of float, optional
        Threshold probabilities, rising, from 0 to below 1; 0.01, 0.02, ..., 0.99 without it.
    prevalence : float, optional
        The share of positives where the model will be used; that of the data without it.

    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

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
    tally = as_tally("decision_curve", data, y_score, given)
    refuse_weights(tally, "decision_curve")
    places = checked_thresholds(thresholds)
    share = float(tally.n_pos) / float(tally.n_pos + tally.n_neg)
    if prevalence is not None:
        share = checks.fraction(prevalence, "prevalence")
    statistic = NetBenefit(places, share)
    return DecisionCurve(
        thresholds=places,
        net_benefit=statistic.of_counts(tally)(tally.pos[None, :], tally.neg[None, :])[0],
        treat_all=share - (1 - share) * places / (1 - places),
        prevalence=share,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        origin=tally.origin,
    )


def checked_thresholds(thresholds: Any) -> Floats:
    """Rising threshold probabilities from 0 to below 1."""
    if thresholds is None:
        return USUAL
    places = np.array([checks.rate(value, "thresholds") for value in np.atleast_1d(thresholds)])
    if not len(places) or np.any(np.diff(places) <= 0) or places[-1] >= 1:
        raise InputError("`thresholds` must be rising probabilities below 1, at least one of them.")
    return places
