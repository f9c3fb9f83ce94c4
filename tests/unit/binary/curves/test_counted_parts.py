"""Partial areas and their spread from whole numbers: as the definitions have them, exactly."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.partial_area import Part, part_sums, partial_area, partial_influence
from rocwise.binary.roc import roc_rates

PARTS = [
    Part("fpr", 0.0, 0.2),
    Part("fpr", 0.3, 0.7),
    Part("fpr", 0.25, 1.0),
    Part("fpr", 0.1, 0.1 + 2**-40),
    Part("tpr", 0.0, 0.3),
    Part("tpr", 0.4, 1.0),
    Part("tpr", 0.37, 0.61),
]


def rows(n, levels, seed):
    """Labels and scores with many ties, or with few."""
    rng = np.random.default_rng(seed)
    y = np.append([0, 1], rng.integers(0, 2, n - 2))
    return y, np.floor(levels * rng.random(n)) + y * rng.integers(0, 2, n)


def by_definition(data, part):
    """Area and spreads from all vertices of the curve, as fractions without a limit of rounding."""
    x, y = (
        [Fraction(0), *(Fraction(int(count), int(total)) for count in counts)]
        for counts, total in ((data.fp, data.n_neg), (data.tp, data.n_pos))
    )
    pos, neg = ([int(count) for count in counts] for counts in (data.pos, data.neg))
    cases = int(data.n_neg if part.axis == "fpr" else data.n_pos)
    low, high = (  # a float that is a rounded rate of the curve stands for that rate
        next((rate for k in range(cases + 1) if float(rate := Fraction(k, cases)) == end), None)
        or Fraction(end)
        for end in (part.low, part.high)
    )
    if part.axis == "tpr":
        x, y = [1 - rate for rate in y[::-1]], [1 - rate for rate in x[::-1]]
        pos, neg, low, high = neg[::-1], pos[::-1], 1 - high, 1 - low

    def height(f):
        k = next((k for k, rate in enumerate(x) if rate > f), None)
        if k is None:
            return y[-1]
        return y[k - 1] + (f - x[k - 1]) * (y[k] - y[k - 1]) / (x[k] - x[k - 1])

    def under(a, b):
        """Area below the curve whose ends lie between the same two vertices."""
        return (b - a) * height((a + b) / 2) if b > a else Fraction(0)

    def to_right(f, g, a, b):
        """Mean over h in [f, g] of the length of [a, b] beyond h."""
        cuts = sorted({f, g, min(max(a, f), g), min(max(b, f), g)})
        ends = [b - min(max(h, a), b) for h in cuts]
        if f == g:
            return ends[0]
        total = sum(
            (cuts[i + 1] - cuts[i]) * (ends[i] + ends[i + 1]) / 2 for i in range(len(cuts) - 1)
        )
        return total / (g - f)

    ends = list(pairwise(x))
    area = sum(under(max(f, low), min(g, high)) for f, g in ends)
    shift = high * height(high) - low * height(low) - area - height(high)
    of_up = sum(
        p * (to_right(f, g, low, high) - area) ** 2 for p, (f, g) in zip(pos, ends, strict=True)
    )
    of_along = Fraction(0)
    for q, (f, g) in zip(neg, ends, strict=True):
        if q:
            inside = under(max(f, low), min(g, high))
            before = max(min(low, g) - f, 0) * height(low)
            after = max(g - max(high, f), 0) * height(high)
            of_along += q * ((inside + before + after) / (g - f) + shift) ** 2
    return (area, of_along, of_up) if part.axis == "tpr" else (area, of_up, of_along)


@pytest.mark.parametrize("part", PARTS, ids=str)
@pytest.mark.parametrize(("n", "levels"), [(2, 1), (17, 3), (61, 20), (53, 1000)])
def test_as_defined_and_rounded_once(part, n, levels):
    y, s = rows(n, levels, seed=n)
    data = rw.tally(y, s)
    exact = by_definition(data, part)
    found = part_sums(data, part)
    table = part_sums(rw.Tally.from_counts(data.scores, data.pos, data.neg), part)
    assert table == found
    assert found.area == float(exact[0])
    rates = roc_rates(data)
    assert found.area == pytest.approx(partial_area(*rates, part), rel=1e-13)
    met = _meets_a_vertex(data, part)
    if not met:  # there the end is taken for the vertex
        assert found[1:] == tuple(map(float, exact[1:]))
    influences = partial_influence(*rates, part)
    spreads = [
        float((cases * moved**2).sum())
        for cases, moved in zip((data.pos, data.neg), influences, strict=True)
    ]
    assert found[1:] == pytest.approx(spreads, rel=1e-12, abs=1e-28)


def _meets_a_vertex(data, part):
    sums, total = (data.fp, data.n_neg) if part.axis == "fpr" else (data.tp, data.n_pos)
    rates = sums / total
    return any((np.abs(rates - end) <= 1e-12).any() for end in (part.low, part.high) if 0 < end < 1)


@pytest.mark.parametrize("end", [0.3, 0.1 + 0.2, 0.3 + 4e-13, 0.3 - 4e-13])
def test_an_end_that_rounding_keeps_from_a_vertex_is_at_it(end):
    y, s = [0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0], np.arange(12, 0, -1)
    at_vertex = part_sums(rw.tally(y, s), Part("fpr", 0.0, 0.3))
    found = part_sums(rw.tally(y, s), Part("fpr", 0.0, end))
    assert (found.of_positives, found.of_negatives) == pytest.approx(at_vertex[1:], abs=1e-11)
    assert found.of_negatives == pytest.approx(2.1, abs=1e-11)  # 3 at 0.7 below, 7 at 0.3 above


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_no_spread_is_exactly_0(part):
    tied = part_sums(rw.tally([0, 1, 0, 1, 1], np.ones(5)), part)
    assert tied[1:] == (0.0, 0.0)
    perfect = part_sums(rw.tally([0, 0, 0, 1, 1], np.arange(5)), part)
    assert perfect == (part.width, 0.0, 0.0)


def test_threads_do_not_matter_and_the_curve_is_not_made():
    y, s = rows(700_000, 10**9, seed=3)
    found = []
    for number in (1, 2, 3):
        with rw.threads(number):
            data = rw.tally(y, s)
            found.append([part_sums(data, part) for part in PARTS[:6]])
            assert "_curve" not in vars(data)
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("cases", [3, 7, 10, 11, 49, 88])
def test_an_end_at_a_rate_of_the_curve_is_at_it_though_floats_are_rounded(cases):
    y = np.r_[0, 1, 1, np.zeros(cases - 1, int)]
    s = -np.arange(len(y))
    assert rw.auc(y, s, max_fpr=1 / cases).value == 0
    assert rw.auc(1 - y, -s, tpr_range=(1 - 1 / cases, 1)).value <= 1e-15
