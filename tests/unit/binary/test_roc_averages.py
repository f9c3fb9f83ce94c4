"""Averages of curves, and intervals of rates at thresholds."""

import numpy as np
import pytest
from scipy import stats

import rocwise as rw
from oracles.spec_samples import SAMPLES, pairs_of, tally_of
from rocwise.binary.bands import threshold_regions
from rocwise.inference import proportion_interval

A, B, C = (tally_of(SAMPLES[name]) for name in "ABC")


def test_vertical_average_of_a_b_c():
    found = rw.average_roc([A, B, C], grid=[0, 0.25, 0.5, 1])
    np.testing.assert_allclose(found.tpr, [0.3722222222, 0.6875, 0.8708333333, 1], atol=1e-9)
    np.testing.assert_allclose(found.lower, [0, 0.01074342204, 0.5925202807, 1], atol=1e-9)
    np.testing.assert_allclose(found.upper, np.ones(4), atol=1e-9)


def test_threshold_average_of_a_b():
    found = rw.average_roc([A, B], how="threshold", grid=[5, 3, 2])
    np.testing.assert_allclose(found.fpr, [0.125, 0.45, 0.775], atol=1e-9)
    np.testing.assert_allclose(found.tpr, [0.4583333333, 0.875, 1], atol=1e-9)
    half = [1.588275592, 0.6353102368, 0.3176551184]
    np.testing.assert_allclose(found.fpr_half_width, half, atol=1e-9)
    np.testing.assert_allclose(found.tpr_half_width, [2.647125987, 1.588275592, 0], atol=1e-9)
    np.testing.assert_allclose(found.fpr_lower, np.clip(found.fpr - half, 0, 1), atol=1e-9)


def test_rates_at_thresholds_are_counts():
    thresholds = np.array([0.95, 0.6, 0.3, 0.0])
    found = rw.average_roc([C, C], how="threshold", grid=thresholds)
    x, y = (np.array(each) for each in SAMPLES["C"])
    assert found.fpr.tolist() == [np.mean(x >= t) for t in thresholds]
    assert found.tpr.tolist() == [np.mean(y >= t) for t in thresholds]
    assert np.all(found.fpr_half_width == 0)


def test_t_interval_is_the_one_of_scipy():
    rows = np.array([[0.2, 0.5], [0.4, 0.6], [0.5, 0.65]])
    from rocwise.binary.roc_averages import _limits as limits

    lower, upper, half = limits(rows, 0.9, "t")
    for k in range(2):
        expected = stats.t.interval(0.9, 2, rows[:, k].mean(), stats.sem(rows[:, k]))
        assert (lower[k], upper[k]) == pytest.approx(expected)
        assert half[k] == pytest.approx((expected[1] - expected[0]) / 2)


def test_fixed_width_band_of_curves_that_move_together_is_a_t_interval():
    from rocwise.binary.roc_averages import _limits as limits

    shifts, shape = np.array([-0.05, 0.02, 0.04, 0.03]), np.array([0.2, 1.0, 0.5])
    lower, upper, half = limits(0.5 + np.outer(shifts, shape), 0.9, "fixed-width")
    expected = stats.t.ppf(0.95, 3) * stats.sem(shifts)  # of the column that moves most
    assert half == pytest.approx(np.full(3, expected), rel=0.03)
    assert upper - lower == pytest.approx(2 * half)


def test_fixed_width_band_contains_the_expected_curve():
    """Models of ten training sets: of the mean of all curves, in 95% of 250 samples of ten."""
    rng = np.random.default_rng(2)
    truths = rng.normal(1.2, 0.3, 1500)  # by training set
    curves = [
        (np.repeat([0, 1], 60), np.concatenate([rng.normal(size=60), rng.normal(d, size=60)]))
        for d in truths
    ]
    everything = rw.average_roc(curves).tpr
    inside = []
    for _ in range(250):
        ten = [curves[k] for k in rng.integers(0, len(curves), 10)]
        found = rw.average_roc(ten, interval="fixed-width")
        inside.append(((found.lower <= everything) & (everything <= found.upper)).all())
    assert 0.93 <= np.mean(inside) <= 0.995
    assert repr(found).endswith("95% fixed-width band")
    assert found.plot().get_figure().axes


