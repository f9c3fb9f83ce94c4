"""Bootstrap and comparison of the smAUC through the engine of all statistics."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.statistics import SmoothArea, evaluated


def graded(seed, n=160, shift=0.15):
    rng = np.random.default_rng(seed)
    y = np.r_[0, 1, (rng.random(n - 2) < 0.4).astype(int)]
    return y, np.clip(rng.normal(0.4 + shift * y, 0.2), 0, 1).round(2)


def test_replicates_are_those_of_resampled_rows():
    """Rows drawn by numpy within each class: the same distribution, so the same variance."""
    y, s = graded(1)
    ours = rw.bootstrap(y, s, statistic="smooth-auc", n_resamples=2000, rng=5)
    rng = np.random.default_rng(2)
    pos, neg = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    values = []
    for _ in range(400):
        rows = np.r_[rng.choice(pos, len(pos)), rng.choice(neg, len(neg))]
        values.append(rw.smooth_roc(y[rows], s[rows]).auc)
    assert ours.statistic == "smAUC"
    assert ours.value == pytest.approx(rw.smooth_roc(y, s).auc, abs=1e-12)
    # the standard deviation of 400 replicates is known to about 3.5%: five of those
    assert ours.standard_error == pytest.approx(np.std(values, ddof=1), rel=0.18)
    assert ours.replicates.mean() == pytest.approx(np.mean(values), abs=0.25 * np.std(values))


def test_two_raters_of_the_same_list_are_compared():
    y, first = graded(3, shift=0.3)
    _, noise = graded(4)
    pairs = rw.pair(y, {"careful": first, "hasty": (first + 3 * noise) / 4})
    result = rw.compare(pairs, statistic="smooth-auc", n_resamples=600, rng=1)
    assert result.quantity == "smAUC"
    for name in pairs.names:
        expected = rw.smooth_roc(pairs.tally(name)).auc
        assert result.estimates[name] == pytest.approx(expected, abs=1e-12)
    assert result.method == "paired bootstrap, t distribution"
    assert result.difference > 0
    assert result.p_value < 0.01
    same = rw.compare(rw.pair(y, {"a": first, "b": first}), statistic="smooth-auc", rng=1)
    assert (same.difference, same.p_value) == (0.0, 1.0)


def test_a_midpoint_equal_to_a_score_is_summed_exactly():
    """0.1 summed ten times is not 1: rounding must not put cases on the wrong side."""
    y, s = [1] * 5 + [0] * 5, [0.1] * 10
    tally = rw.tally([*y, 0, 0], [*s, 0.0, 0.0])
    assert rw.smooth_roc(tally).midpoint == 0.1
    assert evaluated(tally, SmoothArea()) == rw.smooth_roc(tally).auc


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"statistic": "smooth-auc", "method": "delong"}, "compare the smAUC use method='boot"),
        ({"statistic": "smooth-auc", "max_fpr": 0.2}, "at most one of"),
        ({"statistic": "smooth"}, "`statistic` must be one of 'auc', 'smooth-auc'"),
    ],
)
def test_errors(options, message):
    pairs = rw.pair([0, 0, 1, 1], {"a": [0.1, 0.2, 0.3, 0.4], "b": [0.2, 0.1, 0.3, 0.4]})
    with pytest.raises(rw.InputError, match=message):
        rw.compare(pairs, **options)


@pytest.mark.parametrize("scores", [[0.3] * 8, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]])
def test_resamples_that_all_agree_still_give_an_interval(scores):
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    for statistic in ("smooth-auc", "auc"):
        found = rw.bootstrap(y, scores, statistic=statistic, n_resamples=50, rng=1)
        low, high = found.interval
        assert low <= found.value <= high
        assert high - low > 0.1
        assert found.interval.method == "Newcombe score"
        assert tuple(found.interval) == pytest.approx(
            tuple(rw.auc(y, scores, method="score").interval)
        )


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_scores_off_the_scale_raise_with_model_and_row(direction):
    y = [0, 1, 0, 1]
    models = {"good": [0.1, 0.9, 0.2, 0.8], "logits": [0.5, 0.2, -3.5, 4]}
    with pytest.raises(rw.InputError, match=r"`scores\['logits'\]` has 2.*-3\.5 at row 2"):
        rw.compare(y, models, statistic="smooth-auc", n_resamples=20, rng=1, direction=direction)
    with pytest.raises(rw.InputError, match=r"`scores\['logits'\]` has 2.*-3\.5 at row 2") as info:
        rw.compare_curves(y, models, curve="decision", n_resamples=20, rng=1, direction=direction)
    assert "rescale" not in str(info.value)
