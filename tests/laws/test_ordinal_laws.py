"""Laws of measures of ordered classes, against chains counted one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw
from oracles.ordered_chains import covariances, pair_area, tensor
from rocwise.inputs.ordered_classes import rankings as rankings_of
from rocwise.ordinal.variances import subset_covariance

ties_rules = st.sampled_from(["credit", "strict"])

# laws hold for scores that point the wrong way too
pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")


@st.composite
def rows(draw, rankers=1, least=1):
    r = draw(st.integers(2, 4))
    sizes = draw(st.lists(st.integers(least, 3), min_size=r, max_size=r))
    y = np.repeat(np.arange(r), sizes)
    values = st.one_of(st.integers(0, 4), st.floats(0, 4, width=16))
    scores = [draw(st.lists(values, min_size=len(y), max_size=len(y))) for _ in range(rankers)]
    return y, [np.asarray(s, float) for s in scores]


@given(rows(), ties_rules)
def test_measures_agree_with_their_definitions(data, ties):
    y, (f,) = data
    strict = ties == "strict"
    r = y.max() + 1
    assert rw.ordinal.auc(y, f, ties=ties).value == pytest.approx(
        tensor(y, f, strict=strict).mean(), abs=1e-12
    )
    classes = list(range(r))
    pairs = [(a, b) for a in classes for b in classes if a < b]
    areas = [pair_area(y, f, [a], [b], strict=strict) for a, b in pairs]
    sizes = np.bincount(y)
    weights = [sizes[a] * sizes[b] for a, b in pairs]
    cuts = [
        pair_area(y, f, classes[: k + 1], classes[k + 1 :], strict=strict) for k in range(r - 1)
    ]
    expected = {
        "consecutive": np.mean(cuts),
        "pairwise": np.mean(areas),
        "pairs": np.average(areas, weights=weights),
    }
    for measure, value in expected.items():
        assert rw.ordinal.auc(y, f, measure=measure, ties=ties).value == (
            pytest.approx(value, abs=1e-12)
        )
    assert rw.ordinal.auc(y, f, ties=ties).value <= min(areas) + 1e-12


@given(rows(), ties_rules)
def test_order_is_all_that_counts(data, ties):
    y, (f,) = data
    value = rw.ordinal.auc(y, f, ties=ties).value
    ranks = np.unique(f, return_inverse=True)[1].astype(float)
    assert rw.ordinal.auc(y, np.exp(ranks), ties=ties).value == pytest.approx(value, abs=1e-14)
    assert rw.ordinal.auc(-y, -f, ties=ties).value == pytest.approx(value, abs=1e-12)
    shuffled = np.random.default_rng(1).permutation(len(y))
    assert rw.ordinal.auc(y[shuffled], f[shuffled], ties=ties).value == (
        pytest.approx(value, abs=1e-14)
    )


@settings(max_examples=50)
@given(rows(rankers=2, least=2), ties_rules)
def test_variances_and_covariances_are_those_of_all_chains(data, ties):
    y, scores = data
    tensors = [tensor(y, f, strict=ties == "strict") for f in scores]
    names = {"a": scores[0], "b": scores[1]}
    rankings = list(rankings_of(y, names).values())
    for place, method in enumerate(["unbiased", "plug-in"]):
        expected = [
            [covariances(tensors[i], tensors[j])[place] for j in range(2)] for i in range(2)
        ]
        found = subset_covariance(rankings, ties, method)
        np.testing.assert_allclose(found, expected, atol=1e-12)
    error = rw.ordinal.auc(y, scores[0], ties=ties).standard_error
    assert error**2 == pytest.approx(covariances(tensors[0])[2], abs=1e-12)
    result = rw.ordinal.compare(y, names, ties=ties)
    delong = [covariances(tensors[i], tensors[j])[2] for i, j in ((0, 0), (1, 1), (0, 1))]
    assert result.standard_error**2 == pytest.approx(
        max(delong[0] + delong[1] - 2 * delong[2], 0.0), abs=1e-12
    )


@settings(max_examples=50)
@given(rows(least=2), ties_rules, st.sampled_from(["consecutive", "pairwise", "pairs"]))
def test_errors_of_averages_rest_on_the_parts_of_the_rows(data, ties, measure):
    y, (f,) = data
    sizes, r = np.bincount(y), y.max() + 1
    pairs = [(a, b) for a in range(r) for b in range(r) if a < b]
    if measure == "pairwise":
        weights = {pair: 1 / len(pairs) for pair in pairs}
    elif measure == "pairs":
        total = sum(sizes[a] * sizes[b] for a, b in pairs)
        weights = {(a, b): sizes[a] * sizes[b] / total for a, b in pairs}
    else:
        weights = {
            (a, b): sum(
                sizes[a] * sizes[b] / (sizes[: k + 1].sum() * sizes[k + 1 :].sum())
                for k in range(a, b)
            )
            / (r - 1)
            for a, b in pairs
        }
    variance = 0.0
    for k in range(r):
        parts = np.zeros(sizes[k])
        for (a, b), weight in weights.items():
            for own, other, sign in ((a, b, 1), (b, a, -1)):
                if own == k:
                    gaps = sign * (f[y == other][None, :] - f[y == k][:, None])
                    tied = 0.5 * (gaps == 0) if ties == "credit" else 0.0
                    parts += weight * ((gaps > 0) + tied).mean(axis=1)
        variance += parts.var(ddof=1) / sizes[k]
    error = rw.ordinal.auc(y, f, measure=measure, ties=ties).standard_error
    assert error**2 == pytest.approx(variance, abs=1e-12)
