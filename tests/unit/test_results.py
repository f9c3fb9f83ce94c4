"""Results: read-only, printable, and convertible to frames and JSON."""

import dataclasses
import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocwise as rw
from rocwise.results import Interval, Origin, Table, as_frame, json_safe

Y, S = [0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, math.inf]
FUNCTIONS = (rw.auc, rw.roc, rw.hull, rw.precision_recall, rw.det, rw.thresholds, rw.step_area)
all_functions = pytest.mark.parametrize(
    "function", FUNCTIONS, ids=lambda function: function.__name__
)


@all_functions
def test_results_print_as_sentences(function):
    sentence = repr(function(Y, S))
    assert len(sentence) < 200
    assert "=" not in sentence.replace(">=", "")
    assert "array" not in sentence
    assert type(function(Y, S)).__name__ not in sentence


@all_functions
def test_results_report_what_was_done_to_the_data(function):
    y, s = [*Y, 1, None], [*S, math.nan, 0.5]
    result = function(y, [-v for v in s], direction="lower", missing="drop", resolution=2)
    assert "; lower scores mean positive; 2 rows with missing values left out; " in repr(result)
    assert "scores binned: AUC exact to ± 0." in repr(result)


@all_functions
def test_results_become_json(function):
    text = json.dumps(function(Y, S).to_dict(), allow_nan=False)
    plain = json.loads(text)
    assert plain["kind"] == type(function(Y, S)).__name__
    assert plain["rocwise"] == rw.__version__
    assert plain["origin"]["direction"] == "higher"


def test_infinities_become_none():
    assert rw.roc(Y, S).to_dict()["thresholds"] == [None, None, 0.8, 0.4, 0.35, 0.1]


def test_undefined_values_become_none():
    plain = rw.thresholds(Y, S).to_dict()
    assert plain["npv"][-1] is None
    assert plain["lr_negative"][-1] is None


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.float32(0.5), 0.5),
        (np.int8(3), 3),
        (np.bool_(True), True),
        (float("nan"), None),
        (-np.inf, None),
        (np.array([[1.0, np.inf]]), [[1.0, None]]),
        ((1, "a", None), [1, "a", None]),
        ({1: np.array([2])}, {"1": [2]}),
        (np.ma.masked_array([1, 2], [True, False]), [None, 2]),
        (2**70, 2**70),
        (Interval(0, 1), {"low": 0.0, "high": 1.0, "level": 0.95, "method": "", "mean": None}),
        (rw.Costs(1, 2), {"fp": 1.0, "fn": 2.0, "tp": 0.0, "tn": 0.0, "abstain": None}),
    ],
)
def test_plain_values(value, plain):
    assert json_safe(value) == plain
    json.dumps(json_safe(value), allow_nan=False)


FRAMES = {
    "pandas": (pd.DataFrame, pd.DataFrame({"y": Y, "s": S})),
    "polars": (pl.DataFrame, pl.DataFrame({"y": Y, "s": S})),
    "polars lazy": (pl.DataFrame, pl.LazyFrame({"y": Y, "s": S})),
    "pyarrow": (pa.Table, pa.table({"y": Y, "s": S})),
}


@pytest.mark.parametrize("kind", FRAMES)
@all_functions
def test_results_come_as_the_kind_of_frame_that_was_given(function, kind):
    expected, frame = FRAMES[kind]
    result = function(frame, label="y", score="s").to_frame()
    assert isinstance(result, expected)
    assert len(result) == len(pd.DataFrame(function(Y, S).to_frame()))


def test_a_series_gives_a_result_of_its_kind_too():
    assert isinstance(rw.roc(pd.Series(Y), pd.Series(S)).to_frame(), pd.DataFrame)
    assert isinstance(rw.roc(Y, pl.Series(S)).to_frame(), pl.DataFrame)


@all_functions
def test_without_a_frame_a_table_feeds_any_library(function):
    table = function(Y, S).to_frame()
    assert isinstance(table, Table)
    by_pandas, by_polars = pd.DataFrame(table), pl.DataFrame(dict(table))
    assert list(by_pandas) == by_polars.columns == list(table)
    assert len(by_pandas) == len(by_polars) == len(next(iter(table.values())))


def test_undefined_values_are_missing_in_frames():
    given = rw.thresholds(pl.Series(Y), S).to_frame()
    assert given["npv"].to_list()[-1] is None
    assert given["npv"].dtype == pl.Float64
    assert pd.DataFrame(rw.thresholds(Y, S).to_frame())["npv"].isna().tolist() == [False] * 4 + [
        True
    ]
    if tuple(map(int, pl.__version__.split(".")[:2])) >= (2, 1):  # from then on it looks at masks
        assert pl.DataFrame(dict(rw.thresholds(Y, S).to_frame()))["npv"].null_count() == 1


def test_frames_keep_single_precision_and_missing_numbers():
    columns = {"a": np.array([1, 2], np.float32), "b": np.array([None, 0.5], object)}
    frame = as_frame(columns, "polars")
    assert frame.dtypes == [pl.Float32, pl.Float64]
    assert frame["b"].to_list() == [None, 0.5]


