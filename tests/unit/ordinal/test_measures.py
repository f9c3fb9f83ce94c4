"""Measures of ordered classes: worked examples, intervals, tests against chance, errors."""

import itertools
import math
from itertools import permutations, product

import numpy as np
import pytest

import rocwise as rw
from oracles.ordered_chains import credit_of, pair_area, tensor
from oracles.ordinal_samples import B1, B1_OTHER, B2, WORKED
from rocwise.inputs.ordered_classes import rankings
from rocwise.ordinal.variances import chance_variance, shared_mean, subset_variance


@pytest.mark.parametrize("case", WORKED)
def test_worked_examples(case):
    (y, f), ties, *expected = case
    names = ("volume", "consecutive", "pairwise", "pairs")
    found = [rw.ordinal.auc(y, f, measure=name, ties=ties).value for name in names]
    methods = ("unbiased", "plug-in", "delong")
    found += [rw.ordinal.auc(y, f, ties=ties, method=m).standard_error ** 2 for m in methods]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_the_paper_values_of_an_example_with_ties_of_five_classes():
    y = [k for k in range(1, 6) for _ in range(3)]
    f = [1, 2, 3, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5]
    result = rw.ordinal.auc(y, f, ties="strict", method="plug-in")
    assert result.value == pytest.approx(1 / 3, abs=1e-10)
    assert result.standard_error**2 == pytest.approx(0.0740740741, abs=1e-10)


@pytest.mark.parametrize("measure", ["volume", "consecutive", "pairwise", "pairs"])
def test_two_classes_are_the_usual_area(measure):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    f = (y + rng.normal(size=60)).round(1)
    usual = rw.auc(y, f, method="delong")
    result = rw.ordinal.auc(y, f, measure=measure, method="delong")
    assert result.value == pytest.approx(usual.value, abs=1e-12)
    assert result.standard_error == pytest.approx(usual.standard_error, abs=1e-12)
    assert result.chance == 0.5
    np.testing.assert_allclose(list(result.interval), list(usual.interval), atol=1e-12)


def test_credit_is_the_mean_over_all_ways_to_break_ties():
    scores = (1, 2, 2, 2, 3)
    broken = [
        credit_of([s + 0.1 * place for s, place in zip(scores, order, strict=True)])
        for order in permutations(range(5))
    ]
    assert np.mean(broken) == pytest.approx(credit_of(scores), abs=1e-12)


def test_consecutive_is_the_mean_area_of_the_cuts():
    y, f = map(np.asarray, B2)
    cuts = [pair_area(y, f, [1], [2, 3]), pair_area(y, f, [1, 2], [3])]
    assert rw.ordinal.auc(y, f, measure="consecutive").value == pytest.approx(np.mean(cuts))


def test_pairs_counts_what_jonckheere_and_terpstra_count():
    y, f = map(np.asarray, B2)
    pairs = [(i, j) for i in range(10) for j in range(10) if y[i] < y[j]]
    counted = sum((f[i] < f[j]) + 0.5 * (f[i] == f[j]) for i, j in pairs)
    result = rw.ordinal.auc(y, f, measure="pairs").value
    assert result == pytest.approx(counted / len(pairs))
    # the statistic sums counts; the mean of the areas is another number with unequal classes
    assert rw.ordinal.auc(y, f, measure="pairwise").value * len(pairs) != pytest.approx(counted)


def test_the_printed_weights_of_pairs_fail():
    """(15) of Waegeman et al., 2/(r(r-1)) sum pi_k pi_l AUC, is not the fraction of pairs (14)."""
    y, f = [1, 1, 2, 2, 3, 3], [1, 3, 2, 5, 4, 6]
    areas = [pair_area(y, f, [a], [b]) for a, b in ((1, 2), (1, 3), (2, 3))]
    printed = 2 / (3 * 2) * sum(area / 9 for area in areas)
    ours = rw.ordinal.auc(y, f, measure="pairs").value
    assert printed == pytest.approx(rw.ordinal.auc(y, f, measure="pairwise").value / 9)
    assert ours == pytest.approx(rw.ordinal.auc(y, f, measure="pairwise").value)
    assert abs(printed - ours) > 0.5


def test_a_bad_score_is_below_one_half():
    """No measure is bounded by one half from below: the reversed order scores 0."""
    for measure in ("volume", "consecutive", "pairwise", "pairs"):
        assert rw.ordinal.auc([1, 2, 3], [3, 2, 1], measure=measure).value == 0.0


