"""ROC curves predicted from distributions: the specification's values, tables and errata."""

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris

import rocwise as rw
from oracles.printed_thresholds import printed_threshold
from rocwise.binary.densities import density_of, silverman
from rocwise.binary.predicted_roc import all_crossings

NORMALS = {  # m_N, s_N, m_P, s_P: best threshold, Ameans, AUC, threshold as printed
    (4, 3, 8, 2): (5.826109644, 0.7950544464, 0.8663712534, 16.57389036),
    (0, 1, 2, 2): (1.23758391, 0.7702701841, 0.8144533152, 1.23758391),
    (2, 1, 0, 3): (3.991946512, 0.5342319145, 0.2635446284, 3.991946512),
    (1, 2, 1, 1): (-0.3595559869, 0.5806686422, 0.5, 2.359555987),
    (0, 1.5, 1, 1.5): (0.5, 0.6305586598, 0.6813240559, 0.5),
}


def ameans(t, m_n, s_n, m_p, s_p):
    return (stats.norm.cdf(t, m_n, s_n) + stats.norm.sf(t, m_p, s_p)) / 2


@pytest.mark.parametrize("numbers", NORMALS, ids=str)
def test_normal_vectors(numbers):
    m_n, s_n, m_p, s_p = numbers
    found = rw.predict_roc((m_n, s_n), (m_p, s_p))
    threshold, best, auc, printed = NORMALS[numbers]
    assert found.best_threshold == pytest.approx(threshold, abs=1e-8)  # given to ten digits
    assert found.max_ameans == pytest.approx(best, abs=1e-9)
    assert found.auc == pytest.approx(auc, abs=1e-9)
    assert printed_threshold(*numbers) == pytest.approx(printed, abs=1e-8)


def test_the_printed_threshold_is_wrong_where_negatives_vary_more():
    rng = np.random.default_rng(8)
    for _ in range(150):
        m_n = rng.normal(0, 2)
        s_p = rng.uniform(0.5, 2)
        s_n = s_p * rng.uniform(1.3, 3)
        m_p = m_n + s_p * rng.uniform(-0.5, 2)  # where the gain is not lost in rounding
        ours = rw.predict_roc((m_n, s_n), (m_p, s_p))
        printed = ameans(printed_threshold(m_n, s_n, m_p, s_p), m_n, s_n, m_p, s_p)
        grid = np.linspace(-30, 30, 20001)
        best = ameans(grid, m_n, s_n, m_p, s_p).max()
        assert ours.max_ameans >= best - 1e-12
        assert ours.max_ameans == pytest.approx(best, abs=1e-5)
        assert printed <= 0.5 < ours.max_ameans
        mirrored = printed_threshold(m_p, s_p, m_n, s_n)  # the second row is right
        other = rw.predict_roc((m_p, s_p), (m_n, s_n))
        assert other.best_threshold == pytest.approx(mirrored, abs=1e-6)


def test_gamma_against_lognormal():
    found = rw.predict_roc(stats.gamma(2), stats.lognorm(0.5, scale=4))
    assert found.best_threshold == pytest.approx(2.500188707, abs=1e-9)
    assert found.max_ameans == pytest.approx(0.7695477948, abs=1e-9)
    assert found.crossings == pytest.approx([2.500188707], abs=1e-9)
    assert found.auc == pytest.approx(0.8534788093, abs=1e-9)
    assert found.binormal is None


def test_kernel_estimates():
    found = rw.predict_roc([0, 1, 2, 4], [1.5, 3, 5], bandwidth=(0.8, 0.6))
    assert found.best_threshold == pytest.approx(1.459637908, abs=1e-9)
    assert found.max_ameans == pytest.approx(0.6619830159, abs=1e-9)
    expected = [1.459637908, 3.725801669, 4.21674406, 8.256922134]
    assert found.crossings == pytest.approx(expected, abs=2e-9)
    assert found.auc == pytest.approx(0.7296054437, abs=1e-9)


def test_two_numbers_in_a_list_are_a_sample():
    sample = rw.predict_roc([0.0, 1.0], (0.5, 1.0))
    assert "kernel estimate of 2 values" in sample.negative
    assert sample.auc == pytest.approx(0.5)


@pytest.mark.parametrize(
    "classes",
    [
        ((0, 1), (1, 2)),
        (stats.gamma(2), stats.gamma(3)),
        ([0.0, 1.0, 3.0], stats.norm(2, 1)),
        (stats.expon(), [1.0, 2.0, 2.5]),
        (stats.t(2), stats.cauchy(1)),
    ],
    ids=["normal", "gamma", "kernels first", "kernels second", "heavy tails"],
)
def test_area_against_simulation_and_curve(classes):
    found = rw.predict_roc(*classes)
    assert np.trapezoid(found.tpr, found.fpr) == pytest.approx(found.auc, abs=2e-5)
    rng = np.random.default_rng(0)
    draws = [_drawn(given, rng) for given in classes]
    area = rw.auc([0] * 40000 + [1] * 40000, np.concatenate(draws))
    assert abs(area.value - found.auc) < 5 * area.standard_error
    assert found.ameans.max() <= found.max_ameans + 1e-12
    assert found.ameans.max() == pytest.approx(found.max_ameans, abs=1e-6)


