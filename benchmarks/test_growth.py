"""The table of `make growth`: slopes are fitted, and those above their theory are marked."""

from benchmarks import growth
from benchmarks.growth_questions import questions


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