def test_many_classes_and_rows_do_not_overflow():
    y = np.repeat(np.arange(200), 3)
    assert rw.ordinal.auc(y, y).value == pytest.approx(1.0)
    rng = np.random.default_rng(2)
    y = rng.integers(0, 6, 50_000)  # products of sizes pass 1e23
    result = rw.ordinal.auc(y, rng.normal(size=50_000))
    assert abs(result.value - 1 / 720) < 5 * result.standard_error
    assert result.standard_error < 1e-4


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((3, 3, 4), 0.0217592593),
        ((10, 10, 10), 0.0056888889),
        ((50, 50, 50, 50), 0.0001207914),
        ((5, 4, 3, 2), 0.0038194444),
    ],
)
def test_variance_by_chance(sizes, expected):
    assert chance_variance(np.array(sizes, float), None) == pytest.approx(expected, abs=1e-10)


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@pytest.mark.parametrize("sizes", [(1, 4), (2, 2, 2), (1, 2, 3), (1, 1, 2, 2)])
@pytest.mark.parametrize("measure", ["volume", "consecutive", "pairwise", "pairs"])
def test_variance_by_chance_is_that_of_all_arrangements(sizes, measure):
    labels = sorted(set(permutations(np.repeat(range(len(sizes)), sizes).tolist())))
    values = [rw.ordinal.auc(y, range(len(y)), measure=measure).value for y in labels]
    y, f = labels[0], list(range(len(labels[0])))
    test = rw.ordinal.null_test(y, f, measure=measure)
    assert np.mean(values) == pytest.approx(test.chance, abs=1e-12)
    assert test.standard_error == pytest.approx(np.std(values), abs=1e-12)


def test_two_classes_by_chance_have_the_rank_sum_variance():
    test = rw.ordinal.null_test([0] * 4 + [1] * 7, range(11))
    assert test.standard_error**2 == pytest.approx(12 / (12 * 4 * 7))
    assert test.statistic == pytest.approx(0.5 / math.sqrt(12 / (12 * 28)))


def test_alternatives_of_the_test():
    y, f = B1
    both, up, down = (
        rw.ordinal.null_test(y, f, alternative=a).p_value for a in ("two-sided", "greater", "less")
    )
    assert both == pytest.approx(2 * up)
    assert up + down == pytest.approx(1.0)
    with pytest.raises(rw.InputError, match="ties='credit'"):
        rw.ordinal.null_test(*B2, ties="strict")


def test_separated_classes_get_an_interval_by_a_named_method():
    result = rw.ordinal.auc([1, 1, 2, 2, 3, 3], [1, 2, 3, 4, 5, 6])
    assert result.value == 1.0
    assert result.standard_error == 0.0
    assert result.interval.method == "Wilson (effective n)"
    bound = rw.ordinal.auc([1, 1, 2, 2, 3, 3], [1, 2, 3, 4, 5, 6], method="delong").interval
    assert bound.method == "Hoeffding bound"
    assert bound.low == pytest.approx(math.sqrt(0.025))
    tied = rw.ordinal.auc([1, 1, 2, 2, 3, 3], [7] * 6)
    assert tied.value == pytest.approx(1 / 6)
    assert tied.interval.low < 1 / 6 < tied.interval.high


def test_one_row_in_a_class_has_a_value_and_no_interval():
    result = rw.ordinal.auc([1, 2, 2, 3, 3], [1, 2, 3, 2.5, 5])
    assert result.value == pytest.approx(0.75)
    for what in ("standard_error", "interval"):
        with pytest.raises(rw.InputError, match="one row of class 1"):
            getattr(result, what)
    assert "no interval" in repr(result)
    assert result.to_dict()["interval"] is None
    assert result.to_frame()["low"].tolist() == [None]


