"""The bootstrap of the reject region."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.abstention import BestWindow, normalized
from rocwise.binary.bootstrap import sampling
from rocwise.kernels.resample import Units, counts_of, left_out, multiplicities

COSTS = rw.Costs(fp=1, fn=2, tp=0.1, tn=0.2, abstain=(0.5, 0.4))


def rows(seed, n=60):
    rng = np.random.default_rng(seed)
    y = np.r_[0, 1, (rng.random(n - 2) < 0.4).astype(int)]
    return y, np.round(rng.normal(y), 1)


def uncertain(y, s, costs, sample_weight=None, **drawing):
    """Find the best reject region and its uncertainty."""
    return rw.abstain(y, s, costs=costs, sample_weight=sample_weight).uncertainty(**drawing)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_the_rule_is_chosen_again_in_each_resample(direction):
    """The same counts, given as rows, have the same window."""
    y, s = rows(1)
    tally = rw.tally(y, s if direction == "higher" else -s, direction=direction)
    units, ranked = sampling(tally)
    pos, neg = counts_of(ranked, multiplicities(units, 5, 0, 30))
    found = BestWindow(normalized(COSTS), 0.3).of_counts(tally)(pos, neg, pos, neg)
    for row in range(30):
        labels = np.repeat(
            np.r_[np.ones(len(tally)), np.zeros(len(tally))], np.r_[pos[row], neg[row]]
        )
        scores = np.repeat(np.r_[tally.scores, tally.scores], np.r_[pos[row], neg[row]])
        window = rw.abstain(labels, scores, costs=COSTS, prevalence=0.3, direction=direction)
        assert found[row, 2:4] == pytest.approx((window.expected_cost, window.abstention_rate))
        between = (scores > found[row, 0]) & (scores < found[row, 1])
        np.testing.assert_array_equal(between, window.decide(scores) == -1)


def test_cases_left_out():
    multiplicity = np.array([1, 1, 2, 3, 0])
    drawn = np.array([[0, 2, 0, 1, 0], [1, 0, 2, 2, 0]])
    expected = [[1, 0, 2, 2, 0], [0, 1, 2 * 0.25, 3 * 4 / 9, 0]]
    np.testing.assert_allclose(left_out(Units(np.array([5]), counts=multiplicity), drawn), expected)


def test_the_result():
    y, s = rows(2, 300)
    result = uncertain(y, s, costs=COSTS, n_resamples=400, rng=3)
    window = rw.abstain(y, s, costs=COSTS)
    assert result.window.expected_cost == window.expected_cost
    for name in ("lower", "upper", "expected_cost", "abstention_rate"):
        interval = getattr(result, name)
        assert interval.low < interval.high
        assert interval.low <= getattr(window, name) <= interval.high
    assert result.optimism == result.out_of_bag_cost - window.expected_cost > 0
    assert result.share_abstaining == 1
    again = uncertain(y, s, costs=COSTS, n_resamples=400, rng=result.seed)
    assert again.to_dict() == result.to_dict()
    assert result.to_frame()["quantity"][0] == "lower"
    assert "seed 3" in repr(result)


def test_extremes():
    perfect = uncertain(
        [0, 0, 1, 1], [1, 2, 3, 4], costs=rw.Costs(fp=1, fn=1, abstain=0.1), n_resamples=50, rng=1
    )
    assert perfect.share_abstaining == 0
    limit = 1 - 0.025**0.5  # Clopper and Pearson's, of no failure in two cases
    assert tuple(perfect.abstention_rate) == pytest.approx((0, limit))
    assert tuple(perfect.expected_cost) == pytest.approx((0, limit))  # an error costs 1


def test_errors():
    with pytest.raises(rw.InputError, match="level"):
        uncertain([0, 1], [0, 1], costs=COSTS, level=2)
    with pytest.raises(rw.InputError, match="n_resamples"):
        uncertain([0, 1], [0, 1], costs=COSTS, n_resamples=0)


def test_one_case_or_cluster_of_a_class_shows_no_variance():
    y, s = np.repeat([1, 0], [1, 30]), np.arange(31.0)
    with pytest.raises(rw.InputError, match=r"two cases of each class.*got 1 positive, 30 neg"):
        rw.abstain(y, s, costs=COSTS).uncertainty(n_resamples=20, rng=1)
    y, s = rows(1)
    with pytest.raises(rw.InputError, match="two clusters with cases of each class"):
        rw.abstain(y, s, costs=COSTS, groups=np.zeros(60)).uncertainty(n_resamples=20, rng=1)
