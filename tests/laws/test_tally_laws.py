"""What must contain for the tally of any rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from oracles.recounts import counted
from oracles.scored_rows import any_float32, few_values, mixed, rows, weighted_rows

big_integers = st.integers(-(2**63), 2**63 - 1) | st.integers(2**53 - 3, 2**53 + 3)


def as_lists(tally):
    return tally.scores.tolist(), tally.pos.tolist(), tally.neg.tolist()


@given(rows(mixed))
def test_a_tally_counts_each_distinct_score(data):
    y, s = data
    tally = rw.tally(y, s)
    distinct = sorted(set(s), reverse=True)
    assert tally.scores.tolist() == distinct
    assert tally.pos.tolist() == [
        sum(v == d and label == 1 for label, v in zip(y, s, strict=True)) for d in distinct
    ]
    assert tally.neg.tolist() == [
        sum(v == d and label == 0 for label, v in zip(y, s, strict=True)) for d in distinct
    ]
    assert (tally.n_pos, tally.n_neg) == (sum(y), len(y) - sum(y))


@given(rows(mixed))
def test_minus_zero_is_zero(data):
    y, s = data
    scores = rw.tally(y, s).scores
    assert not np.signbit(scores[scores == 0]).any()


@given(rows(mixed), st.randoms())
def test_row_order_does_not_matter(data, random):
    y, s = data
    order = list(range(len(y)))
    random.shuffle(order)
    shuffled = rw.tally([y[i] for i in order], [s[i] for i in order])
    assert as_lists(rw.tally(y, s)) == as_lists(shuffled)
    assert rw.tally(y, s).placement_sums == shuffled.placement_sums


@given(rows(mixed))
def test_lower_is_higher_of_the_negated_scores(data):
    y, s = data
    lower = rw.tally(y, s, direction="lower")
    negated = rw.tally(y, [-v for v in s])
    assert lower.pos.tolist() == negated.pos.tolist()
    assert lower.neg.tolist() == negated.neg.tolist()
    assert lower.scores.tolist() == [0 - v for v in negated.scores.tolist()]


@pytest.mark.parametrize("direction", ["higher", "lower"])
@given(data=rows(big_integers))
def test_integers_of_any_size_are_distinguished(direction, data):
    y, s = data
    tally = rw.tally(y, np.array(s, np.int64), direction=direction)
    for k, threshold in enumerate(tally.scores.tolist()):
        tp, fp, _, _ = counted(y, s, int(threshold), direction)
        assert (tally.tp[k], tally.fp[k]) == (tp, fp)


@given(rows(any_float32))
def test_float32_stays_float32(data):
    y, s = data
    scores = rw.tally(y, np.array(s, np.float32)).scores
    assert scores.dtype == np.float32
    assert scores.tolist() == sorted(set(s), reverse=True)


@given(rows(few_values), st.lists(st.integers(1, 4), min_size=30, max_size=30))
def test_whole_weights_are_repeated_rows(data, repeats):
    y, s = data
    w = repeats[: len(y)]
    weighted = rw.tally(y, s, sample_weight=w)
    repeated = rw.tally(np.repeat(y, w), np.repeat(s, w))
    assert as_lists(weighted) == as_lists(repeated)
    assert (weighted.n_pos, weighted.n_neg) == (repeated.n_pos, repeated.n_neg)


@given(weighted_rows(few_values))
def test_weights_are_summed_with_their_squares(data):
    y, s, w = data
    tally = rw.tally(y, s, sample_weight=w)
    for k, score in enumerate(tally.scores):
        for label, sums, squares in (
            (1, tally.pos, tally.squares.pos),
            (0, tally.neg, tally.squares.neg),
        ):
            here = [x for a, b, x in zip(y, s, w, strict=True) if a == label and b == score]
            assert sums[k] == pytest.approx(sum(here), rel=1e-14)
            assert squares[k] == pytest.approx(sum(x * x for x in here), rel=1e-14)


@given(rows(few_values), st.lists(st.sampled_from([0.0, 1.0]), min_size=30, max_size=30))
def test_rows_of_weight_zero_are_not_there(data, weights):
    y, s = (*data[0], 0, 1), (*data[1], 3, 3)
    w = [*weights[: len(data[0])], 1.0, 1.0]
    kept = [i for i, weight in enumerate(w) if weight]
    with_zeros = rw.tally(y, s, sample_weight=w)
    without = rw.tally([y[i] for i in kept], [s[i] for i in kept])
    assert as_lists(with_zeros) == as_lists(without)
