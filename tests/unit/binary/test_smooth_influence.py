"""The smAUC compared by influence functions, compared with numerical derivatives and resamples."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.smooth_roc import smooth_area_influence
from rocwise.statistics import SmoothArea


def models(n, seed=0, proportion=0.4, slope=1.0, shift=-0.8, digits=16):
    """Labels and the probabilities of two models with the same curve."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < proportion * n).astype(int)
    shared = rng.normal(size=n) + 1.5 * y
    scores = {name: slope * (shared + rng.normal(size=n)) + shift for name in ("a", "b")}
    return y, {name: np.round(1 / (1 + np.exp(-each)), digits) for name, each in scores.items()}


def by_moved_weights(y, s, midpoint, step=1e-6):
    """What a row adds to the smAUC: its weight a little more or less, the midpoint kept."""
    found = []
    for row in range(len(y)):
        values = []
        for sign in (1, -1):
            weights = np.ones(len(y))
            weights[row] += sign * step
            found_area = rw.smooth_roc(y, s, midpoint=midpoint, sample_weight=weights).auc
            values.append(found_area)
        found.append((values[0] - values[1]) / (2 * step))
    return np.array(found)


def centred(values, y):
    return np.where(y == 1, values - values[y == 1].mean(), values - values[y == 0].mean())


def row_influences(y, s, statistic):
    """How much every row moves the smAUC: its influence value over the size of its class."""
    data = rw.tally(y, s)
    found = smooth_area_influence(data, statistic.midpoint, rescale=statistic.rescale)
    at = len(data) - 1 - np.searchsorted(data.scores[::-1], s)
    return np.where(y == 1, found.positives[at] / data.n_pos, found.negatives[at] / data.n_neg)


@pytest.mark.parametrize("midpoint", [0.5, 0.3, 0.75])
@pytest.mark.parametrize("digits", [16, 1])
def test_influences_are_derivatives(midpoint, digits):
    y, both = models(40, digits=digits)
    expected = centred(by_moved_weights(y, both["a"], midpoint), y)
    assert row_influences(y, both["a"], SmoothArea(midpoint)) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("midpoint", ["estimated", "class-means"])
@pytest.mark.parametrize(("shift", "proportion"), [(-2.0, 0.4), (-0.5, 0.6), (0.2, 0.55)])
def test_a_midpoint_that_moves_is_reckoned_with(midpoint, shift, proportion):
    """Influences with and without it differ by the slope of the smAUC over given midpoints."""
    y, both = models(40_000, shift=shift, proportion=proportion)
    data = rw.tally(y, both["a"])
    curve = rw.smooth_roc(data, midpoint=midpoint)
    moved = smooth_area_influence(data, midpoint, rescale=False)[1:]
    fixed = smooth_area_influence(data, curve.midpoint, rescale=False)[1:]
    sizes = (y.sum(),) * 2 if midpoint == "estimated" else (y.sum(), len(y) - y.sum())
    variance = sum(
        np.var(both["a"][y == k]) * np.sum(y == k) / (2 * size) ** 2
        for k, size in zip((1, 0), sizes, strict=True)
    )
    reach = 2 * np.sqrt(variance)
    ends = [rw.smooth_roc(data, midpoint=curve.midpoint + step).auc for step in (-reach, reach)]
    rate = (ends[1] - ends[0]) / (2 * reach)
    for own, other, counts, size in zip(moved, fixed, (data.pos, data.neg), sizes, strict=True):
        mean = counts @ data.scores / counts.sum()
        expected = rate * (data.scores - mean) * counts.sum() / (2 * size)
        allowed = 0.02 * np.abs(expected).max() + 2e-4 * np.abs(own).max()
        assert np.abs(own - other - expected).max() < allowed


@pytest.mark.parametrize(
    "options",
    [{}, {"shift": -2.0}, {"shift": 0.3, "proportion": 0.6}, {"slope": 3.0}, {"digits": 2}],
)
@pytest.mark.parametrize("midpoint", ["estimated", "class-means", "calibrated"])
def test_standard_errors_are_those_of_the_bootstrap(options, midpoint):
    pairs = rw.pair(*models(3000, seed=5, **options))
    given = {"statistic": SmoothArea(midpoint)}
    drawn = rw.compare(pairs, method="bootstrap", rng=1, n_resamples=1500, **given)
    found = rw.compare(pairs, method="influence", **given)
    assert found.difference == pytest.approx(drawn.difference, abs=1e-12)
    # 1,500 resamples know a standard error to 1.8%
    assert found.standard_error == pytest.approx(drawn.standard_error, rel=0.08)


def test_errors():
    y, both = models(3000)
    for options, words in (
        ({"sample_weight": np.ones(3000) * 2}, "without weights and groups"),
        ({"groups": np.arange(3000) // 2}, "without weights and groups"),
    ):
        with pytest.raises(rw.InputError, match=words):
            rw.compare(y, both, statistic="smooth-auc", method="influence", **options)
    both["b"][7] = 1.5
    with pytest.raises(rw.InputError, match=r"`scores\['b'\]` has 1 value outside.*at row 7"):
        rw.compare(y, both, statistic="smooth-auc")
    with pytest.raises(rw.InputError, match="points and the smAUC; to compare the"):
        rw.compare(y, both, statistic="youden-threshold", method="influence")
