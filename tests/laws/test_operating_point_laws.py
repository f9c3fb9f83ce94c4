"""Every rule against a search over all thresholds in exact arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw
from oracles.scored_rows import few_values, mixed, plain_floats, rows
from oracles.threshold_choices import (
    LIMITS,
    MEASURES,
    TIED_MINIMA,
    best_cells,
    candidates,
    proportions,
    unbeaten,
    within_limit,
)
from rocwise.binary.threshold_rules import RULES

pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")

directions = st.sampled_from(["higher", "lower"])
prevalences = st.sampled_from([None, 0.25, 0.5, 0.9375])  # binary fractions: exact ties stay ties
numbers = st.integers(0, 8).map(float)
losses = st.integers(1, 8).map(float)
settled = {"strict": 0, "mild": -1}


def cells_at(point):
    return point.tp, point.fp, point.fn, point.tn


def test_the_oracle_has_every_rule():
    assert {*MEASURES, *LIMITS, "cost", "odds-ratio"} == set(RULES)


@pytest.mark.parametrize("rule", MEASURES)
@settings(max_examples=25)
@given(rows(mixed, max_size=14), directions, prevalences)
def test_rules_without_a_limit(rule, data, direction, prevalence):
    y, s = data
    measure, smallest = MEASURES[rule]
    found = candidates(y, s, direction)
    best = best_cells(found, measure, smallest, prevalence)
    best = unbeaten(best) if rule in TIED_MINIMA else best
    beta = {"beta": 2} if rule == "f-beta" else {}
    if not best:
        assert len(found) == 2
        with pytest.raises(rw.InputError, match="all scores are equal"):
            rw.threshold(y, s, rule=rule)
        return
    for ties, place in settled.items():
        point = rw.threshold(
            y, s, rule=rule, direction=direction, prevalence=prevalence, ties=ties, **beta
        )
        assert cells_at(point) == best[place]
        assert len(point.equals) == len(best)
        assert point.threshold in [t for t, cells in found if cells == best[place]]


@pytest.mark.parametrize("rule", LIMITS)
@settings(max_examples=40)
@given(
    rows(few_values.map(float), max_size=14),
    directions,
    prevalences,
    st.sampled_from([0.0, 0.125, 0.5, 0.75, 0.875, 1.0]),
)
def test_rules_with_a_limit(rule, data, direction, prevalence, limit):
    y, s = data
    if rule == "max-alarms":  # 1 is one alarm; below, a share
        limit = min(limit, 0.875)
    best = within_limit(candidates(y, s, direction), rule, Fraction(limit), prevalence)
    options = {"rule": rule, "direction": direction, "prevalence": prevalence}
    if not best:
        with pytest.raises(rw.InputError, match="attainable"):
            rw.threshold(y, s, constraint=limit, **options)
        return
    for ties, place in settled.items():
        point = rw.threshold(y, s, constraint=limit, ties=ties, **options)
        assert cells_at(point) == best[place]


@given(rows(plain_floats, max_size=20), st.integers(1, 25))
def test_a_number_of_alarms(data, most):
    y, s = data
    point = rw.threshold(y, s, rule="max-alarms", constraint=most)
    allowed = [cells for _, cells in candidates(y, s) if cells[0] + cells[1] <= most]
    assert point.tp == max(cells[0] for cells in allowed)
    assert point.tp + point.fp <= most


@given(rows(mixed, max_size=20), directions, prevalences, losses, losses, numbers, numbers)
def test_costs(data, direction, prevalence, fp, fn, tp, tn):
    fp, fn = tn + fp, tp + fn  # an error is dearer than the right decision
    y, s = data
    costs = rw.Costs(fp=fp, fn=fn, tp=tp, tn=tn)

    def expected(a, b, c, d):
        return Fraction(tp) * a + Fraction(fp) * b + Fraction(fn) * c + Fraction(tn) * d

    found = candidates(y, s, direction)
    best = best_cells(found, expected, True, prevalence)
    point = rw.threshold(y, s, costs=costs, direction=direction, prevalence=prevalence)
    assert cells_at(point) == best[-1]  # the mildest of the cheapest
    least = float(expected(*proportions(best[-1], prevalence)))
    assert point.expected_cost == pytest.approx(least, rel=1e-12, abs=1e-12)
    assert point.value == point.expected_cost


@given(rows(few_values, max_size=14))
def test_odds_ratio(data):
    y, s = data

    def odds(cells):
        tp, fp, fn, tn = (Fraction(count) + Fraction(1, 2) for count in cells)
        return tp * tn / (fp * fn)

    best = max(odds(cells) for _, cells in candidates(y, s))
    point = rw.threshold(y, s, rule="odds-ratio")
    assert odds(cells_at(point)) == best
    assert point.value == pytest.approx(float(best), rel=1e-12)


@given(rows(mixed, max_size=20), st.sampled_from(["youden", "f1", "mcc", "accuracy", "closest"]))
def test_the_middle_of_equals(data, rule):
    point = rw.threshold(*data, rule=rule, ties="middle")
    assert point.threshold == point.equals[(len(point.equals) - 1) // 2]


@given(rows(plain_floats, max_size=20), st.floats(0.05, 0.95), st.floats(0.05, 20))
def test_costs_are_a_point_of_the_hull(data, prevalence, miss):
    """Whatever the costs, a corner of the convex hull is as cheap as the best threshold."""
    y, s = data
    costs = rw.Costs(fp=1, fn=miss)
    point = rw.threshold(y, s, costs=costs, prevalence=prevalence)
    corners = rw.hull(y, s)
    at_corners = prevalence * miss * (1 - corners.tpr) + (1 - prevalence) * corners.fpr
    assert point.expected_cost == pytest.approx(np.min(at_corners), rel=1e-9, abs=1e-12)


@given(rows(plain_floats, max_size=20), st.floats(0.05, 0.95), st.floats(0.05, 20))
def test_costs_are_a_point_of_the_cost_curve(data, prevalence, miss):
    y, s = data
    point = rw.threshold(y, s, costs=rw.Costs(fp=1, fn=miss), prevalence=prevalence)
    largest = prevalence * miss + (1 - prevalence)
    normalised = rw.cost_curve(y, s).at(prevalence * miss / largest)
    assert point.expected_cost == pytest.approx(float(normalised) * largest, rel=1e-9, abs=1e-12)
