"""Net reclassification and integrated discrimination of two models: what they are, with errors.

Both reward a new model for being badly calibrated and can improve by noise alone; the page on
decision curves explains why the difference in net benefit is preferred.
"""

import math
from typing import Any, ClassVar, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.unit_scores import unit_scores
from rocwise.data.pairs import Pairs
from rocwise.errors import InputError
from rocwise.inference.intervals import normal_quantile
from rocwise.inputs.coercion import PairOptions, as_pairs, options_shown
from rocwise.results import Interval, Result, result


@options_shown(PairOptions)
def reclassification(
    data: Any = None,
    scores: Any = None,
    *,
    cuts: Any = None,
    level: float = 0.95,
    **given: Unpack[PairOptions],
) -> "Reclassification":
    """Compute net reclassification (NRI) and integrated discrimination improvement (IDI).

    Parameters
    ----------
    data : array-like, Pairs, DataFrame or path
        Labels, with `scores`; or `Pairs`; or a data frame or the path of a file, with `label` and
        `scores`.
    scores : dict of str to array-like, 2-D array or list of str, optional
        Predicted probabilities of two models, the old one first.
    cuts : float or sequence of float, optional
        Limits of the risk categories; without them the category-free NRI.
    level : float, default 0.95
        Confidence level of the Wald intervals [1]_.

    Returns
    -------
    Reclassification
        Result with `nri`, `nri_positives`, `nri_negatives`, `idi`, their intervals and p values.

    See Also
    --------
    compare : Test and interval for the difference of AUCs.
    calibration : Calibration curve, slope and intercept.
    decision_curve : Decision curve (net benefit).

    References
    ----------
    .. [1] M. J. Pencina, R. B. D'Agostino and R. S. Vasan, "Evaluating the added predictive
           ability of a new marker", Stat. Med. 27, 2008. doi:10.1002/sim.2929

    Examples
    --------
    >>> from rocwise.binary import reclassification
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> old, new = [0.2, 0.4, 0.5, 0.4, 0.6, 0.7], [0.1, 0.5, 0.3, 0.6, 0.7, 0.8]
    >>> result = reclassification(y, {"old": old, "new": new}, cuts=0.5)
    >>> round(result.nri, 4), round(result.idi, 4)
    (0.3333, 0.2)
    """
    pairs = as_pairs("reclassification", data, scores, given)
    first = pairs.tally(pairs.names[0])  # has the sums of weights, if any
    level = checks.level(level)
    old, new = _probabilities(pairs)
    given_cuts: Any = [] if cuts is None else np.atleast_1d(np.asarray(cuts, object))
    limits = tuple(sorted(checks.fraction(cut, "cuts") for cut in given_cuts))
    before, after = (np.searchsorted(limits, p, side="right") if limits else p for p in (old, new))
    moves = np.sign(np.asarray(after, np.float64) - before)
    up, down, nri_error = _class_means(pairs, moves)
    gain, loss, idi_error = _class_means(pairs, new - old)
    nri, idi = up - down, gain - loss
    z = normal_quantile(level)
    return Reclassification(
        first=pairs.names[0],
        second=pairs.names[1],
        cuts=limits,
        nri=nri,
        nri_error=nri_error,
        nri_interval=Interval(nri - z * nri_error, nri + z * nri_error, level, "Wald"),
        nri_positives=up,
        nri_negatives=0.0 - down,
        idi=idi,
        idi_error=idi_error,
        idi_interval=Interval(idi - z * idi_error, idi + z * idi_error, level, "Wald"),
        n_pos=first.n_pos,
        n_neg=first.n_neg,
        origin=pairs.origin,
    )


@result
class Reclassification(Result):
    """NRI and IDI of the second model against the first.

    `nri_positives` is the proportion of positives that move up minus the proportion that move
    down, `nri_negatives` the reverse among negatives, `nri` their sum, from -2 to 2. `idi` is the
    gain in mean predicted probability among positives minus that among negatives. Standard errors
    are those of independent classes (Pencina 2008, with the variance of a difference of paired
    proportions).
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        *("first", "second", "nri", "nri_error", "nri_positives", "nri_negatives"),
        *("idi", "idi_error"),
    )
    first: str
    second: str
    cuts: tuple[float, ...]
    nri: float
    nri_error: float
    nri_interval: Interval
    nri_positives: float
    nri_negatives: float
    idi: float
    idi_error: float
    idi_interval: Interval
    n_pos: float
    n_neg: float

    def _sentence(self) -> str:
        kind = f"at {', '.join(f'{c:g}' for c in self.cuts)}" if self.cuts else "without categories"
        level = printing.percent(self.nri_interval.level)
        low, high = self.idi_interval
        return (
            f"{self.second} against {self.first}: NRI {self.nri:.3f} ({level} CI "
            f"{self.nri_interval.low:.3f} to {self.nri_interval.high:.3f}) {kind}; IDI "
            f"{self.idi:.3f} ({low:.3f} to {high:.3f}); a better "
            "calibrated model may score worse: see the difference in net benefit"
        )


def _probabilities(pairs: Pairs) -> tuple[Floats, Floats]:
    if len(pairs.names) != 2:
        raise InputError(f"`reclassification` compares two models; got {len(pairs.names)}.")
    if min(pairs.n_pos, pairs.n_neg) < 2:
        raise InputError("`reclassification` needs at least two cases in each class.")
    if pairs.groups is not None and pairs.origin.n_clusters == 1:
        raise InputError("`groups` has one cluster; at least two are needed.")
    for name in pairs.names:
        unit_scores(pairs.tally(name), "reclassification")  # raises for what is no probability
    old, new = (np.asarray(pairs.scores(name), np.float64) for name in pairs.names)
    return (old, new) if pairs.origin.direction == "higher" else (1 + old, 1 + new)


def _class_means(pairs: Pairs, values: Floats) -> tuple[float, float, float]:
    """Means of both classes, and the standard error of their difference, with n as published."""
    weights = np.ones(len(pairs)) if pairs.weights is None else pairs.weights
    moved, means = np.zeros(len(pairs)), []
    for label, sign in ((1, 1.0), (0, -1.0)):
        own = pairs.mask == label
        normalized = weights[own] / weights[own].sum()
        means.append(float(np.dot(normalized, values[own])))
        moved[own] = sign * normalized * (values[own] - means[-1])
    variance = np.dot(moved, moved)
    if pairs.groups is not None:
        clusters = np.bincount(pairs.groups, weights=moved)
        variance = np.dot(clusters, clusters) * len(clusters) / (len(clusters) - 1)
    return means[0], means[1], math.sqrt(variance)
