"""Abstaining: for given costs, which scores to call negative, which positive, and which neither."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocwise import printing
from rocwise.arrays import Floats
from rocwise.binary.abstention.hull_vertices import HullVertices, hull_vertices
from rocwise.binary.abstention.mid_gap_thresholds import mid_gap_thresholds
from rocwise.binary.abstention.normalised_costs import (
    NormalisedCosts,
    normalised,
    share_of_positives,
)
from rocwise.binary.abstention.rules import (
    NEGATIVE,
    POSITIVE,
    UNDECIDED,
    condition,
    decision_rule,
    mid_gap_texts,
    new_scores,
)
from rocwise.binary.abstention.uncertainty import AbstentionUncertainty, resampled_window
from rocwise.costs import Costs
from rocwise.data.tally import Tally
from rocwise.inputs.coercion import TallyOptions, as_clustered_tally, by_group
from rocwise.progress import Report
from rocwise.results import ASIDE, Result, result


@result
class Window(Result):
    """No decision where `lower` < score < `upper`.

    Scores up to `lower` are negative and scores from `upper` on positive; the other way round
    where lower scores mean positive. Without abstention the two are equal.

    Attributes
    ----------
    lower, upper : float
        Thresholds in the middle of a gap between scores; infinite when nothing lies beyond.
        `lower_text` and `upper_text` are how they are written everywhere: in the fewest digits,
        at least four, that decide the same cases.
    expected_cost : float
        Per case, in the units of the costs.
    abstention_rate : float
        Share of all cases left undecided; `undecided_positives` and `undecided_negatives` are the
        shares of each class.
    cost_without_abstaining : float
        Per case, at the best single threshold.
    hull_fpr, hull_tpr : ndarray
        Vertices of the ROC convex hull.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        "lower",
        "upper",
        "expected_cost",
        "abstention_rate",
        "rule",
        "fpr",
        "fnr",
        "undecided_positives",
        "undecided_negatives",
        "cost_without_abstaining",
        "prevalence",
        "n_pos",
        "n_neg",
    )
    lower: float
    upper: float
    lower_text: str
    upper_text: str
    expected_cost: float
    abstention_rate: float
    rule: str
    fpr: float
    fnr: float
    undecided_positives: float
    undecided_negatives: float
    cost_without_abstaining: float
    prevalence: float
    costs: Costs
    n_pos: float
    n_neg: float
    hull_fpr: Floats
    hull_tpr: Floats
    data: Tally = field(metadata=ASIDE)

    @property
    def n_undecided(self) -> float:
        """How many of the cases given are left undecided."""
        shares = (self.undecided_positives, self.n_pos), (self.undecided_negatives, self.n_neg)
        number = sum(share * size for share, size in shares)
        return round(number) if abs(number - round(number)) < 1e-6 else number

    def single_thresholds(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """False and true positive rate of each threshold alone, the stricter one first.

        Between them there is no decision.
        """
        strict = self.fpr, 1 - self.fnr - self.undecided_positives
        mild = self.fpr + self.undecided_negatives, 1 - self.fnr
        return strict, mild

    def decide(self, y_score: ArrayLike) -> NDArray[np.int8]:
        """1 for positive, 0 for negative, -1 for no decision, of new scores.

        >>> import rocwise as rw
        >>> window = rw.abstain(
        ...     [0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6], costs=rw.Costs(fp=1, fn=1, abstain=0.1)
        ... )
        >>> window.decide([2, 3.5, 7]).tolist()
        [0, -1, 1]
        """
        return decided(y_score, self.lower, self.upper, self.origin.direction)


W = TypeVar("W", bound=Window)


@result
class AbstentionWindow(Window):
    """The window that costs least.

    `mu` is the normalised cost of a false alarm and `nu` the pair of those of abstaining on a
    positive and on a negative, in units of what a miss costs more than a hit.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (*Window.frame_fields, "mu")
    mu: float
    nu: tuple[float, float]

    @property
    def saving(self) -> float:
        """How much less a case costs than at the best single threshold."""
        return self.cost_without_abstaining - self.expected_cost

    def uncertainty(
        self,
        *,
        n_resamples: int = 2000,
        level: float = 0.95,
        rng: Any = None,
        progress: bool | Report | None = None,
    ) -> AbstentionUncertainty:
        """Bootstrap intervals of the window, and its cost on cases left out.

        Parameters
        ----------
        n_resamples, level, rng, progress
            As for `bootstrap`; the window is found anew in every resample.

        Returns
        -------
        AbstentionUncertainty
            With `window` and the intervals `lower`, `upper`, `expected_cost`, `abstention_rate`;
            `out_of_bag_cost` is the cost to expect on new cases.

        Examples
        --------
        >>> import rocwise as rw
        >>> y, score = [0, 0, 1, 0, 1, 0, 1, 1], [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]
        >>> window = rw.abstain(y, score, costs=rw.Costs(fp=1, fn=1, abstain=0.2))
        >>> answer = window.uncertainty(n_resamples=200, rng=1)
        >>> answer.lower.low <= window.lower <= answer.lower.high
        True
        >>> answer.out_of_bag_cost > window.expected_cost
        True
        """
        return resampled_window(
            self, n_resamples=n_resamples, level=level, rng=rng, progress=progress
        )

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        if self.abstention_rate == 0:
            words = "abstaining does not pay"
        else:
            words = (
                f"{printing.rate(self.abstention_rate, size)} of the cases undecided, "
                f"{self.cost_without_abstaining:.4g} without abstaining"
            )
        return (
            f"{self.rule}: {self.expected_cost:.4g} per case ({words}) at prevalence "
            f"{printing.rate(self.prevalence, size)}; {printing.classes(self.n_pos, self.n_neg)}"
        )


def decided(y_score: ArrayLike, lower: float, upper: float, direction: str) -> NDArray[np.int8]:
    """Decisions by a window: 1 positive, 0 negative, -1 neither; positive where both would be."""
    scores = new_scores(y_score)
    low = (scores <= lower) & (lower > -np.inf)  # beyond infinity lies nothing, not even infinity
    high = (scores >= upper) & (upper < np.inf)
    positive, negative = (high, low) if direction == "higher" else (low, high)
    answer = np.full(scores.shape, UNDECIDED, dtype=np.int8)
    answer[negative] = NEGATIVE
    answer[positive] = POSITIVE
    return answer


def best_window(hull: HullVertices, scaled: NormalisedCosts) -> tuple[int, int]:
    """The lower and upper vertex of the window that costs least, (5.9).

    Among equally cheap windows the one with the least abstention; without abstention the lowest
    threshold.
    """
    single = int(hull.first_best(scaled.mu))
    if not scaled.abstaining_may_pay:
        return single, single
    # (5.7): the least (1 - nu_pos) W+ - nu_neg W-; (5.8): the least nu_pos W+ - (mu - nu_neg) W-
    low = int(hull.last_best(scaled.nu_neg / (1 - scaled.nu_pos)))
    gain = scaled.mu - scaled.nu_neg
    high = int(hull.first_best(gain / scaled.nu_pos if scaled.nu_pos > 0 else np.inf))
    return (low, high) if low <= high else (single, single)  # crossed by rounding only


def window_cost(hull: HullVertices, low: int, high: int, scaled: NormalisedCosts) -> float:
    """The normalised cost of a window between two vertices, (5.4)."""
    missed, cleared = hull.missed, hull.cleared
    if low == high:  # abstaining may cost infinitely much
        return float(missed[low] + scaled.mu * (cleared[-1] - cleared[high]))
    undecided = scaled.nu_pos * (missed[high] - missed[low]) + scaled.nu_neg * (
        cleared[high] - cleared[low]
    )
    return float(missed[low] + scaled.mu * (cleared[-1] - cleared[high]) + undecided)


@by_group
def abstain(
    data: Any = None,
    y_score: Any = None,
    *,
    costs: Costs,
    prevalence: float | None = None,
    groups: Any = None,
    **given: Unpack[TallyOptions],
) -> AbstentionWindow:
    """The window of scores left undecided that has the least expected cost (5.9).

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`: the
        scored cases; scores on any scale.
    costs : Costs
        With `abstain`, a number or a pair (for positives, for negatives). Each error must
        cost more than the right decision.
    prevalence : float, optional
        The share of positives where the rule will be used; that of the data without it.
    groups : optional
        Cluster of each row, or the name of its column, for the `uncertainty` of the answer.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    AbstentionWindow
        With `lower`, `upper`, `expected_cost`, `abstention_rate`, and `decide(y_score)`. Among
        equally cheap windows it is the one with the least abstention.

    References
    ----------
    Friedel, Rückert and Kramer, "Cost curves for abstaining classifiers", ROCML 2006.

    Examples
    --------
    >>> import rocwise as rw
    >>> y, score = [0, 0, 1, 0, 1, 0, 1, 1], [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]
    >>> window = rw.abstain(y, score, costs=rw.Costs(fp=0.5, fn=1, abstain=0.2))
    >>> window.lower, window.upper, round(window.expected_cost, 4), window.abstention_rate
    (-0.5, 0.0, 0.1125, 0.25)
    """
    tally = as_clustered_tally("abstain", data, y_score, groups, given)
    scaled = normalised(costs, "abstain")
    share = share_of_positives(tally, prevalence)
    hull = hull_vertices(tally, share)
    low, high = best_window(hull, scaled)
    single = int(hull.first_best(scaled.mu))
    cost = window_cost(hull, low, high, scaled)
    alone = max(window_cost(hull, single, single, scaled), cost)
    return window_result(
        tally,
        AbstentionWindow,
        alarms=(int(hull.alarms[low]), int(hull.alarms[high])),
        hull_fpr=hull.rates[0],
        hull_tpr=hull.rates[1],
        expected_cost=scaled.in_units(cost, share),
        cost_without_abstaining=scaled.in_units(alone, share),
        mu=scaled.mu,
        nu=(scaled.nu_pos, scaled.nu_neg),
        prevalence=share,
        costs=costs,
    )


def window_result(
    data: Tally, kind: type[W], *, alarms: tuple[int, int], prevalence: float, **fields: Any
) -> W:
    """The window whose negative and positive side lie below so many distinct scores."""
    places = np.array(alarms)
    thresholds = mid_gap_thresholds(data, places, "abstain")
    low, high = float(thresholds[1][0]), float(thresholds[0][1])
    tp, fp = (
        np.where(places > 0, sums[places - 1], 0).astype(float) for sums in (data.tp, data.fp)
    )
    undecided = (tp[0] - tp[1]) / data.n_pos, (fp[0] - fp[1]) / data.n_neg
    positive, negative = mid_gap_texts(data, alarms[::-1], (high, low))
    rule = decision_rule(
        condition(data.origin, POSITIVE, positive),
        condition(data.origin, NEGATIVE, negative),
        every=alarms[0] == alarms[1],
    )
    texts = negative or f"{low:g}", positive or f"{high:g}"
    lower_text, upper_text = texts if data.direction == "higher" else texts[::-1]
    return kind(
        lower=min(low, high),
        upper=max(low, high),
        lower_text=lower_text,
        upper_text=upper_text,
        abstention_rate=float(prevalence * undecided[0] + (1 - prevalence) * undecided[1]),
        rule=rule,
        fpr=float(fp[1] / data.n_neg),
        fnr=float((data.n_pos - tp[0]) / data.n_pos),
        undecided_positives=float(undecided[0]),
        undecided_negatives=float(undecided[1]),
        prevalence=prevalence,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        data=data,
        origin=data.origin,
        **fields,
    )
