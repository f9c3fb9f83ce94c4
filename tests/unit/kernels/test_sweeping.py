import numpy as np
import pytest

from rocwise.kernels.plain import sweeping


def arrangement(n, seed, decimals=12, infinite=0.0):
    rng = np.random.default_rng([n, seed])
    first, second, crossing = np.round(rng.normal(size=(3, n)), decimals)
    for line, signs in ((first, (-np.inf, np.inf)), (second, (-np.inf, np.inf))):
        hit = rng.random(n) < infinite
        line[hit] = rng.choice(signs, hit.sum())
    crossing[rng.random(n) < infinite] = rng.choice((-np.inf, np.inf))
    crossing.sort()
    return first, second, crossing, rng.integers(0, 9, (3, n)).astype(float)


def points_of(first, second, crossing, losses, rng):
    """Costs at random points of the plane, called row by row."""
    for _ in range(400):
        d, t = rng.normal(scale=2, size=2)
        before = crossing > d
        limit = np.where(before, first, second + d)
        called = np.where(t > limit, 0, np.where(before, 1, 2))
        yield losses[called, np.arange(len(first))].sum()


@pytest.mark.parametrize("n", [1, 2, 3, 10, 60])
@pytest.mark.parametrize("infinite", [0.0, 0.2])
def test_no_point_of_the_plane_is_cheaper(kernels, n, infinite):
    rng = np.random.default_rng(n)
    for seed in range(4):
        arguments = arrangement(n, seed, infinite=infinite)
        cost, strip, x, y = kernels.cheapest_cell(
            *arguments, strips=(0, n + 1), tolerance=1e-9, bound=np.inf
        )
        assert strip >= 0
        assert x >= 0
        assert y >= 0
        assert cost <= min(points_of(*arguments, rng)) + 1e-9


@pytest.mark.parametrize("decimals", [0, 1, 12])
@pytest.mark.parametrize("n", [1, 7, 80])
def test_both_implementations_agree_to_the_last_bit(kernels, n, decimals):
    arguments = arrangement(n, 3, decimals, infinite=0.1)
    arguments = (*arguments[:3], arguments[3] / 7)  # sums that round
    for strips in ((0, n + 1), (n // 2, n + 1), (0, n // 2 + 1)):
        options = {"strips": strips, "tolerance": 1e-9, "bound": np.inf}
        expected = sweeping.cheapest_cell(*arguments, **options)
        assert kernels.cheapest_cell(*arguments, **options) == expected


def test_parts_make_the_whole(kernels):
    arguments = arrangement(30, 4)
    options = {"tolerance": 1e-9}
    whole = kernels.cheapest_cell(*arguments, strips=(0, 31), bound=np.inf, **options)
    best = (np.inf, -1, -1, -1)
    for begin in range(0, 31, 4):
        strips = (begin, min(begin + 4, 31))
        found = kernels.cheapest_cell(*arguments, strips=strips, bound=best[0], **options)
        best = found if found[1] >= 0 else best
    assert best == whole


def test_nothing_below_the_bound(kernels):
    arguments = arrangement(10, 5)
    options = {"strips": (0, 11), "tolerance": 1e-9}
    least = kernels.cheapest_cell(*arguments, bound=np.inf, **options)[0]
    assert kernels.cheapest_cell(*arguments, bound=least, **options) == (least, -1, -1, -1)


def test_largest_weighted_is_argmax(kernels):
    rng = np.random.default_rng(0)
    for n in (1, 2, 5000):
        table = rng.integers(0, 4, (6, n)).astype(float)
        weights = rng.choice([0.0, 0.5, 1.0], 6)
        values, lines = kernels.largest_weighted(table, weights)
        assert lines.tolist() == (table * weights[:, None]).argmax(axis=0).tolist()
        assert values.tolist() == (table * weights[:, None]).max(axis=0).tolist()
        some = np.array([1, 4])
        lines = kernels.largest_weighted(table, weights, some)[1]
        assert (
            lines.tolist() == some[(table[some] * weights[some][:, None]).argmax(axis=0)].tolist()
        )


@pytest.mark.parametrize("among", [[], [-1], [2]])
def test_lines_outside_the_table_are_refused(kernels, among):
    with pytest.raises(ValueError, match=r"must name lines 0\.\.1"):
        kernels.largest_weighted(np.ones((2, 3)), np.ones(2), np.array(among, dtype=np.int64))
