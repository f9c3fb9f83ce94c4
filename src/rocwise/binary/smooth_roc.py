"""The smooth ROC curve (smROC), which lets the size of a score count and not only its rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.roc import curve_of, sums_from_zero, thresholds_of
from rocwise.binary.unit_scores import exact_total, refuse_ranks_only, unit_classes, unit_scores
from rocwise.data.amounts.smooth_steps import SmoothPlan, increments, midpoint_from_totals
from rocwise.data.tally import Tally
from rocwise.errors import InputError, MidOutOfRangeWarning, listed, shown, warn
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels.row_formulas import parts_of_rows
from rocwise.kernels.threads import run_parts
from rocwise.results import ASIDE, Origin, Result, json_safe, read_only, result

Midpoint = Literal["estimated", "calibrated", "class-means"]
MIDPOINTS: tuple[str, ...] = get_args(Midpoint)
Sums = tuple[float, tuple[float, float, float]]


@result
class SmoothRoc(Result):
    """A smooth ROC curve: one straight segment per distinct score, from (0, 0) to (1, 1).

    `scores[k]` gives the point `(x[k], y[k])`; the first one lies beyond every score.
    """

    auc: float
    midpoint: float
    alpha_v: float
    alpha_h: float
    n_pos: float
    n_neg: float
    data: Tally = field(metadata=ASIDE)
    rescaled: bool = False

    @cached_property
    def _curve(self) -> tuple[Floats, Floats]:
        """The points, made when first asked for: the area needs no table of scores."""
        x, y = self._sums()
        return read_only(_shares(x)), read_only(_shares(y))

    def _sums(self) -> tuple[Floats, Floats]:
        """How far right and up each distinct score leads; each bin, of rows beyond memory."""
        if self.data.steps is not None:
            return sums_from_zero(self.data.steps.right), sums_from_zero(self.data.steps.up)
        scores = unit_scores(self.data, "smooth_roc", rescale=self.rescaled)
        data, whole = self.data, not self.data.weighted  # whose differences have no rounding
        amounts = (data.tp, data.fp) if whole else (data.pos, data.neg)
        return kernels.smooth_points(scores, *amounts, self.midpoint, cumulated=whole)

    @cached_property
    def _named(self) -> Floats:
        scores = np.asarray(self.data.scores, np.float64)
        return read_only(thresholds_of(scores, self.data.direction))

    @property
    def x(self) -> Floats:
        """Horizontal coordinate, from 0 to 1."""
        return self._curve[0]

    @property
    def y(self) -> Floats:
        """Vertical coordinate, from 0 to 1."""
        return self._curve[1]

    @property
    def scores(self) -> Floats:
        """Distinct scores; the first lies beyond them all."""
        return self._named

    def _columns(self) -> dict[str, Any]:
        return {"x": self.x, "y": self.y, "scores": self.scores}

    def to_dict(self) -> dict[str, Any]:
        """The answer with its curve as plain JSON-safe values."""
        columns: dict[str, Any] = json_safe(self._columns())
        return super().to_dict() | columns

    def panels(self) -> dict[str, Result]:
        """The ROC curve of the same cases and this one, which `plot(beside=True)` draws."""
        return {"ROC": curve_of(self.data), "smROC": self}

    def __float__(self) -> float:
        return self.auc

    def _sentence(self) -> str:
        return (
            f"smooth ROC curve with {printing.count(len(self.x))} points, "
            f"smAUC {printing.rate(self.auc, self.n_pos + self.n_neg)} at midpoint "
            f"{self.midpoint:.4g}; {printing.classes(self.n_pos, self.n_neg)}"
        )


@by_group
def smooth_roc(
    data: Any = None,
    y_score: Any = None,
    *,
    midpoint: Midpoint | float = "estimated",
    rescale: bool = False,
    **given: Unpack[TallyOptions],
) -> SmoothRoc:
    """The smooth ROC curve and its area, the smAUC (1.2 to 1.10).

    Every case adds Theta to y and 1 - Theta to x, where Theta is its score if the score is on the
    right side of the midpoint, else 1 - score.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
        Scores from 0 to 1; a case with a weight adds so many times as much.
    midpoint : {"estimated", "calibrated", "class-means"} or float
        Where scores stop speaking for the negative class: half the sum of the scores divided by
        the number of positives; 0.5; halfway between the mean scores of the classes; or a number.
        A warning says when it leaves the range of the scores: then smAUC measures nothing.
    rescale : bool, default False
        Spread the scores from 0 to 1 by their smallest and largest first; a midpoint given as a
        number is then on the new scale.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

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
    rescale = checks.flag(rescale, "rescale")
    plan = SmoothPlan(checked_midpoint(midpoint), rescale)
    tally = as_tally("smooth_roc", data, y_score, given, plan)
    found = smooth_curve(tally, midpoint, rescale=rescale)
    warn_of_midpoint(found.midpoint)
    return found


