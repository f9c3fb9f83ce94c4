"""Resamples of weighted rows and of clusters, against resamples of the rows themselves."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import rocwise as rw
from rocwise.binary.bootstrap import sampling_of_rows
from rocwise.data.tally import TallyRows
from rocwise.kernels.resample import counts_of, left_out, multiplicities

RNG = np.random.default_rng(5)
N = 90
GROUPS = RNG.integers(0, 18, N)
SICK = RNG.normal(size=18)[GROUPS]
LABELS = (SICK + RNG.normal(size=N) > 0).astype(int)
SCORES = np.round(SICK + LABELS + RNG.normal(size=N), 1)
WEIGHTS = RNG.gamma(1.0, size=N)


def resampled_rows(n_resamples, seed, units, strata, weights):
    """Whole units drawn row by row within their strata: the definition, written out."""
    rng, values = np.random.default_rng(seed), []
    pos, neg = LABELS == 1, LABELS == 0
    credit = np.sign(SCORES[pos][:, None] - SCORES[neg]) / 2 + 0.5
    members = [np.flatnonzero(units == unit) for unit in range(units.max() + 1)]
    for _ in range(n_resamples):
        drawn = [rng.choice(own, len(own)) for own in strata]
        rows = np.concatenate([members[unit] for unit in np.concatenate(drawn)])
        held = np.bincount(rows, minlength=N) * weights
        values.append(held[pos] @ credit @ held[neg] / (held[pos].sum() * held[neg].sum()))
    return np.array(values)


@pytest.mark.parametrize("what", ["weights", "clusters", "both"])
def test_the_bootstrap_is_that_of_rows_with_their_weights_or_of_whole_clusters(what):
    given = {
        "weights": {"sample_weight": WEIGHTS},
        "clusters": {"groups": GROUPS},
        "both": {"sample_weight": WEIGHTS, "groups": GROUPS},
    }[what]
    answer = rw.bootstrap(LABELS, SCORES, **given, n_resamples=4000, rng=1)
    units = np.arange(N) if what == "weights" else GROUPS
    weights = np.ones(N) if what == "clusters" else WEIGHTS
    strata = [np.flatnonzero(k == LABELS) for k in (0, 1)] if what == "weights" else [np.arange(18)]
    plain = resampled_rows(4000, 2, units, strata, weights)
    value = roc_auc_score(LABELS, SCORES, sample_weight=weights)
    assert answer.value == pytest.approx(value, abs=1e-12)
    error = plain.std() / np.sqrt(4000)
    assert answer.replicates.mean() == pytest.approx(plain.mean(), abs=5 * np.sqrt(2) * error)
    assert answer.standard_error == pytest.approx(plain.std(ddof=1), rel=0.06)  # 4 sd of its ratio
    for share in (0.025, 0.975):
        here, there = (np.quantile(v, share) for v in (answer.replicates, plain))
        assert here == pytest.approx(there, abs=0.01)


def test_clusters_count_where_rows_within_them_are_alike():
    """Every row five times: five times the rows, and no more to know than before."""
    again = np.repeat(np.arange(N), 5)
    once = rw.bootstrap(LABELS, SCORES, rng=1).replicates
    five = rw.bootstrap(LABELS[again], SCORES[again], groups=again, rng=1)
    np.testing.assert_allclose(five.replicates, once, atol=1e-12)
    naive = rw.bootstrap(LABELS[again], SCORES[again], rng=1)
    assert five.standard_error > 2 * naive.standard_error


@pytest.mark.parametrize("given", [{"sample_weight": np.ones(N)}, {"groups": np.arange(N)}])
def test_equal_weights_and_clusters_of_one_row_are_drawn_as_rows(given):
    plain = rw.bootstrap(LABELS, SCORES, rng=3)
    same = rw.bootstrap(LABELS, SCORES, **given, rng=3)
    np.testing.assert_allclose(same.replicates, plain.replicates, atol=1e-12)
    assert same.interval.method != plain.interval.method


def test_what_was_drawn_is_said():
    weighted = rw.bootstrap(LABELS, SCORES, sample_weight=WEIGHTS, n_resamples=20, rng=1)
    assert weighted.interval.method == "bootstrap percentile of rows with their weights"
    assert repr(weighted).endswith("; weights of 90 rows")
    clustered = rw.bootstrap(LABELS, SCORES, groups=GROUPS, n_resamples=20, rng=1)
    assert clustered.interval.method == "bootstrap percentile of whole clusters"
    assert repr(clustered).endswith("; 18 clusters")


def test_frames_and_tallies_give_the_same_as_arrays():
    import pandas as pd

    frame = pd.DataFrame({"y": LABELS, "s": SCORES, "g": GROUPS, "w": WEIGHTS})
    options = {"n_resamples": 50, "rng": 1}
    columns = {"label": "y", "score": "s", "groups": "g", "sample_weight": "w"}
    arrays = rw.bootstrap(LABELS, SCORES, groups=GROUPS, sample_weight=WEIGHTS, **options)
    for data in (
        rw.tally(LABELS, SCORES, groups=GROUPS, sample_weight=WEIGHTS),
        rw.tally(frame, **columns),
    ):
        np.testing.assert_array_equal(rw.bootstrap(data, **options).replicates, arrays.replicates)
    asked = rw.bootstrap(frame, **columns, **options)
    np.testing.assert_array_equal(asked.replicates, arrays.replicates)


def test_equal_rows_that_a_frame_counted_are_drawn_one_by_one():
    import pandas as pd

    y, s, w = [0, 0, 0, 1, 1, 1] * 10, [1, 2, 3, 2, 3, 4] * 10, [1, 2, 1, 2, 1, 2] * 10
    frame = pd.DataFrame({"y": y, "s": s, "w": w})
    options = {"n_resamples": 3000, "rng": 1}
    counted = rw.bootstrap(frame, label="y", score="s", sample_weight="w", **options)
    rows = rw.bootstrap(y, s, sample_weight=w, **options)
    assert counted.value == rows.value
    assert counted.standard_error == pytest.approx(rows.standard_error, rel=0.08)


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("clusters", [None, [0, 1, 1, 2, 3, 3]])
def test_every_resample_has_both_classes_and_depends_on_its_number_alone(stratified, clusters):
    positive = np.array([1, 0, 0, 0, 0, 0], bool)
    rows = TallyRows(positive, np.arange(6), clusters=clusters and np.array(clusters))
    units, ranked = sampling_of_rows(rows, stratified=stratified)
    whole = multiplicities(units, 4, 0, 300)[:, ranked.units]
    assert (whole[:, positive].sum(axis=1) > 0).all()
    assert (whole[:, ~positive].sum(axis=1) > 0).all()
    some = multiplicities(units, 4, 100, 140)[:, ranked.units]
    np.testing.assert_array_equal(some, whole[100:140])
    if clusters:
        assert (whole[:, 1] == whole[:, 2]).all()
        assert (whole[:, 4] == whole[:, 5]).all()


def test_left_out_rows_are_those_not_drawn():
    rows = TallyRows(np.array([True, False, True]), np.arange(3), np.array([2.0, 3.0, 4.0]))
    units, ranked = sampling_of_rows(rows)
    pos, neg = counts_of(ranked, left_out(units, np.array([[0, 1, 2]])))
    assert (pos.tolist(), neg.tolist()) == ([[2.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]])
    counted = TallyRows(np.array([True, False]), np.arange(2), counts=np.array([2, 1]))
    units, ranked = sampling_of_rows(counted)
    pos, neg = counts_of(ranked, left_out(units, np.array([[1, 1]])))
    assert (pos.tolist(), neg.tolist()) == ([[1.0, 0.0]], [[0.0, 0.0]])


def test_effective_sizes_of_weights_and_clusters():
    data = rw.tally([1, 1, 1, 0, 0], [1, 2, 3, 4, 5], sample_weight=[1, 1, 2, 1, 1])
    assert data.effective_sizes == pytest.approx((16 / 6, 2.0))
    grouped = rw.tally([1, 1, 1, 0, 0], [1, 2, 3, 4, 5], groups=["a", "a", "b", "c", "d"])
    assert grouped.effective_sizes == (2.0, 2.0)
    assert rw.tally([1, 1, 0], [1, 2, 3]).effective_sizes == (2.0, 1.0)
