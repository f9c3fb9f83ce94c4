"""Estimators for several classes: out-of-fold scores, any labels, scikit-learn's own checks."""

import numpy as np
import pytest
import sklearn
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    StratifiedGroupKFold,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

import rocwise as rw
from rocwise.estimators import (
    AbstainingClassifier,
    ClassWeightClassifier,
    MetaClassClassifier,
    ThresholdClassifier,
)
from rocwise.multiclass import class_cost

COSTS = np.array([[0, 1, 4], [2, 0, 3], [7, 1, 0]])


@pytest.fixture(scope="module")
def data():
    return make_classification(
        300, 6, n_informative=4, n_classes=3, class_sep=0.7, flip_y=0.1, random_state=0
    )


BOTH = pytest.mark.parametrize("kind", [ClassWeightClassifier, MetaClassClassifier])


def out_of_fold(X, y):
    return cross_val_predict(GaussianNB(), X, y, cv=StratifiedKFold(5), method="predict_proba")


def test_weights_are_those_of_held_out_probabilities(data):
    X, y = data
    model = ClassWeightClassifier(GaussianNB(), costs=COSTS).fit(X, y)
    expected = rw.multiclass.class_weights(y, out_of_fold(X, y), costs=COSTS)
    assert model.weights_ == pytest.approx(expected.weights)
    assert model.result_.cost == pytest.approx(expected.cost)
    seen = rw.multiclass.class_weights(y, GaussianNB().fit(X, y).predict_proba(X), costs=COSTS)
    assert model.weights_ != pytest.approx(seen.weights)  # not those of rows it has seen
    assert "held-out" in model.how_


def test_tree_is_that_of_held_out_probabilities(data):
    X, y = data
    model = MetaClassClassifier(GaussianNB(), costs=COSTS, average="pair").fit(X, y)
    expected = rw.multiclass.metaclass(y, out_of_fold(X, y), costs=COSTS, average="pair")
    assert model.tree_.root == expected.root
    assert not hasattr(model, "predict_proba")


@BOTH
def test_any_labels_in_sorted_order(kind, data):
    X, y = data
    names = np.array(["bear", "ant", "cat"])  # sorted: ant 1, bear 0, cat 2
    back = np.array([1, 0, 2])
    costs = COSTS[np.ix_(back, back)]
    plain = kind(GaussianNB(), costs=COSTS, prior=[0.5, 0.3, 0.2]).fit(X, y)
    named = kind(GaussianNB(), costs=costs, prior=[0.3, 0.5, 0.2]).fit(X, names[y])
    assert named.classes_.tolist() == ["ant", "bear", "cat"]
    if kind is ClassWeightClassifier:  # the numbers of equally cheap weights may differ
        assert named.result_.cost == pytest.approx(plain.result_.cost)
    assert set(named.predict(X)) <= set(names)
    assert named.mean_cost(X, names[y]) == pytest.approx(
        class_cost(
            np.searchsorted(named.classes_, names[y]),
            np.eye(3)[np.searchsorted(named.classes_, named.predict(X))],
            costs=costs,
            prior=[0.3, 0.5, 0.2],
        )
    )


@pytest.mark.parametrize("method", ["auto", "passes", "cost-columns", "genetic"])
def test_probabilities_are_normalised_products(method, data):
    X, y = data
    model = ClassWeightClassifier(GaussianNB(), costs=COSTS, method=method, random_state=0)
    model.fit(X, y)
    found = model.predict_proba(X)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(X)))
    assert model.classes_[found.argmax(axis=1)].tolist() == model.predict(X).tolist()
    inner = model.estimator_.predict_proba(X)
    products = inner * model.weights_ if method != "cost-columns" else None
    if products is not None:
        assert found == pytest.approx(products / products.sum(axis=1, keepdims=True))


def test_costs_pay_on_new_rows():
    """Weights learned on held-out rows are cheaper than none on new rows."""
    X, y = make_classification(4000, 6, n_informative=4, n_classes=3, class_sep=0.6, random_state=1)
    model = ClassWeightClassifier(GaussianNB(), costs=COSTS).fit(X[:1500], y[:1500])
    plain = GaussianNB().fit(X[:1500], y[:1500]).predict(X[1500:])
    assert model.mean_cost(X[1500:], y[1500:]) < 0.9 * COSTS[y[1500:], plain].mean()


