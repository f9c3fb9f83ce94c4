"""Resampled curves against lines: both implementations, and the definition."""

import numpy as np
import pytest

from rocwise.kernels.lines.plain import laid_curve
from rocwise.kernels.plain import bands
from rocwise.kernels.plain.blocks import Streams, block_counts
from rocwise.kernels.plain.resampling import POSITIVE, stream_keys
from rocwise.kernels.resampling_tables import cumulative


def table(kind, size=60):
    """Counts per distinct score, descending, of a marker that separates the classes a little."""
    rng = np.random.default_rng(size)
    if kind == "distinct":
        pos = (rng.random(size) < np.linspace(0.7, 0.2, size)).astype(np.int64)
        return pos, 1 - pos
    pos, neg = rng.poisson(np.linspace(3, 1, size)), rng.poisson(np.linspace(1, 3, size))
    factor = 60 if kind == "crowded" else 1
    return factor * pos.astype(np.int64), factor * neg.astype(np.int64)


KINDS = ["distinct", "tied", "crowded"]


def laid(pos, neg, slope, scale=None):
    """The curve of a table, laid out for the search of gaps."""
    rates = (np.concatenate([[0], np.cumsum(c)]) / c.sum() for c in (neg, pos))
    return laid_curve(*rates, slope, scale)


def slow_gap(first, second, slope):
    """The definition, by numpy's own interpolation on the union of the vertices' lines."""
    lines = [tpr + slope * fpr for fpr, tpr in (first, second)]
    union = np.concatenate(lines)
    return np.abs(
        np.interp(union, lines[0], first[0]) - np.interp(union, lines[1], second[0])
    ).max()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("stratified", [False, True])
@pytest.mark.parametrize("slope", [0.4, 1.0, 2.5])
class TestEveryTable:
    def test_gaps_are_the_definition(self, kernels, kind, stratified, slope):
        pos, neg = table(kind)
        found = kernels.resample_gaps(
            pos, neg, 5, 3, 40, laid(pos, neg, slope), stratified=stratified
        )
        curve = bands.rates(*(np.concatenate([[0], np.cumsum(c)]) for c in (pos, neg)))
        drawn = bands.drawn_curves(pos, neg, 5, 3, 40, stratified)
        expected = [slow_gap(curve, one, slope) for one in drawn]
        np.testing.assert_allclose(found, expected, atol=1e-13)

    def test_gaps_in_units_of_a_scale(self, kernels, kind, stratified, slope):
        pos, neg = table(kind, 500)
        pos, neg = pos[pos + neg > 0], neg[pos + neg > 0]  # one vertex on each line
        curve = bands.rates(*(np.concatenate([[0], np.cumsum(c)]) for c in (pos, neg)))
        line = curve[1] + slope * curve[0]
        scale = 0.01 + np.random.default_rng(3).random(len(line)) ** 4
        call = (pos, neg, 5, 3, 30, laid(pos, neg, slope, scale))
        found = kernels.resample_gaps(*call, stratified=stratified)
        expected = []
        for fpr, tpr in bands.drawn_curves(pos, neg, 5, 3, 30, stratified):
            union = np.concatenate([line, tpr + slope * fpr])
            gaps = np.interp(union, tpr + slope * fpr, fpr) - np.interp(union, line, curve[0])
            expected.append(np.max(np.abs(gaps) / np.interp(union, line, scale)))
        np.testing.assert_allclose(found, expected, atol=1e-11)
        twin = bands.resample_gaps(*call, stratified=stratified)
        assert found.tolist() == twin.tolist()

    def test_twins_agree_to_the_last_bit(self, kernels, kind, stratified, slope):
        pos, neg = table(kind, 300)
        lines = np.linspace(0, 1 + slope, 33)
        for name, more in (
            ("resample_gaps", (laid(pos, neg, slope),)),
            ("resample_pair_gaps", (slope,)),
            ("resample_crossings", (slope, lines)),
        ):
            call = (pos, neg, 11, 2, 30, *more)
            mine = getattr(kernels, name)(*call, stratified=stratified)
            twin = getattr(bands, name)(*call, stratified=stratified)
            assert mine.tolist() == twin.tolist()

    def test_pairs_are_neighbours(self, kernels, kind, stratified, slope):
        pos, neg = table(kind)
        drawn = list(bands.drawn_curves(pos, neg, 5, 0, 20, stratified))
        found = kernels.resample_pair_gaps(pos, neg, 5, 0, 10, slope, stratified=stratified)
        expected = [slow_gap(drawn[k], drawn[k + 1], slope) for k in range(0, 20, 2)]
        np.testing.assert_allclose(found, expected, atol=1e-13)

    def test_crossings_are_interpolated(self, kernels, kind, stratified, slope):
        pos, neg = table(kind)
        lines = np.linspace(0, 1 + slope, 50)
        found = kernels.resample_crossings(pos, neg, 5, 0, 10, slope, lines, stratified=stratified)
        drawn = bands.drawn_curves(pos, neg, 5, 0, 10, stratified)
        for row, (fpr, tpr) in zip(found, drawn, strict=True):
            np.testing.assert_allclose(row, np.interp(lines, tpr + slope * fpr, fpr), atol=1e-12)

    def test_replicates_do_not_depend_on_their_company(self, kernels, kind, stratified, slope):
        pos, neg = table(kind)
        curve = laid(pos, neg, slope)
        all_at_once = kernels.resample_gaps(pos, neg, 9, 0, 12, curve, stratified=stratified)
        parts = [
            kernels.resample_gaps(pos, neg, 9, k, k + 4, curve, stratified=stratified, threads=2)
            for k in (0, 4, 8)
        ]
        assert all_at_once.tolist() == np.concatenate(parts).tolist()


