"""Points of a curve that the page knows: exact, few, and no more telling than allowed."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.reporting.payload import coarse_tally, curve_knots, plain_knots


def long_tally(n=20_000, *, direction="higher"):
    rng = np.random.default_rng(4)
    y = (rng.random(n) < 0.2).astype(int)
    score = rng.normal(size=n) + 1.5 * y
    return rw.tally(y, -score if direction == "lower" else score, direction=direction)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_hull_youden_and_both_ends_are_kept(direction):
    tally = long_tally(direction=direction)
    knots = curve_knots(tally, most=300)
    assert len(knots.tp) <= 301
    kept = set(zip(knots.fp / tally.n_neg, knots.tp / tally.n_pos, strict=True))
    hull = rw.hull(tally)
    assert set(zip(hull.fpr, hull.tpr, strict=True)) <= kept
    best = np.max(tally.tp / tally.n_pos - tally.fp / tally.n_neg)
    assert np.max(knots.tp / tally.n_pos - knots.fp / tally.n_neg) == best
    assert (knots.tp[-1], knots.fp[-1]) == (tally.n_pos, tally.n_neg)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_thresholds_recount(direction):
    tally = long_tally(direction=direction)
    plain = json.loads(json.dumps(plain_knots(tally, curve_knots(tally, most=300))))
    sign = -1 if direction == "lower" else 1
    scores = np.repeat(sign * tally.scores, tally.pos + tally.neg)
    cases = np.cumsum(plain["tp"]) + np.cumsum(plain["fp"])
    for threshold, called in zip(plain["threshold"][1:], cases[1:], strict=True):
        assert np.sum(scores >= sign * float(threshold)) == called


rows = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 12)), min_size=2, max_size=60).filter(
    lambda rows: 0 < sum(label for label, _ in rows) < len(rows)
)


@given(rows, st.integers(1, 9), st.one_of(st.none(), st.integers(2, 8)))
def test_no_step_is_smaller_than_allowed(rows, min_cell, most):
    tally = rw.tally(*zip(*rows, strict=True))
    knots = curve_knots(tally, most=most, min_cell=min_cell)
    steps = np.diff(knots.tp + knots.fp)
    assert np.all(steps >= min(min_cell, len(rows)))
    assert steps.sum() == len(rows)
    coarse = coarse_tally(tally, knots)
    assert (coarse.n_pos, coarse.n_neg) == (tally.n_pos, tally.n_neg)
    assert np.array_equal(coarse.tp, knots.tp[1:])


@given(rows, st.integers(2, 9), st.integers(1, 20), st.integers(0, 9))
def test_no_step_has_fewer_clusters_than_allowed(rows, min_cell, n_clusters, seed):
    labels, scores = map(np.array, zip(*rows, strict=True))
    groups = np.random.default_rng(seed).integers(0, n_clusters, len(rows))
    tally = rw.tally(labels, scores, groups=groups)
    limits = tally.scores[curve_knots(tally, most=None, min_cell=min_cell).places[1:]]
    step_of = np.searchsorted(-limits, -scores)
    fewest = min(min_cell, len(set(groups.tolist())))
    for step in range(len(limits)):
        assert len(set(groups[step_of == step].tolist())) >= fewest


def test_numbers_that_a_browser_would_change_are_text():
    tally = rw.tally([0, 1, 1, 0], np.array([1, 2**60, 2**60 + 1, 3]))
    thresholds = plain_knots(tally, curve_knots(tally, most=None))["threshold"]
    assert thresholds[0] is None
    for each, exact in zip(thresholds[1:], tally.scores, strict=True):
        assert isinstance(each, str) or float(each) == each
        assert int(each) <= exact


def test_infinite_scores_have_thresholds():
    tally = rw.tally([0, 1, 1, 0], [-math.inf, math.inf, 1.0, 0.5])
    thresholds = plain_knots(tally, curve_knots(tally, most=None))["threshold"]
    assert thresholds[:2] == [None, "Infinity"]
    assert thresholds[-1] == "-Infinity"