def _drawn(given, rng, n=40000):
    if isinstance(given, tuple):
        return rng.normal(*given, n)
    if isinstance(given, list):
        values = np.array(given)
        return rng.choice(values, n) + rng.normal(0, silverman(values), n)
    return given.rvs(n, random_state=rng)


def test_normals_given_either_way_agree():
    pairs = [((0, 1), (1, 2)), ((1, 3), (0, 1))]
    for negative, positive in pairs:
        closed = rw.predict_roc(negative, positive)
        general = rw.predict_roc(stats.norm(*negative), stats.norm(*positive))
        assert general.auc == pytest.approx(closed.auc, abs=1e-9)
        assert general.best_threshold == pytest.approx(closed.best_threshold, abs=1e-9)
        assert general.max_ameans == pytest.approx(closed.max_ameans, abs=1e-12)


def test_equal_variance_and_no_discrimination():
    backwards = rw.predict_roc((1, 2), (0, 2))
    assert (backwards.best_threshold, backwards.max_ameans) == (math.inf, 0.5)
    assert "no threshold beats chance" in repr(backwards)
    assert rw.predict_roc((1, 2), (1, 2)).crossings.size == 0


def test_nearly_equal_variances_lose_no_digits():
    exact = rw.predict_roc((0, 1), (1, 1)).best_threshold
    for gap in (1e-6, 1e-9, 1e-12, -1e-12):
        close = rw.predict_roc((0, 1), (1, 1 + gap)).best_threshold
        assert close == pytest.approx(exact, abs=2e-6)


def test_densities_equal_on_a_stretch_give_its_lower_end():
    found = rw.predict_roc(stats.uniform(0, 1), stats.uniform(0.5, 1))
    assert found.best_threshold == pytest.approx(0.5, abs=1e-12)
    assert found.max_ameans == pytest.approx(0.75, abs=1e-12)
    disjoint = rw.predict_roc(stats.uniform(0, 1), stats.uniform(2, 1))
    assert (disjoint.auc, disjoint.max_ameans) == pytest.approx((1.0, 1.0))
    assert disjoint.best_threshold == pytest.approx(1.0, abs=1e-12)


def test_crossings_by_brute_force():
    negative = density_of([0.0, 4.0, 9.0], 0.5, "negative")
    positive = density_of([2.0, 6.0], 0.7, "positive")
    grid = np.linspace(-4, 13, 400001)
    gap = negative.pdf(grid) - positive.pdf(grid)
    places = grid[:-1][np.sign(gap[:-1]) != np.sign(gap[1:])]
    assert all_crossings(negative, positive) == pytest.approx(places, abs=1e-4)


def iris():
    data = load_iris()
    chosen = data.target > 0
    return data.data[chosen], (data.target[chosen] == 2).astype(int)


TABLE_IV = {  # closed AUC, Ameans, printed AUC, threshold step that reproduces it
    0: (78.70, 71.74, 78.47, 0.2),
    1: (67.49, 62.59, 67.35, 0.1),
    2: (96.27, 89.74, 96.22, 0.1),
    3: (98.07, 93.20, 97.93, 0.1),
}


@pytest.mark.parametrize("feature", TABLE_IV)
def test_iris_tables(feature):
    X, y = iris()
    x = X[:, feature]
    moments = [(x[y == k].mean(), x[y == k].std(ddof=1)) for k in (0, 1)]
    found = rw.predict_roc(*moments)
    auc, best, printed, step = TABLE_IV[feature]
    assert 100 * found.auc == pytest.approx(auc, abs=0.005)
    assert 100 * found.max_ameans == pytest.approx(best, abs=0.005)
    t = np.arange(-20, 40, step)
    fpr, tpr = (stats.norm.sf(t, *each) for each in moments)
    assert 100 * abs(np.trapezoid(tpr, fpr)) == pytest.approx(printed, abs=0.02)


TABLE_II = [
    (5.94, 6.59, 0.52, 0.64),
    (2.77, 2.97, 0.31, 0.32),
    (4.26, 5.55, 0.47, 0.55),
    (1.33, 2.03, 0.20, 0.27),
]


