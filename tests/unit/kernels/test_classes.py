"""Classes along one score, with rows held any number of times, against brute force."""

from itertools import product

import numpy as np
import pytest

from rocwise.kernels.plain import classes as plain
from rocwise.kernels.plain.ordering import chain_volume
from rocwise.kernels.plain.resampling import class_times


def rows(kind, n=40, m=4):
    rng = np.random.default_rng(n + m)
    ranked = rng.integers(0, m, n).astype(np.uint8)
    starts = (rng.random(n) < {"distinct": 1.1, "tied": 0.4, "equal": 0.0}[kind]).astype(np.uint8)
    starts[0] = 1
    return ranked, starts


def credits(ranked, starts, held, own, credit):
    """Of each class: over its rows, own rows on the other side twice plus tied ones; O(n^2)."""
    group = np.cumsum(starts)
    above, below = np.zeros(4), np.zeros(4)
    for a, b in product(range(len(ranked)), repeat=2):
        if ranked[a] == own:
            tied = group[a] == group[b]
            above[ranked[b]] += held[a] * held[b] * (2 * (group[a] > group[b]) + tied)
            below[ranked[b]] += held[a] * held[b] * (2 * (group[a] < group[b]) + tied * credit)
    return above, below


@pytest.mark.parametrize("kind", ["distinct", "tied", "equal"])
@pytest.mark.parametrize("amounts", ["counts", "weights"])
def test_wins_are_those_of_all_pairs(kernels, kind, amounts):
    ranked, starts = rows(kind)
    rng = np.random.default_rng(5)
    held = rng.integers(0, 4, 40).astype(float) if amounts == "counts" else rng.random(40)
    for credit in (True, False):
        pairs = kernels.pair_wins(ranked, starts, held, 4, credit=credit)
        for own in range(4):
            above, below = credits(ranked, starts, held, own, credit)
            wins = kernels.class_wins(ranked, starts, held, own, 4)
            np.testing.assert_allclose(wins, above, rtol=1e-13)
            np.testing.assert_allclose(pairs[own], below, rtol=1e-13)


@pytest.mark.parametrize("kind", ["distinct", "tied", "equal"])
@pytest.mark.parametrize("own", [0, 2])
def test_credits_of_rows_are_those_of_their_pairs(kernels, kind, own):
    ranked, starts = rows(kind)
    rng = np.random.default_rng(3)
    held, weights, group = rng.random(40), rng.random(4), np.cumsum(starts)
    weights[own] = 0.0
    sizes = np.bincount(ranked, held, minlength=4)
    shares = held / sizes[ranked]
    over = (group[:, None] > group) + 0.5 * (group[:, None] == group)  # row over column
    expected = np.where(
        ranked == own,
        over @ (shares * weights[ranked]),
        weights[ranked] * (over.T @ (shares * (ranked == own))),
    )
    order = rng.permutation(40)
    found = kernels.class_credits(ranked, starts, held, order, own, sizes, weights)
    np.testing.assert_allclose(found[order], expected, rtol=1e-12, atol=1e-15)


def test_credits_are_the_same_to_the_bit_compiled_or_not():
    compiled = pytest.importorskip("rocwise.kernels.compiled.classes")
    ranked, starts = rows("tied")
    held, sizes, weights = np.random.default_rng(8).random((3, 40))
    told = ranked, starts, held, np.arange(40)[::-1], 1, sizes[:4], weights[:4]
    np.testing.assert_array_equal(compiled.class_credits(*told), plain.class_credits(*told))
    with pytest.raises(ValueError, match="own"):
        compiled.class_credits(*told[:4], 4, *told[5:])
    with pytest.raises(ValueError, match="order"):
        compiled.class_credits(*told[:3], np.arange(40) + 1, *told[4:])


@pytest.mark.parametrize("kind", ["distinct", "tied", "equal"])
@pytest.mark.parametrize("strict", [True, False])
def test_volume_is_that_of_repeated_rows(kernels, kind, strict):
    ranked, starts = rows(kind, m=3)
    times = np.random.default_rng(1).integers(1, 4, 40)
    group = np.repeat(np.cumsum(starts), times)
    repeated = np.repeat(ranked, times)
    new = np.append(1, np.diff(group) > 0).astype(np.uint8)
    sizes = np.bincount(repeated, minlength=3).astype(float)
    if kind == "distinct":  # equal rows of one class are no chain
        strict = True
    expected = chain_volume(repeated, new, sizes, strict=strict)
    found = kernels.held_volume(ranked, starts, times.astype(float), sizes, strict=strict)
    assert found == pytest.approx(expected, rel=1e-12)


def test_wrong_rows_are_refused():
    classes = pytest.importorskip("rocwise.kernels.compiled.classes")
    ranked, starts = rows("tied")
    with pytest.raises(ValueError, match="below 2"):
        classes.class_wins(ranked, starts, np.ones(40), 0, 2)
    with pytest.raises(ValueError, match="held"):
        classes.class_wins(ranked, starts, np.ones(39), 0, 4)


