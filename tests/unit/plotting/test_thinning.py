"""Thinned curves look the same at the resolution of paper."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rocwise.plotting.matplotlib_backend.thinning import COLUMNS, FEW, thinned
from rocwise.plotting.spec import Axis

UNIT = Axis("x", (0.0, 1.0))


@settings(max_examples=15)
@given(st.integers(0, 2**31), st.sampled_from(["linear", "log"]))
def test_every_column_keeps_its_ends_and_extremes(seed, scale):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.random(FEW + 5000))
    y = rng.normal(size=len(x)).cumsum()
    axis = Axis("x", (1e-3, 1.0) if scale == "log" else (0.0, 1.0), scale)
    kept = np.searchsorted(x, thinned(axis, x, y)[0])
    assert {0, len(x) - 1} <= set(kept.tolist())
    place = np.log(np.maximum(x, 1e-4) / 1e-3) / np.log(1e3) if scale == "log" else x
    column = np.clip(place * COLUMNS, -1, COLUMNS + 1).astype(int)
    for chosen in rng.choice(np.unique(column), 20):
        there = column == chosen
        left = column[kept] == chosen
        assert y[kept][left].max() == y[there].max()
        assert y[kept][left].min() == y[there].min()
