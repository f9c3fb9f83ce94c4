import threading

import pytest

from rocwise.kernels.threads import chunks, even_chunks, interruptible, run_tasks, threads


@pytest.mark.parametrize(("size", "parts"), [(1, 4), (7, 3), (10, 2), (10, 1), (3, 3)])
def test_chunks_cover_everything_once_and_none_is_empty(size, parts):
    chunks = even_chunks(size, parts)
    assert [row for start, stop in chunks for row in range(start, stop)] == list(range(size))
    assert len(chunks) == min(size, parts)
    assert all(start < stop for start, stop in chunks)


def test_an_empty_range_is_one_empty_chunk():
    assert even_chunks(0, 3) == chunks(0, 2) == [(0, 0)]


def test_results_come_in_the_order_of_the_parts():
    assert run_tasks(lambda k: k * k, [(3,), (1,), (2,)]) == [9, 1, 4]


def test_tasks_run_at_the_same_time():
    barrier = threading.Barrier(3, timeout=20)
    with threads(3):
        assert sorted(run_tasks(barrier.wait, [(), (), ()])) == [0, 1, 2]


def test_the_number_of_threads_is_limited():
    parts = [(k,) for k in range(50)]
    with threads(2):
        assert len(set(run_tasks(lambda _: threading.get_ident(), parts))) <= 2
    with threads(1):
        assert run_tasks(threading.get_ident, [(), ()]) == [threading.get_ident()] * 2


def test_no_thread_can_be_started(monkeypatch):
    def start(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    with threads(4):
        assert run_tasks(abs, [(-k,) for k in range(9)]) == list(range(9))
    assert interruptible(lambda: 7) == 7
    with pytest.raises(RuntimeError, match="of the task"):
        interruptible(failing)


def failing():
    raise RuntimeError("of the task")


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("part", [0, 1])
def test_an_error_of_any_task_is_raised(part, number):
    def task(k):
        if k == part:
            raise ValueError(f"part {part} failed")

    with threads(number), pytest.raises(ValueError, match=f"part {part} failed"):
        run_tasks(task, [(0,), (1,)])


def test_the_first_of_several_errors_is_raised():
    barrier = threading.Barrier(2, timeout=20)

    def task(part):
        barrier.wait()
        raise ValueError(f"part {part} failed")

    with threads(2), pytest.raises(ValueError, match="part 0 failed"):
        run_tasks(task, [(0,), (1,)])


def test_no_task_begins_after_an_error():
    begun = []

    def task(part):
        begun.append(part)
        raise ValueError(f"part {part} failed")

    with threads(1), pytest.raises(ValueError, match="part 0 failed"):
        run_tasks(task, [(part,) for part in range(9)])
    assert begun == [0]
