"""Sums over pairs in order of group and rank, on both implementations, against a double loop."""

import numpy as np
import pytest

from rocwise.kernels import chains

pytestmark = pytest.mark.usefixtures("implementation")


@pytest.mark.parametrize(
    ("n", "groups", "ranks"), [(1, 1, 1), (7, 3, 4), (60, 60, 60), (150, 30, 17), (64, 5, 64)]
)
def test_sums_are_those_of_a_double_loop(n, groups, ranks):
    rng = np.random.default_rng(n)
    group = np.unique(rng.integers(0, groups, n), return_inverse=True)[1]
    rank = rng.permutation(n) if ranks == n else rng.integers(0, ranks, n)
    later, earlier = rng.normal(size=(2, n))
    psi = (rank[:, None] > rank) + 0.5 * (rank[:, None] == rank)
    ordered = psi * (group[:, None] < group)
    found = chains.pair_sums(group, rank, later, earlier)
    np.testing.assert_allclose(found.later, ordered @ later, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.earlier, earlier @ ordered, rtol=0, atol=1e-12)


def test_shapes_are_checked():
    zeros = np.zeros(3, np.intp)
    with pytest.raises(ValueError, match="one value per row"):
        chains.pair_sums(zeros, zeros, np.ones(3), np.ones(2))
    with pytest.raises(ValueError, match="from 0"):
        chains.pair_sums(zeros - 1, zeros, np.ones(3), np.ones(3))
