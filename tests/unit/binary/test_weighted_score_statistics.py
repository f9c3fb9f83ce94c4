"""Weights in statistics of score values, and errors where they are not supported."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.bands import threshold_regions

RNG = np.random.default_rng(12)
N = 60
Y = RNG.integers(0, 2, N)
P = np.round(0.6 * RNG.uniform(size=N) + 0.3 * Y, 2)
WEIGHTS = RNG.uniform(0.2, 3, N)


def test_against_all_pairs():
    w_pos, w_neg = WEIGHTS[Y == 1], WEIGHTS[Y == 0]
    margins = P[Y == 1][:, None] - P[Y == 0]
    both = w_pos[:, None] * w_neg / (w_pos.sum() * w_neg.sum())
    given = {"sample_weight": WEIGHTS}
    assert rw.scored_auc(Y, P, **given) == pytest.approx((both * np.maximum(margins, 0)).sum())
    soft = (both / (1 + np.exp(-3 * margins))).sum()
    assert rw.soft_auc(Y, P, beta=3, **given) == pytest.approx(soft)
    assert rw.brier(Y, P, **given) == pytest.approx(np.average((P - Y) ** 2, weights=WEIGHTS))
    difference = np.average(P[Y == 1], weights=w_pos) - np.average(P[Y == 0], weights=w_neg)
    assert rw.probabilistic_auc(Y, P, **given) == pytest.approx((1 + difference) / 2)


def test_the_bootstrap_of_smooth_areas_draws_weighted_rows():
    constant = rw.bootstrap(
        Y, P, statistic="smooth-auc", n_resamples=50, rng=1, sample_weight=np.full(N, 2.5)
    )
    plain = rw.bootstrap(Y, P, statistic="smooth-auc", n_resamples=50, rng=1)
    np.testing.assert_allclose(constant.replicates, plain.replicates, rtol=1e-9)
    assert "with their weights" in constant.interval.method


@pytest.mark.parametrize(
    ("call", "instead"),
    [
        (rw.step_area, "`auc` takes weights"),
        (rw.binormal, "use `auc` for the area and `band` for the curve"),
        (rw.confident_segment, "use `threshold`"),
        (threshold_regions, "use `at` with threshold="),
        (lambda *rows, **given: rw.guaranteed_threshold(*rows, rate="fpr", **given), "uncertainty"),
        (lambda *rows, **given: rw.test_auc(*rows, method="exact", **given), "method='delong'"),
        (lambda *rows, **given: rw.band(*rows, kind="joint-regions", **given), "'simultaneous'"),
    ],
)
def test_errors_name_the_reason_and_an_alternative(call, instead):
    with pytest.raises(rw.InputError, match=instead) as caught:
        call(Y, P, sample_weight=WEIGHTS)
    assert "leave" not in str(caught.value)
    assert "since" in str(caught.value) or "assumes independent rows" in str(caught.value)


@pytest.mark.parametrize("call", [rw.binormal, rw.confident_segment, threshold_regions])
def test_clusters_are_not_taken_for_independent_rows(call):
    with pytest.raises(rw.InputError, match="no version with clusters, since"):
        call(rw.tally(Y, P, groups=np.arange(N) // 3))
