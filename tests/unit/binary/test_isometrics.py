"""Isometric lines, metric values, and what is wrong in print."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.isometrics import METRICS, MetricTerms, values_at

LINES = [
    ("precision+", 0.88, {"skew": 1}, 7.333333333, 0.0, (0, 0)),
    ("precision-", 0.87, {"skew": 1}, 0.1494252874, 0.8505747126, (1, 1)),
    ("precision+", 0.93, {"skew": 1}, 13.28571429, 0.0, (0, 0)),
    ("f+", 0.72, {"skew": 2}, 1.125, 0.5625, (-0.5, 0)),
    ("f-", 0.75, {"skew": 2}, 3.333333333, -0.3333333333, (1, 3)),
    ("precision+", 0.97, {"skew": 0.3}, 9.7, 0.0, (0, 0)),
    ("m-", 0.55, {"skew": 0.3, "m": 0.1}, 0.2454545455, 0.83, (1.1, 1.1)),
    ("m+", 0.6, {"skew": 2, "m": 0.1}, 3.0, 0.2, (-0.1, -0.1)),
]


@pytest.mark.parametrize(("metric", "value", "terms", "slope", "intercept", "pivot"), LINES)
def test_line_vectors(metric, value, terms, slope, intercept, pivot):
    line = rw.isometric(metric, value, **terms)
    assert (line.slope, line.intercept) == pytest.approx((slope, intercept), rel=1e-9, abs=1e-9)
    assert line.pivot == pytest.approx(pivot)
    assert line.tpr(0.25) == pytest.approx(0.25 * slope + intercept)
    assert line.tpr([0, 1]) == pytest.approx([intercept, slope + intercept])


def test_metric_vectors():
    terms = MetricTerms(skew=2, alpha=0.5, m=0.1)
    expected = [0.6666666667, 0.8888888889, 0.6896551724, 0.8695652174, 0.6, 0.8571428571]
    values = [float(values_at(metric, 0.2, 0.8, terms)) for metric in METRICS]
    assert values == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("skew", [0.3, 1.0, 4.0])
def test_values_at_the_trivial_classifiers(skew):
    alpha, m = 0.7, 0.2
    terms, one = MetricTerms(skew, alpha, m), 1 + alpha**2
    nothing, everything = (
        {metric: values_at(metric, x, x, terms).tolist() for metric in METRICS} for x in (0, 1)
    )
    assert everything["precision+"] == pytest.approx(1 / (1 + skew))
    assert nothing["precision-"] == pytest.approx(skew / (1 + skew))
    assert nothing["precision+"] is everything["precision-"] is None
    assert (nothing["f+"], everything["f-"]) == (0, 0)
    assert everything["f+"] == pytest.approx(one / (one + skew))
    assert nothing["f-"] == pytest.approx(one / (one + 1 / skew))
    for trivial in (nothing, everything):
        assert trivial["m+"] == pytest.approx(1 / (1 + skew))
        assert trivial["m-"] == pytest.approx(skew / (1 + skew))


def test_precision_1_is_a_vertical_line():
    line = rw.isometric("precision+", 1, skew=2)
    assert np.isinf(line.slope)
    assert line.excess([0, 0.1], [0.5, 0.5]).tolist() == [0, -0.1]
    assert line.to_dict()["slope"] is None
    assert "fpr = 0" in repr(line)
    with pytest.raises(rw.InputError, match="vertical"):
        line.tpr(0.1)
    assert np.isinf(rw.isometric("m+", 1, skew=2, m=0).slope)
    level = rw.isometric("precision-", 1, skew=2)
    assert (level.slope, level.intercept) == (0, 1)


def test_a_fan_of_isometrics():
    fan = rw.isometric("precision+", np.arange(1, 10) / 10, skew=1)
    assert fan.slopes == pytest.approx([v / (1 - v) for v in fan.values])
    assert list(fan.to_frame()) == ["value", "slope", "intercept"]
    assert len(fan.lines) == 9
    own = rw.isometric("f-", [0.5, 0.75], skew=2)
    assert own.intercepts == pytest.approx([-3, -1 / 3])
    with pytest.raises(rw.InputError, match="`value` is empty"):
        rw.isometric("f-", [], skew=2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("precision", 0.5), "metric"),
        (("precision+", 1.2), "value"),
        (("f+", 1.2), "value"),
        (("precision-", 0), "above 0"),
        (("f-", 0), "above 0"),
        (("m-", 0), "above 0"),
        (("precision+", float("nan")), "value"),
    ],
)
def test_errors(arguments, words):
    with pytest.raises(rw.InputError, match=words):
        rw.isometric(*arguments, skew=1)


@pytest.mark.parametrize(
    "terms",
    [
        {"skew": 0},
        {"skew": -1},
        {"skew": float("nan")},
        {"skew": float("inf")},
        {"skew": 1, "alpha": 0},
        {"skew": 1, "m": -0.1},
    ],
)
def test_bad_terms_raise_with_the_name(terms):
    with pytest.raises(rw.InputError, match=list(terms)[-1]):
        rw.isometric("m+", 0.5, **terms)


def test_an_m_estimate_of_1_is_beyond_reach():
    with pytest.raises(rw.InputError, match="below 1"):
        rw.isometric("m+", 1, skew=1, m=0.1)