@BOTH
def test_prefit_takes_the_rows_for_new(kind, data):
    X, y = data
    inner = GaussianNB().fit(X[:150], y[:150])
    model = kind(inner, costs=COSTS, cv="prefit").fit(X[150:], y[150:])
    assert model.estimator_ is inner
    function = (
        rw.multiclass.class_weights if kind is ClassWeightClassifier else rw.multiclass.metaclass
    )
    expected = function(y[150:], inner.predict_proba(X[150:]), costs=COSTS)
    assert model.predict(X).tolist() == expected.predict(inner.predict_proba(X)).tolist()


@BOTH
def test_row_weights_reach_model_and_rule(kind, data):
    X, y = data
    weights = np.where(y == 2, 5.0, 1.0)
    model = kind(GaussianNB()).fit(X, y, sample_weight=weights)
    expected = GaussianNB().fit(X, y, sample_weight=weights)
    assert model.estimator_.class_prior_ == pytest.approx(expected.class_prior_)
    priors = np.bincount(y, weights) / weights.sum()
    found = model.result_ if kind is ClassWeightClassifier else model.tree_
    assert found.prior == pytest.approx(priors)


def test_folds_are_at_most_the_rarest_class():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [20, 20, 2])
    X = rng.normal(size=(42, 3)) + y[:, None]
    assert ClassWeightClassifier(GaussianNB()).fit(X, y).weights_.shape == (3,)
    with pytest.raises(ValueError, match="class 2 has 1 row"):
        ClassWeightClassifier(GaussianNB()).fit(X[:41], y[:41])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"costs": np.ones((2, 2))}, "3 by 3 matrix"),
        ({"prior": [0.5, 0.5, 0.5]}, "add up to 1"),
        ({"method": "magic"}, "`method` must be one of"),
        ({"cv": "prefit"}, "prefit"),
        ({"cv": "five"}, "`cv` must be a number of folds"),
        ({"estimator": LinearSVC()}, "predict_proba; LinearSVC has none"),
        ({"cv": KFold(3)}, "fold 0 leaves no row of class 0"),
        ({"cv": [(np.arange(100, 300), np.arange(100))]}, "row 100 is tested 0 times"),
    ],
)
def test_invalid_input(options, words, data):
    X, y = data
    if isinstance(options.get("cv"), KFold):
        order = np.argsort(y, kind="stable")
        X, y = X[order], y[order]
    with pytest.raises(ValueError, match=words):
        ClassWeightClassifier(**options).fit(X, y)


def test_errors_about_labels_and_weights(data):
    X, y = data
    model = ClassWeightClassifier(GaussianNB()).fit(X, y)
    with pytest.raises(ValueError, match="has 7, which did not occur"):
        model.mean_cost(X[:2], [7, 0])
    with pytest.raises(ValueError, match="fitted for the classes 0, 1, 2, but y has 0, 1"):
        ClassWeightClassifier(model.estimator_, cv="prefit").fit(X[y < 2], y[y < 2])

    class Plain(GaussianNB):
        def fit(self, X, y):
            return super().fit(X, y)

    with pytest.raises(ValueError, match="not taken by the estimator Plain"):
        ClassWeightClassifier(Plain()).fit(X, y, sample_weight=np.ones(len(y)))


RNG = np.random.default_rng(8)
GROUPS = RNG.integers(0, 24, 240)
SHIFT = RNG.normal(size=24)[GROUPS]
Y = RNG.integers(0, 2, 240)
X = RNG.normal(size=(240, 2)) + 0.8 * Y[:, None] + 0.7 * SHIFT[:, None]
TWO_CLASS_COSTS = rw.Costs(fp=1, fn=3, abstain=0.3)


@pytest.mark.parametrize("cv", [GroupKFold(4), StratifiedGroupKFold(4), LeaveOneGroupOut()])
def test_groups_reach_the_splitter(cv):
    model = ThresholdClassifier(GaussianNB(), costs=TWO_CLASS_COSTS, cv=cv).fit(X, Y, groups=GROUPS)
    splits = list(cv.split(X, Y, GROUPS))
    scores = cross_val_predict(GaussianNB(), X, Y, cv=splits, method="predict_proba")[:, 1]
    assert model.threshold_ == rw.threshold(Y, scores, costs=TWO_CLASS_COSTS).threshold
    assert f"({len(splits)} folds)" in model.how_


