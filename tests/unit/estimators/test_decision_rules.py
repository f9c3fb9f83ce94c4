"""Classifiers with a threshold, a window or a reliable rule learned on held-out scores."""

import pickle

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import rocwise as rw
from rocwise.errors import InputError, UnattainableError
from rocwise.estimators import (
    AbstainingClassifier,
    MimeticClassifier,
    ReliableClassifier,
    ThresholdClassifier,
)


def problem(n=300, seed=0, prevalence=0.3):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < prevalence).astype(int)
    return rng.normal(size=(n, 3)) + 0.7 * y[:, None], y


RULES = [
    {},
    {"costs": rw.Costs(fp=1, fn=7)},
    {"costs": rw.Costs(fp=1, fn=7), "prevalence": 0.05},
    {"rule": "youden"},
    {"rule": "min-sensitivity", "constraint": 0.9},
    {"rule": "f-beta", "beta": 2.0},
]


@pytest.mark.parametrize("options", RULES, ids=str)
def test_the_threshold_is_that_of_out_of_fold_scores(options):
    X, y = problem()
    model = ThresholdClassifier(LogisticRegression(), **options).fit(X, y)
    scores = cross_val_predict(LogisticRegression(), X, y, method="predict_proba")[:, 1]
    requested = options if options else {"costs": rw.Costs(fp=1, fn=1)}
    point = rw.threshold(y, scores, **requested)
    assert model.threshold_ == point.threshold
    assert (model.point_.tp, model.point_.fp) == (point.tp, point.fp)
    fitted = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    assert np.array_equal(model.predict(X), (fitted >= point.threshold).astype(int))
    assert "out-of-fold scores (5 folds) by predict_proba" in model.how_


@pytest.mark.filterwarnings("ignore:no row is predicted positive")
@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from([0.05, 0.5, 1.0, 3.0, 20.0]))
def test_no_other_threshold_is_cheaper_on_the_held_out_scores(seed, dearness):
    X, y = problem(60, seed, prevalence=0.5)
    costs = rw.Costs(fp=1, fn=dearness)
    model = ThresholdClassifier(GaussianNB(), costs=costs).fit(X, y)
    scores = cross_val_predict(GaussianNB(), X, y, method="predict_proba")[:, 1]
    every = [
        np.mean(np.where(y == 1, dearness * (scores < cut), scores >= cut))
        for cut in [*scores, np.inf]
    ]
    assert model.point_.expected_cost == pytest.approx(min(every), abs=1e-12)


def test_a_threshold_above_every_score_is_warned_of():
    X, y = problem(400)
    y[np.flatnonzero(y)[3:]] = 0
    with pytest.warns(rw.errors.MisuseWarning, match="no row is predicted positive: of 3 pos"):
        model = ThresholdClassifier(LogisticRegression(), costs=rw.Costs(fp=10, fn=1)).fit(X, y)
    assert not model.predict(X).any()


def test_the_sign_of_the_decision_function_is_the_prediction():
    X, y = problem()
    fitted = LogisticRegression().fit(X, y)
    model = ThresholdClassifier(fitted, costs=rw.Costs(fp=1, fn=4), cv="prefit").fit(X, y)
    decision = model.decision_function(X)
    assert (fitted.predict_proba(X)[:, 1] == model.threshold_).sum() == 1  # a row is exactly there
    assert np.array_equal(decision > 0, model.predict(X) == 1)
    assert roc_auc_score(y, decision) == roc_auc_score(y, fitted.predict_proba(X)[:, 1])


@pytest.mark.parametrize("labels", [["well", "ill"], [False, True], [-1, 1], [2.0, 5.0]], ids=str)
def test_any_two_labels(labels):
    X, y = problem()
    named = np.array(labels)[y]
    costs = rw.Costs(fp=1, fn=3)
    model = ThresholdClassifier(costs=costs, pos_label=labels[1]).fit(X, named)
    plain = ThresholdClassifier(costs=costs).fit(X, y)
    assert model.classes_.tolist() == sorted(labels)
    assert model.pos_label_ == labels[1]
    assert np.array_equal(model.predict(X) == labels[1], plain.predict(X) == 1)
    assert model.mean_cost(X, named) == plain.mean_cost(X, y)
    sign = np.sign(model.decision_function(X))
    assert np.array_equal(model.classes_[(sign > 0).astype(int)], model.predict(X))


