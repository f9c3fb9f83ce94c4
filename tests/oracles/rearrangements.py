"""Permutation tests from their definitions: every arrangement, everything counted again."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from scipy.stats import rankdata

from oracles.recounts import exact_area


def swapped_differences(y, a, b):
    """The difference of the two areas after each of the 2**n swaps; the first is the data's."""
    differences = []
    for swap in product((False, True), repeat=len(y)):
        one, two = exchanged(a, b, swap)
        differences.append(exact_area(y, one) - exact_area(y, two))
    return differences


def exchanged(a, b, swap):
    """Both columns after exchanging the entries where `swap` is true."""
    rows = [(v, u) if s else (u, v) for u, v, s in zip(a, b, swap, strict=True)]
    return tuple(zip(*rows, strict=True))


def p_as_extreme(differences, alternative):
    """The exact p value, as a fraction."""
    observed = differences[0]
    extreme = {
        "two-sided": lambda d: abs(d) >= abs(observed),
        "greater": lambda d: d >= observed,
        "less": lambda d: d <= observed,
    }[alternative]
    return Fraction(sum(map(extreme, differences)), len(differences))


def error_gaps(y, r, s):
    """E of F3.8 for ranks r and s, one cut after the other."""
    total = 0
    for k in range(1, len(y)):
        errors = [
            sum((rank <= k) == bool(label) for label, rank in zip(y, ranks, strict=True))
            for ranks in (r, s)
        ]
        total += abs(errors[0] - errors[1])
    return total


def midrank_p(y, a, b):
    """E and the exact p of F3.9 with midranks throughout."""
    r, s = rankdata(a), rankdata(b)
    values = []
    for swap in product((False, True), repeat=len(y)):
        one, two = exchanged(r, s, swap)
        values.append(error_gaps(y, rankdata(one), rankdata(two)))
    return values[0], sum(v >= values[0] for v in values) / len(values)


def error_curve(neg, pos, c):
    """(q, errors) at every threshold, q the share predicted negative with c positives."""
    neg, pos = np.asarray(neg, float), np.asarray(pos, float)
    q, errors = [0.0], [1 - c]
    for t in np.unique(np.concatenate([neg, pos])):
        missed, spared = np.mean(pos <= t), np.mean(neg <= t)
        q.append(c * missed + (1 - c) * spared)
        errors.append(c * missed + (1 - c) * (1 - spared))
    return np.array(q), np.array(errors)


def area_between(first, second, c):
    """Integral over q of |difference of errors| for two (negatives, positives).

    Between knots of either curve the difference is a straight line, whose crossings with zero
    are made knots as well; then the trapezoids are exact.
    """
    (q1, e1), (q2, e2) = error_curve(*first, c), error_curve(*second, c)
    knots = np.union1d(q1, q2)
    gaps = np.interp(knots, q1, e1) - np.interp(knots, q2, e2)
    crossings = [
        knots[i] + (knots[i + 1] - knots[i]) * gaps[i] / (gaps[i] - gaps[i + 1])
        for i in np.flatnonzero(gaps[:-1] * gaps[1:] < 0)
    ]
    knots = np.union1d(knots, crossings)
    gaps = np.interp(knots, q1, e1) - np.interp(knots, q2, e2)
    return float(np.trapezoid(np.abs(gaps), knots))


def relabelled_areas(first, second):
    """The area between the curves for every way of dealing out the pooled q, ties left as ties.

    The first value is that of the data.
    """
    (N1, M1), (N2, M2) = (tuple(map(len, sample)) for sample in (first, second))
    c = (M1 + M2) / (N1 + M1 + N2 + M2)
    q = [middles(sample, c) for sample in (first, second)]
    neg, pos = (np.concatenate([q[0][k], q[1][k]]) for k in (0, 1))
    areas = [area_between(first, second, c)]
    for chosen_neg in combinations(range(N1 + N2), N1):
        for chosen_pos in combinations(range(M1 + M2), M1):
            one = neg[list(chosen_neg)], pos[list(chosen_pos)]
            two = np.delete(neg, chosen_neg), np.delete(pos, chosen_pos)
            areas.append(area_between(one, two, c))
    assert len(areas) == 1 + math.comb(N1 + N2, N1) * math.comb(M1 + M2, M1)
    return areas


def middles(sample, c):
    """q in the middle of each case's step, of the negatives and of the positives."""

    def middle(v):
        missed, spared = (
            np.mean([(u < v) + (u == v) / 2 for u in scores]) for scores in reversed(sample)
        )
        return round(c * missed + (1 - c) * spared, 12)

    return [np.array([middle(v) for v in scores]) for scores in sample]
