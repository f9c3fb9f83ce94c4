"""Costs and shares of several classes: one check, whatever the argument is called."""

import numpy as np
import pytest

from rocwise.costs import class_shares, cost_matrix
from rocwise.errors import InputError


def test_a_matrix_of_anything_becomes_floats():
    found = cost_matrix(((0, 1), (2, 0)), 2)
    assert found.dtype == np.float64
    assert found.tolist() == [[0, 1], [2, 0]]


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        (np.zeros((2, 3)), r"`low` must be a 2 by 2 matrix.*got the shape \(2, 3\)"),
        ([[0, np.inf], [1, 0]], r"`low` must hold finite numbers.*got low\[0, 1\] = inf"),
        ([[0, 1], [-2, 0]], r"at least 0; got low\[1, 0\] = -2"),
        ([[0, 1], [1, 3]], r"`low` must be 0 on its diagonal.*got low\[1, 1\] = 3"),
        ("dear", "`low` must hold numbers; got 'dear'"),
    ],
)
def test_refusals_name_the_argument(costs, words):
    with pytest.raises(InputError, match=words):
        cost_matrix(costs, 2, "low")


def test_shares_of_the_data_by_default():
    assert class_shares(None, np.array([6.0, 2.0])).tolist() == [0.75, 0.25]
    assert class_shares([0.5, 0.5], np.array([6.0, 2.0])).tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("prior", "words"),
    [
        ([0.5, 0.5, 0.0], r"one share for each of 2 classes; got the shape \(3,\)"),
        ([0.5, 0.6], "add up to 1; got 0.5, 0.6, which add up to 1.1"),
        ([1.5, -0.5], r"at least 0; got prior\[1\] = -0.5"),
        ([0.0, 1.0], "gives class 1 the share 1, but `y_true` has no example of it"),
    ],
)
def test_shares_that_cannot_be_used(prior, words):
    with pytest.raises(InputError, match=words):
        class_shares(prior, np.array([4.0, 0.0]))
