"""Bootstrap of a chosen threshold, in and out of the bag."""

import json
import warnings

import numpy as np
import pytest
from scipy.stats import ks_2samp, norm, rankdata

import rocwise as rw
from rocwise.binary import smoothed_bootstrap
from rocwise.kernels.resample import multiplicities, units_of_counts

RNG = np.random.default_rng(4)
Y = np.repeat([1, 0], [25, 40])
S = np.round(RNG.normal(size=65) + Y, 1)  # ties in and between the classes


def resampled_rows(y, s, seed, b):
    """The rows of replicate b with how often each was drawn, by falling score."""
    order = np.lexsort((1 - y, -s))
    labels = y[order]
    units, ranked = units_of_counts(labels, 1 - labels)
    return labels, s[order], multiplicities(units, seed, b, b + 1)[0][ranked.units]


BOOTSTRAP = ("n_resamples", "level", "rng", "progress")


def uncertain(y, s, **options):
    """Choose a threshold and its interval."""
    drawing = {name: options.pop(name) for name in BOOTSTRAP if name in options}
    return rw.threshold(y, s, **options).uncertainty(**drawing)


def bandwidth(values):
    """Silverman's rule of thumb."""
    low, high = np.quantile(values, [0.25, 0.75], method="inverted_cdf")
    return 0.9 * min(values.std(ddof=1), (high - low) / 1.34) * len(values) ** -0.2


def smoothed_threshold(y, s, seed, b):
    """Best observed score, by Youden, in replicate b with an error on every copy's normal score."""
    labels, scores, times = resampled_rows(y, s, seed, b)
    normal = norm.ppf((rankdata(scores) - 0.5) / len(scores))
    units = np.argsort(1 - labels, kind="stable")  # positives are drawn first
    copies = np.repeat(units, times[units])
    errors = np.random.Generator(np.random.Philox(key=seed + (b << 64))).normal(size=len(copies))
    widths = np.array([bandwidth(normal[labels == label]) for label in (0, 1)])
    drawn, up = normal[copies] + widths[labels[copies]] * errors, labels[copies] == 1
    candidates = np.unique(normal)[::-1]
    gains = [(drawn[up] >= t).mean() - (drawn[~up] >= t).mean() for t in candidates[:-1]]
    return np.unique(scores)[::-1][int(np.argmax(np.round([*gains, 0.0], 12)))]


def test_replicates_by_hand():
    result = uncertain(Y, S, rule="youden", n_resamples=60, rng=7)
    outside = []
    for b in range(60):
        labels, scores, times = resampled_rows(Y, S, 7, b)
        inside = np.repeat(np.arange(65), times)
        point = rw.threshold(labels[inside], scores[inside], rule="youden")
        left = times == 0
        called = scores[left] >= point.threshold
        hits, alarms = called[labels[left] == 1].mean(), called[labels[left] == 0].mean()
        outside.append([hits - alarms, hits, 1 - alarms])
    np.testing.assert_allclose(result.out_of_bag[:3], np.mean(outside, axis=0), rtol=1e-12)
    thresholds = [smoothed_threshold(Y, S, 7, b) for b in range(60)]
    assert result.replicates.tolist() == thresholds
    ends = np.sort(thresholds)[[1, 58]]  # 2.5% of 59 steps, outwards
    assert list(result.interval) == ends.tolist()
    assert result.interval.method == "smoothed bootstrap percentile"


@pytest.mark.parametrize("n_copies", [1, 40])  # beyond 2,000 rows counts are drawn at once
def test_monotone_transformations_change_nothing(n_copies):
    y, s = np.repeat(Y, n_copies), np.repeat(S, n_copies) + np.tile(np.arange(n_copies), 65) / 500
    plain, skewed = (
        uncertain(y, scores, rule="youden", n_resamples=40, rng=3) for scores in (s, np.exp(3 * s))
    )
    np.testing.assert_allclose(np.exp(3 * plain.replicates), skewed.replicates)
    s[:n_copies], s[-n_copies:] = np.inf, -np.inf
    far = s.copy()
    far[np.isposinf(s)], far[np.isneginf(s)] = 1e300, -1e300
    infinite, finite = (
        uncertain(y, scores, rule="youden", n_resamples=40, rng=3) for scores in (s, far)
    )
    np.testing.assert_array_equal(infinite.replicates, finite.replicates)


def test_scores_on_a_few_levels_are_not_smoothed():
    levels = np.clip(np.round(S + 2), 1, 5)
    ours = uncertain(Y, levels, rule="youden", n_resamples=50, rng=3)
    engine = rw.bootstrap(Y, levels, statistic="youden-threshold", n_resamples=50, rng=3)
    np.testing.assert_array_equal(ours.replicates, engine.replicates)
    assert ours.interval.method == "bootstrap percentile"
    assert set(ours.interval) <= {1.0, 2.0, 3.0, 4.0, 5.0}


