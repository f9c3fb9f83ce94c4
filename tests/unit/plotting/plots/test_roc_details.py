"""The figure of a journal in one call, drawn with the library's own numbers."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.plotting import compose, plot
from rocwise.plotting.spec import Band, Cells, Label, Line, Points, auc_words
from unit.plotting.drawn_results import COSTS, S, Y

TALLY = rw.tally(Y, S)
CURVE = rw.roc(TALLY)


def layers(spec, kind):
    return [layer for layer in spec.layers if isinstance(layer, kind)]


def test_everything_in_one_call():
    spec = compose(CURVE, name="m", auc=True, band=True, point="youden", shade=0.2, table=True)
    area, band = rw.auc(TALLY), rw.band(TALLY, rng=1)
    point, part = rw.threshold(TALLY, rule="youden"), rw.auc(TALLY, fpr_range=(0, 0.2))
    shade, around = layers(spec, Band)
    assert np.trapezoid(shade.upper, shade.x) == pytest.approx(part.value)
    assert f"{part.value:.3f}" in shade.label
    np.testing.assert_array_equal(around.upper, band.upper)
    assert f"± {band.area / 2:.2f}" in around.label
    assert layers(spec, Line)[-1].label == f"m, {auc_words(area)}"
    (mark,), (label,) = layers(spec, Points), layers(spec, Label)
    assert (mark.x[0], mark.y[0]) == (point.fpr, point.tpr)
    assert label.text.startswith("≥ 0.1")
    assert f"sens. {point.tpr:.2f}, spec. {1 - point.fpr:.2f}" in label.text
    rates = rw.at(TALLY, threshold=point.threshold).columns
    rows = {row[0]: row[1:] for row in spec.table[1:]}
    assert rows["Sensitivity"][0] == f"{rates['sensitivity'][0]:.3f}"
    low, high = rates["npv_low"][0], rates["npv_high"][0]
    assert rows["Negative predictive value"][1] == f"{low:.3f} to {high:.3f}"


def test_shade_and_band_are_told_apart_and_the_threshold_is_one_number():
    spec = compose(CURVE, band=True, point="youden", shade=0.2, table=True)
    shade, band = layers(spec, Band)
    assert shade.color != band.color
    assert [each.color for each in layers(compose(CURVE, shade=0.2), Band)] == [None]
    (label,) = layers(spec, Label)
    written = label.text.splitlines()[0].removeprefix("≥ ")
    assert spec.table[0][0] == f"At threshold {written}"


def test_answers_and_numbers_are_taken_as_they_are():
    band = rw.band(TALLY, kind="joint-regions", level=0.9)
    spec = compose(CURVE, band=band, point=0.5, shade=rw.auc(TALLY, max_fpr=0.3))
    assert "90 % joint-regions band" in layers(spec, Band)[1].label
    (mark,) = layers(spec, Points)
    assert mark.y[0] == np.mean(S[Y == 1] >= 0.5)
    assert mark.x[0] == pytest.approx(np.mean(S[Y == 0] >= 0.5))


def test_rare_false_positives_on_an_axis_of_logarithms():
    spec = compose(CURVE, scale="log")
    low, high = spec.x.limits
    assert spec.x.scale == "log"
    assert 0 < low < 1 / 30
    assert high > 1
    chance, curve = layers(spec, Line)
    assert np.all(curve.x >= low)
    assert chance.y == pytest.approx(chance.x)
    np.testing.assert_array_equal(curve.y, CURVE.tpr)
    assert plot(CURVE, scale="log").get_xscale() == "log"


def test_zoom_shows_a_part_and_marks_outside_it_are_left_out():
    spec = compose(CURVE, zoom=0.2)
    assert spec.x.limits == pytest.approx((-0.003, 0.203))
    assert compose(CURVE, zoom=(0.1, 0.3)).x.limits == pytest.approx((0.097, 0.303))
    ax = plot(CURVE, zoom=0.01, point="youden")
    marks = [line for line in ax.lines if line.get_marker() == "o"]
    assert np.isnan(marks[0].get_xdata()).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"band": 3}, "`band` must be True, a kind of band or a band"),
        ({"point": [1]}, "`point` must be a rule such as 'youden'"),
        ({"shade": (0.5, 2)}, "`shade`"),
        ({"shade": object()}, "`shade`"),
        ({"zoom": (0.3, 0.1)}, "`zoom` must be a range"),
        ({"zoom": "left"}, "`zoom`"),
        ({"scale": "probit"}, "`scale` must be one of"),
        ({"table": True}, "`table` shows rates at a point"),
        ({"auc": 0.8}, "`auc` must be the answer of rw.auc"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(options, message):
    with pytest.raises(rw.InputError, match=message):
        compose(CURVE, **options)


def test_a_curve_without_its_data_says_so():
    curve = type(CURVE)(
        fpr=CURVE.fpr, tpr=CURVE.tpr, thresholds=CURVE.thresholds, auc=CURVE.auc, n_pos=30, n_neg=30
    )
    with pytest.raises(rw.InputError, match="has not kept its data"):
        compose(curve, auc=True)
    with pytest.raises(rw.InputError, match="`question` must be the name"):
        CURVE.ask("no such question")


def test_the_line_of_equal_cost_touches_the_curve_at_its_best_point():
    point = rw.threshold(TALLY, costs=COSTS)
    (line,) = [line for line in layers(compose(point), Line) if line.label == "equal cost"]
    slope, intercept = np.polyfit(line.x, line.y, 1)
    assert slope == pytest.approx(0.5)  # as many positives as negatives, a miss costs 1
    assert np.all(CURVE.tpr <= intercept + slope * CURVE.fpr + 1e-9)
    assert not [x for x in layers(compose(point, tangent=False), Line) if x.label == "equal cost"]
    with pytest.raises(rw.InputError, match="`tangent` needs a threshold"):
        compose(rw.threshold(TALLY, rule="youden"), tangent=True)


def test_scores_of_both_classes_with_the_cut():
    point = rw.threshold(TALLY, rule="youden")
    spec = compose(point, view="scores")
    negatives, positives = layers(spec, Band)
    assert negatives.upper[::2].sum() == pytest.approx(1.0)
    assert positives.upper[::2].sum() == pytest.approx(1.0)
    beyond = positives.x[::2] >= 1.0
    assert positives.upper[::2][beyond].sum() <= np.mean(S[Y == 1] >= 1.0) + 1e-9
    (cut,) = layers(spec, Line)
    assert cut.x.tolist() == [point.threshold] * 2


def test_the_confusion_matrix():
    point = rw.threshold(TALLY, rule="youden")
    spec = compose(point, view="matrix")
    (cells,) = layers(spec, Cells)
    found = [[int(text.split("\n")[0]) for text in row] for row in cells.texts]
    assert found == [[point.tp, point.fn], [point.fp, point.tn]]
    assert cells.shares.sum(axis=1) == pytest.approx([1, 1])
    assert plot(point, view="matrix").get_xlabel() == "Called"
