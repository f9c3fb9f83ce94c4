import numpy as np
import pytest

SIZES = [1, 3, 16, 17, 300, 4096, 4097, 12_000]


def log_uniform(rng, size):
    return 10.0 ** rng.uniform(-300, 300, size)


def two_scales(rng, size):
    return np.where(rng.random(size) < 0.5, rng.random(size), 1e300 * rng.random(size))


def tower(rng, size):
    """Values that crowd any straight line and any split by bits, several levels deep."""
    return 2.0 ** -np.minimum(rng.exponential(size=size) ** 4, 1000)


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
    "log-uniform": log_uniform,
    "two scales": two_scales,
    "tower": tower,
    "special": special,
    "one outlier": lambda rng, size: np.append(rng.random(size - 1), 1e300),
    "mostly zero": lambda rng, size: np.where(rng.random(size) < 0.99, 0.0, rng.normal(size=size)),
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
class TestEveryShape:
    def test_classes_are_sorted(self, kernels, shape, size, dtype):
        mask, scores = rows(shape, size, dtype)
        for found, kind in zip(kernels.sort_classes(mask, scores), (0, 1), strict=True):
            assert found.dtype == scores.dtype
            assert sorted(scores[mask == kind].tolist()) == found.tolist()
            assert not np.signbit(found[found == 0.0]).any()

    def test_order_is_ascending_and_stable(self, kernels, shape, size, dtype):
        _, scores = rows(shape, size, dtype)
        order = kernels.argsort(scores)
        assert order.dtype == np.int64
        assert order.tolist() == sorted(range(size), key=scores.tolist().__getitem__)

    def test_placements_count_the_other_class(self, kernels, shape, size, dtype):
        mask, scores = rows(shape, size, dtype)
        found = kernels.placements(mask, scores)
        assert found.dtype == np.int64
        for kind in (0, 1):
            others = np.sort(scores[mask != kind])
            mine = scores[mask == kind]
            expected = np.searchsorted(others, mine, "left") + np.searchsorted(
                others, mine, "right"
            )
            assert np.array_equal(found[mask == kind], expected)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("shape", SHAPES)
def test_threads_never_change_the_answer(shape, threads):
    compiled = pytest.importorskip(
        "rocwise.kernels.compiled.sorting",
        reason="the compiled kernels are not built",
        exc_type=ImportError,
    )
    mask, scores = rows(shape, 70_001, "f8")
    for one, many in zip(
        compiled.sort_classes(mask, scores, threads=1),
        compiled.sort_classes(mask, scores, threads=threads),
        strict=True,
    ):
        assert np.array_equal(one, many)
    assert np.array_equal(
        compiled.argsort(scores, threads=threads), np.argsort(scores, kind="stable")
    )
    assert np.array_equal(
        compiled.placements(mask, scores, threads=threads),
        compiled.placements(mask, scores, threads=1),
    )


@pytest.mark.parametrize("kind", [0, 1])
def test_one_class_only(kernels, kind):
    mask, scores = np.full(9_000, kind, np.uint8), np.random.default_rng(3).random(9_000)
    classes = kernels.sort_classes(mask, scores)
    assert np.array_equal(classes[kind], np.sort(scores))
    assert classes[1 - kind].size == 0
    assert not kernels.placements(mask, scores).any()


def test_placements_are_written_to_a_row_of_a_table(kernels):
    mask, scores = rows("tied", 5000, "f8")
    table = np.zeros((2, 5000), np.int64)
    found = kernels.placements(mask, scores, out=table[1])
    assert np.array_equal(table[1], kernels.placements(mask, scores))
    assert np.shares_memory(found, table[1])
    assert not table[0].any()
    for wrong in (table[1, 1:], table[1].astype(np.int32), np.zeros((5000, 2), np.int64)[:, 0]):
        with pytest.raises(ValueError, match="`out` must be 5000 numbers"):
            kernels.placements(mask, scores, out=wrong)


def test_no_rows_at_all(kernels):
    mask, scores = np.array([], np.uint8), np.array([], np.float64)
    assert [part.size for part in kernels.sort_classes(mask, scores)] == [0, 0]
    assert kernels.argsort(scores).size == 0
    assert kernels.placements(mask, scores).size == 0


def test_arguments_are_left_alone(kernels):
    mask, scores = rows("normal", 5_000, "f8")
    before = mask.copy(), scores.copy()
    mask.setflags(write=False)
    scores.setflags(write=False)
    kernels.sort_classes(mask, scores)
    kernels.argsort(scores)
    kernels.placements(mask, scores)
    assert np.array_equal(mask, before[0])
    assert np.array_equal(scores, before[1])


def test_scores_may_be_a_strided_view(kernels):
    mask, scores = rows("tied", 3_000, "f8")
    spaced = np.repeat(scores, 2)[::2]
    assert np.array_equal(kernels.placements(mask, spaced), kernels.placements(mask, scores))
    assert np.array_equal(kernels.argsort(spaced), kernels.argsort(scores))