def test_pooled_draws_vary_the_class_sizes_and_keep_both(kernels):
    """Two rows of different classes: half of all draws have one class and are thrown away."""
    pos, neg = np.array([1, 0]), np.array([0, 1])
    drawn = list(bands.drawn_curves(pos, neg, 1, 0, 50, stratified=False))
    assert all(fpr[-1] == tpr[-1] == 1 for fpr, tpr in drawn)
    found = kernels.resample_gaps(pos, neg, 1, 0, 50, laid(pos, neg, 1.0))
    assert found.tolist() == [0.0] * 50


def test_pooled_draws_have_binomial_class_sizes():
    counts = [bands._row_counts(30, 70, 4, r, False)[0].sum() for r in range(2000)]
    assert np.mean(counts) == pytest.approx(30, abs=4 * np.sqrt(21 / 2000))
    assert np.var(counts) == pytest.approx(21, rel=0.15)


@pytest.mark.parametrize("stratified", [False, True])
@pytest.mark.parametrize("n", [2, 300, 1000])
class TestByBlocks:
    """Rows drawn block by block: 64 vertices make a block, so these have one and several."""

    def tables(self, n):
        rng = np.random.default_rng(4)
        pos = rng.poisson(0.4, n)
        return pos + (np.arange(n) == 0), rng.poisson(0.9, n) + (np.arange(n) == n - 1)

    def test_twins_agree_to_the_last_bit(self, kernels, stratified, n):
        pos, neg = self.tables(n)
        for name, more in (
            ("resample_gaps", (laid(pos, neg, 1.3),)),
            ("resample_pair_gaps", (1.3,)),
            ("resample_crossings", (1.3, np.linspace(0, 2.3, 33))),
        ):
            call = (pos, neg, 11, 2, 20, *more)
            mine = getattr(kernels, name)(*call, stratified=stratified, by_blocks=True, threads=2)
            twin = getattr(bands, name)(*call, stratified=stratified, by_blocks=True)
            assert mine.tolist() == twin.tolist()
        grid = np.array([0.0, 0.01, 0.5, 0.57, 0.99, 1.0])
        mine = kernels.resample_block_tpr(pos, neg, 5, 1, 12, grid, threads=2)
        assert mine.tolist() == bands.resample_block_tpr(pos, neg, 5, 1, 12, grid).tolist()

    def test_gaps_are_the_definition(self, kernels, stratified, n):
        pos, neg = self.tables(n)
        found = kernels.resample_gaps(
            pos, neg, 5, 3, 23, laid(pos, neg, 0.7), stratified=stratified, by_blocks=True
        )
        curve = bands.rates(*(np.concatenate([[0], np.cumsum(c)]) for c in (pos, neg)))
        drawn = bands.drawn_curves(pos, neg, 5, 3, 23, stratified, True)
        expected = [slow_gap(curve, one, 0.7) for one in drawn]
        np.testing.assert_allclose(found, expected, atol=1e-13)

    def test_rows_are_drawn_as_often_as_one_by_one(self, kernels, stratified, n):
        pos, neg = self.tables(n)
        ranks = [np.concatenate([[0], np.cumsum(c)]) for c in (pos, neg)]
        drawn = [block_counts(*ranks, 3, b, stratified) for b in range(200)]
        totals = np.array([part[0].sum() + part[1].sum() for part in drawn])
        assert set(totals) == {pos.sum() + neg.sum()}
        counts = np.stack([part[1] for part in drawn])
        if stratified and counts.shape[1] > 100:
            # Poisson-like counts: mean 1, variance 1 - 1/n, neighbours and far rows alike
            assert counts.mean() == pytest.approx(1.0)
            spread = counts.var(axis=0).mean()
            assert spread == pytest.approx(1.0, abs=5 * np.sqrt(3 / counts.size))
            halves = counts[:, : counts.shape[1] // 2].sum(axis=1)
            own = counts.shape[1] // 2
            share = own / counts.shape[1]
            assert halves.mean() == pytest.approx(own, abs=5 * np.sqrt(own / len(counts)))
            assert halves.var() == pytest.approx(own * (1 - share), rel=0.5)


@pytest.mark.parametrize("by_blocks", [False, True])
def test_gaps_below_a_floor_are_told_as_the_floor(kernels, by_blocks):
    pos, neg = table("distinct", 700)
    scale = np.linspace(0.5, 2.0, len(pos) + 1)
    for name, against, place in (
        ("resample_gaps", laid(pos, neg, 1.2), 20),
        ("resample_pair_gaps", 1.2, 20),
        ("resample_gaps", laid(pos, neg, 1.2, scale), 10),
    ):
        of_kernel, call = getattr(kernels, name), (pos, neg, 3, 0, 30, against)
        every = of_kernel(*call, by_blocks=by_blocks)
        floor = float(np.sort(every)[place])
        found = of_kernel(*call, by_blocks=by_blocks, floor=floor)
        assert found.tolist() == np.maximum(every, floor).tolist()


@pytest.mark.parametrize("by_blocks", [False, True])
@pytest.mark.parametrize("slope", [0.01, 1.0, 100.0])
def test_what_is_left_out_holds_no_larger_gap(kernels, slope, by_blocks):
    """A curve with steep and with level parts, and a scale that rules far from the largest gap."""
    rng = np.random.default_rng(6)
    pos = (rng.random(1500) < 1 / (1 + np.exp(np.linspace(-6, 6, 1500)))).astype(np.int64)
    call = (pos, 1 - pos, 8, 0, 12)
    scale = 1e-3 + np.abs(np.linspace(-1, 1, len(pos) + 1)) * rng.random(len(pos) + 1)
    for scales, floor in ((None, 0.0), (None, 0.01), (scale, 0.0), (scale, 0.5)):
        how = {"by_blocks": by_blocks, "floor": floor}
        curve = laid(pos, 1 - pos, slope, scales)
        found = kernels.resample_gaps(*call, curve, **how)
        assert found.tolist() == bands.resample_gaps(*call, curve, **how).tolist()
    for floor in (0.0, 0.02):
        found = kernels.resample_pair_gaps(*call, slope, by_blocks=by_blocks, floor=floor)
        every = bands.resample_pair_gaps(*call, slope, by_blocks=by_blocks, floor=floor)
        assert found.tolist() == every.tolist()


@pytest.mark.parametrize("n", [64, 65, 128, 4000])
def test_blocks_with_very_many_rows_and_ends_on_a_border(n):
    """Twins agree where a block has more rows than one number serves, and at the last vertex."""
    compiled = pytest.importorskip("rocwise.kernels.compiled.bands")
    rng = np.random.default_rng(n)
    pos, neg = rng.poisson(3.0, n) + (np.arange(n) == 0), rng.poisson(8.0, n) + 1
    for name, more in (
        ("resample_gaps", (laid(pos, neg, 1.0),)),
        ("resample_crossings", (1.0, np.linspace(0, 2, 50))),
    ):
        call = (pos, neg, 4, 0, 5, *more)
        found = getattr(compiled, name)(*call, by_blocks=True).tolist()
        assert found == getattr(bands, name)(*call, by_blocks=True).tolist()
    grid = np.linspace(0, 1, 30)
    found = compiled.resample_block_tpr(pos, neg, 4, 0, 5, grid)
    assert found.tolist() == bands.resample_block_tpr(pos, neg, 4, 0, 5, grid).tolist()
    assert (found[:, -1] == 1.0).all()


@pytest.mark.parametrize(("draws", "rows", "all_rows"), [(40, 2, 31), (90, 40, 100), (5000, 9, 10)])
def test_binomial_numbers_have_their_distribution(draws, rows, all_rows):
    from scipy.stats import binom, chisquare

    streams = Streams(stream_keys(12, 0, 4000, POSITIVE))
    found = streams.drawn_of(*(np.full(4000, each) for each in (draws, rows, all_rows)))
    own = binom(draws, rows / all_rows)
    cuts = np.unique(own.ppf(np.linspace(0.05, 0.95, 15)))
    seen = np.bincount(np.searchsorted(cuts, found), minlength=len(cuts) + 1)
    expected = np.diff(np.concatenate([[0.0], own.cdf(cuts), [1.0]])) * len(found)
    assert chisquare(seen, expected).pvalue > 1e-4


@pytest.mark.parametrize("by_blocks", [False, True])
@pytest.mark.parametrize("swapped", [0, 1, 3])
@pytest.mark.parametrize("at_top", [False, True])
def test_curves_that_coincide_nearly_everywhere(kernels, by_blocks, swapped, at_top):
    """Classes apart but for a few cases, whose curves run along the axes, and side by side."""
    is_positive = np.repeat([True, False], [150, 250])
    is_positive = np.roll(is_positive, swapped if at_top else -swapped)
    pos, neg = is_positive.astype(np.int64), (~is_positive).astype(np.int64)
    for name, against in (("resample_gaps", laid(pos, neg, 0.8)), ("resample_pair_gaps", 0.8)):
        call = pos, neg, 11, 0, 60, against
        found = getattr(kernels, name)(*call, by_blocks=by_blocks, stratified=True)
        twin = getattr(bands, name)(*call, by_blocks=by_blocks, stratified=True)
        assert found.tolist() == twin.tolist()
        assert (found.max() > 0) == (swapped > 0)


@pytest.mark.parametrize("runs", [(400,), (300, 5, 400), (3, 200, 1, 300, 2)])
@pytest.mark.parametrize("stratified", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("slope", [0.3, 1.0, 4.0])
def test_long_runs_of_one_class_are_not_visited_yet_no_gap_is_missed(
    kernels, runs, stratified, scaled, slope
):
    pos = np.concatenate([np.full(run, k % 2) for k, run in enumerate((500, *runs), start=1)])
    scale = 0.02 + np.abs(np.sin(np.arange(len(pos) + 1.0))) if scaled else None
    call = (pos, 1 - pos, 4, 0, 30, laid(pos, 1 - pos, slope, scale))
    for by_blocks in (False, True):
        how = {"stratified": stratified, "by_blocks": by_blocks}
        found, twin = kernels.resample_gaps(*call, **how), bands.resample_gaps(*call, **how)
        assert found.tolist() == twin.tolist()
        assert bool(found.any()) == (len(runs) > 1)


DIRECTIONS = np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.3, 0.7], [1.0, 1e-9], [0.0, 0.0]])


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 700, 4000])
@pytest.mark.parametrize("with_origin", [True, False])
def test_furthest_vertices_of_blocks_are_those_of_all_vertices(kernels, n, with_origin):
    rng = np.random.default_rng(n)
    tables = [(rng.poisson(0.4, n), rng.poisson(0.9, n)), (rng.poisson(5, n), rng.poisson(2, n))]
    falling = np.arange(n) < n / 2
    tables += [
        (1 * falling, 1 * ~falling),
        (1 * ~falling, 1 * falling),
    ]  # perfect, and perfectly wrong
    for pos, neg in tables:
        counts = pos + (np.arange(n) == 0), neg + (np.arange(n) == n - 1)
        call = (*map(cumulative, counts), 5, 1, 12, DIRECTIONS)
        mine = kernels.resample_block_furthest(*call, with_origin=with_origin, threads=2)
        twin = bands.resample_block_furthest(*call, with_origin=with_origin)
        assert mine.tolist() == twin.tolist()


