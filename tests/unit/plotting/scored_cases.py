"""Labels and scores for the tests of plots: random ones with many ties, and fixed ones."""

import numpy as np
from hypothesis import strategies as st

LABELS = [0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0]
TIED_SCORES = [1, 2, 2, 3, 3, 4, 1, 5, 2, 5, 1, 4]
DISTINCT_SCORES = [0.1, 0.31, 0.2, 0.05, 0.72, 0.9, 0.44, 0.61, 0.4, 0.83, 0.33, 0.58]


@st.composite
def scored(draw, *, scores=None):
    """Labels with both classes, and scores: small whole numbers (ties) or any floats."""
    n = draw(st.integers(2, 25))
    labels = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    labels[0], labels[1] = 0, 1
    any_scores = st.one_of(
        st.integers(-3, 3).map(float), st.floats(-1e6, 1e6, allow_nan=False, width=32)
    )
    chosen = any_scores if scores is None else scores
    values = draw(st.lists(chosen, min_size=n, max_size=n))
    return np.array(labels), np.array(values)
