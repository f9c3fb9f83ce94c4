"""Groups reach the splitter, weights reach model and rule, and both reach the uncertainty."""

import numpy as np
import pytest
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    LeaveOneGroupOut,
    StratifiedGroupKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB

import rocwise as rw
from rocwise.estimators import (
    AbstainingClassifier,
    ClassWeightClassifier,
    MetaClassClassifier,
    ReliableClassifier,
    ThresholdClassifier,
)

RNG = np.random.default_rng(8)
GROUPS = RNG.integers(0, 24, 240)
SHIFT = RNG.normal(size=24)[GROUPS]
Y = RNG.integers(0, 2, 240)
X = RNG.normal(size=(240, 2)) + 0.8 * Y[:, None] + 0.7 * SHIFT[:, None]
COSTS = rw.Costs(fp=1, fn=3, abstain=0.3)


@pytest.mark.parametrize("cv", [GroupKFold(4), StratifiedGroupKFold(4), LeaveOneGroupOut()])
def test_groups_reach_the_splitter(cv):
    model = ThresholdClassifier(GaussianNB(), costs=COSTS, cv=cv).fit(X, Y, groups=GROUPS)
    splits = list(cv.split(X, Y, GROUPS))
    scores = cross_val_predict(GaussianNB(), X, Y, cv=splits, method="predict_proba")[:, 1]
    assert model.threshold_ == rw.threshold(Y, scores, costs=COSTS).threshold
    assert f"({len(splits)} folds)" in model.how_


def test_a_number_of_folds_keeps_groups_together():
    model = ThresholdClassifier(GaussianNB(), costs=COSTS, cv=4).fit(X, Y, groups=GROUPS)
    folds = StratifiedGroupKFold(4)
    asked = ThresholdClassifier(GaussianNB(), costs=COSTS, cv=folds).fit(X, Y, groups=GROUPS)
    assert model.threshold_ == asked.threshold_
    assert "4 folds that keep groups together" in model.how_
    free = ThresholdClassifier(GaussianNB(), costs=COSTS, cv=4).fit(X, Y)
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
    point = ThresholdClassifier(GaussianNB(), costs=COSTS).fit(X, Y, groups=GROUPS).point_
    sure = point.uncertainty(n_resamples=50, rng=1)
    assert sure.interval.method == "bootstrap percentile of whole clusters"
    window = AbstainingClassifier(GaussianNB(), costs=COSTS).fit(X, Y, groups=GROUPS).window_
    assert window.uncertainty(n_resamples=50, rng=1).lower.method.endswith("whole clusters")


def test_groups_by_metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        for cv in (GroupKFold(4), 4):
            model = ThresholdClassifier(GaussianNB(), costs=COSTS, cv=cv)
            routed = model.fit(X, Y, groups=GROUPS).threshold_
            with sklearn.config_context(enable_metadata_routing=False):
                plain = ThresholdClassifier(GaussianNB(), costs=COSTS, cv=cv)
                assert plain.fit(X, Y, groups=GROUPS).threshold_ == routed
        inner = LogisticRegression().set_fit_request(sample_weight=True)
        weighted = ThresholdClassifier(inner, costs=COSTS, cv=GroupKFold(4))
        weighted.fit(X, Y, groups=GROUPS, sample_weight=np.ones(len(Y)))
        scores = cross_validate(
            ThresholdClassifier(GaussianNB(), cv=GroupKFold(3)),
            *(X, Y),
            params={"groups": GROUPS},
            cv=GroupKFold(3),
        )
        assert len(scores["test_score"]) == 3


def test_without_routing_groups_do_not_reach_the_model():
    model = AbstainingClassifier(GaussianNB(), costs=COSTS).fit(X, Y, groups=GROUPS)
    assert 0 < model.window_.abstention_rate < 1


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (GROUPS[:-1], "`groups` has 239 values, but there are 240 rows"),
        ([None, *GROUPS[1:]], r"`groups` has a missing value \(first at row 0\)"),
        (np.where(Y == 1, 0, GROUPS + 1), "all rows of class 1 are in one group"),
    ],
)
def test_refusals(groups, message):
    with pytest.raises(rw.InputError, match=message):
        ThresholdClassifier(GaussianNB(), costs=COSTS).fit(X, Y, groups=groups)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ThresholdClassifier(GaussianNB(), costs=COSTS, cv="prefit"),
        lambda: AbstainingClassifier(GaussianNB(), costs=COSTS, cv="prefit"),
        lambda: ReliableClassifier(GaussianNB(), positive=0.8, negative=0.7, cv="prefit"),
    ],
)
def test_weights_of_the_rule_are_copies(make):
    weights = RNG.integers(0, 4, len(Y))
    again = np.repeat(np.arange(len(Y)), weights)
    models = make(), make()
    for model in models:
        model.estimator.fit(X, Y)
    weighted = models[0].fit(X, Y, sample_weight=weights)
    copied = models[1].fit(X[again], Y[again])
    assert np.array_equal(weighted.predict(X), copied.predict(X))
    if hasattr(weighted, "mean_cost"):
        here, there = weighted.mean_cost(X, Y, weights), copied.mean_cost(X[again], Y[again])
        assert here == pytest.approx(there, rel=1e-12)
