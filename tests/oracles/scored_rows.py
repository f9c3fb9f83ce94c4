"""Hypothesis strategies: rows of labels and scores that hold both classes."""

from hypothesis import strategies as st

few_values = st.integers(0, 6)  # ties everywhere
plain_floats = st.floats(-1e6, 1e6, allow_nan=False)
any_floats = st.floats(allow_nan=False, allow_infinity=True)  # -0.0, denormals, 1e308 too
any_float32 = st.floats(allow_nan=False, allow_infinity=True, width=32)
mixed = st.one_of(few_values.map(float), any_floats, st.sampled_from([0.0, -0.0]))
weights = st.floats(0.01, 100.0)


def rows(scores=mixed, max_size=30, each=1):
    """(labels, scores) with at least `each` rows of either class."""
    sure = st.tuples(*[st.tuples(st.just(label), scores) for label in (0, 1) * each])
    others = st.lists(st.tuples(st.integers(0, 1), scores), max_size=max_size - 2 * each)
    return st.tuples(others, sure).map(lambda parts: _columns([*parts[0], *parts[1]]))


def _columns(cases):
    return [label for label, _ in cases], [score for _, score in cases]


def weighted_rows(scores=mixed, weights=weights, **options):
    """(labels, scores, weights)."""
    return rows(st.tuples(scores, weights), **options).map(
        lambda data: (data[0], [score for score, _ in data[1]], [weight for _, weight in data[1]])
    )
