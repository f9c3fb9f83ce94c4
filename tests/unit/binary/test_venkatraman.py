import gzip
import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import rankdata

import rocwise as rw
from oracles.rearrangements import area_between, error_gaps, midrank_p, relabelled_areas
from oracles.spec_samples import P1, P2, Q1, Q2
from rocwise.binary import permutation
from rocwise.binary.permutation import venkatraman_paired, venkatraman_unpaired


def rows(one, two):
    """Labels and the two scores from (negatives, positives) of the same subjects."""
    mask = np.array([0] * len(one[0]) + [1] * len(one[1]), dtype=np.uint8)
    return mask, *(np.array([*sample[0], *sample[1]], dtype=float) for sample in (one, two))


def random_rows(seed, n, ties=False, scale=1.0):
    rng = np.random.default_rng(seed)
    mask = (np.arange(n) % 3 == 0).astype(np.uint8)
    first, second = (rng.normal(size=n) + mask for _ in range(2))
    second = np.where(mask, 1 + scale * (second - 1), second)
    return (mask, np.round(first), np.round(second)) if ties else (mask, first, second)


def random_samples(seed, sizes, scale=1.0, digits=9):
    """Negatives and positives of two samples; `scale` is that of the second's positives."""
    rng = np.random.default_rng(seed)
    neg_1, pos_1, neg_2, pos_2 = (rng.normal(size=size) for size in sizes)
    samples = neg_1, pos_1 + 1, neg_2, scale * pos_2 + 1
    return tuple(np.round(scores, digits) for scores in samples)


def in_row_order(scores):
    """Ranks with ties in the order of the rows."""
    return rankdata(scores, method="ordinal")


# --- paired -----------------------------------------------------------------------------------

SEVEN = ([1, 2, 4, 6], [3, 5, 7]), ([2, 1, 6, 3], [4, 7, 5])


@pytest.mark.parametrize(("pair", "e", "p"), [((Q1, Q2), 3, 0.828125), (SEVEN, 2, 0.875)])
def test_exact_values_of_the_specification(pair, e, p):
    outcome = venkatraman_paired(*rows(*pair), ties="midrank")
    assert (outcome.statistic, outcome.p_value) == (e, p)
    assert outcome.how == "exact"


def test_statistic_of_sample_p_depends_on_its_tie():
    mask, first, second = rows(P1, P2)
    settled = venkatraman_paired(mask, in_row_order(first), in_row_order(second), n_resamples=50)
    assert settled.statistic == 4
    found = {
        venkatraman_paired(mask, first, second, n_resamples=1, seed=seed).statistic
        for seed in range(40)
    }
    assert found == {4, 6}
    mean = venkatraman_paired(mask, first, second, n_resamples=2000)
    assert abs(mean.statistic - 5) < 4 / math.sqrt(mean.breakings)


def test_ties_are_broken_many_times():
    """The p value is the mean over tie-breakings: seeds agree to Monte Carlo error."""
    rng = np.random.default_rng(3)
    mask = np.arange(80) < 40
    first, second = (rng.integers(0, 5, 80) + mask * 1.0 for _ in range(2))
    found = [venkatraman_paired(mask, first, second, seed=seed).p_value for seed in range(12)]
    settled = [
        venkatraman_paired(mask, *(own + rng.random(80) / 2 for own in (first, second))).p_value
        for _ in range(100)
    ]
    assert np.std(found) < 0.03 < 0.1 < np.std(settled)
    assert abs(np.mean(found) - np.mean(settled)) < 3 * np.std(settled) / 10
    classes = (own[of] for own in (first, second) for of in (~mask, mask))
    neg_1, pos_1, neg_2, pos_2 = classes
    found = [
        venkatraman_unpaired(neg_1, pos_1, neg_2, pos_2, seed=seed).p_value for seed in range(12)
    ]
    assert np.std(found) < 0.03
    result = rw.compare(mask.astype(int), {"a": first, "b": second}, method="venkatraman", rng=1)
    assert result.method.endswith("monte-carlo, mean of 200 tie-breakings")


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n", [3, 6, 8])
def test_enumeration_with_midranks(n, ties):
    for seed in range(3):
        data = random_rows(seed, n, ties)
        outcome = venkatraman_paired(*data, ties="midrank")
        e, p = midrank_p(*(column.tolist() for column in data))
        assert (outcome.statistic, outcome.p_value) == (e, p)


