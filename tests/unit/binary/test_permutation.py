import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import norm, rankdata

from oracles.rearrangements import p_as_extreme, swapped_differences
from oracles.spec_samples import P1, P2, Q1, Q2
from rocwise.binary.permutation import (
    exact_p,
    permutation_outcome,
    subset_sum_masses,
)

ALTERNATIVES = ("two-sided", "greater", "less")


def rows(one, two):
    """Labels and the two scores from (negatives, positives) of the same subjects."""
    mask = np.array([0] * len(one[0]) + [1] * len(one[1]), dtype=np.uint8)
    return mask, *(np.array([*sample[0], *sample[1]], dtype=float) for sample in (one, two))


def difference(outcome):
    return outcome.statistic * math.sqrt(outcome.variance)


def random_rows(seed, n, ties=False, gain=0.0):
    rng = np.random.default_rng(seed)
    mask = (np.arange(n) % 3 == 0).astype(np.uint8)
    common = rng.normal(size=n) + mask
    first, second = (common + rng.normal(size=n) for _ in range(2))
    first = first + gain * mask
    return (mask, np.round(first), np.round(second)) if ties else (mask, first, second)


VECTORS = [
    (Q1, Q2, "none", 0.125, 0.07378472222, 0.71875, 0.4601789933, 0.6453877479),
    (Q1, Q2, "rank", 0.125, 0.07118055556, 0.65625, 0.4685212857, 0.6394118528),
    (P1, P2, "none", 0.04464285714, 0.004544005102, 0.57421875, 0.6622661785, 0.5078006483),
    (P1, P2, "rank", 0.04464285714, 0.004025829082, 0.537109375, 0.7035975447, 0.4816834408),
]


@pytest.mark.parametrize(("one", "two", "transform", "d", "v", "p_exact", "z", "p"), VECTORS)
def test_values_of_the_specification(one, two, transform, d, v, p_exact, z, p):
    data = rows(one, two)
    exact = permutation_outcome(*data, how="exact", transform=transform)
    assert difference(exact) == pytest.approx(d, abs=1e-9)
    assert exact.variance == pytest.approx(v, abs=1e-9)
    assert exact.p_value == pytest.approx(p_exact, abs=1e-12)
    asymptotic = permutation_outcome(*data, how="asymptotic", transform=transform)
    assert asymptotic.statistic == pytest.approx(z, abs=1e-9)
    assert asymptotic.p_value == pytest.approx(p, abs=1e-9)
    assert (exact.variance, exact.statistic) == (asymptotic.variance, asymptotic.statistic)
    random = permutation_outcome(*data, how="monte-carlo", transform=transform, seed=2)
    assert abs(random.p_value - p_exact) < 4 * math.sqrt(p_exact * (1 - p_exact) / 10_000)
    assert random.p_value * 10_001 == pytest.approx(round(random.p_value * 10_001), abs=1e-8)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_exact_p_is_the_proportion_of_all_swaps(seed, ties):
    mask, first, second = random_rows(seed, 9, ties)
    for transform, change in (("none", np.asarray), ("rank", rankdata)):
        columns = (change(scores).tolist() for scores in (first, second))
        differences = swapped_differences(mask.tolist(), *columns)
        for alternative in ALTERNATIVES:
            outcome = permutation_outcome(
                mask, first, second, how="exact", transform=transform, alternative=alternative
            )
            assert Fraction(outcome.p_value) == p_as_extreme(differences, alternative)
            squares = sum(d * d for d in differences) / len(differences)
            assert outcome.variance == pytest.approx(float(squares), rel=1e-14)
            assert difference(outcome) == pytest.approx(float(differences[0]), abs=1e-14)


@pytest.mark.parametrize("transform", ["none", "rank"])
def test_clusters_are_swapped_as_a_whole(transform):
    mask, first, second = random_rows(4, 21, ties=True, gain=0.5)
    cluster = np.arange(21) % 7
    one, two = (rankdata(own) if transform == "rank" else own for own in (first, second))

    def area(scores):
        x, y = scores[mask == 0][:, None], scores[mask == 1]
        return np.mean((x < y) + (x == y) / 2)

    swaps = [np.array(own)[cluster] for own in product((False, True), repeat=7)]
    found = np.array([area(np.where(k, two, one)) - area(np.where(k, one, two)) for k in swaps])
    groups = {"clusters": cluster, "transform": transform}
    exact = permutation_outcome(mask, first, second, how="exact", **groups)
    assert exact.p_value == pytest.approx(np.mean(np.abs(found) >= abs(found[0]) - 1e-12))
    assert exact.variance == pytest.approx(found.var())


