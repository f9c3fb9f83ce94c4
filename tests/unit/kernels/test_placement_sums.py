import itertools

import numpy as np
import pytest

from rocwise.kernels import PlacementSums, combine
from rocwise.kernels.plain.merging import merge_sums


def state(neg, pos):
    return merge_sums(np.array(neg, float), np.array(pos, float))


def test_empty_range_changes_nothing():
    some = state([1, 2, 2], [2, 3])
    assert combine(PlacementSums(), some) == some
    assert combine(some, PlacementSums()) == some


@pytest.mark.parametrize("cut", range(8))
def test_two_ranges_give_the_state_of_all_rows(cut):
    neg, pos = [0, 1, 1, 3, 5, 6, 6], [1, 2, 3, 3, 6, 7]
    lower = state([x for x in neg if x < cut], [y for y in pos if y < cut])
    upper = state([x for x in neg if x >= cut], [y for y in pos if y >= cut])
    assert combine(lower, upper) == state(neg, pos)


def test_three_ranges_combine_in_any_grouping():
    parts = [state([0, 1], [1]), state([5, 5], [5, 6]), state([9], [8, 9, 9])]
    left = combine(combine(*parts[:2]), parts[2])
    right = combine(parts[0], combine(*parts[1:]))
    assert left == right


def test_sums_follow_their_definition():
    neg, pos = [1, 2, 2, 4], [2, 3, 4]
    pairs = list(itertools.product(neg, pos))
    u = [sum(2 * (x < y) + (x == y) for x in neg) for y in pos]
    v = [sum(2 * (y < x) + (x == y) for y in pos) for x in neg]
    expected = PlacementSums(
        n_pos=3,
        n_neg=4,
        sum_u=sum(u),
        sum_u2=sum(k * k for k in u),
        sum_v=sum(v),
        sum_v2=sum(k * k for k in v),
        ties=sum(x == y for x, y in pairs),
    )
    assert state(neg, pos) == expected


def test_sums_far_beyond_128_bits_stay_exact():
    huge = 10**30
    lower, upper = PlacementSums(n_neg=huge), PlacementSums(n_pos=3)
    assert combine(lower, upper).sum_u2 == 3 * 4 * huge**2
