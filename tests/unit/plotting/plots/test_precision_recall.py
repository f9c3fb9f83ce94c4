"""Precision-recall curves as plots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.plotting import compose, plot
from rocwise.plotting.spec import Label, Line
from unit.plotting.scored_cases import LABELS, TIED_SCORES, scored

metrics = pytest.importorskip("sklearn.metrics")


def area_of_steps(line):
    """Only level pieces have an area; whoever sees a slanted one draws the wrong curve."""
    across, upwards = np.diff(line.x), np.diff(line.y)
    assert np.all((across == 0) | (upwards == 0))
    return float(across @ line.y[:-1])


@given(scored())
def test_the_area_below_the_steps_is_the_average_precision(cases):
    line = plot(rw.precision_recall(*cases), backend="none").layers(Line)[-1]
    expected = metrics.average_precision_score(*cases)
    assert area_of_steps(line) == pytest.approx(expected, abs=1e-12)


@given(scored())
def test_the_steps_stay_inside_the_frame_and_reach_full_recall(cases):
    recording = plot(rw.precision_recall(*cases), backend="none")
    line = recording.layers(Line)[-1]
    assert (line.x[0], line.x[-1]) == (0, 1)
    assert line.y[-1] == pytest.approx(np.mean(cases[0]), abs=1e-12)
    low, high = recording.spec.y.limits
    assert np.all((line.y > low) & (line.y < high))


@given(scored(), st.integers(1, 9))
def test_every_label_recounts_to_its_point(cases, count):
    labels, scores = cases
    recording = plot(rw.precision_recall(*cases), threshold_labels=count, backend="none")
    for label in recording.layers(Label):
        called = scores >= float(label.text.replace("−", "-"))
        assert label.x == pytest.approx(called[labels == 1].mean(), abs=1e-12)
        assert label.y == pytest.approx(labels[called].mean(), abs=1e-12)


def test_chance_is_the_prevalence_and_can_be_left_out():
    curve = rw.precision_recall(LABELS, TIED_SCORES)
    recording = plot(curve, backend="none")
    assert recording.layers(Line)[0].y.tolist() == [0.5, 0.5]
    assert recording.legend == [
        "chance (prevalence 0.50)",
        f"AP {curve.average_precision:.2f}",
    ]
    assert plot(curve, chance=False, name="m", backend="none").legend == [
        f"m, AP {curve.average_precision:.2f}"
    ]


def test_both_dialects():
    curve = rw.precision_recall(LABELS, TIED_SCORES)
    assert (compose(curve).x.title, compose(curve).y.title) == ("Recall", "Precision")
    clinical = compose(curve, axis="clinical")
    assert (clinical.x.title, clinical.y.title) == ("Sensitivity", "Positive predictive value")