def smooth_curve(tally: Tally, midpoint: str | float, *, rescale: bool) -> SmoothRoc:
    """The curve of a tally, without a warning about its midpoint."""
    middle, sums = _sums(tally, midpoint, rescale)
    alpha_v, alpha_h, area = sums
    refuse_degenerate(alpha_v, alpha_h)
    return SmoothRoc(
        auc=area / (alpha_v * alpha_h),
        midpoint=middle,
        alpha_v=alpha_v,
        alpha_h=alpha_h,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        data=tally,
        rescaled=rescale,
        origin=_origin(tally),
    )


def _shares(sums: Floats) -> Floats:
    """Sums as shares of the last of them, in their place."""
    total = float(sums[-1])

    def divide(start: int, stop: int) -> None:
        np.divide(sums[start:stop], total, out=sums[start:stop])

    run_parts(divide, parts_of_rows(len(sums)))
    return sums


def _origin(data: Tally) -> Origin:
    """Where the cases came from; the bound of a tally in bins is of other areas than this one."""
    if data.steps is None:
        return data.origin
    return replace(data.origin, error_bound=0.0, exact_area=False)


def _sums(data: Tally, midpoint: str | float, rescale: bool) -> Sums:
    """The midpoint, and how far the curve rises, runs and covers before scaling (1.10)."""
    middle = checked_midpoint(midpoint)
    if data.steps is not None and data.steps.answers(middle, rescale):
        return data.steps.midpoint, data.steps.sums
    refuse_ranks_only(data, "smooth_roc")
    return data.remembered(
        ("smooth sums", middle, bool(rescale)),
        lambda: _sums_of_rows(data, middle, rescale) or _sums_of_table(data, middle, rescale),
    )


def _sums_of_rows(data: Tally, midpoint: str | float, rescale: bool) -> Sums | None:
    """From the two sorted classes, where they are at hand: no table is needed."""
    units = unit_classes(data, rescale=rescale)
    if units is None:
        return None
    sizes = len(units[0]), len(units[1])
    middle = chosen_midpoint(midpoint, lambda: [exact_total(part) for part in units], sizes)
    classes = data.oriented_classes
    assert classes is not None
    return middle, kernels.smooth_sums(*classes, middle, None if classes is units else units)


def _sums_of_table(data: Tally, midpoint: str | float, rescale: bool) -> Sums:
    scores = unit_scores(data, "smooth_roc", rescale=rescale)
    middle = midpoint_of_table(scores, data.pos, data.neg, midpoint)
    dx, dy = increments(scores, data.pos, data.neg, middle)
    y = np.cumsum(dy)
    area = np.cumsum(dx * (y - dy / 2))[-1]
    return middle, (float(y[-1]), float(np.cumsum(dx)[-1]), float(area))


def midpoint_of_table(scores: Floats, pos: Array, neg: Array, midpoint: str | float) -> float:
    """The midpoint from a table of scores and counts."""
    sizes = Fraction(neg.sum().item()), Fraction(pos.sum().item())
    return chosen_midpoint(
        midpoint, lambda: [exact_total(scores, part) for part in (neg, pos)], sizes
    )


def chosen_midpoint(
    midpoint: str | float,
    totals: Callable[[], list[Fraction]],
    sizes: tuple[int | Fraction, int | Fraction],
) -> float:
    """The midpoint (1.2), rounded once; `totals` sums the scores of negatives and positives."""
    return midpoint_from_totals(checked_midpoint(midpoint), totals, sizes)


def checked_midpoint(midpoint: Any) -> str | float:
    """A name, or a finite number."""
    if isinstance(midpoint, str) and midpoint in MIDPOINTS:
        return midpoint
    try:
        return checks.real("" if isinstance(midpoint, (bool, np.bool_)) else midpoint, "midpoint")
    except InputError:
        raise InputError(
            f"`midpoint` must be a finite number, or one of {listed(MIDPOINTS)}; "
            f"got {shown(midpoint)}."
        ) from None


def warn_of_midpoint(midpoint: float) -> None:
    """Outside (0, 1] every case is on one side, and the curve tells nothing about quality."""
    if not 0 < midpoint <= 1:
        warn(
            f"the midpoint of the smooth ROC curve is {midpoint:.4g}, outside the range (0, 1] of "
            "the scores: all positives count as wrong and all negatives as right, or the other "
            "way round, so smAUC does not measure quality. The scores are far from calibrated; "
            "pass midpoint='calibrated' to use 0.5.",
            MidOutOfRangeWarning,
        )


def refuse_degenerate(alpha_v: float, alpha_h: float) -> None:
    """A curve that is a single vertical or horizontal line has no area."""
    if min(alpha_v, alpha_h) <= 0:
        raise InputError(
            "degenerate smROC: with this midpoint `y_score` makes every segment of the curve "
            "vertical or every segment horizontal, so there is no area; pass another `midpoint`."
        )