def test_methods_of_the_interval():
    y, f = B1
    logit = rw.ordinal.auc(y, f, method="logit")
    assert 0 < logit.interval.low < logit.value < logit.interval.high < 1
    drawn = rw.ordinal.auc(y, f, method="bootstrap", n_resamples=300, rng=5)
    again = rw.ordinal.auc(y, f, method="bootstrap", n_resamples=300, rng=drawn.seed)
    assert list(drawn.interval) == list(again.interval)
    assert drawn.standard_error == pytest.approx(math.sqrt(0.0582), rel=0.15)  # that of (B11)
    with pytest.raises(rw.InputError, match="measure='volume'"):
        rw.ordinal.auc(y, f, measure="pairs", method="unbiased")
    for measure in ("consecutive", "pairwise", "pairs"):
        own = rw.ordinal.auc(y, f, measure=measure)
        other = rw.ordinal.auc(y, f, measure=measure, method="bootstrap", rng=2)
        assert other.standard_error == pytest.approx(own.standard_error, rel=0.3)


def test_comparison_of_rankers():
    y, f = B1
    first = rw.ordinal.auc(y, f)
    second = rw.ordinal.auc(y, B1_OTHER)
    for method, covariance, own in (
        ("delong", -0.0054012346, "delong"),
        ("unbiased", -0.0046296296, "unbiased"),
    ):
        result = rw.ordinal.compare(y, {"a": f, "b": B1_OTHER}, method=method)
        parts = [rw.ordinal.auc(y, s, method=own).standard_error ** 2 for s in (f, B1_OTHER)]
        assert result.difference == pytest.approx(first.value - second.value)
        assert result.standard_error**2 == pytest.approx(sum(parts) - 2 * covariance, abs=1e-9)
        assert result.statistic == pytest.approx(result.difference / result.standard_error)


def test_comparison_of_three_rankers_and_of_other_measures():
    rng = np.random.default_rng(4)
    y = np.repeat([1, 2, 3], 20)
    scores = {
        name: y * slope + rng.normal(size=60)
        for name, slope in zip("abc", (0.2, 1, 1), strict=True)
    }
    result = rw.ordinal.compare(y, scores)
    assert result.difference is None
    assert result.df == 2
    assert result.p_value < 0.01
    assert len(result.pairwise["first"]) == 3
    two = rw.ordinal.compare(y, {"a": scores["a"], "b": scores["b"]}, measure="pairs")
    drawn = rw.ordinal.compare(
        y, {"a": scores["a"], "b": scores["b"]}, measure="pairs", method="bootstrap", rng=1
    )
    assert drawn.standard_error == pytest.approx(two.standard_error, rel=0.15)
    assert drawn.seed == 1
    same = rw.ordinal.compare(y, {"a": scores["a"], "b": scores["a"]})
    assert (same.difference, same.p_value) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (([1, 2], [1, 2, 3]), {}, "`y_true` has 2 values but `y_score` has 3"),
        (([], []), {}, "`y_true` is empty"),
        (([1, 1], [1, 2]), {}, "at least two classes"),
        (([1, 2, 2], [1, np.nan, 3]), {}, "1 missing value .first at row 1"),
        (([1, 2, 2], [1, np.inf, 3]), {}, "1 infinite value .first at row 1"),
        (([1, 2], ["a", "b"]), {}, "must contain numbers"),
        (([1, 2], [1, 2]), {"measure": "vus"}, "`measure` must be one of"),
        (([1, 2], [1, 2]), {"ties": "half"}, "`ties` must be one of"),
        (([1, 2], [1, 2]), {"level": 95}, "`level`"),
        (([1, 2], [1, 2]), {"order": [1, 2, 3]}, "`order` names 3, of which there is no row"),
        (([1, 2], [1, 2]), {"order": [1, 3]}, "has 2 .row 1., which is not among"),
        (([1, 2], [1, 2]), {"order": [1]}, "`order` must list 2 to 256"),
        ((np.arange(300), np.arange(300)), {}, "at most 256"),
        (([1, 2], [1, 2]), {"decimals": -1}, "`decimals`"),
    ],
)
def test_errors(arguments, options, words):
    with pytest.raises(rw.InputError, match=words):
        rw.ordinal.auc(*arguments, **options)


def test_direction_rounding_and_missing_rows():
    y, f = B1
    assert rw.ordinal.auc(y, [-s for s in f], direction="lower").value == pytest.approx(4 / 9)
    assert rw.ordinal.auc(y, np.asarray(f) + 1e-9 * np.arange(10), decimals=6).value == (
        pytest.approx(4 / 9)
    )
    dropped = rw.ordinal.auc([*y, 1], [*f, None], missing="drop")
    assert dropped.value == pytest.approx(4 / 9)
    assert "1 row with missing values left out" in repr(dropped)