def test_weights_reach_the_model_and_the_rule():
    X, y = problem()
    weights = np.where(y == 1, 1.0, 3.0)
    weighted = ThresholdClassifier(GaussianNB()).fit(X, y, sample_weight=weights)
    assert weighted.point_.n_neg == 3 * (y == 0).sum()
    model = GaussianNB().fit(X, y, sample_weight=weights)
    assert np.array_equal(weighted.estimator_.class_prior_, model.class_prior_)
    assert weighted.threshold_ != ThresholdClassifier(GaussianNB()).fit(X, y).threshold_


def test_mean_cost_on_new_rows():
    X, y = problem()
    new_X, new_y = problem(seed=1)
    model = ThresholdClassifier(costs=rw.Costs(fp=2, fn=7, tp=1, tn=-1)).fit(X, y)
    decisions = model.predict(new_X)
    each = np.array([[-1, 2], [7, 1]])[new_y, decisions]
    assert model.mean_cost(new_X, new_y) == pytest.approx(each.mean())
    assert ThresholdClassifier().fit(X, y).mean_cost(X, y) == pytest.approx(
        1 - ThresholdClassifier().fit(X, y).score(X, y)
    )


def test_cheaper_than_the_plain_model_where_costs_are_unequal():
    X, y = problem(2000)
    new_X, new_y = problem(4000, seed=1)
    costs = rw.Costs(fp=1, fn=10)
    model = ThresholdClassifier(costs=costs).fit(X, y)
    plain = LogisticRegression().fit(X, y).predict(new_X)
    plain_cost = np.array([[0, 1], [10, 0]])[new_y, plain].mean()
    assert model.mean_cost(new_X, new_y) < 0.5 * plain_cost


def test_errors():
    X, y = problem()
    with pytest.raises(InputError, match=r"`costs` must be a Costs"):
        ThresholdClassifier(costs=[[0, 1], [2, 0]]).fit(X, y)
    with pytest.raises(InputError, match="`constraint`"):
        ThresholdClassifier(rule="min-sensitivity").fit(X, y)
    with pytest.raises(InputError, match=r"Only binary classification.*0, 1, 2"):
        ThresholdClassifier().fit(X, np.arange(len(y)) % 3)
    with pytest.raises(InputError, match="needs two classes in y; got one class only: 4"):
        ThresholdClassifier().fit(X, np.full(len(y), 4))
    with pytest.raises(InputError, match="not taken by the estimator KNeighborsClassifier"):
        ThresholdClassifier(KNeighborsClassifier()).fit(X, y, sample_weight=np.ones(len(y)))
    with pytest.raises(AttributeError):
        ThresholdClassifier().fit(X, y).predict_proba(X)


COSTS = rw.Costs(fp=1, fn=2, abstain=0.2)


def even_problem(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 3)) + 0.7 * y[:, None], y


def test_the_window_is_that_of_out_of_fold_scores():
    X, y = even_problem()
    model = AbstainingClassifier(LogisticRegression(), costs=COSTS, prevalence=0.3).fit(X, y)
    scores = cross_val_predict(LogisticRegression(), X, y, method="predict_proba")[:, 1]
    window = rw.abstain(y, scores, costs=COSTS, prevalence=0.3)
    assert (model.window_.lower, model.window_.upper) == (window.lower, window.upper)
    assert 0 < window.abstention_rate < 1
    fitted = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    expected = np.where(fitted >= window.upper, 1, np.where(fitted <= window.lower, 0, -1))
    labels, abstained = model.predict_with_abstention(X)
    assert np.array_equal(labels, expected)
    assert np.array_equal(model.predict(X), expected)
    assert np.array_equal(abstained, expected == -1)
    assert "out-of-fold scores (5 folds)" in model.how_


