"""Cost curves and the H-measure."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

import rocwise as rw
from rocwise.binary import cost_lines, roc_points

Y = [0, 0, 1, 0, 1, 0, 1, 1]
M = [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]


def rows(seed, n=80, shift=0.8):
    rng = np.random.default_rng(seed)
    y = np.r_[0, 1, (rng.random(n - 2) < 0.4).astype(int)]
    return y, np.round(rng.normal(shift * y), 1)


def least_cost(y, s, pc):
    """Every threshold tried, the one above all scores too."""
    y, s = np.asarray(y), np.asarray(s)
    cuts = [np.inf, *np.unique(s)]
    rates = [((s[y == 1] < t).mean(), (s[y == 0] >= t).mean()) for t in cuts]
    return min(fnr * pc + fpr * (1 - pc) for fnr, fpr in rates)


def test_vector():
    assert rw.cost_curve(Y, M).at([0.25, 0.5, 0.75]) == pytest.approx([0.1875, 0.25, 0.125])


@pytest.mark.parametrize("seed", range(4))
def test_the_envelope_by_brute_force(seed):
    y, s = rows(seed)
    curve = rw.cost_curve(y, s)
    for pc in np.linspace(0, 1, 41):
        assert curve.at(pc) == pytest.approx(least_cost(y, s, pc), abs=1e-12)
    assert (curve.probability_cost[0], curve.probability_cost[-1]) == (0, 1)
    assert (curve.cost[0], curve.cost[-1]) == (0, 0)
    assert np.all(np.diff(curve.probability_cost) > 0)
    assert np.all(curve.cost <= curve.trivial() + 1e-12)  # trivial classifiers are thresholds too
    middles = (curve.probability_cost[1:] + curve.probability_cost[:-1]) / 2
    lines = (1 - curve.tpr) * middles + curve.fpr * (1 - middles)
    np.testing.assert_allclose(lines, curve.at(middles), atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_curve_and_the_hull_agree(seed):
    y, s = rows(seed)
    hull, back = rw.hull(y, s), rw.cost_curve(y, s).hull()
    np.testing.assert_allclose(back.fpr, hull.fpr, atol=1e-15)
    np.testing.assert_allclose(back.tpr, hull.tpr, atol=1e-15)
    assert back.auc == pytest.approx(hull.auc)
    assert back.thresholds.tolist() == hull.thresholds.tolist()


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_points_become_lines_and_lines_points(direction):
    y, s = rows(3)
    s = s if direction == "higher" else -s
    roc = rw.roc(y, s, direction=direction)
    curve = rw.cost_curve(y, s, direction=direction)
    lines = curve.lines()
    assert lines.thresholds.tolist() == roc.thresholds.tolist()
    fpr, tpr = roc_points(lines.at_zero, lines.at_one)
    np.testing.assert_allclose(np.c_[fpr, tpr], np.c_[roc.fpr, roc.tpr], atol=1e-15)
    again = cost_lines(fpr, tpr)
    np.testing.assert_allclose(again.at_one, lines.at_one, atol=1e-15)
    places = np.linspace(0, 1, 31)
    np.testing.assert_allclose(lines.at(places).min(axis=0), curve.at(places), atol=1e-12)
    np.testing.assert_allclose(lines.at(places)[0], places)  # always negative
    np.testing.assert_allclose(lines.at(places)[-1], 1 - places)  # always positive
    assert np.isfinite(curve.hull().thresholds[1:]).all()
    assert "thresholds" in lines.to_frame()
    assert "data" not in curve.to_dict()


def test_a_perfect_curve_has_a_hull_with_the_last_score():
    assert rw.cost_curve([0, 0, 1], [1, 2, 3]).hull().thresholds.tolist() == [np.inf, 3.0, 1.0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cost_lines(1.2, 0.5), "`fpr` must contain rates from 0 to 1; got 1.2"),
        (lambda: cost_lines(0.2, np.nan), "`tpr` must contain finite numbers; got nan"),
        (lambda: cost_lines([0.1, 0.2], 0.5), "must have one length; got 2 and 1"),
        (lambda: roc_points("a", 0.5), "`at_zero` must contain numbers; got 'a'"),
        (lambda: roc_points(0.5, [[0.1]]), "`at_one` must contain numbers"),
        (lambda: cost_lines(0.1, 0.5).at(2), "`probability_cost`"),
    ],
)
def test_rates_of_lines_are_checked(call, message):
    with pytest.raises(rw.InputError, match=message):
        call()


def test_useful_range():
    y, s = rows(1)
    low, high = rw.cost_curve(y, s).useful_range()
    for pc in np.linspace(0.01, 0.99, 99):
        helps = least_cost(y, s, pc) < min(pc, 1 - pc) - 1e-12
        assert helps == (low < pc < high)
    useless = rw.cost_curve([0, 1, 0, 1], [1, 1, 2, 2])
    assert "no threshold beats" in repr(useless)
    assert useless.area == pytest.approx(0.25)
    perfect = rw.cost_curve([0, 0, 1], [1, 2, 3])
    assert perfect.useful_range() == (0.0, 1.0)
    assert perfect.area == 0


def expected_h(y, s, severity):
    y, s = np.asarray(y), np.asarray(s)
    prevalence = y.mean()
    prior = beta(2, 1 + 1 / severity)
    cuts = [np.inf, *np.unique(s)]
    rates = [((s[y == 1] < t).mean(), (s[y == 0] >= t).mean()) for t in cuts]

    def loss(c):
        return min(c * (1 - prevalence) * fpr + (1 - c) * prevalence * fnr for fnr, fpr in rates)

    def trivial(c):
        return min(c * (1 - prevalence), (1 - c) * prevalence)

    areas = [
        sum(
            quad(lambda c, f=f: f(c) * prior.pdf(c), a, a + 0.02, epsabs=1e-13)[0]
            for a in np.arange(0, 1, 0.02)
        )
        for f in (loss, trivial)
    ]
    return 1 - areas[0] / areas[1]


@pytest.mark.parametrize("severity", [None, 0.2, 3.0])
def test_h_measure_by_quadrature(severity):
    y, s = rows(2, n=30)
    used = y.sum() / (1 - y).sum() if severity is None else severity
    found = rw.h_measure(y, s, severity=severity)
    assert found == pytest.approx(expected_h(y, s, used), abs=1e-7)


def test_h_measure_at_its_ends():
    assert rw.h_measure([0, 0, 1], [1, 2, 3]) == pytest.approx(1.0)
    assert rw.h_measure([0, 1, 0, 1], [1, 1, 2, 2]) == pytest.approx(0.0)


@pytest.mark.parametrize("severity", [0, -1, np.nan])
def test_severity_is_checked(severity):
    with pytest.raises(rw.InputError, match="`severity`"):
        rw.h_measure([0, 1], [1, 2], severity=severity)


@pytest.mark.parametrize("function", [cost_lines, roc_points])
def test_no_points_raise(function):
    with pytest.raises(rw.InputError, match="empty"):
        function([], [])


@pytest.mark.parametrize("light", [0, 1])
def test_the_h_measure_goes_to_a_limit_as_a_class_weighs_ever_less(light):
    y = np.array([0, 1, 0, 1, 0])
    scores = [0.1, 0.5, 0.7, 0.9, 0.2]
    little, hardly, nothing = (
        rw.h_measure(y, scores, sample_weight=np.where(y == light, weight, 1.0))
        for weight in (1e-9, 1e-12, 1e-25)
    )
    assert hardly == pytest.approx(nothing, rel=1e-11)
    assert little == pytest.approx(nothing, rel=1e-8)
    assert 0 < nothing < 1
