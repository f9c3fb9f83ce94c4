"""The table of `make growth`: slopes are fitted, and those above their theory are marked."""

import math

import numpy as np
import pytest

from benchmarks import growth, tasks_limits
from benchmarks import growth_data as data
from benchmarks.growth_fits import Measured, fitted, line_of, slope_of
from benchmarks.growth_questions import bytes_of, questions
from benchmarks.tasks import Setting
from benchmarks.workers import plain_worker


def question(slope=1.0, **more):
    return growth.Question("auc", "rows", (10, 20), lambda n: n, sum, slope, **more)


def times(*seconds, held=0, given=0):
    return [Measured(10 ** (k + 1), t, held, given) for k, t in enumerate(seconds)]


def test_slopes_above_their_theory_are_marked():
    linear = line_of(question(), times(1e-5, 0.1, 1.0))
    assert linear == "| auc | rows | 10: 10 µs; 100: 100 ms; 1,000: 1 s | 1.00 | 1 | – | – |"
    assert "2.00 **steep**" in line_of(question(), times(0.1, 10.0))
    assert "steep" not in line_of(question(2.0), times(0.1, 10.0))
    assert "| 2: every pair |" in line_of(question(2.0, theory="every pair"), times(0.1, 10.0))
    assert "no answer | – |" in line_of(question(), [])
    assert "10: 1 s; stopped | –" in line_of(question(), times(1.0), "stopped")


def test_a_slope_is_fitted_where_the_fixed_cost_of_a_call_no_longer_rules():
    fixed = [1e-3 + 1e-6 * 10**k for k in range(1, 7)]
    found = times(*fixed)
    assert [each.size for each in fitted(found)] == [10_000, 100_000, 1_000_000]
    assert slope_of(found) == pytest.approx(0.98, abs=0.02)
    assert np.polyfit(
        [math.log(each.size) for each in found[3:]], [math.log(t) for t in fixed[3:]], 1
    )[0] == pytest.approx(slope_of(found), rel=1e-9)
    assert [each.size for each in fitted(times(1.0, 1.1, 1.2))] == [100, 1_000]
    assert math.isnan(slope_of(times(1.0)))


def test_memory_is_told_in_multiples_of_the_input_and_marked_above_eight():
    much = times(1.0, 10.0, held=90_000_000, given=10_000_000)
    assert "90 MB, 9.0x **much**" in line_of(question(), much)
    assert "9.0x | –" in line_of(question(binary=False), much)
    assert "9.0x |" in line_of(question(), times(1.0, held=18_000_000, given=2_000_000))
    assert "| 90 MB |" in line_of(question(), times(1.0, held=90_000_000, given=1000))
    answer, beside = (much[-1]._replace(answered=bytes) for bytes in (88_000_000, 80_000_000))
    assert "9.0x, of which 8.8x is the answer |" in line_of(question(), [answer])
    assert "9.0x **much**" in line_of(question(), [beside])


def test_memory_of_rows_in_fewer_bytes_has_a_column():
    few, much = (times(1.0, held=bytes, given=10_000_000) for bytes in (70_000_000, 90_000_000))
    assert line_of(question(), few, narrow=[few, much]).endswith("7.0x | 7.0x; 9.0x **much** |")
    assert line_of(question(), few, narrow=[few, []]).endswith("7.0x | 7.0x |")
    assert line_of(question(), few).endswith("7.0x | – |")


@pytest.mark.parametrize(("kind", "bytes"), [("labels", 9), ("scores", 12)])
def test_rows_in_fewer_bytes_are_asked_the_same(kind, bytes, monkeypatch):
    monkeypatch.setattr(growth, "NARROW_ROWS", 50)
    monkeypatch.setattr(data, "DRAWN", dict(data.DRAWN))
    (asked,) = (each for each in questions() if each.name == "bootstrap(auc)" and each.by_rows)
    found = growth.measured_narrow(asked, kind)
    assert (found.size, found.given) == (50, 50 * bytes)
    y, scores = growth.NARROW[kind](data.models(50))
    assert bytes_of((y, scores)) == 50 * {"labels": 17, "scores": 16}[kind]


def test_tallies_are_not_asked_as_rows():
    (unpaired,) = (each for each in questions() if "unpaired" in each.name)
    assert not unpaired.by_rows


def test_the_page_says_what_else_the_machine_did():
    told = {"processor": "P", "cores": 2, "python": "3.11", "day": "today"}
    spent = [60, 0, 0, 20, 0, 0, 0, 20]
    assert "went to other work" not in growth.where(told, [], 10.0)
    said = growth.where(told, spent, 50.0)
    assert "10% of the processors' time went to other work and 20% to other machines" in said
    assert "factor of two" in said
    assert "factor of two" not in growth.where(told, [90, 0, 0, 5, 0, 0, 0, 5], 90.0)


def test_a_process_holds_what_an_answer_needs():
    megabytes = 64

    def ask(size):
        return np.ones(size * 2**17)

    asked = growth.Question("ones", "MB", (megabytes,), int, ask)
    found = growth.measured(asked, megabytes)
    if not growth.PEAK.exists():
        pytest.skip("the system does not tell what a process holds")
    assert found.held == pytest.approx(megabytes * 2**20, rel=0.1)


def test_the_input_is_labels_and_scores():
    y, scores = data.models(50, 3)
    assert bytes_of((y, scores)) == bytes_of(data.pairs(50, 3)) == 50 * 8 * 4
    assert bytes_of(data.rows(50)) == bytes_of(data.tally(50)) == 800
    assert bytes_of(np.ma.masked_less(np.arange(3.0), 1.0)) == 3 * 8 + 3


def test_the_page_keeps_what_is_around_the_table():
    page = f"before\n{growth.BEGIN}\nold\n{growth.END}\nafter\n"
    assert growth.page_with(page, "new") == f"before\n{growth.BEGIN}\nnew\n{growth.END}\nafter\n"
    kept = growth.page_with(page, "100: 48 µs; 1,000: 1 s; in 3 sorts").replace("\xa0", "_")
    assert "\n100:_48_µs; 1,000:_1_s; in 3 sorts\n" in kept


def test_questions_have_sizes_that_grow():
    for asked in questions():
        assert list(asked.sizes) == sorted(set(asked.sizes))
        assert len(asked.sizes) >= 2


@pytest.mark.parametrize("asked", questions(), ids=lambda asked: f"{asked.name} by {asked.axis}")
def test_every_question_has_an_answer(asked):
    assert asked.ask(asked.make(min(asked.sizes))) is not None


def test_limits_have_names_of_their_own():
    limits = [task.name for task in tasks_limits.tasks()]
    assert len(limits) == len(set(limits)) > 15


def test_a_question_with_a_limit_is_judged():
    (task,) = (task for task in tasks_limits.tasks() if task.name.startswith("limit-binormal-fit"))
    with plain_worker() as plain:
        (row,) = task.run(Setting(None, plain, {}, quick=True, rounds=1))
    assert row.bar is not None
    assert 0 < row.ours < 60
