"""ROC curves and hulls as plots: every claim checked against a recount of the cases."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.plotting import compose, plot
from rocwise.plotting.plots.curves import TIES_SENTENCE, has_every_score
from rocwise.plotting.spec import Label, Line, Points
from unit.plotting.scored_cases import DISTINCT_SCORES, LABELS, TIED_SCORES, scored

pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")


def own_line(recording):
    (line,) = [line for line in recording.layers(Line) if line.role != "reference"]
    return line


@given(scored())
def test_the_drawn_curve_runs_from_corner_to_corner_inside_the_frame(cases):
    recording = plot(rw.roc(*cases), backend="none")
    line = own_line(recording)
    assert (line.x[0], line.y[0], line.x[-1], line.y[-1]) == (0, 0, 1, 1)
    for values, axis in ((line.x, recording.spec.x), (line.y, recording.spec.y)):
        assert np.all((axis.limits[0] < values) & (values < axis.limits[1]))
        assert np.all(np.diff(values) >= 0)


@given(scored())
def test_the_area_below_the_drawn_curve_counts_pairs(cases):
    labels, scores = cases
    line = own_line(plot(rw.roc(*cases), backend="none"))
    pairs = np.sign(scores[labels == 1][:, None] - scores[labels == 0][None, :])
    assert np.trapezoid(line.y, line.x) == pytest.approx((pairs.mean() + 1) / 2, abs=1e-12)


@given(scored())
def test_the_caption_speaks_of_ties_exactly_when_a_hundredth_of_the_pairs_is_tied(cases):
    labels, scores = cases
    tied = np.mean(scores[labels == 1][:, None] == scores[labels == 0][None, :])
    assume(abs(tied - 0.01) > 1e-9)
    spec = compose(rw.roc(*cases))
    assert (TIES_SENTENCE in spec.caption) == (tied > 0.01)


def test_a_hull_has_no_sentence_on_ties():
    spec = compose(rw.hull(LABELS, TIED_SCORES))
    assert spec.caption == ("Grey: the curve itself.",)
    grey = next(layer for layer in spec.layers if layer.muted)
    assert grey.y.tolist() == rw.roc(LABELS, TIED_SCORES).tpr.tolist()


@given(scored(), st.integers(1, 12), st.sampled_from(["higher", "lower"]), st.booleans())
def test_every_label_recounts_to_its_point(cases, count, direction, drop):
    labels, scores = cases
    curve = rw.roc(labels, scores, direction=direction, drop_intermediate=drop)
    recording = plot(curve, threshold_labels=count, backend="none")
    assert len(recording.layers(Label)) <= count
    for label in recording.layers(Label):
        number = float(label.text.replace("−", "-"))
        called = scores >= number if direction == "higher" else scores <= number
        assert label.x == pytest.approx(called[labels == 0].mean(), abs=1e-12)
        assert label.y == pytest.approx(called[labels == 1].mean(), abs=1e-12)


@given(scored(), st.lists(st.floats(-5, 5), min_size=1, max_size=4), st.booleans())
def test_thresholds_asked_for_by_value_recount_to_their_points(cases, values, lower):
    labels, scores = cases
    curve = rw.roc(labels, scores, direction="lower" if lower else "higher")
    if not has_every_score(curve):
        values = [value for value in values if value in curve.thresholds]
    drawn = plot(curve, threshold_labels=values, backend="none").layers(Label)
    assert len(drawn) == len(values)
    for label, value in zip(drawn, values, strict=True):
        assert float(label.text.replace("−", "-")) == value
        called = scores <= value if lower else scores >= value
        assert label.x == pytest.approx(called[labels == 0].mean(), abs=1e-12)
        assert label.y == pytest.approx(called[labels == 1].mean(), abs=1e-12)


@given(scored(), st.booleans())
def test_a_curve_that_dropped_points_never_passes_for_a_complete_one(cases, weighted):
    weights = {"sample_weight": np.full(len(cases[0]), 0.5)} if weighted else {}
    complete = rw.roc(*cases, **weights)
    dropped = rw.roc(*cases, **weights, drop_intermediate=True)
    if len(dropped.fpr) < len(complete.fpr):
        assert not has_every_score(dropped)


@given(scored(scores=st.floats(0, 1)))
def test_a_curve_of_distinct_scores_is_known_to_be_complete(cases):
    labels, scores = cases
    assert has_every_score(rw.roc(labels, scores)) or len(set(scores)) < len(scores)


def test_a_value_between_kept_thresholds_is_refused_on_a_curve_with_gaps():
    curve = rw.roc(LABELS, DISTINCT_SCORES, drop_intermediate=True)
    with pytest.raises(rw.InputError, match=r"`threshold_labels` holds 0\.5.*drop_intermediate"):
        compose(curve, threshold_labels=[0.5])
    kept = float(curve.thresholds[2])
    label = compose(curve, threshold_labels=[kept]).layers[-1]
    assert (label.x, label.y) == (curve.fpr[2], curve.tpr[2])


def test_labels_stay_apart():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 500)
    curve = rw.roc(labels, rng.normal(size=500) + labels)
    drawn = plot(curve, threshold_labels=60, backend="none").layers(Label)
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
    texts = [label.text for label in plot(curve, threshold_labels=5, backend="none").layers(Label)]
    assert texts == ["yes", "maybe"]


@pytest.mark.parametrize(
    ("axis", "x", "y"),
    [
        ("ml", "False positive rate", "True positive rate"),
        ("clinical", "1 − specificity", "Sensitivity"),
    ],
)
def test_both_dialects(axis, x, y):
    for result in (rw.roc(LABELS, TIED_SCORES), rw.hull(LABELS, TIED_SCORES)):
        spec = compose(result, axis=axis)
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
    words = f"AUC {area.value:.3f} (90 % CI {low:.3f} to {high:.3f})"
    assert plot(curve, backend="none").legend == [f"AUC {area.value:.3f}"]
    assert plot(curve, auc=area, backend="none").legend == [words]
    assert plot(curve, auc=area, name="m", backend="none").legend == [f"m, {words}"]
    assert plot({"m": curve}, auc={"m": area}, backend="none").legend == [f"m, {words}"]


def test_the_area_of_other_data_is_refused():
    curve = rw.roc(LABELS, TIED_SCORES)
    with pytest.raises(rw.InputError, match=r"`auc` is .* but the curve has area"):
        compose(curve, auc=rw.auc(LABELS, DISTINCT_SCORES))
    with pytest.raises(rw.InputError, match="partial area"):
        compose(curve, auc=rw.auc(LABELS, TIED_SCORES, max_fpr=0.3))


def test_a_hull_shows_its_corners():
    hull = rw.hull(LABELS, TIED_SCORES)
    recording = plot(hull, name="m", backend="none")
    (corners,) = recording.layers(Points)
    assert corners.x.tolist() == hull.fpr.tolist()
    assert corners.y.tolist() == hull.tpr.tolist()
    assert recording.legend == [f"m hull, AUC {hull.auc:.2f}"]
    texts = [
        float(label.text) for label in plot(hull, threshold_labels=9, backend="none").layers(Label)
    ]
    assert texts == hull.thresholds[1:-1].tolist()
