"""The smooth ROC curve (smROC), which uses the values of the scores and not only their ranks."""

import math
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.influence import Influence
from rocwise.binary.roc import curve_of, sums_from_zero, thresholds_of
from rocwise.binary.unit_scores import check_score_values, unit_scores
from rocwise.data import smooth_steps
from rocwise.data.tally import Tally
from rocwise.errors import InputError, MidOutOfRangeWarning, listed, shown, warn
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import ASIDE, Number, Result, json_safe, read_only, result

Midpoint = Literal["estimated", "calibrated", "class-means"]
MIDPOINTS: tuple[str, ...] = get_args(Midpoint)
REACH = 2.0  # standard errors of the midpoint: scores that far away it may pass
MANY_SCORES = 20  # distinct ones within reach of the midpoint: it moves as if smoothly
USUAL_MIDPOINTS = 0.1, 0.9  # beyond them densities may change within its reach


@by_group
def smooth_roc(
    data: Any = None,
    y_score: Any = None,
    *,
    midpoint: Midpoint | float = "estimated",
    rescale: bool = False,
    **given: Unpack[TallyOptions],
) -> "SmoothRoc":
    """Compute the smooth ROC curve (smROC) and its area, the smAUC.

    Each case adds Theta to y and 1 - Theta to x, where Theta is its score if the score is on the
    correct side of the midpoint, else 1 - score [1]_.

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`.
    y_score : array-like, optional
        Scores from 0 to 1.
    midpoint : float or str, default "estimated"
        Score from which cases are classified as positive: a number, or one of {"estimated",
        "calibrated", "class-means"}: half the sum of the scores divided by the number of positives,
        0.5, or the middle of the mean scores of the classes. Outside the range of the scores there
        is a warning, as smAUC is then meaningless.
    rescale : bool, default False
        Whether to map the smallest and the largest score to 0 and 1 first; a numeric midpoint is
        then on the new scale.

    Returns
    -------
    SmoothRoc
        Result with `x`, `y`, `scores`, `auc`, `midpoint`, `alpha_v` and `alpha_h`.

    See Also
    --------
    roc : Empirical ROC curve.
    scored_auc : Score-based AUC (sAUC).
    binormal : Maximum likelihood fit of the binormal ROC curve.
    statistics.SmoothArea : Area under the smooth ROC curve.

    Notes
    -----
    The rule for ties and the direction of Psi of the paper are corrected.

    References
    ----------
    .. [1] W. Klement, P. A. Flach, N. Japkowicz and S. Matwin, "Smooth receiver operating
           characteristics (smROC) curves", ECML PKDD, 2011. doi:10.1007/978-3-642-23783-6_13

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.smooth_roc([1, 1, 0, 1, 0, 0], [0.9, 0.7, 0.6, 0.4, 0.3, 0.1])
    >>> curve
    smooth ROC curve with 7 points, smAUC 0.78 at midpoint 0.5; 3 positives, 3 negatives
    >>> ax = curve.plot()
    """
    rescale = checks.flag(rescale, "rescale")
    plan = smooth_steps.SmoothPlan(checked_midpoint(midpoint), rescale)
    tally = as_tally("smooth_roc", data, y_score, given, plan)
    found = smooth_curve(tally, midpoint, rescale=rescale)
    warn_of_midpoint(tally, found.midpoint, rescale=rescale)
    return found


