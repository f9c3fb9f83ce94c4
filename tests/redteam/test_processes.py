"""Threads and processes: errors cross pools, warnings stay, threads are not multiplied."""

import concurrent.futures
import copy
import multiprocessing
import os
import pickle
import warnings

import numpy as np
import pytest

import rocwise as rw
from rocwise.errors import ConflictError, ScoreRangeError, UnattainableError
from rocwise.estimators.mimetic import AbsentClassError
from rocwise.kernels import threads

RNG = np.random.default_rng(2)
Y = np.arange(80) % 2
S = RNG.normal(size=80).round(2) + 0.5 * Y


@pytest.fixture
def unset(monkeypatch):
    """No setting of threads from outside."""
    for name in ("ROCWISE_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)


ERRORS = [
    rw.InputError("`level` must lie strictly between 0 and 1; got 2."),
    UnattainableError("positive", 0.9999, 0.75),
    ConflictError(),
    ScoreRangeError("`{argument}` must lie between 0 and 1.", 0.0, 1.0),
    AbsentClassError("the oracle predicts one class"),
    rw.errors.MissingPackageError("needs a package"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_come_back_from_other_processes(error):
    for back in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(back) is type(error)
        assert str(back) == str(error)
        assert vars(back) == vars(error)


@pytest.mark.parametrize("how", ["spawn", "fork"])
def test_a_raised_error_does_not_hang_a_pool(how):
    if how not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {how} here")
    with (
        multiprocessing.get_context(how).Pool(1) as pool,
        pytest.raises((UnattainableError, ConflictError)),
    ):
        pool.apply_async(rw.reliable, (Y, S), {"positive": 0.9999, "negative": 0.9999}).get(60)


def test_public_functions_go_to_spawned_pools():
    tallies = [rw.tally(Y, S), rw.tally(Y, -S, direction="lower")]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        results = pool.map_async(rw.auc, tallies).get(timeout=60)
    assert [a.value for a in results] == [rw.auc(t).value for t in tallies]


def test_public_functions_go_to_joblib():
    joblib = pytest.importorskip("joblib")
    found = joblib.Parallel(n_jobs=2)(
        joblib.delayed(rw.bootstrap)(Y, S, n_resamples=50, rng=k) for k in range(3)
    )
    expected = [rw.bootstrap(Y, S, n_resamples=50, rng=k) for k in range(3)]
    assert [a.interval.low for a in found] == [a.interval.low for a in expected]
    assert not found[0].replicates.flags.writeable


@pytest.mark.parametrize(
    "call",
    [
        lambda: rw.fit_distribution(np.exp(S)),
        lambda: rw.multiclass.roc(np.arange(60) % 3, RNG.random((60, 3))),
        lambda: rw.estimators.FilterRegressor(transition="mlp", hidden=2, random_state=0).fit(
            S[:, None], S
        ),
    ],
    ids=["fit_distribution", "multiclass.roc", "FilterRegressor"],
)
def test_threads_leave_the_filters_of_warnings_alone(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.RocwiseWarning)
        call()  # the first import of scipy.stats adds a filter of its own
        before = list(warnings.filters)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: call(), range(8)))
        assert warnings.filters == before


@pytest.mark.usefixtures("unset")
@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"ROCWISE_THREADS": "3"}, 3),
        ({"ROCWISE_THREADS": " 1 ", "OMP_NUM_THREADS": "5"}, 1),
        ({"OMP_NUM_THREADS": "1"}, 1),
        ({"OMP_NUM_THREADS": "1,2"}, 1),
        ({"OMP_NUM_THREADS": "many"}, None),
    ],
)
def test_the_number_of_threads_is_one_setting(environment, expected, monkeypatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    everything = threads._processors()
    assert threads.thread_limit() == (expected or min(everything, threads.thread_limit()))


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5", "9" * 5000])
def test_a_number_of_threads_that_is_none(text, monkeypatch):
    monkeypatch.setenv("ROCWISE_THREADS", text)
    with pytest.raises(rw.InputError, match="`ROCWISE_THREADS` must be a number of threads"):
        threads.thread_limit()


@pytest.mark.usefixtures("unset")
def test_a_container_limits_the_threads(tmp_path, monkeypatch):
    limit = tmp_path / "cpu.max"
    monkeypatch.setattr(threads, "CGROUP", limit)
    for text, expected in (("50000 100000", 1), ("max 100000", None), ("nonsense", None)):
        limit.write_text(text)
        threads._cgroup_limit.cache_clear()
        assert threads._cgroup_limit() == expected
    threads._cgroup_limit.cache_clear()


@pytest.mark.usefixtures("unset")
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_workers_of_joblib_do_not_multiply_threads(backend):
    joblib = pytest.importorskip("joblib")
    found = joblib.Parallel(n_jobs=2, backend=backend)(
        joblib.delayed(threads.thread_limit)() for _ in range(2)
    )
    assert sum(found) <= max(2, os.cpu_count() or 1)


@pytest.mark.usefixtures("unset")
def test_inner_limits_of_joblib_hold_in_its_workers(monkeypatch):
    joblib = pytest.importorskip("joblib")
    monkeypatch.setattr(threads, "_processors", lambda: 64)
    with joblib.parallel_config(backend="loky", n_jobs=2, inner_max_num_threads=1):
        found = joblib.Parallel()(joblib.delayed(threads.thread_limit)() for _ in range(4))
    assert found == [1] * 4


@pytest.mark.usefixtures("unset")
@pytest.mark.parametrize("limit", [1, 2])
def test_limits_of_threadpoolctl_hold_while_they_last(limit, monkeypatch):
    control = pytest.importorskip("threadpoolctl")
    monkeypatch.setattr(threads, "_processors", lambda: 64)
    monkeypatch.setattr(threads, "_cgroup_limit", lambda: None)
    if not control.threadpool_info():
        pytest.skip("no library here that threadpoolctl knows")
    with control.threadpool_limits(4):
        before = threads.thread_limit()
        with control.threadpool_limits(limit):
            assert threads.thread_limit() == limit
        assert threads.thread_limit() == before
        monkeypatch.setenv("ROCWISE_THREADS", "7")
        assert threads.thread_limit() == 7


def test_a_context_goes_before_every_other_setting_and_ends(monkeypatch):
    monkeypatch.setenv("ROCWISE_THREADS", "7")
    with rw.threads(3):
        assert threads.thread_limit() == 3
        with rw.threads(1):
            assert threads.thread_limit() == 1
        assert threads.thread_limit() == 3
        assert threads.run_tasks(threads.thread_limit, [(), (), ()]) == [1, 1, 1]
        assert threads.interruptible(threads.thread_limit) == 3
        with concurrent.futures.ThreadPoolExecutor(1) as pool:  # a thread of somebody else's
            assert pool.submit(threads.thread_limit).result() == 7
    with pytest.raises(KeyError), rw.threads(2):
        raise KeyError
    assert threads.thread_limit() == 7


@pytest.mark.parametrize("number", [0, -1, 1.5, "2", None, 10**6])
def test_a_context_of_no_threads(number):
    with pytest.raises(rw.InputError, match="`number` must be"), rw.threads(number):
        pass