def test_iris_moments_and_distances():
    X, y = iris()
    for feature, printed in enumerate(TABLE_II):
        x = X[:, feature]
        found = [x[y == k].mean() for k in (0, 1)] + [x[y == k].std(ddof=1) for k in (0, 1)]
        assert [round(value, 2) for value in found] == list(printed)
    distances = [np.linalg.norm(X - X[y == k].mean(axis=0), axis=1) for k in (0, 1)]
    table = [[(d[y == k].mean(), d[y == k].std(ddof=1)) for k in (0, 1)] for d in distances]
    rounded = [[tuple(round(v, 2) for v in pair) for pair in row] for row in table]
    assert rounded == [[(0.71, 0.34), (1.74, 0.70)], [(1.70, 0.60), (0.82, 0.45)]]
    to_2 = rw.predict_roc(*table[0])
    to_3 = rw.predict_roc(*table[1], direction="lower")
    assert (100 * to_2.auc, 100 * to_2.max_ameans) == pytest.approx((90.87, 85.38), abs=0.005)
    assert (100 * to_3.auc, 100 * to_3.max_ameans) == pytest.approx((87.85, 80.13), abs=0.005)


def test_table_one():
    found = rw.predict_roc((4, 3), (8, 2))
    assert math.floor(10000 * found.max_ameans) / 100 == 79.50
    t = np.arange(-30, 40, 0.1)
    fpr, tpr = stats.norm.sf(t, 4, 3), stats.norm.sf(t, 8, 2)
    assert round(100 * abs(np.trapezoid(tpr, fpr)), 2) == 86.63


def test_planning_from_assumed_distributions():
    assumed = rw.predict_roc((0, 1), (1, 1.3))
    plan = rw.sample_size(assumed.binormal, null=0.6, power=0.9)
    assert plan.n_pos > 10
    assert rw.sample_size(assumed, null=0.6, power=0.9).n_pos > 10
    rng = np.random.default_rng(3)
    y = [0] * plan.n_neg + [1] * plan.n_pos
    hits = 0
    for _ in range(200):
        s = np.r_[rng.normal(0, 1, plan.n_neg), rng.normal(1, 1.3, plan.n_pos)]
        hits += rw.test_auc(y, s, null=0.6).p_value < 0.05
    assert hits / 200 == pytest.approx(0.9, abs=0.08)  # four standard errors


@pytest.mark.parametrize(
    ("negative", "positive", "options", "message"),
    [
        ((0, 0), (1, 1), {}, r"`negative` is the pair \(mean, sd\), whose sd must be above 0"),
        ((0, 1), (math.nan, 1), {}, "`positive` must be a finite number"),
        ([1.0, 1.0, 1.0], (1, 1), {}, r"`negative` is constant \(1\)"),
        ([1.0], (1, 1), {}, "at least two numbers"),
        ([1.0, math.inf], (1, 1), {}, "finite numbers; got inf at row 1"),
        ("normal", (1, 1), {}, "`negative` must be a pair"),
        (stats.poisson(2), (1, 1), {}, "continuous distribution; got the discrete poisson"),
        ((0, 1), (1, 1), {"bandwidth": (0.5, None)}, "`bandwidth` is for samples"),
        ([0.0, 1.0], [1.0, 2.0], {"bandwidth": 0.5}, r"pair \(h_negative, h_positive\)"),
        ([0.0, 1.0], [1.0, 2.0], {"bandwidth": (0.5, 0)}, "`bandwidth` must be above 0"),
        ((0, 1), (1, 1), {"direction": "up"}, "`direction` must be one of"),
    ],
)
def test_errors(negative, positive, options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.predict_roc(negative, positive, **options)


@pytest.mark.parametrize("pair", [(1e300, 1.0), (0.0, 1e300), (0.0, 1e-300)])
def test_numbers_whose_squares_overflow_raise(pair):
    with pytest.raises(rw.InputError, match=r"`negative`.*squares.*another unit"):
        rw.predict_roc(pair, (0, 1))


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("weight", [0.2, 0.5, 0.7])
def test_weighted_ameans(weight, direction):
    """The best threshold of normal classes is where the weighted densities cross."""
    sign = 1 if direction == "higher" else -1
    negative, positive = stats.norm(sign * 4, 3), stats.norm(sign * 8, 2)
    found = rw.predict_roc((sign * 4, 3), (sign * 8, 2), direction=direction, weight=weight)
    grid = np.linspace(-40, 40, 160_001)
    tails = (positive.sf, negative.cdf) if sign > 0 else (positive.cdf, negative.sf)
    means = weight * tails[0](grid) + (1 - weight) * tails[1](grid)
    assert found.max_ameans == pytest.approx(means.max(), abs=1e-7)
    assert found.best_threshold == pytest.approx(grid[means.argmax()], abs=1e-3)
    t = found.best_threshold
    assert weight * positive.pdf(t) == pytest.approx((1 - weight) * negative.pdf(t), rel=1e-9)
    assert found.ameans == pytest.approx(weight * found.tpr + (1 - weight) * (1 - found.fpr))


def test_extreme_weights_have_no_threshold():
    assert rw.predict_roc((0, 1), (1, 1), weight=0.0).best_threshold == np.inf
    every = rw.predict_roc((0, 1), (1, 1), weight=1.0)
    assert (every.best_threshold, every.max_ameans) == (-np.inf, 1.0)
    with pytest.raises(rw.InputError, match="`weight`"):
        rw.predict_roc((0, 1), (1, 1), weight=1.5)