def test_without_costs_every_case_is_decided():
    X, y = even_problem()
    model = AbstainingClassifier().fit(X, y)
    assert model.window_.lower == model.window_.upper
    assert not model.predict_with_abstention(X).abstained.any()


@pytest.mark.parametrize(
    ("labels", "reject_label"),
    [([0, 1], "?"), (["no", "yes"], -1), (["a", "b"], "undecided"), ([0, 1], None), ([0, 1], 0.5)],
    ids=str,
)
def test_reject_label_of_the_users_choice(labels, reject_label):
    X, y = even_problem()
    named = np.array(labels)[y]
    model = AbstainingClassifier(costs=COSTS, reject_label=reject_label, pos_label=labels[1])
    model.fit(X, named)
    predicted, abstained = model.predict_with_abstention(X)
    assert 0 < abstained.sum() < len(y)
    assert set(predicted[abstained].tolist()) == {reject_label}
    assert set(predicted[~abstained].tolist()) <= set(labels)
    right = (predicted == named) & ~abstained
    assert model.score(X, named) == right.mean()


def test_a_reject_label_that_is_a_class_raises_where_it_could_be_used():
    X, y = even_problem()
    with pytest.raises(InputError, match="`reject_label` -1 is one of the classes"):
        AbstainingClassifier(costs=COSTS).fit(X, 2 * y - 1)
    assert AbstainingClassifier().fit(X, 2 * y - 1).predict(X).min() == -1


def test_cascade_to_a_second_model():
    X, y = even_problem()
    second = KNeighborsClassifier()
    model = AbstainingClassifier(GaussianNB(), costs=COSTS, second=second).fit(X, y)
    first, abstained = model.predict_with_abstention(X)
    settled = model.predict(X)
    requested = KNeighborsClassifier().fit(X, y).predict(X)
    assert abstained.any()
    assert np.array_equal(settled, np.where(abstained, requested, first))
    assert not hasattr(second, "classes_")  # the user's own is not touched


def test_a_second_model_that_abstains_hands_its_label_on():
    X, y = even_problem()
    nested = AbstainingClassifier(KNeighborsClassifier(), costs=COSTS, reject_label="people")
    model = AbstainingClassifier(GaussianNB(), costs=COSTS, second=nested).fit(X, y)
    left = nested.fit(X, y).predict_with_abstention(X).abstained
    left &= model.predict_with_abstention(X).abstained
    assert left.any()
    assert np.array_equal(model.predict(X) == "people", left)


def test_queue_for_people_lists_the_undecided_most_positive_first():
    X, y = even_problem()
    model = AbstainingClassifier(costs=COSTS).fit(X, y)
    queue = model.review_queue(X)
    assert np.array_equal(np.sort(queue), np.flatnonzero(model.predict(X) == -1))
    scores = model.estimator_.predict_proba(X)[queue, 1]
    assert (np.diff(scores) <= 0).all()


def test_the_mean_cost_of_the_rows_of_a_fitted_model_is_the_expected_cost_of_the_window():
    X, y = even_problem()
    fitted = LogisticRegression().fit(*even_problem(seed=5))
    model = AbstainingClassifier(fitted, costs=COSTS, cv="prefit").fit(X, y)
    assert model.mean_cost(X, y) == pytest.approx(model.window_.expected_cost, abs=1e-12)


def test_errors_of_windows():
    X, y = even_problem()
    with pytest.raises(InputError, match=r"`costs.abstain`"):
        AbstainingClassifier(costs=rw.Costs(fp=1, fn=1)).fit(X, y)
    with pytest.raises(InputError, match="Only binary classification"):
        AbstainingClassifier().fit(X, np.arange(len(y)) % 3)


@pytest.mark.parametrize("abstain", [0.05, 0.2, 1.0])
def test_the_sign_of_the_decision_function_is_the_decision(abstain):
    X, y = even_problem()
    model = AbstainingClassifier(costs=rw.Costs(fp=1, fn=2, abstain=abstain)).fit(X, y)
    distance = model.decision_function(X)
    labels, abstained = model.predict_with_abstention(X)
    assert np.array_equal(np.sign(distance), np.where(abstained, 0, 2 * labels - 1))
    order = np.argsort(model.estimator_.predict_proba(X)[:, 1])
    assert (np.diff(distance[order]) >= 0).all()
    assert len(np.unique(distance[~abstained])) == (~abstained).sum()


