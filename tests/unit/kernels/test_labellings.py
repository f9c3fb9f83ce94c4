"""Credits of tuples with one case of each class, against every labelling."""

from itertools import permutations

import numpy as np
import pytest

from rocwise.kernels.plain import labellings as plain


def drawn(m, tuples, coarse, seed=3):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 3, (40, m)) / 4 if coarse else rng.random((40, m))
    own = np.arange(m)[:, None] + m * rng.integers(0, 40 // m, (m, tuples))
    return table + 0.5 * np.eye(m)[np.arange(40) % m], own


def earned(scores):
    """Of one tuple, (case, label): one over the labellings that tie with the true one, or 0."""
    m = len(scores)
    found = [sum(scores[range(m), order]) for order in permutations(range(m))]
    true = np.trace(scores)
    return 0.0 if max(found) > true + 1e-9 else 1 / sum(abs(x - true) <= 1e-9 for x in found)


@pytest.mark.parametrize("m", [2, 3, 5])
@pytest.mark.parametrize("coarse", [False, True])
def test_credits_are_those_of_all_labellings(kernels, m, coarse):
    table, chosen = drawn(m, 50, coarse)
    expected = [earned(table[rows]) for rows in chosen.T]
    assert len(set(expected)) > 1
    found = kernels.tuple_credits(table, chosen, 1e-12 * m)
    np.testing.assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize("m", [2, 3, 4, 7])
@pytest.mark.parametrize("tuples", [0, 1, 15, 16, 17, 5000])
def test_the_same_to_the_bit_compiled_or_not(m, tuples):
    compiled = pytest.importorskip("rocwise.kernels.compiled.labellings")
    for coarse in (False, True):
        told = *drawn(m, tuples, coarse), 1e-12 * m
        np.testing.assert_array_equal(compiled.tuple_credits(*told), plain.tuple_credits(*told))


def test_rows_that_are_not_there_are_refused():
    compiled = pytest.importorskip("rocwise.kernels.compiled.labellings")
    for wrong in (-1, 40):
        table, chosen = drawn(3, 20, coarse=False)
        chosen[1, 18] = wrong
        with pytest.raises(ValueError, match="from 0 to 39"):
            compiled.tuple_credits(table, chosen, 1e-12)
    with pytest.raises(ValueError, match="a line for each"):
        compiled.tuple_credits(table, chosen[:2], 1e-12)
