"""Bootstrap of a chosen threshold, in and out of the bag."""

import json

import numpy as np
import pytest

import rocwise as rw
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
    """Choose a threshold and ask how sure it is."""
    drawing = {name: options.pop(name) for name in BOOTSTRAP if name in options}
    return rw.threshold(y, s, **options).uncertainty(**drawing)


def test_replicates_by_hand():
    answer = uncertain(Y, S, rule="youden", n_resamples=60, rng=7)
    thresholds, outside = [], []
    for b in range(60):
        labels, scores, times = resampled_rows(Y, S, 7, b)
        inside = np.repeat(np.arange(65), times)
        point = rw.threshold(labels[inside], scores[inside], rule="youden")
        thresholds.append(point.threshold)
        left = times == 0
        called = scores[left] >= point.threshold
        hits, alarms = called[labels[left] == 1].mean(), called[labels[left] == 0].mean()
        outside.append([hits - alarms, hits, 1 - alarms])
    assert answer.replicates.tolist() == thresholds
    np.testing.assert_allclose(answer.out_of_bag[:3], np.mean(outside, axis=0), rtol=1e-12)
    ends = np.sort(thresholds)[[1, 58]]  # 2.5 % of 59 steps, outwards
    assert list(answer.interval) == ends.tolist()


def test_without_ties_it_is_the_bootstrap_of_the_curve():
    s = RNG.normal(size=65) + Y
    ours = uncertain(Y, s, rule="youden", n_resamples=50, rng=3)
    engine = rw.bootstrap(Y, s, statistic="youden-threshold", n_resamples=50, rng=3)
    np.testing.assert_array_equal(ours.replicates, engine.replicates)


def test_in_sample_is_the_operating_point():
    costs = rw.Costs(fp=1, fn=4)
    answer = uncertain(Y, S, costs=costs, prevalence=0.1, n_resamples=40, rng=1)
    point = rw.threshold(Y, S, costs=costs, prevalence=0.1)
    rows = dict(zip(answer.measures.tolist(), answer.in_sample.tolist(), strict=True))
    assert answer.threshold == point.threshold
    assert rows["expected cost"] == pytest.approx(point.expected_cost)
    assert rows["sensitivity"] == point.tpr
    assert rows["precision"] == pytest.approx(point.precision)
    assert rows["accuracy"] == pytest.approx(point.accuracy)
    assert answer.optimism[0] == pytest.approx(answer.out_of_bag[0] - answer.in_sample[0])


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
def test_infinite_thresholds_have_limits_too():
    answer = uncertain(
        [1, 0, 1, 0, 1, 0], [1, 2, 3, 4, 5, 6], costs=rw.Costs(fp=5, fn=1), n_resamples=100, rng=1
    )
    assert answer.interval.high == np.inf
    plain = json.loads(json.dumps(answer.to_dict(), allow_nan=False))
    assert plain["interval"]["high"] is None
    assert "beyond every score" in repr(answer)


def test_limits_that_some_resamples_cannot_meet():
    y, s = [0, 1, 1, 0, 0, 1, 0], [7, 6, 5, 4, 3, 2, 1]
    limit = {"rule": "min-precision", "constraint": 0.65}
    answer = uncertain(y, s, n_resamples=200, rng=1, **limit)
    assert 0 < answer.n_failed < 200
    assert len(answer.replicates) == 200 - answer.n_failed
    assert "without a threshold" in repr(answer)


def test_undefined_out_of_bag_values_are_masked_and_not_nan():
    answer = uncertain(
        [0, 0, 1, 1], [1, 2, 3, 4], rule="min-specificity", constraint=1, n_resamples=50, rng=2
    )
    plain = json.dumps(answer.to_dict(), allow_nan=False)
    assert "NaN" not in plain
    frame = answer.to_frame()
    assert list(frame) == ["measure", "in_sample", "out_of_bag", "optimism", "low", "high"]


@pytest.mark.parametrize("rule", ["chi-square", "odds-ratio"])
def test_measures_that_grow_with_the_sample_are_not_compared(rule):
    answer = uncertain(Y, S, rule=rule, n_resamples=20, rng=1)
    assert answer.measures[0] == "sensitivity"


def test_refusals():
    with pytest.raises(rw.InputError, match="at least two cases of each class"):
        uncertain([0, 0, 1], [1, 2, 3], rule="youden")
    with pytest.raises(rw.InputError, match="two clusters with cases of each class, or none is l"):
        uncertain(Y, S, rule="youden", groups=np.where(Y == 1, 0, np.arange(65)))
    with pytest.raises(rw.InputError, match="at least two cases of each class"):
        uncertain([0, 0, 1, 1], [1, 2, 3, 4], rule="youden", sample_weight=[1, 1, 0, 1])
    with pytest.raises(rw.InputError, match="`n_resamples`"):
        uncertain(Y, S, rule="youden", n_resamples=1)
    with pytest.raises(rw.InputError, match="`level`"):
        uncertain(Y, S, rule="youden", level=95)