def test_a_number_of_folds_keeps_groups_together():
    model = ThresholdClassifier(GaussianNB(), costs=TWO_CLASS_COSTS, cv=4).fit(X, Y, groups=GROUPS)
    folds = StratifiedGroupKFold(4)
    requested = ThresholdClassifier(GaussianNB(), costs=TWO_CLASS_COSTS, cv=folds).fit(
        X, Y, groups=GROUPS
    )
    assert model.threshold_ == requested.threshold_
    assert "4 folds that keep groups together" in model.how_
    free = ThresholdClassifier(GaussianNB(), costs=TWO_CLASS_COSTS, cv=4).fit(X, Y)
    assert model.threshold_ != free.threshold_


@pytest.mark.parametrize("cls", [ClassWeightClassifier, MetaClassClassifier])
@pytest.mark.parametrize("cv", [4, GroupKFold(4)])
def test_groups_reach_the_splitter_of_several_classes(cls, cv):
    three = Y + (X[:, 0] > 1)
    model = cls(GaussianNB(), cv=cv).fit(X, three, groups=GROUPS)
    folds = (StratifiedGroupKFold(4) if cv == 4 else cv).split(X, three, GROUPS)
    listed = cls(GaussianNB(), cv=list(folds)).fit(X, three)
    assert np.array_equal(model.predict(X), listed.predict(X))


def test_the_uncertainty_of_the_rule_draws_whole_groups():
    point = ThresholdClassifier(GaussianNB(), costs=TWO_CLASS_COSTS).fit(X, Y, groups=GROUPS).point_
    sure = point.uncertainty(n_resamples=50, rng=1)
    assert sure.interval.method == "smoothed bootstrap percentile of whole clusters"
    window = (
        AbstainingClassifier(GaussianNB(), costs=TWO_CLASS_COSTS).fit(X, Y, groups=GROUPS).window_
    )
    assert window.uncertainty(n_resamples=50, rng=1).lower.method.endswith("whole clusters")


def test_groups_by_metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        for cv in (GroupKFold(4), 4):
            model = ThresholdClassifier(GaussianNB(), costs=TWO_CLASS_COSTS, cv=cv)
            routed = model.fit(X, Y, groups=GROUPS).threshold_
            with sklearn.config_context(enable_metadata_routing=False):
                plain = ThresholdClassifier(GaussianNB(), costs=TWO_CLASS_COSTS, cv=cv)
                assert plain.fit(X, Y, groups=GROUPS).threshold_ == routed
        inner = LogisticRegression().set_fit_request(sample_weight=True)
        weighted = ThresholdClassifier(inner, costs=TWO_CLASS_COSTS, cv=GroupKFold(4))
        weighted.fit(X, Y, groups=GROUPS, sample_weight=np.ones(len(Y)))
        scores = cross_validate(
            ThresholdClassifier(GaussianNB(), cv=GroupKFold(3)),
            *(X, Y),
            params={"groups": GROUPS},
            cv=GroupKFold(3),
        )
        assert len(scores["test_score"]) == 3


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (GROUPS[:-1], "`groups` has 239 values, but there are 240 rows"),
        ([None, *GROUPS[1:]], r"`groups` has a missing value \(first at row 0\)"),
        (np.where(Y == 1, 0, GROUPS + 1), "all rows of class 1 are in one group"),
    ],
)
def test_errors(groups, message):
    with pytest.raises(rw.InputError, match=message):
        ThresholdClassifier(GaussianNB(), costs=TWO_CLASS_COSTS).fit(X, Y, groups=groups)


def test_certain_rows_under_cost_columns(data):
    X, y = data[0] * 100, data[1]
    model = ClassWeightClassifier(GaussianNB(), method="cost-columns").fit(X, y)
    found = model.predict_proba(X)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(y)))
    assert found.argmax(axis=1).tolist() == model.predict(X).tolist()
