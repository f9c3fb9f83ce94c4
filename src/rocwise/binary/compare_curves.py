"""Where which of two models is cheaper, or has the larger net benefit, with bootstrap limits."""

from typing import Any, ClassVar, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.bootstrap import paired_replicates, smaller_class
from rocwise.binary.cost_curves import cost_curve
from rocwise.binary.curve_bands import LeastCosts, NetBenefit
from rocwise.binary.unit_scores import scores_of_model, unit_scores
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, count_of
from rocwise.inference.resampling import percentile_limits
from rocwise.inference.significance import sign_reach
from rocwise.inputs.coercion import PairOptions, as_pairs, options_shown
from rocwise.progress import Report
from rocwise.results import Resampled, result

CurveKind = Literal["cost", "decision"]
Range = tuple[float, float, str]
MOST_RANGES = 8  # in the printed sentence


@options_shown(PairOptions)
def compare_curves(
    data: Any = None,
    scores: Any = None,
    *,
    curve: CurveKind = "cost",
    grid: int | None = None,
    thresholds: Any = None,
    prevalence: float | None = None,
    level: float = 0.95,
    n_resamples: int = 1000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[PairOptions],
) -> "CurveDifference":
    """Compare two models by the difference of their cost curves or decision curves.

    Parameters
    ----------
    curve : {"cost", "decision"}, default "cost"
        Curves to compare: `cost_curve` or `decision_curve` (net benefit).
    grid : int, optional
        With "cost": number of probability costs from 0 to 1, by default 101.
    thresholds : sequence of float, optional
        With "decision": threshold probabilities, as in `decision_curve`.
    prevalence : float, optional
        With "decision": prevalence in the target population.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 1000
        Number of bootstrap resamples.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.

    Returns
    -------
    CurveDifference
        Result with `x`, `difference` (first minus second), `lower` and `upper` (pointwise), the
        ranges `wins` in which one model is better, and the ranges `certain` in which it is
        significantly better.

    See Also
    --------
    cost_curve : Cost curve.
    decision_curve : Decision curve (net benefit).
    compare : Test and interval for the difference of AUCs.
    compare_at : Comparison of two models at an operating point.

    Notes
    -----
    Limits are percentiles of paired resamples, but no narrower than those of the exact sign test of
    as many cases as the smaller class has: fewer than six cases show no difference at the 95%
    level.

    Examples
    --------
    >>> import rocwise as rw
    >>> scores = {"a": [0.1, 0.2, 0.6, 0.7], "b": [0.1, 0.6, 0.2, 0.7]}
    >>> result = rw.compare_curves([0, 0, 1, 1], scores, n_resamples=50, rng=1)
    >>> result.wins
    ((0.0, 1.0, 'a'),)
    >>> ax = result.plot()
    """
    pairs = as_pairs("compare_curves", data, scores, given)
    statistic = _statistic(curve, grid, thresholds, prevalence)
    if len(pairs.names) != 2:
        raise InputError(
            f"two models are compared at a time; got {len(pairs.names)}. "
            "Use pairs.select([first, second])."
        )
    x, level = statistic.x, checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2, cells=2 * len(x))
    seed, smaller = checks.seed(rng), smaller_class("compare_curves", pairs.tally(pairs.names[0]))
    values = []
    for name in pairs.names:
        with scores_of_model(pairs, name):
            values.append(statistic.of(pairs.tally(name)))
    difference = values[0] - values[1]
    drawn = paired_replicates(pairs, statistic, n_resamples, seed, progress)
    lower, upper = percentile_limits(drawn[:, 0] - drawn[:, 1], level)
    reach = sign_reach(difference, smaller, (1 - level) / 2)  # fewer cases settle nothing
    lower, upper = np.minimum(lower, difference - reach), np.maximum(upper, difference + reach)
    if curve == "decision":
        names, wins = pairs.names, _benefit_wins(pairs, x, difference, prevalence)
    else:
        names, wins = pairs.names[::-1], _cost_wins(pairs)  # above 0 the first model costs more
    doubtless = np.where(lower > 0, 1.0, np.where(upper < 0, -1.0, 0.0))
    return CurveDifference(
        curve=curve,
        quantity=statistic.name,
        x_name=statistic.x_name,
        names=pairs.names,
        x=x,
        difference=difference,
        lower=lower,
        upper=upper,
        wins=wins,
        certain=_joined(x, x, doubtless, names),
        level=level,
        n_resamples=len(drawn),
        seed=seed,
        origin=pairs.origin,
    )


def _statistic(
    curve: CurveKind, grid: int | None, thresholds: Any, prevalence: float | None
) -> LeastCosts | NetBenefit:
    """What is compared, from the options of its curve alone."""
    checks.one_of(curve, "curve", get_args(CurveKind))
    of_other = (
        {"grid": grid}
        if curve == "decision"
        else {"thresholds": thresholds, "prevalence": prevalence}
    )
    for name, value in of_other.items():
        if value is not None:
            raise InputError(f"`{name}` has no meaning with curve={curve!r}; leave it out.")
    if curve == "decision":
        return NetBenefit.at_thresholds(thresholds, prevalence)
    return LeastCosts.on_grid(101 if grid is None else grid)


