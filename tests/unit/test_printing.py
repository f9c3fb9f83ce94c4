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
    assert printing.percent(0.95) == "95%"
    assert printing.percent(0.999) == "99.9%"
    assert printing.percent(0.29) == "29%"  # 100 * 0.29 is 28.999999999999996


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
        (0.19, 0.22, "0.22"),
        (0.65, 0.7, "0.7"),  # the float 0.7 is a little less than seven tenths
        (0.0, 0.3, "0.3"),
        (0.1, 0.123456, "0.1234"),  # 0.1235 would pass the score itself
        (0.1, 0.123441, "0.1234"),
        (0.12342, 0.123456, "0.12345"),  # 0.1234 would pass the next lower score
        (0.0, 2 / 3, "0.6666"),
        (0.0, 0.200001, "0.2000"),  # rounded, and seen to be
        (-5.0, 5.0, "5"),
        (-0.22, -0.19, "-0.19"),
        (-0.5, -0.123456, "-0.1235"),
        (-1.0, 0.0, "0"),
        (1.0, math.nextafter(1.0, 2.0), "1.0000000000000002"),
        (math.nextafter(1.0, 0.0), 1.0, "1"),
        (0.0, 5e-324, "4.941e-324"),
        (1.7e308, 1.79e308, "1.79e308"),
        (12345678.0, 12345679.0, "12345679"),
        (1e20, 3e20, "3e20"),
        (1e-9, 3.256789e-9, "3.256e-9"),
    ],
)
def test_a_score_in_the_fewest_digits_that_recount(low, high, text):
    assert printing.rounded_between(low, high) == text
    assert low < float(text) <= high


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (-math.inf, 0.7, "0.7"),
        (-math.inf, 0.123456, "0.1234"),
        (-math.inf, math.inf, "inf"),
        (0.5, math.inf, "inf"),
        (-math.inf, -math.inf, "-inf"),
        (-math.inf, -1.7976931348623157e308, "-1.7976931348623157e308"),
    ],
)
def test_gaps_without_an_end(low, high, text):
    assert printing.rounded_between(low, high) == text


def test_single_precision_is_safe_in_both_precisions():
    seven_tenths = float(np.float32(0.7))  # 0.699999988
    text = printing.rounded_between(0.69999, seven_tenths, np.float32)
    assert text == "0.699999"
    assert np.float32(0.69999) < np.float32(text) <= np.float32(0.7)
    assert float(text) <= seven_tenths
    assert printing.rounded_between(-math.inf, float(np.float32(0.1)), np.float32) == "0.1000"


@pytest.mark.parametrize("whole", [2**53 + 1, 4501, 1234567, -1999, 0, 2**63])
def test_whole_numbers_of_any_size_stay_as_they_are(whole):
    assert printing.rounded_between(-math.inf, whole) == str(whole)


def test_lower_is_higher_mirrored():
    assert printing.rounded_threshold(0.19, 0.22, direction="lower") == "0.19"
    assert printing.rounded_threshold(0.123456, 0.22, direction="lower") == "0.1235"
    assert printing.rounded_threshold(-0.22, -0.19, direction="lower") == "-0.22"
    assert printing.rounded_threshold(math.inf, math.inf, direction="lower") == "inf"
    assert printing.rounded_threshold(-math.inf, 0.0, direction="lower") == "-inf"


@pytest.mark.parametrize(
    ("value", "one", "other", "text"),
    [
        (0.5, 0.4, 0.6, "0.5"),
        (0.13040000000000002, 0.13, 0.1308, "0.1304"),
        (0.123456, 0.2, 0.1, "0.1235"),
        (0.123456, 0.12344, 0.12347, "0.12346"),
        (1.0, 1.0, math.nextafter(1.0, 2.0), "1.0"),
    ],
)
def test_a_number_inside_a_gap(value, one, other, text):
    assert printing.rounded_inside(value, one, other) == text


def test_categories_are_named():
    scores = np.array([2.0, 0.0])
    names = ("low", "middle", "high")
    assert printing.threshold_text(scores, 0, direction="higher", categories=names) == "high"
    assert printing.threshold_text(scores, 1, direction="lower", categories=names) == "low"
