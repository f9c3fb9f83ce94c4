"""Chains through ordered classes: both implementations, brute force, threads, odd floats."""

from importlib import import_module

import numpy as np
import pytest

from oracles.ordered_chains import tensor


def ranked(kernels, codes, scores):
    codes = np.asarray(codes, np.uint8)
    order, names, starts = kernels.rank_classes(codes, np.asarray(scores, float))
    return order, names, starts, np.bincount(codes).astype(float)


CASES = [
    ([0, 1], [1.0, 2.0]),
    ([0, 1], [2.0, 2.0]),
    ([1, 0, 1, 0], [0.0, -0.0, 1.0, np.inf]),
    ([0, 0, 1, 1, 2, 2], [1, 2, 2, 3, 3, 3]),
    ([0, 1, 2, 3, 0, 1, 2, 3], [1, 1, 1, 1, 1, 1, 1, 1]),
    ([2, 1, 0, 2, 1, 0, 2], [5, 4, 3, 3, 4, 4, 9]),
    ([0] * 3 + [1] * 2 + [2] * 2 + [3] * 2, [1, 2, 2, 2, 3, 2, 3, 3, 1]),
]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("codes", "scores"), CASES)
def test_every_chain_counted_once(kernels, codes, scores, strict):
    order, names, starts, sizes = ranked(kernels, codes, scores)
    expected = tensor(codes, scores, strict=strict)
    assert kernels.chain_volume(names, starts, sizes, strict=strict) == pytest.approx(
        expected.mean(), abs=1e-14
    )
    parts = np.empty(len(codes))
    parts[order] = kernels.chain_parts(names, starts, sizes, strict=strict)
    for k in range(len(sizes)):
        others = tuple(axis for axis in range(len(sizes)) if axis != k)
        np.testing.assert_allclose(
            parts[np.asarray(codes) == k], expected.mean(axis=others), atol=1e-14
        )


@pytest.mark.parametrize("rounded", [None, 1, 0])
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_twins_agree_to_the_last_bit(rounded, strict, dtype):
    plain = import_module("rocwise.kernels.plain.ordering")
    compiled = pytest.importorskip("rocwise.kernels.compiled.ordering", exc_type=ImportError)
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 5, 6000).astype(np.uint8)
    scores = (codes * 0.4 + rng.normal(size=6000)).astype(dtype)
    scores = scores if rounded is None else scores.round(rounded)
    rows = plain.rank_classes(codes, scores)
    sizes = np.bincount(codes).astype(float)
    volumes = [m.chain_volume(*rows[1:], sizes, strict=strict) for m in (plain, compiled)]
    assert volumes[0] == volumes[1]
    parts = [m.chain_parts(*rows[1:], sizes, strict=strict) for m in (plain, compiled)]
    assert np.array_equal(*parts)


@pytest.mark.parametrize(
    "bad",
    [
        (np.array([0, 2], np.uint8), np.ones(2, np.uint8), np.ones(2)),
        (np.array([0, 1], np.uint8), np.array([0, 1], np.uint8), np.ones(2)),
        (np.array([0, 1], np.uint8), np.ones(3, np.uint8), np.ones(2)),
    ],
)
def test_the_compiled_loops_do_not_trust_the_caller(bad):
    compiled = pytest.importorskip("rocwise.kernels.compiled.ordering", exc_type=ImportError)
    with pytest.raises(ValueError):
        compiled.chain_volume(*bad, strict=True)
