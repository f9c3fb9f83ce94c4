"""REC curves of weighted rows: copies for every value, rows with their weights for bands."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw

RNG = np.random.default_rng(31)
N = 60
TRUTH = RNG.normal(size=N)
FIRST = np.round(TRUTH + 0.5 * RNG.normal(size=N), 1)
SECOND = np.round(TRUTH + 0.4 + 0.2 * RNG.normal(size=N), 1)
WEIGHTS = RNG.integers(0, 4, N)


@st.composite
def forecasts(draw):
    n = draw(st.integers(2, 12))
    halves = st.lists(st.integers(-4, 4), min_size=n, max_size=n)
    weights = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    weights[0] = max(weights[0], 1)
    return (*(np.array(draw(halves)) / 2 for _ in range(3)), np.array(weights))


@given(forecasts(), st.sampled_from(["absolute", "squared"]))
def test_weights_are_copies(rows, loss):
    y, a, b, w = rows
    again = np.repeat(np.arange(len(y)), w)
    weighted = [rw.regression.rec(y, p, loss=loss, sample_weight=w) for p in (a, b)]
    copied = [rw.regression.rec(y[again], p[again], loss=loss) for p in (a, b)]
    for one, other in zip(weighted, copied, strict=True):
        np.testing.assert_array_equal(one.tolerance, other.tolerance)
        np.testing.assert_allclose(one.accuracy, other.accuracy, rtol=1e-12)
        assert one.aoc == pytest.approx(other.aoc, rel=1e-12, abs=1e-15)
        assert one.aoc_up_to(0.7) == pytest.approx(other.aoc_up_to(0.7), rel=1e-12, abs=1e-15)
        assert one.median_loss == other.median_loss
        np.testing.assert_allclose(one.share_at([0.1, 1.0]), other.share_at([0.1, 1.0]))
    assert weighted[0].dominates(weighted[1]) == copied[0].dominates(copied[1])
    assert weighted[0].crossings(weighted[1]) == copied[0].crossings(copied[1])
    here, there = (curves[0].order(curves[1]) for curves in (weighted, copied))
    assert here.winner == there.winner
    np.testing.assert_allclose(here.first_aoc, there.first_aoc, rtol=1e-9, atol=1e-12)


def test_null_models_are_weighted_too():
    again = np.repeat(np.arange(N), WEIGHTS)
    weighted = rw.regression.rec(TRUTH, FIRST, null=0.0, sample_weight=WEIGHTS)
    copied = rw.regression.rec(TRUTH[again], FIRST[again], null=0.0)
    assert weighted.null_aoc == pytest.approx(copied.null_aoc, rel=1e-12)
    assert repr(weighted).endswith(f"weights of {np.count_nonzero(WEIGHTS)} rows")


def test_proportions_have_the_interval_of_the_effective_sample_size():
    plain = rw.regression.rec(TRUTH, FIRST).within(0.5)
    equal = rw.regression.rec(TRUTH, FIRST, sample_weight=np.full(N, 3.0)).within(0.5)
    assert equal.lower == pytest.approx(plain.lower, rel=1e-12)
    unequal = rw.regression.rec(TRUTH, FIRST, sample_weight=WEIGHTS).within(0.5)
    size = WEIGHTS.sum() ** 2 / (WEIGHTS**2).sum()
    assert "effective number" in unequal.method
    proportion = unequal.accuracy[0]
    centre = (proportion + 1.959964**2 / (2 * size)) / (1 + 1.959964**2 / size)
    assert (unequal.lower + unequal.upper)[0] / 2 == pytest.approx(centre, rel=1e-6)


@pytest.mark.parametrize("block", [1, 4])
def test_bands_draw_rows_with_their_weights(block):
    curve = rw.regression.rec(TRUTH, FIRST, sample_weight=1.0 + WEIGHTS)
    band = rw.regression.band(curve, kind="bootstrap", block=block, n_resamples=4000, rng=1)
    rng, largest = np.random.default_rng(2), []
    losses, row_weights = np.abs(TRUTH - FIRST), 1.0 + WEIGHTS
    for _ in range(4000):
        heads = rng.integers(0, N, N // block)
        rows = ((heads[:, None] + np.arange(block)) % N).ravel()
        within = losses[rows][:, None] <= curve.tolerance + 1e-9
        drawn = (row_weights[rows][:, None] * within).sum(axis=0) / row_weights[rows].sum()
        largest.append(np.abs(drawn - curve.accuracy).max())
    width = np.quantile(largest, 0.95) + row_weights.max() / row_weights.sum()
    assert band.half_width == pytest.approx(width, rel=0.05)


def test_errors():
    curve = rw.regression.rec(TRUTH, FIRST, sample_weight=WEIGHTS)
    with pytest.raises(rw.InputError, match="use kind='bootstrap', which draws rows with their w"):
        rw.regression.band(curve)
    with pytest.raises(rw.InputError, match="`sample_weight` has 1 negative value"):
        rw.regression.rec([1, 2], [1, 2], sample_weight=[1, -1])
    with pytest.raises(rw.InputError, match="`sample_weight` is 0 for every row"):
        rw.regression.rec([1, 2], [1, 2], sample_weight=[0, 0])
