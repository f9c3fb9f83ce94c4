"""Many differences at once, held against one after the other."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.inference.significance import (
    Reference,
    decide,
    decide_all,
    error_of_difference,
    errors_of_differences,
    holm,
)

NUMBERS = st.one_of(st.just(0.0), st.floats(-1, 1, allow_subnormal=False))


@given(
    st.lists(st.tuples(NUMBERS, NUMBERS.map(abs)), min_size=1, max_size=8),
    st.sampled_from([None, 3.5, 40.0]),
    st.sampled_from([0.5, 0.95]),
)
def test_all_decisions_are_those_of_each(pairs, df, level):
    differences, errors = np.array(pairs).T
    reference = Reference(df)
    found = decide_all(differences, errors, level=level, reference=reference)
    told = {"alternative": "two-sided", "margin": None, "level": level, "reference": reference}
    for place, (difference, error) in enumerate(pairs):
        one = decide(difference, error, **told)
        assert [each[place] for each in found] == [one.statistic, one.p_value, one.low, one.high]


def test_errors_are_those_of_the_formula():
    root = np.random.default_rng(1).normal(size=(4, 6))
    covariance = root @ root.T
    first, second = np.triu_indices(4, 1)
    found = errors_of_differences(covariance, first, second, "delong")
    for error, a, b in zip(found, first, second, strict=True):
        step = np.eye(4)[a] - np.eye(4)[b]
        assert error == pytest.approx(math.sqrt(step @ covariance @ step), rel=1e-12)
        assert error == error_of_difference(covariance, a, b, "delong")
    same = np.full((2, 2), 0.3)
    assert error_of_difference(same, 0, 1, "delong") == 0.0
    with pytest.raises(rw.InputError, match="negative variance"):
        error_of_difference(np.array([[1.0, 2.0], [2.0, 1.0]]), 0, 1, "unbiased")


@given(st.lists(st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.3, 1.0]), min_size=1, max_size=8))
def test_holm_steps_down(p_values):
    """Rejected are the smallest ones, as long as each is at most the level over those left."""
    found = holm(p_values)
    for level in (0.001, 0.0499, 0.5, 0.999):
        rejected, left = set(), len(p_values)
        for place in sorted(range(len(p_values)), key=p_values.__getitem__):
            if p_values[place] * left > level:
                break
            rejected.add(place)
            left -= 1
        assert {place for place, p in enumerate(found) if p <= level} == rejected


def test_rows_of_many_models_are_those_of_each_two():
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], [60, 50])
    scores = {f"m{k}": y + (1 + k / 4) * rng.normal(size=110) for k in range(5)}
    pairs = rw.pair(y, scores)
    for method in ("delong", "wilson", "bootstrap"):
        rows = rw.compare(pairs, method=method, n_resamples=40, rng=1).pairwise
        assert len(rows["first"]) == 10
        for k, (a, b) in enumerate(zip(rows["first"], rows["second"], strict=True)):
            alone = rw.compare(pairs.select([a, b]), method=method, n_resamples=40, rng=1)
            expected = [alone.difference, *alone.interval, alone.p_value]
            found = [rows[name][k] for name in ("difference", "low", "high", "p_value")]
            assert found == pytest.approx(expected, abs=1e-12)
            wide = rw.compare(
                pairs.select([a, b]), method=method, n_resamples=40, rng=1, level=1 - 0.05 / 10
            )
            found = [rows[name][k] for name in ("low_adjusted", "high_adjusted")]
            assert found == pytest.approx(list(wide.interval), abs=1e-12)
