"""Jobs run one after the other in a process, report progress, can be cancelled, and may die."""

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from rocwise.serving import sessions as jobs
from rocwise.serving.sessions import Job, Lane

from .conftest import table
from .test_tasks import loaded


@pytest.fixture(scope="module")
def lane():
    made = Lane()
    made.start()
    made.warm()
    yield made
    made.close()


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("jobs")
    content, *_ = table()
    (folder / "scores.csv").write_bytes(content)
    assert "result" in loaded(str(folder / "scores.csv"), folder / "data.pickle")
    return str(folder / "data.pickle")


@pytest.fixture
def job(kept):
    numbers = iter(range(1, 100))
    options = {"data": kept, "seed": 1, "level": 0.95, "band": "pointwise", "prevalence": 0.5}

    def make(kind, resamples, finish=lambda result, warnings: None):
        return Job(next(numbers), kind, options | {"resamples": resamples}, finish)

    return make


def until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


def test_a_job_returns_its_result(lane, job):
    seen: list[Any] = []
    one = job("surface", 30, lambda result, warnings: seen.append(result["section"]["id"]))
    lane.submit(one)
    assert one.ended.wait(30)
    assert (one.state, one.plain()["progress"], seen) == ("done", 1.0, ["abstention-surface"])


def test_a_running_job_reports_progress_and_can_be_cancelled(lane, job):
    one = job("surface", 20_000)
    lane.submit(one)
    until(lambda: one.progress > 0)
    assert one.state == "running"
    lane.cancel(one)
    assert one.ended.wait(5)
    assert one.state == "cancelled"
    after = job("surface", 5)  # the next one gets a process of its own
    lane.submit(after)
    assert after.ended.wait(30)
    assert after.state == "done"


def test_a_job_that_waits_can_be_cancelled_before_it_began(lane, job):
    first, second = job("surface", 20_000), job("surface", 5)
    lane.submit(first)
    lane.submit(second)
    until(lambda: first.state == "running")
    assert second.state == "queued"
    lane.cancel(second)
    assert second.state == "cancelled"
    lane.cancel(first)
    assert first.ended.wait(5)
    assert second.progress == 0


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_process_that_dies_is_reported_and_replaced(lane, job):
    one = job("surface", 20_000)
    lane.submit(one)
    until(lambda: one.progress > 0)
    assert lane._process is not None
    os.kill(lane._process.pid, signal.SIGKILL)
    assert one.ended.wait(10)
    assert one.state == "failed"
    assert one.error is not None
    assert "memory" in one.error["text"]
    after = job("surface", 5)
    lane.submit(after)
    assert after.ended.wait(30)
    assert after.state == "done"


def test_an_error_is_kept(lane, job):
    one = job("bands", 1)  # too few resamples for quantiles: an error of the library
    one.options["band"] = "zigzag"
    lane.submit(one)
    assert one.ended.wait(30)
    assert one.state == "failed"
    assert one.error is not None
    assert "zigzag" in one.error["text"]


def test_a_result_that_cannot_be_stored_blocks_no_other_job(lane, job):
    def spoiled(_result, _warnings):
        raise KeyError("gone")

    one, after = job("surface", 5, spoiled), job("surface", 5)
    lane.submit(one)
    lane.submit(after)
    assert one.ended.wait(30)
    assert (one.state, "KeyError" in one.plain()["error"]["text"]) == ("failed", True)
    assert after.ended.wait(30)
    assert after.state == "done"


def test_a_job_cancelled_while_its_result_comes_leaves_no_dying_process(lane, job, monkeypatch):
    """The process is killed, but may not have ended when the next job looks for one."""
    one, after = job("surface", 5), job("surface", 5)
    original = Lane._result

    def cancelled_at_the_end(self, requested):
        message = original(self, requested)
        if requested is one:
            monkeypatch.setattr(self._process, "kill", lambda: None)  # it takes its time
            self.cancel(requested)
            monkeypatch.undo()
        return message

    monkeypatch.setattr(Lane, "_result", cancelled_at_the_end)
    before = lane._process
    lane.submit(one)
    lane.submit(after)
    assert after.ended.wait(30)
    assert (one.state, after.state) == ("cancelled", "done")
    assert lane._process is not before


def test_without_a_process_the_job_fails_and_the_next_starts_one(job, monkeypatch):
    def failing(**_options):
        raise OSError(11, "Resource temporarily unavailable")

    lane = Lane()
    lane.start()
    monkeypatch.setattr(jobs, "_started", failing)
    one, after = job("surface", 5), job("surface", 5)
    lane.submit(one)
    assert one.ended.wait(10)
    assert one.state == "failed"
    monkeypatch.undo()
    lane.submit(after)
    assert after.ended.wait(30)
    assert after.state == "done"
    lane.close()


def test_closing_ends_the_process_even_in_the_middle_of_a_job(job):
    lane = Lane()
    lane.start()
    one = job("surface", 20_000)
    lane.submit(one)
    until(lambda: one.progress > 0)
    process = lane._process
    assert process is not None
    lane.close()
    assert process.poll() is not None


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at /proc")
def test_work_behind_the_page_leaves_the_browser_the_first_turn(job):
    lane = Lane(behind=True)
    lane.start()
    one = job("surface", 5)
    lane.submit(one)
    assert one.ended.wait(30)
    assert lane._process is not None
    process = Path(f"/proc/{lane._process.pid}")
    assert niceness(process) >= 10
    if (process / "autogroup").exists():  # without this the browser's session gains nothing
        assert int((process / "autogroup").read_text().split()[-1]) >= 10
    if len(os.sched_getaffinity(0)) > 1:
        left = os.sched_getaffinity(lane._process.pid)
        assert len(left) < len(os.sched_getaffinity(0))
    lane.close()


def niceness(process):
    return int((process / "stat").read_text().rpartition(")")[2].split()[16])
