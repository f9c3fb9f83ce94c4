import math
import time
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import norm, permutation_test, rankdata
from sklearn.metrics import roc_auc_score

import rocwise as rw
from oracles.rearrangements import share_as_extreme, swapped_differences
from oracles.spec_samples import P1, P2, Q1, Q2
from rocwise.binary.permutation import (
    doubled_midranks,
    exact_p,
    permutation_outcome,
    random_bits,
    random_words,
    subset_sum_masses,
    swap_steps,
)
from rocwise.inference import resampling

ALTERNATIVES = ("two-sided", "greater", "less")


def rows(one, two):
    """Labels and the two scores from (negatives, positives) of the same subjects."""
    mask = np.array([0] * len(one[0]) + [1] * len(one[1]), dtype=np.uint8)
    return mask, *(np.array([*sample[0], *sample[1]], dtype=float) for sample in (one, two))


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
    assert exact.difference == pytest.approx(d, abs=1e-9)
    assert exact.variance == pytest.approx(v, abs=1e-9)
    assert exact.p_value == pytest.approx(p_exact, abs=1e-12)
    asymptotic = permutation_outcome(*data, how="asymptotic", transform=transform)
    assert asymptotic.z == pytest.approx(z, abs=1e-9)
    assert asymptotic.p_value == pytest.approx(p, abs=1e-9)
    assert (exact.difference, exact.variance, exact.z) == (
        asymptotic.difference,
        asymptotic.variance,
        asymptotic.z,
    )
    random = permutation_outcome(*data, how="monte-carlo", transform=transform, seed=2)
    assert abs(random.p_value - p_exact) < 4 * math.sqrt(p_exact * (1 - p_exact) / 10_000)
    assert random.p_value * 10_001 == pytest.approx(round(random.p_value * 10_001), abs=1e-8)


def test_steps_of_sample_q():
    assert swap_steps(*rows(Q1, Q2)).tolist() == [2, -4, 8, 0, 6, -7, 1]


def test_midranks_are_those_of_scipy():
    scores = np.array([3.0, -0.0, 2.0, 0.0, np.inf, 3.0, 3.0, -np.inf])
    assert doubled_midranks(scores).tolist() == (2 * rankdata(scores)).tolist()


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_exact_p_is_the_share_of_all_swaps(seed, ties):
    mask, first, second = random_rows(seed, 9, ties)
    for transform, change in (("none", np.asarray), ("rank", rankdata)):
        columns = (change(scores).tolist() for scores in (first, second))
        differences = swapped_differences(mask.tolist(), *columns)
        for alternative in ALTERNATIVES:
            outcome = permutation_outcome(
                mask, first, second, how="exact", transform=transform, alternative=alternative
            )
            assert Fraction(outcome.p_value) == share_as_extreme(differences, alternative)
            squares = sum(d * d for d in differences) / len(differences)
            assert outcome.variance == pytest.approx(float(squares), rel=1e-14)
            assert outcome.difference == float(differences[0])


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_exact_p_is_that_of_scipy_and_scikit_learn(alternative):
    mask, first, second = random_rows(5, 7)

    def difference(a, b):
        return roc_auc_score(mask, a) - roc_auc_score(mask, b)

    theirs = permutation_test(
        (first, second),
        difference,
        permutation_type="samples",
        vectorized=False,
        n_resamples=np.inf,
        alternative=alternative,
    )
    ours = permutation_outcome(
        mask, first, second, how="exact", transform="none", alternative=alternative
    )
    assert ours.p_value == pytest.approx(theirs.pvalue, abs=1e-12)


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


@pytest.mark.parametrize("n_steps", [1, 2, 7, 11])
def test_exact_p_of_any_steps(n_steps):
    rng = np.random.default_rng(n_steps)
    for scale in (1, 3):
        steps = scale * rng.integers(-6, 7, n_steps)
        steps[0] = scale  # one that moves
        sums = np.array(list(product((1, -1), repeat=n_steps))) @ steps
        shares = {
            "two-sided": np.mean(np.abs(sums) >= abs(sums[0])),
            "greater": np.mean(sums >= sums[0]),
            "less": np.mean(sums <= sums[0]),
        }
        for alternative, share in shares.items():
            assert exact_p(steps, alternative) == share


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_asymptotic_and_random_p_come_near_the_exact_one(alternative):
    data = random_rows(11, 150, gain=0.3)
    options = {"alternative": alternative}
    exact = permutation_outcome(*data, how="exact", **options)
    normal = permutation_outcome(*data, how="asymptotic", **options)
    random = permutation_outcome(*data, how="monte-carlo", seed=4, **options)
    assert normal.p_value == pytest.approx(exact.p_value, abs=0.005)
    assert abs(random.p_value - exact.p_value) < 4 * math.sqrt(exact.p_value / 10_000)
    sides = {"two-sided": 2 * norm.sf(abs(normal.z)), "greater": norm.sf(normal.z)}
    assert normal.p_value == pytest.approx(sides.get(alternative, norm.cdf(normal.z)), abs=1e-14)
    assert [outcome.how for outcome in (exact, normal, random)] == [
        "exact",
        "asymptotic",
        "monte-carlo",
    ]