def test_best_order_of_the_classes():
    y, f = ["b", "b", "a", "a", "c", "c"], [1, 2, 3, 5, 4, 6]
    result = rw.ordinal.best_order(y, f)
    every = {
        order: rw.ordinal.auc(y, f, order=list(order), ties="strict").value
        for order in permutations("abc")
    }
    assert result.order == ("b", "a", "c")
    assert result.value == max(every.values())
    np.testing.assert_allclose(sorted(result.volumes), sorted(every.values()))
    with pytest.raises(rw.InputError, match="7"):
        rw.ordinal.best_order(range(8), range(8))


def test_a_bootstrap_without_variance_gives_no_single_point():
    """All scores tied: every resample has the same value but for rounding."""
    y_true = np.repeat([0, 1, 2], 4)
    found = rw.ordinal.auc(y_true, np.ones(12), method="bootstrap", rng=1)
    assert found.interval.high - found.interval.low > 0.5
    assert "Hoeffding" in found.interval.method


def ranking_of(y, f):
    return rankings(y, {"s": f}, arguments={"s": "y_score"})["s"]


@pytest.mark.parametrize("ties", ["credit", "strict"])
def test_unbiased_over_all_samples(ties):
    """Two rows of each of three classes with values 0, 1, 2: all 729 samples, equally likely."""
    y = [0, 0, 1, 1, 2, 2]
    values, variances = [], []
    known = {}
    for f in product(range(3), repeat=6):
        key = tuple(sorted(f[:2]) + sorted(f[2:4]) + sorted(f[4:]))
        if key not in known:
            ranking = ranking_of(y, f)
            h = tensor(y, f, strict=ties == "strict")
            known[key] = h.mean(), subset_variance(ranking, ties, "unbiased")
        value, variance = known[key]
        values.append(value)
        variances.append(variance)
    assert np.mean(variances) == pytest.approx(np.var(values), abs=1e-13)


def test_means_over_shared_rows():
    y, f = [0, 0, 1, 1, 1, 2, 2], [1, 2, 2, 3, 1, 2, 4]
    h = tensor(y, f)
    own = ranking_of(y, f).proportions
    assert shared_mean(own, (), strict=False) == pytest.approx(h.mean() ** 2)
    assert shared_mean(own, (0, 1, 2), strict=False) == pytest.approx((h**2).mean())
    assert shared_mean(own, (1,), strict=False) == pytest.approx((h.mean((0, 2)) ** 2).mean())
    assert shared_mean(own, (0, 2), strict=False) == pytest.approx((h.mean(1) ** 2).mean())


def test_limits_of_sums_over_subsets():
    y = np.repeat(np.arange(9), 2)
    with pytest.raises(rw.InputError, match="at most 8"):
        rw.ordinal.auc(y, y, method="unbiased").standard_error  # noqa: B018
    many = np.repeat([0, 1], 2500)
    scores = {"a": np.arange(5000), "b": np.arange(5000) % 7}
    with pytest.raises(rw.InputError, match="4,000 rows"):
        rw.ordinal.compare(many, scores, method="unbiased")
    big = rw.ordinal.auc(np.arange(60_000) % 3, np.arange(60_000), method="unbiased")
    small = rw.ordinal.auc(np.arange(60_000) % 3, np.arange(60_000))
    assert big.standard_error == pytest.approx(small.standard_error, rel=1e-3)


def test_a_negative_estimate_raises(monkeypatch):
    monkeypatch.setattr("rocwise.ordinal.variances.subset_variance", lambda *_: -0.01)
    result = rw.ordinal.auc([0, 0, 1, 1], [1, 3, 2, 4], method="unbiased")
    with pytest.raises(rw.InputError, match="negative variance"):
        result.interval  # noqa: B018


RNG = np.random.default_rng(11)
N = 66
GROUPS = RNG.integers(0, 20, N)
STAGE = np.clip(np.round(1 + RNG.normal(size=20)[GROUPS] + RNG.normal(size=N)), 0, 2).astype(int)
SCORE = np.round(STAGE + RNG.normal(size=20)[GROUPS] + RNG.normal(size=N), 1)
WEIGHTS = RNG.integers(0, 4, N)
TIES = ("credit", "strict")


