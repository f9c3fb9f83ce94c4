"""SyntheticRows rows: uniform attributes, and class shares exactly as asked for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw
from rocwise.estimators import MimeticClassifier
from rocwise.estimators.mimetic import AbsentClassError, Attributes, sample_rows

COLUMNS = [np.array([2.0, -1.0, 5.0]), np.array(["u", "v", "w"], dtype=object)]
ATTRIBUTES = Attributes.of(COLUMNS, ["a", "b"], frozenset([1]))
CLASSES = np.array(["n", "p"])


def oracle(cut):
    """The second class where the number exceeds the cut."""

    def probabilities(columns):
        p = np.where(columns[0] > cut, 0.9, 0.2)
        return np.column_stack([1 - p, p])

    return probabilities


def test_numbers_are_uniform_on_their_range_and_values_equally_frequent():
    numbers, values = ATTRIBUTES.sample(30_000, np.random.RandomState(0))
    assert numbers.min() >= -1
    assert numbers.max() <= 5
    counts, _ = np.histogram(numbers, bins=6, range=(-1, 5))
    assert counts == pytest.approx(np.full(6, 5000), rel=0.06)
    found, counts = np.unique(values.astype(str), return_counts=True)
    assert found.tolist() == ["u", "v", "w"]
    assert counts == pytest.approx(np.full(3, 10_000), rel=0.04)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.floats(0, 1), st.integers(1, 300), st.floats(-0.5, 4.5))
def test_quotas_are_met_exactly(seed, share, n_rows, cut):
    rng = np.random.RandomState(seed)
    rows = sample_rows(ATTRIBUTES, oracle(cut), n_rows, share, CLASSES, rng)
    assert len(rows.positive) == n_rows
    assert (~rows.positive).sum() == round(n_rows * share)
    assert np.array_equal(rows.positive, rows.columns[0] > cut)
    assert np.array_equal(rows.probability, np.where(rows.positive, 0.9, 0.2))


@pytest.mark.parametrize(("cut", "absent"), [(9.0, "p"), (-9.0, "n")])
def test_the_absent_class_is_named_after_200_batches(cut, absent):
    calls = []

    def counted(columns):
        calls.append(1)
        return oracle(cut)(columns)

    with pytest.raises(AbsentClassError, match=f"class '{absent}' for 0 of 2,000"):
        sample_rows(ATTRIBUTES, counted, 10, 0.5, CLASSES, np.random.RandomState(0))
    assert len(calls) == 200


@pytest.mark.parametrize(
    ("name", "share"), [("Mim0a", 0.7), ("Mim0b", 0.5), ("Mim3", 1 / 5), ("Mim0c", None)]
)
def test_shares_of_the_types(name, share):
    rng = np.random.default_rng(0)
    y = (np.arange(200) >= 140).astype(int)  # 70 % of the first class
    X = rng.normal(size=(200, 2)) + y[:, None]
    model = MimeticClassifier(name, costs=rw.Costs(fp=1, fn=4), n_samples=500, random_state=0)
    model.fit(X, y)
    first = model.tree_.leaf_counts_.sum(axis=0)[0]
    if share is None:
        drawn = model.attributes_.sample(500, np.random.RandomState(0))
        assert first == (model.oracle_.predict(np.column_stack(drawn)) == 0).sum()
        assert first not in (250, 350, 100)
    else:
        assert first == round(500 * share)
