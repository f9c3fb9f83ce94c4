"""Windows of abstention: costs, the ROC convex hull, thresholds between scores, bounded windows.

Within a bound, the least cost at limited abstention, or the other way round: Pietraszek,
"Optimizing abstaining classifiers using ROC analysis", ICML 2005.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks, printing
from rocwise.arrays import Floats, Places
from rocwise.binary.roc import hull_counts
from rocwise.costs import Costs, check_costly_errors, checked_costs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, count_of, shown
from rocwise.results import Origin

CostPer = Literal["decided", "case"]
WITHIN = 1e-12  # a bound that is missed by rounding only is kept
POSITIVE, NEGATIVE, UNDECIDED = 1, 0, -1
TIED = 1e-12  # slopes that differ by less than this fraction leave costs that count as equal
MOST_MISSES = 1e150  # beyond, products of costs leave the range of floats


def window_fields(data: Tally, alarms: tuple[int, int], prevalence: float) -> dict[str, Any]:
    """Fields of the window whose two sides have so many distinct scores above them."""
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
    return {
        "lower": min(low, high),
        "upper": max(low, high),
        "lower_text": lower_text,
        "upper_text": upper_text,
        "abstention_rate": float(prevalence * undecided[0] + (1 - prevalence) * undecided[1]),
        "rule": rule,
        "fpr": float(fp[1] / data.n_neg),
        "fnr": float((data.n_pos - tp[0]) / data.n_pos),
        "undecided_positives": float(undecided[0]),
        "undecided_negatives": float(undecided[1]),
        "prevalence": prevalence,
        "data": data,
        **data.result_fields,
    }


@dataclass(frozen=True, eq=False)
class HullVertices:
    """Vertices of the hull, from 'call nothing negative' to 'call everything negative'."""

    missed: Floats  # weight of the positives at or below each vertex: W+ of (5.6)
    cleared: Floats  # weight of the negatives at or below each vertex: W-
    slopes: Floats  # missed over cleared weight between neighboring vertices; rising
    alarms: Places  # distinct scores above each vertex
    rates: tuple[Floats, Floats]  # FPR and TPR of the hull, from (0, 0) to (1, 1)

    @property
    def weight(self) -> Floats:
        """Weight of all cases at or below each vertex."""
        return self.missed + self.cleared

    def first_best(self, ratio: ArrayLike) -> Places:
        """The lowest vertex with the least missed - ratio * cleared."""
        at = np.asarray(ratio, dtype=np.float64) * (1 - TIED)
        return np.asarray(np.searchsorted(self.slopes, at, side="left"))

    def best_windows(self, mu: Any, nu_pos: Any, nu_neg: Any) -> tuple[Places, Places]:
        """The cheapest windows, (5.9); among equals with the least abstention, or the lowest."""
        single = self.first_best(mu)
        with np.errstate(divide="ignore", invalid="ignore"):
            # (5.7): least (1 - nu_pos) W+ - nu_neg W-; (5.8): least nu_pos W+ - (mu - nu_neg) W-
            at = np.asarray(nu_neg / np.float64(1 - nu_pos)) * (1 + TIED)
            low = np.searchsorted(self.slopes, at, side="right")
            gain = np.where(nu_pos > 0, (mu - nu_neg) / np.float64(nu_pos), np.inf)
        high = self.first_best(gain)
        pays = abstaining_may_pay(mu, nu_pos, nu_neg) & (low <= high)
        return np.where(pays, low, single), np.where(pays, high, single)

    def cost(self, low: Places, high: Places, mu: Any, nu_pos: Any, nu_neg: Any) -> Floats:
        """Normalized costs of windows between two vertices, (5.4)."""
        nu_pos, nu_neg = (np.minimum(nu, np.finfo(float).max) for nu in (nu_pos, nu_neg))
        of_pos = nu_pos * (self.missed[high] - self.missed[low])
        of_neg = nu_neg * (self.cleared[high] - self.cleared[low])
        false_alarms = self.cleared[-1] - self.cleared[high]
        return np.asarray(self.missed[low] + mu * false_alarms + of_pos + of_neg)


def hull_vertices(data: Tally, prevalence: float) -> HullVertices:
    """The hull of a tally whose positives have prevalence `prevalence`."""
    places, tp, fp = hull_counts(data)
    rates = fp / data.n_neg, tp / data.n_pos
    places, tp, fp = places[::-1], tp[::-1], fp[::-1]
    missed = prevalence * ((data.n_pos - tp) / data.n_pos)
    cleared = (1 - prevalence) * ((data.n_neg - fp) / data.n_neg)
    dy, dx = -np.diff(tp).astype(np.float64), -np.diff(fp).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = prevalence / np.float64(1 - prevalence)
        slopes = dy / dx * (float(data.n_neg) / float(data.n_pos) * odds)
    slopes[dx == 0] = np.inf
    slopes[dy == 0] = 0.0
    return HullVertices(missed, cleared, slopes, places, rates)


@dataclass(frozen=True, slots=True)
class NormalizedCosts:
    """Costs in units of what a miss adds to a hit, (5.2)."""

    mu: float
    nu_pos: float
    nu_neg: float
    unit: float
    base_pos: float
    base_neg: float

    @property
    def ratios(self) -> tuple[float, float, float]:
        """The three normalized costs."""
        return self.mu, self.nu_pos, self.nu_neg

    def in_units(self, cost: float, prevalence: float) -> float:
        """The expected cost per case, (5.3)."""
        base = prevalence * self.base_pos + (1 - prevalence) * self.base_neg
        return float(self.unit * cost + base)


def abstaining_may_pay(mu: Any, nu_pos: Any, nu_neg: Any) -> Any:
    """Lemma 1 of Friedel et al., for unequal costs: only if nu_pos + nu_neg / mu < 1, (5.5)."""
    return nu_pos * mu + nu_neg < mu * (1 - TIED)


def normalized(costs: Any) -> NormalizedCosts:
    """Check the costs and normalise them, (5.2)."""
    checked_costs(costs)
    if costs.abstain is None:
        raise InputError(
            "`abstain` needs the cost of not deciding: `costs.abstain`, "
            "e.g. Costs(fp=1, fn=5, abstain=0.2); or a bound, `max_abstention` or `max_cost`."
        )
    of_pos, of_neg = np.broadcast_to(costs.abstain, 2).tolist()
    check_costly_errors(costs, "abstain")
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
    mu = (costs.fp - costs.tn) / unit
    if mu > MOST_MISSES:
        raise InputError(
            f"`costs.fp` is {mu:.3g} times `costs.fn`. "
            f"Costs may differ by a factor of {MOST_MISSES:g} at most."
        )
    nu_pos, nu_neg = (of_pos - costs.tp) / unit, (of_neg - costs.tn) / unit
    return NormalizedCosts(mu, nu_pos, nu_neg, unit, base_pos=costs.tp, base_neg=costs.tn)


def prevalence_of(data: Tally, prevalence: float | None) -> float:
    """The proportion of positives: the one given, from 0 to 1, else that of the data."""
    if prevalence is None:
        return float(data.n_pos) / float(data.n_pos + data.n_neg)
    return checks.rate(prevalence, "prevalence")


def mid_gap_thresholds(data: Tally, alarms: Places, function: str) -> tuple[Floats, Floats]:
    """Thresholds below the first `alarms` scores, of their type: for either side."""
    kind, size = np.float32 if data.scores.dtype == np.float32 else np.float64, len(data)
    beyond = np.inf if data.direction == "higher" else -np.inf
    around = np.concatenate([[beyond], np.asarray(data.scores, np.float64), [-beyond]])
    above, below = around[alarms], around[alarms + 1]
    inner = (alarms > 0) & (alarms < size)
    middle = np.where(inner, 0.0, np.where(alarms > 0, -beyond, beyond))
    middle[inner] = _between(above[inner], below[inner], kind)
    merged = inner & ((above == below) | np.isinf(middle))
    if merged.any():
        raise InputError(
            f"`{function}` needs scores that differ as floats, but two of `y_score` are both "
            f"{above[merged][0]:g}; subtract a constant from the scores."
        )
    onto_below, onto_above = inner & (middle == below), inner & (middle == above)
    return np.where(onto_below, above, middle), np.where(onto_above, below, middle)


def _between(one: Floats, other: Floats, kind: type[np.floating[Any]]) -> Floats:
    """Middles of pairs of scores; by an infinite score the first float beyond the finite one."""
    first, second = np.isinf(one), np.isinf(other)
    with np.errstate(invalid="ignore", over="ignore"):
        middle = (one / 2 + other / 2).astype(kind)  # halves first: no overflow
        one, other = one.astype(kind), other.astype(kind)
        middle[second] = np.nextafter(one[second], other[second])
        middle[first] = np.nextafter(other[first], one[first])
    middle[first & second & (one != other)] = 0.0
    return middle.astype(np.float64)


def decision_rule(positive: str | None, negative: str | None, *, every: bool) -> str:
    """The rule in words, from when to call which class; None for never, `every`: all decided."""
    if every:
        if positive is None or negative is None:
            return f"always {'negative' if positive is None else 'positive'}"
        return f"positive {positive}, otherwise negative"
    if positive is None and negative is None:
        return "no decision on any case"
    parts = ["never positive" if positive is None else f"positive {positive}"]
    parts.append("never negative" if negative is None else f"negative {negative}")
    return ", ".join([*parts, "otherwise no decision"])


def condition(
    origin: Origin, side: int, sure: str | None, partly: str | None = None, fraction: float = 0.0
) -> str | None:
    """When to call a class: ``if score >= 0.7 (and 25% of those >= 0.6)``; None for never."""
    sign = ">=" if (side == POSITIVE) == (origin.direction == "higher") else "<="
    if fraction == 0 or partly is None:
        return None if sure is None else f"if score {sign} {sure}"
    percent = f"{100 * fraction:.3g}%"
    if sure is None:
        return f"for {percent} of scores {sign} {partly}"
    return f"if score {sign} {sure} (and {percent} of those {sign} {partly})"


def mid_gap_texts(data: Tally, alarms: tuple[int, int], middle: tuple[float, float]) -> list[Any]:
    """Texts of mid-gap thresholds of the positive and the negative side; None beyond all scores."""
    texts: list[str | None] = []
    for place, value, side in zip(alarms, middle, (POSITIVE, NEGATIVE), strict=True):
        if place == (0 if side == POSITIVE else len(data)):
            texts.append(None)
        elif data.origin.categories:
            texts.append(data.origin.categories[int(data.scores[place - side])])
        elif place in (0, len(data)):
            texts.append(f"{value:g}")
        else:
            kind = data.scores.dtype if data.scores.dtype.kind == "f" else np.float64
            one, other = data.scores[place - 1 : place + 1].tolist()
            texts.append(printing.rounded_inside(value, one, other, kind))
    return texts


def score_text(data: Tally, place: int, side: int) -> str:
    """The score at `place` in the fewest digits that decide like it, on the side given."""
    if side == POSITIVE:
        return data.threshold_text(place)
    other = "lower" if data.direction == "higher" else "higher"
    row, names = len(data) - 1 - place, data.origin.categories
    return printing.threshold_text(data.scores[::-1], row, direction=other, categories=names)


def new_scores(y_score: ArrayLike) -> Floats:
    """Scores to decide on, which must be numbers."""
    scores = checks.numbers(y_score, "y_score", infinite=True, nan=True)
    missing = np.flatnonzero(np.isnan(scores.ravel()))
    if len(missing):
        raise InputError(
            f"`y_score` has {count_of(len(missing), 'missing value')} (first at row {missing[0]}); "
            "no decision was made."
        )
    return scores


def bounded_window(
    data: Tally,
    costs: Costs,
    *,
    max_abstention: float | None,
    max_cost: float | None,
    per: CostPer,
    prevalence: float | None,
) -> dict[str, Any]:
    """Fields of the best window within a bound; see `abstain`."""
    _check_costs(costs)
    if max_abstention is not None and max_cost is not None:
        raise InputError("pass `max_abstention` or `max_cost`: one of the two, not both.")
    p = prevalence_of(data, prevalence)
    sums = cumulative_costs(data, costs, p)
    decided = per == "decided"
    if max_abstention is not None:
        low, high = cheapest(sums, _fraction_of_cases(max_abstention, data), decided)
    else:
        gains = min(costs.tp, costs.tn) < 0
        bound = (checks.real if gains else checks.not_negative)(max_cost, "max_cost")
        found = least_abstention(sums, bound, decided)
        if found is None:
            raise _unattainable(sums, bound, decided)
        low, high = found
    _, hull_tp, hull_fp = hull_counts(data)
    return {
        **window_fields(data, (len(data) - low, len(data) - high), p),
        "hull_fpr": hull_fp / data.n_neg,
        "hull_tpr": hull_tp / data.n_pos,
        "expected_cost": sums.cost(low, high, False),
        "decided_cost": sums.cost(low, high, True) if sums.decided(low, high) > 0 else None,
        "cost_without_abstaining": sums.cost(sums.single, sums.single, False),
        "max_abstention": max_abstention,
        "max_cost": max_cost,
        "per": per,
        "costs": costs,
    }


def _check_costs(costs: Any) -> None:
    check_costly_errors(checked_costs(costs), "abstain")
    if costs.abstain is not None:
        raise InputError(
            "`costs.abstain` has no meaning with `max_abstention` or `max_cost`, which replace "
            "it; leave out one of them."
        )
    if max(costs.tp, costs.tn) > 0:
        raise InputError(
            "undecided cases cost nothing with `max_abstention` or `max_cost`, so that right "
            "decisions must be free or a gain (tp <= 0 and tn <= 0), else deciding never pays; "
            f"got tp={costs.tp:g} and tn={costs.tn:g}. Use `costs.abstain`, the cost of not "
            "deciding."
        )


def _fraction_of_cases(bound: Any, data: Tally) -> float:
    """The bound on undecided cases as a fraction; above 1 it counts cases."""
    number = checks.not_negative(bound, "max_abstention")
    if number <= 1:
        return number
    if not number.is_integer():
        raise InputError(
            "`max_abstention` must be a proportion from 0 to 1, or a number of cases above 1; "
            f"got {shown(bound)}."
        )
    return min(number / float(data.n_pos + data.n_neg), 1.0)


@dataclass(frozen=True, eq=False)
class CumulativeCosts:
    """Costs below and above every threshold; window (i, j) costs below[i] + above[j]."""

    below: Floats
    above: Floats
    weight: Floats
    scale: float

    @cached_property
    def single(self) -> int:
        """The threshold that decides all cases at the least cost."""
        return int(np.argmin(self.below + self.above))

    def decided(self, low: int, high: int) -> float:
        """The proportion of cases that a window decides."""
        return float(1 - (self.weight[high] - self.weight[low]))

    def cost(self, low: int, high: int, decided: bool) -> float:
        """The cost of a window's decisions, per decided case or per case."""
        cost = float(self.below[low] + self.above[high])
        return cost / self.decided(low, high) if decided else cost

    def priced(self, price: float) -> tuple[Floats, Floats]:
        """Costs of lower and of upper thresholds when each undecided case has a price."""
        return self.below - price * self.weight, self.above + price * self.weight


