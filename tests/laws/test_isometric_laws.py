"""Isometrics and the theorems about abstaining between two points of the hull."""

import contextlib

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import rocwise as rw
from oracles.hull_points import abstentions, along, counted, random_hull
from oracles.scored_rows import few_values, rows
from rocwise.binary.isometrics import METRICS, MetricTerms, line_of, values_at
from rocwise.binary.reliable import HullPath, abstention_between, chosen_places, transformed

rates = st.floats(0.01, 0.99)
skews = st.sampled_from([0.2, 0.5, 1.0, 2.0, 7.0])
alphas = st.sampled_from([0.5, 1.0, 2.0])
proportions = st.sampled_from([0.0, 0.05, 0.3])
targets = st.floats(0.02, 0.98)


def value(metric, point, terms):
    return float(values_at(metric, *point, terms))


@given(st.tuples(*[st.integers(1, 50)] * 4), alphas, st.integers(0, 20))
def test_metrics_are_the_usual_ones_of_counts(counts, alpha, m):
    tp, fp, fn, tn = counts
    pos, neg = tp + fn, fp + tn
    terms = MetricTerms(neg / pos, alpha, m / (pos + neg))
    for metric in METRICS:
        assert value(metric, (fp / neg, tp / pos), terms) == pytest.approx(
            counted(metric, *counts, alpha, m), abs=1e-12
        )


@given(st.sampled_from(METRICS), targets, skews, alphas, proportions, rates, rates)
def test_above_the_line_the_metric_is_at_least_its_value(metric, v, skew, alpha, m, fpr, tpr):
    """(4.5), and every line goes through the rotation point of its metric."""
    terms = MetricTerms(skew, alpha, m)
    line = rw.isometric(metric, v, skew=skew, alpha=alpha, m=m)
    here = value(metric, (fpr, tpr), terms)
    assume(abs(here - v) > 1e-9)
    assert (tpr >= line.tpr(fpr)) == (here >= v)
    x, y = line.pivot  # may lie outside the square, where `line.tpr` raises
    through = line.intercept + line.slope * x
    assert through == pytest.approx(y, abs=1e-9 * max(1, line.slope))
    on_the_line = line.tpr(fpr)
    if 0 < on_the_line < 1:
        assert value(metric, (fpr, on_the_line), terms) == pytest.approx(v, abs=1e-9)


@given(rows(few_values, max_size=24, each=3), st.tuples(st.integers(0, 6), st.integers(0, 6)))
def test_theorem_2_deleting_the_undecided_cases(data, cuts):
    """The transformed points are those of the curve recomputed without the undecided cases."""
    y, s = np.array(data[0]), np.array(data[1], float)
    low, high = sorted(cuts)
    undecided = (s >= low) & (s < high)
    kept = ~undecided
    assume(len(set(y[kept])) == 2)

    def point(cut, chosen):
        return tuple(float(np.mean(s[chosen & (y == k)] >= cut)) for k in (0, 1))

    everyone = np.ones(len(y), bool)
    a, b = point(high, everyone), point(low, everyone)
    skew = np.sum(y == 0) / np.sum(y == 1)
    after = abstention_between(a, b, MetricTerms(skew, 1.0, 0.1))
    assert after.point == pytest.approx(point(high, kept), abs=1e-12)
    assert after.after.skew == pytest.approx(np.sum(y[kept] == 0) / np.sum(y[kept] == 1))
    assert after.after.m * np.sum(kept) == pytest.approx(0.1 * len(y))  # m is fixed in count
    for cut in (high, high + 1, high + 2):
        x, t = point(cut, everyone)
        moved = x / (1 - after.unr), t / (1 - after.upr)
        assert moved == pytest.approx(point(cut, kept), abs=1e-12)
    for cut in (low, low - 1, low - 2):
        x, t = point(cut, everyone)
        moved = 1 - (1 - x) / (1 - after.unr), 1 - (1 - t) / (1 - after.upr)
        assert moved == pytest.approx(point(cut, kept), abs=1e-12)


@given(st.integers(0, 2**32 - 1), st.floats(0.02, 0.9), st.floats(0.01, 0.5))
def test_theorem_3_the_transformed_hull_is_concave(seed, left, gap):
    fpr, tpr = random_hull(np.random.default_rng(seed))
    hull = HullPath(fpr, tpr)
    a = left * hull.last
    b = min(a + gap * hull.last, 0.98 * hull.last)
    between = abstention_between(hull.point(a), hull.point(b), MetricTerms(1.0))
    x, y = transformed(hull, a, b, between)
    assert (x[0], y[0], x[-1], y[-1]) == pytest.approx((0, 0, 1, 1))
    turn = np.diff(y)[:-1] * np.diff(x)[1:] - np.diff(y)[1:] * np.diff(x)[:-1]
    assert turn.min() >= -1e-12
    assert np.all(np.diff(x) >= 0)


