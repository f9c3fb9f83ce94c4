"""Resampled curves along lines: numpy, the pruned search, and the definition."""

import numpy as np
import pytest

from rocwise.kernels import bands
from rocwise.kernels.bands import (
    GivenSample,
    RowSample,
    reference_index,
    resample_crossings,
    resample_distances,
    resample_pair_distances,
    resample_tpr,
)

RATES = np.linspace(0, 1, 41)
SLOPES = [0.4, 1.0, 2.5]
KINDS = ["distinct", "tied", "crowded"]
compiled = pytest.mark.skipif(bands._bands is None, reason="the compiled kernels are not built")


def table(kind, size=60):
    """Counts per distinct score, descending, of a marker that discriminates a little."""
    rng = np.random.default_rng(size)
    if kind == "distinct":
        pos = (rng.random(size) < np.linspace(0.7, 0.2, size)).astype(np.int64)
        return pos, 1 - pos
    pos, neg = rng.poisson(np.linspace(3, 1, size)), rng.poisson(np.linspace(1, 3, size))
    factor = 60 if kind == "crowded" else 1
    return factor * pos, factor * neg


def ranks(counts):
    return np.concatenate([[0], np.cumsum(counts)])


def sample_of(kind, n=200, **how):
    return RowSample(*(ranks(counts) for counts in table(kind, n)), 5, **how)


def curve_of(sample):
    return sample.fp / sample.fp[-1], sample.tp / sample.tp[-1]


def large_sample(n=9000, decimals=16, **how):
    rng = np.random.default_rng(3)
    positive = rng.random(n) < 0.4
    _, codes = np.unique(-(rng.normal(size=n) + positive).round(decimals), return_inverse=True)
    counts = (np.bincount(codes[own], minlength=codes.max() + 1) for own in (positive, ~positive))
    return RowSample(*map(ranks, counts), 7, **how)


def whole_curves(sample, first, last):
    """Resampled curves without ties, from the TPR at each possible FPR."""
    fp = np.arange(sample.fp[-1] + 1) / sample.fp[-1]
    tops = resample_tpr(sample, first, last, fp)
    for tpr in tops:  # a step: each FPR has the top of the step before, then its own
        yield np.repeat(fp, 2)[1:], np.repeat(tpr, 2)[:-1]


def defined_distance(first, second, slope, scale=None):
    """By numpy's interpolation on the lines through the vertices of both curves."""
    lines = [tpr + slope * fpr for fpr, tpr in (first, second)]
    union = np.concatenate(lines)
    found = np.abs(np.interp(union, lines[0], first[0]) - np.interp(union, lines[1], second[0]))
    return (found if scale is None else found / np.interp(union, lines[0], scale)).max()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("stratified", [False, True])
