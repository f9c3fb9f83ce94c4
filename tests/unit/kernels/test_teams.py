import _thread
import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from contextvars import copy_context

import numpy as np
import pytest

from rocwise.kernels.threads import run_parts, teams, thread_limit, threads
from rocwise.kernels.threads.processors import available_processors
from rocwise.kernels.threads.teams import PlainFlag, Team

COMPILED = teams.Flag is not PlainFlag


@pytest.fixture(params=["plain", "compiled"])
def flag(request):
    if request.param == "plain":
        return PlainFlag()
    if not COMPILED:
        pytest.skip("the compiled kernels are not built")
    return teams.Flag()


@pytest.fixture
def long_awake(monkeypatch):
    """Helpers that wait for seconds, and none that others have left."""
    if not COMPILED:
        pytest.skip("nobody waits awake without compiled loops")
    wait_until(lambda: not teams._IDLE)
    monkeypatch.setattr(teams, "AWAKE", 2_000_000)
    monkeypatch.setattr(teams, "available_processors", lambda: 2)
    yield
    monkeypatch.setattr(teams, "AWAKE", 0)
    while teams._IDLE:  # those that are called look at the time again
        teams._IDLE.pop().call(copy_context(), lambda: None)
    wait_until(lambda: not teams._IDLE)


def wait_until(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def by_a_helper(task):
    """What a task tells that a thread beside this one runs."""
    told = []
    team = Team(lambda: told.append(task()))
    team.add()
    wait_until(lambda: told)
    team.wait()
    return told[0]


def test_a_flag_is_waited_for_until_it_is_set(flag):
    assert not flag.wait(100)
    flag.set()
    assert flag.wait(0)
    assert flag.wait(0, 50)
    flag.clear()
    assert not flag.wait(0)


@pytest.mark.skipif(not COMPILED, reason="nobody waits awake without compiled loops")
def test_waiting_leaves_the_interpreter_to_others_and_ends_when_the_flag_is_set():
    flag, waited = teams.Flag(), []
    waiting = threading.Thread(target=lambda: waited.append(flag.wait(20_000_000)))
    waiting.start()
    flag.set()
    waiting.join(10)
    assert waited == [True]


@pytest.mark.skipif(not COMPILED, reason="nobody waits awake without compiled loops")
def test_waiting_ends_in_time():
    begun = time.perf_counter()
    assert not teams.Flag().wait(5000)
    assert time.perf_counter() - begun >= 0.0049


@pytest.mark.usefixtures("long_awake")
def test_a_thread_that_is_awake_helps_again():
    asked = []
    for _ in range(10):  # a thread that an earlier test has started may come late, and stay instead
        asked.append(by_a_helper(threading.get_native_id))  # a new thread may have the other number
        wait_until(lambda: teams._IDLE)
    assert asked[-1] == asked[-2]


@pytest.mark.usefixtures("long_awake")
def test_it_follows_the_setting_of_whoever_calls():
    with threads(5):
        assert by_a_helper(thread_limit) == 5
    wait_until(lambda: teams._IDLE)
    with threads(3):
        assert by_a_helper(thread_limit) == 3


@pytest.mark.usefixtures("long_awake")
def test_it_holds_nothing_of_what_it_did():
    values = np.ones(10)
    held = weakref.ref(values)
    assert by_a_helper(lambda values=values: values.sum()) == 10
    wait_until(lambda: teams._IDLE)
    del values
    gc.collect()
    assert held() is None


@pytest.mark.usefixtures("long_awake")
def test_no_more_stay_awake_than_there_are_processors():
    meeting = threading.Barrier(4, timeout=20)
    with threads(4):
        run_parts(meeting.wait, [()] * 4)
    wait_until(lambda: teams._IDLE)
    time.sleep(0.05)
    assert len(teams._IDLE) == 1


def test_it_goes_home_when_nobody_calls():
    by_a_helper(threading.get_ident)
    wait_until(lambda: not teams._IDLE)


@pytest.mark.usefixtures("long_awake")
def test_it_goes_home_when_whoever_took_it_never_calls(monkeypatch):
    monkeypatch.setattr(teams, "AWAKE", 200_000)
    monkeypatch.setattr(teams, "PATIENCE", 3)
    alive = _thread._count()
    by_a_helper(threading.get_ident)
    wait_until(lambda: teams._IDLE)
    teams._IDLE.clear()
    wait_until(lambda: _thread._count() <= alive)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not copied here")
def test_a_copied_process_starts_its_own():
    code = (
        "import os, sys, time\n"
        "from rocwise.kernels.threads import teams\n"
        "teams._IDLE.append(None)\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    os._exit(len(teams._IDLE))\n"
        "assert teams._IDLE == [None]\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0"]


def test_there_is_a_processor():
    assert available_processors() >= 1


def test_many_short_runs_lose_nothing():
    with threads(3):
        for turn in range(300):
            parts = turn % 7 + 2
            assert run_parts(abs, [(-part,) for part in range(parts)]) == list(range(parts))