@pytest.mark.parametrize("ties", TIES)
def test_the_weighted_volume_is_the_mean_credit_of_weighted_chains(ties):
    rows = np.flatnonzero(WEIGHTS)[:24]
    y, s, w = STAGE[rows], SCORE[rows], WEIGHTS[rows]
    total = credit = 0.0
    for chain in itertools.product(*(np.flatnonzero(y == k) for k in range(3))):
        a, b, c = s[list(chain)]
        earned = 0.0
        if a <= b <= c:
            run = 3 if a == b == c else 2 if a == b or b == c else 1
            earned = 1 / math.factorial(run) if ties == "credit" else float(run == 1)
        weight = np.prod(w[list(chain)])
        total, credit = total + weight, credit + weight * earned
    result = rw.ordinal.auc(y, s, sample_weight=w, ties=ties)
    assert result.value == pytest.approx(credit / total, rel=1e-12)


@pytest.mark.parametrize("given", [{"sample_weight": 1.0 + WEIGHTS}, {"groups": GROUPS}])
def test_two_classes_have_the_standard_error_of_auc(given):
    y = (STAGE > 0).astype(int)
    here, there = rw.ordinal.auc(y, SCORE, **given), rw.auc(y, SCORE, method="delong", **given)
    assert here.value == pytest.approx(there.value, rel=1e-12)
    assert here.standard_error == pytest.approx(there.standard_error, rel=1e-9)


def test_rows_repeated_within_clusters_add_no_information():
    again = np.repeat(np.arange(N), 4)
    once = rw.ordinal.auc(STAGE, SCORE).standard_error
    naive = rw.ordinal.auc(STAGE[again], SCORE[again]).standard_error
    robust = rw.ordinal.auc(STAGE[again], SCORE[again], groups=again).standard_error
    assert robust == pytest.approx(once, rel=1e-9)
    assert naive < 0.6 * robust
    scores = {"a": SCORE[again], "b": -SCORE[again] + 3 * STAGE[again]}
    both = rw.ordinal.compare(STAGE[again], scores, groups=again)
    plain = rw.ordinal.compare(STAGE, {name: values[::4] for name, values in scores.items()})
    assert both.standard_error == pytest.approx(plain.standard_error, rel=1e-9)
    assert both.method == "paired cluster-robust DeLong, t distribution"


def test_a_measure_clearly_below_chance_is_warned_of_and_nothing_is_turned_round():
    words = np.array(["low", "mid", "high"])[STAGE]
    with pytest.warns(rw.errors.DirectionWarning, match=r"VUS is .*\(high < mid < low, and higher"):
        result = rw.ordinal.auc(words, SCORE, order=["high", "mid", "low"])
    assert result.value < 1 / 6
    with pytest.warns(rw.errors.DirectionWarning, match="and lower scores mean a higher class"):
        rw.ordinal.auc(STAGE, SCORE, direction="lower", measure="pairs")
    few = [2, 1, 0, 1]  # below chance, but so may anything be
    assert rw.ordinal.auc([0, 0, 1, 2], few).value < 1 / 6


@pytest.mark.parametrize("method", ["plug-in", "unbiased"])
def test_variances_of_equal_rows_raise_for_weights_and_name_alternatives(method):
    result = rw.ordinal.auc(STAGE, SCORE, sample_weight=1.0 + WEIGHTS, method=method)
    with pytest.raises(rw.InputError, match="use method='delong' or 'bootstrap'"):
        _ = result.interval


def test_a_class_in_one_cluster_has_no_interval():
    result = rw.ordinal.auc(STAGE, SCORE, groups=np.where(STAGE == 2, 99, GROUPS))
    assert not result.has_interval
    with pytest.raises(rw.InputError, match="at least two clusters of every class"):
        _ = result.standard_error


@pytest.mark.parametrize("given", [{"groups": GROUPS}, {"sample_weight": 1.0 + WEIGHTS}])
@pytest.mark.parametrize("measure", ["volume", "pairs"])
def test_the_test_against_chance_agrees_with_the_interval(given, measure):
    rng = np.random.default_rng(4)
    for shift in (0.0, 0.3, 0.6, 1.5):
        score = rng.normal(size=N) + shift * STAGE
        interval = rw.ordinal.auc(STAGE, score, measure=measure, **given).interval
        found = rw.ordinal.null_test(STAGE, score, measure=measure, **given)
        assert (found.p_value < 0.05) == (not interval.low <= found.chance <= interval.high)
        assert found.method == interval.method
    assert found.method in repr(found)