@pytest.mark.parametrize("slope", SLOPES)
class TestEveryTable:
    @pytest.mark.usefixtures("implementation")
    def test_distances_are_the_definition(self, kind, stratified, slope):
        sample = sample_of(kind, stratified=stratified)
        curve, drawn = curve_of(sample), list(bands._curves(sample, 3, 15))
        found = resample_distances(sample, 3, 15, reference_index(*curve, slope))
        expected = [defined_distance(curve, one, slope) for one in drawn]
        np.testing.assert_allclose(found, expected, atol=1e-13)
        pairs = resample_pair_distances(sample, 2, 7, slope)
        expected = [
            defined_distance(*bands._curves(sample, 2 * b, 2 * b + 2), slope) for b in range(2, 7)
        ]
        np.testing.assert_allclose(pairs, expected, atol=3e-12)

    @pytest.mark.usefixtures("implementation")
    def test_distances_in_units_of_a_scale(self, kind, stratified, slope):
        pos, neg = table(kind, 300)
        kept = pos + neg > 0  # one vertex on each line
        sample = RowSample(ranks(pos[kept]), ranks(neg[kept]), 5, stratified)
        curve = curve_of(sample)
        scale = 0.01 + np.random.default_rng(3).random(len(curve[0])) ** 4
        found = resample_distances(sample, 3, 12, reference_index(*curve, slope, scale))
        drawn = bands._curves(sample, 3, 12)
        expected = [defined_distance(curve, one, slope, scale) for one in drawn]
        np.testing.assert_allclose(found, expected, atol=1e-9)

    @pytest.mark.usefixtures("implementation")
    def test_crossings_and_heights(self, kind, stratified, slope):
        sample = sample_of(kind, stratified=stratified)
        lines = np.linspace(0, 1 + slope, 37)
        crossings = resample_crossings(sample, 4, 9, slope, lines)
        heights = resample_tpr(sample, 4, 9, RATES)
        drawn = bands._curves(sample, 4, 9)
        for crossing, height, (fpr, tpr) in zip(crossings, heights, drawn, strict=True):
            expected = np.interp(lines, tpr + slope * fpr, fpr)
            np.testing.assert_allclose(crossing, expected, atol=1e-12)
            np.testing.assert_allclose(height, np.interp(RATES, fpr, tpr), atol=1e-12)


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("slope", SLOPES)
def test_given_weights_are_measured_as_drawn_rows(slope):
    """Counts that a function draws, in place of rows that the kernel draws."""
    sample = sample_of("distinct", stratified=True)

    def draw(first, last):
        tp, fp = zip(*(bands._drawn_rows(sample, b) for b in range(first, last)), strict=True)
        return 0.5 * np.array(tp), 3.0 * np.array(fp)

    given, reference = GivenSample(draw, 200), reference_index(*curve_of(sample), slope)
    lines = np.linspace(0, 1 + slope, 37)
    for measure in (
        lambda each: resample_distances(each, 2, 9, reference),
        lambda each: resample_pair_distances(each, 2, 9, slope),
        lambda each: resample_crossings(each, 2, 9, slope, lines),
        lambda each: resample_tpr(each, 2, 9, RATES),
    ):
        np.testing.assert_allclose(measure(given), measure(sample), atol=1e-12)


@compiled
def test_a_replicate_by_blocks_is_one_curve():
    """Whatever is measured first: distances and crossings are those of the whole curve."""
    sample, slope = large_sample(3000, stratified=True, blocks=True), 1.2
    curve, lines = curve_of(sample), np.linspace(0, 1 + slope, 60)
    distances = resample_distances(sample, 0, 6, reference_index(*curve, slope))
    pairs = resample_pair_distances(sample, 0, 3, slope)
    crossings = resample_crossings(sample, 0, 6, slope, lines)
    drawn = list(whole_curves(sample, 0, 6))
    expected = [defined_distance(curve, one, slope) for one in drawn]
    np.testing.assert_allclose(distances, expected, atol=1e-11)
    expected = [defined_distance(drawn[2 * b], drawn[2 * b + 1], slope) for b in range(3)]
    np.testing.assert_allclose(pairs, expected, atol=1e-11)
    for crossing, (fpr, tpr) in zip(crossings, drawn, strict=True):
        np.testing.assert_allclose(crossing, np.interp(lines, tpr + slope * fpr, fpr), atol=1e-11)