def separated_problem(n=400, seed=0, distance=0.7):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 3)) + distance * y[:, None], y


def precisions(truth, decisions):
    """Of those predicted positive, and of those predicted negative; None where there are none."""
    found = []
    for label in (1, 0):
        called = decisions == label
        found.append(float((truth[called] == label).mean()) if called.any() else None)
    return tuple(found)


def test_the_rule_is_that_of_out_of_fold_scores():
    X, y = separated_problem()
    model = ReliableClassifier(LogisticRegression(), positive=0.9, negative=0.85).fit(X, y)
    scores = cross_val_predict(LogisticRegression(), X, y, method="predict_proba")[:, 1]
    rule = rw.reliable(y, scores, positive=0.9, negative=0.85)
    assert model.rule_.case == rule.case == 3
    assert model.rule_.upper_threshold == rule.upper_threshold
    assert model.rule_.lower_threshold == rule.lower_threshold
    assert "out-of-fold scores (5 folds)" in model.how_
    fitted = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    assert np.array_equal(model.predict(X), rule.decide(fitted))


@settings(max_examples=25)
@given(
    st.integers(0, 10**6), st.floats(0.6, 0.95), st.floats(0.6, 0.95), st.sampled_from([0.3, 1.0])
)
def test_both_targets_are_reached_on_the_training_rows(seed, positive, negative, distance):
    X, y = separated_problem(80, seed, distance)
    assume(0 < y.sum() < len(y))
    known = GaussianNB().fit(*separated_problem(60, seed + 1, distance))
    options = {"positive": positive, "negative": negative, "reject_label": -1}
    model = ReliableClassifier(known, cv="prefit", **options).fit(X, y)
    if model.rule_ is None:
        assert (model.predict(X) == -1).all()
        return
    for reached, target in zip(precisions(y, model.predict(X)), (positive, negative), strict=True):
        assert reached is None or reached >= target - 1e-9


def test_predictions_do_not_depend_on_chance_or_on_the_other_rows():
    X, y = separated_problem()
    model = ReliableClassifier(positive=0.9, negative=0.9).fit(X, y)
    assert any(model.rule_.mixing)  # inside an edge of the hull
    assert "the two rules of the mixture disagree" in model.how_
    whole = model.predict(X)
    one_by_one = [model.predict(X[row : row + 1])[0] for row in range(40)]
    assert whole[:40].tolist() == one_by_one


def test_easy_targets_leave_no_score_undecided():
    X, y = separated_problem(distance=2.0)
    model = ReliableClassifier(positive=0.8, negative=0.8).fit(X, y)
    assert model.rule_.case == 2
    assert set(model.predict(np.random.default_rng(3).normal(1, 2, (2000, 3))).tolist()) == {0, 1}


def test_out_of_reach_decides_nothing_or_raises():
    X, y = separated_problem(distance=0.0)
    model = ReliableClassifier(positive=0.99, negative=0.99, reject_label="undecided").fit(X, y)
    assert model.rule_ is None
    assert set(model.predict(X)) == {"undecided"}
    assert model.review_queue(X).shape == (len(y),)
    assert model.how_.startswith("no case is decided: `positive` = 0.99 is unattainable")
    with pytest.raises(UnattainableError, match="unattainable"):
        ReliableClassifier(positive=0.99, negative=0.99, unattainable="raise").fit(X, y)


@pytest.mark.parametrize("metric", ["f", "m", ("precision", "m")], ids=str)
def test_other_metrics(metric):
    X, y = separated_problem()
    scores = cross_val_predict(LogisticRegression(), X, y, method="predict_proba")[:, 1]
    model = ReliableClassifier(positive=0.7, negative=0.7, metric=metric).fit(X, y)
    rule = rw.reliable(y, scores, positive=0.7, negative=0.7, metric=metric)
    assert model.rule_.to_dict() == rule.to_dict()