def columns(m, n=90, scores=None, seed=2):
    """Columns of ranked rows without ties, where their rows stand by class, and class sizes."""
    rng = np.random.default_rng([seed, m])
    codes = np.append(np.arange(m), rng.integers(0, m, n - m)).astype(np.uint8)
    place = np.empty(n, np.int32)
    place[np.argsort(codes, kind="stable")] = np.arange(n)
    orders = [rng.permutation(n) for _ in range(m if scores is None else scores)]
    ranked = np.stack([codes[order] for order in orders])
    return ranked, np.stack([place[order] for order in orders]), np.bincount(codes, minlength=m)


@pytest.mark.parametrize("m", [2, 3, 4, 5, 9])
def test_resamples_are_those_of_rows_drawn_by_class(kernels, m):
    ranked, places, sizes = columns(m)
    n, starts = ranked.shape[1], np.ones(ranked.shape[1], np.uint8)
    wins = kernels.resample_class_wins(ranked, places, sizes, 7, 2, 5)
    credited = kernels.resample_pair_wins(ranked, places, sizes, 7, 2, 5, credit=True)
    strict = kernels.resample_pair_wins(ranked, places, sizes, 7, 2, 5, credit=False)
    volumes = kernels.resample_volumes(ranked, places, sizes, 7, 2, 5)
    for replicate in range(2, 5):
        times = class_times(np.arange(n), sizes, 7, replicate)
        for c in range(m):
            held, at = times[places[c]], (replicate - 2, c)
            rows = ranked[c], starts, held
            np.testing.assert_array_equal(wins[at], kernels.class_wins(*rows, c, m))
            for credit, found in ((True, credited), (False, strict)):
                expected = kernels.pair_wins(*rows, m, credit=credit)
                np.testing.assert_array_equal(found[at], expected)
            volume = kernels.held_volume(*rows, sizes.astype(float), strict=False)
            assert volumes[at] == pytest.approx(volume, rel=1e-13)


@pytest.mark.parametrize("m", [2, 3, 9])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_resamples_of_tied_scores_are_those_of_rows(kernels, m, share):
    ranked, places, sizes = columns(m)
    starts = (np.random.default_rng(m).random(ranked.shape) >= share).astype(np.uint8)
    starts[:, 0] = 1
    wins = kernels.resample_class_wins(ranked, places, sizes, 7, 2, 5, starts=starts)
    for replicate in range(2, 5):
        times = class_times(np.arange(ranked.shape[1]), sizes, 7, replicate)
        for c in range(m):
            rows = ranked[c], starts[c], times[places[c]]
            expected = kernels.class_wins(*rows, c, m)
            np.testing.assert_array_equal(wins[replicate - 2, c], expected)


def test_starts_must_be_those_of_the_columns(kernels):
    ranked, places, sizes = columns(3)
    for starts in (np.zeros_like(ranked), np.ones_like(ranked)[:, 1:]):
        with pytest.raises(ValueError, match="starts"):
            kernels.resample_class_wins(ranked, places, sizes, 7, 2, 5, starts=starts)


def test_a_row_may_be_drawn_any_number_of_times(kernels):
    """One class of two rows: a replicate in which one of them is drawn twice, the other never."""
    ranked, places = np.array([[1, 0, 0]], np.uint8), np.array([[2, 0, 1]], np.int32)
    found = kernels.resample_pair_wins(ranked, places, np.array([2, 1]), 3, 0, 20, credit=False)
    assert set(found[:, 0, 0, 0]) == {0.0, 2.0}  # both once, in order, or one of them twice
    np.testing.assert_array_equal(found[:, 0, 1, 0], 4.0)


def test_threads_share_replicates():
    classes = pytest.importorskip("rocwise.kernels.compiled.classes")
    told = *columns(3), 11, 0, 7
    for name in ("resample_class_wins", "resample_volumes"):
        alone = getattr(classes, name)(*told, threads=1)
        np.testing.assert_array_equal(getattr(classes, name)(*told, threads=3), alone)


def test_columns_that_do_not_fit_are_refused(kernels):
    ranked, places, sizes = columns(3)
    with pytest.raises(ValueError, match="columns of 90"):
        kernels.resample_volumes(ranked[:, 1:], places, sizes, 1, 0, 1)
    with pytest.raises(ValueError, match="below 3"):
        kernels.resample_volumes(ranked + np.uint8(1), places, sizes, 1, 0, 1)
    with pytest.raises(ValueError, match="0 to 89"):
        kernels.resample_volumes(ranked, places + np.int32(1), sizes, 1, 0, 1)
    with pytest.raises(ValueError, match="a row of each"):
        kernels.resample_volumes(ranked, places, np.array([90, 0]), 1, 0, 1)
