"""Abstaining: for given costs, which scores to call negative, which positive, and which neither."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.abstention.corners import TIED, WindowCorners, middles, window_corners
from rocwise.binary.abstention.rules import (
    NEGATIVE,
    POSITIVE,
    UNDECIDED,
    condition,
    decision_rule,
    middle_texts,
    new_scores,
)
from rocwise.costs import Costs, refuse_free_errors
from rocwise.errors import InputError
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.primitives.tallies import Tally, refuse_weights
from rocwise.results import Result, result


@result
class Window(Result):
    """No decision where `lower` < score < `upper`.

    Scores up to `lower` are negative and scores from `upper` on positive; the other way round
    where lower scores mean positive. Without abstention the two are equal.

    Attributes
    ----------
    lower, upper : float
        Thresholds in the middle of a gap between scores; infinite when nothing lies beyond.
    expected_cost : float
        Per case, in the units of the costs.
    abstention_rate : float
        Share of all cases left undecided; `undecided_positives` and `undecided_negatives` are the
        shares of each class.
    cost_without_abstaining : float
        Per case, at the best single threshold.
    hull_fpr, hull_tpr : ndarray
        Corners of the ROC convex hull.
    """

    lower: float
    upper: float
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

    def _columns(self) -> Mapping[str, Any]:
        named = {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}
        return {k: [v] for k, v in named.items() if isinstance(v, (int, float, str))}

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

    mu: float
    nu: tuple[float, float]

    @property
    def saving(self) -> float:
        """How much less a case costs than at the best single threshold."""
        return self.cost_without_abstaining - self.expected_cost

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


@dataclass(frozen=True, slots=True)
class NormalisedCosts:
    """Costs in units of what a miss adds to a hit, (5.2)."""

    mu: float
    nu_pos: float
    nu_neg: float
    unit: float
    base_pos: float
    base_neg: float

    @property
    def abstaining_may_pay(self) -> bool:
        """Lemma 1 of Friedel et al., for unequal costs: only if nu_pos + nu_neg / mu < 1, (5.5)."""
        return self.nu_pos * self.mu + self.nu_neg < self.mu * (1 - TIED)

    def in_units(self, cost: float, prevalence: float) -> float:
        """The expected cost per case, (5.3)."""
        base = prevalence * self.base_pos + (1 - prevalence) * self.base_neg
        return float(self.unit * cost + base)


def normalised(costs: Any, question: str) -> NormalisedCosts:
    """Check the costs and normalise them, (5.2)."""
    if not isinstance(costs, Costs):
        raise InputError(
            f"`costs` must be a Costs object, e.g. Costs(fp=1, fn=5, abstain=0.2); got {costs!r}."
        )
    if costs.abstain is None:
        raise InputError(
            f"`{question}` needs the cost of not deciding: `costs.abstain`, "
            "e.g. Costs(fp=1, fn=5, abstain=0.2)."
        )
    of_pos, of_neg = (
        costs.abstain if isinstance(costs.abstain, tuple) else (costs.abstain, costs.abstain)
    )
    refuse_free_errors(costs, question)
    for cost, right, case, name in (
        (of_pos, costs.tp, "positive", "tp"),
        (of_neg, costs.tn, "negative", "tn"),
    ):
        if cost < right:
            raise InputError(
                f"`costs.abstain` must not be below the cost of a right decision: abstaining on a "
                f"{case} costs {cost:g}, but {name}={right:g}."
            )
    unit = costs.fn - costs.tp
    return NormalisedCosts(
        mu=(costs.fp - costs.tn) / unit,
        nu_pos=(of_pos - costs.tp) / unit,
        nu_neg=(of_neg - costs.tn) / unit,
        unit=unit,
        base_pos=costs.tp,
        base_neg=costs.tn,
    )


def share_of_positives(data: Tally, prevalence: float | None) -> float:
    """The share of positives: the one given, from 0 to 1, else that of the data."""
    if prevalence is None:
        return float(data.n_pos) / float(data.n_pos + data.n_neg)
    return checks.rate(prevalence, "prevalence")


def best_corners(chain: WindowCorners, scaled: NormalisedCosts) -> tuple[int, int]:
    """The lower and upper corner of the window that costs least, (5.9).

    Among equally cheap windows the one with the least abstention; without abstention the lowest
    threshold.
    """
    single = int(chain.first_best(scaled.mu))
    if not scaled.abstaining_may_pay:
        return single, single
    # (5.7): the least (1 - nu_pos) W+ - nu_neg W-; (5.8): the least nu_pos W+ - (mu - nu_neg) W-
    low = int(chain.last_best(scaled.nu_neg / (1 - scaled.nu_pos)))
    gain = scaled.mu - scaled.nu_neg
    high = int(chain.first_best(gain / scaled.nu_pos if scaled.nu_pos > 0 else np.inf))
    return (low, high) if low <= high else (single, single)  # crossed by rounding only


def window_cost(chain: WindowCorners, low: int, high: int, scaled: NormalisedCosts) -> float:
    """The normalised cost of a window between two corners, (5.4)."""
    missed, cleared = chain.missed, chain.cleared
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
    **given: Unpack[TallyOptions],
) -> AbstentionWindow:
    """The window of scores left undecided that has the least expected cost (5.9).

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
        The scored cases, without weights; scores on any scale.
    costs : Costs
        With `abstain`, a number or a pair (for positives, for negatives). Each error must be
        dearer than the right decision.
    prevalence : float, optional
        The share of positives where the rule will be used; that of the data without it.

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
    tally = as_tally("abstain", data, y_score, given)
    refuse_weights(tally, "abstain")
    scaled = normalised(costs, "abstain")
    share = share_of_positives(tally, prevalence)
    chain = window_corners(tally, share)
    low, high = best_corners(chain, scaled)
    single = int(chain.first_best(scaled.mu))
    cost = window_cost(chain, low, high, scaled)
    alone = max(window_cost(chain, single, single, scaled), cost)
    return window_result(
        tally,
        AbstentionWindow,
        alarms=(int(chain.alarms[low]), int(chain.alarms[high])),
        hull_fpr=chain.hull[0],
        hull_tpr=chain.hull[1],
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
    thresholds = middles(data, places, "abstain")
    low, high = float(thresholds[1][0]), float(thresholds[0][1])
    tp, fp = (np.concatenate([[0], counts])[places].astype(float) for counts in (data.tp, data.fp))
    undecided = (tp[0] - tp[1]) / data.n_pos, (fp[0] - fp[1]) / data.n_neg
    positive, negative = middle_texts(data, alarms[::-1], (high, low))
    rule = decision_rule(
        condition(data.origin, POSITIVE, positive),
        condition(data.origin, NEGATIVE, negative),
        every=alarms[0] == alarms[1],
    )
    return kind(
        lower=min(low, high),
        upper=max(low, high),
        abstention_rate=float(prevalence * undecided[0] + (1 - prevalence) * undecided[1]),
        rule=rule,
        fpr=float(fp[1] / data.n_neg),
        fnr=float((data.n_pos - tp[0]) / data.n_pos),
        undecided_positives=float(undecided[0]),
        undecided_negatives=float(undecided[1]),
        prevalence=prevalence,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        origin=data.origin,
        **fields,
    )
