"""Checks of options, and their messages."""

from decimal import Decimal

import numpy as np
import pytest

from rocwise import checks
from rocwise.errors import InputError


def error(check, *arguments, **options):
    with pytest.raises(InputError) as caught:
        check(*arguments, **options)
    return str(caught.value)


@pytest.mark.parametrize("value", [0, 1, -0.1, 1.5])
def test_a_fraction_excludes_its_ends(value):
    assert error(checks.fraction, value, "level") == (
        f"`level` must lie strictly between 0 and 1; got {value!r}."
    )


def test_a_rate_includes_its_ends():
    assert [checks.rate(value, "x") for value in (0, 1, np.float32(0.5))] == [0.0, 1.0, 0.5]
    assert error(checks.rate, 1.1, "x") == "`x` must lie between 0 and 1; got 1.1."


@pytest.mark.parametrize("value", ["0.5", b"1", None, [0.5], "a", object, 1j])
def test_only_numbers_are_numbers(value):
    assert error(checks.real, value, "x") == f"`x` must be a number; got {value!r}."


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -np.inf])
def test_numbers_are_finite(value):
    assert error(checks.real, value, "x") == f"`x` must be a finite number; got {value!r}."


def test_numbers_of_any_type_are_taken():
    for value in (2, 2.0, np.int8(2), np.float32(2), Decimal(2), np.array(2.0)):
        assert checks.real(value, "x") == 2.0
        assert type(checks.real(value, "x")) is float
    assert "must be a number" in error(checks.real, 10**400, "x")


def test_not_negative():
    assert checks.not_negative(0, "x") == 0.0
    assert error(checks.not_negative, -1, "x") == "`x` must not be negative; got -1."


@pytest.mark.parametrize("value", [0, 1.5, True, "3", None, float("nan"), float("inf"), [3, 4]])
def test_whole_numbers_raise(value):
    assert error(checks.whole, value, "n") == (
        f"`n` must be an integer of at least 1; got {value!r}."
    )


def test_whole_numbers():
    assert [checks.whole(value, "n") for value in (3, 3.0, np.int64(3))] == [3, 3, 3]
    assert checks.whole(0, "n", at_least=0) == 0
    assert "at least 5" in error(checks.whole, 4, "n", at_least=5)


def test_a_name_in_other_letters_is_guessed_not_taken():
    assert error(checks.one_of, "A", "kind", ("a", "b")) == (
        "`kind` must be one of 'a', 'b'; got 'A'. Did you mean 'a'?"
    )


@pytest.mark.parametrize("value", ["c", "", None, 1, ["a"]])
def test_names_come_from_a_list(value):
    assert error(checks.one_of, value, "kind", ("a", "b")) == (
        f"`kind` must be one of 'a', 'b'; got {value!r}."
    )
    assert checks.one_of("b", "kind", ("a", "b")) == "b"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0.5, "`r` must be a pair (low, high) of rates; got 0.5."),
        ((0.1, 0.2, 0.3), "`r` must be a pair (low, high) of rates; got (0.1, 0.2, 0.3)."),
        ((0.2, 0.2), "`r` must have low < high; got (0.2, 0.2)."),
        ((0.3, 0.2), "`r` must have low < high; got (0.3, 0.2)."),
        ((-0.1, 0.2), "`r` must lie between 0 and 1; got -0.1."),
        ((0, float("nan")), "`r` must be a finite number; got nan."),
        ("ab", "`r` must be a number; got 'a'."),
    ],
)
def test_ranges_raise(value, message):
    assert error(checks.rate_range, value, "r") == message


def test_ranges():
    assert checks.rate_range([0, 1], "r") == (0.0, 1.0)
    assert checks.rate_range(np.array([0.25, 0.5]), "r") == (0.25, 0.5)


def test_seeds():
    assert checks.seed(7) == checks.seed(np.int64(7)) == 7
    assert checks.seed(2**63 - 1) == 2**63 - 1
    assert checks.seed(np.random.SeedSequence(1)) == checks.seed(np.random.SeedSequence(1))
    assert checks.seed(np.random.default_rng(1)) == checks.seed(np.random.default_rng(1))
    generator = np.random.default_rng(1)
    assert checks.seed(generator) != checks.seed(generator)  # it has moved on
    assert checks.seed(None) != checks.seed(None)
    for value in (checks.seed(None), checks.seed(np.random.SeedSequence(5))):
        assert 0 <= value < 2**63


@pytest.mark.parametrize("value", [-1, 2**63, True, "1", 1.0, np.random.RandomState(1)])
def test_other_seeds_raise(value):
    assert error(checks.seed, value).startswith("`rng` ")
