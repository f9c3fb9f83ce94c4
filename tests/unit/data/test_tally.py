"""The tally: counts, sums, huge numbers, bins."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import rocwise as rw
from rocwise.data.tally import Tally

SCORES = np.array([3.0, 2.0, 1.0])


def test_a_tally_is_counted_from_the_most_positive_score_down():
    tally = rw.tally([0, 1, 1, 0, 1], [2, 2, 3, 1, 2])
    assert tally.scores.tolist() == [3.0, 2.0, 1.0]
    assert tally.pos.tolist() == [1, 2, 0]
    assert tally.neg.tolist() == [0, 1, 1]
    assert tally.tp.tolist() == [1, 3, 3]
    assert tally.fp.tolist() == [0, 1, 2]
    assert (tally.n_pos, tally.n_neg, len(tally)) == (3, 2, 3)
    assert tally.pos.dtype == tally.neg.dtype == np.int64
    assert not tally.weighted
    assert tally.squares is None


def python_state(pos, neg):
    """The sums of `PlacementSums` with Python integers, from counts of descending scores."""
    sums = dict.fromkeys(("sum_u", "sum_u2", "sum_v", "sum_v2", "ties"), 0)
    negatives_below = positives_below = 0
    for p, n in zip(pos[::-1], neg[::-1], strict=True):
        u, v = 2 * negatives_below + n, 2 * positives_below + p
        sums["sum_u"] += p * u
        sums["sum_u2"] += p * u * u
        sums["sum_v"] += n * v
        sums["sum_v2"] += n * v * v
        sums["ties"] += p * n
        negatives_below += n
        positives_below += p
    return {"n_pos": sum(pos), "n_neg": sum(neg), **sums}


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@pytest.mark.parametrize(
    ("pos", "neg"),
    [
        ([10**8, 0, 0], [0, 0, 10**8]),
        ([10**9] * 3, [10**9] * 3),
        ([5 * 10**9, 10**9, 10**9], [10**9, 10**9, 5 * 10**9]),
        ([3 * 10**9, 1, 7], [2, 2**40, 10**9 + 7]),
        ([2**31, 2**32, 2**33 + 1], [2**33, 2**31 - 1, 2**32]),
    ],
)
def test_huge_counts_are_exact(pos, neg):
    tally = Tally.from_counts(SCORES, np.array(pos), np.array(neg))
    expected = python_state(pos, neg)
    assert tally.placement_sums._asdict() == expected
    P, N = expected["n_pos"], expected["n_neg"]
    area = float(Fraction(expected["sum_u"], 2 * P * N))
    assert rw.auc(tally).value == area
    assert rw.roc(tally).auc == area
    assert rw.roc(tally, drop_intermediate=True).auc == area
    assert rw.step_area(tally).perfect_area == P * N


@pytest.mark.parametrize("top", [10**9, 4 * 10**9])
def test_hulls_and_corners_of_huge_counts_are_exact(top):
    # the second point lies on the line of the first and the third, the fourth below the hull
    pos = np.array([2 * top, top, 1, top + 3])
    neg = np.array([top, top // 2, top, 1])
    tally = Tally.from_counts(np.array([4.0, 3.0, 2.0, 1.0]), pos, neg)
    hull = rw.hull(tally)
    # Python integers: corners of the counts (fp, tp)
    fp, tp = [0, *np.cumsum(neg).tolist()], [0, *np.cumsum(pos).tolist()]
    corners = [0, 2, 4]
    assert hull.fpr.tolist() == [fp[k] / fp[-1] for k in corners]
    doubled = sum((fp[b] - fp[a]) * (tp[a] + tp[b]) for a, b in itertools.pairwise(corners))
    assert hull.auc == doubled / (2 * fp[-1] * tp[-1])
    short = rw.roc(tally, drop_intermediate=True)
    assert short.fpr.tolist() == [fp[k] / fp[-1] for k in (0, 2, 3, 4)]


def test_delong_variance_of_huge_counts_is_exact():
    pos, neg = [10**9, 10**8, 3], [7, 10**8, 10**9]
    tally = Tally.from_counts(SCORES, np.array(pos), np.array(neg))
    state = python_state(pos, neg)
    N, M = state["n_neg"], state["n_pos"]
    SN = Fraction(state["sum_v2"], 4 * M * M) - Fraction(state["sum_v"] ** 2, 4 * M * M * N)
    SM = Fraction(state["sum_u2"], 4 * N * N) - Fraction(state["sum_u"] ** 2, 4 * N * N * M)
    variance = float(SN / (N * (N - 1)) + SM / (M * (M - 1)))
    assert rw.auc_variance(tally, method="delong") == variance
    assert rw.auc(tally).standard_error ** 2 == pytest.approx(variance, rel=1e-14)


def test_binning_huge_counts():
    pos = np.array([10**9, 10**9, 10**9, 10**9])
    tally = Tally.from_counts(np.arange(4.0, 0.0, -1.0), pos, pos[::-1].copy())
    from rocwise.data.range_states import binned

    half = binned(tally, 2)
    assert half.pos.tolist() == half.neg.tolist() == [2 * 10**9] * 2
    assert half.error_bound == pytest.approx(0.125, rel=1e-15)
    assert Fraction(half.error_bound) >= Fraction(1, 8)


def test_exact_sums_exist_only_without_weights():
    tally = rw.tally([0, 1], [1, 2], sample_weight=[1, 2])
    with pytest.raises(rw.InputError, match="repeat the rows"):
        _ = tally.placement_sums
    assert tally.weighted


def test_weight_sums_are_floats_and_counts_are_integers():
    weighted = rw.tally([0, 1], [1, 2], sample_weight=[1, 2])
    assert (weighted.n_pos, weighted.n_neg) == (2.0, 1.0)
    assert type(weighted.n_pos) is float
    assert type(rw.tally([0, 1], [1, 2]).n_pos) is int


def test_curve_counts_are_the_cumulated_table():
    fresh, requested = (rw.tally([0, 1, 1, 0], [1, 2, 2, 2]) for _ in range(2))
    assert len(requested) == 2  # makes the table first
    for a, b in zip(fresh.curve_counts(), requested.curve_counts(), strict=True):
        assert a.tolist() == b.tolist()


def test_infinite_scores_rank_like_others():
    y, s = [0, 1, 0, 1, 1], [-np.inf, np.inf, np.inf, 0.0, -np.inf]
    tally = rw.tally(y, s)
    assert tally.scores.tolist() == [np.inf, 0.0, -np.inf]
    assert tally.pos.tolist() == [1, 1, 1]
    assert rw.auc(tally).value == 0.5
    curve = rw.roc(tally)
    assert curve.thresholds.tolist() == [np.inf, np.inf, 0.0, -np.inf]
    assert (curve.tpr[0], curve.fpr[0]) == (0.0, 0.0)
    assert [tally.threshold_text(k) for k in range(3)] == ["inf", "0", "-inf"]


def test_bins_of_weights_keep_their_squares():
    y, s, w = [0, 1, 0, 1], [1, 2, 3, 4], [1.0, 2.0, 3.0, 4.0]
    binned = rw.tally(y, s, sample_weight=w, resolution=2)
    assert binned.squares.pos.sum() == 4.0 + 16.0
    assert binned.squares.neg.sum() == 1.0 + 9.0
    assert binned.n_pos == 6.0