def test_masses_keep_their_relative_accuracy():
    sizes = np.random.default_rng(1).integers(1, 40, 70)
    counts = {0: 1}
    for size in sizes.tolist():
        moved = {t + size: c for t, c in counts.items()}
        counts = {t: counts.get(t, 0) + moved.get(t, 0) for t in counts.keys() | moved.keys()}
    masses = subset_sum_masses(sizes, 900)
    exact = [float(Fraction(counts.get(t, 0), 2**70)) for t in range(901)]
    np.testing.assert_allclose(masses, exact, rtol=1e-14, atol=0)


@pytest.mark.parametrize("minus", [120, 400, 590])
def test_far_tail_of_many_equal_steps(minus):
    """1,200 steps of one size: a binomial tail, as small as 1e-190."""
    n = 1200
    steps = np.where(np.arange(n) < minus, -6, 6)
    below = Fraction(sum(math.comb(n, t) for t in range(minus)), 2**n)
    tail = below + Fraction(math.comb(n, minus), 2**n)
    assert exact_p(steps, "greater") == pytest.approx(float(tail), rel=1e-12, abs=0)
    assert exact_p(steps, "two-sided") == pytest.approx(float(2 * tail), rel=1e-12, abs=0)
    assert exact_p(steps, "less") == pytest.approx(float(1 - below), rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_asymptotic_and_random_p_come_near_the_exact_one(alternative):
    data = random_rows(11, 150, gain=0.3)
    options = {"alternative": alternative}
    exact = permutation_outcome(*data, how="exact", **options)
    normal = permutation_outcome(*data, how="asymptotic", **options)
    random = permutation_outcome(*data, how="monte-carlo", seed=4, **options)
    assert normal.p_value == pytest.approx(exact.p_value, abs=0.005)
    assert abs(random.p_value - exact.p_value) < 4 * math.sqrt(exact.p_value / 10_000)
    sides = {"two-sided": 2 * norm.sf(abs(normal.statistic)), "greater": norm.sf(normal.statistic)}
    assert normal.p_value == pytest.approx(
        sides.get(alternative, norm.cdf(normal.statistic)), abs=1e-14
    )
    assert [outcome.how for outcome in (exact, normal, random)] == [
        "exact",
        "asymptotic",
        "monte-carlo",
    ]


def test_auto_is_exact_where_affordable():
    small, large = random_rows(0, 60), random_rows(0, 1500)
    assert permutation_outcome(*small, how="auto").how == "exact"
    assert permutation_outcome(*small, how="auto") == permutation_outcome(*small, how="exact")
    assert permutation_outcome(*large, how="auto") == permutation_outcome(*large, how="asymptotic")
    with pytest.raises(ValueError, match=r"1,500 subjects.*Monte Carlo.*asymptotic"):
        permutation_outcome(*large, how="exact")


@pytest.mark.parametrize("how", ["exact", "monte-carlo", "asymptotic"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_models_do_not_differ(how, alternative):
    mask, first, _ = random_rows(3, 20)
    for scores in (first, np.zeros(20)):
        outcome = permutation_outcome(mask, scores, scores, how=how, alternative=alternative)
        assert (outcome.variance, outcome.statistic) == (0.0, 0.0)
        assert outcome.p_value == 1.0


def test_ranks_and_infinite_scores():
    mask, first, second = random_rows(6, 12)
    stretched = np.where(first == first.max(), np.inf, np.exp(first))
    expected = permutation_outcome(mask, first, second, how="exact")
    assert permutation_outcome(mask, stretched, second**3, how="exact") == expected
    raw = permutation_outcome(mask, stretched, second**3, how="exact", transform="none")
    assert difference(raw) == pytest.approx(difference(expected), abs=1e-14)
    assert raw.variance != expected.variance
