"""Every kind of band: the specification's values, what is inside, and errors."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocwise as rw
from oracles.curve_distances import curve_distance, resampled_curves
from oracles.spec_samples import SAMPLES, tally_of
from rocwise.binary import bands
from rocwise.binary.bands import (
    KINDS,
    Band,
    _bootstrap,
    kolmogorov_distance,
    least_deviation,
    line_slope,
    observed_curve,
    order_statistic,
)
from rocwise.binary.polylines import Polyline, Shift, displaced, heights
from rocwise.kernels.bands import resample_distances, resample_pair_distances

C = tally_of(SAMPLES["C"])
PLACES = [0, 0.1, 0.3, 0.5, 0.8, 1]

band_at_90 = partial(rw.band, level=0.9)  # the level of the published examples


def normal_sample(n, seed, shift=1.0):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.5).astype(int)
    y[:2] = 0, 1
    return rw.tally(y, rng.normal(size=n) + shift * y)


class TestKolmogorov:
    @pytest.mark.parametrize(
        ("n", "alpha", "ks", "expected"),
        [
            (10, 0.1, "table", 0.3686616742),
            (10, 0.05, "table", 0.4092460848),
            (35, 0.1, "table", 0.2018458054),
            (1, 0.1, "table", 0.95),
            (100, 0.1, "table", 0.122),
            (100, 0.1, "exact", 0.1206634088),
        ],
    )
    def test_distances(self, n, alpha, ks, expected):
        assert kolmogorov_distance(n, alpha, ks) == pytest.approx(expected, abs=1e-9)

    def test_band_of_joint_regions(self):
        band = band_at_90(C, kind="joint-regions")
        assert (band.dx, band.dy) == pytest.approx((0.3381490518, 0.3686616742), abs=1e-9)
        lower, upper = band.at(PLACES)
        expected = [0, 0, 0, 0.03133832583, 0.4313383258, 0.4313383258]
        np.testing.assert_allclose(lower, expected, atol=1e-9)
        np.testing.assert_allclose(upper, np.ones(6), atol=1e-9)

    def test_joint_level(self):
        band = band_at_90(C, kind="joint-regions", joint=True)
        assert (band.dx, band.dy) == pytest.approx((0.3741042323, 0.4078088445), abs=1e-9)


class TestFixedWidth:
    @pytest.mark.parametrize(("slope", "expected"), [("paper", 0.3707398478), ("sd", 0.3708099244)])
    def test_width_near_the_one_of_other_draws(self, slope, expected):
        """The printed width comes from 200 other draws; ranks 170 to 190 of 200 bracket it."""
        widths = [
            band_at_90(
                C, kind="fixed-width", slope=slope, level=level, n_resamples=4000, rng=0
            ).width
            for level in (0.85, 0.95)
        ]
        assert widths[0] <= expected <= widths[1]

    def test_edges_follow_from_the_width(self):
        """The printed edges, for the printed dx and dy."""
        edges = displaced(observed_curve(C), *[Shift(0.2738095238, 0.2499527544)] * 2)
        places = np.array(PLACES, float)
        lower = heights(Polyline(edges.x, edges.lower), places).left
        upper = heights(Polyline(edges.x, edges.upper), places).right
        np.testing.assert_allclose(
            lower, [0, 0, 0, 0.2500472456, 0.5500472456, 0.6500472456], atol=1e-9
        )
        np.testing.assert_allclose(upper, [0.7499527544, 0.9499527544, 1, 1, 1, 1], atol=1e-9)

    def test_contains_its_proportion_of_resampled_curves(self):
        """The band holds exactly the resampled curves that its width was made from."""
        band = band_at_90(C, kind="fixed-width", n_resamples=200, rng=3)
        inside = sum(band.contains(curve) for curve in resampled_curves(C, 3, 200))
        assert 180 <= inside <= 200

    def test_future_is_wider_by_root_two(self):
        now, later = (
            band_at_90(C, kind="fixed-width", future=f, n_resamples=100, rng=1)
            for f in (False, True)
        )
        assert later.width == pytest.approx(math.sqrt(2) * now.width)
        assert later.future
        assert "curve of a new sample" in repr(later)

    def test_stratified_differs_and_repeats(self):
        same = [
            band_at_90(C, kind="fixed-width", stratified=s, n_resamples=300, rng=5).width
            for s in (True, True, False)
        ]
        assert same[0] == same[1] != same[2]

    @pytest.mark.parametrize("kind", ["fixed-width", "simultaneous", "future", "pointwise"])
    def test_separated_classes_raise(self, kind):
        with pytest.raises(rw.InputError, match="joint-regions"):
            band_at_90([0, 0, 1, 1], [1, 2, 3, 4], kind=kind, rng=0)


@given(seed=st.integers(0, 200), slope=st.sampled_from([0.5, 1.0, 2.0]))
def test_distance_is_the_smallest_width_that_contains(seed, slope):
    """A band just as wide as the distance holds the other curve, a narrower one does not."""
    first, second = (observed_curve(normal_sample(15, s)) for s in (seed, seed + 1000))
    wide = curve_distance(first, second, slope)

    def band_of(width):
        dx = width / math.sqrt(1 + slope**2)
        edges = displaced(first, *[Shift(dx, slope * dx)] * 2)
        return Band(
            fpr=edges.x, lower=edges.lower, upper=edges.upper, kind="fixed-width", level=0.9,
            area=0.0, future=False, n_pos=1, n_neg=1,
            curve_fpr=first.x, curve_tpr=first.y,
        )  # fmt: skip

    assert band_of(wide).contains(second)
    if wide > 1e-6:
        assert not band_of(wide * 0.999).contains(second)


class TestBinormal:
    def test_values_at_places(self):
        simultaneous = band_at_90(C, kind="working-hotelling").at([0.05, 0.2, 0.5, 0.9])
        np.testing.assert_allclose(
            simultaneous,
            [
                [0.02338052923, 0.1706950635, 0.4220369733, 0.6499633058],
                [0.7163690481, 0.8411239207, 0.9623273263, 0.9997940248],
            ],
            atol=1e-7,
        )
        pointwise = band_at_90(C, kind="pointwise-binormal").at([0.05, 0.2, 0.5, 0.9])
        np.testing.assert_allclose(
            pointwise,
            [
                [0.04556214318, 0.2346290282, 0.5135273186, 0.7741744311],
                [0.6076223369, 0.7797509708, 0.9391595642, 0.9992242213],
            ],
            atol=1e-7,
        )

    def test_ends_are_points(self):
        assert np.array(band_at_90(C, kind="working-hotelling").at([0.0, 1.0])).tolist() == [
            [0, 1],
            [0, 1],
        ]

    def test_contains_its_own_curve_but_not_a_vertical_start(self):
        band = band_at_90(C, kind="working-hotelling")
        assert band.contains(band.fit.curve())
        assert not band.contains(rw.roc(C))

    def test_band_is_the_envelope_of_the_ellipse(self):
        """With the standard error, not the variance: the corrected form of the published band."""
        band = band_at_90(C, kind="working-hotelling")
        fit = band.fit
        angles = np.linspace(0, 2 * np.pi, 20001)
        radius = math.sqrt(stats.chi2(2).ppf(0.9))
        a, b = np.array([[fit.a], [fit.b]]) + radius * np.linalg.cholesky(fit.covariance) @ [
            np.cos(angles),
            np.sin(angles),
        ]
        for f in (0.02, 0.3, 0.8):
            reached = stats.norm.cdf(a + b * stats.norm.ppf(f))
            assert band.at(f) == pytest.approx((reached.min(), reached.max()), abs=1e-6)


class TestPointwise:
    def test_quantiles_of_resampled_heights(self):
        band = band_at_90(C, kind="pointwise", n_resamples=400, rng=2)
        at = rw.statistics.SensitivityAt(0.7)
        drawn = rw.bootstrap(C, statistic=at, n_resamples=400, rng=2).replicates
        assert band.at(0.3) == pytest.approx(tuple(np.quantile(drawn, [0.05, 0.95])), abs=1e-12)
        assert "each FPR alone" in repr(band)


class TestSimultaneous:
    def test_least_deviation_is_the_minimum_over_slopes(self):
        data, s = normal_sample(60, 2), 1.4
        curve = observed_curve(data)
        fpr, tpr = curve
        n, m = data.n_neg, data.n_pos
        shares = (n * fpr + 2) / (n + 4), (m * tpr + 2) / (m + 4)
        of_fpr, of_tpr = shares[0] * (1 - shares[0]) / n, shares[1] * (1 - shares[1]) / m
        slopes = np.logspace(-5, 5, 20001)[:, None]
        lowest = np.sqrt((slopes**2 * of_fpr + of_tpr) / (slopes + s) ** 2).min(axis=0)
        np.testing.assert_allclose(least_deviation(data, curve, s), lowest, rtol=1e-6)

    def test_holds_most_resampled_curves(self):
        data = normal_sample(100, 3)
        band = band_at_90(data, kind="simultaneous", n_resamples=400, rng=3)
        drawn = resampled_curves(data, 3, 400)
        assert 0.89 <= np.mean([band.contains(curve) for curve in drawn]) <= 0.97


class TestFuture:
    def test_width_is_the_quantile_of_pairs(self):
        band = band_at_90(C, kind="future", n_resamples=50, rng=4)
        drawn = resampled_curves(C, 4, 100)
        slope = line_slope(C, "sd")
        gaps = [curve_distance(drawn[k], drawn[k + 1], slope) for k in range(0, 100, 2)]
        assert band.width == pytest.approx(sorted(gaps)[44], abs=1e-12)
        assert band.future


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_every_kind_is_a_band(kind, direction):
    rng = np.random.default_rng(8)
    y = np.repeat([0, 1], 40)
    x = (rng.normal(size=80) + y).round(1)
    band = band_at_90(y, x if direction == "higher" else -x, kind=kind, direction=direction, rng=0,
                   n_resamples=200)  # fmt: skip
    assert (band.kind, band.level) == (kind, 0.9)
    assert np.all(band.lower <= band.upper)
    assert band.fpr[0] == 0
    assert band.fpr[-1] == 1
    assert 0 < band.area < 1
    grid = np.linspace(0, 1, 20001)
    lower, upper = band.at(grid)
    assert np.mean(upper - lower) == pytest.approx(band.area, abs=2e-3)
    assert set(band.to_frame()) == {"fpr", "lower", "upper"}
    assert band.to_dict()["kind"] == kind


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("fixed-width", "future")])
def test_no_future_version(kind):
    with pytest.raises(rw.InputError, match="`future` is not defined"):
        band_at_90(C, kind=kind, future=True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "wide"}, "`kind` must be one of"),
        ({"kind": "fixed-width", "level": 1.0}, "`level`"),
        ({"kind": "fixed-width", "n_resamples": 0}, "`n_resamples`"),
        ({"kind": "fixed-width", "joint": True}, "`joint` is not used"),
        ({"kind": "joint-regions", "slope": "paper"}, "`slope` is not used"),
        ({"kind": "fixed-width", "slope": "steep"}, "`slope`"),
    ],
)
def test_errors(options, words):
    with pytest.raises(rw.InputError, match=words):
        band_at_90(C, **options)


@pytest.mark.parametrize("kind", ["joint-regions", "working-hotelling", "pointwise-binormal"])
@pytest.mark.parametrize("what", ["weights", "clusters"])
def test_kinds_for_equal_and_independent_rows_raise_and_name_alternatives(kind, what):
    given = {"weights": {"sample_weight": [1, 2, 1, 1]}, "clusters": {"groups": [1, 2, 2, 1]}}
    with pytest.raises(rw.InputError, match=f"these have {what}; use kind='simultaneous' or"):
        band_at_90([0, 1, 0, 1], [1, 2, 3, 4], **given[what], kind=kind)


@pytest.mark.parametrize(
    "curve", [([0, 0.5, 0.4], [0, 0.5, 1]), ([0, 1], [0, 2]), ([0, 1], [0, 0.5, 1]), 3]
)
def test_what_is_not_a_curve_raises(curve):
    with pytest.raises(rw.InputError, match="`curve`"):
        band_at_90(C, kind="joint-regions").contains(curve)


def test_places_outside_raise():
    with pytest.raises(rw.InputError, match="rates from 0 to 1"):
        band_at_90(C, kind="joint-regions").at(1.2)


def test_part_of_a_curve():
    band = band_at_90(C, kind="working-hotelling")
    f = np.array([0.0, 0.2, 1.0])
    outside_at_first = (f, np.array([0.9, 0.95, 1.0]))
    assert not band.contains(outside_at_first)
    assert not band.contains((f, np.array([0.5, 0.6, 1.0])))
    assert band.contains((f, np.array([0.5, 0.6, 1.0])), min_fpr=0.2)


def test_a_steep_smooth_curve_is_read_where_it_is():
    """Points that differ by 1e-13, near FPR 0, are distinct: the fit is in its own band."""
    band = band_at_90(normal_sample(10_000, 1, shift=4.0), kind="working-hotelling")
    fpr = np.concatenate([[0.0], stats.norm.cdf(np.linspace(-7, 7, 2801)), [1.0]])
    assert band.contains((fpr, band.fit.tpr(fpr)))


@pytest.mark.parametrize(("n_pos", "warned"), [(9, True), (10, False)])
def test_bands_of_few_cases_warn(n_pos, warned):
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [n_pos, 60])
    s = rng.normal(size=len(y)) + y
    band = rw.band(y, s, kind="fixed-width", n_resamples=50, rng=1)
    assert ("coverage is below the level" in repr(band)) == warned
    assert not rw.band(y, s, kind="joint-regions").few_cases  # holds whatever the size


class TestUnlikeRows:
    RNG = np.random.default_rng(4)
    LABELS = (RNG.random(300) < 0.4).astype(int)
    SCORES = np.round(RNG.normal(size=300) + LABELS, 1)

    @pytest.mark.parametrize("kind", ["simultaneous", "fixed-width", "future", "pointwise"])
    @pytest.mark.parametrize("stratified", [False, True])
    @pytest.mark.parametrize("given", [{"sample_weight": np.ones(300)}, {"groups": np.arange(300)}])
    def test_equal_weights_and_clusters_of_one_row_are_drawn_as_rows(self, kind, stratified, given):
        how = {} if kind == "pointwise" else {"stratified": stratified}
        how |= {"kind": kind, "n_resamples": 60, "rng": 3}
        rows, same = (rw.band(self.LABELS, self.SCORES, **more, **how) for more in ({}, given))
        for edge in ("fpr", "lower", "upper"):
            np.testing.assert_allclose(getattr(same, edge), getattr(rows, edge), atol=1e-12)

    def test_a_band_of_clusters_contains_its_proportion_of_their_resamples(self):
        """Clusters drawn one by one, and curves written out: the definition."""
        groups = np.arange(300) // 5
        band = band_at_90(
            self.LABELS, self.SCORES, groups=groups, kind="fixed-width", n_resamples=500, rng=1
        )
        rng, inside = np.random.default_rng(2), 0
        for _ in range(400):
            rows = (5 * rng.integers(0, 60, 60)[:, None] + np.arange(5)).ravel()
            curve = rw.roc(self.LABELS[rows], self.SCORES[rows])
            inside += band.contains((curve.fpr, curve.tpr))
        assert 0.84 < inside / 400 < 0.96  # 3 standard errors of both shares


def large_sample():
    rng = np.random.default_rng(2)
    y = (rng.random(4000) < 0.3).astype(int)
    return rw.tally(y, rng.normal(size=4000) + y)


@pytest.mark.parametrize("kind", ["simultaneous", "fixed-width", "future", "pointwise"])
def test_many_scores_change_a_band_within_simulation_error(kind, monkeypatch):
    """Rows drawn where a curve is visited only: conditional binomial sampling."""
    data = large_sample()
    rows = rw.band(data, kind=kind, n_resamples=1500, rng=1)
    monkeypatch.setattr(bands, "MANY_SCORES", 1000)
    blocks = rw.band(data, kind=kind, n_resamples=1500, rng=1)
    assert len(blocks.curve_fpr) < 0.6 * len(rows.curve_fpr)
    assert blocks.auc == pytest.approx(rows.auc, abs=1e-12)
    assert blocks.area == pytest.approx(rows.area, rel=0.06)
    at = np.linspace(0.02, 0.98, 30)
    for one, other in zip(rows.at(at), blocks.at(at), strict=True):
        np.testing.assert_allclose(one, other, atol=0.012)


@pytest.mark.parametrize("many", [1000, 10**6])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_a_band_is_as_wide_as_from_all_resamples(level, many, monkeypatch):
    monkeypatch.setattr(bands, "MANY_SCORES", many)
    data = large_sample()
    bootstrap = _bootstrap(data, 7, 200, level, "sd", False)
    reference = bands.kernels.reference_index(*observed_curve(data), bootstrap.slope)
    every = resample_distances(bootstrap.sample, 0, 200, reference)
    found = rw.band(data, kind="fixed-width", n_resamples=200, rng=7, level=level)
    assert found.dx == order_statistic(every, level)
    every = resample_pair_distances(bootstrap.sample, 0, 200, bootstrap.slope)
    found = rw.band(data, kind="future", n_resamples=200, rng=7, level=level)
    assert found.dx == order_statistic(every, level)
