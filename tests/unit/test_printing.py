"""How numbers are written."""

import math

import numpy as np
import pytest

from rocwise import printing


def test_rates_have_the_digits_that_the_cases_support():
    assert printing.rate(0.73136) == "0.731"
    assert printing.rate(0.73136, n=100) == "0.731"
    assert printing.rate(0.73136, n=99) == "0.73"
    assert printing.rate(1) == "1.000"


def test_levels_are_percents():
    assert printing.percent(0.95) == "95 %"
    assert printing.percent(0.999) == "99.9 %"
    assert printing.percent(0.29) == "29 %"  # 100 * 0.29 is 28.999999999999996


def test_p_values_are_never_zero():
    assert printing.p_value(0.0) == "p < 0.001"
    assert printing.p_value(0.00099) == "p < 0.001"
    assert printing.p_value(0.001) == "p = 0.001"
    assert printing.p_value(1.0) == "p = 1.000"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (12345, "12,345"),
        (12345.0, "12,345"),
        (12.25, "12.25"),
        (1234.5678, "1,234.57"),
        (1234567.5, "1,234,568"),
        (np.int64(1000), "1,000"),
        (10**18 + 1, "1,000,000,000,000,000,001"),
    ],
)
def test_counts_have_separators(number, text):
    assert printing.count(number) == text


def test_classes_have_a_plural():
    assert printing.classes(1, 1) == "1 positive, 1 negative"
    assert printing.classes(2, 0.5) == "2 positives, 0.5 negatives"


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.19, 0.22, "0.2"),
        (0.65, 0.7, "0.7"),  # the float 0.7 is a little less than seven tenths
        (0.0, 0.3, "0.3"),
        (-5.0, 5.0, "0"),
        (-0.22, -0.19, "-0.2"),
        (-1.0, 0.0, "0"),
        (1.0, math.nextafter(1.0, 2.0), "1.0000000000000002"),
        (math.nextafter(1.0, 0.0), 1.0, "1"),
        (0.0, 5e-324, "5e-324"),
        (1.7e308, 1.79e308, "1.79e308"),
        (12345678.0, 12345679.0, "12345679"),
        (1e20, 3e20, "3e20"),
        (1e-9, 3.25e-9, "3e-9"),
    ],
)
def test_the_shortest_number_in_a_gap(low, high, text):
    assert printing.shortest_between(low, high) == text
    assert low < float(text) <= high


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (-math.inf, 0.7, "0.7"),
        (-math.inf, math.inf, "inf"),
        (0.5, math.inf, "inf"),
        (-math.inf, -math.inf, "-inf"),
        (-math.inf, -1.7976931348623157e308, "-1.7976931348623157e+308"),
    ],
)
def test_gaps_without_an_end(low, high, text):
    assert printing.shortest_between(low, high) == text


def test_single_precision_is_safe_in_both_precisions():
    seven_tenths = float(np.float32(0.7))  # 0.699999988
    text = printing.shortest_between(-math.inf, seven_tenths, np.float32)
    assert text == "0.69999998"
    assert np.float32(text) == np.float32(0.7)
    assert float(text) <= seven_tenths
    assert printing.shortest_between(-math.inf, float(np.float32(0.1)), np.float32) == "0.1"


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (2**53, 2**53 + 1, "9007199254740993"),
        (2**53, 2**53 + 90, "9007199254741000"),
        (1999, 4501, "4000"),
        (-4501, -1999, "-2000"),
        (-7, 3, "0"),
        (-math.inf, 2**63, "9223372036854775808"),
    ],
)
def test_whole_numbers_of_any_size(low, high, text):
    assert printing.shortest_between(low, high) == text


def test_lower_is_higher_mirrored():
    assert printing.shortest_threshold(0.19, 0.22, direction="lower") == "0.2"
    assert printing.shortest_threshold(-0.22, -0.19, direction="lower") == "-0.2"
    assert printing.shortest_threshold(-1.0, 1.0, direction="lower") == "0"
    assert printing.shortest_threshold(math.inf, math.inf, direction="lower") == "inf"
    assert printing.shortest_threshold(-math.inf, 0.0, direction="lower") == "-inf"


def test_categories_are_named():
    scores = np.array([2.0, 0.0])
    names = ("low", "middle", "high")
    assert printing.threshold_text(scores, 0, direction="higher", categories=names) == "high"
    assert printing.threshold_text(scores, 1, direction="lower", categories=names) == "low"
