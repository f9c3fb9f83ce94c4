"""Which class is positive is never guessed where it makes a difference."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.estimators import (
    AbstainingClassifier,
    MimeticClassifier,
    ReliableClassifier,
    ThresholdClassifier,
)

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
    "promises": (ReliableClassifier, {"positive": 0.8, "negative": 0.95}),
    "promises of two kinds": (ReliableClassifier, {"metric": ("precision", "f")}),
    "mimetic": (MimeticClassifier, {**DEAR, "n_samples": 300, "random_state": 1}),
}


@pytest.mark.parametrize("kind", ASYMMETRIC)
def test_text_labels_need_pos_label_where_the_classes_are_not_alike(kind):
    cls, options = ASYMMETRIC[kind]
    with pytest.raises(rw.InputError, match=r"holds 'bad', 'good', which does not say .*pos_label"):
        cls(**options).fit(X, NAMES)
    with pytest.raises(rw.InputError, match="`y` holds 1, 2, which does not say"):
        cls(**options).fit(X, TRUTH + 1)
    with pytest.raises(rw.InputError, match="`pos_label` 'ugly' does not occur in `y`"):
        cls(**options, pos_label="ugly").fit(X, NAMES)


@pytest.mark.parametrize("kind", ASYMMETRIC)
def test_the_positive_class_may_be_the_first_in_sorted_order(kind):
    cls, options = ASYMMETRIC[kind]
    named = cls(**options, pos_label="bad").fit(X, NAMES)
    plain = cls(**options).fit(X, TRUTH)
    told = np.array(["good", "bad"])
    here, there = named.predict(X), plain.predict(X)
    decided = (there == 0) | (there == 1)
    assert here[decided].tolist() == told[there[decided].astype(int)].tolist()
    assert (here[~decided].astype(str) == "-1").all()
    assert named.classes_.tolist() == ["bad", "good"]
    assert named.pos_label_ == "bad"
    if hasattr(named, "mean_cost"):
        assert named.mean_cost(X, NAMES) == plain.mean_cost(X, TRUTH)
    if hasattr(named, "predict_proba"):
        np.testing.assert_allclose(named.predict_proba(X)[:, 0], plain.predict_proba(X)[:, 1])
    else:  # scikit-learn wants it above 0 where the second class is predicted
        np.testing.assert_allclose(named.decision_function(X), -plain.decision_function(X))


@pytest.mark.parametrize(
    "model",
    [
        ThresholdClassifier(),
        ThresholdClassifier(rule="youden"),
        ThresholdClassifier(costs=rw.Costs(fp=2, fn=2)),
        AbstainingClassifier(costs=rw.Costs(fp=1, fn=1, abstain=0.2)),
        ReliableClassifier(positive=0.8, negative=0.8),
    ],
    ids=str,
)
def test_where_the_classes_are_alike_either_may_be_positive(model):
    from sklearn.base import clone

    free = clone(model).fit(X, NAMES).predict(X)
    for label in ("good", "bad"):
        told = clone(model).set_params(pos_label=label).fit(X, NAMES).predict(X)
        assert (told == free).mean() > 0.98  # equally good rules may be settled differently


@pytest.mark.parametrize("labels", [[0, 1], [-1, 1], [False, True], [0.0, 1.0]], ids=str)
def test_usual_labels_say_it_themselves(labels):
    model = ThresholdClassifier(**DEAR).fit(X, np.array(labels)[TRUTH])
    assert model.pos_label_ == labels[1]
    again = ThresholdClassifier(costs=rw.Costs(fp=5, fn=1), pos_label=labels[0])
    again.fit(X, np.array(labels)[TRUTH])
    assert (again.predict(X) == model.predict(X)).mean() > 0.98