def test_draws_of_many_rows_have_the_same_distribution(monkeypatch):
    y = np.repeat([1, 0], [300, 700])
    s = np.random.default_rng(8).normal(size=1000) + 1.5 * y
    drawn = {"rule": "youden", "n_resamples": 400, "rng": 2}
    one_by_one = uncertain(y, s, **drawn).replicates
    monkeypatch.setattr(smoothed_bootstrap, "MOST_CELLS", 400)  # joins scores, too
    at_once = uncertain(y, s, **drawn).replicates
    assert not np.array_equal(one_by_one, at_once)
    assert ks_2samp(one_by_one, at_once).pvalue > 0.01


def test_coverage_of_a_threshold_by_cost():
    # two normal classes with a distance of 1.5: the least cost is where the likelihood ratio is 1/5
    y, best = np.repeat([1, 0], 20), 0.75 - np.log(5) / 1.5
    rng, covered = np.random.default_rng(12), 0
    for seed in range(100):
        s = rng.normal(size=40) + 1.5 * y
        costs = rw.Costs(fp=1, fn=5)
        covered += best in uncertain(y, s, costs=costs, n_resamples=100, rng=seed).interval
    assert covered / 100 > 0.91 - 3 * np.sqrt(0.91 * 0.09 / 100)


@pytest.mark.parametrize("groups", [None, np.append(np.arange(25) % 19, np.arange(40) + 19)])
def test_few_cases_or_clusters_give_a_warning(groups):
    few = Y.cumsum() > 6 if groups is None else np.full(65, True)
    groups = None if groups is None else groups[few]
    with pytest.warns(rw.errors.MisuseWarning, match=r"the smaller class has 19 (cases|clusters)"):
        uncertain(Y[few], S[few], rule="youden", groups=groups, n_resamples=20, rng=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        uncertain(Y, S, rule="youden", n_resamples=20, rng=1)


def test_in_sample_is_the_operating_point():
    costs = rw.Costs(fp=1, fn=4)
    result = uncertain(Y, S, costs=costs, prevalence=0.1, n_resamples=40, rng=1)
    point = rw.threshold(Y, S, costs=costs, prevalence=0.1)
    rows = dict(zip(result.measures.tolist(), result.in_sample.tolist(), strict=True))
    assert result.threshold == point.threshold
    assert rows["expected cost"] == pytest.approx(point.expected_cost)
    assert rows["sensitivity"] == point.tpr
    assert rows["precision"] == pytest.approx(point.precision)
    assert rows["accuracy"] == pytest.approx(point.accuracy)
    assert result.optimism[0] == pytest.approx(result.out_of_bag[0] - result.in_sample[0])


@pytest.mark.filterwarnings("ignore:the smaller class has")
@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
def test_infinite_thresholds_have_limits_too():
    result = uncertain(
        [1, 0, 1, 0, 1, 0], [1, 2, 3, 4, 5, 6], costs=rw.Costs(fp=5, fn=1), n_resamples=100, rng=1
    )
    assert result.interval.high == np.inf
    plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert plain["interval"]["high"] is None
    assert "beyond every score" in repr(result)


@pytest.mark.filterwarnings("ignore:the smaller class has")
def test_limits_that_some_resamples_cannot_meet():
    y, s = [0, 1, 1, 0, 0, 1, 0], [7, 6, 5, 4, 3, 2, 1]
    limit = {"rule": "min-precision", "constraint": 0.65}
    result = uncertain(y, s, n_resamples=200, rng=1, **limit)
    assert 0 < result.n_failed < 200
    assert len(result.replicates) == 200 - result.n_failed
    assert "without a threshold" in repr(result)


@pytest.mark.filterwarnings("ignore:the smaller class has")
def test_undefined_out_of_bag_values_are_masked_and_not_nan():
    result = uncertain(
        [0, 0, 1, 1], [1, 2, 3, 4], rule="min-specificity", constraint=1, n_resamples=50, rng=2
    )
    plain = json.dumps(result.to_dict(), allow_nan=False)
    assert "NaN" not in plain
    frame = result.to_frame()
    assert list(frame) == ["measure", "in_sample", "out_of_bag", "optimism", "low", "high"]


@pytest.mark.parametrize("rule", ["chi-square", "odds-ratio"])
def test_measures_that_grow_with_the_sample_are_not_compared(rule):
    result = uncertain(Y, S, rule=rule, n_resamples=20, rng=1)
    assert result.measures[0] == "sensitivity"


def test_errors():
    with pytest.raises(rw.InputError, match="at least two cases of each class"):
        uncertain([0, 0, 1], [1, 2, 3], rule="youden")
    with pytest.raises(rw.InputError, match="two clusters with cases of each class, because"):
        uncertain(Y, S, rule="youden", groups=np.where(Y == 1, 0, np.arange(65)))
    with pytest.raises(rw.InputError, match="at least two cases of each class"):
        uncertain([0, 0, 1, 1], [1, 2, 3, 4], rule="youden", sample_weight=[1, 1, 0, 1])
    with pytest.raises(rw.InputError, match="`n_resamples`"):
        uncertain(Y, S, rule="youden", n_resamples=1)
    with pytest.raises(rw.InputError, match="`level`"):
        uncertain(Y, S, rule="youden", level=95)
