"""Resamples of weighted rows and of clusters, against resamples of the rows themselves."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import rocwise as rw

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
        counts = np.bincount(rows, minlength=N) * weights
        values.append(counts[pos] @ credit @ counts[neg] / (counts[pos].sum() * counts[neg].sum()))
    return np.array(values)


@pytest.mark.parametrize("what", ["weights", "clusters", "both"])
def test_the_bootstrap_is_that_of_rows_with_their_weights_or_of_whole_clusters(what):
    given = {
        "weights": {"sample_weight": WEIGHTS},
        "clusters": {"groups": GROUPS},
        "both": {"sample_weight": WEIGHTS, "groups": GROUPS},
    }[what]
    result = rw.bootstrap(LABELS, SCORES, **given, n_resamples=4000, rng=1)
    units = np.arange(N) if what == "weights" else GROUPS
    weights = np.ones(N) if what == "clusters" else WEIGHTS
    strata = [np.flatnonzero(k == LABELS) for k in (0, 1)] if what == "weights" else [np.arange(18)]
    plain = resampled_rows(4000, 2, units, strata, weights)
    value = roc_auc_score(LABELS, SCORES, sample_weight=weights)
    assert result.value == pytest.approx(value, abs=1e-12)
    error = plain.std() / np.sqrt(4000)
    assert result.replicates.mean() == pytest.approx(plain.mean(), abs=5 * np.sqrt(2) * error)
    assert result.standard_error == pytest.approx(plain.std(ddof=1), rel=0.06)  # 4 sd of its ratio
    for probability in (0.025, 0.975):
        here, there = (np.quantile(v, probability) for v in (result.replicates, plain))
        assert here == pytest.approx(there, abs=0.01)


def test_clusters_matter_where_rows_within_them_are_correlated():
    """Every row five times: five times the rows, and no more to know than before."""
    again = np.repeat(np.arange(N), 5)
    once = rw.bootstrap(LABELS, SCORES, rng=1).replicates
    five = rw.bootstrap(LABELS[again], SCORES[again], groups=again, rng=1)
    np.testing.assert_allclose(five.replicates, once, atol=1e-12)
    naive = rw.bootstrap(LABELS[again], SCORES[again], rng=1)
    assert five.standard_error > 2 * naive.standard_error


def test_the_resampling_unit_is_reported():
    weighted = rw.bootstrap(LABELS, SCORES, sample_weight=WEIGHTS, n_resamples=20, rng=1)
    assert weighted.interval.method == "bootstrap percentile of rows with their weights"
    assert repr(weighted).endswith("; weights of 90 rows")
    clustered = rw.bootstrap(LABELS, SCORES, groups=GROUPS, n_resamples=20, rng=1)
    assert clustered.interval.method == "bootstrap percentile of whole clusters"
    assert repr(clustered).endswith("; 18 clusters")
