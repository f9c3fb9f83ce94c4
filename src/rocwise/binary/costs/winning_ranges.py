"""The ranges of an axis in which one of two curves does better."""

from __future__ import annotations

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.binary.unit_scores import unit_scores
from rocwise.data.tally import Tally
from rocwise.kernels.row_formulas import row_by_row

Range = tuple[float, float, str]


def winning_ranges(knots: Floats, gap: Floats, names: tuple[str, ...]) -> tuple[Range, ...]:
    """Ranges where straight lines through (knots, gap) are above 0 (first name) or below.

    >>> winning_ranges(np.array([0.0, 1.0]), np.array([-1.0, 1.0]), ("a", "b"))
    ((0.0, 0.5, 'b'), (0.5, 1.0, 'a'))
    """
    gap = rounded(gap)
    crossed = np.flatnonzero(gap[:-1] * gap[1:] < 0)
    share = gap[crossed] / (gap[crossed] - gap[crossed + 1])
    between = knots[crossed] + share * (knots[crossed + 1] - knots[crossed])
    x = np.insert(knots, crossed + 1, between)
    d = np.insert(gap, crossed + 1, 0.0)
    signs = np.sign(d[:-1] + d[1:])
    return joined(x[:-1], x[1:], signs, names)


def benefit_ranges(
    first: Tally, second: Tally, share: float, ends: tuple[float, float], names: tuple[str, ...]
) -> tuple[Range, ...]:
    """Ranges of threshold probabilities with different net benefits, exactly.

    Between two neighbouring scores of either model nobody changes sides, so the difference is
    share * d_tpr - (1 - share) * odds(t) * d_fpr with constant d_tpr and d_fpr: it changes its
    sign at most once there, where the odds are share * d_tpr / ((1 - share) * d_fpr).
    """
    low, high = ends
    scores = [unit_scores(data, "compare_curves") for data in (first, second)]
    inner = kernels.rising(np.concatenate(scores))
    edges = np.concatenate([[low], inner[(inner > low) & (inner < high)], [high]])
    starts, stops = edges[:-1], edges[1:]
    (tpr_1, fpr_1), (tpr_2, fpr_2) = (  # a piece includes the score at its upper end
        _rates_at(data, values, stops) for data, values in zip((first, second), scores, strict=True)
    )
    gain = row_by_row(lambda one, other: share * (one - other), tpr_1, tpr_2)
    harm = row_by_row(lambda one, other: (1 - share) * (one - other), fpr_1, fpr_2)
    turns = row_by_row(_turn, starts, stops, gain, harm)
    halves = ((starts, turns), (turns, stops))
    signs = np.stack([row_by_row(_sign, *ends, gain, harm) for ends in halves], axis=1).ravel()
    left, right = (np.stack(ends, axis=1).ravel() for ends in zip(*halves, strict=True))
    real = right > left
    return joined(left[real], right[real], signs[real], names)


def _turn(start: Floats, stop: Floats, gain: Floats, harm: Floats) -> Floats:
    """Where the difference changes its sign within each piece; one of its ends if it does not."""
    odds = np.divide(gain, harm, out=np.zeros_like(gain), where=harm != 0)
    turns = np.divide(odds, 1 + odds, out=np.zeros_like(odds), where=odds > 0)
    return np.asarray(np.clip(turns, start, stop))


def _sign(left: Floats, right: Floats, gain: Floats, harm: Floats) -> Floats:
    """The sign of the difference between two places, at neither of which it need be 0."""
    middle = (left + right) / 2
    return np.asarray(np.sign(rounded(gain - harm * middle / (1 - middle))))


def _rates_at(data: Tally, scores: Floats, thresholds: Floats) -> tuple[Floats, Floats]:
    """TPR and FPR of calling positive what reaches each threshold."""
    falling = -scores
    called = row_by_row(
        lambda some: np.searchsorted(falling, -some, side="right"), thresholds, dtype=np.intp
    )
    tp, fp = (np.append(0, counts) for counts in (data.tp, data.fp))
    return (
        row_by_row(lambda some: tp[some] / data.n_pos, called),
        row_by_row(lambda some: fp[some] / data.n_neg, called),
    )


def rounded(gap: Floats) -> Floats:
    """Differences of rounding count as none."""
    return np.where(np.abs(gap) < 1e-12, 0.0, gap)


def joined(low: Floats, high: Floats, signs: Floats, names: tuple[str, ...]) -> tuple[Range, ...]:
    """Neighbouring pieces of one sign as one range."""
    turns = np.flatnonzero(signs[1:] != signs[:-1])
    first, last = np.append(0, turns + 1), np.append(turns, len(signs) - 1)
    won = np.flatnonzero(signs[first]) if len(signs) else np.empty(0, np.intp)
    first, last = first[won], last[won]
    ranges = zip(low[first].tolist(), high[last].tolist(), signs[first].tolist(), strict=True)
    return tuple((start, end, names[0] if sign > 0 else names[1]) for start, end, sign in ranges)
