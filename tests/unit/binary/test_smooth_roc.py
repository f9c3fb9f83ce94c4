"""The smooth ROC curve: the specification's values, its errata, its errors."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest

import rocwise as rw
from oracles.smooth_areas import curve_by_rows, printed_smooth_area, smooth_area
from rocwise.data.smooth_steps import theta

VECTORS = {
    "A": {
        "y": [1, 1, 0, 1, 0, 0],
        "s": [0.9, 0.7, 0.6, 0.4, 0.3, 0.1],
        "auc": 0.8888888889,
        "midpoint": 0.5,
        "estimated": 0.7777777778,
        "calibrated": 0.7777777778,
        "printed": 0.36,
        "alphas": (3.0, 3.0),
    },
    "B": {
        "y": [1, 0, 1, 0, 1, 0, 0, 1],
        "s": [0.9, 0.9, 0.8, 0.5, 0.5, 0.5, 0.2, 0.2],
        "auc": 0.5625,
        "midpoint": 0.5625,
        "estimated": 0.5282840981,
        "calibrated": 0.5282840981,
        "printed": 0.2567567568,
        "alphas": (4.3, 3.7),
    },
    "C": {
        "y": [1, 1, 0, 0, 0],
        "s": [1.0, 0.0, 1.0, 0.0, 0.0],
        "auc": 0.5833333333,
        "midpoint": 0.5,
        "estimated": 0.5833333333,
        "calibrated": 0.5833333333,
        "printed": 0.0,
        "alphas": (2.0, 3.0),
    },
    "Anna": {
        "y": [1, 1, 1, 0, 0, 0],
        "s": [0.99, 0.7, 0.52, 0.4, 0.3, 0.1],
        "auc": 1.0,
        "midpoint": 0.5016666667,
        "estimated": 0.8205591173,
        "calibrated": 0.8205591173,
        "printed": 0.314786831,
        "alphas": (3.01, 2.99),
    },
    "Jan": {
        "y": [1, 1, 0, 0, 0, 0],
        "s": [0.9, 0.8, 0.6, 0.4, 0.35, 0.05],
        "auc": 1.0,
        "midpoint": 0.775,
        "estimated": 0.8225806452,
        "calibrated": 0.8114571746,
        "printed": 0.3359288098,
        "alphas": (2.9, 3.1),
    },
}
vectors = pytest.mark.parametrize("case", VECTORS.values(), ids=VECTORS.keys())
MISLEADING = ([1, 0, 0, 0, 0], [0.95, 0.9, 0.9, 0.8, 0.1])


@vectors
def test_vectors(case):
    estimated = rw.smooth_roc(case["y"], case["s"])
    calibrated = rw.smooth_roc(case["y"], case["s"], midpoint="calibrated")
    assert rw.auc(case["y"], case["s"]).value == pytest.approx(case["auc"], abs=1e-9)
    assert estimated.midpoint == pytest.approx(case["midpoint"], abs=1e-9)
    assert estimated.auc == pytest.approx(case["estimated"], abs=1e-9)
    assert calibrated.auc == pytest.approx(case["calibrated"], abs=1e-9)
    assert (calibrated.alpha_v, calibrated.alpha_h) == pytest.approx(case["alphas"], abs=1e-9)


@vectors
def test_the_printed_psi_is_not_the_area_under_the_curve(case):
    y, s = case["y"], case["s"]
    points = curve_by_rows(y, s, 0.5)
    area = np.trapezoid(points[:, 1], points[:, 0])
    printed = printed_smooth_area(y, s, 0.5)
    assert printed == pytest.approx(case["printed"], abs=1e-9)
    assert abs(printed - area) > 0.1
    assert smooth_area(y, s, 0.5) == pytest.approx(area, abs=1e-14)
    assert rw.smooth_roc(y, s, midpoint=0.5).auc == pytest.approx(area, abs=1e-14)


def test_the_curve_of_tied_scores():
    case = VECTORS["B"]
    curve = rw.smooth_roc(case["y"], case["s"], midpoint=0.5)
    expected = [
        (0.0, 0.0),
        (0.2702702703, 0.2325581395),
        (0.3243243243, 0.4186046512),
        (0.7297297297, 0.7674418605),
        (1.0, 1.0),
    ]
    np.testing.assert_allclose(np.c_[curve.x, curve.y], expected, atol=1e-9)
    assert curve.scores.tolist() == [math.inf, 0.9, 0.8, 0.5, 0.2]


def test_a_score_equal_to_the_midpoint_moves_the_curve():
    y, s = [1, 1, 0, 0], [0.8, 0.4, 0.4, 0.2]
    curve = rw.smooth_roc(y, s, midpoint=0.4)
    of_positives, of_negatives = theta(np.array(s), 0.4)
    found = np.where(np.array(y) == 1, of_positives, of_negatives)
    np.testing.assert_allclose(found, [0.8, 0.4, 0.6, 0.2], atol=1e-12)
    np.testing.assert_allclose(
        np.c_[curve.x, curve.y], [(0, 0), (0.1, 0.4), (0.6, 0.9), (1, 1)], atol=1e-12
    )
    assert curve.auc == pytest.approx(0.725, abs=1e-12)
    # strict comparisons as in the printed algorithm leave the two tied cases without a move
    strict = sum(v if v > 0.4 else 0.0 for v in s[:2]) + sum(v if v < 0.4 else 0.0 for v in s[2:])
    assert strict == pytest.approx(curve.alpha_v - 0.4 - 0.6)


def test_the_midpoint_between_class_means_is_rounded_once():
    rng = np.random.default_rng(5)
    y, s = np.arange(99) % 3 == 0, rng.random(99)
    means = [
        sum(map(Fraction, s[y == label].tolist())) / int((y == label).sum()) for label in (0, 1)
    ]
    assert rw.smooth_roc(y, s, midpoint="class-means").midpoint == float(sum(means) / 2)


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("rescale", [False, True])
def test_a_midpoint_inside_the_unit_interval_but_beyond_the_scores_is_warned_of(direction, rescale):
    y, s = [0, 0, 1, 1, 1], np.array([2, 4, 3, 5, 7]) / 16
    s = 1 - s if direction == "lower" else s
    for midpoint in (1 / 16, 2 / 16, 8 / 16):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            rw.smooth_roc(y, s, midpoint=midpoint, direction=direction, rescale=rescale)
        assert [each.category for each in caught] == [rw.errors.MidOutOfRangeWarning] * (
            not rescale
        )


def test_a_midpoint_beyond_the_scores_is_warned_of():
    y, s = MISLEADING
    with pytest.warns(rw.errors.MidOutOfRangeWarning, match=r"1\.825.*midpoint='calibrated'"):
        trap = rw.smooth_roc(y, s)
    assert trap.midpoint == pytest.approx(1.825, abs=1e-12)
    assert trap.auc == pytest.approx(0.5, abs=1e-9)  # of a perfect ranking
    assert rw.auc(y, s).value == 1.0
    assert rw.smooth_roc(y, s, midpoint=0.5).auc == pytest.approx(0.8108305002, abs=1e-9)
    means = rw.smooth_roc(y, s, midpoint="class-means")
    assert means.auc == pytest.approx(0.6653575858, abs=1e-9)


@pytest.mark.parametrize("midpoint", [0.0, -0.5, 1.5])
def test_a_given_midpoint_is_checked_too(midpoint):
    with pytest.warns(rw.errors.MidOutOfRangeWarning):
        rw.smooth_roc([0, 1, 1], [0.2, 0.4, 0.6], midpoint=midpoint)


def test_the_printed_class_ratio_contradicts_itself():
    """c = n+/n- makes the two sides of (1.2) equal; the printed c = n+/n does not."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        y = np.r_[1, 0, rng.integers(0, 2, 10)]
        s = rng.random(12)
        n_pos, n_neg = y.sum(), (1 - y).sum()
        m_pos, m_neg = s[y == 1].mean(), s[y == 0].mean()
        middle = s.sum() / (2 * n_pos)
        assert (m_pos + m_neg / (n_pos / n_neg)) / 2 == pytest.approx(middle, abs=1e-12)
        assert abs((m_pos + m_neg / (n_pos / 12)) / 2 - middle) > 1e-6