def cumulative_costs(data: Tally, costs: Costs, prevalence: float) -> CumulativeCosts:
    """The sums of a tally, in the units of the costs."""
    p, q = prevalence, 1 - prevalence
    missed = _below(data.tp, data.n_pos)  # positives and negatives below each threshold
    cleared = _below(data.fp, data.n_neg)
    return CumulativeCosts(
        below=costs.fn * p * missed + costs.tn * q * cleared,
        above=costs.fp * q * (1 - cleared) + costs.tp * p * (1 - missed),
        weight=p * missed + q * cleared,
        scale=(costs.fn - costs.tp) * p + (costs.fp - costs.tn) * q,
    )


def _below(called: Any, total: float) -> Floats:
    """Proportion of a class below each threshold, from none to all of it."""
    rates = np.append(1 - called[::-1] / total, 1.0)
    rates[0] = 0.0  # sums of weights may miss their total by rounding
    return rates


def _cheapest_at(sums: CumulativeCosts, fraction: float, price: float) -> tuple[int, int]:
    """The first of the cheapest windows with at most `fraction` undecided, at a price each."""
    lower, upper = sums.priced(price)
    last = np.searchsorted(sums.weight, sums.weight + fraction, side="right") - 1
    low = int(np.argmin(lower + range_minima(minima_table(upper), last)))
    return low, low + int(np.argmin(upper[low : last[low] + 1]))


