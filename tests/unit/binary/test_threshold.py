"""The threshold by a rule: published vectors, other packages, texts, and errors."""

import math

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from sklearn import metrics as sk

import rocwise as rw
from rocwise.binary.threshold_rules import RULES

S = [0.9, 0.8, 0.8, 0.6, 0.55, 0.3, 0.3, 0.1]
Y = [1, 1, 0, 1, 0, 0, 1, 0]
RNG = np.random.default_rng(5)
LABELS = RNG.integers(0, 2, 200)
SCORES = np.round(RNG.normal(size=200) + LABELS, 1)
LIMIT = {"rate": 0.6, "ratio": 1.5, "alarms": 0.4}


def given(rule):
    """The options that a rule needs."""
    options = {"rule": rule}
    if RULES[rule].limit:
        options["constraint"] = LIMIT[RULES[rule].limit.kind]
    if rule == "cost":
        options["costs"] = rw.Costs(fp=1, fn=3)
    if rule == "f-beta":
        options["beta"] = 2
    if rule == "max-lr-negative":
        options["constraint"] = 0.6
    return options


@pytest.mark.parametrize(
    ("fn", "fp", "cut", "cost"), [(1, 1, 0.575, 2), (5, 1, 0.2, 3), (1, 5, 0.85, 3)]
)
def test_worked_example_with_ties(fn, fp, cut, cost):
    """Costs at the seven cuts of eight cases; ours is the score just above the cut."""
    point = rw.threshold(Y, S, costs=rw.Costs(fp=fp, fn=fn))
    assert point.expected_cost * len(Y) == pytest.approx(cost, abs=1e-12)
    assert point.threshold == min(score for score in S if score > cut)


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
def test_all_and_none_positive_are_candidates():
    """Cuts printed inside the range of the scores would miss both."""
    all_positive = rw.threshold(Y, S, costs=rw.Costs(fp=1, fn=100))
    assert (all_positive.threshold, all_positive.fn) == (0.3, 0)
    worst = rw.threshold([1, 0, 1, 0], [0.1, 0.2, 0.3, 0.4], costs=rw.Costs(fp=1, fn=100))
    assert (worst.threshold, worst.tn) == (0.1, 0)
    none_positive = rw.threshold([1, 0, 1, 0], [0.1, 0.2, 0.3, 0.4], costs=rw.Costs(fp=100, fn=1))
    assert (none_positive.threshold, none_positive.tp, none_positive.fp) == (math.inf, 0, 0)
    assert none_positive.precision is None
    assert "no case is predicted positive" in repr(none_positive)
    assert none_positive.to_dict()["threshold"] is None


@pytest.mark.parametrize(
    ("rule", "metric"),
    [
        ("f1", sk.f1_score),
        ("f-beta", lambda y, called: sk.fbeta_score(y, called, beta=2)),
        ("mcc", sk.matthews_corrcoef),
        ("kappa", sk.cohen_kappa_score),
        ("accuracy", sk.accuracy_score),
        ("ameans", sk.balanced_accuracy_score),
        ("chi-square", lambda y, c: chi2_contingency(sk.confusion_matrix(y, c), False).statistic),
        ("min-specificity", sk.recall_score),
        ("min-sensitivity", lambda y, c: sk.recall_score(y, c, pos_label=0)),
    ],
)
def test_values_are_those_of_other_packages(rule, metric):
    point = rw.threshold(LABELS, SCORES, **given(rule))
    assert point.value == pytest.approx(metric(LABELS, point.threshold <= SCORES), rel=1e-9)
    if (
        RULES[rule].limit is None and rule != "chi-square"
    ):  # undefined when all predictions are equal
        tried = [metric(LABELS, cut <= SCORES) for cut in np.unique(SCORES)]
        assert point.value == pytest.approx(max(tried), rel=1e-9)


