"""Laws of the kernels, on rows of any kind, for both implementations."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

import rocwise.kernels
from rocwise.kernels import combine, ranks, sort
from rocwise.kernels.resample import counts_of, multiplicities, units_of_counts


@pytest.fixture(scope="module", params=["numpy", "compiled"])
def kernels(request):
    """The kernels with their numpy twins, or compiled where these are built."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "numpy":
            patch.setattr(sort, "_sort", None)
            patch.setattr(ranks, "_ranks", None)
        elif sort._sort is None:
            pytest.skip("the compiled kernels are not built")
        yield rocwise.kernels


@st.composite
def scored_rows(draw, most=60):
    """Mask and scores: ties, infinities, denormals, zeros of both signs, neighbors, float32."""
    size = draw(st.integers(1, most))
    width = draw(st.sampled_from([32, 64]))
    values = st.one_of(
        st.floats(allow_nan=False, width=width),
        st.sampled_from([0.0, -0.0, np.inf, -np.inf, 1.0, 2.0**-140]),
        st.integers(0, 40).map(lambda k: float(np.float32(1 + k * 2.0**-23))),
    )
    mask = draw(arrays(np.uint8, size, elements=st.integers(0, 1)))
    return mask, draw(arrays(f"f{width // 8}", size, elements=values))


def credit(x, y):
    """2 where x < y, 1 where they tie: one line for each x, one column for each y."""
    return (x[:, None] < y).astype(np.int64) + (x[:, None] <= y)


@given(rows=scored_rows())
def test_sorted_classes_hold_the_same_scores(kernels, rows):
    mask, scores = rows
    for kind, found in enumerate(kernels.sort_by_class(mask, scores)):
        assert found.tolist() == sorted(scores[mask == kind].tolist())
        assert found.dtype == scores.dtype


@given(rows=scored_rows())
def test_order_is_that_of_a_stable_sort(kernels, rows):
    scores = rows[1].tolist()
    assert kernels.argsort(rows[1]).tolist() == sorted(range(len(scores)), key=scores.__getitem__)


@given(rows=scored_rows())
def test_placements_and_sums_follow_their_definition(kernels, rows):
    mask, scores = rows
    neg, pos = scores[mask == 0], scores[mask == 1]
    u, v = credit(neg, pos).sum(axis=0), credit(pos, neg).sum(axis=0)
    placed = kernels.placements(mask, scores)
    assert np.array_equal(placed[mask == 1], u)
    assert np.array_equal(placed[mask == 0], v)
    ties = int((neg[:, None] == pos).sum())
    expected = (pos.size, neg.size, u.sum(), (u * u).sum(), v.sum(), (v * v).sum(), ties)
    assert kernels.placement_sums(*kernels.sort_by_class(mask, scores)) == expected


@given(rows=scored_rows(), data=st.data())
def test_midranks_are_placed_among_those_of_both_models(kernels, rows, data):
    mask, first = rows
    second = np.array(data.draw(st.permutations(first.tolist())))
    ranks = np.concatenate([rankdata(first), rankdata(second)])
    placed = kernels.placements(np.tile(mask, 2), ranks).reshape(2, -1)
    assert np.array_equal(kernels.midrank_placements(mask, first, second), placed)


@given(rows=scored_rows())
def test_each_pair_is_counted_once(kernels, rows):
    state = kernels.placement_sums(*kernels.sort_by_class(*rows))
    assert state.sum_u + state.sum_v == 2 * state.n_pos * state.n_neg


@given(rows=scored_rows())
def test_table_curve_and_classes_agree(kernels, rows):
    classes = kernels.sort_by_class(*rows)
    scores, tp, fp = kernels.merge_curves(*classes)
    pos, neg = np.diff(tp, prepend=0), np.diff(fp, prepend=0)
    assert (np.diff(scores.astype(object)) < 0).all()
    assert (pos + neg > 0).all()
    assert np.array_equal(np.repeat(scores, neg)[::-1], classes[0])
    assert np.array_equal(np.repeat(scores, pos)[::-1], classes[1])
    assert kernels.table_sums(pos, neg) == kernels.placement_sums(*classes)


@given(rows=scored_rows())
def test_sorted_samples_agree_with_sorted_classes(kernels, rows):
    sample, classes = kernels.sort_sample(*rows), kernels.sort_by_class(*rows)
    sizes = np.abs(rows[1].astype(float))
    assert (sample is None) == bool(((sizes >= 2.0**511) | (sizes < 2.0**-512) & (sizes > 0)).any())
    if sample is not None:
        assert kernels.sample_sums(sample) == kernels.placement_sums(*classes)
        pairs = zip(kernels.sample_curve(sample), kernels.merge_curves(*classes), strict=True)
        assert all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)


@given(rows=scored_rows(), cuts=st.lists(st.floats(allow_nan=False, width=32), max_size=4))
def test_ranges_combine_to_the_whole(kernels, rows, cuts):
    neg, pos = kernels.sort_by_class(*rows)
    edges = [-np.inf, *sorted(cuts)]
    uppers = [*sorted(cuts), None]

    def within(part, low, high):
        return part[(part >= low) & (True if high is None else part < high)]

    states = [
        kernels.placement_sums(within(neg, low, high), within(pos, low, high))
        for low, high in zip(edges, uppers, strict=True)
    ]
    assert reduce(combine, states) == kernels.placement_sums(neg, pos)


@given(counts=st.lists(st.tuples(st.integers(0, 2**31), st.integers(0, 2**31)), max_size=12))
def test_table_sums_are_exact_for_any_counts(kernels, counts):
    pos, neg = np.array(counts, np.int64).reshape(-1, 2).T.copy()
    u = [q + 2 * sum(k[1] for k in counts[row + 1 :]) for row, (_, q) in enumerate(counts)]
    v = [p + 2 * sum(k[0] for k in counts[row + 1 :]) for row, (p, _) in enumerate(counts)]
    state = kernels.table_sums(pos, neg)
    assert state.sum_u2 == sum(p * k * k for (p, _), k in zip(counts, u, strict=True))
    assert state.sum_v2 == sum(q * k * k for (_, q), k in zip(counts, v, strict=True))
    assert state.ties == sum(p * q for p, q in counts)


@given(
    counts=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=15),
    seed=st.integers(0, 2**64 - 1),
    first=st.integers(0, 2**40),
)
def test_replicates_are_tables_of_the_same_size(counts, seed, first):
    pos, neg = (np.array(counts, np.int64) + np.array([1, 1])).T.copy()
    units, rows = units_of_counts(pos, neg)
    drawn_pos, drawn_neg = counts_of(rows, multiplicities(units, seed, first, first + 3))
    assert (drawn_pos.sum(axis=1) == pos.sum()).all()
    assert (drawn_neg.sum(axis=1) == neg.sum()).all()
