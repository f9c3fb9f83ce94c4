import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rocwise.kernels import ranks, sort
from rocwise.kernels.threads import threads

SIZES = [1, 17, 300, 4097, 25_000]


def special(rng, size):
    values = [0.0, -0.0, np.inf, -np.inf, 5e-324, -5e-324, 1e-310, 1.7e308, -1.7e308, 1.0]
    return rng.choice(values, size)


SHAPES = {
    "normal": lambda rng, size: rng.normal(size=size),
    "tied": lambda rng, size: np.round(rng.normal(size=size), 1),
    "constant": lambda rng, size: np.full(size, 0.3),
    "ascending": lambda rng, size: np.sort(rng.random(size)),
    "descending": lambda rng, size: -np.sort(rng.random(size)),
    "low bits": lambda rng, size: 1.0 + rng.integers(0, 4 * size, size) * 2.0**-52,
    "denormal": lambda rng, size: rng.integers(0, size, size) * 5e-324,
    "log-uniform": lambda rng, size: 10.0 ** rng.uniform(-300, 300, size),
    "two scales": lambda rng, size: rng.random(size) * np.where(rng.random(size) < 0.5, 1, 1e300),
    "crowded": lambda rng, size: 2.0 ** -np.minimum(rng.exponential(size=size) ** 4, 1000),
    "special": special,
    "infinite": lambda rng, size: rng.choice([-np.inf, np.inf], size),
    "one outlier": lambda rng, size: np.append(rng.random(size - 1), 1e300),
}


def rows(shape, size, dtype):
    """Mask and scores, the same in every run."""
    rng = np.random.default_rng([size, *shape.encode()])
    with np.errstate(over="ignore", under="ignore"):
        scores = SHAPES[shape](rng, size).astype(dtype)
    return (rng.random(size) < 0.4).astype(np.uint8), scores


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", SIZES)
def test_rows_of_every_shape(implementation, shape, size, dtype):
    mask, scores = rows(shape, size, dtype)
    for found, kind in zip(sort.sort_by_class(mask, scores), (0, 1), strict=True):
        assert found.dtype == scores.dtype
        assert np.array_equal(found, np.sort(scores[mask == kind]))
        assert not np.signbit(found[found == 0.0]).any()
    order, codes, ascending = sort.sort_rows(mask, scores)
    assert np.array_equal(order, np.argsort(scores, kind="stable"))
    assert np.array_equal(sort.argsort(scores), order)
    assert np.array_equal(codes, mask[order])
    assert np.array_equal(ascending, scores[order])
    placed = ranks.placements(mask, scores)
    for kind in (0, 1):
        others, own = np.sort(scores[mask != kind]), scores[mask == kind]
        below = np.searchsorted(others, own) + np.searchsorted(others, own, "right")
        assert np.array_equal(placed[mask == kind], below)


@pytest.mark.parametrize("shape", SHAPES)
def test_results_do_not_depend_on_threads(shape, monkeypatch):
    monkeypatch.setattr(sort, "ROWS_PER_THREAD", 10_000)
    monkeypatch.setattr(sort, "MANY_ROWS", 20_000)
    monkeypatch.setattr(ranks, "ROWS_PER_THREAD", 10_000)
    monkeypatch.setattr(ranks, "BLOCK_ROWS", 2**13)
    mask, scores = rows(shape, 70_001, "f8")
    found = []
    for number in (1, 3):
        with threads(number):
            classes = sort.sort_by_class(mask, scores)
            found.append((*classes, sort.argsort(scores), ranks.placements(mask, scores)))
            sample = sort.sort_sample(mask, scores)
            if sample is not None:
                found[-1] += (*ranks.sample_curve(sample), ranks.sample_sums(sample))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)


def test_no_rows_at_all(implementation):
    mask, scores = np.array([], np.uint8), np.array([], np.float64)
    assert [part.size for part in sort.sort_by_class(mask, scores)] == [0, 0]
    assert sort.argsort(scores).size == ranks.placements(mask, scores).size == 0


def test_arguments_are_not_changed_and_may_be_views(implementation):
    mask, scores = rows("tied", 30_000, "f8")
    before = mask.copy(), scores.copy()
    spaced = np.repeat(scores, 2)[::2]
    for array in (mask, scores, spaced):
        array.setflags(write=False)
    assert np.array_equal(sort.sort_by_class(mask, spaced)[1], sort.sort_by_class(mask, scores)[1])
    assert np.array_equal(sort.argsort(spaced), sort.argsort(scores))
    assert np.array_equal(mask, before[0])
    assert np.array_equal(scores, before[1])


@pytest.mark.parametrize("size", [10, 30_000])
@pytest.mark.parametrize("call", [sort.sort_by_class, sort.sort_rows, ranks.placements])
def test_nan_and_other_lengths_raise(implementation, call, size):
    mask, scores = rows("normal", size, "f8")
    scores[size // 2] = np.nan
    with pytest.raises(ValueError, match="nan"):
        call(mask, scores)
    with pytest.raises(ValueError, match="shape"):
        call(mask[1:], scores)


KINDS = (np.int64, np.int8, np.uint8, np.uint64, np.bool_, np.float64, np.float32)


@given(st.sampled_from(KINDS).flatmap(lambda kind: hnp.arrays(kind, st.integers(0, 30))))
@example(np.array(["b", "a", "b"]))
@example(np.array([2**60, 2**60 + 1, 2**60], dtype=np.int64))
@example(np.array([0, 2**60], dtype=np.uint64))
@example(np.array([-(2**62), 2**62]))
@example(np.array([1.5, np.nan, 1.5]))
@example(np.array([np.inf, -np.inf, 0.0, -0.0]))
def test_distinct_as_numpy_has_it(values):
    names, codes = sort.distinct(values)
    expected, of_rows = np.unique(values, return_inverse=True)
    assert names.dtype == expected.dtype
    np.testing.assert_array_equal(names, expected)
    np.testing.assert_array_equal(codes, of_rows)
