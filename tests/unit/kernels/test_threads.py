import threading

import pytest

from rocwise.kernels.threads import available_threads, even_parts, run_parts


def test_at_least_one_thread_is_available():
    assert available_threads() >= 1


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
    assert sorted(run_parts(meeting.wait, [(), (), ()])) == [0, 1, 2]


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_in_any_thread_is_raised(failing):
    def task(part):
        if part == failing:
            raise ValueError(f"part {part} failed")

    with pytest.raises(ValueError, match=f"part {failing} failed"):
        run_parts(task, [(0,), (1,)])