def test_a_table_describes_its_contents():
    assert repr(Table(a=np.arange(2), b=np.arange(2))) == "Table of 2 rows: a, b"
    assert repr(Table()) == "Table of 0 rows: "


def test_a_result_without_arrays_is_one_row_of_its_scalars():
    assert rw.step_area(Y, S).to_frame()["value"].tolist() == [rw.step_area(Y, S).value]
    assert list(rw.step_area(Y, S).to_frame()) == ["value", "area", "perfect_area", "ties"]


def test_intervals():
    interval = Interval(np.float32(0.25), 1, level=0.9, method="logit")
    assert tuple(interval) == (0.25, 1.0)
    assert type(interval.low) is type(interval.high) is float
    assert 0.25 in interval
    assert 1.0 in interval
    assert 0.2499 not in interval
    assert repr(interval) == "0.250 to 1.000 (90% CI, logit)"
    assert repr(Interval(0, 1)) == "0.000 to 1.000 (95% CI)"
    with pytest.raises(dataclasses.FrozenInstanceError):
        interval.low = 0.0


def test_an_origin_has_remarks_only_when_something_is_remarkable():
    assert Origin().remarks() == []
    remarks = Origin(direction="lower", n_dropped=1, error_bound=1.21e-4).remarks()
    assert remarks == [
        "lower scores mean positive",
        "1 row with missing values left out",
        "scores binned: AUC exact to ± 0.00013",  # a bound is never rounded down
    ]


def test_a_result_behaves_like_its_number():
    area = rw.auc(Y, S)
    assert f"{area:.3f}" == f"{area.value:.3f}"
    assert f"{area}" == repr(area)
    assert area > 0.8
    assert rw.bootstrap(Y, S, n_resamples=20, rng=1) > 0.8
    assert not area <= 0.8
    assert area >= rw.auc(Y, S)
    assert area == area.value
    assert area.value == area
    assert area != 0.1
    assert (area + 1, 1 - area, 2 * area, area / 2, 1 / area, -area) == (
        *(area.value + 1, 1 - area.value, 2 * area.value, area.value / 2, 1 / area.value),
        -area.value,
    )
    assert area == pytest.approx(area.value)
    assert np.mean([area, 0.0]) == area.value / 2
    assert round(area, 1) == round(area.value, 1)
    assert abs(-area.value) == abs(area)
    with pytest.raises(TypeError):
        area < "0.8"  # noqa: B015


@pytest.mark.parametrize("function", [*FUNCTIONS, lambda y, s: rw.auc(y, {"a": s, "b": Y})])
def test_results_of_the_same_data_are_equal(function):
    one, same, other = function(Y, S), function(Y, S), function([1, 0, 1, 0, 0], S)
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != "text"
    assert one.to_json() == json.dumps(one.to_dict())


def test_metrics_are_a_flat_dict_of_numbers():
    area = rw.auc(Y, S)
    assert area.metrics() == {
        "auc": area.value,
        "auc_low": area.low,
        "auc_high": area.high,
        "auc_standard_error": area.standard_error,
        "n_pos": 3.0,
        "n_neg": 2.0,
    }
    assert rw.auc(Y, S, max_fpr=0.5).metrics().keys() > {"partial_auc", "partial_auc_low"}
    scores = {"a": S, "b": [0.2, 0.1, 0.4, 0.3, 0.9], "c": [1, 2, 1, 2, 2]}
    several = rw.auc(Y, scores)
    assert several.metrics()["b.auc_low"] == several["b"].low
    two, three = rw.compare(Y, {k: scores[k] for k in "ab"}), rw.compare(Y, scores)
    assert two.metrics()["difference_low"] == two.interval.low
    assert three.metrics()["a - b.difference"] == pytest.approx(two.difference)
    point = rw.at(Y, S, specificity=0.5).metrics()
    assert point["ppv"] > point["ppv_low"] > 0
    for result in (area, several, two, three, rw.roc(Y, S), rw.average_precision(Y, S)):
        assert {type(value) for value in result.metrics().values()} == {float}
        assert not {"schema", "seed", "level"} & result.metrics().keys()


def test_several_results_are_used_as_a_dict():
    areas = rw.auc(Y, {"a": S, "b": Y})
    assert dict(areas) == dict(areas.items()) == {"a": areas["a"], "b": areas["b"]}
    assert list(areas.keys()) == ["a", "b"]
    assert list(areas.values()) == [*areas.results.values()]
    groups = rw.auc([*Y, *Y], [*S, *S], by=[1] * 5 + [2] * 5)
    assert next(iter(groups.items())) == (1, groups[1])


def test_groups_by_day_are_named_without_a_time():
    days = np.repeat(np.array(["2026-03-01", "2026-03-02"], "datetime64[us]"), 5)
    with pytest.warns(rw.errors.MisuseWarning, match=r"the first is '2026-03-02': no positive"):
        areas = rw.auc([*Y, 0, 0, 0, 0, 0], [*S, *S], by=days.astype(object))
    assert "2026-03-01.auc" in areas.metrics()
    assert list(areas.to_dict()["results"]) == ["2026-03-01", "2026-03-02"]
