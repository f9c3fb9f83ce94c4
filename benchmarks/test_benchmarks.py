"""The benchmarks run, and reject values that disagree."""

import pytest

from benchmarks import __main__ as bench
from benchmarks import growth


def test_values_that_disagree_stop_the_run():
    peer = bench.Peer("other", "other", lambda: 2.0)
    with pytest.raises(SystemExit, match="other"):
        bench.measure(bench.Task("task", lambda: 1.0, [peer]), rounds=1)


def test_a_missing_package_is_left_out(capsys):
    def absent():
        raise ImportError

    task = bench.Task("task", lambda: 1.0, [bench.Peer("other", "other", absent)])
    bench.measure(task, rounds=1)
    assert list(task.times) == ["rocwise"]
    assert "other is not installed" in capsys.readouterr().err


def test_the_row_has_the_speed_up():
    task = bench.Task("task", lambda: 1.0, times={"rocwise": 0.001, "other": 0.02})
    assert bench.row_of(task) == "| task | 1 ms | other | 20x |"


def test_the_table_of_the_page_is_replaced():
    text = f"before\n{bench.BEGIN}\nold\n{bench.END}\nafter"
    assert bench.with_table(text, "new") == f"before\n{bench.BEGIN}\n\nnew\n\n{bench.END}\nafter"


@pytest.mark.parametrize("name", growth.FUNCTIONS)
def test_every_function_of_the_growth_check_runs(name):
    growth.FUNCTIONS[name](growth.data_of(300))
