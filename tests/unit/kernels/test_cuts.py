"""The cheapest cut and rivals of a class: by definition, and the same numbers from both twins."""

import numpy as np
import pytest

from rocwise.kernels.cuts import plain

KINDS = ["plain", "ties", "huge", "zeros", "near", "falling", "vast"]
SIZES = [0, 1, 2, 7, 50, 1000, 20_001]


def drawn(n, kind, seed=0):
    """Scores of a class, losses, and two lots of rivals."""
    rng = np.random.default_rng([n, KINDS.index(kind), seed])
    own, own_losses = rng.random(n), rng.random(n)
    first, second = rng.random((2, n)), rng.random((2, n))
    if kind == "ties":
        own, first, second = (np.round(each * 6) / 6 for each in (own, first, second))
    if kind == "huge":
        first[0] = np.exp(100 * rng.normal(size=n))
    if kind == "zeros":
        for scores in (own, first[0], second[0]):
            scores[rng.random(n) < 0.3] = 0
    if kind == "near":  # groups of values that count as one
        own = 1 + 1e-13 * rng.integers(0, 5, n)
        first[0], second[0] = rng.integers(1, 20, n), 0
    if kind == "falling":  # a clear best cut amid many rows
        ratios = first[0] / own
        own_losses = first[1] + np.sign(ratios - 0.8) * rng.random(n)
        second[0] = 0
    if kind == "vast":  # ratios from the smallest numbers to the largest
        first[0], own = 10.0 ** rng.uniform(-150, 150, n), 10.0 ** rng.uniform(-150, 150, n)
    return own, own_losses, first, second


def best_by_hand(values, changes):
    """Every cut between groups of values, tried one by one."""
    ordered = sorted(v for v in set(values.tolist()) if v < np.inf)
    groups = [
        (low, high)
        for low, high in zip([-np.inf, *ordered], [*ordered, np.inf], strict=True)
        if low == -np.inf or high > low * (1 + 1e-12)
    ]
    sums = [changes[values <= low].sum() for low, _ in groups]
    lowest = min(sums)
    tolerance = 1e-12 * np.abs(changes[values < np.inf]).sum()
    place = next(k for k, total in enumerate(sums) if total <= lowest + tolerance)
    return groups[place], sums[place]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", SIZES[:-1])
def test_the_cut_is_the_cheapest_of_all(kernels, n, kind):
    own, own_losses, first, second = drawn(n, kind)
    _, table = kernels.rival_ratios(own, own_losses, first, second)
    found = kernels.cheapest_cut(*table)
    beside, change = best_by_hand(*table)
    assert (found.below, found.above) == beside
    assert found.change == pytest.approx(change, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", SIZES)
def test_both_twins_cut_alike_to_the_last_bit(kernels, n, kind):
    for seed in range(3):
        own, own_losses, first, second = drawn(n, kind, seed)
        cost, table = kernels.rival_ratios(own, own_losses, first, second)
        expected, ratios = plain.rival_ratios(own, own_losses, first, second)
        assert cost == expected
        assert np.array_equal(table, ratios)
        assert kernels.cheapest_cut(*table) == plain.cheapest_cut(*table)


@pytest.mark.parametrize("own_first", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_the_better_of_rivals_in_place(kernels, kind, own_first):
    own, own_losses, rivals, _ = drawn(1001, kind)
    expected = plain.better_rivals(rivals, own, 0.9, own_losses, own_first=own_first)
    kernels.better_rivals(rivals, own, 0.9, own_losses, own_first=own_first, out=rivals)
    assert np.array_equal(rivals, expected)


def test_few_rows_are_sorted_where_the_best_cut_is_clear():
    compiled = pytest.importorskip("rocwise.kernels.compiled._cutting")
    own, own_losses, first, second = drawn(20_000, "falling")
    _, table = plain.rival_ratios(own, own_losses, first, second)
    low, high, before, scale, between = compiled.around(*table, 2**14)
    inside = (table[0] >= low) & (table[0] <= high)
    assert 0 < inside.sum() == between < 200
    assert before == pytest.approx(table[1][table[0] < low].sum())
    assert scale == pytest.approx(np.abs(table[1]).sum())


def test_columns_that_do_not_fit_are_refused(kernels):
    with pytest.raises(ValueError, match="as many as"):
        kernels.cheapest_cut(np.ones(3), np.ones(2))
    with pytest.raises(ValueError, match="at least 0"):
        kernels.cheapest_cut(np.array([-1.0, 2.0]), np.ones(2))


def test_the_compiled_loops_refuse_tables_of_other_shapes():
    compiled = pytest.importorskip("rocwise.kernels.cuts.compiled")
    short, fits = np.ones((2, 2)), np.ones((2, 3))
    with pytest.raises(ValueError, match="rivals must be"):
        compiled.better_rivals(short, np.ones(3), 1.0, np.ones(3), own_first=True)
    with pytest.raises(ValueError, match="rivals must be"):
        compiled.rival_ratios(np.ones(3), np.ones(3), fits, fits, fits.astype(np.float32))


@pytest.mark.parametrize("size", [0, 1, 7, 1024, 3001])
@pytest.mark.parametrize("groups", [((0,), (1,)), ((2, 0), (1, 3)), ((3,), (0, 1, 2))])
def test_ratios_of_groups_of_lines(kernels, size, groups):
    rng = np.random.default_rng(size)
    table = rng.random((4, size)) * (rng.random((4, size)) < 0.6)
    for columns in (None, np.flatnonzero(rng.random(size) < 0.5)):
        found = kernels.group_ratios(table, *groups, columns)
        np.testing.assert_array_equal(found, plain.group_ratios(table, *groups, columns))
        rows = (table if columns is None else table[:, columns]).T
        for ratio, scores in zip(found, rows, strict=True):
            above, below = (sum(scores[k] for k in group) for group in groups)
            assert ratio == (1 if above == below == 0 else np.inf if below == 0 else above / below)


def test_lines_and_columns_that_are_not_there():
    compiled = pytest.importorskip("rocwise.kernels.cuts.compiled")
    table = np.ones((2, 3))
    for wrong in ([[0], [2]], [[-1], [1]], [[0], [1], np.array([3])], [[0], [1], np.array([-1])]):
        with pytest.raises(ValueError, match="shape"):
            compiled.group_ratios(table, *wrong)
    with pytest.raises(ValueError, match="a line"):
        compiled.group_ratios(table, [0], [])


@pytest.mark.parametrize("zeros", [[0.0, -0.0], [-0.0, 0.0], [-0.0, -0.0]])
def test_zeros_beside_a_cut_have_no_sign(kernels, zeros):
    above_both = kernels.cheapest_cut(np.array([*zeros, 3.0]), np.array([-1.0, -1.0, 5.0]))
    below_both = kernels.cheapest_cut(np.array([*zeros, 3.0]), np.array([1.0, 1.0, 5.0]))
    assert (above_both.below, below_both.above) == (0, 0)
    assert not np.signbit([above_both.below, below_both.above]).any()
