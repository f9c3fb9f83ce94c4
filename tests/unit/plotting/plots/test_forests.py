"""Areas with intervals as a list of rows."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.plotting import compose, plot
from rocwise.plotting.spec import Band, Line, Points, Whiskers, auc_words
from unit.plotting.scored_cases import DISTINCT_SCORES, LABELS, TIED_SCORES, scored


def area(scores=DISTINCT_SCORES, **options):
    return rw.auc(LABELS, scores, **options)


def test_one_area_is_shaded_under_its_curve():
    auc, curve = area(), rw.roc(LABELS, DISTINCT_SCORES)
    recording = plot(auc, name="m", backend="none")
    (shade,) = recording.layers(Band)
    assert np.trapezoid(shade.upper - shade.lower, shade.x) == pytest.approx(auc.value)
    line = recording.layers(Line)[-1]
    assert (line.x.tolist(), line.y.tolist()) == (curve.fpr.tolist(), curve.tpr.tolist())
    assert recording.legend == [f"m, {auc_words(auc)}"]


@given(scored(), st.floats(0, 1), st.floats(0, 1), st.sampled_from(["fpr_range", "tpr_range"]))
def test_the_shaded_part_is_the_partial_area(cases, one, other, which):
    low, high = sorted((one, other))
    assume(high - low > 1e-3)
    auc = rw.auc(*cases, **{which: (low, high)})
    (shade,) = plot(auc, backend="none").layers(Band)
    shaded = np.trapezoid(shade.upper - shade.lower, shade.x)
    assert shaded == pytest.approx(auc.value, abs=1e-9)


def test_one_area_as_a_row_is_a_point_with_its_interval():
    auc = area()
    recording = plot(auc, name="m", view="row", backend="none")
    (points,), (whiskers,) = recording.layers(Points), recording.layers(Whiskers)
    assert points.x.tolist() == [auc.value]
    assert (whiskers.low[0], whiskers.high[0]) == (auc.interval.low, auc.interval.high)
    assert [tick.text for tick in recording.spec.y.ticks] == ["m"]
    low, high = auc.interval
    assert [tick.text for tick in recording.spec.right_ticks] == [
        f"{auc.value:.2f} ({low:.2f} to {high:.2f})"
    ]
    assert recording.caption == f"Interval: {auc.interval.method}."
    assert recording.spec.x.title == "AUC (95 % CI)"


def test_several_areas_are_rows_from_the_top():
    areas = {"a": area(), "b": area(TIED_SCORES), "c": area()}
    recording = plot(areas, backend="none")
    assert recording.spec.rows == 3
    assert [(tick.position, tick.text) for tick in recording.spec.y.ticks] == [
        (2.0, "a"),
        (1.0, "b"),
        (0.0, "c"),
    ]
    heights = [(float(points.y[0]), float(points.x[0])) for points in recording.layers(Points)]
    assert heights == [(2.0, areas["a"].value), (1.0, areas["b"].value), (0.0, areas["c"].value)]
    assert [float(whiskers.y[0]) for whiskers in recording.layers(Whiskers)] == [2.0, 1.0, 0.0]
    (chance,) = recording.layers(Line)
    assert (chance.x.tolist(), chance.y.tolist()) == ([0.5, 0.5], [-0.5, 2.5])
    assert recording.spec.y.limits == (-0.5, 2.5)


@pytest.mark.parametrize(
    ("options", "title", "chance"),
    [
        ({"max_fpr": 0.4}, "Partial AUC over FPR 0 to 0.4 (95 % CI)", 0.08),
        ({"tpr_range": (0.5, 1)}, "Partial AUC over TPR 0.5 to 1 (95 % CI)", 0.125),
        (
            {"max_fpr": 0.4, "standardize": True},
            "Standardised partial AUC over FPR 0 to 0.4 (95 % CI)",
            0.5,
        ),
    ],
)
def test_partial_areas_say_so_and_have_their_own_chance(options, title, chance):
    auc = area(**options)
    recording = plot(auc, view="row", backend="none")
    assert recording.spec.x.title == title
    assert recording.layers(Line)[0].x == pytest.approx([chance, chance])
    digits = 2 if auc.standardized else 3
    assert recording.spec.right_ticks[0].text.startswith(f"{auc.value:.{digits}f} (")


def test_whole_and_partial_areas_do_not_share_an_axis():
    partial = area(max_fpr=0.4)
    with pytest.raises(rw.InputError, match="cannot share one plot"):
        compose({"a": area(), "b": partial})
