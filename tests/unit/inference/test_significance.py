"""Standard errors of differences, Holm's adjustment and all pairs of models."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.inference.significance import (
    holm,
)


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
