"""Reliable rules: the worked cases, the printed mistakes, and thresholds on data."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.isometrics import MetricTerms, line_of, values_at
from rocwise.binary.reliable import (
    HullPath,
    abstention_between,
    arc_above,
    chosen_places,
)

HULL = HullPath(np.array([0.0, 0.05, 0.2, 0.4, 1.0]), np.array([0.0, 0.5, 0.8, 0.95, 1.0]))


def near(points):
    return pytest.approx(np.array(points), abs=1e-9)


def design(positive, negative, metrics, *, rule="arcs", skew=1.0, alpha=1.0, m=0.0):
    terms = MetricTerms(skew, alpha, m)
    lines = line_of(f"{metrics[0]}+", positive, terms), line_of(f"{metrics[1]}-", negative, terms)
    return terms, lines, chosen_places(HULL, lines, terms, rule)


def cases():
    """On HULL with 20 positives and 20 negatives: data whose hull it is."""
    alarms = [(1, 10), (3, 6), (4, 3), (12, 1)]
    y, s = [], []
    for group, (neg, pos) in enumerate(alarms):
        y += [0] * neg + [1] * pos
        s += [(9 - 2 * group) / 10] * (neg + pos)
    return y, s


def test_case_3_precisions():
    terms, lines, chosen = design(0.88, 0.87, ("precision", "precision"))
    arcs = [arc_above(HULL, line) for line in lines]
    assert [HULL.point(arcs[0].first), HULL.point(arcs[0].last)] == near([[0, 0], [0.075, 0.55]])
    first = HULL.point(arcs[1].first)
    assert [first, HULL.point(arcs[1].last)] == near([[0.3339712919, 0.9004784689], [1, 1]])
    a, b = HULL.point(chosen.a), HULL.point(chosen.b)
    assert (chosen.case, a, b) == (3, near([0.075, 0.55]), near([0.3339712919, 0.9004784689]))
    after = abstention_between(a, b, terms)
    assert (after.upr, after.unr) == near([0.3504784689, 0.2589712919])
    assert after.after.skew == pytest.approx(1.140883978, abs=1e-9)
    assert after.point == near([0.1012106538, 0.8467771639])


def test_case_2_precisions():
    _, _, chosen = design(0.7, 0.7, ("precision", "precision"))
    ends = [[0.1090909091, 0.6181818182], [0.4074074074, 0.950617284]]
    assert (chosen.case, np.array(chosen.interval)) == (2, near(ends))
    assert HULL.point(chosen.a) == (0.2, 0.8)


def test_unattainable():
    with pytest.raises(rw.errors.UnattainableError, match=r"unattainable.*0\.909091") as problem:
        design(0.93, 0.87, ("precision", "precision"))
    assert problem.value.largest == pytest.approx(0.5 / 0.55)
    assert (problem.value.side, problem.value.status) == ("positive", "unattainable")
    with pytest.raises(ValueError, match=r"`negative` = 0\.999"):
        design(0.7, 0.999, ("precision", "precision"))


def test_the_largest_value_named_is_accepted():
    y, s = cases()
    with pytest.raises(rw.errors.UnattainableError) as problem:
        rw.reliable(y, s, positive=0.99, negative=0.6)
    rule = rw.reliable(y, s, positive=problem.value.largest, negative=0.9)
    assert rule.positive_performance == pytest.approx(problem.value.largest)


def test_f_measures_by_arcs_and_by_the_paper():
    """The paper's case 3 although single points of the hull reach both targets."""
    _, lines, chosen = design(0.72, 0.75, ("f", "f"), skew=2)
    ends = [[0.1857142857, 0.7714285714], [0.2333333333, 0.825]]
    assert (chosen.case, np.array(chosen.interval)) == (2, near(ends))
    for place in (chosen.a, *np.array(chosen.interval)):
        point = HULL.point(place) if np.isscalar(place) else place
        for line in lines:
            assert values_at(line.metric, *point, MetricTerms(2.0)) >= line.value - 1e-9

    terms, lines, paper = design(0.72, 0.75, ("f", "f"), rule="paper", skew=2)
    a, b = HULL.point(paper.a), HULL.point(paper.b)
    assert (paper.case, a, b) == (3, near([0.2333333333, 0.825]), near([0.3806451613, 0.935483871]))
    after = abstention_between(a, b, terms)
    assert (after.upr, after.unr) == near([0.110483871, 0.147311828])
    assert after.after.skew == pytest.approx(1.917195527, abs=1e-9)
    assert after.point == near([0.2736443884, 0.9274705349])
    values = [float(values_at(line.metric, *after.point, after.after)) for line in lines]
    assert values == near([0.7564702982, 0.8234453181])


