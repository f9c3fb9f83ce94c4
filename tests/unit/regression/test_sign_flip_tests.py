"""Sign-flip permutation tests against a list of all sign vectors, in exact arithmetic."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import rocwise as rw
from rocwise.regression import comparisons


def brute_force(first, second):
    """p values of the mean and of the largest distance, over all sign flips."""
    rows = [tuple(map(Fraction, pair)) for pair in zip(first, second, strict=True)]
    grid = sorted({value for row in rows for value in row})

    def statistics(swapped):
        ours = [b if swap else a for (a, b), swap in zip(rows, swapped, strict=True)]
        theirs = [a if swap else b for (a, b), swap in zip(rows, swapped, strict=True)]
        distance = max(abs(sum(x <= t for x in ours) - sum(x <= t for x in theirs)) for t in grid)
        return abs(sum(ours) - sum(theirs)), distance

    observed = statistics((False,) * len(rows))
    every = [statistics(swapped) for swapped in product([False, True], repeat=len(rows))]
    return tuple(  # type: ignore[return-value]
        sum(each[k] >= observed[k] for each in every) / len(every) for k in (0, 1)
    )


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["dyadic", "continuous"])
def test_all_swaps_are_counted(seed, kind):
    rng = np.random.default_rng(seed)
    a, b = rng.exponential(size=(2, 9)) + np.array([[0.0], [0.5]])
    if kind == "dyadic":
        a, b = np.round(a * 8) / 8, np.round(b * 8) / 8
    mean, largest = brute_force(a.tolist(), b.tolist())
    models = {"a": a, "b": b}
    assert rw.regression.compare(np.zeros(9), models).p_value == pytest.approx(mean, abs=1e-12)
    sup = rw.regression.compare(np.zeros(9), models, method="permutation-sup")
    assert sup.p_value == pytest.approx(largest, abs=1e-12)


def test_many_rows_are_counted_exactly_where_values_allow():
    """The sign test of 300 rows, with its exact binomial p value."""
    from scipy.stats import binomtest

    rng = np.random.default_rng(5)
    a = rng.integers(0, 2, 300).astype(float)
    b = rng.integers(0, 2, 300).astype(float)
    gained, lost = int((a > b).sum()), int((a < b).sum())
    result = rw.regression.compare(np.zeros(300), {"a": a, "b": b})
    assert result.n_resamples is None
    assert result.p_value == pytest.approx(binomtest(gained, gained + lost).pvalue, abs=1e-12)


def test_a_sign_test_of_many_rows():
    from scipy.stats import binomtest

    hits = np.zeros(60_000)
    other = np.concatenate([np.ones(30_200), -np.ones(29_800)])
    first, second = np.maximum(hits + other, 0), np.maximum(hits - other, 0)
    result = rw.regression.compare(
        np.zeros(60_000), {"a": first, "b": second}, method="permutation"
    )
    assert result.n_resamples is None
    assert result.p_value == pytest.approx(binomtest(30_200, 60_000).pvalue, rel=1e-6)


def test_random_swaps_come_near_the_exact_p_value(monkeypatch):
    rng = np.random.default_rng(7)
    models = {"a": rng.exponential(size=18), "b": rng.exponential(size=18) + 0.4}
    for method in ("permutation", "permutation-sup"):
        exact = rw.regression.compare(np.zeros(18), models, method=method)
        with monkeypatch.context() as limits:
            limits.setattr(comparisons, "MOST_HALVES", 0)
            limits.setattr(comparisons, "MOST_LISTED", 0)
            drawn = rw.regression.compare(np.zeros(18), models, method=method, rng=3)
            again = rw.regression.compare(np.zeros(18), models, method=method, rng=3)
        assert (exact.n_resamples, drawn.n_resamples) == (None, 10_000)
        error = (exact.p_value * (1 - exact.p_value) / 10_000) ** 0.5
        assert abs(drawn.p_value - exact.p_value) < 5 * error + 1e-4
        assert drawn.p_value == again.p_value
        assert (drawn.seed, exact.seed) == (3, None)


@pytest.mark.parametrize("method", ["permutation", "permutation-sup", "wilcoxon"])
def test_identical_models(method):
    models = {"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0]}
    result = rw.regression.compare([0, 0, 0], models, method=method)
    assert (result.statistic, result.p_value, result.difference) == (0.0, 1.0, 0.0)


def test_one_row_can_never_decide():
    models = {"a": [1.0], "b": [50.0]}
    for method in ("permutation", "permutation-sup", "wilcoxon"):
        assert rw.regression.compare([0.0], models, method=method).p_value == 1.0


def test_smallest_p_value():
    """Twenty rows, all better: two of 2^20 swaps are as extreme."""
    worse = np.linspace(1.0, 2.0, 20) ** 2
    models = {"a": np.zeros(20), "b": worse}
    result = rw.regression.compare(np.zeros(20), models, method="permutation")
    assert result.p_value == pytest.approx(2.0**-19)
    models = {"a": np.zeros(60), "b": np.linspace(1, 2, 60) ** 2}
    many = rw.regression.compare(np.zeros(60), models, method="permutation", rng=1)
    assert many.p_value == 1 / 10_001
