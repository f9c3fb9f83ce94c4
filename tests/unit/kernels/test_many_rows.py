from importlib import import_module
from sys import getswitchinterval, setswitchinterval
from threading import Event, Thread
from types import SimpleNamespace

import numpy as np
import pytest

from rocwise.kernels.plain import merging, sorting
from unit.kernels.test_few_rows import assert_sorted, assert_sorted_and_summed
from unit.kernels.test_sorting import SHAPES, rows

N = 5000
Y, S = np.arange(N) % 3 // 2, np.sin(np.arange(N))
LONG_Y, LONG_S = np.tile(Y, 20), np.sin(np.arange(20 * N))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [4097, 70_000])
def test_classes_and_sums_are_those_of_the_kernels_for_any_rows(kernels, shape, size, dtype):
    mask, scores = rows(shape, size, dtype)
    classes, sums = kernels.many_rows(mask.astype(np.int64), scores, summed=True)
    for _ in range(2):  # whoever asks again gets the same
        assert_sorted_and_summed((*classes(), sums), mask, scores)
    classes, sums = kernels.many_rows(mask.astype(np.int64), scores)
    assert_sorted(*classes(), mask, scores)
    assert sums is None


@pytest.mark.parametrize("dtype", [bool, "i1", "u1", "i4", "i8", "f8"])
def test_labels_of_any_usual_type(kernels, dtype):
    neg, pos = kernels.many_rows(Y.astype(dtype), S)[0]()
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
    assert kernels.many_rows(labels, scores, summed=True) is None


class TestCompiled:
    @pytest.fixture
    def module(self):
        return pytest.importorskip("rocwise.kernels.rows.compiled")

    @pytest.mark.parametrize("shape", SHAPES)
    def test_answers_do_not_depend_on_the_number_of_threads(self, module, shape):
        mask, scores = rows(shape, 20_000, "f8")
        for summed in (True, False):
            one, *others = (
                module.many_rows(mask, scores, threads=n, summed=summed) for n in (1, 2, 5)
            )
            for other in others:
                for ours, theirs in zip(other[0](), one[0](), strict=True):
                    assert np.array_equal(ours, theirs)
                assert other[1] == one[1]

    def test_a_bucket_too_full_for_64_bits_is_summed_by_blocks(self, module, monkeypatch):
        expected = module.many_rows(Y, S, summed=True)[1]
        monkeypatch.setattr(module, "MOST_SUMMED", 0)
        assert module.many_rows(Y, S, summed=True)[1] == expected

    @pytest.mark.parametrize("summed", [True, False])
    @pytest.mark.parametrize("now", [-5.0, 5.0, np.nan])
    @pytest.mark.parametrize("place", [0, N // 2, N - 1])
    def test_rows_that_change_between_the_passes_are_left_to_others(
        self, module, monkeypatch, place, now, summed
    ):
        scores, fill = np.linspace(0, 1, N), module._sorting.fill_slots

        def change_and_fill(slots, given, *more):
            scores[place] = now
            return fill(slots, given, *more)

        monkeypatch.setattr(module._sorting, "fill_slots", change_and_fill)
        found = module.many_rows(Y, scores, summed=summed)
        in_order = (place, now) in {(0, -5.0), (N - 1, 5.0)}  # as if it had been so before
        assert (found is None) is not in_order


class TestCodes:
    """Sums by codes that numpy sorts, whatever is quicker here."""

    @pytest.fixture
    def module(self):
        module = pytest.importorskip("rocwise.kernels.rows.compiled")
        chosen = import_module("rocwise.kernels.compiled.sorting").codes_are_quicker()
        if not module._sorting.lend_codes(True):
            pytest.skip("numpy does not tell its sort")
        yield module
        module._sorting.lend_codes(chosen)

    @pytest.mark.parametrize("dtype", ["f4", "f8"])
    @pytest.mark.parametrize("shape", SHAPES)
    def test_sums_are_those_of_the_sort(self, module, shape, dtype):
        mask, scores = rows(shape, 9_000, dtype)
        classes, sums = module.many_rows(mask, scores, summed=True)
        assert sums == merging.merge_sums(*classes())

    def summed_by_codes(self, module, monkeypatch, labels, scores):
        """How many buckets of how many; their sums are those of the sort."""
        plans, plan = [], module._sorting.plan
        monkeypatch.setattr(
            module._sorting, "plan", lambda *given: plans.append(plan(*given)) or plans[-1]
        )
        classes, sums = module.many_rows(labels, scores, summed=True)
        assert sums == merging.merge_sums(*classes())
        return plans[0].summed_by_codes, plans[0].buckets

    @pytest.mark.parametrize("dtype", ["f4", "f8"])
    def test_distinct_scores_are_not_sorted(self, module, monkeypatch, dtype):
        scores = ((np.arange(50_000) * 0.6180339887498949) % 1 + 1).astype(dtype)
        labels = np.arange(50_000) % 3 // 2
        done, buckets = self.summed_by_codes(module, monkeypatch, labels, scores)
        assert done >= buckets - 2

    def test_ties_of_short_scores_are_told_by_their_codes(self, module, monkeypatch):
        scores = (np.arange(50_000) % 997 / 997).astype("f4")
        done, buckets = self.summed_by_codes(module, monkeypatch, np.arange(50_000) % 2, scores)
        assert done == buckets

    def test_ties_of_long_scores_are_left_to_the_sort_after_a_few_trials(self, module, monkeypatch):
        scores = np.arange(50_000) % 997 / 997
        done, _ = self.summed_by_codes(module, monkeypatch, np.arange(50_000) % 2, scores)
        assert done <= 1  # the bucket of zeros

    @pytest.mark.parametrize("far", [1, 2**20])
    def test_scores_that_differ_in_the_last_bits_are_in_order(self, module, monkeypatch, far):
        """Their codes differ in the class alone, which is no tie."""
        steps = np.arange(20_000) // 2 * 2**45 + np.arange(20_000) % 2 * far
        scores = (steps + np.float64(1.0).view(np.int64)).view(np.float64)
        labels = np.arange(20_000) % 2
        self.summed_by_codes(module, monkeypatch, labels, scores)
        self.summed_by_codes(module, monkeypatch, 1 - labels, scores)

    def test_a_loan_that_ends_meanwhile_does_no_harm(self, module):
        """Two threads may decide at once whether codes are quicker."""
        expected, ended = module.many_rows(LONG_Y, LONG_S, summed=True)[1], Event()

        def change():
            while not ended.is_set():
                module._sorting.lend_codes(False)
                module._sorting.lend_codes(True)

        other, interval = Thread(target=change), getswitchinterval()
        setswitchinterval(1e-6)
        other.start()
        try:
            found = {module.many_rows(LONG_Y, LONG_S, summed=True)[1] for _ in range(100)}
        finally:
            ended.set()
            other.join()
            setswitchinterval(interval)
        assert found == {expected}


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