def test_precision_with_an_m_estimate():
    terms, lines, chosen = design(0.97, 0.55, ("precision", "m"), skew=0.3, m=0.1)
    a, b = HULL.point(chosen.a), HULL.point(chosen.b)
    assert (chosen.case, a) == (3, near([0.05194805195, 0.5038961039]))
    assert b == near([0.3567567568, 0.9175675676])
    after = abstention_between(a, b, terms)
    assert (after.upr, after.unr) == near([0.4136714637, 0.3048087048])
    assert (after.after.skew, after.after.m) == near([0.3557005597, 0.1635454798])
    assert after.point == near([0.07472483086, 0.8594091412])
    values = [float(values_at(line.metric, *after.point, after.after)) for line in lines]
    assert values == near([0.97, 0.5601345915])


def test_m_constant_as_a_proportion():
    """The m-estimate among the decided cases, recounted with m times their number."""
    rng = np.random.default_rng(5)
    y = rng.random(400) < 0.4
    s = rng.normal(1.2 * y)
    design = {"positive": 0.9, "negative": 0.75, "metric": ("precision", "m"), "m": 0.1}
    number = rw.reliable(y, s, **design)
    proportion = rw.reliable(y, s, **design, m_constant="proportion")
    assert number.case == 3
    assert (proportion.upper_threshold, proportion.upr) == (number.upper_threshold, number.upr)
    assert proportion.m_after == 0.1 < number.m_after
    n, p = (1 - proportion.unr) * (~y).sum(), (1 - proportion.upr) * y.sum()
    fpr, tpr = proportion.point
    tn, fn, m = (1 - fpr) * n, (1 - tpr) * p, 0.1 * (n + p)
    fraction = n / (n + p)
    assert proportion.negative_performance == pytest.approx((tn + m * fraction) / (tn + fn + m))
    with pytest.raises(rw.InputError, match="`m_constant` must be one of 'number', 'proportion'"):
        rw.reliable(y, s, **design, m_constant="m")


def test_conflict():
    with pytest.raises(rw.errors.ConflictError, match="conflict") as problem:
        design(0.66, 0.86, ("f", "f"), skew=2.0)
    assert problem.value.status == "conflict"


def test_figure_7_carries_the_new_skew():
    """Printed 'precision at c = 0.3 is 0.97' holds at c' = 0.34 only."""
    terms = MetricTerms(0.3, 1.0, 0.1)
    after = abstention_between((0.0494, 0.4796), (0.4257, 0.9345), terms)
    assert (after.upr, after.unr) == pytest.approx((0.4549, 0.3763), abs=1e-9)
    assert (after.after.skew, after.after.m) == pytest.approx((0.3433, 0.1776), abs=1e-4)
    at_new = float(values_at("precision+", *after.point, after.after))
    at_old = float(values_at("precision+", *after.point, terms))
    assert at_new == pytest.approx(0.97, abs=2e-4)
    assert abs(at_old - 0.97) > 3e-3
    assert float(values_at("m-", *after.point, after.after)) == pytest.approx(0.5588, abs=2e-4)


def test_figure_6_contradicts_itself():
    """Its upr and unr give c' = 1.864, not 1.84; and its F values would need tpr_b above 1."""
    upr, unr = 0.1541, 0.2116
    assert 2 * (1 - unr) / (1 - upr) == pytest.approx(1.864, abs=5e-4)
    # F = 2 tpr / (1 + tpr + c fpr) = 0.72, F' = 2 tpr / (1 - upr + tpr + c fpr) = 0.7693
    tpr_a = upr / (2 / 0.72 - 2 / 0.7693)
    assert tpr_a == pytest.approx(0.866, abs=1e-3)
    assert tpr_a + upr > 1.01
    # what its targets and shares do give: both rise, by about 5 and 10 points
    terms = MetricTerms(2.0)
    after = abstention_between((0.1560, 0.7381), (0.3676, 0.8922), terms)
    assert float(values_at("f+", *after.point, after.after)) == pytest.approx(0.7785, abs=2e-4)
    assert float(values_at("f-", *after.point, after.after)) == pytest.approx(0.8576, abs=2e-4)
    assert float(values_at("f-", 0.1560, 0.7381, terms)) == pytest.approx(0.855, abs=1e-3)


def test_the_paper_calls_for_abstention_where_one_point_would_do():
    """Erroneous designs are common: F targets that some point of the hull reaches."""
    rng = np.random.default_rng(0)
    needless = 0
    for _ in range(200):
        terms = MetricTerms(float(rng.uniform(0.5, 3)))
        lines = tuple(line_of(f"f{sign}", float(rng.uniform(0.3, 0.9)), terms) for sign in "+-")
        try:
            arcs, paper = (chosen_places(HULL, lines, terms, rule) for rule in ("arcs", "paper"))
        except rw.InputError:
            continue
        needless += paper.case == 3 and arcs.case != 3
    assert needless > 20


