"""Independent samples resampled in bins: within the bound of both, and the answer says so."""

import numpy as np
import pytest

import rocwise as rw
from rocwise import kernels
from rocwise.binary.partial_area import WHOLE
from rocwise.binary.resampling import binned
from rocwise.binary.resampling.binned import InBins, area_bound, coarsened, error_of_difference


def sample(n, shift=1.0, seed=5):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(np.int64)
    return rw.tally(y, rng.normal(size=n) + shift * y)


def areas_both_ways(data, ends, seed, times=300):
    """Areas of the same drawn rows, one by one and in bins."""
    area, found = rw.statistics.Area(), []
    for b in range(times):
        drawn = kernels.resample_counts(data.pos, data.neg, seed, b, b + 1)
        tp, fp = (np.cumsum(counts[0]) for counts in drawn)
        rates = [np.append(0.0, c / c[-1])[None, :] for c in (fp, tp)]
        kept = [np.append(0.0, (c / c[-1])[ends])[None, :] for c in (fp, tp)]
        found.append([area.of_curves(*each, np.empty(0))[0] for each in (rates, kept)])
    return np.array(found).T


def test_the_error_of_a_difference_of_the_same_rows_is_within_the_bound_of_both():
    errors, bins = [], []
    for seed, step in ((1, 25), (2, 60)):
        data = sample(3000, seed=seed)
        ends = np.unique(np.append(np.arange(step - 1, len(data), step), len(data) - 1))
        coarse = coarsened(data, ends)
        bins.append(InBins(coarse, area_bound(coarse, np.diff(ends, prepend=-1) > 1, WHOLE)))
        errors.append(areas_both_ways(data, ends, seed).std(axis=1))
    of_rows, of_bins = np.hypot(*errors)
    assert 0 < abs(of_rows - of_bins) <= error_of_difference(bins)


@pytest.mark.parametrize("asked", [{}, {"max_fpr": 0.2}, {"at_specificity": 0.9}])
def test_samples_in_bins_have_the_errors_of_every_row_but_for_chance(asked):
    first, second = sample(140_000), sample(150_000, shift=1.05, seed=6)
    told = {"method": "bootstrap", "n_resamples": 1000, "rng": 1, **asked}
    exact = rw.compare(first, second, exact=True, **told)
    quick = rw.compare(first, second, **told)
    assert quick.difference == exact.difference
    assert quick.standard_error == pytest.approx(exact.standard_error, rel=0.1)
    assert quick.interval.error_bound < 0.002 * exact.standard_error
    assert "bins, which change the standard error by at most" in quick.method
    assert quick.interval.method == quick.method
    assert quick.to_dict()["interval"]["n_bins"] == quick.interval.n_bins > 1000
    assert exact.method == "unpaired bootstrap"
    assert not hasattr(exact.interval, "n_bins")


def test_threads_change_nothing_in_bins():
    samples = sample(140_000), sample(1000, seed=6)
    answers = []
    for number in (1, 2):
        with rw.threads(number):
            answers.append(rw.compare(*samples, method="bootstrap", n_resamples=200, rng=1))
    assert answers[0].standard_error == answers[1].standard_error
    assert answers[0].interval.n_bins == 2048  # the small sample has none


def test_few_scores_are_drawn_row_by_row_whatever_is_asked():
    samples = sample(3000), sample(3000, seed=6)
    told = {"method": "bootstrap", "n_resamples": 100, "rng": 1}
    answers = [rw.compare(*samples, exact=exact, **told) for exact in (False, True)]
    assert answers[0].to_dict() == answers[1].to_dict()
    assert binned.MOST_SCORES == 131_072


def test_exact_is_a_flag():
    with pytest.raises(rw.InputError, match="`exact`"):
        rw.compare(sample(100), sample(100, seed=6), exact="yes")
