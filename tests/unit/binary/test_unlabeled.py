"""Thresholds without labels: the vectors, the errata, the propositions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.binary import rule_without_labels

P0 = np.array([0.95, 0.9, 0.9, 0.6, 0.55, 0.3, 0.2])  # probabilities of class 0
VECTORS = {  # skew: direct, rank, nroc, and equation (5) as printed, all as thresholds on P0
    1: (0.5, 0.6, 0.6285714286, 0.3714285714),
    2: (0.6666666667, 0.9, 0.7719298246, 0.5416666667),
    5: (0.8333333333, 0.9, 0.8943089431, 0.7471264368),
}
NROC = [
    (0.0, 0.0),
    (0.01923076923, 0.2159090909),
    (0.05769230769, 0.4204545455),
    (0.09615384615, 0.625),
    (0.25, 0.7613636364),
    (0.4230769231, 0.8863636364),
    (0.6923076923, 0.9545454545),
    (1.0, 1.0),
]
METHODS = ("direct", "rank", "nroc")
probabilities = st.lists(st.floats(0.001, 0.999), min_size=1, max_size=30)
skews = st.floats(0.01, 100)


def costs(skew):
    return rw.Costs(fp=1, fn=skew)


def printed_equation_5(p0, skew):
    """The last fraction upside down, as in the paper."""
    return 1 / (1 + (1 / skew) * (p0.sum() / (len(p0) - p0.sum())))


@pytest.mark.parametrize("skew", VECTORS)
def test_vectors(skew):
    for method, expected in zip(METHODS, VECTORS[skew], strict=False):
        on_p1 = rw.threshold_without_labels(1 - P0, costs=costs(skew), method=method)
        on_p0 = rw.threshold_without_labels(
            1 - P0, costs=costs(skew), method=method, orientation="class0"
        )
        assert on_p0 == pytest.approx(expected, abs=1e-9)
        assert on_p1 == pytest.approx(1 - expected, abs=1e-9)


@pytest.mark.parametrize("skew", VECTORS)
def test_hybrid_is_the_mean_of_rank_and_nroc(skew):
    _, rank, nroc, _ = VECTORS[skew]
    found = rw.threshold_without_labels(1 - P0, costs=costs(skew), method="hybrid")
    assert found == pytest.approx(1 - (rank + nroc) / 2, abs=1e-9)
    with pytest.raises(rw.InputError, match="probabilities from 0 to 1 for method='hybrid'"):
        rw.threshold_without_labels([0.5, 2.0], costs=costs(skew), method="hybrid")


@pytest.mark.parametrize("skew", VECTORS)
def test_the_fifth_equation_is_printed_upside_down(skew):
    assert printed_equation_5(P0, skew) == pytest.approx(VECTORS[skew][3], abs=1e-9)
    assert abs(VECTORS[skew][3] - VECTORS[skew][2]) > 0.1


def test_nroc_vector():
    curve = rw.nroc(P0)
    np.testing.assert_allclose(np.stack([curve.x, curve.y], axis=1), NROC, atol=1e-9)
    assert curve.expected_positives == pytest.approx(4.4)
    assert "area" in repr(curve)


@given(probabilities, skews)
def test_proposition_2_holds_for_ours_and_not_as_printed(p0, skew):
    """T_ROC is above T_Dir exactly when class 0 is expected to be the larger one."""
    p0 = np.array(p0)
    surplus = p0.sum() - (len(p0) - p0.sum())  # Sum1 is n - Sum0; the paper prints 1 - Sum0
    direct, ours = (
        rw.threshold_without_labels(1 - p0, costs=costs(skew), method=m, orientation="class0")
        for m in ("direct", "nroc")
    )
    if abs(surplus) > 1e-3 * len(p0):
        assert np.sign(ours - direct) == np.sign(surplus)
        assert np.sign(printed_equation_5(p0, skew) - direct) == -np.sign(surplus)


def test_the_second_sum_is_n_minus_the_first():
    """With 1 - Sum0 in its place, the sign of proposition 2 fails."""
    p0 = np.full(10, 0.4)
    direct, ours = (
        rw.threshold_without_labels(1 - p0, costs=costs(1), method=m, orientation="class0")
        for m in ("direct", "nroc")
    )
    assert ours < direct
    assert p0.sum() < len(p0) - p0.sum()
    assert p0.sum() > 1 - p0.sum()  # as printed, the opposite would follow


@given(st.integers(1, 40), skews)
def test_proposition_3(m, skew):
    """On evenly spaced probabilities the three methods agree for every skew."""
    p1 = np.arange(m + 1) / m
    direct, rank, by_nroc = (
        rw.threshold_without_labels(p1, costs=costs(skew), method=m) for m in METHODS
    )
    assert rank == pytest.approx(direct, abs=1e-9)
    assert by_nroc == pytest.approx(direct, abs=1e-9)


@given(probabilities, skews)
def test_direct_minimises_the_cost_that_the_scores_expect(p1, skew):
    p1 = np.array(p1)
    cut = rw.threshold_without_labels(p1, costs=costs(skew), method="direct")

    def expected(cut):
        called = p1 >= cut
        return np.where(called, 1 - p1, skew * p1).sum()

    least = min(expected(other) for other in [*p1, math.inf])
    assert expected(cut) <= least + 1e-9


@given(probabilities, skews)
def test_nroc_threshold_is_where_the_curve_has_the_slope_skew(p0, skew):
    """In the space of the paper: class 0 upwards, slope above skew exactly where P0 > T."""
    p0 = np.array(p0)
    cut = rw.threshold_without_labels(
        1 - p0, costs=costs(skew), method="nroc", orientation="class0"
    )
    slope = p0 / (1 - p0) * (len(p0) - p0.sum()) / p0.sum()
    clear = np.abs(slope / skew - 1) > 1e-9
    np.testing.assert_array_equal((slope > skew)[clear], (p0 > cut)[clear])


@given(probabilities)
def test_nroc_is_concave_and_ends_at_the_corners(p1):
    curve = rw.nroc(p1)
    assert (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1]) == (0, 0, 1, 1)
    right, up = np.diff(curve.x), np.diff(curve.y)
    assert np.all(up[:-1] * right[1:] >= up[1:] * right[:-1] - 1e-12)
    assert curve.auc >= 0.5 - 1e-12


def test_ends_of_the_skew():
    p1 = np.array([0.2, 0.5, 0.9])
    almost_free_alarms, almost_free_misses = rw.Costs(fp=1e-12, fn=1), rw.Costs(fp=1, fn=1e-12)
    ends = {"direct": (0.0, 1.0), "rank": (0.2, 0.9), "nroc": (0.0, 1.0)}
    for method, (low, high) in ends.items():
        least = rw.threshold_without_labels(p1, costs=almost_free_alarms, method=method)
        most = rw.threshold_without_labels(p1, costs=almost_free_misses, method=method)
        assert (least, most) == (pytest.approx(low, abs=1e-11), pytest.approx(high, abs=1e-11))
    assert rw.threshold_without_labels([0.3], costs=costs(7)) == 0.3


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("call", [rw.threshold_without_labels, rule_without_labels])
@pytest.mark.parametrize(
    "free", [rw.Costs(fp=0, fn=1), rw.Costs(fp=1, fn=0), rw.Costs(fp=3, fn=1, tn=3)]
)
def test_an_error_that_costs_nothing_raises(method, call, free):
    with pytest.raises(rw.InputError, match="each error cost more than the right decision"):
        call([0.2, 0.5, 0.9], costs=free, method=method)


def test_costs_of_right_decisions_count():
    given_all = rw.Costs(fp=3, fn=9, tp=1, tn=-1)  # skew (9 - 1) / (3 + 1) = 2
    for method in METHODS:
        assert rw.threshold_without_labels(P0, costs=given_all, method=method) == pytest.approx(
            rw.threshold_without_labels(P0, costs=costs(2), method=method), abs=1e-12
        )


def test_ties_by_the_ro_index():
    scores = [0.5, 0.2, 0.5, 0.5, 0.9, 0.5]  # skew 1: three of six to class 0
    rule = rule_without_labels(scores, costs=costs(1), ties="ro")
    assert (rule.threshold, rule.n_tied, rule.ro) == (0.5, 4, 0.5)
    assert rule.assign().tolist() == [False, False, False, True, True, True]
    assert rule.share_positive == 0.5
    new = rule.predict(np.full(4000, 0.5), rng=1)
    assert new.mean() == pytest.approx(0.5, abs=0.04)
    np.testing.assert_array_equal(new, rule.predict(np.full(4000, 0.5), rng=1))
    assert rule.predict([0.1, 0.8], rng=1).tolist() == [False, True]


def test_ties_to_class_1():
    rule = rule_without_labels([0.5, 0.2, 0.5, 0.5, 0.9, 0.5], costs=costs(1))
    assert rule.assign().tolist() == [True, False, True, True, True, True]
    assert rule.share_positive == pytest.approx(5 / 6)
    assert "4 of them at it" in repr(rule)
    assert "scores" not in rule.to_dict()


def test_no_score_at_the_threshold():
    rule = rule_without_labels([0.1, 0.2], costs=costs(1), ties="ro")
    assert (rule.n_tied, rule.ro) == (0, 1.0)
    assert rule.assign().tolist() == [False, True]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30), skews)
def test_ro_meets_the_target_proportion(values, skew):
    scores = np.array(values) / 4
    rule = rule_without_labels(scores, costs=costs(skew), ties="ro")
    negatives = int(np.sum(~rule.assign()))
    if rule.n_tied:
        assert 0 <= rule.ro <= 1
        assert abs(negatives - len(scores) / (skew + 1)) <= 1.5 + 1e-9


def test_a_position_that_rounding_would_lift_off_its_score():
    scores = np.linspace(0, 1, 8)
    for tenth in range(1, 60):
        skew = tenth / 10
        cut = rw.threshold_without_labels(scores, costs=costs(skew))
        place = 7 / (skew + 1)
        if abs(place - round(place)) < 1e-12:
            assert cut in scores


@pytest.mark.parametrize(
    ("scores", "options", "words"),
    [
        ([0.1, math.nan], {}, "`y_score` has 1 missing value (first at row 1)"),
        ([0.1, math.inf], {}, "`y_score` must be finite; got inf at row 1"),
        ([0.1, 1.5], {"method": "direct"}, "probabilities from 0 to 1 for method='direct'"),
        ([0.1, -2], {"method": "nroc"}, "got -2 at row 1"),
        ([0.1, 1.5], {"orientation": "class0"}, "probabilities from 0 to 1"),
        ([], {}, "`y_score` is empty"),
        ([0.0, 0.0], {"method": "nroc"}, "every `y_score` is 0"),
        ([1.0, 1.0], {"method": "nroc"}, "every `y_score` is 1"),
        (["a", "b"], {}, "`y_score` must contain numbers"),
        ([0.1], {"method": "best"}, "`method` must be one of 'rank', 'direct', 'nroc'"),
        ([0.1], {"orientation": "class2"}, "`orientation` must be one of"),
    ],
)
def test_errors(scores, options, words):
    with pytest.raises(rw.InputError) as caught:
        rw.threshold_without_labels(scores, costs=costs(1), **options)
    assert words in str(caught.value)


def test_more_errors():
    with pytest.raises(rw.InputError, match="`costs` must be a Costs object"):
        rw.threshold_without_labels([0.5], costs=3)
    with pytest.raises(rw.InputError, match="ties='ro' meets a target proportion by rank"):
        rule_without_labels([0.5], costs=costs(1), method="direct", ties="ro")
    assert rw.threshold_without_labels([0.2, math.nan], costs=costs(1), missing="drop") == 0.2
