"""DET curves as plots, on axes where rates of 0 and 1 are infinitely far away."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.plotting import compose, plot
from rocwise.plotting.plots.curves import INFINITY_SENTENCE, TIED_SENTENCE, bent
from rocwise.plotting.spec import Label, Line, probit, probit_frame
from unit.plotting.scored_cases import LABELS, TIED_SCORES, scored


@given(scored())
def test_what_is_drawn_lies_inside_the_frame_and_has_finite_deviates(cases):
    recording = plot(rw.det(*cases), backend="none")
    low, high = recording.spec.x.limits
    assert recording.spec.y.limits == (low, high)
    for line in recording.layers(Line):
        for rates in (line.x, line.y):
            assert np.all((rates >= low) & (rates <= high))
            assert np.all(np.isfinite(probit(rates)))


@given(scored())
def test_rates_strictly_between_0_and_1_are_drawn_where_they_are(cases):
    curve = rw.det(*cases)
    line = plot(curve, backend="none").layers(Line)[-1]
    drawn = set(zip(line.x.tolist(), line.y.tolist(), strict=True))
    inside = (curve.fpr > 0) & (curve.fpr < 1) & (curve.fnr > 0) & (curve.fnr < 1)
    assert set(zip(curve.fpr[inside].tolist(), curve.fnr[inside].tolist(), strict=True)) <= drawn


@given(scored(scores=st.integers(0, 4).map(float)))
def test_added_points_lie_on_the_straight_segments_between_rates(cases):
    curve = rw.det(*cases)
    x, y = bent(curve.fpr, curve.fnr, probit_frame(curve.fpr, curve.fnr))
    assert len(x) >= len(curve.fpr)
    assert np.all(np.diff(x) >= 0)
    assert np.all(np.diff(y) <= 0)
    # The sum of steps to the left and down is the same for both coordinates of a point.
    way = curve.fpr - curve.fnr
    assert np.interp(x - y, way, curve.fpr) == pytest.approx(x, abs=1e-12)


@given(scored(), st.integers(1, 9))
def test_every_label_recounts_to_its_point(cases, count):
    labels, scores = cases
    spec = compose(rw.det(*cases), threshold_labels=count)
    shown = [layer for layer in spec.layers if isinstance(layer, Label)]
    assert shown or len(np.unique(scores)) == 1
    for label in shown:
        called = scores >= float(label.text.replace("−", "-"))
        assert label.x == pytest.approx(called[labels == 0].mean(), abs=1e-12)
        assert label.y == pytest.approx(1 - called[labels == 1].mean(), abs=1e-12)


def test_the_caption_tells_of_the_frame_and_of_ties():
    assert compose(rw.det(LABELS, TIED_SCORES)).caption == (INFINITY_SENTENCE, TIED_SENTENCE)
    assert compose(rw.det([0, 1, 0, 1], [1, 2, 3, 4])).caption == (INFINITY_SENTENCE,)


def test_words_and_legend():
    curve = rw.det(LABELS, TIED_SCORES)
    spec = compose(curve)
    assert (spec.x.title, spec.y.title) == (
        "False positive rate (%)",
        "False negative rate (%)",
    )
    clinical = compose(curve, axis="clinical")
    assert (clinical.x.title, clinical.y.title) == ("1 − specificity (%)", "1 − sensitivity (%)")
    assert plot(curve, backend="none").legend == []
    assert plot(curve, name="m", backend="none").legend == ["m"]
    assert len(plot(curve, chance=False, backend="none").layers(Line)) == 1
