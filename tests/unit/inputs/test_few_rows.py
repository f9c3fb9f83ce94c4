"""A few plain rows take a shorter way to the tally, and come out as by the long one."""

import pickle

import numpy as np
import pytest

import rocwise as rw

SIZES = [2, 7, 100, 1024]


def plain_rows(size):
    rng = np.random.default_rng(size)
    y = rng.permutation(np.arange(size) % 3 == 0).astype(np.int64)
    return y, np.round(rng.normal(size=size) + y, 1)


def long_way(y, s):
    """The same rows in a list, which nothing but the long way reads."""
    return rw.tally(y.tolist(), s.tolist())


@pytest.mark.parametrize("size", SIZES)
def test_the_tally_is_the_same(size):
    y, s = plain_rows(size)
    short, expected = rw.tally(y, s), long_way(y, s)
    for name in ("scores", "pos", "neg", "tp", "fp"):
        found, wanted = getattr(short, name), getattr(expected, name)
        assert found.dtype == wanted.dtype
        assert np.array_equal(found, wanted)
    assert short.placement_sums == expected.placement_sums
    assert (short.n_pos, short.n_neg) == (expected.n_pos, expected.n_neg)
    assert short.origin == expected.origin
    assert repr(short) == repr(expected)


@pytest.mark.parametrize("size", SIZES)
def test_the_area_is_the_same_to_the_last_bit(size):
    y, s = plain_rows(size)
    assert rw.auc(y, s).to_dict() == rw.auc(y.tolist(), s.tolist()).to_dict()


def test_the_tally_is_apart_from_the_arrays():
    y, s = plain_rows(100)
    found = rw.tally(y, s)
    before = found.scores.tolist()
    s[:], y[:] = 0.0, 1
    assert found.scores.tolist() == before
    assert not any(part.flags.writeable for part in found.oriented_classes)


def test_the_tally_can_be_sent_elsewhere():
    found = rw.tally(*plain_rows(100))
    again = pickle.loads(pickle.dumps(found))
    assert again.placement_sums == found.placement_sums
    assert (again.n_pos, again.n_neg) == (found.n_pos, found.n_neg)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"direction": "up"}, "`direction` must be one of"),
        ({"direction": np.array(["higher", "lower"])}, "`direction` must be one of"),
        ({"missing": "ignore"}, "`missing` must be one of"),
        ({"resolution": 1}, "`resolution` must be"),
        ({"pos_label": 2}, "`pos_label` 2 does not occur"),
    ],
)
def test_options_are_refused_as_ever(options, says):
    with pytest.raises(rw.InputError, match=says):
        rw.tally(*plain_rows(100), **options)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda y, s: (y, np.where(np.arange(100) == 17, np.nan, s)), "first at row 17"),
        (lambda y, s: (y * 0, s), "no positive example"),
        (lambda y, s: (y * 0 + 1, s), "no negative example"),
        (lambda y, s: (y + 1, s), "Pass pos_label="),
        (lambda y, s: (y[:99], s), "99 values but `y_score` has 100"),
        (lambda y, s: (y, s.astype(complex)), "real numbers"),
    ],
)
@pytest.mark.parametrize("ask", [rw.auc, rw.tally, rw.roc])
def test_rows_are_refused_as_ever(ask, spoil, says):
    with pytest.raises(rw.InputError, match=says):
        ask(*spoil(*plain_rows(100)))
