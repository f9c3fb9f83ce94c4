"""The table of `make growth`: slopes are fitted, and those above their theory are marked."""

import pytest

from benchmarks import growth, tasks_limits
from benchmarks.growth_questions import questions
from benchmarks.tasks import Setting
from benchmarks.workers import plain_worker


def question(slope=1.0):
    return growth.Question("auc", "rows", (10, 20), lambda n: n, sum, slope)


def test_slopes_above_their_theory_are_marked():
    linear = growth.line_of(question(), [(100, 0.1, 1.0), (1000, 1.0, 2.0)])
    assert linear == "| auc | rows | 100: 100 ms; 1,000: 1 s | 1.00 | 1 | 2 MB |"
    steep = growth.line_of(question(), [(100, 0.1, 1.0), (1000, 10.0, 2.0)])
    assert "2.00 **steep**" in steep
    assert "steep" not in growth.line_of(question(2.0), [(100, 0.1, 1.0), (1000, 10.0, 2.0)])
    assert "no answer" in growth.line_of(question(), [])


def test_the_page_keeps_what_is_around_the_table():
    page = f"before\n{growth.BEGIN}\nold\n{growth.END}\nafter\n"
    assert growth.page_with(page, "new") == f"before\n{growth.BEGIN}\nnew\n{growth.END}\nafter\n"


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
    (task,) = (task for task in tasks_limits.tasks() if task.name == "limit-binormal-fit")
    with plain_worker() as plain:
        (row,) = task.run(Setting(None, plain, {}, quick=True, rounds=1))
    assert row.bar is not None
    assert 0 < row.ours < 60
