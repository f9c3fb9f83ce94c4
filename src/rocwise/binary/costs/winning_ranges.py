"""The ranges of an axis in which one of two curves does better."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary.unit_scores import unit_scores
from rocwise.primitives.tallies import Tally

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
    inner = np.unique(np.concatenate(scores))
    edges = np.concatenate([[low], inner[(inner > low) & (inner < high)], [high]])
    starts, stops = edges[:-1], edges[1:]
    (tpr_1, fpr_1), (tpr_2, fpr_2) = (  # a piece includes the score at its upper end
        _rates_at(data, values, stops) for data, values in zip((first, second), scores, strict=True)
    )
    gain, harm = share * (tpr_1 - tpr_2), (1 - share) * (fpr_1 - fpr_2)
    odds = np.divide(gain, harm, out=np.zeros_like(gain), where=harm != 0)
    turns = np.divide(odds, 1 + odds, out=np.zeros_like(odds), where=odds > 0)
    turns = np.clip(turns, starts, stops)
    pieces = []
    for left, right in ((starts, turns), (turns, stops)):
        middle = (left + right) / 2
        pieces.append((left, right, np.sign(rounded(gain - harm * middle / (1 - middle)))))
    left, right, signs = (np.stack(parts, axis=1).ravel() for parts in zip(*pieces, strict=True))
    real = right > left
    return joined(left[real], right[real], signs[real], names)


def _rates_at(data: Tally, scores: Floats, thresholds: Floats) -> tuple[Floats, Floats]:
    """TPR and FPR of calling positive what reaches each threshold."""
    called = np.searchsorted(-scores, -thresholds, side="right")
    tp, fp = (np.concatenate([[0], counts])[called] for counts in (data.tp, data.fp))
    return tp / data.n_pos, fp / data.n_neg


def rounded(gap: Floats) -> Floats:
    """Differences of rounding count as none."""
    return np.where(np.abs(gap) < 1e-12, 0.0, gap)


def joined(low: Floats, high: Floats, signs: Floats, names: tuple[str, ...]) -> tuple[Range, ...]:
    """Neighbouring pieces of one sign as one range."""
    ranges: list[Range] = []
    previous = 0.0
    for start, end, sign in zip(low.tolist(), high.tolist(), signs.tolist(), strict=True):
        if sign:
            name = names[0] if sign > 0 else names[1]
            if sign == previous:
                ranges[-1] = (ranges[-1][0], end, name)
            else:
                ranges.append((start, end, name))
        previous = sign
    return tuple(ranges)