@pytest.mark.parametrize("seed", range(3))
def test_random_swaps_with_midranks_come_near_the_enumeration(seed, monkeypatch):
    data = random_rows(seed, 11, ties=seed > 0, scale=3.0)
    exact = venkatraman_paired(*data, ties="midrank")
    monkeypatch.setattr(permutation, "LARGEST_ENUMERATION", 0)
    random = venkatraman_paired(*data, ties="midrank", n_resamples=5000, seed=seed)
    assert random.how == "monte-carlo"
    assert random.statistic == exact.statistic
    error = math.sqrt(exact.p_value * (1 - exact.p_value) / 5000)
    assert abs(random.p_value - exact.p_value) < 4 * error + 1 / 5000


@pytest.mark.parametrize("seed", range(3))
def test_swaps_with_ties_broken_by_coins(seed):
    """Every pattern of swaps and coins, ranked again from scratch."""
    mask, first, second = random_rows(seed, 5)
    r, s = rankdata(first), rankdata(second)
    statistics = []
    for coins in product((0, 1), repeat=10):
        swap, flip = np.array(coins[:5], dtype=bool), np.array(coins[5:])
        # rank v of model 1 goes before rank v of model 2, or after it by a coin
        keys = np.array([r + flip[r.astype(int) - 1] / 2, s + 0.25])
        one, two = np.where(swap, keys[::-1], keys)
        statistics.append(error_gaps(mask, rankdata(one), rankdata(two)))
    p = np.mean(np.array(statistics) >= statistics[0])
    outcome = venkatraman_paired(mask, first, second, n_resamples=20_000, seed=seed)
    assert outcome.statistic == statistics[0]
    assert abs(outcome.p_value - p) < 4 * math.sqrt(p * (1 - p) / 20_000) + 1 / 20_000


def test_statistic_is_the_sum_over_all_cuts():
    mask, first, second = random_rows(4, 200)
    outcome = venkatraman_paired(mask, first, second, n_resamples=20)
    assert outcome.statistic == error_gaps(mask, rankdata(first), rankdata(second))
    assert outcome.statistic == venkatraman_paired(mask, first, second, ties="midrank").statistic


# --- unpaired ---------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [9, 0])
@pytest.mark.parametrize("sizes", [(1, 1, 1, 1), (5, 3, 4, 6), (30, 10, 12, 50), (40, 40, 40, 40)])
def test_statistic_is_the_area_between_the_curves(sizes, digits):
    for seed in range(4):
        neg_1, pos_1, neg_2, pos_2 = random_samples(seed, sizes, scale=2.0, digits=digits)
        outcome = venkatraman_unpaired(neg_1, pos_1, neg_2, pos_2, ties="midrank", n_resamples=1)
        c = (sizes[1] + sizes[3]) / sum(sizes)
        expected = area_between((neg_1, pos_1), (neg_2, pos_2), c)
        assert outcome.statistic == pytest.approx(expected, abs=1e-14)
        if digits:
            broken = venkatraman_unpaired(neg_1, pos_1, neg_2, pos_2, n_resamples=1)
            assert broken.statistic == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(
    ("first", "second", "e"),
    [
        ("--++", "-+-+", 0.125),
        ("--++", "-++-", 0.25),
        ("--+", "-+-", 2 / 9),
        ("--+", "-+", 0.0),
        ("-+", "--++", 0.0),
    ],
)
def test_statistics_that_proc_gives_too(first, second, e):
    """Values of roc.test(method = "venkatraman", paired = FALSE), pROC 1.18.0."""
    scores = [
        np.array([place for place, label in enumerate(sample) if label == wanted])
        for sample in (first, second)
        for wanted in "-+"
    ]
    assert venkatraman_unpaired(*scores, n_resamples=1).statistic == pytest.approx(e, abs=1e-15)


@pytest.mark.parametrize(("sizes", "digits"), [((3, 3, 3, 2), 9), ((3, 2, 4, 3), 0)])
def test_relabelling_comes_near_the_enumeration(sizes, digits):
    for seed in range(2):
        neg_1, pos_1, neg_2, pos_2 = random_samples(seed, sizes, digits=digits)
        areas = np.array(relabelled_areas((neg_1, pos_1), (neg_2, pos_2)))
        p = np.mean(areas[1:] >= areas[0] - 1e-9)
        outcome = venkatraman_unpaired(
            neg_1, pos_1, neg_2, pos_2, ties="midrank", n_resamples=10_000, seed=seed
        )
        assert abs(outcome.p_value - p) < 4 * math.sqrt(p * (1 - p) / 10_000) + 1 / 10_000


