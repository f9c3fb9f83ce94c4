"""Resamples in bins: what they change is within the bound, and the answer says that they were."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw
from rocwise import kernels
from rocwise.binary.partial_area import WHOLE, Part, partial_area
from rocwise.binary.resampling import binned
from rocwise.binary.resampling.binned import area_bound, coarsened, in_bins


def scored(n, shift=1.0, seed=5):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(np.int64)
    return y, rng.normal(size=n) + shift * y


def kernel_errors(scores, y, ends_of):
    """Kernel of every pair less that in bins: a positive per row, a negative per column."""
    pos, neg = scores[y == 1], scores[y == 0]

    def kernel(a, b):
        return (a[:, None] > b[None, :]) + 0.5 * (a[:, None] == b[None, :])

    return kernel(pos, neg) - kernel(ends_of(pos), ends_of(neg))


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 12)), min_size=4, max_size=40).filter(
        lambda rows: len({row[0] for row in rows}) == 2
    ),
    st.integers(1, 6),
)
def test_the_bound_is_no_less_than_the_exact_spread_of_what_bins_change(rows, step):
    y, scores = (np.array(column) for column in zip(*rows, strict=True))
    data = rw.tally(y, scores)
    ends = np.unique(np.append(np.arange(step - 1, len(data), step), len(data) - 1))
    own = data.scores[ends]

    def ends_of(values):  # the last score of the bin that holds each value
        return own[[int(np.argmax(own <= value)) for value in values]]

    h = kernel_errors(scores, y, ends_of)
    m, n = h.shape
    mean = h.mean()
    by_pos, by_neg = h.mean(axis=1) - mean, h.mean(axis=0) - mean
    rest = h - mean - by_pos[:, None] - by_neg[None, :]
    # rows drawn with replacement: the exact variance of the difference of two resampled areas
    spread = (by_pos**2).sum() / m**2 + (by_neg**2).sum() / n**2 + (rest**2).sum() / (m * n) ** 2
    bound = area_bound(coarsened(data, ends), np.diff(ends, prepend=-1) > 1, WHOLE)
    assert np.sqrt(spread) <= bound + 1e-12


@pytest.mark.parametrize(
    "part", [Part("fpr", 0.0, 0.2), Part("fpr", 0.1, 0.4), Part("tpr", 0.7, 1)]
)
def test_parts_of_the_same_drawn_rows_differ_by_no_more_than_the_bound(part):
    data = rw.tally(*scored(3000))
    ends = np.unique(np.linspace(20, len(data) - 1, 120).astype(int))
    coarse = coarsened(data, ends)
    moved = []
    for b in range(300):
        tp, fp = (np.cumsum(c[0]) for c in kernels.resample_counts(data.pos, data.neg, 1, b, b + 1))
        rates = [np.append(0.0, c / c[-1]) for c in (fp, tp)]
        kept = [np.append(0.0, (c / c[-1])[ends]) for c in (fp, tp)]
        moved.append(partial_area(*rates, part) - partial_area(*kept, part))
    moved = np.array(moved)
    here = [np.append(0.0, c / c[-1]) for c in (data.fp, data.tp)]
    there = [np.append(0.0, c / c[-1]) for c in (coarse.fp, coarse.tp)]
    moved -= partial_area(*here, part) - partial_area(*there, part)
    bound = area_bound(coarse, np.diff(ends, prepend=-1) > 1, part)
    assert 0 < np.sqrt(np.mean(moved**2)) <= bound


@pytest.mark.parametrize(
    "statistic",
    [
        rw.statistics.SensitivityAt(0.9),
        rw.statistics.SpecificityAt(0.8),
        rw.statistics.EqualErrorRate(),
    ],
)
def test_a_point_is_that_of_every_row_in_every_resample(statistic, monkeypatch):
    monkeypatch.setattr(binned, "MOST_SCORES", 1000)
    monkeypatch.setattr(binned, "draws_counts", lambda pos, neg: True)
    monkeypatch.setattr(binned, "CHANCE", 1e-6)  # narrower windows, which 40 resamples still keep
    data = rw.tally(*scored(20_000))
    bins = in_bins(data, statistic)
    assert bins.n_bins < len(data) / 5
    ends = np.searchsorted(data.fp + data.tp, (bins.tally.fp + bins.tally.tp))
    beyond = np.append(np.inf, data.scores)
    for b in range(40):
        tp, fp = (np.cumsum(c[0]) for c in kernels.resample_counts(data.pos, data.neg, 1, b, b + 1))
        rates = [np.append(0.0, c / c[-1])[None, :] for c in (fp, tp)]
        kept = [np.append(0.0, (c / c[-1])[ends])[None, :] for c in (fp, tp)]
        own = statistic.of_curves(*rates, beyond)
        assert statistic.of_curves(*kept, beyond[:1]) == pytest.approx(own, abs=1e-14)


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_intervals_in_bins_are_those_of_every_row_but_for_chance(method):
    y, scores = scored(140_000)
    data = rw.tally(y, scores)
    exact = rw.auc(data, method=method, n_resamples=1500, rng=1, exact=True)
    quick = rw.auc(data, method=method, n_resamples=1500, rng=1)
    assert quick.value == exact.value
    assert not hasattr(exact.interval, "n_bins")
    assert quick.interval.n_bins == 2048
    assert quick.interval.error_bound < 0.002 * exact.standard_error
    assert quick.standard_error == pytest.approx(exact.standard_error, rel=0.08)
    # two quantiles of 1,500 draws, each with an error of 0.1 standard errors or so
    assert abs(quick.interval.low - exact.interval.low) < 0.5 * exact.standard_error
    assert "2,048 bins" in repr(quick)
    assert quick.to_dict()["interval"]["n_bins"] == 2048


def test_values_in_bins_are_centred_where_those_of_every_row_are():
    data = rw.tally(*scored(140_000))
    answer = rw.bootstrap(data, n_resamples=1000, rng=1)
    assert answer.value == pytest.approx(rw.auc(data).value, abs=1e-12)
    assert answer.replicates.mean() == pytest.approx(answer.value, abs=0.15 * answer.standard_error)
    assert answer.interval.low < answer.value < answer.interval.high


def test_up_to_131072_scores_and_for_other_statistics_every_row_is_drawn():
    data = rw.tally(*scored(131_072))
    assert in_bins(data, rw.statistics.Area()) is None
    data = rw.tally(*scored(131_073))
    assert in_bins(data, rw.statistics.Area()) is not None
    assert in_bins(data, rw.statistics.YoudenThreshold()) is None


def test_ties_do_not_spoil_the_bound():
    y, scores = scored(160_000)
    scores[:20_000] = 0.0
    bins = in_bins(rw.tally(y, scores), rw.statistics.Area())
    assert bins is not None
    assert bins.tally.placement_sums.n_pos == y.sum()


def test_every_interval_in_bins_rests_on_one_set_of_draws(monkeypatch):
    from rocwise.binary import auc as intervals

    drawn = []
    real = intervals.replicates
    monkeypatch.setattr(
        intervals, "replicates", lambda *args, **given: drawn.append(1) or real(*args, **given)
    )
    answer = rw.auc_intervals(*scored(140_000), n_resamples=50, rng=1)
    assert len(drawn) == 1
    assert sum("2,048 bins" in used for used in answer.used) == 2


def test_exact_is_a_flag():
    with pytest.raises(rw.InputError, match="`exact`"):
        rw.auc([0, 1, 0, 1], [1, 2, 3, 4], method="bootstrap", exact="yes")
