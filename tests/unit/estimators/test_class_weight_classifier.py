"""Estimators for several classes: held-out honesty, any labels, scikit-learn's own checks."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import rocwise as rw
from rocwise.estimators import ClassWeightClassifier, MetaClassClassifier
from rocwise.multiclass import class_cost

COSTS = np.array([[0, 1, 4], [2, 0, 3], [7, 1, 0]])


@parametrize_with_checks([ClassWeightClassifier(), MetaClassClassifier()])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


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
    """Weights learned on held-out rows are cheaper than none on rows that nobody has seen."""
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
    question = (
        rw.multiclass.class_weights if kind is ClassWeightClassifier else rw.multiclass.metaclass
    )
    expected = question(y[150:], inner.predict_proba(X[150:]), costs=COSTS)
    assert model.predict(X).tolist() == expected.predict(inner.predict_proba(X)).tolist()


@BOTH
def test_row_weights_reach_model_and_rule(kind, data):
    X, y = data
    weights = np.where(y == 2, 5.0, 1.0)
    model = kind(GaussianNB()).fit(X, y, sample_weight=weights)
    expected = GaussianNB().fit(X, y, sample_weight=weights)
    assert model.estimator_.class_prior_ == pytest.approx(expected.class_prior_)
    shares = np.bincount(y, weights) / weights.sum()
    found = model.result_ if kind is ClassWeightClassifier else model.tree_
    assert found.prior == pytest.approx(shares)


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
def test_refused(options, words, data):
    X, y = data
    if isinstance(options.get("cv"), KFold):
        order = np.argsort(y, kind="stable")
        X, y = X[order], y[order]
    with pytest.raises(ValueError, match=words):
        ClassWeightClassifier(**options).fit(X, y)


def test_refusals_about_labels_and_weights(data):
    X, y = data
    model = ClassWeightClassifier(GaussianNB()).fit(X, y)
    with pytest.raises(ValueError, match="holds 7, which did not occur"):
        model.mean_cost(X[:2], [7, 0])
    with pytest.raises(ValueError, match="fitted for the classes 0, 1, 2, but y has 0, 1"):
        ClassWeightClassifier(model.estimator_, cv="prefit").fit(X[y < 2], y[y < 2])

    class Plain(GaussianNB):
        def fit(self, X, y):
            return super().fit(X, y)

    with pytest.raises(ValueError, match="not taken by Plain"):
        ClassWeightClassifier(Plain()).fit(X, y, sample_weight=np.ones(len(y)))