def cheapest(sums: CumulativeCosts, bound: float, decided: bool) -> tuple[int, int]:
    """The cheapest window with at most `bound` undecided; ratios by Dinkelbach's iteration."""
    single = sums.single, sums.single
    best = single if decided else _cheapest_at(sums, bound + WITHIN, 0.0)
    least = sums.cost(*best, decided)
    while decided:
        found = _cheapest_at(sums, bound + WITHIN, least)
        if sums.decided(*found) <= 0 or sums.cost(*found, decided) >= least - WITHIN * abs(least):
            break
        best, least = found, sums.cost(*found, decided)
    return least_abstention(sums, least, decided) or best


def least_abstention(sums: CumulativeCosts, bound: float, decided: bool) -> tuple[int, int] | None:
    """The cheapest window with the least abstention that costs at most `bound`; or None."""
    lower, upper = sums.priced(bound if decided else 0.0)
    left = bound - lower + WITHIN * sums.scale
    rest = np.minimum.accumulate(upper[::-1])[::-1]  # the least from each place on
    low = np.flatnonzero(rest <= left)
    high = first_at_most(minima_table(upper), low, left[low])
    rate = sums.weight[high] - sums.weight[low]
    allowed = rate < 1 - WITHIN if decided else rate >= 0
    if not allowed.any():
        return None
    low, high, rate = low[allowed], high[allowed], rate[allowed]
    tied = rate <= rate.min() + WITHIN
    low, high = low[tied], high[tied]
    best = int(np.argmin(np.round(sums.below[low] + sums.above[high], 14)))
    return int(low[best]), int(high[best])


