"""Plots of curves: every claim checked against a recount of the observations."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.binary.bands import threshold_regions
from rocwise.binary.scored_auc import scored_roc
from rocwise.errors import InputError
from rocwise.plotting import compose, plot, save
from rocwise.plotting.plots.curves import (
    INFINITY_SENTENCE,
    TIED_SENTENCE,
    TIES_SENTENCE,
    bent,
    has_every_score,
)
from rocwise.plotting.spec import Band, Cells, Label, Line, Points, probit, probit_frame
from rocwise.plotting.words import auc_words
from unit.plotting.drawn_results import COSTS, S, Y, layers, recorded
from unit.plotting.scored_cases import DISTINCT_SCORES, LABELS, TIED_SCORES, scored

pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")


def own_line(recording):
    (line,) = [line for line in recording.layers(Line) if line.role != "reference"]
    return line


@given(scored())
def test_the_drawn_curve_runs_from_corner_to_corner_inside_the_frame(cases):
    recording = recorded(rw.roc(*cases))
    line = own_line(recording)
    assert (line.x[0], line.y[0], line.x[-1], line.y[-1]) == (0, 0, 1, 1)
    for values, axis in ((line.x, recording.spec.x), (line.y, recording.spec.y)):
        assert np.all((axis.limits[0] < values) & (values < axis.limits[1]))
        assert np.all(np.diff(values) >= 0)


@given(scored())
def test_the_area_below_the_drawn_curve_counts_pairs(cases):
    labels, scores = cases
    line = own_line(recorded(rw.roc(*cases)))
    pairs = np.sign(scores[labels == 1][:, None] - scores[labels == 0][None, :])
    assert np.trapezoid(line.y, line.x) == pytest.approx((pairs.mean() + 1) / 2, abs=1e-12)


@given(scored())
def test_the_caption_mentions_ties_from_one_percent_of_the_pairs(cases):
    labels, scores = cases
    tied = np.mean(scores[labels == 1][:, None] == scores[labels == 0][None, :])
    assume(abs(tied - 0.01) > 1e-9)
    spec = compose(rw.roc(*cases))
    assert (TIES_SENTENCE in spec.caption) == (tied > 0.01)


def test_a_hull_has_no_sentence_on_ties():
    spec = compose(rw.hull(LABELS, TIED_SCORES))
    assert spec.caption == ("Gray: the curve itself.",)
    grey = next(layer for layer in spec.layers if layer.muted)
    assert grey.y.tolist() == rw.roc(LABELS, TIED_SCORES).tpr.tolist()


@given(scored(), st.integers(1, 12), st.sampled_from(["higher", "lower"]), st.booleans())
def test_every_label_recounts_to_its_point(cases, count, direction, drop):
    labels, scores = cases
    curve = rw.roc(labels, scores, direction=direction, drop_intermediate=drop)
    recording = recorded(curve, threshold_labels=count)
    assert len(recording.layers(Label)) <= count
    for label in recording.layers(Label):
        number = float(label.text.replace("−", "-"))
        called = scores >= number if direction == "higher" else scores <= number
        assert label.x == pytest.approx(called[labels == 0].mean(), abs=1e-12)
        assert label.y == pytest.approx(called[labels == 1].mean(), abs=1e-12)


@pytest.mark.parametrize("function", [rw.det, rw.precision_recall])
@given(cases=scored(), count=st.integers(1, 9))
def test_labels_of_other_curves_recount_to_their_points(function, cases, count):
    labels, scores = cases
    shown = layers(compose(function(*cases), threshold_labels=count), Label)
    assert shown or function is rw.precision_recall or len(np.unique(scores)) == 1
    for label in shown:
        called = scores >= float(label.text.replace("−", "-"))
        fpr, tpr = (called[labels == kind].mean() for kind in (0, 1))
        place = (fpr, 1 - tpr) if function is rw.det else (tpr, labels[called].mean())
        assert (label.x, label.y) == pytest.approx(place, abs=1e-12)


@given(scored(), st.lists(st.floats(-5, 5), min_size=1, max_size=4), st.booleans())
def test_thresholds_requested_by_value_recount_to_their_points(cases, values, lower):
    labels, scores = cases
    curve = rw.roc(labels, scores, direction="lower" if lower else "higher")
    if not has_every_score(curve):
        values = [value for value in values if value in curve.thresholds]
    drawn = recorded(curve, threshold_labels=values).layers(Label)
    assert len(drawn) == len(values)
    for label, value in zip(drawn, values, strict=True):
        assert float(label.text.replace("−", "-")) == value
        called = scores <= value if lower else scores >= value
        assert label.x == pytest.approx(called[labels == 0].mean(), abs=1e-12)
        assert label.y == pytest.approx(called[labels == 1].mean(), abs=1e-12)


def test_a_value_between_kept_thresholds_raises_on_a_curve_with_gaps():
    curve = rw.roc(LABELS, DISTINCT_SCORES, drop_intermediate=True)
    with pytest.raises(rw.InputError, match=r"`threshold_labels` has 0\.5.*drop_intermediate"):
        compose(curve, threshold_labels=[0.5])
    kept = float(curve.thresholds[2])
    label = compose(curve, threshold_labels=[kept]).layers[-1]
    assert (label.x, label.y) == (curve.fpr[2], curve.tpr[2])


def test_labels_stay_distinct():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 500)
    curve = rw.roc(labels, rng.normal(size=500) + labels)
    drawn = recorded(curve, threshold_labels=60).layers(Label)
    assert len(drawn) > 20
    gaps = [abs(a.x - b.x) + abs(a.y - b.y) for a, b in pairwise(drawn)]
    assert min(gaps) > 0.05


def test_ordered_categories_are_labelled_by_name():
    pandas = pytest.importorskip("pandas")
    names = ["no", "maybe", "yes"]
    ratings = pandas.Categorical(
        ["no", "maybe", "yes", "maybe", "yes", "no"], categories=names, ordered=True
    )
    curve = rw.roc([0, 0, 1, 1, 1, 0], ratings)
    texts = [label.text for label in recorded(curve, threshold_labels=5).layers(Label)]
    assert texts == ["yes", "maybe"]


@pytest.mark.parametrize(
    ("function", "axis", "x", "y"),
    [
        (rw.roc, "ml", "False positive rate", "True positive rate"),
        (rw.hull, "clinical", "1 − specificity", "Sensitivity"),
        (rw.precision_recall, "ml", "Recall", "Precision"),
        (rw.precision_recall, "clinical", "Sensitivity", "Positive predictive value"),
        (rw.det, "ml", "False positive rate (%)", "False negative rate (%)"),
        (rw.det, "clinical", "1 − specificity (%)", "1 − sensitivity (%)"),
    ],
)
def test_both_dialects(function, axis, x, y):
    spec = compose(function(LABELS, TIED_SCORES), axis=axis)
    assert (spec.x.title, spec.y.title, spec.square) == (x, y, True)


def test_the_chance_line_is_the_diagonal_and_can_be_left_out():
    curve = rw.roc(LABELS, TIED_SCORES)
    references = [
        line for line in compose(curve).layers if getattr(line, "role", "") == "reference"
    ]
    assert [(line.x.tolist(), line.y.tolist()) for line in references] == [([0, 1], [0, 1])]
    assert all(layer.role != "reference" for layer in compose(curve, chance=False).layers)


def test_the_legend_holds_name_area_and_interval():
    rng = np.random.default_rng(2)
    labels = np.arange(150) % 2
    tally = rw.tally(labels, rng.normal(size=150) + labels)
    curve, area = rw.roc(tally), rw.auc(tally, level=0.9)
    low, high = area.interval
    words = f"AUC {area.value:.3f} (90% CI {low:.3f} to {high:.3f})"
    assert recorded(curve).legend == [f"AUC {area.value:.3f}"]
    assert recorded(curve, auc=area).legend == [words]
    assert recorded(curve, auc=area, name="m").legend == [f"m, {words}"]
    assert recorded({"m": curve}, auc={"m": area}).legend == [f"m, {words}"]


def test_the_area_of_other_data_raises():
    curve = rw.roc(LABELS, TIED_SCORES)
    with pytest.raises(rw.InputError, match=r"`auc` is .* but the curve has area"):
        compose(curve, auc=rw.auc(LABELS, DISTINCT_SCORES))
    with pytest.raises(rw.InputError, match="partial area"):
        compose(curve, auc=rw.auc(LABELS, TIED_SCORES, max_fpr=0.3))


def test_a_hull_shows_its_corners():
    hull = rw.hull(LABELS, TIED_SCORES)
    recording = recorded(hull, name="m")
    (corners,) = recording.layers(Points)
    assert corners.x.tolist() == hull.fpr.tolist()
    assert corners.y.tolist() == hull.tpr.tolist()
    assert recording.legend == [f"m hull, AUC {hull.auc:.2f}"]
    texts = [float(label.text) for label in recorded(hull, threshold_labels=9).layers(Label)]
    assert texts == hull.thresholds[1:-1].tolist()


TALLY = rw.tally(Y, S)


CURVE = rw.roc(TALLY)


def test_everything_in_one_call():
    spec = compose(CURVE, name="m", auc=True, band=True, point="youden", shade=0.2, table=True)
    area, band = rw.auc(TALLY), rw.band(TALLY, rng=1)
    point, part = rw.threshold(TALLY, rule="youden"), rw.auc(TALLY, fpr_range=(0, 0.2))
    shade, around = layers(spec, Band)
    assert np.trapezoid(shade.upper, shade.x) == pytest.approx(part.value)
    assert f"{part.value:.3f}" in shade.label
    np.testing.assert_array_equal(around.upper, band.upper)
    assert around.label == "95% simultaneous band"
    assert f"half-width {band.area / 2:.2f} on average" in spec.caption[0]
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


def test_shade_and_band_are_distinguished_and_the_threshold_is_one_number():
    spec = compose(CURVE, band=True, point="youden", shade=0.2, table=True)
    shade, band = layers(spec, Band)
    assert shade.color != band.color
    assert [each.color for each in layers(compose(CURVE, shade=0.2), Band)] == [None]
    (label,) = layers(spec, Label)
    written = label.text.splitlines()[0].removeprefix("≥ ")
    assert spec.table[0][0] == f"At threshold {written}"


def test_results_and_numbers_are_taken_as_they_are():
    band = rw.band(TALLY, kind="joint-regions", level=0.9)
    spec = compose(CURVE, band=band, point=0.5, shade=rw.auc(TALLY, max_fpr=0.3))
    assert "90% joint-regions band" in layers(spec, Band)[1].label
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
        ({"auc": 0.8}, "`auc` must be the result of rw.auc"),
    ],
)
def test_what_cannot_be_shown_raises_a_message(options, message):
    with pytest.raises(rw.InputError, match=message):
        compose(CURVE, **options)


def test_a_curve_without_its_data_raises():
    curve = type(CURVE)(
        fpr=CURVE.fpr, tpr=CURVE.tpr, thresholds=CURVE.thresholds, auc=CURVE.auc, n_pos=30, n_neg=30
    )
    with pytest.raises(rw.InputError, match="does not contain its data"):
        compose(curve, auc=True)
    with pytest.raises(rw.InputError, match="`function` must be the name"):
        CURVE.compute("no such function")


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
    assert cells.shades.sum(axis=1) == pytest.approx([1, 1])
    assert plot(point, view="matrix").get_xlabel() == "Predicted class"


@given(scored())
def test_what_is_drawn_lies_inside_the_frame_and_has_finite_deviates(cases):
    recording = recorded(rw.det(*cases))
    low, high = recording.spec.x.limits
    assert recording.spec.y.limits == (low, high)
    for line in recording.layers(Line):
        for rates in (line.x, line.y):
            assert np.all((rates >= low) & (rates <= high))
            assert np.all(np.isfinite(probit(rates)))


@given(scored())
def test_rates_strictly_between_0_and_1_are_drawn_where_they_are(cases):
    curve = rw.det(*cases)
    line = recorded(curve).layers(Line)[-1]
    drawn = set(zip(line.x.tolist(), line.y.tolist(), strict=True))
    inside = (curve.fpr > 0) & (curve.fpr < 1) & (curve.fnr > 0) & (curve.fnr < 1)
    assert set(zip(curve.fpr[inside].tolist(), curve.fnr[inside].tolist(), strict=True)) <= drawn


@given(scored(scores=st.integers(0, 4).map(float)))
def test_added_points_are_on_the_straight_segments_between_rates(cases):
    curve = rw.det(*cases)
    x, y = bent(curve.fpr, curve.fnr, probit_frame(curve.fpr, curve.fnr))
    assert len(x) >= len(curve.fpr)
    assert np.all(np.diff(x) >= 0)
    assert np.all(np.diff(y) <= 0)
    # The sum of steps to the left and down is the same for both coordinates of a point.
    way = curve.fpr - curve.fnr
    assert np.interp(x - y, way, curve.fpr) == pytest.approx(x, abs=1e-12)


def test_the_caption_explains_the_frame_and_ties():
    assert compose(rw.det(LABELS, TIED_SCORES)).caption == (INFINITY_SENTENCE, TIED_SENTENCE)
    assert compose(rw.det([0, 1, 0, 1], [1, 2, 3, 4])).caption == (INFINITY_SENTENCE,)


def test_the_legend_of_a_det_curve():
    curve = rw.det(LABELS, TIED_SCORES)
    assert recorded(curve).legend == []
    assert recorded(curve, name="m").legend == ["m"]
    assert len(recorded(curve, chance=False).layers(Line)) == 1


metrics = pytest.importorskip("sklearn.metrics")


def area_of_steps(line):
    """Only level pieces have an area; a slanted one would be of another curve."""
    across, upwards = np.diff(line.x), np.diff(line.y)
    assert np.all((across == 0) | (upwards == 0))
    return float(across @ line.y[:-1])


@given(scored())
def test_the_area_below_the_steps_is_the_average_precision(cases):
    line = recorded(rw.precision_recall(*cases)).layers(Line)[-1]
    expected = metrics.average_precision_score(*cases)
    assert area_of_steps(line) == pytest.approx(expected, abs=1e-12)


@given(scored())
def test_the_steps_stay_inside_the_frame_and_reach_full_recall(cases):
    recording = recorded(rw.precision_recall(*cases))
    line = recording.layers(Line)[-1]
    assert (line.x[0], line.x[-1]) == (0, 1)
    assert line.y[-1] == pytest.approx(np.mean(cases[0]), abs=1e-12)
    low, high = recording.spec.y.limits
    assert np.all((line.y > low) & (line.y < high))


def test_chance_is_the_prevalence_and_can_be_left_out():
    curve = rw.precision_recall(LABELS, TIED_SCORES)
    recording = recorded(curve)
    assert recording.layers(Line)[0].y.tolist() == [0.5, 0.5]
    assert recording.legend == [
        "chance (prevalence 0.50)",
        f"AP {curve.average_precision:.2f}",
    ]
    assert recorded(curve, chance=False, name="m").legend == [
        f"m, AP {curve.average_precision:.2f}"
    ]


def sample(seed, n=80):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rw.tally(y, rng.normal(size=n) + y)


@pytest.mark.parametrize(
    "kind", ["fixed-width", "joint-regions", "pointwise", "simultaneous", "future"]
)
def test_band_is_shaded_around_its_curve(kind):
    band = rw.band(sample(1), kind=kind, rng=0, n_resamples=100)
    spec = compose(band)
    (shade,) = layers(spec, Band)
    assert shade.upper.tolist() == band.upper.tolist()
    assert layers(spec, Line)[-1].x.tolist() == band.curve_fpr.tolist()
    half = f"half-width {band.area / 2:.2f} on average."
    assert spec.caption[0] == f"{band.description()}; {half}"
    assert len(spec.caption) == 1 + (kind == "pointwise")


def test_binormal_band_shows_fit_and_observation():
    band = rw.band(sample(1), kind="working-hotelling")
    spec = compose(band, name="m")
    reference, observed, fitted = layers(spec, Line)
    assert reference.role == "reference"
    assert observed.muted
    assert fitted.label == "m, binormal fit, AUC 0.77"
    assert fitted.y.tolist() == band.fit.curve()[1].tolist()


def test_binormal_fit_is_over_the_empirical_curve():
    fit = rw.binormal(sample(2))
    spec = compose(fit, chance=False)
    observed, fitted = layers(spec, Line)
    assert observed.y.tolist() == fit.curve_tpr.tolist()
    assert f"AUC {fit.auc:.2f}" in fitted.label


def test_averages():
    tallies = [sample(seed) for seed in range(4)]
    vertical = compose(rw.average_roc(tallies))
    assert sum(line.muted for line in layers(vertical, Line)) == 4
    assert "not a band" in vertical.caption[1]
    by_threshold = compose(rw.average_roc(tallies, how="threshold"))
    assert len(layers(by_threshold, Line)) == 4


def test_regions_are_crosses_at_points():
    regions = threshold_regions(sample(3), thresholds=[0.0, 1.0])
    spec = compose(regions, chance=False)
    curve, across, upwards = layers(spec, Line)
    assert (curve.muted, curve.x.tolist()) == (True, regions.curve()[0].tolist())
    assert [label.text for label in layers(spec, Label)] == ["0", "1"]
    assert across.x[:2].tolist() == [regions.fpr_lower[0], regions.fpr_upper[0]]
    assert upwards.y[3:5].tolist() == [regions.tpr_lower[1], regions.tpr_upper[1]]
    assert layers(spec, Points)[0].y.tolist() == regions.tpr.tolist()


class TestSegments:
    def test_bold_part_on_the_curve(self):
        segment = rw.confident_segment(sample(4))
        whole, bold = layers(compose(segment, chance=False), Line)
        assert whole.muted
        assert bold.x.tolist() == segment.fpr.tolist()

    def test_intervals_hold_zero_where_confident(self):
        segment = rw.confident_segment(sample(4))
        spec = compose(segment, view="intervals")
        (shade,) = layers(spec, Band)
        inside = (shade.lower <= 1e-12) & (shade.upper >= -1e-12)
        assert sorted(shade.x[inside]) == sorted(
            segment.thresholds[np.isfinite(segment.thresholds)]
        )

    def test_models_in_the_plane(self):
        segments = {name: rw.confident_segment(sample(k)) for k, name in enumerate("ab")}
        spec = compose(segments, view="plane")
        places = [(float(p.x[0]), float(p.y[0])) for p in layers(spec, Points)]
        assert places == [(s.mean_difference, s.cauc) for s in segments.values()]

    def test_an_empty_segment_has_no_place_in_the_plane(self):
        segment = rw.confident_segment(np.repeat([0, 1], [3, 60]), np.ones(63), level=0.5)
        with pytest.raises(InputError, match="empty"):
            compose(segment, view="plane")
        assert compose(segment).layers

    def test_unknown_view(self):
        with pytest.raises(InputError, match="`view`"):
            compose(rw.confident_segment(sample(4)), view="side")


SIX_LABELS, SIX_SCORES = [1, 1, 0, 1, 0, 0], [0.9, 0.7, 0.6, 0.4, 0.3, 0.1]


def test_roc_and_smooth_roc_share_a_square():
    smooth = rw.smooth_roc(SIX_LABELS, SIX_SCORES)
    recording = recorded({"ROC": rw.roc(SIX_LABELS, SIX_SCORES), "smROC": smooth}, axis="ml")
    assert recording.legend == ["ROC, AUC 0.89", "smROC, smAUC 0.78"]
    (ends,) = recording.layers(Points)
    assert ends.x.tolist() == smooth.x.tolist()  # where the slope changes
    assert "Midpoint of smROC: 0.5." in recording.caption
    with pytest.raises(rw.InputError, match=r"cannot share one plot.*Draw them apart"):
        recorded({"ROC": rw.roc(SIX_LABELS, SIX_SCORES), "smROC": smooth})


def test_the_smooth_curve_names_its_own_axes():
    spec = recorded(rw.smooth_roc(SIX_LABELS, SIX_SCORES)).spec
    assert "1 − Θ" in spec.x.title
    assert "Θ" in spec.y.title
    assert "rate" not in spec.x.title + spec.y.title


def test_every_segment_of_a_short_curve_has_its_score():
    curve = rw.smooth_roc(SIX_LABELS, SIX_SCORES)
    labels = recorded(curve).layers(Label)
    assert [label.text for label in labels] == ["0.9", "0.7", "0.6", "0.4", "0.3", "0.1"]
    for k, label in enumerate(labels):
        assert label.x == pytest.approx((curve.x[k] + curve.x[k + 1]) / 2)
    assert not recorded(curve, name="m").layers(Label)


def test_roc_and_smooth_roc_side_by_side(tmp_path):
    curve = rw.smooth_roc(SIX_LABELS, SIX_SCORES)
    axes = curve.plot(subplots=True)
    assert [ax.get_title(loc="left") for ax in axes] == ["ROC", "smROC"]
    np.testing.assert_array_equal(axes[0].lines[1].get_xdata(), rw.roc(SIX_LABELS, SIX_SCORES).fpr)
    np.testing.assert_array_equal(axes[1].lines[1].get_xdata(), curve.x)
    assert axes[0].get_position().y0 == pytest.approx(axes[1].get_position().y0, abs=0.1)
    import matplotlib.pyplot as plt

    plt.close("all")
    first = save(curve, tmp_path / "one.svg", subplots=True).read_bytes()
    assert first == save(curve.panels(), tmp_path / "two.svg", subplots=True).read_bytes()
    assert first.startswith(b"<?xml")
    roc, smooth = recorded(curve, subplots=True)
    assert (roc.legend, smooth.legend) == (["AUC 0.89"], ["smAUC 0.78"])


def test_panels_and_axes_must_agree():
    curve = rw.smooth_roc(SIX_LABELS, SIX_SCORES)
    with pytest.raises(rw.InputError, match="as many axes as there are panels; got 1 for 2"):
        curve.plot(ax=[None], subplots=True)
    with pytest.raises(rw.InputError, match="nothing to draw"):
        plot({}, subplots=True)
    with pytest.raises(rw.InputError, match="a RocCurve has none"):
        rw.roc(SIX_LABELS, SIX_SCORES).plot(subplots=True)


def test_scored_curve():
    curve = scored_roc(SIX_LABELS, SIX_SCORES)
    (line,) = recorded(curve).layers(Line)
    assert line.y.tolist() == curve.share.tolist()
    assert line.label == f"sAUC {curve.auc:.3f}"


def test_predicted_curve_marks_the_best_threshold():
    curve = rw.predict_roc((4, 3), (8, 2))
    recording = recorded(curve)
    (label,) = recording.layers(Label)
    assert label.text == "score > 5.83"
    assert label.y - label.x == pytest.approx(2 * curve.max_ameans - 1, abs=1e-9)
    assert not recorded(rw.predict_roc((1, 2), (0, 2))).layers(Label)


def test_fitted_distribution():
    fit = rw.fit_distribution(np.random.default_rng(0).gamma(3, size=300), families="gamma")
    recording = recorded(fit, name="ill")
    (line,) = recording.layers(Line)
    assert recording.legend == ["sample", "ill, gamma"]
    (bars,) = recording.layers(Band)
    assert np.sum(np.diff(bars.x)[::2] * bars.upper[::2]) == pytest.approx(1.0)
    assert line.y[200] == pytest.approx(fit.distribution.pdf(line.x[200]))
    assert np.trapezoid(line.y, line.x) == pytest.approx(0.998, abs=1e-3)
