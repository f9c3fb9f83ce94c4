"""States of ranges join to the state of all rows, whatever the ranges are."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.data.range_states import BinPlan, binned, joined, range_state, tied_state
from rocwise.data.smooth_steps import SmoothPlan
from rocwise.data.summed_rows import ClusterSums

ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.one_of(st.integers(-4, 4), st.floats(-1, 1)).map(float)),
    min_size=2,
    max_size=60,
).filter(lambda rows: 0 < sum(label for label, _ in rows) < len(rows))


def state_by_ranges(labels, scores, cuts, bins, smooth=None):
    """One state from ranges between cut values; rows at a cut value are a range of their own."""
    places = 2 * np.searchsorted(cuts, scores, "left") + np.isin(scores, cuts)
    states, below = [], 0
    for place in np.unique(places):
        own = places == place
        plan = BinPlan(bins, len(labels), below)
        if place % 2:
            n_pos = int(labels[own].sum())
            n_neg = int(own.sum()) - n_pos
            states.append(tied_state(scores[own][0] + 0.0, n_pos, n_neg, plan, smooth))
        else:
            states.append(range_state(labels[own], scores[own], plan, smooth))
        below += int(own.sum())
    return joined(states)


@given(rows=ROWS, cuts=st.lists(st.floats(-4, 4), max_size=4), bins=st.integers(2, 70))
def test_ranges_join_exactly(rows, cuts, bins):
    labels = np.array([label for label, _ in rows], np.uint8)
    scores = np.array([score for _, score in rows])
    cuts = np.unique(np.append(cuts, scores[:2]))
    state = state_by_ranges(labels, scores, cuts, bins)
    tally = rw.tally(labels, scores)
    assert state.sums == tally.placement_sums
    if bins < len(tally):
        expected, found = binned(tally, bins), state.tally(keep_sums=False)
        assert found.scores.tolist() == expected.scores.tolist()
        assert found.pos.tolist() == expected.pos.tolist()
        assert found.neg.tolist() == expected.neg.tolist()
        assert found.error_bound == expected.error_bound
    kept = state.tally()
    assert rw.auc(kept, method="hoeffding").value == rw.auc(tally, method="hoeffding").value


UNIT_ROWS = st.lists(
    st.tuples(
        st.integers(0, 1), st.one_of(st.integers(0, 4).map(lambda k: k / 4), st.floats(0, 1))
    ),
    min_size=2,
    max_size=60,
).filter(lambda rows: 0 < sum(label for label, _ in rows) < len(rows))


def brute_smooth_area(labels, scores, middle):
    """(1.8) and (1.9), pair by pair, in exact fractions."""
    values = [Fraction(float(score)) for score in scores]
    right = [label == (score >= middle) for label, score in zip(labels, scores, strict=True)]
    theta = [s if fits else 1 - s for s, fits in zip(values, right, strict=True)]
    half = Fraction(1, 2)
    return sum(
        up * (1 - other) * (1 if own > its else half if own == its else 0)
        for up, own in zip(theta, values, strict=True)
        for other, its in zip(theta, values, strict=True)
    )


@given(
    rows=UNIT_ROWS,
    cuts=st.lists(st.floats(0, 1), max_size=4),
    bins=st.integers(2, 70),
    midpoint=st.sampled_from(["estimated", "class-means", "calibrated", 0.25, 2.0]),
    higher=st.booleans(),
)
def test_steps_of_a_smooth_curve_join(rows, cuts, bins, midpoint, higher):
    labels = np.array([label for label, _ in rows], np.uint8)
    units = np.array([score for _, score in rows])
    oriented = units if higher else 0.0 - units  # what the user has where lower means positive
    plan = SmoothPlan(midpoint, higher=higher).within(oriented.min(), oriented.max())
    sizes = len(labels) - int(labels.sum()), int(labels.sum())
    plan = plan.settled(lambda: tuple(plan.total(oriented[labels == k]) for k in (0, 1)), sizes)
    cuts = np.unique(np.append(cuts if higher else np.negative(cuts), oriented[:2]))
    steps = state_by_ranges(labels, oriented, cuts, bins, plan).steps
    whole = range_state(labels, oriented, BinPlan(bins, len(labels)), plan).steps
    assert steps.sums == pytest.approx(whole.sums, rel=1e-12, abs=1e-13)
    assert steps.up == pytest.approx(whole.up, rel=1e-12, abs=1e-13)
    assert steps.right == pytest.approx(whole.right, rel=1e-12, abs=1e-13)
    values = units if higher else 1.0 - units
    tied = len(np.unique(values)) < len(np.unique(units))  # 1 - s of tiny scores
    if not tied:
        exact = brute_smooth_area(labels, values, plan.middle)
        assert steps.area == pytest.approx(float(exact), rel=1e-12, abs=1e-13)
    if min(whole.sums[:2]) > 0:
        direction = "higher" if higher else "lower"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rw.errors.MidOutOfRangeWarning)
            expected = rw.smooth_roc(labels, units, midpoint=midpoint, direction=direction)
        assert steps.midpoint == expected.midpoint
        rise, run, area = steps.sums
        assert area / (rise * run) == pytest.approx(expected.auc, rel=1e-12)


def test_sums_of_billions_of_ties_pass_64_bits():
    p, q = 3 * 10**9, 5 * 10**9
    state = joined(
        [
            tied_state(s, p, q, BinPlan(2, 3 * (p + q), k * (p + q)))
            for k, s in enumerate((0.0, 1.0, 2.0))
        ]
    )
    assert state.sums.sum_u2 == p * q * q * (1 + 9 + 25) > 2**63
    sums = state.sums
    area = Fraction(sums.sum_u, 2 * sums.n_pos * sums.n_neg)
    assert area == Fraction(1, 2)
    assert rw.auc(state.tally()).value == 0.5


def test_a_resolved_tally_can_be_binned_further():
    rng = np.random.default_rng(4)
    labels, scores = rng.integers(0, 2, 500).astype(np.uint8), rng.normal(size=500)
    fine = range_state(labels, scores, BinPlan(100, 500)).tally()
    coarse = binned(fine, 10)
    assert fine.origin.exact_area
    assert not coarse.origin.exact_area
    assert coarse.error_bound > fine.error_bound
    exact = rw.auc(labels, scores).value
    assert rw.auc(fine).value == exact
    assert abs(rw.auc(coarse).value - exact) <= coarse.error_bound
    assert "AUC exact; curve in bins" in repr(fine)


def test_sums_add_up_over_blocks():
    rng = np.random.default_rng(5)
    mask = rng.integers(0, 2, 90).astype(np.uint8)
    placed = [rng.integers(0, 2**40, 90) for _ in range(3)]
    halves = [
        ClusterSums.of_rows(mask[own], [u[own] for u in placed])
        for own in (slice(40), slice(40, 90))
    ]
    assert halves[0] + halves[1] == ClusterSums.of_rows(mask, placed)
    columns = [rng.integers(0, 2**40, 30) for _ in range(6)]
    parts = [
        ClusterSums.of_clusters(p, n, [u, other_u], [v, other_v])
        for own in (slice(7), slice(7, 30), slice(30))
        for p, n, u, other_u, v, other_v in [[column[own] for column in columns]]
    ]
    assert parts[0] + parts[1] == parts[2]
    by_hand = sum(int(a) * int(b) for a, b in zip(columns[3], columns[4], strict=True))
    assert parts[2].products[3][4] == by_hand > 2**63
    p, n, _, u, _, v = columns
    assert parts[2].only(1) == ClusterSums.of_clusters(p, n, [u], [v])
