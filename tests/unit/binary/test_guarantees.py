"""Thresholds with a guarantee: against brute force, and by simulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, binom, norm

import rocwise as rw
from oracles.scored_rows import few_values, plain_floats, rows

alphas = st.sampled_from([0.1, 0.3, 0.5])
deltas = st.sampled_from([0.05, 0.2, 0.4])


def certified_by_hand(y, s, rate, alpha, delta):
    """Walk from the safe end; stop at the first threshold that is not rejected."""
    y, s = np.array(y), np.array(s)
    order = sorted(set(s.tolist()), reverse=rate == "fpr")
    passed = []
    for threshold in order:
        errors = np.sum(s[y == 0] >= threshold) if rate == "fpr" else np.sum(s[y == 1] < threshold)
        n = np.sum(y == 0) if rate == "fpr" else np.sum(y == 1)
        if binom.cdf(errors, n, alpha) > delta:
            break
        passed.append(threshold)
    return passed


@pytest.mark.parametrize("rate", ["fpr", "fnr"])
@settings(max_examples=60)
@given(data=rows(few_values.map(float) | plain_floats, max_size=60, each=8), a=alphas, d=deltas)
def test_rates_of_one_class_against_a_walk_by_hand(rate, data, a, d):
    passed = certified_by_hand(*data, rate, a, d)
    if not passed:
        with pytest.raises(rw.InputError, match="no threshold can be certified"):
            rw.guaranteed_threshold(*data, rate=rate, alpha=a, delta=d)
        return
    result = rw.guaranteed_threshold(*data, rate=rate, alpha=a, delta=d)
    assert result.threshold == passed[-1]
    assert result.n_certified == len(passed)
    assert result.p_value <= d
    assert result.upper <= a + 1e-9
    assert result.observed <= result.upper


@pytest.mark.parametrize("delta", [0.05, 1e-12])
def test_upper_limit_is_that_of_clopper_and_pearson(delta):
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 200)
    s = rng.normal(size=400) + y
    result = rw.guaranteed_threshold(y, s, rate="fpr", alpha=0.2, delta=delta)
    assert result.fp == round(result.observed * 200)
    expected = 1 - beta.ppf(delta, 200 - result.fp, result.fp + 1)
    assert result.upper == pytest.approx(expected, rel=1e-13)
    assert result.p_value == pytest.approx(binom.cdf(result.fp, 200, 0.2), rel=1e-9)


def certified_on_a_grid(y, s, rate, alpha, delta, grid):
    """Every start by itself, every threshold by itself."""
    grid = sorted(grid, reverse=rate != "for")
    p_values = []
    for threshold in grid:
        called = s >= threshold
        wrong = {"fdr": called & (y == 0), "for": ~called & (y == 1), "error": called != (y == 1)}
        among = {"fdr": called, "for": ~called, "error": np.full(len(y), True)}
        n = among[rate].sum()
        p_values.append(binom.cdf(wrong[rate].sum(), n, alpha) if n else 1.0)
    starts = sorted({round(x) for x in np.linspace(0, len(grid) - 1, min(10, len(grid)))})
    passed = set()
    for start in starts:
        for place in range(start, len(grid)):
            if p_values[place] > delta / len(starts):
                break
            passed.add(grid[place])
    return passed


@pytest.mark.parametrize("rate", ["fdr", "for", "error"])
@pytest.mark.parametrize("grid", [[0.5], [0.2, 0.4, 0.6, 0.8], [k / 20 for k in range(21)]])
def test_rates_of_both_classes_against_walks_by_hand(rate, grid):
    rng = np.random.default_rng(3)
    risk = np.round(rng.beta(1.2, 2, 300), 2)
    y = (rng.random(300) < risk).astype(int)
    for alpha in (0.25, 0.4):
        passed = certified_on_a_grid(y, risk, rate, alpha, 0.2, grid)
        if not passed:
            with pytest.raises(rw.InputError):
                rw.guaranteed_threshold(y, risk, rate=rate, alpha=alpha, delta=0.2, thresholds=grid)
            continue
        result = rw.guaranteed_threshold(
            y, risk, rate=rate, alpha=alpha, delta=0.2, thresholds=grid
        )
        assert result.n_certified == len(passed)
        if rate == "error":
            errors = {t: np.sum((risk >= t) != (y == 1)) for t in passed}
            assert errors[result.threshold] == min(errors.values())
        else:
            assert result.threshold == (min if rate == "fdr" else max)(passed)


def test_the_usual_grid_is_for_probabilities():
    rng = np.random.default_rng(2)
    risk = rng.random(400)
    y = (rng.random(400) < risk).astype(int)
    result = rw.guaranteed_threshold(y, risk, rate="fdr", alpha=0.4)
    assert round(result.threshold * 100) == pytest.approx(result.threshold * 100)
    assert result.n_tested == 99
    with pytest.raises(rw.InputError, match="needs `thresholds`"):
        rw.guaranteed_threshold(y, 5 * risk, rate="fdr", alpha=0.4)


def failure_rate(rate, alpha, delta, runs, decimals):
    """How often the true rate of the certified, and of the naive threshold, exceeds alpha."""
    rng = np.random.default_rng(12)
    y = np.repeat([0, 1], 60)
    failed = naive_failed = 0
    for _ in range(runs):
        s = np.round(rng.normal(size=120) + y, decimals)
        threshold = rw.guaranteed_threshold(y, s, rate=rate, alpha=alpha, delta=delta).threshold
        rule = {"fpr": "min-specificity", "fnr": "min-sensitivity"}[rate]
        naive = rw.threshold(y, s, rule=rule, constraint=1 - alpha, ties="mild").threshold
        half = 0.5 * 10.0**-decimals  # a rounded score is at least t when the score is t - half
        for cut, which in ((threshold, "ours"), (naive, "naive")):
            below = norm.cdf(cut - half, loc=0 if rate == "fpr" else 1)
            true_rate = 1 - below if rate == "fpr" else below
            failed += which == "ours" and true_rate > alpha
            naive_failed += which == "naive" and true_rate > alpha
    return failed / runs, naive_failed / runs


@pytest.mark.parametrize("rate", ["fpr", "fnr"])
@pytest.mark.parametrize("decimals", [6, 1])
def test_the_guarantee_holds_and_the_naive_choice_has_none(rate, decimals):
    runs, delta = 500, 0.1
    ours, naive = failure_rate(rate, 0.2, delta, runs, decimals)
    error = (delta * (1 - delta) / runs) ** 0.5
    assert ours <= delta + 3 * error
    assert naive > 0.3


def test_too_few_cases_raise_with_the_number_needed():
    y, s = [0] * 20 + [1] * 20, list(range(40))
    with pytest.raises(rw.InputError, match="it takes 299 negatives, and there are 20"):
        rw.guaranteed_threshold(y, s, alpha=0.01, delta=0.05)
    assert (1 - 0.01) ** 299 <= 0.05 < (1 - 0.01) ** 298
    bad = [1] * 200 + [0] * 200  # the highest scores are negatives
    with pytest.raises(rw.InputError, match="the smallest limit that a single threshold reaches"):
        rw.guaranteed_threshold(bad, [*range(200), *([500] * 200)], alpha=0.1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rate": "tpr"}, "`rate` must be one of 'fpr', 'fnr'"),
        ({"alpha": 0}, "`alpha` must lie strictly between"),
        ({"delta": 1}, "`delta` must lie strictly between"),
        ({"rate": "fpr", "thresholds": [0.5]}, "`thresholds` has no meaning with rate='fpr'"),
        ({"rate": "fdr", "thresholds": []}, "`thresholds` is empty"),
        ({"rate": "fdr", "thresholds": ["a"]}, "`thresholds` must be a number"),
        ({"sample_weight": [1.0, 2.0]}, "`guaranteed_threshold` has no weighted version"),
    ],
)
def test_errors(options, words):
    with pytest.raises(rw.InputError) as caught:
        rw.guaranteed_threshold([0, 1], [0.1, 0.2], **options)
    assert words in str(caught.value)
