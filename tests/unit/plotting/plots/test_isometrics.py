"""Plots of isometrics and of reliable rules."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.isometrics import METRICS
from rocwise.plotting import plot
from rocwise.plotting.spec import Label, Line, Points

Y = [0, 0, 1, 0, 0, 1, 0, 1, 1, 1]
S = list(range(10))


def recorded(result, **options):
    return plot(result, backend="none", **options)


def curves(record):
    return [line for line in record.layers(Line) if line.role != "reference"]


@pytest.mark.parametrize("metric", METRICS)
def test_fans_stay_inside_and_have_their_value(metric):
    fan = rw.isometric(metric, np.arange(1, 10) / 10, skew=2, m=0.1)
    record = recorded(fan)
    lines = curves(record)
    assert len(lines) == len(record.layers(Label)) > 5
    for line in lines:
        assert min(line.x.min(), line.y.min()) >= 0
        assert max(line.x.max(), line.y.max()) <= 1
    by_text = {label.text: label for label in record.layers(Label)}
    line = next(each for each in fan.lines if each.value == 0.5)
    label = by_text["0.5"]
    assert line.tpr(label.x) == pytest.approx(label.y, abs=1e-9)
    assert len(record.legend) == 1
    pivot = record.layers(Points)
    assert len(pivot) == (metric.startswith("precision"))
    if metric == "precision+":
        plot(fan).figure.canvas.draw()


def test_one_isometric():
    record = recorded(rw.isometric("f+", 0.7, skew=2), name="target")
    assert record.legend == ["target, f+ = 0.7"]
    (vertical,) = curves(recorded(rw.isometric("precision+", 1, skew=2)))
    assert vertical.x.tolist() == [0, 0]


def test_a_rule_before_and_after():
    rule = rw.reliable(Y, S, positive=0.9, negative=0.9)
    record = recorded(rule, name="risk")
    before, after = curves(record)
    np.testing.assert_array_equal(before.y, rule.hull_tpr)
    np.testing.assert_array_equal(after.y, rule.transformed_tpr)
    assert [label.text for label in record.layers(Label)] == ["a", "b"]
    assert record.legend[2] == "risk, hull of all cases"
    dashed = [line for line in record.layers(Line) if line.role == "reference"]
    assert len(dashed) == 2
    for line, target in zip(dashed, (rule.positive_line, rule.negative_line), strict=True):
        assert line.y == pytest.approx(target.tpr(line.x), abs=1e-9)
    assert "between a and b no decision" in record.caption
    assert record.legend[0] == "precision of positives = 0.9 (skew 1)"
    plot(rule).figure.canvas.draw()