def test_the_slope_is_proportional_to_the_odds_not_to_the_score():
    y, s = VECTORS["A"]["y"], VECTORS["A"]["s"]
    curve = rw.smooth_roc(y, s, midpoint=0.5)
    slopes = np.diff(curve.y) / np.diff(curve.x)
    # rows 0 and 1 are positives above the midpoint
    odds = [0.9 / 0.1, 0.7 / 0.3]
    assert slopes[0] / slopes[1] == pytest.approx(odds[0] / odds[1])
    assert abs(slopes[0] / slopes[1] - 0.9 / 0.7) > 1


def test_scores_of_zero_and_one_give_the_roc_curve():
    y, s = VECTORS["C"]["y"], VECTORS["C"]["s"]
    curve, roc = rw.smooth_roc(y, s), rw.roc(y, s)
    np.testing.assert_allclose(curve.x, roc.fpr, atol=1e-15)
    np.testing.assert_allclose(curve.y, roc.tpr, atol=1e-15)


def test_weighted_values_outside_are_counted_as_rows():
    y, scores, weights = [0, 1, 0, 1, 0], [-1, 2, 2, 0.5, 2], [9, 8, 7, 6, 5]
    with pytest.raises(rw.InputError, match="has 4 values outside"):
        rw.smooth_roc(y, scores, sample_weight=weights)
    with pytest.raises(rw.InputError, match="has 4 values outside"):
        rw.decision_curve(y, scores, groups=[0, 1, 2, 3, 4])


