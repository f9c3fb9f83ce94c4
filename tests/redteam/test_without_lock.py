"""Many threads get the results of one, with the interpreter's lock or without."""

import subprocess
import sys
import sysconfig
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import rocwise as rw

ASKERS = 8
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
RNG = np.random.default_rng(20)
Y = RNG.integers(0, 2, 4000)
SCORES = {name: RNG.normal(Y, 2.0).round(digits) for name, digits in (("a", 1), ("b", 9))}
TALLY = rw.tally(Y, SCORES["a"])
CLASSES = RNG.integers(0, 3, 600)
RANKED = RNG.normal(CLASSES)

CALLS = {
    "tally": lambda: rw.tally(Y, SCORES["b"]).scores.tolist(),
    "auc": lambda: rw.auc(Y, SCORES["a"]).to_dict(),
    "shared tally": lambda: rw.auc(TALLY, max_fpr=0.2).to_dict(),
    "compare": lambda: rw.compare(Y, SCORES).to_dict(),
    "bootstrap": lambda: rw.bootstrap(TALLY, n_resamples=200, rng=3).replicates.tolist(),
    "band": lambda: rw.band(TALLY, n_resamples=100, rng=4).to_dict(),
    "threshold": lambda: rw.threshold(TALLY, costs=rw.Costs(fp=1, fn=5)).to_dict(),
    "smooth": lambda: rw.smooth_roc(Y, SCORES["b"], rescale=True).to_dict(),
    "ordinal": lambda: rw.ordinal.auc(CLASSES, RANKED).to_dict(),
}
LAZY = """
import threading
import rocwise as rw
start, failures = threading.Barrier(8), []
def work():
    start.wait()
    try:
        assert rw.auc([0, 1, 0, 1], [1, 2, 3, 4]).value == 0.75
        rw.roc, rw.compare, rw.Costs, rw.ordinal.auc, rw.regression.rec
    except BaseException as failure:
        failures.append(failure)
workers = [threading.Thread(target=work) for _ in range(8)]
for each in workers: each.start()
for each in workers: each.join()
assert not failures, failures
"""
OFF = """
import sys
import rocwise as rw
from rocwise import kernels
rw.auc([0, 1, 0, 1], [1, 2, 3, 4])
assert not sys._is_gil_enabled(), kernels.ACTIVE
"""


@pytest.mark.parametrize("function", CALLS)
def test_threads_get_the_result_of_one(function):
    call = CALLS[function]
    alone = repr(call())
    start = threading.Barrier(ASKERS)

    def together(_):
        start.wait()
        return [repr(call()) for _ in range(2)]

    with ThreadPoolExecutor(ASKERS) as pool:
        for results in pool.map(together, range(ASKERS)):
            assert results == [alone, alone]


def test_names_are_loaded_by_several_threads_at_once():
    subprocess.run([sys.executable, "-W", "error", "-c", LAZY], check=True, timeout=120)


@pytest.mark.skipif(not FREE_THREADED, reason="this Python always has its lock")
def test_the_lock_stays_off():
    subprocess.run([sys.executable, "-W", "error", "-c", OFF], check=True, timeout=120)