def test_quantiles_for_resampled_curves():
    found = rw.average_roc([A, B, C, C], grid=[0.25], interval="quantile", level=0.5)
    expected = np.quantile(found.curves[:, 0], [0.25, 0.75])
    assert (found.lower[0], found.upper[0]) == pytest.approx(tuple(expected))


def test_doors():
    pairs = pairs_of(a=([1, 2, 3], [2, 5]), b=([2, 1, 4], [3, 9]))
    by_pairs = rw.average_roc(pairs)
    by_tallies = rw.average_roc([pairs.tally("a"), pairs.tally("b")])
    by_columns = rw.average_roc(
        [([0, 0, 0, 1, 1], [1, 2, 3, 2, 5]), ([0, 0, 0, 1, 1], [2, 1, 4, 3, 9])]
    )
    assert by_pairs.tpr.tolist() == by_tallies.tpr.tolist() == by_columns.tpr.tolist()


@pytest.mark.parametrize(
    ("curves", "options", "words"),
    [
        ([A], {}, "at least two"),
        ([A, B], {"how": "diagonal"}, "`how`"),
        ([A, B], {"grid": [2.0]}, "`grid`"),
        ([A, B], {"how": "threshold", "grid": [np.nan]}, "`grid`"),
        ([A, "b"], {}, "`curves`"),
        ([A, rw.tally([0, 1], [1, 2], sample_weight=[1, 2])], {}, "weights"),
        ([A, rw.tally([0, 1], [2, 1], direction="lower")], {"how": "threshold"}, "direction"),
    ],
)
def test_errors(curves, options, words):
    with pytest.raises(rw.InputError, match=words):
        rw.average_roc(curves, **options)


class TestRegions:
    @pytest.mark.parametrize(
        ("k", "n", "wilson", "exact"),
        [
            (7, 20, (0.1811918241, 0.5671457233), (0.1539092048, 0.5921885345)),
            (0, 10, (0, 0.2775327999), (0, 0.3084971078)),
            (10, 10, (0.7224672001, 1), (0.6915028922, 1)),
        ],
    )
    def test_printed_intervals(self, k, n, wilson, exact):
        assert tuple(proportion_interval(k, n)) == pytest.approx(wilson, abs=1e-9)
        found = proportion_interval(k, n, method="clopper-pearson")
        assert tuple(found) == pytest.approx(exact, abs=1e-9)

    @pytest.mark.parametrize("k", [0, 1, 13, 29, 30])
    @pytest.mark.parametrize(
        ("method", "name"), [("wilson", "wilson"), ("clopper-pearson", "exact")]
    )
    def test_scipy_agrees(self, k, method, name):
        expected = stats.binomtest(k, 30).proportion_ci(0.9, method=name)
        found = proportion_interval(k, 30, level=0.9, method=method)
        assert tuple(found) == pytest.approx((expected.low, expected.high), abs=1e-9)

    def test_rectangles_at_thresholds(self):
        found = threshold_regions(C, thresholds=[0.5, 0.9])
        x, y = (np.array(each) for each in SAMPLES["C"])
        for k, cut in enumerate([0.5, 0.9]):
            fp, tp = int(np.sum(x >= cut)), int(np.sum(y >= cut))
            assert (found.fpr[k], found.tpr[k]) == (fp / 12, tp / 10)
            assert (found.fpr_lower[k], found.fpr_upper[k]) == tuple(proportion_interval(fp, 12))
            assert (found.tpr_lower[k], found.tpr_upper[k]) == tuple(proportion_interval(tp, 10))

    def test_all_scores_without_thresholds(self):
        assert threshold_regions(C).thresholds.tolist() == C.scores.tolist()

    def test_rates_come_before_their_limits(self):
        found = threshold_regions(C)
        assert (found.fpr.tolist(), found.tpr.tolist()) == (
            (C.fp / C.n_neg).tolist(), (C.tp / C.n_pos).tolist(),
        )  # fmt: skip
        assert not found.tpr.flags.writeable
        plain = found.to_dict()
        assert plain["tpr"] == found.tpr.tolist()
        assert "tp" not in plain
        limits = ["fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"]
        in_order = ["thresholds", "fpr", "tpr", *limits]
        assert list(found.to_frame()) == in_order
        assert [name for name in plain if name in in_order] == in_order

    def test_errors(self):
        with pytest.raises(rw.InputError, match="`k` must not exceed"):
            proportion_interval(3, 2)
        with pytest.raises(rw.InputError, match="`method`"):
            threshold_regions(C, method="wald")
