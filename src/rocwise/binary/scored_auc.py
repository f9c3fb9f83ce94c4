"""Measures based on score differences: sAUC, probabilistic AUC, soft AUC, Brier score."""

import math
from typing import Any, Unpack

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats, Weights
from rocwise.binary.roc import sums_from_zero
from rocwise.binary.unit_scores import class_mean, unit_scores
from rocwise.data.tally import Tally
from rocwise.errors import InputError, count_of
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import Result, result

NODES = 16
FLAT = 40.0  # beyond, the step differs from 0 or 1 by less than 5e-18
FEW_PAIRS = 4_000_000
MOST_CELLS = 100_000
TAU = np.linspace(0.0, 1.0, 101)


@result
class ScoredRoc(Result):
    """Scored ROC curve: fraction of pairs with a margin above `tau`."""

    tau: Floats
    share: Floats
    auc: float

    def _sentence(self) -> str:
        plain = f"{self.share[0]:.3f} of the pairs in order, " if self.tau[0] == 0 else ""
        margins = count_of(len(self.tau), "margin")
        return f"scored ROC curve at {margins}; {plain}sAUC {self.auc:.3f}"


@by_group
def scored_roc(
    data: Any = None,
    y_score: Any = None,
    *,
    tau: Any = None,
    **given: Unpack[TallyOptions],
) -> ScoredRoc:
    """Compute the curve R(tau), whose area is the score-based AUC (sAUC).

    R(tau) is the proportion of pairs in which the score of the positive exceeds that of the
    negative by more than tau [1]_.

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`.
    y_score : array-like, optional
        Scores from 0 to 1.
    tau : sequence of float, optional
        Increasing margins of at least 0; by default 0, 0.01, ..., 1.

    Returns
    -------
    ScoredRoc
        Result with `tau`, `share` (the curve) and `auc`.

    See Also
    --------
    scored_auc : Score-based AUC (sAUC).
    roc : Empirical ROC curve.

    References
    ----------
    .. [1] S. Wu, P. Flach and C. Ferri, "An improved model selection heuristic for AUC", ECML,
           2007. doi:10.1007/978-3-540-74958-5_44

    Examples
    --------
    >>> from rocwise.binary import scored_roc
    >>> curve = scored_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], tau=[0, 0.2, 0.5])
    >>> curve.share.tolist()
    [0.75, 0.75, 0.25]
    >>> ax = curve.plot()
    """
    # (1.11)
    tally = as_tally("scored_roc", data, y_score, given)
    given_margins = np.atleast_1d(checks.numbers(TAU if tau is None else tau, "tau", most=1))
    margins = np.array([checks.not_negative(value, "tau") for value in given_margins.tolist()])
    if not len(margins) or np.any(np.diff(margins) < 0):
        raise InputError("`tau` must contain one margin or more, in rising order.")
    scores = unit_scores(tally, "scored_roc")
    kind = np.float64 if tally.weighted else np.int64
    rising, below = scores[::-1], sums_from_zero(tally.neg[::-1], kind)
    of_pos = scores[tally.pos > 0]
    weight = tally.pos[tally.pos > 0]
    ahead = [
        np.einsum("i,i->", weight, below[np.searchsorted(rising, of_pos - margin)]).item()
        for margin in margins.tolist()
    ]
    return ScoredRoc(
        tau=margins,
        share=np.array(ahead) / _number_of_pairs(tally),
        auc=_scored_area(tally, scores),
        origin=tally.origin,
    )