@given(abstentions())
def test_theorem_4_precisions_stay_exactly(case):
    _, a, b, skew, alpha, m = case
    between = abstention_between(a, b, MetricTerms(skew, alpha, m))
    for metric, point in (("precision+", a), ("precision-", b)):
        before, after = (
            value(metric, point, MetricTerms(skew, alpha, m)),
            value(metric, between.point, between.after),
        )
        assert after == pytest.approx(before, abs=1e-12)


@given(abstentions())
def test_theorem_5_accuracy_lies_between_the_precisions(case):
    _, a, b, skew, alpha, m = case
    between = abstention_between(a, b, MetricTerms(skew, alpha, m))
    (x, y), c = between.point, between.after.skew
    accuracy = (y + c * (1 - x)) / (1 + c)
    precisions = sorted(value(f"precision{sign}", between.point, between.after) for sign in "+-")
    assert precisions[0] - 1e-12 <= accuracy <= precisions[1] + 1e-12


@given(abstentions())
def test_theorem_6_abstaining_raises_the_f_measures(case):
    _, a, b, skew, alpha, m = case
    between = abstention_between(a, b, MetricTerms(skew, alpha, m))
    assert between.upr > 0 < between.unr
    assert value("f+", between.point, between.after) > value("f+", a, MetricTerms(skew, alpha, m))
    assert value("f-", between.point, between.after) > value("f-", b, MetricTerms(skew, alpha, m))
    closed = (1 + alpha**2) * a[1] / (alpha**2 * (1 - between.upr) + a[1] + skew * a[0])
    assert value("f+", between.point, between.after) == pytest.approx(closed)


@given(abstentions())
def test_theorems_7_and_8_m_estimates(case):
    """With m fixed in count the conditions are necessary and sufficient."""
    _, a, b, skew, alpha, m = case
    assume(m > 0)
    between = abstention_between(a, b, MetricTerms(skew, alpha, m))
    gap = between.unr - between.upr
    assume(abs(gap) > 1e-6)
    for metric, point, helps in (("m+", a, gap > 0), ("m-", b, gap < 0)):
        gain = value(metric, between.point, between.after) - value(
            metric, point, MetricTerms(skew, alpha, m)
        )
        assert (gain > 0) == helps


@given(abstentions())
def test_theorems_7_and_8_with_m_as_a_proportion(case):
    """The exact conditions (4.11); those of the theorems are sufficient."""
    _, a, b, skew, alpha, m = case
    assume(m > 0)
    terms = MetricTerms(skew, alpha, m)
    between = abstention_between(a, b, terms, "proportion")
    upr, unr = between.upr, between.unr
    exact = {
        "m+": m * (unr - upr) + a[1] * unr - a[0] * upr,
        "m-": m * (upr - unr) + (1 - b[0]) * upr - (1 - b[1]) * unr,
    }
    for metric, point, enough in (("m+", a, upr <= unr), ("m-", b, upr >= unr)):
        gain = value(metric, between.point, between.after) - value(metric, point, terms)
        assume(abs(exact[metric]) > 1e-9)
        assert (gain >= 0) == (exact[metric] >= 0)
        if enough:
            assert gain >= -1e-12


@given(abstentions())
def test_theorem_7_with_m_formed_by_the_count_ratio(case):
    """Costs in the skew: m may also follow the ratio of counts, N / P, in place of c."""
    _, a, b, skew, alpha, m = case
    terms = MetricTerms(skew, alpha, m)
    between = abstention_between(a, b, terms)
    assume(m > 0 and between.upr <= between.unr)
    for ratio in (0.5, 1.0, 3.0):
        other = m * (1 + ratio) / ((1 - between.upr) + ratio * (1 - between.unr))
        after = MetricTerms(between.after.skew, alpha, other)
        assert value("m+", between.point, after) >= value("m+", a, terms) - 1e-12


