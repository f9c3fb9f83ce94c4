"""BCa and bootstrap-t of any statistic."""

import numpy as np
import pytest
from scipy.stats import bootstrap as scipy_bootstrap

import rocwise as rw

RNG = np.random.default_rng(8)
Y = (RNG.random(90) < 0.4).astype(int)
S = np.round(Y + RNG.normal(size=90), 1)


def test_bca_of_the_area_is_the_method_of_auc():
    ours = rw.bootstrap(Y, S, method="bca", n_resamples=3000, rng=2)
    other = rw.auc(Y, S, method="bca", n_resamples=3000, rng=2)
    assert tuple(ours.interval) == pytest.approx(tuple(other.interval), abs=0.003)
    assert ours.interval.method == "bootstrap BCa"


@pytest.mark.parametrize("unit", [2.0**-1000, 2.0**-400, 2.0**-50, 2.0**400, 2.0**1000])
@pytest.mark.parametrize("method", ["bca", "bootstrap-t"])
def test_the_interval_of_a_threshold_does_not_depend_on_its_unit(unit, method):
    requested = {"statistic": "youden-threshold", "method": method, "n_resamples": 200, "rng": 1}
    usual, scaled = (rw.bootstrap(Y, S * each, **requested) for each in (1.0, unit))
    assert (scaled.interval.low / unit, scaled.interval.high / unit) == tuple(usual.interval)
    assert scaled.standard_error / unit == usual.standard_error


def test_bca_of_another_statistic_is_scipys():
    pos, neg = S[Y == 1], S[Y == 0]

    def sensitivity(a, b, axis=-1):
        # the proportion of positives above the median negative
        cut = np.quantile(b, 0.5, axis=axis, method="inverted_cdf", keepdims=True)
        return (a > cut).mean(axis=axis)

    def ours(fpr, tpr, thresholds):
        return tpr[np.searchsorted(fpr, 0.5 + 1e-9, side="right") - 1]

    found = rw.bootstrap(Y, S, statistic=ours, method="bca", n_resamples=2000, rng=1)
    other = scipy_bootstrap(
        (pos, neg), sensitivity, n_resamples=2000, method="BCa", random_state=1, vectorized=True
    ).confidence_interval
    assert found.interval.low == pytest.approx(other.low, abs=0.06)
    assert found.interval.high == pytest.approx(other.high, abs=0.06)


def test_bootstrap_t_stays_in_the_range_and_is_repeatable():
    one, two = (
        rw.bootstrap(
            Y, S, statistic="average-precision", method="bootstrap-t", n_resamples=200, rng=4
        )
        for _ in range(2)
    )
    assert tuple(one.interval) == tuple(two.interval)
    assert 0 < one.interval.low < one.value < one.interval.high < 1
    assert one.interval.method == "bootstrap-t"
    plain = rw.bootstrap(Y, S, statistic="average-precision", n_resamples=200, rng=4)
    assert one.replicates.tolist() == plain.replicates.tolist()


def test_errors():
    with pytest.raises(rw.InputError, match="`method` must be one of 'percentile', 'bca'"):
        rw.bootstrap(Y, S, method="basic")
    with pytest.raises(rw.InputError, match="no version with weights"):
        rw.bootstrap(Y, S, method="bca", sample_weight=Y + 1.0, rng=1)
    with pytest.raises(rw.InputError, match="no version with clusters"):
        rw.bootstrap(Y, S, method="bootstrap-t", groups=np.arange(90) // 2, rng=1)


def test_bootstrap_t_raises_where_resamples_have_no_variance():
    """Precision 1 at recall 1/2 in most resamples: their ratios are unknown, not 0."""
    y = np.repeat([0, 1], 20)
    s = np.arange(40) - np.where(np.arange(40) == 20, 6, 0)
    at_half = rw.statistics.PrecisionAt(0.9)
    options = {"statistic": at_half, "n_resamples": 60, "rng": 1}
    with pytest.raises(rw.InputError, match=r"of 60 resamples have no variance of their own"):
        rw.bootstrap(y, s, method="bootstrap-t", **options)
    assert rw.bootstrap(y, s, **options).interval.high == 1


@pytest.mark.parametrize(
    "statistic",
    [
        "average-precision",
        "precision-recall-area",
        rw.statistics.PartialArea(max_fpr=0.2),
        rw.statistics.SensitivityAt(0.8),
        rw.statistics.PrecisionAt(0.5),
    ],
)
@pytest.mark.parametrize("method", ["percentile", "bca", "bootstrap-t"])
def test_resamples_that_are_all_the_same_are_no_certainty(statistic, method):
    """Of separated classes: what is left between resamples is their last bit."""
    y = np.repeat([0, 1], [45, 55])
    s = y + np.random.default_rng(12).random(100) / 2
    found = rw.bootstrap(y, s, statistic=statistic, method=method, n_resamples=60, rng=1)
    whole = 0.2 if isinstance(statistic, rw.statistics.PartialArea) else 1.0
    lowest = 0.025 ** (1 / 45)  # Clopper and Pearson's limit of 45 successes in 45
    assert tuple(found.interval) == pytest.approx((whole * lowest, whole), rel=1e-6)
    assert found.interval.method == "Hoeffding bound"


def test_one_case_or_cluster_of_a_class_shows_no_variance():
    y, s = np.repeat([0, 1], [30, 1]), np.arange(31.0)
    statistic = rw.statistics.SensitivityAt(0.9)
    with pytest.raises(rw.InputError, match=r"two cases of each class.*1 positive, 30 neg"):
        rw.bootstrap(y, s, statistic=statistic, n_resamples=20, rng=1)
    with pytest.raises(rw.InputError, match="two clusters with cases of each class"):
        rw.bootstrap(Y, S, statistic=statistic, groups=np.zeros(len(Y)), n_resamples=20, rng=1)
    y[-2] = 1
    found = rw.bootstrap(y, s, statistic=statistic, n_resamples=20, rng=1).interval
    assert tuple(found) == pytest.approx((0.025**0.5, 1.0))


@pytest.mark.parametrize("shift", [0.0, 2.0**30, 2.0**40, -(2.0**40)])
@pytest.mark.parametrize("method", ["bca", "bootstrap-t"])
def test_a_threshold_far_from_0_has_the_interval_of_one_near_it(shift, method):
    """The scores have steps of 1/4096 and a range of a tenth: all of them are floats."""
    requested = {"statistic": "youden-threshold", "method": method, "n_resamples": 200, "rng": 1}
    near = np.round(S * 2.0**6) / 2.0**12
    usual, shifted = (rw.bootstrap(Y, near + by, **requested).interval for by in (0.0, shift))
    assert np.ptp(near) < 1e-13 * 2.0**40
    wanted = usual.low + shift, usual.high + shift
    assert tuple(shifted) == pytest.approx(wanted, abs=4 * np.spacing(abs(shift) + 1.0), rel=0)