@by_group
def scored_auc(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> float:
    """Compute the score-based AUC (sAUC), the mean margin between positives and negatives.

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`.
    y_score : array-like, optional
        Scores from 0 to 1.

    Returns
    -------
    float
        Mean of max(score of the positive - score of the negative, 0) over all pairs [1]_.

    See Also
    --------
    soft_auc : AUC with a logistic step (softAUC).
    probabilistic_auc : Probabilistic AUC (pAUC).
    auc : AUC with a confidence interval.
    binary.scored_roc : Curve whose area is the sAUC.

    References
    ----------
    .. [1] S. Wu, P. Flach and C. Ferri, "An improved model selection heuristic for AUC", ECML,
           2007. doi:10.1007/978-3-540-74958-5_44

    Examples
    --------
    >>> import rocwise as rw
    >>> round(rw.scored_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.3375
    """
    # (1.12)
    tally = as_tally("scored_auc", data, y_score, given)
    return _scored_area(tally, unit_scores(tally, "scored_auc"))


def _scored_area(data: Tally, scores: Floats) -> float:
    """A difference of two neighboring scores adds to the margins of all pairs around it."""
    margins = (scores[:-1] - scores[1:]) * data.tp[:-1]
    return float(np.dot(margins, data.n_neg - data.fp[:-1])) / _number_of_pairs(data)


def _number_of_pairs(data: Tally) -> float:
    return float(data.n_pos) * float(data.n_neg)


@by_group
def probabilistic_auc(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> float:
    """Compute the probabilistic AUC, (1 + difference of the mean scores of the classes) / 2.

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`.
    y_score : array-like, optional
        Scores from 0 to 1.

    Returns
    -------
    float
        Probabilistic AUC.

    See Also
    --------
    scored_auc : Score-based AUC (sAUC).
    soft_auc : AUC with a logistic step (softAUC).
    auc : AUC with a confidence interval.

    Examples
    --------
    >>> import rocwise as rw
    >>> round(rw.probabilistic_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.6625
    """
    # (1.13)
    tally = as_tally("probabilistic_auc", data, y_score, given)
    scores = unit_scores(tally, "probabilistic_auc")
    positives = class_mean(scores, tally.pos, tally.n_pos)
    negatives = class_mean(scores, tally.neg, tally.n_neg)
    return (positives - negatives + 1) / 2


@by_group
def soft_auc(
    data: Any = None,
    y_score: Any = None,
    *,
    beta: float = 1.0,
    **given: Unpack[TallyOptions],
) -> float:
    """Compute the AUC with a logistic function in place of the step (softAUC).

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`.
    y_score : array-like, optional
        Scores from 0 to 1.
    beta : float, default 1
        Steepness of the logistic function [1]_; the limit for large values is the AUC.

    Returns
    -------
    float
        Soft AUC.

    See Also
    --------
    scored_auc : Score-based AUC (sAUC).
    probabilistic_auc : Probabilistic AUC (pAUC).
    auc : AUC with a confidence interval.

    References
    ----------
    .. [1] T. Calders and S. Jaroszewicz, "Efficient AUC optimization for classification", PKDD,
           2007. doi:10.1007/978-3-540-74976-9_8

    Examples
    --------
    >>> import rocwise as rw
    >>> round(rw.soft_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], beta=10), 4)
    0.8207
    """
    # (1.14)
    tally = as_tally("soft_auc", data, y_score, given)
    steepness = checks.positive(beta, "beta")
    scores = unit_scores(tally, "soft_auc")[::-1]
    pos, neg = (np.asarray(counts[::-1], dtype=np.float64) for counts in (tally.pos, tally.neg))
    of_pos, of_neg = pos > 0, neg > 0
    total = logistic_sum(scores[of_pos], pos[of_pos], scores[of_neg], neg[of_neg], steepness)
    return total / _number_of_pairs(tally)


@by_group
def brier(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> float:
    """Compute the Brier score, the mean squared difference of predicted probability and outcome.

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`.
    y_score : array-like, optional
        Predicted probabilities, from 0 to 1.

    Returns
    -------
    float
        Brier score [1]_; 0 is best.

    See Also
    --------
    calibration : Calibration curve, slope and intercept.
    multiclass.multiclass_brier : Brier score of several classes.

    References
    ----------
    .. [1] G. W. Brier, "Verification of forecasts expressed in terms of probability", Mon. Weather
           Rev. 78, 1950, 1-3.

    Examples
    --------
    >>> import rocwise as rw
    >>> round(rw.brier([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 6)
    0.158125
    """
    # (1.15)
    tally = as_tally("brier", data, y_score, given)
    loss = squared_errors(unit_scores(tally, "brier"), tally.pos, tally.neg)
    return float(loss / (tally.n_pos + tally.n_neg))


def squared_errors(scores: Floats, pos: Weights, neg: Weights) -> float:
    """The sum over all cases of the squared distance of their score from 1 or 0."""
    return float(np.dot(pos, (1 - scores) ** 2) + np.dot(neg, scores**2))


def logistic_sum(upper: Floats, times: Floats, lower: Floats, weight: Floats, beta: float) -> float:
    """The sum of times_i weight_j / (1 + exp(-beta (upper_i - lower_j))).

    `lower` rises. Few pairs are visited one by one. Of many, only those closer than 40 / beta
    are; if these too are many, both sets are gathered on Chebyshev nodes of cells that are at most
    1 / beta wide. The nearest pole of the step lies pi / beta off the real line, 2 pi half-widths
    of a cell, so that 16 nodes interpolate it to (2 pi + sqrt(4 pi**2 + 1))**-16 < 1e-17.
    """
    pairs = len(upper) * len(lower)
    near = pairs * min(1.0, 2 * FLAT / beta)
    cells = math.ceil(beta)
    work_of_cells = (2 * FLAT + 1) * cells * NODES**2
    if pairs <= FEW_PAIRS or cells > MOST_CELLS or near < work_of_cells:
        return _of_near_pairs(upper, times, lower, weight, beta)
    return _of_cells(upper, times, lower, weight, beta, cells)


def _of_near_pairs(
    upper: Floats, times: Floats, lower: Floats, weight: Floats, beta: float
) -> float:
    """Distant pairs count 0 or 1; the others are summed."""
    from scipy.special import expit

    below = sums_from_zero(weight)
    first = np.searchsorted(lower, upper - FLAT / beta)
    last = np.searchsorted(lower, upper + FLAT / beta, side="right")
    total = float(np.dot(times, below[first]))
    for k in range(len(upper)):
        near = slice(first[k], last[k])
        steps = expit(beta * (upper[k] - lower[near]))
        total += float(times[k] * np.dot(weight[near], steps))
    return total


def _of_cells(
    upper: Floats, times: Floats, lower: Floats, weight: Floats, beta: float, cells: int
) -> float:
    from scipy.special import expit

    nodes = np.cos((2 * np.arange(NODES) + 1) * np.pi / (2 * NODES))
    of_upper = _on_nodes(upper, times, cells, nodes)
    of_lower = _on_nodes(lower, weight, cells, nodes)
    offsets = (nodes[:, None] - nodes) / (2 * cells)  # of two nodes in one cell
    total = 0.0
    reach = min(cells - 1, math.ceil(FLAT * cells / beta) + 1)
    for gap in range(-reach, reach + 1):  # the cell of the upper number minus that of the lower
        steps = expit(beta * (gap / cells + offsets))
        highs = of_upper[max(gap, 0) : cells + min(gap, 0)]
        lows = of_lower[max(-gap, 0) : cells - max(gap, 0)]
        total += float(np.einsum("ij,ij->", highs @ steps, lows))
    below = sums_from_zero(of_lower.sum(axis=1))
    beyond = np.maximum(np.arange(cells) - reach, 0)  # cells so far below that the step is 1
    return total + float(np.dot(of_upper.sum(axis=1), below[beyond]))


def _on_nodes(values: Floats, weights: Floats, cells: int, nodes: Floats) -> Floats:
    """Weights distributed from values to the nodes of their cells, by Lagrange's polynomials."""
    cell = np.minimum((values * cells).astype(np.int64), cells - 1)
    place = 2 * (values * cells - cell) - 1
    barycentric = (-1.0) ** np.arange(NODES) * np.sqrt(1 - nodes**2)
    gathered = np.zeros((cells, NODES))
    gaps = place[:, None] - nodes
    hit = gaps == 0
    coefficients = np.where(hit.any(axis=1)[:, None], hit, barycentric / np.where(hit, 1.0, gaps))
    coefficients *= (weights / coefficients.sum(axis=1))[:, None]
    for node in range(NODES):
        gathered[:, node] = np.bincount(cell, coefficients[:, node], minlength=cells)
    return gathered
