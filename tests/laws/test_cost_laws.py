"""Laws of cost curves."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from oracles.scored_rows import few_values, rows
from rocwise.binary import cost_lines, roc_points


def quietly(function, *data, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.DirectionWarning)
        return function(*data, **options)


@given(rows(few_values), st.floats(0, 1))
def test_the_envelope_is_the_least_line_of_the_roc_points(data, pc):
    curve, roc = quietly(rw.cost_curve, *data), quietly(rw.roc, *data)
    lines = (1 - roc.tpr) * pc + roc.fpr * (1 - pc)
    assert float(curve.at(pc)) == pytest.approx(lines.min(), abs=1e-12)


@given(rows(few_values))
def test_exchanging_the_classes_mirrors_the_curve(data):
    y, s = np.array(data[0]), np.array(data[1], float)
    forth, back = quietly(rw.cost_curve, y, s), quietly(rw.cost_curve, 1 - y, -s)
    grid = np.linspace(0, 1, 21)
    np.testing.assert_allclose(forth.at(grid), back.at(1 - grid), atol=1e-12)


@given(rows(few_values), st.floats(0.05, 20))
def test_the_h_measure_is_between_0_and_1(data, severity):
    value = quietly(rw.h_measure, *data, severity=severity)
    assert -1e-9 <= value <= 1 + 1e-9


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=9))
def test_points_and_lines_are_two_names_for_one_thing(points):
    fpr, tpr = np.array(points).T
    lines = cost_lines(fpr, tpr)
    back = roc_points(lines.at_zero, lines.at_one)
    np.testing.assert_allclose(back, (fpr, tpr), atol=1e-15)
    places = np.linspace(0, 1, 5)
    expected = np.outer(fpr, 1 - places) + np.outer(1 - tpr, places)
    np.testing.assert_allclose(lines.at(places), expected, atol=1e-15)