def _unattainable(sums: CumulativeCosts, bound: float, decided: bool) -> InputError:
    least = sums.cost(*cheapest(sums, 1.0, decided), decided)
    attainable = math.ceil(least * 1e6 - 1e-6) / 1e6
    whom = "the decided ones cost" if decided else "a case costs"
    return InputError(
        f"`max_cost` = {bound:g} is unattainable: however many cases are left undecided, {whom} "
        f"at least {least:.6g}{' each' if decided else ' on average'}. "
        f"Use max_cost={attainable:g} or more."
    )


def minima_table(values: Floats) -> Floats:
    """Row k: the least of 2**k neighboring values from each place on; places beyond are inf."""
    rows, size = [np.append(values, np.inf)], 1
    while size < len(values):
        row = rows[-1].copy()
        row[:-size] = np.minimum(row[:-size], rows[-1][size:])
        rows.append(row)
        size *= 2
    return np.array(rows)


def range_minima(table: Floats, last: Places) -> Floats:
    """The least value from each place to last[place]: two overlapping ranges of a power of 2."""
    first = np.arange(len(last))
    power = np.frexp((last - first + 1).astype(np.float64))[1] - 1
    return np.asarray(np.minimum(table[power, first], table[power, last - (1 << power) + 1]))


def first_at_most(table: Floats, start: Places, limit: Floats) -> Places:
    """The first place from start[q] on whose value is at most limit[q]; one beyond all if none."""
    place, end = start.copy(), table.shape[1] - 1
    for power in reversed(range(len(table))):
        place = np.minimum(place + ((table[power, place] > limit) << power), end)
    return place