def test_furthest_vertices_are_those_of_a_concave_curve_of_very_many_scores():
    compiled = pytest.importorskip("rocwise.kernels.compiled.bands")
    rng = np.random.default_rng(1)
    pos = (rng.random(150_000) < np.linspace(0.9, 0.05, 150_000)).astype(np.int64)
    call = (cumulative(pos), cumulative(1 - pos), 3, 0, 3, DIRECTIONS)
    found = compiled.resample_block_furthest(*call, with_origin=True)
    assert found.tolist() == bands.resample_block_furthest(*call, with_origin=True).tolist()


@pytest.mark.parametrize("wrong", [[[1.0, -1.0]], [[2.0, 1.0]], [1.0, 1.0], [[1.0, np.inf]]])
def test_directions_are_pairs_of_weights_from_0_to_1(kernels, wrong):
    with pytest.raises(ValueError, match="directions"):
        kernels.resample_block_furthest(
            np.array([0, 1, 1]), np.array([0, 0, 1]), 1, 0, 1, np.array(wrong), with_origin=True
        )


@pytest.mark.parametrize("wrong", [[1, 2, 3], [0, 2, 1], [0, 1], [[0, 1, 2]], [0, 0, 0]])
def test_ranks_rise_from_0(kernels, wrong):
    right, up = np.array([0, 1, 2]), np.ones((1, 2))
    for ranks in ((np.array(wrong), right), (right, np.array(wrong))):
        with pytest.raises(ValueError, match=r"rank|class"):
            kernels.resample_block_furthest(*ranks, 1, 0, 1, up, with_origin=True)