def test_rescaling_is_by_request():
    y, logits = [0, 0, 1, 1], np.array([-3.0, 1.0, 0.5, 4.0])
    with pytest.raises(rw.InputError, match=r"from 0 to 1.*2 values outside.*-3 at row 0"):
        rw.smooth_roc(y, logits)
    rescaled = (logits + 3) / 7
    ours = rw.smooth_roc(y, logits, rescale=True, midpoint=0.6)
    assert ours.auc == pytest.approx(rw.smooth_roc(y, rescaled, midpoint=0.6).auc, abs=1e-12)
    with pytest.raises(rw.InputError, match="one value only"):
        rw.smooth_roc([0, 1], [2.0, 2.0], rescale=True)


@pytest.mark.parametrize(
    ("y", "s", "options", "message"),
    [
        ([0, 1, 1], [0.2, math.inf, 0.4], {}, "1 infinite value.*inf at row 1"),
        (
            [0, 1],
            [0.2, 0.3],
            {"midpoint": "half"},
            "finite number, or one of 'estimated'.*got 'half'",
        ),
        ([0, 1], [0.2, 0.3], {"midpoint": True}, "finite number, or one of.*got True"),
        ([0, 1], [0.2, 0.3], {"midpoint": np.float64(math.nan)}, r"finite number.*got nan\."),
        ([0, 1], [0.2, 0.3], {"midpoint": math.inf}, "`midpoint` must be a finite number"),
        ([1, 1, 0], [0.0, 0.0, 1.0], {"midpoint": 0.0}, "degenerate smROC"),
    ],
)
@pytest.mark.filterwarnings("ignore::rocwise.errors.MidOutOfRangeWarning")
def test_errors(y, s, options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.smooth_roc(y, s, **options)


def test_bins_have_no_scores():
    rng = np.random.default_rng(0)
    with pytest.raises(rw.InputError, match="binned"):
        rw.smooth_roc(rng.integers(0, 2, 500), rng.random(500), resolution=10)


def test_scores_that_round_to_the_same_value_keep_their_order():
    """1 - s is 1 for all of these, but they are not tied."""
    y, s = [1, 1, 0, 0], [1e-30, 2e-30, 3e-30, 0.5]
    curve = rw.smooth_roc(y, s, direction="lower")
    assert np.trapezoid(curve.y, curve.x) == pytest.approx(curve.auc, abs=1e-12)
    tied = rw.smooth_roc(y, [1e-30, 1e-30, 1e-30, 0.5], direction="lower")
    assert abs(tied.auc - curve.auc) > 0.01