def test_auto_is_exact_where_affordable_and_says_so():
    small, large = random_rows(0, 60), random_rows(0, 1500)
    assert permutation_outcome(*small, how="auto").how == "exact"
    assert permutation_outcome(*small, how="auto") == permutation_outcome(*small, how="exact")
    assert permutation_outcome(*large, how="auto") == permutation_outcome(*large, how="asymptotic")
    with pytest.raises(ValueError, match=r"1,500 subjects.*Monte Carlo.*asymptotic"):
        permutation_outcome(*large, how="exact")


def test_two_hundred_subjects_take_far_less_than_a_second():
    data = random_rows(2, 200)
    started = time.perf_counter()
    permutation_outcome(*data, how="exact")
    assert time.perf_counter() - started < 1.0


@pytest.mark.parametrize("how", ["exact", "monte-carlo", "asymptotic"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_models_do_not_differ(how, alternative):
    mask, first, _ = random_rows(3, 20)
    for scores in (first, np.zeros(20)):
        outcome = permutation_outcome(mask, scores, scores, how=how, alternative=alternative)
        assert (outcome.difference, outcome.variance, outcome.z) == (0.0, 0.0, 0.0)
        assert outcome.p_value == 1.0


def test_ranks_and_infinite_scores():
    mask, first, second = random_rows(6, 12)
    stretched = np.where(first == first.max(), np.inf, np.exp(first))
    expected = permutation_outcome(mask, first, second, how="exact")
    assert permutation_outcome(mask, stretched, second**3, how="exact") == expected
    raw = permutation_outcome(mask, stretched, second**3, how="exact", transform="none")
    assert raw.difference == expected.difference
    assert raw.variance != expected.variance


def test_replicates_depend_on_seed_and_number_alone(monkeypatch):
    whole = random_words(7, 0, 10, 9)
    parts = [random_words(7, start, stop, 9) for start, stop in ((0, 1), (1, 6), (6, 10))]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    assert len(np.unique(whole)) == whole.size
    for other in (random_words(8, 0, 10, 9), random_words(7, 0, 10, 9, stream=1)):
        assert not np.isin(other, whole).any()
    data = random_rows(8, 40)
    at_once = permutation_outcome(*data, how="monte-carlo", n_resamples=777, seed=3)
    monkeypatch.setattr(resampling, "CELLS_PER_CHUNK", 1000)
    in_pieces = permutation_outcome(*data, how="monte-carlo", n_resamples=777, seed=3)
    assert at_once == in_pieces
    assert at_once != permutation_outcome(*data, how="monte-carlo", n_resamples=777, seed=4)


def test_coins_are_fair_and_independent():
    bits = random_bits(1, 0, 4000, 70)
    assert bits.shape == (4000, 70)
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 5 * 0.5 / math.sqrt(4000)
    correlations = np.corrcoef(bits, rowvar=False)[np.triu_indices(70, 1)]
    assert np.abs(correlations).max() < 5.5 / math.sqrt(4000)


def test_progress_and_interruption(monkeypatch):
    monkeypatch.setattr(resampling, "CELLS_PER_CHUNK", 100)
    data = random_rows(9, 30)
    seen = []
    permutation_outcome(*data, how="monte-carlo", n_resamples=100, progress=seen.append)
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert seen[-1] == 1.0

    def stop(_done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        permutation_outcome(*data, how="monte-carlo", n_resamples=100, progress=stop)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"how": "quick"}, "`how` must be one of"),
        ({"how": "exact", "transform": "log"}, "`transform` must be one of"),
        ({"how": "exact", "alternative": "two.sided"}, "`alternative` must be one of"),
        ({"how": "monte-carlo", "n_resamples": 0}, "`n_resamples` must be a whole number"),
    ],
)
def test_unknown_options_are_named(options, words):
    with pytest.raises(ValueError, match=words):
        permutation_outcome(*rows(Q1, Q2), **options)


@pytest.mark.parametrize("transform", ["none", "rank"])
@pytest.mark.parametrize("how", ["exact", "asymptotic"])
def test_equal_curves_are_rejected_as_often_as_promised(how, transform):
    """Shares of p at or below the level, within 4 standard errors of 1,500 samples."""
    ps = np.array(
        [
            permutation_outcome(*random_rows(seed, 40), how=how, transform=transform).p_value
            for seed in range(1500)
        ]
    )
    for level in (0.05, 0.2, 0.5):
        error = math.sqrt(level * (1 - level) / len(ps))
        assert abs(np.mean(ps <= level) - level) < 4 * error
    better = [
        permutation_outcome(*random_rows(seed, 60, gain=1.5), how=how, transform=transform).p_value
        for seed in range(50)
    ]
    assert np.mean(np.array(better) <= 0.05) > 0.8


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_drawn_swaps_are_counted_one_by_one(threads, alternative, monkeypatch):
    monkeypatch.setattr(resampling, "CELLS_PER_THREAD", 100)
    mask, first, second = random_rows(4, 90, gain=0.4)
    steps = swap_steps(mask, doubled_midranks(first), doubled_midranks(second))
    turned = 2 * random_bits(7, 0, 300, 90).astype(np.int64) - 1
    sums, total = turned @ steps, steps.sum()
    extreme = {"two-sided": abs(sums) >= abs(total), "greater": sums >= total}
    counted = np.count_nonzero(extreme.get(alternative, sums <= total))
    with rw.threads(threads):
        found = permutation_outcome(
            mask, first, second, how="monte-carlo", alternative=alternative, n_resamples=300, seed=7
        )
    assert found.p_value == (counted + 1) / 301
