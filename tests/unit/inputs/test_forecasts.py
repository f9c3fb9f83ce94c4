"""Targets and forecasts from every kind of column."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import rocwise as rw
from rocwise.inputs.forecasts import forecast_rows, named_predictions


@pytest.mark.parametrize(
    "column",
    [
        [1, 2, 4],
        np.array([1, 2, 4], dtype=np.int8),
        np.array([1, 2, 4], dtype=np.float32),
        np.array([1.0, 2.0, 4.0], dtype=">f8"),
        [Decimal("1"), Decimal("2"), Decimal("4")],
        [Fraction(1), Fraction(2), Fraction(4)],
        (1.0, 2.0, 4.0),
    ],
)
def test_numbers_of_any_kind(column: object) -> None:
    found = forecast_rows([0, 0, 0], {"y_pred": column})
    assert found.predictions["y_pred"].tolist() == [1.0, 2.0, 4.0]
    assert found.predictions["y_pred"].dtype == np.float64


def test_results_are_frames_of_the_same_kind() -> None:
    pl = pytest.importorskip("polars")
    found = forecast_rows([0, 0], {"y_pred": pl.Series("ridge", [1.0, 2.0])})
    assert (found.origin.frame, found.origin.name) == ("polars", "ridge")
    with pytest.raises(rw.InputError, match=r"`y_pred` has 1 missing value .first at row 0"):
        forecast_rows([0, 0], {"y_pred": pl.Series([None, 2.0])})
    kept = forecast_rows([0, 0], {"y_pred": pl.Series([None, 2.0])}, missing="drop")
    assert (kept.predictions["y_pred"].tolist(), kept.origin.n_dropped) == ([2.0], 1)


def test_categories_are_not_numbers() -> None:
    pd = pytest.importorskip("pandas")
    ratings = pd.Series(pd.Categorical(["lo", "hi"], ["lo", "hi"], ordered=True))
    with pytest.raises(rw.InputError, match="`y_pred` must contain numbers; got the categories"):
        forecast_rows([0, 0], {"y_pred": ratings})


def test_rows_are_counted_in_the_users_data() -> None:
    with pytest.raises(rw.InputError, match="first at row 2"):
        forecast_rows([np.nan, 1, 2], {"y_pred": [1, 1, np.inf]}, missing="drop")


@pytest.mark.parametrize("given", [None, "forecasts", {"a": 1}, 3.0])
def test_what_is_no_column(given: object) -> None:
    with pytest.raises(rw.InputError, match="`y_pred` must be"):
        forecast_rows([1, 2], {"y_pred": given})


@pytest.mark.parametrize("given", [{}, {"a": [1]}, np.ones(3), np.ones((3, 1))])
def test_fewer_than_two_models(given: object) -> None:
    with pytest.raises(rw.InputError, match="`predictions` must"):
        named_predictions(given)
