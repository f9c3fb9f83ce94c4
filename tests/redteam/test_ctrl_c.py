"""Ctrl-C while a compiled loop or a solver is at work."""

import os
import subprocess
import sys
import threading
import time

import pytest

from rocwise.kernels.threads import STEP_ROWS, interruptible, run_tasks, threads
from signals import ctrl_c_after

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of a Unix system")


@pytest.fixture
def end():
    """Event that ends the stand-in for a long loop."""
    event = threading.Event()
    yield event
    event.set()


WAYS = {
    "interruptible": lambda loop: interruptible(loop),
    "loop over many rows": lambda loop: interruptible(loop, rows=STEP_ROWS + 1),
    "tasks on a pool": lambda loop: run_tasks(loop, [(), (), ()]),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_main_thread_does_not_wait_for_the_loop(way, end):
    ended = []
    with threads(2), ctrl_c_after(0.1), pytest.raises(KeyboardInterrupt):
        WAYS[way](lambda: ended.append(end.wait(20)))
    assert not ended


def test_tasks_that_have_not_begun_are_canceled(end):
    begun = []

    def task(number):
        begun.append(number)
        end.wait(20)

    with threads(2), ctrl_c_after(0.1), pytest.raises(KeyboardInterrupt):
        run_tasks(task, [(number,) for number in range(9)])
    end.set()
    time.sleep(0.1)
    assert len(begun) == 2


SOLVER = """
import os, signal, threading, time
import numpy as np, rocwise as rw, warnings
warnings.simplefilter("ignore")
rng = np.random.default_rng(1)
n, m = {size}
y = rng.integers(0, m, n)
scores = rng.dirichlet(np.ones(m), n)
rw.multiclass.class_weights(y[:30], scores[:30], method="{method}", time_limit=0.5)
sent = []

def press():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

threading.Timer({after}, press).start()
try:
    rw.multiclass.class_weights(y, scores, method="{method}")
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - sent[0], flush=True)
    os._exit(0)  # the solver goes on in its thread until the process ends
print("the solver was done before", flush=True)
"""


@pytest.mark.parametrize(("method", "size"), [("milp", (400, 4)), ("lp", (6_000, 8))])
def test_solvers_are_left_within_a_second(method, size):
    code = SOLVER.format(method=method, size=size, after=1.0)
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.stdout.startswith("interrupted"), (
        done.stdout,
        done.stderr,
        time.monotonic() - began,
    )
    assert float(done.stdout.split()[1]) < 2  # a second, on a machine that does other work too