def test_errors_of_reliable_rules():
    X, y = separated_problem()
    with pytest.raises(InputError, match="`unattainable` must be one of"):
        ReliableClassifier(unattainable="warn").fit(X, y)
    with pytest.raises(InputError, match="`positive`"):
        ReliableClassifier(positive=1.5).fit(X, y)


RNG = np.random.default_rng(3)
TRUTH = RNG.integers(0, 2, 240)
X = RNG.normal(size=(240, 2)) + 0.8 * TRUTH[:, None]
NAMES = np.array(["good", "bad"])[TRUTH]  # ones are bad, though "good" sorts after "bad"
DEAR = {"costs": rw.Costs(fp=1, fn=5)}
ASYMMETRIC = {
    "costs": (ThresholdClassifier, DEAR),
    "f1": (ThresholdClassifier, {"rule": "f1"}),
    "limit": (ThresholdClassifier, {"rule": "min-sensitivity", "constraint": 0.9}),
    "prevalence": (ThresholdClassifier, {"prevalence": 0.1}),
    "abstaining": (AbstainingClassifier, {"costs": rw.Costs(fp=1, fn=5, abstain=0.3)}),
    "abstaining on one class": (
        AbstainingClassifier,
        {"costs": rw.Costs(fp=1, fn=1, abstain=(0.1, 0.3))},
    ),
    "targets": (ReliableClassifier, {"positive": 0.8, "negative": 0.95}),
    "targets of two metrics": (ReliableClassifier, {"metric": ("precision", "f")}),
    "mimetic": (MimeticClassifier, {**DEAR, "n_samples": 300, "random_state": 1}),
}


@pytest.mark.parametrize("kind", ASYMMETRIC)
def test_text_labels_need_pos_label_where_the_classes_matter(kind):
    cls, options = ASYMMETRIC[kind]
    with pytest.raises(
        rw.InputError, match=r"labels 'bad' and 'good' of `y`. Pass pos_label='bad' or"
    ):
        cls(**options).fit(X, NAMES)
    with pytest.raises(rw.InputError, match="required for the labels 1 and 2 of `y`"):
        cls(**options).fit(X, TRUTH + 1)
    with pytest.raises(rw.InputError, match="`pos_label` 'ugly' does not occur in `y`"):
        cls(**options, pos_label="ugly").fit(X, NAMES)


@pytest.mark.parametrize("kind", ASYMMETRIC)
def test_the_positive_class_may_be_the_first_in_sorted_order(kind):
    cls, options = ASYMMETRIC[kind]
    named = cls(**options, pos_label="bad").fit(X, NAMES)
    plain = cls(**options).fit(X, TRUTH)
    names = np.array(["good", "bad"])
    here, there = named.predict(X), plain.predict(X)
    decided = (there == 0) | (there == 1)
    assert here[decided].tolist() == names[there[decided].astype(int)].tolist()
    assert (here[~decided].astype(str) == "-1").all()
    assert named.classes_.tolist() == ["bad", "good"]
    assert named.pos_label_ == "bad"
    if hasattr(named, "mean_cost"):
        assert named.mean_cost(X, NAMES) == plain.mean_cost(X, TRUTH)
    if hasattr(named, "predict_proba"):
        np.testing.assert_allclose(named.predict_proba(X)[:, 0], plain.predict_proba(X)[:, 1])
    else:  # scikit-learn wants it above 0 where the second class is predicted
        np.testing.assert_allclose(named.decision_function(X), -plain.decision_function(X))


@pytest.mark.parametrize("reject_label", [float("nan"), True, ["?"], 2**63], ids=str)
def test_what_is_no_label_raises(reject_label):
    with pytest.raises(InputError, match="`reject_label` must be one number or text, or None; got"):
        AbstainingClassifier(costs=COSTS, reject_label=reject_label).fit(*problem())


def test_the_model_does_not_carry_every_score():
    X, y = problem(20_000)
    model = ThresholdClassifier(GaussianNB()).fit(X, y)
    assert len(pickle.dumps(model)) < 300_000
    assert model.point_.tp + model.point_.fn == y.sum()  # the counts are those of all rows