def test_relabelling_breaks_ties_at_random():
    """With one case of each kind and equal sizes, every tie is a coin: all is known.

    The curves are -+ and +-, E = 1/2, and the pooled q are 1/4 for a negative and a positive,
    3/4 for a positive and a negative. Half of the relabellings keep or exchange the curves.
    The others tie the two cases of either sample: two coins, which differ half of the time.
    """
    one, two = np.array([1.0]), np.array([2.0])
    outcome = venkatraman_unpaired(one, two, two, one, n_resamples=20_000, seed=5)
    assert outcome.statistic == pytest.approx(0.5, abs=1e-15)
    assert abs(outcome.p_value - 0.75) < 4 * math.sqrt(0.75 * 0.25 / 20_000)
    shared = venkatraman_unpaired(one, two, two, one, ties="midrank", n_resamples=20_000, seed=5)
    assert abs(shared.p_value - 0.5) < 4 * math.sqrt(0.25 / 20_000)


# --- pROC on real data ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asah(data_folder):
    """Outcome and three markers of 113 patients, ties in the order of the rows."""
    with gzip.open(data_folder / "asah.csv.gz", "rt") as lines:
        names, *table = [line.rstrip("\n").split(",") for line in lines]
    columns = dict(zip(names, zip(*table, strict=True), strict=True))
    mask = np.array([label == "Poor" for label in columns["target"]], dtype=np.uint8)
    markers = {
        name: in_row_order(np.array(columns[name], dtype=float))
        for name in ("s100b", "ndka", "wfns")
    }
    return mask, markers


# pROC 1.18.0, roc.test(method = "venkatraman", boot.n = 10000), set.seed(11)
PROC = [
    ("ndka", 692, 0.2211, 0.0541154358211293, 0.1515),
    ("wfns", 578, 0.0204, 0.045187563630668, 0.1759),
]


@pytest.mark.parametrize(("marker", "e", "p", "e_unpaired", "p_unpaired"), PROC)
def test_both_tests_agree_with_proc(asah, marker, e, p, e_unpaired, p_unpaired):
    mask, markers = asah
    first, second = markers["s100b"], markers[marker]
    paired = venkatraman_paired(mask, first, second, n_resamples=10_000, seed=1)
    assert paired.statistic == e
    assert abs(paired.p_value - p) < 4 * math.sqrt(2 * p * (1 - p) / 10_000)
    classes = [scores[mask == label] for scores in (first, second) for label in (0, 1)]
    unpaired = venkatraman_unpaired(*classes, n_resamples=10_000, seed=1)
    # pROC starts its trapezoids at the end of the first case, where the curves differ here by
    # 2/113; the triangle it leaves out has the area 1/113**2
    assert unpaired.statistic == pytest.approx(e_unpaired + 113.0**-2, abs=1e-13)
    assert unpaired.statistic * 113**2 == pytest.approx(e, abs=1e-9)
    error = math.sqrt(2 * p_unpaired * (1 - p_unpaired) / 10_000)
    assert abs(unpaired.p_value - p_unpaired) < 4 * error


# --- both -------------------------------------------------------------------------------------


def paired(seed, n_resamples=199, **options):
    return venkatraman_paired(
        *random_rows(seed, 40, **options), n_resamples=n_resamples, seed=seed
    ).p_value


def unpaired(seed, n_resamples=199, **options):
    return venkatraman_unpaired(
        *random_samples(seed, (25, 15, 20, 30), **options), n_resamples=n_resamples, seed=seed
    ).p_value


def test_a_coarse_marker_with_midranks_is_warned_of():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 30)
    fine = rng.normal(size=60) + y
    scores = {"fine": fine, "coarse": np.digitize(fine, [0, 0.5, 1])}
    options = {"method": "venkatraman", "n_resamples": 50, "rng": 1}
    with pytest.warns(rw.errors.MisuseWarning, match="4 distinct scores and the other 60"):
        rw.compare(y, scores, ties="midrank", **options)
    rw.compare(y, scores, **options)  # ties broken at random: no ties
    rw.compare(y, {"a": fine, "b": fine[::-1]}, ties="midrank", **options)
