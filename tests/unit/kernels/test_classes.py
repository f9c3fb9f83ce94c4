"""Classes along one score, with rows held any number of times, against brute force."""

from itertools import product

import numpy as np
import pytest

from rocwise.kernels.plain.ordering import chain_volume


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