@result
class CurveDifference(Resampled):
    """Difference of two curves, first minus second model, with pointwise limits.

    `wins` contains (from, to, name) for every range in which one model is better; `certain` the
    ranges in which the limits leave no doubt.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("x", "difference", "lower", "upper")
    curve: CurveKind
    quantity: str
    x_name: str
    names: tuple[str, str]
    x: Floats
    difference: Floats
    lower: Floats
    upper: Floats
    wins: tuple[Range, ...]
    certain: tuple[Range, ...]
    level: float

    def _sentence(self) -> str:
        return (
            f"{self.quantity} of {self.names[0]} minus {self.names[1]}: "
            f"{_ranges_in_words(self.wins, 'no difference')}; significant (pointwise "
            f"{printing.percent(self.level)}): {_ranges_in_words(self.certain, 'nowhere')}"
        )


def _ranges_in_words(ranges: tuple[Range, ...], nothing: str) -> str:
    """The widest ranges in their order, and how many narrower ones there are."""
    widths = [high - low for low, high, _ in ranges]
    narrowest = sorted(widths, reverse=True)[:MOST_RANGES][-1] if ranges else 0.0
    shown = [span for span, width in zip(ranges, widths, strict=True) if width >= narrowest]
    words = [f"{name} is better from {low:.3g} to {high:.3g}" for low, high, name in shown]
    if len(shown) < len(ranges):
        words.append(f"and {count_of(len(ranges) - len(shown), 'narrower range')}")
    return ", ".join(words) or nothing


def _cost_wins(pairs: Pairs) -> tuple[Range, ...]:
    """Where the cost curves differ: straight lines between the vertices of either."""
    curves = [cost_curve(pairs.tally(name)) for name in pairs.names]
    knots = np.union1d(*(curve.probability_cost for curve in curves))
    gap = _rounded(curves[0].at(knots) - curves[1].at(knots))
    crossed = np.flatnonzero(gap[:-1] * gap[1:] < 0)
    fraction = gap[crossed] / (gap[crossed] - gap[crossed + 1])
    between = knots[crossed] + fraction * (knots[crossed + 1] - knots[crossed])
    x = np.insert(knots, crossed + 1, between)
    d = np.insert(gap, crossed + 1, 0.0)
    return _joined(x[:-1], x[1:], np.sign(d[:-1] + d[1:]), pairs.names[::-1])


def _benefit_wins(
    pairs: Pairs, x: Floats, difference: Floats, prevalence: float | None
) -> tuple[Range, ...]:
    """Where the net benefits differ, between the lowest and the highest threshold, exactly.

    Between two neighboring scores of either model no decision changes, so the difference is
    p * d_tpr - (1 - p) * odds(t) * d_fpr with constant d_tpr and d_fpr: it changes its sign at
    most once there, where the odds are p * d_tpr / ((1 - p) * d_fpr).
    """
    if len(x) == 1:
        return _joined(x, x, np.sign(_rounded(difference)), pairs.names)
    tallies = [pairs.tally(name) for name in pairs.names]
    n_pos, n_neg = tallies[0].n_pos, tallies[0].n_neg
    p = n_pos / (n_pos + n_neg) if prevalence is None else float(prevalence)
    scores = [unit_scores(data, "compare_curves") for data in tallies]
    inner = np.unique(np.concatenate(scores))
    edges = np.concatenate([x[:1], inner[(inner > x[0]) & (inner < x[-1])], x[-1:]])
    starts, stops = edges[:-1], edges[1:]
    (tpr_1, fpr_1), (tpr_2, fpr_2) = (  # a piece includes the score at its upper end
        _rates_at(data, values, stops) for data, values in zip(tallies, scores, strict=True)
    )
    gain, harm = p * (tpr_1 - tpr_2), (1 - p) * (fpr_1 - fpr_2)
    odds = np.divide(gain, harm, out=np.zeros_like(gain), where=harm != 0)
    turns = np.divide(odds, 1 + odds, out=np.zeros_like(odds), where=odds > 0)
    turns = np.clip(turns, starts, stops)  # an end of the piece where the sign does not change
    left = np.stack([starts, turns], axis=1).ravel()
    right = np.stack([turns, stops], axis=1).ravel()
    middle = (left + right) / 2
    gap = np.repeat(gain, 2) - np.repeat(harm, 2) * middle / (1 - middle)
    real = right > left
    return _joined(left[real], right[real], np.sign(_rounded(gap))[real], pairs.names)


def _rates_at(data: Tally, scores: Floats, thresholds: Floats) -> tuple[Floats, Floats]:
    """TPR and FPR of calling positive what reaches each threshold."""
    called = np.searchsorted(-scores, -thresholds, side="right")
    tp, fp = np.append(0, data.tp), np.append(0, data.fp)
    return tp[called] / data.n_pos, fp[called] / data.n_neg


def _rounded(gap: Floats) -> Floats:
    """Differences of rounding count as none."""
    return np.where(np.abs(gap) < 1e-12, 0.0, gap)


def _joined(low: Floats, high: Floats, signs: Floats, names: tuple[str, ...]) -> tuple[Range, ...]:
    """Neighboring pieces of one sign as one range."""
    turns = np.flatnonzero(signs[1:] != signs[:-1])
    first, last = np.append(0, turns + 1), np.append(turns, len(signs) - 1)
    won = np.flatnonzero(signs[first]) if len(signs) else np.empty(0, np.intp)
    first, last = first[won], last[won]
    ranges = zip(low[first].tolist(), high[last].tolist(), signs[first].tolist(), strict=True)
    return tuple((start, end, names[0] if sign > 0 else names[1]) for start, end, sign in ranges)