def test_thresholds_on_data():
    y, s = cases()
    rule = rw.reliable(y, s, positive=0.88, negative=0.87)
    assert (rule.case, rule.upper_threshold, rule.lower_threshold) == (3, 0.9, 0.5)
    assert (rule.point_a, rule.point_b) == (near([0.075, 0.55]), near([0.3339712919, 0.9004784689]))
    assert rule.mixing == near([1 / 6, 0.6698564593])
    assert (rule.upper_mixed, rule.lower_mixed) == (0.7, 0.3)
    assert (rule.positive_performance, rule.negative_performance) == near([0.88, 0.87])
    assert rule.abstention_rate == pytest.approx((rule.upr + rule.unr) / 2)
    assert (rule.skew, rule.skew_after) == (1, pytest.approx(1.140883978))
    assert rule.decide([0.9, 0.7, 0.5, 0.3, 0.1]).tolist() == [1, -1, -1, 0, 0]
    table = rule.to_frame()
    assert table["case"][0] == 3
    assert rule.to_dict()["mixing"][0] == pytest.approx(1 / 6)


def test_without_abstention_every_new_case_is_decided():
    y, s = cases()
    rule = rw.reliable(y, s, positive=0.7, negative=0.7)
    assert (rule.case, rule.upper_threshold, rule.lower_threshold) == (2, 0.7, 0.5)
    assert rule.decide([0.8, 0.6, 0.2]).tolist() == [1, 0, 0]
    assert (rule.upr, rule.unr, rule.abstention_rate) == (0, 0, 0)
    assert rule.point == rule.point_a == rule.point_b == (0.2, 0.8)
    assert "without abstaining" in repr(rule)


def test_skew_from_costs():
    y, s = cases()
    by_costs = rw.reliable(y, s, positive=0.8, negative=0.8, costs=rw.Costs(fp=1, fn=3, tn=-1))
    assert by_costs.skew == pytest.approx(2 / 3)  # benefits are folded into the error costs
    by_skew = rw.reliable(y, s, positive=0.8, negative=0.8, skew=2 / 3)
    assert by_costs.point_a == by_skew.point_a


def test_extremes():
    perfect = rw.reliable([0, 0, 1, 1], [1, 2, 3, 4], positive=1, negative=1)
    assert (perfect.case, perfect.upper_threshold, perfect.lower_threshold) == (1, 3, 2)
    assert (perfect.positive_performance, perfect.negative_performance) == (1, 1)
    with pytest.raises(rw.errors.UnattainableError, match=r"0\.5"):
        rw.reliable([0, 1, 0, 1], [7, 7, 7, 7], positive=0.6, negative=0.5)
    tied = rw.reliable([0, 1, 0, 1], [7, 7, 7, 7], positive=0.5, negative=0.5)
    assert None in (tied.positive_performance, tied.negative_performance)
    assert "undefined" in repr(tied)
    one = rw.reliable([0, 0, 0, 1], [1, 2, 4, 3], positive=0.4, negative=0.9)
    assert one.positive_performance >= 0.4


def test_sure_precision_abstains_beyond_the_first_error():
    rule = rw.reliable([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6], positive=1, negative=1)
    assert (rule.case, rule.upper_threshold, rule.lower_threshold) == (3, 5, 2)
    assert rule.mixing == (0, 0)
    assert (rule.upr, rule.unr) == pytest.approx((1 / 3, 1 / 3))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"positive": 1.2}, "positive"),
        ({"negative": 0}, "negative"),
        ({"positive": float("nan")}, "positive"),
        ({"metric": "accuracy"}, "metric"),
        ({"metric": ("f", "f", "m")}, "pair"),
        ({"rule": "both"}, "rule"),
        ({"skew": 1, "costs": rw.Costs(fp=1, fn=1)}, "not both"),
        ({"costs": 3}, "Costs object"),
        ({"costs": rw.Costs(fp=1, fn=0)}, "cost more"),
        ({"skew": -1}, "skew"),
        ({"alpha": 0}, "alpha"),
        ({"m": -1}, "m"),
    ],
)
def test_errors(options, words):
    with pytest.raises(rw.InputError, match=words):
        rw.reliable(*cases(), **{"positive": 0.8, "negative": 0.8, **options})


@pytest.mark.parametrize("nudge", [-1e-11, 0.0, 1e-11])
def test_a_corner_missed_by_rounding_is_the_corner(nudge):
    terms = MetricTerms(1.0)
    arc = arc_above(HULL, line_of("precision+", 0.8 + nudge, terms))
    assert arc.last == 2.0


def test_the_rule_at_the_lowest_score_agrees_with_its_decisions():
    options = {"positive": 0.5, "negative": 0.5, "metric": ("f", "m"), "m": 0.1}
    rule = rw.reliable([1, 0, 0, 1], [2, 2, 2, 2], **options)
    assert (rule.point_a, rule.upper_threshold) == ((1, 1), 2)
    assert rule.rule == "positive if score >= 2, otherwise negative"
    assert rule.decide([1, 2]).tolist() == [0, 1]
