import _thread
import threading
import time

import pytest

from rocwise.kernels.threads import (
    PIECES_PER_THREAD,
    STEP_ROWS,
    even_parts,
    heard,
    interruptible,
    pieces,
    run_parts,
    shrinking_pieces,
    teams,
    threads,
)


@pytest.mark.parametrize(("size", "parts"), [(1, 4), (7, 3), (10, 2), (10, 1), (3, 3)])
def test_parts_cover_everything_once_and_none_is_empty(size, parts):
    cut = even_parts(size, parts)
    assert [row for start, stop in cut for row in range(start, stop)] == list(range(size))
    assert len(cut) == min(size, parts)
    assert all(start < stop for start, stop in cut)


def test_nothing_is_one_empty_part():
    assert even_parts(0, 3) == [(0, 0)]


def test_answers_come_in_the_order_of_the_parts():
    assert run_parts(lambda k: k * k, [(3,), (1,), (2,)]) == [9, 1, 4]


def test_parts_run_at_the_same_time():
    meeting = threading.Barrier(3, timeout=20)
    with threads(3):
        assert sorted(run_parts(meeting.wait, [(), (), ()])) == [0, 1, 2]


def test_no_more_threads_run_than_there_may_be():
    with threads(2):
        assert len(set(run_parts(lambda _: threading.get_ident(), [(k,) for k in range(50)]))) <= 2
    with threads(1):
        assert run_parts(threading.get_ident, [(), ()]) == [threading.get_ident()] * 2


def test_a_thread_that_is_held_up_holds_up_one_part():
    rest_is_done = threading.Event()
    parts = 20

    def task(part):
        if part == 0:
            return rest_is_done.wait(20)
        if part == parts - 1:
            rest_is_done.set()
        return True

    with threads(2):
        assert all(run_parts(task, [(part,) for part in range(parts)]))


def test_a_thread_that_does_not_begin_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(_thread, "start_new_thread", lambda *_: None)
    with threads(2):
        assert run_parts(abs, [(-1,), (-2,), (-3,)]) == [1, 2, 3]


def start_one_then(monkeypatch, problem):
    while teams._IDLE:  # of earlier runs, which need not be started
        time.sleep(0.001)
    start, started = _thread.start_new_thread, []

    def start_new_thread(*told):
        if started:
            raise problem
        started.append(start(*told))

    monkeypatch.setattr(_thread, "start_new_thread", start_new_thread)


def test_parts_are_done_by_fewer_threads_where_no_more_can_be_started(monkeypatch):
    start_one_then(monkeypatch, RuntimeError("can't start new thread"))
    with threads(4):
        assert run_parts(abs, [(-k,) for k in range(9)]) == list(range(9))


def test_nothing_more_is_begun_after_an_interruption_while_threads_start(monkeypatch):
    start_one_then(monkeypatch, KeyboardInterrupt())
    begun, interrupted = [], threading.Event()

    def task(part):
        begun.append(part)
        interrupted.wait(20)

    with threads(4), pytest.raises(KeyboardInterrupt):
        run_parts(task, [(part,) for part in range(9)])
    interrupted.set()
    time.sleep(0.1)
    assert len(begun) <= 1


def test_the_first_part_that_fails_is_told_about():
    last_failed = threading.Event()

    def task(part):
        if part == 0:
            last_failed.wait(20)
        else:
            last_failed.set()
        raise ValueError(f"part {part} failed")

    with threads(2), pytest.raises(ValueError, match="part 0 failed"):
        run_parts(task, [(0,), (1,)])


def test_nothing_more_is_begun_after_a_failure():
    begun = []

    def task(part):
        begun.append(part)
        raise ValueError(f"part {part} failed")

    with threads(1), pytest.raises(ValueError, match="part 0 failed"):
        run_parts(task, [(part,) for part in range(9)])
    assert begun == [0]


def test_pieces_cover_everything_and_are_several_for_each_thread():
    cut = pieces(1000, 2)
    assert [row for start, stop in cut for row in range(start, stop)] == list(range(1000))
    assert len(cut) == 2 * PIECES_PER_THREAD
    assert pieces(1000, 1) == [(0, 1000)]
    assert pieces(0, 2) == [(0, 0)]


@pytest.mark.parametrize("size", [0, 1, 7, 64, 1000, 1001])
@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("share", [0.5, 0.75])
def test_shrinking_pieces_cover_everything_and_end_short(size, threads, share):
    cut = shrinking_pieces(size, threads, 16, share)
    assert [row for start, stop in cut for row in range(start, stop)] == list(range(size))
    lengths = [stop - start for start, stop in cut]
    assert lengths == sorted(lengths, reverse=True)
    if threads > 1 and size >= 2 * threads:
        assert len(cut) >= 2 * threads
        assert lengths[-1] <= 16 <= max(16, lengths[0])
        assert lengths[0] <= max(16, int(size * share) // threads)


def no_thread_is_left(*_given, **_more):
    raise RuntimeError("can't start new thread")


def test_long_loops_run_where_no_thread_can_be_started(monkeypatch):
    monkeypatch.setattr(threading.Thread, "start", no_thread_is_left)
    asked_in = []
    assert interruptible(lambda: asked_in.append(threading.get_ident()) or 7) == 7
    assert asked_in == [threading.get_ident()]
    assert heard(pow, 2, 3, rows=STEP_ROWS + 1) == 8
    with pytest.raises(RuntimeError, match="of the task"):
        interruptible(raise_own)


def raise_own():
    raise RuntimeError("of the task")


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_in_any_thread_is_raised(failing):
    def task(part):
        if part == failing:
            raise ValueError(f"part {part} failed")

    with pytest.raises(ValueError, match=f"part {failing} failed"):
        run_parts(task, [(0,), (1,)])
