"""Plots of smooth, predicted and bounded curves, and of costs."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.scored_auc import scored_roc
from rocwise.plotting import plot, save
from rocwise.plotting.spec import Band, Label, Line, Points
from rocwise.plotting.theme import look_of

Y, S = [1, 1, 0, 1, 0, 0], [0.9, 0.7, 0.6, 0.4, 0.3, 0.1]


def recorded(result, **options):
    return plot(result, backend="none", **options)


def test_roc_and_smooth_roc_share_a_square():
    smooth = rw.smooth_roc(Y, S)
    recording = recorded({"ROC": rw.roc(Y, S), "smROC": smooth}, axis="ml")
    assert recording.legend == ["ROC, AUC 0.89", "smROC, smAUC 0.78"]
    (ends,) = recording.layers(Points)
    assert ends.x.tolist() == smooth.x.tolist()  # where the slope changes
    assert "Midpoint of smROC: 0.5." in recording.caption
    with pytest.raises(rw.InputError, match=r"cannot share one plot.*Draw them apart"):
        recorded({"ROC": rw.roc(Y, S), "smROC": smooth})


def test_the_smooth_curve_names_its_own_axes():
    spec = recorded(rw.smooth_roc(Y, S)).spec
    assert "1 − Θ" in spec.x.title
    assert "Θ" in spec.y.title
    assert "rate" not in spec.x.title + spec.y.title


def test_every_segment_of_a_short_curve_has_its_score():
    curve = rw.smooth_roc(Y, S)
    labels = recorded(curve).layers(Label)
    assert [label.text for label in labels] == ["0.9", "0.7", "0.6", "0.4", "0.3", "0.1"]
    for k, label in enumerate(labels):
        assert label.x == pytest.approx((curve.x[k] + curve.x[k + 1]) / 2)
    assert not recorded(curve, name="m").layers(Label)


def test_roc_and_smooth_roc_beside_each_other(tmp_path):
    curve = rw.smooth_roc(Y, S)
    axes = curve.plot(beside=True)
    assert [ax.get_title(loc="left") for ax in axes] == ["ROC", "smROC"]
    np.testing.assert_array_equal(axes[0].lines[1].get_xdata(), rw.roc(Y, S).fpr)
    np.testing.assert_array_equal(axes[1].lines[1].get_xdata(), curve.x)
    assert axes[0].get_position().y0 == pytest.approx(axes[1].get_position().y0, abs=0.1)
    import matplotlib.pyplot as plt

    plt.close("all")
    first = save(curve, tmp_path / "one.svg", beside=True).read_bytes()
    assert first == save(curve.panels(), tmp_path / "two.svg", beside=True).read_bytes()
    assert first.startswith(b"<?xml")
    roc, smooth = recorded(curve, beside=True)
    assert (roc.legend, smooth.legend) == (["AUC 0.89"], ["smAUC 0.78"])


def test_panels_and_axes_must_agree():
    curve = rw.smooth_roc(Y, S)
    with pytest.raises(rw.InputError, match="as many axes as there are panels; got 1 for 2"):
        curve.plot(ax=[None], beside=True)
    with pytest.raises(rw.InputError, match="nothing to draw"):
        plot({}, beside=True)
    with pytest.raises(rw.InputError, match="a RocCurve has none"):
        rw.roc(Y, S).plot(beside=True)


def test_scored_curve():
    curve = scored_roc(Y, S)
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


@pytest.mark.parametrize("points", [([0.1, 0.4], [0.5, 0.85]), ([0.2], [0.8]), ([0.0], [0.3])])
def test_the_region_holds_the_extreme_curves(points):
    bounds = rw.auc_bounds(*points)
    recording = recorded(bounds)
    (band,), (marks,) = recording.layers(Band), recording.layers(Points)
    assert marks.x.tolist() == points[0]
    assert np.all(band.lower <= band.upper + 1e-12)
    assert np.trapezoid(band.lower, band.x) == pytest.approx(bounds.lower, abs=2e-3)
    assert np.trapezoid(band.upper, band.x) >= bounds.upper - 2e-3
    assert recording.legend == [f"AUC {bounds.lower:.3f} to {bounds.upper:.3f}"]


def test_points_below_the_diagonal_have_their_region_there():
    (band,) = recorded(rw.auc_bounds(0.8, 0.3)).layers(Band)
    assert np.all(band.upper <= band.x + 1e-9)
    assert np.interp(0.8, band.x, band.lower) == pytest.approx(0.3, abs=0.01)
    assert np.interp(0.8, band.x, band.upper) == pytest.approx(0.3, abs=0.01)


@pytest.mark.parametrize("quantity", ["a", "gap"])
def test_contours_are_labelled(quantity):
    contours = rw.auc_contours(quantity)
    texts = [label.text for label in recorded(contours).layers(Label)]
    assert texts == [f"{value:g}" for value in contours.values]


def test_cost_curve_with_its_lines():
    curve, roc = rw.cost_curve(Y, S), rw.roc(Y, S)
    lines = recorded(curve).layers(Line)
    envelope = lines[-1]
    assert envelope.x.tolist() == curve.probability_cost.tolist()
    grey = [line for line in lines if line.muted]
    assert [line.y.tolist() for line in grey] == [
        [f, 1 - t] for f, t in zip(roc.fpr[1:-1], roc.tpr[1:-1], strict=True)
    ]
    (trivial,) = (line for line in lines if line.role == "reference")
    assert trivial.y.tolist() == [0.0, 0.5, 0.0]
    assert len(recorded(curve, lines=False).layers(Line)) == 2
    assert len(recorded({"a": curve, "b": curve}).layers(Line)) == 3  # no grey beside a name


def test_decision_curve_is_cut_below():
    curve = rw.decision_curve(Y, S)
    recording = recorded(curve, name="m")
    assert recording.legend == ["treat all", "treat none", "m"]
    first, second = (line for line in recording.layers(Line) if line.role == "reference")
    assert look_of(first).dash != look_of(second).dash
    for line in recording.layers(Line):
        assert np.nanmin(line.y) >= recording.spec.y.limits[0]


def test_bands_and_differences():
    band = rw.cost_curve(Y, S).band(grid=5, n_resamples=20, rng=1)
    (area,) = recorded(band).layers(Band)
    assert area.upper.tolist() == band.upper.tolist()
    risk = rw.decision_curve(Y, S).band(n_resamples=20, rng=1)
    assert recorded(risk).spec.x.title == "Threshold probability"
    answer = rw.compare_curves(Y, {"a": S, "b": S[::-1]}, curve="cost", n_resamples=20, rng=1)
    recording = recorded(answer)
    assert recording.legend[-1] == "a minus b"
    for line in recording.layers(Line):
        if line.label and "a better" in line.label:
            assert np.array_equal(np.isfinite(line.y), answer.upper < 0)
    low, high = recording.spec.y.limits
    assert low <= answer.lower.min()
    assert answer.upper.max() <= high
    assert "Below 0: a is the cheaper." in recording.caption
    models = {"a": S, "b": S[::-1]}
    gain = rw.compare_curves(Y, models, curve="decision", n_resamples=20, rng=1)
    assert "Above 0: a has the larger net benefit." in recorded(gain).caption


def test_fitted_distribution():
    fit = rw.fit_distribution(np.random.default_rng(0).gamma(3, size=300), families="gamma")
    recording = recorded(fit, name="ill")
    (line,) = recording.layers(Line)
    assert recording.legend == ["sample", "ill, gamma"]
    (bars,) = recording.layers(Band)
    assert np.sum(np.diff(bars.x)[::2] * bars.upper[::2]) == pytest.approx(1.0)
    assert line.y[200] == pytest.approx(fit.distribution.pdf(line.x[200]))
    assert np.trapezoid(line.y, line.x) == pytest.approx(0.998, abs=1e-3)
