"""The smooth ROC curve (smROC), which lets the size of a score count and not only its rank."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, kernels, printing
from rocwise.binary.magnitudes import class_mean, refuse_without_magnitudes, unit_scores
from rocwise.errors import InputError, MidOutOfRangeWarning
from rocwise.results import Result, json_safe, read_only
from rocwise.tallies import Tally

Floats = NDArray[np.float64]
MIDPOINTS = ("estimated", "calibrated", "class-means")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SmoothRoc(Result):
    """A smooth ROC curve: one straight move per distinct score, from (0, 0) to (1, 1).

    `scores[k]` gives the point `(x[k], y[k])`; the first one lies beyond every score.
    """

    auc: float
    midpoint: float
    alpha_v: float
    alpha_h: float
    n_pos: float
    n_neg: float
    data: Tally
    rescaled: bool = False

    @cached_property
    def _curve(self) -> tuple[Floats, Floats, Floats]:
        """The points, made when first asked for: the area needs no table of scores."""
        scores = unit_scores(self.data, "smooth_roc", rescale=self.rescaled)
        up, right = moves(scores, self.data.pos, self.data.neg, self.midpoint)
        risen = np.concatenate([[0.0], np.cumsum(up)])
        gone = np.concatenate([[0.0], np.cumsum(right)])
        beyond = np.inf if self.data.direction == "higher" else -np.inf
        named = np.concatenate([[beyond], np.asarray(self.data.scores, dtype=np.float64)])
        x, y, named = (read_only(part) for part in (gone / gone[-1], risen / risen[-1], named))
        return x, y, named

    @property
    def x(self) -> Floats:
        """Share of the way to the right."""
        return self._curve[0]

    @property
    def y(self) -> Floats:
        """Share of the way up."""
        return self._curve[1]

    @property
    def scores(self) -> Floats:
        """Distinct scores; the first lies beyond them all."""
        return self._curve[2]

    def _columns(self) -> dict[str, Any]:
        return {"x": self.x, "y": self.y, "scores": self.scores}

    def to_dict(self) -> dict[str, Any]:
        """The answer with its curve as plain JSON-safe values."""
        values = super().to_dict()
        del values["data"]
        columns: dict[str, Any] = json_safe(self._columns())
        return values | columns

    def __float__(self) -> float:
        return self.auc

    def _sentence(self) -> str:
        return (
            f"smooth ROC curve with {printing.count(len(self.x))} points, "
            f"smAUC {printing.rate(self.auc, self.n_pos + self.n_neg)} at midpoint "
            f"{self.midpoint:.4g}; {printing.classes(self.n_pos, self.n_neg)}"
        )


def smooth_roc(
    data: Tally, *, midpoint: str | float = "estimated", rescale: bool = False
) -> SmoothRoc:
    """The smooth ROC curve and its area, the smAUC (1.2 to 1.10).

    Every case moves the curve up by Theta and to the right by 1 - Theta, where Theta is its score
    if the score is on the right side of the midpoint, else 1 - score.

    Parameters
    ----------
    data : Tally, or y_true and y_score
        The scored cases; scores from 0 to 1, without weights.
    midpoint : {"estimated", "calibrated", "class-means"} or float
        Where scores stop speaking for the negative class: half the sum of the scores divided by
        the number of positives; 0.5; halfway between the mean scores of the classes; or a number.
        A warning says when it leaves the range of the scores: then smAUC measures nothing.
    rescale : bool, default False
        Spread the scores from 0 to 1 by their smallest and largest first; a midpoint given as a
        number is then on the new scale.

    Returns
    -------
    SmoothRoc
        With `x`, `y`, `scores`, `auc`, `midpoint`, `alpha_v`, `alpha_h`.

    References
    ----------
    Klement, Flach, Japkowicz and Matwin, "Smooth receiver operating characteristics (smROC)
    curves", ECML PKDD 2011; the tie rule and the direction of Psi are corrected.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.smooth_roc([1, 1, 0, 1, 0, 0], [0.9, 0.7, 0.6, 0.4, 0.3, 0.1])
    smooth ROC curve with 7 points, smAUC 0.78 at midpoint 0.5; 3 positives, 3 negatives
    """
    middle, sums = _sums(data, midpoint, rescale)
    warn_of_midpoint(middle)
    alpha_v, alpha_h, area = sums
    refuse_degenerate(alpha_v, alpha_h)
    return SmoothRoc(
        auc=area / (alpha_v * alpha_h),
        midpoint=middle,
        alpha_v=alpha_v,
        alpha_h=alpha_h,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        data=data,
        rescaled=rescale,
        origin=data.origin,
    )


def _sums(
    data: Tally, midpoint: str | float, rescale: bool
) -> tuple[float, tuple[float, float, float]]:
    """The midpoint, and how far the curve rises, runs and covers before scaling (1.10)."""
    classes = data.rising_classes
    if classes is not None and midpoint == "estimated" and not rescale and _in_unit(*classes):
        refuse_without_magnitudes(data, "smooth_roc")
        middle = _exact_midpoint(*classes)
        return middle, kernels.smooth_sums(*classes, middle)
    scores = unit_scores(data, "smooth_roc", rescale=rescale)
    middle = chosen_midpoint(data, scores, midpoint)
    up, right = moves(scores, data.pos, data.neg, middle)
    risen = np.cumsum(up)
    area = np.cumsum(right * (risen - up / 2))[-1]
    return middle, (float(risen[-1]), float(np.cumsum(right)[-1]), float(area))


def _in_unit(neg: NDArray[Any], pos: NDArray[Any]) -> bool:
    """Whether ascending scores lie from 0 to 1."""
    return bool(min(neg[0], pos[0]) >= 0 and max(neg[-1], pos[-1]) <= 1)


def _exact_midpoint(neg: NDArray[Any], pos: NDArray[Any]) -> float:
    """Half the sum of all scores over the number of positives, rounded once."""
    total = Fraction(*kernels.exact_sum(np.asarray(neg, dtype=np.float64)))
    total += Fraction(*kernels.exact_sum(np.asarray(pos, dtype=np.float64)))
    return float(total / (2 * len(pos)))


def chosen_midpoint(data: Tally, scores: Floats, midpoint: str | float) -> float:
    """The midpoint of the data (1.2), rounded correctly."""
    if not isinstance(midpoint, str):
        return checks.real(midpoint, "midpoint")
    checks.one_of(midpoint, "midpoint", MIDPOINTS)
    if midpoint == "calibrated":
        return 0.5
    if midpoint == "estimated":
        numerator, denominator = kernels.exact_sum(scores, data.pos + data.neg)
        return numerator / (2 * int(data.n_pos) * denominator)
    means = (class_mean(scores, data.pos, data.n_pos), class_mean(scores, data.neg, data.n_neg))
    return (means[0] + means[1]) / 2


def warn_of_midpoint(midpoint: float) -> None:
    """Outside (0, 1] every case is on one side, and the curve tells nothing about quality."""
    if not 0 < midpoint <= 1:
        warnings.warn(
            f"the midpoint of the smooth ROC curve is {midpoint:.4g}, outside the range (0, 1] of "
            "the scores: all positives count as wrong and all negatives as right, or the other "
            "way round, so smAUC does not measure quality. The scores are far from calibrated; "
            "pass midpoint='calibrated' to use 0.5.",
            MidOutOfRangeWarning,
            stacklevel=4,
        )


def theta(scores: Floats, midpoint: float | Floats) -> tuple[Floats, Floats]:
    """Theta of a positive and of a negative at each score (1.3, 1.4)."""
    high = scores >= midpoint
    other = 1.0 - scores
    return np.where(high, scores, other), np.where(high, other, scores)


def moves(
    scores: Floats, pos: NDArray[Any], neg: NDArray[Any], midpoint: float | Floats
) -> tuple[Floats, Floats]:
    """How far each tie group moves the curve up and to the right, before scaling (1.7)."""
    of_positives, of_negatives = theta(scores, midpoint)
    up = pos * of_positives + neg * of_negatives
    right = pos * of_negatives + neg * of_positives  # 1 - Theta of one class is that of the other
    return up, right


def refuse_degenerate(alpha_v: float, alpha_h: float) -> None:
    """A curve that never rises, or never moves right, has no shape."""
    if min(alpha_v, alpha_h) <= 0:
        raise InputError(
            "degenerate smROC: with this midpoint `y_score` makes every move of the curve "
            "vertical or every move horizontal, so there is no area; pass another `midpoint`."
        )
