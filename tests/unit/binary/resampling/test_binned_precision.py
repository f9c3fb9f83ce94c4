"""Average precision of resamples in bins: within the bound, and the answer says so."""

import numpy as np
import pytest

import rocwise as rw
from rocwise import kernels
from rocwise.binary.resampling import binned
from rocwise.binary.resampling.binned import coarsened, in_bins
from rocwise.binary.resampling.binned_precision import (
    PrecisionInBins,
    inner_places,
    precision_bound,
    precision_ends,
    precision_error,
)
from rocwise.binary.resampling.forms_of_statistics import evaluated, of_counts
from rocwise.binary.resampling.precision_statistics import AveragePrecision, negative_odds


def scored(n, share=0.3, decimals=12, seed=5):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(np.int64)
    return rw.tally(y, np.round(rng.normal(size=n) + y, decimals))


def contrary(n):
    """In every run of ten scores all positives come last: the order that bins know least of."""
    rng = np.random.default_rng(7)
    y = (rng.random(n) < np.linspace(0.7, 0.1, n)).astype(np.int64).reshape(-1, 10)
    return rw.tally(np.sort(y, axis=1).ravel(), -np.arange(n))


@pytest.mark.parametrize(
    ("data", "prevalence"),
    [
        (scored(20_000), None),
        (scored(20_000), 0.02),
        (scored(20_000), 0.9),
        (scored(20_000, share=0.03), None),
        (scored(20_000, decimals=3), None),
        (contrary(20_000), None),
    ],
)
@pytest.mark.parametrize("step", [0.002, 0.005])
def test_the_same_drawn_rows_differ_by_no_more_than_the_bound(data, prevalence, step):
    statistic = AveragePrecision(prevalence)
    odds = negative_odds(data, prevalence)
    ends = precision_ends(data, odds, step)
    coarse, places = coarsened(data, ends), inner_places(data, ends)
    mixed = np.diff(ends, prepend=-1) > 1
    every = of_counts(data, statistic)
    in_few = PrecisionInBins(statistic, odds, places).of_counts(coarse)
    drawn = kernels.resample_counts(data.pos, data.neg, 1, 0, 200)
    summed = [np.diff(np.cumsum(counts, axis=1)[:, ends], prepend=0) for counts in drawn]
    moved = every(*drawn) - in_few(*summed)
    bound = precision_bound(coarse, mixed, odds, 1e-15)
    assert mixed.any()
    assert 0 < np.sqrt(np.mean(moved**2)) <= bound < 0.5 * precision_error(coarse, odds)


def test_bins_of_one_score_change_nothing():
    data = scored(500)
    odds, every = negative_odds(data, None), np.arange(len(data))
    own = PrecisionInBins(AveragePrecision(), odds, inner_places(data, every))
    assert evaluated(data, own) == pytest.approx(evaluated(data, AveragePrecision()), abs=1e-14)
    assert precision_bound(data, np.zeros(len(data), bool), odds, 1e-15) <= 4e-8


def test_inner_places_are_shares_of_pairs():
    data = scored(60, decimals=1)
    ends = np.array([3, 4, 11, len(data) - 1])
    found = inner_places(data, ends)
    start = 0
    for number, end in enumerate(ends):
        run = slice(start, end + 1)
        pos = np.repeat(data.scores[run], data.pos[run])
        for share, counts in ((found.of_pos, data.pos), (found.of_neg, data.neg)):
            others = np.repeat(data.scores[run], counts[run])
            if len(pos) and len(others):
                pairs = others[:, None] >= pos[None, :]
                assert share[number] == pytest.approx(pairs.mean(), abs=1e-14)
        start = end + 1


def test_the_error_is_that_of_influence_functions():
    data = scored(5000)
    error = rw.average_precision(data, method="logit").standard_error
    assert precision_error(data, negative_odds(data, None)) == pytest.approx(error, rel=1e-3)


def test_intervals_in_bins_are_those_of_every_row_but_for_chance(monkeypatch):
    monkeypatch.setattr(binned, "SHARE", 0.02)  # so that fewer rows than usual are enough
    data = scored(140_000)
    told = {"statistic": "average-precision", "n_resamples": 800, "rng": 1}
    exact = rw.bootstrap(data, exact=True, **told)
    quick = rw.bootstrap(data, **told)
    with rw.threads(1):
        again = rw.bootstrap(data, **told)
    assert np.array_equal(quick.replicates, again.replicates)
    assert quick.value == exact.value
    assert quick.standard_error == pytest.approx(exact.standard_error, rel=0.1)
    assert abs(quick.interval.low - exact.interval.low) < 0.5 * exact.standard_error
    assert quick.replicates.mean() == pytest.approx(quick.value, abs=0.15 * exact.standard_error)
    assert quick.interval.error_bound < 0.02 * exact.standard_error
    assert "bins, which move it" in repr(quick)
    other = rw.average_precision(data, method="bootstrap", n_resamples=800, rng=1)
    assert other.interval == quick.interval
    apart = rw.compare(
        data, scored(2000), statistic="average-precision", method="bootstrap", rng=1, n_resamples=50
    )
    assert apart.interval.n_bins == quick.interval.n_bins


@pytest.mark.parametrize("method", ["bca", "bootstrap-t"])
def test_other_intervals_of_average_precision(monkeypatch, method):
    monkeypatch.setattr(binned, "MOST_SCORES", 1000)
    monkeypatch.setattr(binned, "SHARE", 0.1)
    monkeypatch.setattr(binned, "draws_counts", lambda pos, neg: True)
    data = scored(4000)
    assert in_bins(data, AveragePrecision()) is not None
    answer = rw.bootstrap(data, statistic="average-precision", method=method, n_resamples=40, rng=1)
    assert hasattr(answer.interval, "n_bins") == (method == "bca")
    assert answer.interval.low < answer.value < answer.interval.high


def test_arcs_and_few_rows_are_drawn_row_by_row():
    data = scored(140_000)
    assert in_bins(data, AveragePrecision()) is None  # bins would be as many as rows
    assert in_bins(data, AveragePrecision(interpolation="davis-goadrich")) is None
    with pytest.raises(rw.InputError, match="`exact`"):
        rw.average_precision([0, 1, 0, 1], [1, 2, 3, 4], exact="yes")