@compiled
@pytest.mark.parametrize("decimals", [16, 2])
@pytest.mark.parametrize("stratified", [False, True])
class TestConditionalBinomialSampling:
    def test_the_distribution_is_that_of_rows(self, stratified, decimals):
        how = {"stratified": stratified}
        rows, blocks = (large_sample(9000, decimals, **how, blocks=b) for b in (False, True))
        reference = reference_index(*curve_of(rows), 1.0)
        for measure in (
            lambda each: resample_distances(each, 0, 2000, reference)[:, None],
            lambda each: resample_crossings(each, 0, 2000, 1.0, np.linspace(0.1, 1.9, 9)),
            lambda each: resample_tpr(each, 0, 2000, np.linspace(0.05, 0.95, 9)),
        ):
            one, other = measure(rows), measure(blocks)
            assert not np.array_equal(one, other)
            error = np.sqrt((one.var(axis=0) + other.var(axis=0)) / 2000)
            assert (np.abs(one.mean(axis=0) - other.mean(axis=0)) < 4.5 * error).all()
            np.testing.assert_allclose(one.std(axis=0), other.std(axis=0), rtol=0.1)

    def test_a_floor_saves_work_and_changes_nothing_above_it(self, stratified, decimals):
        for blocks in (False, True):
            sample = large_sample(5000, decimals, stratified=stratified, blocks=blocks)
            reference = reference_index(*curve_of(sample), 0.8)
            every = resample_distances(sample, 0, 40, reference)
            floor = float(np.median(every))
            found = resample_distances(sample, 0, 40, reference, at_least=floor)
            np.testing.assert_array_equal(found, np.maximum(every, floor))
            pairs = resample_pair_distances(sample, 0, 20, 0.8)
            found = resample_pair_distances(sample, 0, 20, 0.8, at_least=floor)
            np.testing.assert_array_equal(found, np.maximum(pairs, floor))


@compiled
@pytest.mark.parametrize("blocks", [False, True])
def test_replicates_do_not_depend_on_their_chunk(blocks):
    sample = large_sample(stratified=True, blocks=blocks)
    reference = reference_index(*curve_of(sample), 1.0)
    whole = resample_distances(sample, 0, 12, reference)
    parts = [resample_distances(sample, k, k + 4, reference) for k in (0, 4, 8)]
    np.testing.assert_array_equal(whole, np.concatenate(parts))


@pytest.mark.usefixtures("implementation")
def test_separated_classes_have_no_distance():
    sample = RowSample(np.array([0, 1, 2, 2, 2]), np.array([0, 0, 0, 2, 3]), 1)
    reference = reference_index(*curve_of(sample), 1.0)
    assert resample_distances(sample, 0, 20, reference).tolist() == [0.0] * 20
    assert resample_pair_distances(sample, 0, 20, 1.0).tolist() == [0.0] * 20


CORNER = RowSample(np.array([0, 2, 2]), np.array([0, 0, 3]), 7)


@pytest.mark.parametrize(
    ("sample", "message"),
    [
        (CORNER._replace(seed=-1), "seed"),
        (CORNER._replace(tp=np.array([0, 2])), "shape"),
        (CORNER._replace(tp=np.array([0, 2, 1])), "rise from 0"),
        (CORNER._replace(tp=np.array([1, 2, 2])), "rise from 0"),
        (CORNER._replace(tp=np.array([0.0, 2.0, 2.0])), "rise from 0"),
        (CORNER._replace(fp=np.array([0, 0, 0])), "at least one row"),
        (CORNER._replace(fp=np.array([0, 0, 2**31])), "at most"),
    ],
)
def test_samples_that_cannot_be_drawn(sample, message):
    with pytest.raises(ValueError, match=message):
        resample_tpr(sample, 0, 1, RATES)


def test_numbers_that_make_no_sense():
    curve = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    with pytest.raises(ValueError, match="first <= last"):
        resample_tpr(CORNER, 3, 1, RATES)
    with pytest.raises(ValueError, match="from 0 to 1"):
        resample_tpr(CORNER, 0, 1, np.array([0.5, 1.5]))
    with pytest.raises(ValueError, match="ascend"):
        resample_crossings(CORNER, 0, 1, 1.0, np.array([1.0, 0.5]))
    with pytest.raises(ValueError, match="two vertices"):
        reference_index(*curve, 1.0, np.ones(3))
    for call in (
        lambda: reference_index(*curve, np.nan),
        lambda: reference_index(*curve, 1.0, np.array([1.0, np.nan])),
        lambda: resample_distances(CORNER, 0, 1, reference_index(*curve, 1.0), at_least=np.nan),
        lambda: resample_pair_distances(CORNER, 0, 1, np.nan),
        lambda: resample_crossings(CORNER, 0, 1, 1.0, np.array([np.nan])),
    ):
        with pytest.raises(ValueError, match="nan"):
            call()
