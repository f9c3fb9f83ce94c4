"""Resamples by blocks: the best vertices of every resample, with the distribution of rows."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.curve_bands import cost_statistic
from rocwise.binary.resampling import binned, by_blocks
from rocwise.binary.resampling.by_blocks import best_vertices
from rocwise.binary.resampling.forms_of_statistics import of_counts
from rocwise.binary.resampling.replicates import replicates
from rocwise.kernels.plain.blocks import block_counts

STATISTICS = [
    rw.statistics.YoudenThreshold(),
    rw.statistics.LeastCost(rw.Costs(fp=1, fn=5), prevalence=0.1),
    rw.statistics.LeastCost(rw.Costs(fp=3, fn=1, tn=1), prevalence=0.4),
    cost_statistic(11).statistic,
]


def scored(n, direction="higher", seed=5):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(np.int64)
    scores = rng.normal(size=n) + y
    return rw.tally(y, scores if direction == "higher" else -scores, direction=direction)


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_the_same_drawn_rows_have_the_value_that_their_whole_curve_has(
    monkeypatch, statistic, direction
):
    monkeypatch.setattr(binned, "MOST_SCORES", 100)
    data = scored(5000, direction)
    found = replicates(data, statistic, n_resamples=20, seed=4)
    ranks = [np.append(0, above) for above in (data.tp, data.fp)]
    formula = of_counts(data, statistic)
    for b in range(20):
        drawn = block_counts(*ranks, 4, b, True)
        pos, neg = (
            np.diff(np.append(0, np.cumsum(rows))[rank])[None, :]
            for rows, rank in zip(drawn, ranks, strict=True)
        )
        np.testing.assert_allclose(found[b], formula(pos, neg)[0], rtol=0, atol=3e-12)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_values_by_blocks_have_the_distribution_of_rows(statistic):
    from scipy.stats import ks_2samp

    data = scored(140_000)
    told = {"n_resamples": 600, "seed": 1}
    rows = replicates(data, statistic, exact=True, **told).reshape(600, -1)
    blocks = replicates(data, statistic, **told).reshape(600, -1)
    for own, other in zip(rows.T, blocks.T, strict=True):
        assert ks_2samp(own, other).pvalue > 1e-4
    assert not np.array_equal(rows, blocks)


def test_the_bootstrap_of_youdens_threshold_is_that_of_rows_but_for_chance():
    data = scored(140_000)
    told = {"statistic": "youden-threshold", "n_resamples": 500, "rng": 1}
    quick = rw.bootstrap(data, **told)
    with rw.threads(1):
        again = rw.bootstrap(data, **told)
    exact = rw.bootstrap(data, exact=True, **told)
    assert np.array_equal(quick.replicates, again.replicates)
    assert quick.value == exact.value
    assert quick.threshold_text == exact.threshold_text
    assert quick.standard_error == pytest.approx(exact.standard_error, rel=0.2)
    assert np.isin(quick.replicates, data.scores).all()


def test_a_studentised_bootstrap_draws_the_rows_that_it_draws_again(monkeypatch):
    monkeypatch.setattr(binned, "MOST_SCORES", 100)
    data = scored(300)
    told = {"statistic": "youden-threshold", "n_resamples": 30, "rng": 1, "method": "bootstrap-t"}
    answers = [rw.bootstrap(data, exact=exact, **told) for exact in (False, True)]
    assert answers[0].to_dict() == answers[1].to_dict()


def test_few_scores_are_drawn_row_by_row_whatever_is_asked():
    data = scored(2000)
    for statistic in STATISTICS:
        told = {"n_resamples": 20, "seed": 1}
        rows = replicates(data, statistic, exact=True, **told)
        assert np.array_equal(rows, replicates(data, statistic, **told))


def test_errors_without_cost_and_many_places_are_left_to_rows():
    data = scored(200)
    free = rw.statistics.LeastCost(rw.Costs(fp=0, fn=1), prevalence=0.0)
    assert best_vertices(data, free) is None
    assert best_vertices(data, rw.statistics.Area()) is None
    assert best_vertices(data, cost_statistic(by_blocks.MOST_DIRECTIONS + 1).statistic) is None


def test_bands_of_cost_curves_of_very_many_scores_are_those_of_rows_but_for_chance(monkeypatch):
    curve = rw.cost_curve(scored(140_000))
    told = {"grid": 11, "n_resamples": 500, "rng": 1}
    quick = curve.band(**told)
    with rw.threads(1):
        again = curve.band(**told)
    monkeypatch.setattr(binned, "MOST_SCORES", 10**9)
    exact = curve.band(**told)
    assert np.array_equal(quick.upper, again.upper)
    width = np.maximum(exact.upper - exact.lower, 1e-9)
    assert np.all(np.abs(quick.upper - exact.upper) < 0.2 * width)
    assert np.all(np.abs(quick.lower - exact.lower) < 0.2 * width)
