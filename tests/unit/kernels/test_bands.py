"""Resampled curves against lines: both implementations, and the definition."""

import numpy as np
import pytest

from rocwise.kernels.plain import bands
from unit.kernels.test_resampling import KINDS, table


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
        found = kernels.resample_gaps(pos, neg, 5, 3, 40, slope, stratified=stratified)
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
        call = (pos, neg, 5, 3, 30, slope)
        found = kernels.resample_gaps(*call, scale=scale, stratified=stratified)
        expected = []
        for fpr, tpr in bands.drawn_curves(pos, neg, 5, 3, 30, stratified):
            union = np.concatenate([line, tpr + slope * fpr])
            gaps = np.interp(union, tpr + slope * fpr, fpr) - np.interp(union, line, curve[0])
            expected.append(np.max(np.abs(gaps) / np.interp(union, line, scale)))
        np.testing.assert_allclose(found, expected, atol=1e-11)
        twin = bands.resample_gaps(*call, scale=scale, stratified=stratified)
        assert found.tolist() == twin.tolist()

    def test_twins_agree_to_the_last_bit(self, kernels, kind, stratified, slope):
        pos, neg = table(kind, 300)
        lines = np.linspace(0, 1 + slope, 33)
        for name, more in (
            ("resample_gaps", ()),
            ("resample_pair_gaps", ()),
            ("resample_crossings", (lines,)),
        ):
            call = (pos, neg, 11, 2, 30, slope, *more)
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
        all_at_once = kernels.resample_gaps(pos, neg, 9, 0, 12, slope, stratified=stratified)
        parts = [
            kernels.resample_gaps(pos, neg, 9, k, k + 4, slope, stratified=stratified, threads=2)
            for k in (0, 4, 8)
        ]
        assert all_at_once.tolist() == np.concatenate(parts).tolist()


def test_pooled_draws_vary_the_class_sizes_and_keep_both(kernels):
    """Two rows of different classes: half of all draws have one class and are thrown away."""
    pos, neg = np.array([1, 0]), np.array([0, 1])
    drawn = list(bands.drawn_curves(pos, neg, 1, 0, 50, stratified=False))
    assert all(fpr[-1] == tpr[-1] == 1 for fpr, tpr in drawn)
    assert kernels.resample_gaps(pos, neg, 1, 0, 50, 1.0).tolist() == [0.0] * 50


def test_pooled_draws_have_binomial_class_sizes():
    counts = [bands._row_counts(30, 70, 4, r, False)[0].sum() for r in range(2000)]
    assert np.mean(counts) == pytest.approx(30, abs=4 * np.sqrt(21 / 2000))
    assert np.var(counts) == pytest.approx(21, rel=0.15)