def test_tuned_threshold_of_scikit_learn_agrees():
    """Scores of a fitted model, threshold by balanced accuracy, on the same candidates."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import TunedThresholdClassifierCV

    features = SCORES[:, None]
    model = LogisticRegression().fit(features, LABELS)
    risk = model.predict_proba(features)[:, 1]
    tuned = TunedThresholdClassifierCV(
        model, scoring="balanced_accuracy", cv="prefit", refit=False, thresholds=np.unique(risk)
    ).fit(features, LABELS)
    ours = rw.threshold(LABELS, risk, rule="ameans")
    assert ours.value == pytest.approx(tuned.best_score_, rel=1e-12)


def test_prevalence_of_use_and_not_of_the_data():
    """A cost at another prevalence is that of data re-weighted to it."""
    costs = rw.Costs(fp=1, fn=20)
    point = rw.threshold(LABELS, SCORES, costs=costs, prevalence=0.02)
    called = point.threshold <= SCORES
    tpr, fpr = called[LABELS == 1].mean(), called[LABELS == 0].mean()
    assert point.expected_cost == pytest.approx(0.02 * 20 * (1 - tpr) + 0.98 * fpr, rel=1e-12)
    assert point.precision == pytest.approx(0.02 * tpr / (0.02 * tpr + 0.98 * fpr), rel=1e-12)
    assert point.prevalence == 0.02
    assert point.threshold > rw.threshold(LABELS, SCORES, costs=costs).threshold


def test_costs_with_another_rule_are_reported():
    costs = rw.Costs(fp=1, fn=5)
    point = rw.threshold(Y, S, rule="youden", costs=costs)
    assert point.expected_cost == pytest.approx((point.fp + 5 * point.fn) / 8)
    assert rw.threshold(Y, S, rule="youden").expected_cost is None


def test_target_proportion_of_positives():
    point = rw.threshold(LABELS, SCORES, rule="prevalence", constraint=0.1)
    proportions = [np.mean(cut <= SCORES) for cut in np.unique(SCORES)]
    assert point.value == pytest.approx(min(abs(proportion - 0.1) for proportion in proportions))
    own = rw.threshold(LABELS, SCORES, rule="prevalence")
    assert abs(own.tp + own.fp - LABELS.sum()) == pytest.approx(own.value * 200)


def test_ties_are_settled_as_specified():
    y, s = [0, 1, 0, 1], [1, 2, 3, 4]
    strict, mild = (rw.threshold(y, s, rule="youden", ties=t) for t in ("strict", "mild"))
    assert (strict.threshold, mild.threshold) == (4.0, 2.0)
    assert strict.equals.tolist() == [4.0, 2.0]
    assert "the highest of 2 equally good thresholds" in repr(strict)
    assert rw.threshold(y, s, rule="youden").threshold == 4.0
    assert rw.threshold(y, s, costs=rw.Costs(fp=1, fn=1)).threshold == 2.0


def test_a_limit_never_leaves_a_better_point_unused():
    """Specificity is 1 at three thresholds; the one with the most hits is taken."""
    point = rw.threshold([0, 0, 1, 1, 1], [1, 2, 3, 4, 5], rule="min-specificity", constraint=1)
    assert (point.threshold, point.tpr) == (3.0, 1.0)
    point = rw.threshold([0, 0, 1, 1, 1], [1, 2, 3, 4, 5], rule="min-sensitivity", constraint=0.2)
    assert (point.threshold, point.tpr, point.fpr) == (3.0, 1.0, 0.0)


def test_a_limit_that_a_decimal_meets_exactly():
    y = [1] * 10 + [0] * 10
    s = list(range(20, 10, -1)) + [12.5] * 10
    point = rw.threshold(y, s, rule="min-sensitivity", constraint=0.8)
    assert (point.tp, point.fp) == (8, 0)
    again = rw.threshold(y, s, rule="min-precision", constraint=9 / 19)
    assert (again.tp, again.fp) == (10, 10)


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
def test_extremes():
    one = rw.threshold([0, 1], [0.5, 0.5], costs=rw.Costs(fp=1, fn=1))
    assert one.expected_cost == 0.5
    perfect = rw.threshold([0, 0, 1], [1, 2, 3], rule="mcc")
    assert (perfect.threshold, perfect.value) == (3.0, pytest.approx(1.0))
    infinite = rw.threshold([0, 1, 1], [0, math.inf, 1], rule="youden")
    assert (infinite.threshold, infinite.tp) == (1.0, 2)
    dear = rw.threshold([1, 0], [0, math.inf], costs=rw.Costs(fp=9, fn=1))
    assert (dear.threshold, dear.fp, dear.threshold_text) == (math.inf, 0, "above every score")
    huge = rw.threshold([0, 1], [2**60, 2**60 + 1], rule="youden")
    assert huge.threshold == 2**60 + 1


def test_ordered_categories():
    pd = pytest.importorskip("pandas")
    grades = pd.Categorical(["low", "mid", "mid", "high"], ["low", "mid", "high"], ordered=True)
    point = rw.threshold([0, 0, 1, 1], pd.Series(grades), rule="youden")
    assert point.threshold_text in ("mid", "high")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rule": "best"}, "`rule` must be one of 'cost', 'youden'"),
        ({}, "rule='cost' needs `costs`"),
        ({"costs": (1, 5)}, "`costs` must be a Costs object"),
        ({"costs": rw.Costs(fp=0, fn=1)}, "`costs` of `threshold` must make each error cost more"),
        ({"costs": rw.Costs(fp=1, fn=2, tp=2)}, "(fn > tp and fp > tn); got fp=1, tn=0, fn=2, tp"),
        ({"costs": rw.Costs(fp=1, fn=0), "rule": "f1"}, "must make each error cost more"),
        ({"rule": "min-sensitivity"}, "rule='min-sensitivity' needs `constraint`"),
        ({"rule": "min-sensitivity", "constraint": 90}, "`constraint` must lie between 0 and 1"),
        ({"rule": "max-alarms", "constraint": -1}, "`constraint` must not be negative"),
        ({"rule": "youden", "constraint": 0.9}, "`constraint` has no meaning with rule='youden'"),
        ({"rule": "youden", "prevalence": 1.0}, "`prevalence` must lie strictly between"),
        ({"rule": "youden", "ties": "any"}, "`ties` must be one of 'strict', 'mild', 'middle'"),
        ({"rule": "f-beta"}, "rule='f-beta' needs `beta`"),
        ({"rule": "f-beta", "beta": 0}, "`beta` must be above 0"),
        ({"rule": "f1", "beta": 2}, "`beta` has no meaning with rule='f1'"),
    ],
)
def test_errors(options, words):
    with pytest.raises(rw.InputError) as caught:
        rw.threshold(Y, S, **options)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "bad", [{"fp": -1, "fn": 1}, {"fp": 1, "fn": math.nan}, {"fp": 0, "fn": 0}]
)
def test_bad_costs(bad):
    with pytest.raises(rw.InputError, match="cost"):
        rw.threshold(Y, S, costs=rw.Costs(**bad))


def test_an_error_cheaper_than_the_right_decision():
    with pytest.raises(rw.InputError, match="cheaper than the right decision"):
        rw.Costs(fp=1, fn=1, tp=2)


def test_unattainable_limits_raise_with_what_is_attainable():
    with pytest.raises(rw.InputError, match=r"largest attainable precision is 0\.5"):
        rw.threshold([0, 1], [1, 1], rule="min-precision", constraint=0.9)
    with pytest.raises(rw.InputError) as caught:
        rw.threshold([0, 1, 1, 0, 0], [5, 4, 3, 2, 1], rule="min-precision", constraint=0.9)
    reached = float(str(caught.value).split()[-1].rstrip("."))
    assert 0.6666 <= reached <= 2 / 3
    assert (
        rw.threshold([0, 1, 1, 0, 0], [5, 4, 3, 2, 1], rule="min-precision", constraint=reached).tp
        == 2
    )
    with pytest.raises(rw.InputError, match="smallest attainable LR- is 1"):
        rw.threshold([0, 1], [1, 1], rule="max-lr-negative", constraint=0.5)


def test_scores_in_the_wrong_direction_warn():
    y, s = [1] * 6 + [0] * 6, list(range(12))
    with pytest.warns(rw.errors.DirectionWarning, match="The AUC is below 0.5") as caught:
        point = rw.threshold(y, s, rule="youden")
    assert point.threshold == math.inf  # nothing was flipped
    assert caught[0].filename == __file__
    rw.threshold(y, s, rule="youden", direction="lower")
    rw.threshold([1, 0, 1, 0], [1, 2, 3, 4], rule="youden")  # below one half by chance
    rw.threshold([1, 0], [1, 1], rule="youden")  # exactly one half


def test_a_table_of_thresholds_may_have_a_free_error():
    table = rw.thresholds(Y, S, costs=rw.Costs(fp=0, fn=1))
    assert np.allclose(table.expected_cost, table.fn / len(Y))


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize(
    "options",
    [
        {"rule": "youden"},
        {"costs": rw.Costs(fp=1, fn=3, tp=-1)},
        {"costs": rw.Costs(fp=1, fn=3), "prevalence": 0.1},
        {"rule": "min-precision", "constraint": 0.5},
        {"rule": "predictive-sum"},
    ],
)
def test_the_measure_over_all_thresholds(options, direction):
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 60)
    s = np.round(rng.normal(size=60) + 2 * y, 1)
    point = rw.threshold(y, s if direction == "higher" else -s, direction=direction, **options)
    curve = point.measure_curve()
    assert curve.name == point.value_name
    assert len(curve.values) == len(curve.thresholds) == len(set(s.tolist())) + 1
    assert np.isinf(curve.thresholds[0])
    assert curve.values[curve.thresholds == point.threshold] == point.value
    best = curve.values.min() if point.rule == "cost" else curve.values.max()
    if point.constraint is None:
        assert point.value == pytest.approx(best)
    assert list(curve.to_frame()) == ["thresholds", "values"]
    assert "data" not in point.to_dict()
    assert "point" not in curve.to_dict()


def test_undefined_measures_are_masked():
    curve = rw.threshold([0, 0, 1, 1], [1, 2, 3, 4], rule="predictive-sum").measure_curve()
    assert np.ma.getmaskarray(curve.values).tolist() == [True, False, False, False, True]


def test_a_point_as_a_row_has_the_same_columns_for_every_rule():
    first = rw.threshold([0, 0, 1, 1], [1, 2, 3, 4], rule="youden").to_frame()
    second = rw.threshold([0, 0, 1, 1], [1, 2, 3, 4], costs=rw.Costs(fp=1, fn=2)).to_frame()
    assert list(first) == list(second)
    assert first["expected_cost"].tolist() == [None]


@pytest.mark.filterwarnings("ignore:the smaller class has")
def test_a_metric_of_ones_own_is_a_rule():
    y = np.array([0, 0, 1, 0, 1, 0, 1, 1])
    s = np.arange(8.0)

    def critical_success(tp, fp, fn, tn):
        return tp / (tp + fp + fn)

    point = rw.threshold(y, s, rule=critical_success)
    table = rw.thresholds(y, s)
    index = table.tp / (table.tp + table.fp + table.fn)
    assert point.value == index.max()
    assert point.threshold == table.threshold[np.argmax(index)]
    assert "largest critical_success" in repr(point)
    assert point.measure_curve().values[1:].tolist() == index.tolist()
    assert 0 < point.uncertainty(n_resamples=20, rng=1).in_sample[0] <= 1
    same = rw.threshold(y, s, rule=lambda tp, fp, fn, tn: tp / (tp + fn) + tn / (tn + fp))
    assert same.threshold == rw.threshold(y, s, rule="youden").threshold
    with pytest.raises(rw.InputError, match="must give one value for each threshold"):
        rw.threshold(y, s, rule=lambda tp, fp, fn, tn: 1.0)
