"""Numbers as text and text as numbers: what Python writes, and what Python reads."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocwise.engines.cells import MISSING_CELLS, typed
from rocwise.kernels.texts import plain

RNG = np.random.default_rng(5)
POWERS = np.ldexp(1.0, np.arange(-1074, 1024))
TENS = np.array([10.0**k for k in range(-320, 309)])
FLOATS = {
    "shares": np.arange(29_989) / 29_988,
    "uniform": RNG.random(20_000),
    "normal": 1e-5 * RNG.normal(size=20_000),
    "any size": 10 ** RNG.uniform(-45, 45, 20_000),
    "any bits": RNG.integers(0, 2**64, 20_000, dtype=np.uint64).view(np.float64),
    "few digits": np.round(1e6 * RNG.random(20_000), 2),
    "whole": RNG.integers(-(2**60), 2**60, 20_000).astype(np.float64),
    "powers of two": POWERS,
    "below powers of two": np.nextafter(POWERS, 0),
    "above powers of two": np.nextafter(POWERS, np.inf),
    "powers of ten": TENS,
    "beside powers of ten": np.append(np.nextafter(TENS, 0), np.nextafter(TENS, np.inf)),
    "special": np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, 1e16, 1e22, 1e23, 0.0001]),
}


@pytest.mark.parametrize("name", FLOATS)
def test_floats_are_written_as_python_writes_them(kernels, name):
    numbers = FLOATS[name]
    expected = ["-" if x != x else repr(x) for x in numbers.tolist()]
    assert kernels.joined_numbers(numbers, ",", "-").split(",") == expected


@given(st.floats())
def test_every_float_is_written_as_python_writes_it(kernels, number):
    text = kernels.joined_numbers(np.array([number, number]), "; ", "nan")
    assert text == f"{number!r}; {number!r}"


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_whole_numbers_are_written_in_full(kernels, numbers):
    text = kernels.joined_numbers(np.array(numbers, np.int64))
    assert text == ", ".join(map(str, numbers))


def test_strided_numbers_are_written_in_their_order(kernels):
    assert kernels.joined_numbers(np.array([1.0, 2.0, 3.0])[::-2], " ") == "3.0 1.0"


def read_back(kernels, cells):
    (column,) = kernels.cell_columns("\n".join(cells).encode(), 1, [0], ",")
    return column


@pytest.mark.parametrize("name", FLOATS)
def test_floats_are_read_to_the_last_bit(kernels, name):
    numbers = FLOATS[name][np.abs(FLOATS[name]) < 2**53]
    assert read_back(kernels, ["0.5", *map(repr, numbers.tolist())])[1:].tobytes() == (
        numbers.tobytes()
    )


def test_any_number_of_digits_is_read_to_the_last_bit(kernels):
    rng, cells = np.random.default_rng(6), ["0.5"]
    for size in rng.integers(1, 40, 5_000).tolist():
        digits = "".join(map(str, rng.integers(0, 10, size)))
        point, power = rng.integers(0, size + 1), rng.integers(-60, 10)
        cell = f"{digits[:point]}.{digits[point:]}e{power}"
        cells += [cell] if float(cell) < 2**53 else []
    assert read_back(kernels, cells).tolist() == list(map(float, cells))


def test_numbers_in_the_middle_of_two_floats(kernels):
    exact = [repr(k) + ".5" for k in (2**52 + 1, 2**52 + 2)]
    beyond = [cell + "0" * 30 + last for cell in exact for last in "01"]
    halves = [f"{2**52 + k}.{half}" for k in range(9) for half in ("49999999", "5", "50000001")]
    cells = [*exact, *beyond, *halves]
    assert read_back(kernels, cells).tolist() == list(map(float, cells))


SIGNS = st.text("0123456789.+-eE", max_size=8)
CELLS = st.sampled_from(["1", "-0", "0.5", "NA", "", "nan", "a", "ä", " 1", "1_0", "inf", "1e400"])
LONG = st.sampled_from(["9" * 18, str(2**53), "0" * 401, "1" + "0" * 30, "." + "3" * 25])


def like(column):
    values = typed(column) if isinstance(column, list) else column
    return [(type(item), repr(item)) for item in values.tolist()]


@given(st.lists(CELLS | SIGNS | LONG, min_size=1, max_size=4))
def test_a_column_is_what_the_rule_of_cells_makes_of_it(kernels, cells):
    text = "\r\n".join(f"x,{cell}" for cell in cells).encode()
    expected = [(type(item), repr(item)) for item in typed(cells).tolist()]
    (found,) = kernels.cell_columns(text, 2, [1], ",")
    (twin,) = plain.cell_columns(text, 2, [1], ",")
    assert like(found) == like(twin) == expected
    assert isinstance(found, list) == isinstance(twin, list)


@pytest.mark.parametrize("cell", sorted(MISSING_CELLS))
def test_what_is_missing_is_what_the_rule_of_cells_says(kernels, cell):
    (column,) = kernels.cell_columns(f"{cell}x,0.5\n,{cell}".encode(), 2, [1], ",")
    assert np.isnan(column[1])
    assert plain.MISSING == MISSING_CELLS


@pytest.mark.parametrize(
    "text",
    ["1,2\n3", "1,2\n3,4,5", "1,2\r3,4", "1\r,2", "1,2\n\r3,4", "1,2\n3,4\r", "", "\n\r\n"],
)
def test_uneven_lines_are_left_to_others(kernels, text):
    assert kernels.cell_columns(text.encode(), 2, [0], ",") is None


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n\r\n"])
def test_lines_may_end_as_they_like_and_empty_ones_are_none(kernels, end):
    text = f"\n1\tä\t.5\r\n\n2\tb\t-5.{end}".encode()
    columns = kernels.cell_columns(text, 3, [2, 1, 0], "\t")
    assert [list(column) for column in columns] == [[0.5, -5.0], ["ä", "b"], [1, 2]]
    assert columns[2].dtype == np.int64


LIMITS = {
    "scores": np.sort(RNG.random(5_000)),
    "rounded scores": np.unique(np.round(RNG.normal(size=5_000), 3)),
    "any size": np.sort(10 ** RNG.uniform(-7, 16, 5_000)),
    "below zero": np.sort(-(10 ** RNG.uniform(-6, 15, 5_000))),
    "beside powers of ten": np.unique([TENS[290:340], np.nextafter(TENS[290:340], np.inf)]),
}


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("name", LIMITS)
def test_digits_between_are_those_of_printing(kernels, name, single):
    limits = LIMITS[name]
    if single:
        limits = np.unique(limits.astype(np.float32)).astype(np.float64)
    low, high = np.append(-np.inf, limits[:-1]), limits
    with np.errstate(all="ignore"):
        told = kernels.digits_between(low, high, single=single)
        expected = plain.digits_between(low, high, single=single)
    assert [part.tolist() for part in told] == [part.tolist() for part in expected]
    whole, places, found = told
    numbers = whole[found] / 10.0 ** places[found]
    assert np.all((low[found] < numbers) & (numbers <= high[found]))
    assert found.any() != ("powers" in name)  # next to these one must look closer


def test_nan_lies_between_no_numbers(kernels):
    low, high = np.array([np.nan, 0.1, np.nan]), np.array([0.5, np.nan, np.nan])
    assert not kernels.digits_between(low, high, single=False)[2].any()


NUMBERS = st.tuples(st.integers(-(10**15), 10**15), st.integers(0, 16))


@given(st.lists(NUMBERS, min_size=1, max_size=5), st.integers(0, 3))
def test_numbers_stand_below_each_other_by_their_points(kernels, numbers, more):
    whole, places = (np.array(each) for each in zip(*numbers, strict=True))
    deepest = int(places.max())
    longest = deepest + 1 + more if deepest else 0
    lines = [bytes(line).decode() for line in kernels.aligned_decimals(whole, places, longest).T]
    for line, (number, decimals) in zip(lines, numbers, strict=True):
        digits = f"{abs(number):0{decimals + 1}d}"
        point = len(digits) - decimals
        text = "-" * (number < 0) + digits[:point] + "." * (decimals > 0) + digits[point:]
        assert line.strip() == text
        behind = len(text) - text.index(".") if decimals else 0
        assert len(line) - len(line.rstrip()) == longest - behind
    widest = max(len(line.lstrip()) for line in lines)
    assert len(lines[0]) in (widest, widest + 1)  # one place for a minus, whether longest or not
