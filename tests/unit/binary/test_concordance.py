"""Products of the kernels of two areas, against all pairs of rows."""

import numpy as np
import pytest

from rocwise import kernels
from rocwise.binary.influence import kernel_products


def found(mask, scores):
    return kernel_products(mask, np.stack([kernels.placements(mask, each) for each in scores]))


def by_definition(mask, scores):
    psi = [(x[:, None] < y) / 2 + (x[:, None] <= y) / 2 for x, y in split(mask, scores)]
    return [[(one * other).sum() for other in psi] for one in psi]


def split(mask, scores):
    return [(each[mask == 0], each[mask == 1]) for each in scores]


@pytest.mark.parametrize("sizes", [(1, 1), (1, 5), (7, 1), (2, 2), (63, 64), (900, 1333)])
@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_products_are_those_of_all_pairs(sizes, decimals):
    rng = np.random.default_rng([*sizes, decimals])
    mask = rng.permutation(np.repeat(np.array([0, 1], np.uint8), sizes))
    scores = np.round(np.cumsum(rng.normal(size=(3, len(mask))), axis=0), decimals)
    assert found(mask, scores).tolist() == by_definition(mask, scores)


def test_infinities_and_zeros_of_both_signs():
    mask = np.array([0, 0, 0, 0, 1, 1, 1], np.uint8)
    scores = np.array(
        [[-np.inf, 0, -0.0, np.inf, 0, np.inf, -np.inf], [1, -0.0, 2, 0, 0, 2, 5e-324]]
    )
    assert found(mask, scores).tolist() == by_definition(mask, scores)


def test_counts_beyond_32_bits():
    mask = np.repeat(np.array([0, 1], np.uint8), 70_000)
    scores = np.tile(np.arange(140_000.0), (2, 1))
    assert (found(mask, scores) == 70_000**2).all()
