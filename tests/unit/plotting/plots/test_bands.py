"""Plots of bands, fits, averages, regions and segments, as plain data."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.bands import threshold_regions
from rocwise.errors import InputError
from rocwise.plotting import compose
from rocwise.plotting.spec import Band, Label, Line, Points


def sample(seed, n=80):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rw.tally(y, rng.normal(size=n) + y)


def layers(spec, kind):
    return [layer for layer in spec.layers if isinstance(layer, kind)]


@pytest.mark.parametrize(
    "kind", ["fixed-width", "joint-regions", "pointwise", "simultaneous", "future"]
)
def test_band_is_shaded_around_its_curve(kind):
    band = rw.band(sample(1), kind=kind, rng=0, n_resamples=100)
    spec = compose(band)
    (shade,) = layers(spec, Band)
    assert shade.upper.tolist() == band.upper.tolist()
    assert layers(spec, Line)[-1].x.tolist() == band.curve_fpr.tolist()
    assert spec.caption[0] == f"{band.promise()}."
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
