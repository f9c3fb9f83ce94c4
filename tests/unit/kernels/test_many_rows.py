from types import SimpleNamespace

import numpy as np
import pytest

from rocwise.kernels.plain import sorting
from unit.kernels.test_few_rows import assert_sorted_and_summed
from unit.kernels.test_sorting import SHAPES, rows

N = 5000
Y, S = np.arange(N) % 3 // 2, np.sin(np.arange(N))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [4097, 70_000])
def test_classes_and_sums_are_those_of_the_kernels_for_any_rows(kernels, shape, size, dtype):
    mask, scores = rows(shape, size, dtype)
    assert_sorted_and_summed(kernels.many_rows(mask.astype(np.int64), scores), mask, scores)


@pytest.mark.parametrize("dtype", [bool, "i1", "u1", "i4", "i8", "f8"])
def test_labels_of_any_usual_type(kernels, dtype):
    neg, pos, _ = kernels.many_rows(Y.astype(dtype), S)
    assert np.array_equal(neg, np.sort(S[Y == 0]))
    assert np.array_equal(pos, np.sort(S[Y == 1]))


@pytest.mark.parametrize(
    ("labels", "scores"),
    [
        (Y.tolist(), S),
        (Y, S.tolist()),
        (Y[:-1], S),
        (Y[:4096], S[:4096]),
        (Y[:, None], S),
        (Y.astype("U1"), S),
        (Y.astype(">i8"), S),
        (Y, S.astype(">f8")),
        (Y, S.astype("f2")),
        (Y, np.arange(N)),
        (Y, np.repeat(S, 2)[::2]),
        (np.repeat(Y, 2)[::2], S),
        (2 * Y - 1, S),
        (Y + 0.5, S),
        (np.where(np.arange(N) == N - 1, 2, Y), S),
        (np.where(Y == 1, 1.0, np.nan), S),
        (np.zeros(N, int), S),
        (np.ones(N, int), S),
        (Y, np.where(np.arange(N) == N - 1, np.nan, S)),
        (Y, np.full(N, np.nan)),
        (np.ma.array(Y, mask=Y == 0), S),
    ],
)
def test_whatever_is_not_plain_is_left_to_others(kernels, labels, scores):
    assert kernels.many_rows(labels, scores) is None


def test_classes_alone_are_those_with_sums(kernels):
    neg, pos, sums = kernels.many_rows(Y, S, summed=False)
    for ours, theirs in zip((neg, pos), kernels.many_rows(Y, S), strict=False):
        assert np.array_equal(ours, theirs)
        assert not ours.flags.writeable
    assert sums is None


class TestCompiled:
    @pytest.fixture
    def module(self):
        return pytest.importorskip("rocwise.kernels.rows.compiled")

    @pytest.mark.parametrize("shape", SHAPES)
    def test_answers_do_not_depend_on_the_number_of_threads(self, module, shape):
        mask, scores = rows(shape, 20_000, "f8")
        one, *others = (module.many_rows(mask, scores, threads=n) for n in (1, 2, 5))
        for other in others:
            assert np.array_equal(other[0], one[0])
            assert np.array_equal(other[1], one[1])
            assert other[2] == one[2]

    def test_a_bucket_too_full_for_64_bits_is_summed_by_blocks(self, module, monkeypatch):
        expected = module.many_rows(Y, S)[2]
        monkeypatch.setattr(module, "MOST_SUMMED", 0)
        assert module.many_rows(Y, S)[2] == expected

    @pytest.mark.parametrize("now", [-5.0, 5.0, np.nan])
    @pytest.mark.parametrize("place", [0, N // 2, N - 1])
    def test_rows_that_change_between_the_passes_are_left_to_others(
        self, module, monkeypatch, place, now
    ):
        scores, fill = np.linspace(0, 1, N), module._sorting.fill_slots

        def change_and_fill(slots, given, *more):
            scores[place] = now
            return fill(slots, given, *more)

        monkeypatch.setattr(module._sorting, "fill_slots", change_and_fill)
        found = module.many_rows(Y, scores)
        in_order = (place, now) in {(0, -5.0), (N - 1, 5.0)}  # as if it had been so before
        assert (found is None) is not in_order


@pytest.mark.parametrize("lent", [True, False])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("shape", SHAPES)
def test_both_sorts_of_a_bucket_give_the_same(shape, dtype, lent):
    compiled = pytest.importorskip("rocwise.kernels.compiled.sorting")
    mask, scores = rows(shape, 9_000, dtype)
    expected = sorting.sort_classes(mask, scores)
    chosen = compiled.numpy_is_quicker()
    try:
        compiled._sorting.lend(lent)
        found = compiled.sort_classes(mask, scores)
    finally:
        compiled._sorting.lend(chosen)
    for values, wanted in zip(found, expected, strict=True):
        assert np.array_equal(values, wanted)
        assert not np.signbit(values[values == 0.0]).any()


def test_numpy_sorts_only_where_it_can(monkeypatch):
    compiled = pytest.importorskip("rocwise.kernels.compiled.sorting")
    tried = []
    chosen = compiled.numpy_is_quicker()
    lend = compiled._sorting.lend
    monkeypatch.setattr(compiled._sorting, "lend", lambda lent: tried.append(lent) or lend(False))
    assert not compiled.numpy_is_quicker.__wrapped__()
    assert tried[-1] is False
    lend(chosen)


@pytest.mark.parametrize("resolution", [1e-9, 0.0156])
@pytest.mark.parametrize("quicker", [True, False])
@pytest.mark.parametrize("busy", [0, 3, 8, 20])
def test_a_busy_moment_does_not_choose_the_sort(monkeypatch, quicker, busy, resolution):
    """The first so many runs take fifty times as long; the quicker sort takes half as long."""
    compiled = pytest.importorskip("rocwise.kernels.compiled.sorting")
    chosen = compiled.numpy_is_quicker()
    lend, state = compiled._sorting.lend, {"now": 0.0, "runs": 0, "lent": False}

    def run(*_):
        slow = 50 if state["runs"] < busy else 1
        state["now"] += slow * (1e-6 if state["lent"] == quicker else 2e-6)
        state["runs"] += 1

    def lent_now(lent):
        state["lent"] = lent
        return lent

    clocks = {"thread_time": lambda: state["now"], "perf_counter": lambda: state["now"]}
    ours = "thread_time" if resolution < 1e-6 else "perf_counter"
    for name, clock in clocks.items():
        monkeypatch.setattr(compiled, name, clock if name == ours else None)
    monkeypatch.setattr(
        compiled, "get_clock_info", lambda _: SimpleNamespace(resolution=resolution)
    )
    monkeypatch.setattr(compiled._sorting, "lend", lent_now)
    monkeypatch.setattr(compiled._sorting, "sort_buckets", run)
    assert compiled.numpy_is_quicker.__wrapped__() is quicker
    assert state["runs"] <= 2 * compiled.TRIALS
    monkeypatch.undo()
    lend(chosen)
