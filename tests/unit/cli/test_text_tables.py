"""Tables line up on the screen."""

from hypothesis import given
from hypothesis import strategies as st

from rocwise.cli.terminal import GAP, aligned, column_of, display_width

numbers = st.floats(min_value=-1e6, max_value=1e6).map(lambda value: f"{value:.7g}")


def test_left_right_and_point():
    rows = [["first", "9", "0.25"], ["second", "10", "12.5"], ["third", "8", "inf"]]
    assert aligned(["name", "n", "value"], rows, "lr.").splitlines() == [
        "name     n  value",
        "first    9   0.25",
        "second  10  12.5",
        "third    8    inf",
    ]


def test_wide_and_combining_signs_line_up():
    rows = [["模型", "1"], ["e\u0301té", "2"], ["plain", "3"]]
    assert aligned(["model", "n"], rows, "lr").splitlines() == [
        "model  n",
        "模型   1",
        "e\u0301té    2",
        "plain  3",
    ]


def test_control_characters_cannot_reach_the_terminal():
    assert "\x1b" not in aligned(["name"], [["\x1b[2J"]], "l")


@given(st.lists(numbers, min_size=1))
def test_decimal_points_are_aligned(cells):
    padded = column_of(["", *cells], ".")[1:]
    assert [cell.strip() for cell in padded] == cells
    assert len({cell.index(".") for cell in padded if "." in cell}) <= 1


texts = st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1, max_size=9)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=8))
def test_second_column_ends_at_one_place(rows):
    lines = aligned(["x", "y"], rows, "lr").splitlines()
    assert len({display_width(line) for line in lines}) == 1
    first = max(display_width(row[0]) for row in rows)
    second = max(display_width(row[1]) for row in rows)
    assert display_width(lines[0]) == first + len(GAP) + second
