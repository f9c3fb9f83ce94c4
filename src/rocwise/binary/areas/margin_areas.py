"""Areas that look at how far apart scores are: sAUC, probabilistic AUC, soft AUC, and Brier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import checks
from rocwise.binary.areas.logistic_sums import logistic_sum
from rocwise.binary.unit_scores import class_mean, unit_scores
from rocwise.errors import InputError, count_of, shown
from rocwise.primitives.tallies import Tally
from rocwise.results import Result

Floats = NDArray[np.float64]
TAU = np.linspace(0.0, 1.0, 101)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScoredRoc(Result):
    """The share of pairs that keep their order when every positive loses `tau` of its score."""

    tau: Floats
    share: Floats
    auc: float

    def _sentence(self) -> str:
        plain = f"{self.share[0]:.3f} of the pairs in order, " if self.tau[0] == 0 else ""
        margins = count_of(len(self.tau), "margin")
        return f"scored ROC curve at {margins}; {plain}sAUC {self.auc:.3f}"


def scored_roc(data: Tally, *, tau: Any = None) -> ScoredRoc:
    """The share R(tau) of pairs whose positive is ahead by more than tau (1.11).

    Parameters
    ----------
    data : Tally, or y_true and y_score
        The scored cases; scores from 0 to 1, without weights.
    tau : sequence of float, optional
        Margins, rising from 0 or above; 0, 0.01, ..., 1 without it.

    Returns
    -------
    ScoredRoc
        With `tau`, `share` and `auc`, the whole area under R, which is `scored_auc`.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.scored_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], tau=[0, 0.2, 0.5]).share.tolist()
    [0.75, 0.75, 0.25]
    """
    margins = TAU if tau is None else _checked_margins(tau)
    scores = unit_scores(data, "scored_roc")
    rising, below = scores[::-1], np.concatenate([[0], np.cumsum(data.neg[::-1])])
    held = scores[data.pos > 0]
    weight = data.pos[data.pos > 0]
    ahead = [
        int(weight @ below[np.searchsorted(rising, held - margin, side="left")])
        for margin in margins.tolist()
    ]
    return ScoredRoc(
        tau=margins,
        share=np.array(ahead) / _number_of_pairs(data),
        auc=_scored_area(data, scores),
        origin=data.origin,
    )


def _checked_margins(tau: Any) -> Floats:
    margins = np.array([checks.not_negative(value, "tau") for value in np.atleast_1d(tau)])
    if not len(margins) or np.any(np.diff(margins) < 0):
        raise InputError("`tau` must hold one margin or more, in rising order.")
    return margins


def scored_auc(data: Tally) -> float:
    """The mean margin by which positives are ahead of negatives, sAUC (1.12).

    Parameters
    ----------
    data : Tally, or y_true and y_score
        The scored cases; scores from 0 to 1, without weights.

    Returns
    -------
    float
        Mean of max(score of the positive - score of the negative, 0) over all pairs.

    Examples
    --------
    >>> import rocwise as rw
    >>> round(rw.scored_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.3375
    """
    return _scored_area(data, unit_scores(data, "scored_auc"))


def _scored_area(data: Tally, scores: Floats) -> float:
    """Prefix sums from the lowest score up: each positive meets the negatives below it."""
    rising, pos, neg = scores[::-1], data.pos[::-1], data.neg[::-1]
    below = np.cumsum(neg) - neg
    their_sum = np.cumsum(neg * rising) - neg * rising
    margins = rising * below - their_sum
    return float(pos @ margins / _number_of_pairs(data))


def _number_of_pairs(data: Tally) -> float:
    return float(data.n_pos) * float(data.n_neg)


def probabilistic_auc(data: Tally) -> float:
    """The probabilistic AUC: half of 1 + the difference of the class means (1.13).

    Parameters
    ----------
    data : Tally, or y_true and y_score
        The scored cases; scores from 0 to 1, without weights.

    Returns
    -------
    float

    Examples
    --------
    >>> import rocwise as rw
    >>> round(rw.probabilistic_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.6625
    """
    scores = unit_scores(data, "probabilistic_auc")
    positives = class_mean(scores, data.pos, data.n_pos)
    negatives = class_mean(scores, data.neg, data.n_neg)
    return (positives - negatives + 1) / 2


def soft_auc(data: Tally, *, beta: float = 1.0) -> float:
    """The AUC with a logistic step in place of the jump at zero margin (1.14).

    Parameters
    ----------
    data : Tally, or y_true and y_score
        The scored cases; scores from 0 to 1, without weights.
    beta : float, default 1
        Steepness of the step; the limit for a large one is the AUC.

    Returns
    -------
    float

    Examples
    --------
    >>> import rocwise as rw
    >>> round(rw.soft_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], beta=1000), 6)
    0.75
    """
    steepness = checks.real(beta, "beta")
    if steepness <= 0:
        raise InputError(f"`beta` must be above 0; got {shown(beta)}.")
    scores = unit_scores(data, "soft_auc")[::-1]
    pos, neg = (np.asarray(counts[::-1], dtype=np.float64) for counts in (data.pos, data.neg))
    of_pos, of_neg = pos > 0, neg > 0
    total = logistic_sum(scores[of_pos], pos[of_pos], scores[of_neg], neg[of_neg], steepness)
    return total / _number_of_pairs(data)


def brier(data: Tally) -> float:
    """The Brier score: mean squared difference of score and label (1.15); 0 is best.

    Parameters
    ----------
    data : Tally, or y_true and y_score
        The scored cases; scores from 0 to 1, without weights.

    Returns
    -------
    float

    Examples
    --------
    >>> import rocwise as rw
    >>> round(rw.brier([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 6)
    0.158125
    """
    scores = unit_scores(data, "brier")
    loss = data.pos @ (1 - scores) ** 2 + data.neg @ scores**2
    return float(loss / (data.n_pos + data.n_neg))