@settings(max_examples=60)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(["precision", "f", "m"]),
    targets,
    targets,
    skews,
    alphas,
    proportions,
)
@example(20, "precision", 0.56, 0.8, 2.0, 1.0, 0.0)  # two points, which are seldom drawn
@example(2, "f", 0.55, 0.78, 2.8, 1.0, 0.0)  # a conflict
def test_cases_by_brute_force_over_the_hull(seed, metric, positive, negative, skew, alpha, m):
    """A fine walk along the hull finds the same case, or the same error."""
    fpr, tpr = random_hull(np.random.default_rng(seed))
    hull, terms = HullPath(fpr, tpr), MetricTerms(skew, alpha, m)
    lines = line_of(f"{metric}+", positive, terms), line_of(f"{metric}-", negative, terms)
    places = np.linspace(0, hull.last, 2001)[1:-1]
    points = np.array([hull.point(place) for place in places])
    good = [
        np.ma.filled(values_at(line.metric, *points.T, terms), -1) >= line.value for line in lines
    ]
    if not good[0].any() or not good[1].any():
        with pytest.raises(rw.errors.UnattainableError) as problem:
            chosen_places(hull, lines, terms, "arcs")
        assert problem.value.largest < problem.value.target + 1e-3
        return
    if np.any(good[0] & good[1]):
        chosen = chosen_places(hull, lines, terms, "arcs")
        assert chosen.case in (1, 2)
        point = hull.point(chosen.a)
        for line in lines:
            reached = values_at(line.metric, *point, terms)
            if reached.tolist() is None:  # the class is never called, as at (0, 0)
                assert point in ((0, 0), (1, 1))
            else:
                assert reached >= line.value - 1e-9
        return
    last_good, first_good = places[good[0]].max(), places[good[1]].min()
    step = 2 * hull.last / 2000
    if last_good < first_good:
        chosen = chosen_places(hull, lines, terms, "arcs")
        if chosen.case == 3:
            assert (chosen.a, chosen.b) == pytest.approx((last_good, first_good), abs=step)
        else:  # one point between two steps of the walk
            assert abs(first_good - last_good) <= step
    elif places[good[0]].min() - places[good[1]].max() > step:
        with pytest.raises(rw.errors.ConflictError):
            chosen_places(hull, lines, terms, "arcs")


@given(st.integers(0, 2**32 - 1), st.floats(0.3, 0.98), st.floats(0.3, 0.98), skews)
def test_for_precision_the_two_rules_agree(seed, positive, negative, skew):
    """And case 3 is where the isometrics cross above the hull."""
    fpr, tpr = random_hull(np.random.default_rng(seed))
    hull, terms = HullPath(fpr, tpr), MetricTerms(skew)
    lines = line_of("precision+", positive, terms), line_of("precision-", negative, terms)
    results = []
    for rule in ("arcs", "paper"):
        try:
            results.append(chosen_places(hull, lines, terms, rule))
        except rw.InputError as problem:
            results.append(type(problem))
    assert type(results[0]) is type(results[1])
    if isinstance(results[0], type):
        return
    trivial = positive <= 1 / (1 + skew) or negative <= skew / (1 + skew)
    if not trivial:
        assert results[0] == results[1]
        x = (lines[1].intercept - lines[0].intercept) / (lines[0].slope - lines[1].slope)
        crossing = lines[0].tpr(x)
        assert (results[0].case == 3) == (crossing > np.interp(x, fpr, tpr) + 1e-9)


@settings(max_examples=200)
@given(st.integers(0, 2**32 - 1), targets, targets, skews, st.sampled_from([1.0, 1.5, 2.0]))
def test_f_measures_with_alpha_of_at_least_1_never_need_abstention(seed, pos, neg, skew, alpha):
    fpr, tpr = random_hull(np.random.default_rng(seed))
    hull, terms = HullPath(fpr, tpr), MetricTerms(skew, alpha)
    lines = line_of("f+", pos, terms), line_of("f-", neg, terms)
    with contextlib.suppress(rw.errors.UnattainableError, rw.errors.ConflictError):
        assert chosen_places(hull, lines, terms, "arcs").case != 3


@given(
    rows(few_values, max_size=30, each=3),
    st.floats(0.3, 0.95),
    st.floats(0.3, 0.95),
)
def test_targets_are_reached_by_the_decisions(data, positive, negative):
    """Without randomising, precisions among the decided cases reach the targets."""
    try:
        rule = rw.reliable(*data, positive=positive, negative=negative)
    except rw.errors.UnattainableError:  # precisions are never in conflict
        return
    y, decided = np.array(data[0]), rule.decide(data[1])
    for label, target in ((1, positive), (0, negative)):
        if np.any(decided == label):
            assert np.mean(y[decided == label] == label) >= target - 1e-9


@given(rows(few_values, max_size=30, each=3), st.floats(0.3, 0.95), st.floats(0.3, 0.95))
def test_mixing_gives_the_points_on_average(data, positive, negative):
    """Proportions of the draws below and above `mixing` add up to the rates of a and b."""
    try:
        rule = rw.reliable(*data, positive=positive, negative=negative)
    except rw.InputError:
        return
    y, s = np.array(data[0]), np.array(data[1], float)
    low_end, high_end = rule.decide(s), s >= rule.upper_mixed
    for k, label in enumerate((0, 1)):
        chosen = y == label
        sure, may = np.mean(low_end[chosen] == 1), np.mean(high_end[chosen])
        proportion = sure + rule.mixing[0] * (may - sure)
        assert proportion == pytest.approx(rule.point_a[k], abs=1e-9)
        left, right = (
            np.mean(s[chosen] <= rule.lower_threshold),
            np.mean(s[chosen] <= rule.lower_mixed),
        )
        proportion = 1 - left + rule.mixing[1] * (left - right)
        assert proportion == pytest.approx(rule.point_b[k], abs=1e-9)
    assert along(rule.hull_fpr, rule.hull_tpr, 1.0) == (1, 1)