@result
class SmoothRoc(Number, Result):
    """Smooth ROC curve: one straight segment per distinct score, from (0, 0) to (1, 1).

    `scores[k]` gives the point `(x[k], y[k])`; the first one lies beyond every score.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("x", "y", "scores")
    auc: float
    midpoint: float
    alpha_v: float
    alpha_h: float
    n_pos: float
    n_neg: float
    data: Tally = field(metadata=ASIDE)
    rescaled: bool = False

    @cached_property
    def _points(self) -> tuple[Floats, Floats]:
        """Both coordinates of each distinct score; of each bin, of rows beyond memory."""
        data, steps = self.data, self.data.steps
        if steps is not None:
            right, up = steps.right, steps.up
        else:
            scores = unit_scores(data, "smooth_roc", rescale=self.rescaled)
            right, up = smooth_steps.increments(scores, data.pos, data.neg, self.midpoint)
        x, y = sums_from_zero(right), sums_from_zero(up)
        return read_only(x / x[-1]), read_only(y / y[-1])

    @property
    def x(self) -> Floats:
        """Horizontal coordinate, from 0 to 1."""
        return self._points[0]

    @property
    def y(self) -> Floats:
        """Vertical coordinate, from 0 to 1."""
        return self._points[1]

    @cached_property
    def scores(self) -> Floats:
        """Distinct scores; the first lies beyond them all."""
        scores = np.asarray(self.data.scores, np.float64)
        return read_only(thresholds_of(scores, self.data.direction))

    def to_dict(self) -> dict[str, Any]:
        """The result with its curve as plain JSON-safe values."""
        columns: dict[str, Any] = json_safe(self._columns())
        return super().to_dict() | columns

    def panels(self) -> dict[str, Result]:
        """The ROC curve of the same cases and this one, which `plot(subplots=True)` draws."""
        return {"ROC": curve_of(self.data), "smROC": self}

    def __float__(self) -> float:
        return self.auc

    def _sentence(self) -> str:
        return (
            f"smooth ROC curve with {printing.count(len(self.x))} points, "
            f"smAUC {printing.rate(self.auc, self.n_pos + self.n_neg)} at midpoint "
            f"{self.midpoint:.4g}; {printing.classes(self.n_pos, self.n_neg)}"
        )


def smooth_curve(tally: Tally, midpoint: str | float, *, rescale: bool) -> SmoothRoc:
    """The curve of a tally, without a warning about its midpoint."""
    # (1.2 to 1.10)
    middle, (alpha_v, alpha_h, area) = _sums(tally, midpoint, rescale)
    check_not_degenerate(alpha_v, alpha_h)
    origin = tally.origin
    if tally.steps is not None:  # the error bound of a binned tally is for other areas than this
        origin = replace(origin, error_bound=0.0, exact_area=False)
    return SmoothRoc(
        auc=area / (alpha_v * alpha_h),
        midpoint=middle,
        alpha_v=alpha_v,
        alpha_h=alpha_h,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        data=tally,
        rescaled=rescale,
        origin=origin,
    )


def _sums(
    data: Tally, midpoint: str | float, rescale: bool
) -> tuple[float, tuple[float, float, float]]:
    """The midpoint; rise, run and area of the curve before scaling (1.10)."""
    checked = checked_midpoint(midpoint)
    if data.steps is not None and data.steps.matches(checked, rescale):
        return data.steps.midpoint, data.steps.sums
    check_score_values(data, "smooth_roc")
    scores = unit_scores(data, "smooth_roc", rescale=rescale)
    middle = midpoint_of_table(scores, data.pos, data.neg, checked)
    dx, dy = smooth_steps.increments(scores, data.pos, data.neg, middle)
    area = float(np.sum(dx * (np.cumsum(dy) - dy / 2)))
    return middle, (float(np.sum(dy)), float(np.sum(dx)), area)


def midpoint_of_table(scores: Floats, pos: Array, neg: Array, midpoint: str | float) -> float:
    """The midpoint (1.2) from a table of scores and counts, rounded once."""
    sizes = Fraction(neg.sum().item()), Fraction(pos.sum().item())
    return smooth_steps.midpoint_from_totals(
        checked_midpoint(midpoint),
        lambda: [smooth_steps.exact_total(scores, part) for part in (neg, pos)],
        sizes,
    )


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


def warn_of_midpoint(data: Tally, midpoint: float, *, rescale: bool) -> None:
    """Beyond the scores every case is on one side, so the curve does not measure quality."""
    ends = np.asarray(data.scores, dtype=np.float64)[[0, -1]]
    span = (float(ends.min()), float(ends.max()))
    high, low = smooth_steps.in_units(ends, span if rescale else None, data.direction).tolist()
    if not (low < midpoint <= high or low == midpoint == high):
        warn(
            f"the midpoint of the smooth ROC curve is {midpoint:.4g}, outside the range "
            f"({low:.4g}, {high:.4g}] of the scores: all positives count as wrong and all "
            "negatives as right, or the other way round, so smAUC does not measure quality. "
            "Pass midpoint='calibrated' to use 0.5, or calibrate the scores.",
            MidOutOfRangeWarning,
        )


def check_not_degenerate(alpha_v: float, alpha_h: float) -> None:
    """A curve that is a single vertical or horizontal line has no area."""
    if min(alpha_v, alpha_h) <= 0:
        raise InputError(
            "degenerate smROC: with this midpoint `y_score` makes every segment of the curve "
            "vertical or every segment horizontal, so there is no area; pass another `midpoint`."
        )


def smooth_area_influence(data: Tally, midpoint: str | float, *, rescale: bool) -> Influence:
    """The smAUC and the influence of a positive and a negative at each score (1.17)."""
    scores = unit_scores(data, "the smAUC", rescale=rescale)
    curve = smooth_curve(data, midpoint, rescale=rescale)
    warn_of_midpoint(data, curve.midpoint, rescale=rescale)
    V, H = curve.alpha_v, curve.alpha_h
    of_pos, of_neg = smooth_steps.theta(scores, curve.midpoint)
    right, up = smooth_steps.increments(scores, data.pos, data.neg, curve.midpoint)
    side = (np.cumsum(up) - up / 2) / (V * H) - curve.auc / H
    rise = (H - np.cumsum(right) + right / 2) / (V * H) - curve.auc / V
    factors = _midpoint_factors(data, midpoint)
    rate = _rate_of_midpoint(data, scores, curve, _reach_of_midpoint(data, scores, factors))
    phi = []
    classes = (of_pos, of_neg, data.pos, data.n_pos), (of_neg, of_pos, data.neg, data.n_neg)
    for (u, r, counts, size), factor in zip(classes, factors, strict=True):
        own = size * (u * rise + r * side + (rate * factor) * scores)
        phi.append(own - float(np.dot(counts, own)) / size)
    return Influence(curve.auc, phi[0], phi[1])


def midpoint_is_regular(data: Tally, midpoint: str | float, *, rescale: bool) -> bool:
    """Whether resamples move the midpoint past many distinct scores, or not at all."""
    curve = smooth_curve(data, midpoint, rescale=rescale)
    scores = unit_scores(data, "the smAUC", rescale=rescale)
    factors = _midpoint_factors(data, midpoint)
    reach = _reach_of_midpoint(data, scores, factors)
    near = _between(scores, curve.midpoint - reach, curve.midpoint + reach)
    usual = USUAL_MIDPOINTS[0] <= curve.midpoint <= USUAL_MIDPOINTS[1]
    return not factors[0] or (usual and near.stop - near.start >= MANY_SCORES)


def _midpoint_factors(data: Tally, midpoint: str | float) -> tuple[float, float]:
    """What a score of a positive and of a negative adds to the midpoint (1.2)."""
    if midpoint not in ("estimated", "class-means"):
        return 0.0, 0.0
    return 0.5 / data.n_pos, 0.5 / (data.n_pos if midpoint == "estimated" else data.n_neg)


def _reach_of_midpoint(data: Tally, scores: Floats, factors: tuple[float, float]) -> float:
    """How far the midpoint may move; 0 for one that was given."""
    known = factors, (data.pos, data.neg), (data.n_pos, data.n_neg)
    variance = 0.0
    for factor, counts, size in zip(*known, strict=True):
        squares = float(np.dot(counts, scores * scores))
        variance += factor**2 * (squares - float(np.dot(counts, scores)) ** 2 / size)
    return REACH * math.sqrt(max(variance, 0.0))


def _rate_of_midpoint(data: Tally, scores: Floats, curve: SmoothRoc, reach: float) -> float:
    """Change of the smAUC with the midpoint (1.18); rows within its reach are counted."""
    low, high = max(curve.midpoint - reach, 0.0), min(curve.midpoint + reach, 1.0)
    if low >= high:
        return 0.0
    near = _between(scores, low, high)
    excess = (data.pos[near] - data.neg[near]).astype(np.float64)
    passed = float(np.dot(excess, 1.0 - 2.0 * scores[near])) / (high - low)
    steps = data.pos * scores + data.neg * (1.0 - scores)
    place = _between(scores, curve.midpoint, np.inf).stop
    above, after = float(steps[:place].sum()), float(steps[place:].sum())
    V, H = curve.alpha_v, curve.alpha_h
    return passed * ((after - above) / (V * H) + curve.auc * (1 / H - 1 / V))


def _between(scores: Floats, low: float, high: float) -> slice:
    """Where the scores from `low` to `high` are, which descend."""
    first = int(np.searchsorted(-scores, -high, side="left"))
    return slice(first, int(np.searchsorted(-scores, -low, side="right")))
