"""Mimetic models: schemes, thresholds and invented data against their definitions."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import rocwise as rw
from rocwise.errors import InputError
from rocwise.estimators import MimeticClassifier
from rocwise.estimators.mimetic import (
    CONFIGURATIONS,
    METHODS,
    AbsentClassError,
    Attributes,
    configuration_named,
    sample_rows,
)


def problem(n=300, seed=0, prior=0.5):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < prior).astype(int)
    return rng.normal(size=(n, 3)) + 0.9 * y[:, None], y


def mimic(name, X, y, skew=1.0, **options):
    options = {"n_samples": 1000, "random_state": 4} | options
    return MimeticClassifier(name, costs=rw.Costs(fp=1, fn=skew), **options).fit(X, y)


def ranges_of(X):
    return zip(X.min(axis=0), X.max(axis=0), strict=True)


def test_names():
    expected = {f"Mim0{data}" for data in "abc"} | {"Mim3"}
    expected |= {f"Mim{s}{t}{d}" for s in "12" for t in METHODS for d in "abc"}
    assert set(CONFIGURATIONS) == expected
    assert len(expected) == 28
    assert configuration_named("Mim1ROCc").method == "nroc"
    assert configuration_named("Mim2Hybb").method == "hybrid"
    assert configuration_named("Mim3").data_type == "d"
    for wrong in ("Mim3d", "mim0a", "Mim1a", "Mim2Ordd", None, 3):
        with pytest.raises(InputError, match="`configuration` must be Mim0a to Mim0c"):
            configuration_named(wrong)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_configuration_fits_and_reports_its_rule(name):
    X, y = problem()
    model = mimic(name, X, y, skew=3, n_samples=300)
    assert set(model.predict(X).tolist()) <= {0, 1}
    assert model.how_.startswith(f"{name}: ")
    scheme = configuration_named(name).scheme
    assert (model.threshold_ != 0.5) == (scheme == 1)
    assert (model.relabeling_threshold_ is not None) == (scheme == 2)
    assert (model.tree_.ccp_alpha == 0) == (scheme == 1)


@pytest.mark.parametrize("data_type", "abc")
def test_scheme_2_direct_at_skew_1_is_scheme_0(data_type):
    X, y = problem()
    relabelled, plain = mimic(f"Mim2Dir{data_type}", X, y), mimic(f"Mim0{data_type}", X, y)
    assert np.array_equal(relabelled.predict_proba(X), plain.predict_proba(X))
    assert relabelled.relabeling_threshold_ == 0.5


@pytest.mark.parametrize("data_type", "abc")
def test_the_auc_of_scheme_1_does_not_depend_on_the_threshold(data_type):
    X, y = problem()
    models = [mimic(f"Mim1{how}{data_type}", X, y, skew=5) for how in ("Dir", "Ord", "ROC")]
    areas = {roc_auc_score(y, model.predict_proba(X)[:, 1]) for model in models}
    assert len(areas) == 1
    assert len({model.threshold_ for model in models}) == 3


def test_scheme_1_acts_when_applying_and_scheme_2_when_labelling():
    """The paper's paragraph before its definitions has the two the other way round.

    By that reading the tree of scheme 1 would change with the costs, and its AUC with the
    threshold method, which contradicts the paper's Table 4.
    """
    X, y = problem()
    for how in ("Dir", "Ord", "ROC"):
        applied = [mimic(f"Mim1{how}b", X, y, skew=skew) for skew in (1, 8)]
        assert np.array_equal(*[model.predict_proba(X) for model in applied])
        assert applied[0].threshold_ != applied[1].threshold_
        labeled = [mimic(f"Mim2{how}b", X, y, skew=skew) for skew in (1, 8)]
        assert not np.array_equal(*[model.predict_proba(X) for model in labeled])
        assert labeled[0].threshold_ == labeled[1].threshold_ == 0.5


def test_scheme_1_sets_the_threshold_on_the_trees_own_probabilities():
    """Grown again from the rows that the seed draws, by the definition."""
    X, y = problem()
    skew, n = 4.0, 700
    model = mimic("Mim1Ordc", X, y, skew=skew, n_samples=n, random_state=9)
    rng = np.random.RandomState(9)
    rows = np.column_stack([rng.uniform(low, high, n) for low, high in ranges_of(X)])
    q_oracle = GaussianNB().fit(X, y).predict_proba(rows)[:, 0]
    tree = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=2, random_state=rng.randint(2**31 - 1)
    ).fit(rows, q_oracle < 0.5)
    leaves = tree.apply(rows)
    first = np.array([np.sum(q_oracle[leaves == leaf] >= 0.5) for leaf in leaves])
    size = np.array([np.sum(leaves == leaf) for leaf in leaves])
    q = np.sort((first + 1) / (size + 2))[::-1]
    position = (n - 1) / (skew + 1) + 1
    whole = int(position)
    T = q[whole - 1] - (q[whole - 1] - q[whole]) * (position - whole)
    assert model.threshold_ == pytest.approx(1 - T, abs=1e-12)
    assert model.predict_proba(rows)[:, 0] == pytest.approx((first + 1) / (size + 2), abs=1e-12)
    assert np.array_equal(model.predict(rows), model.predict_proba(rows)[:, 1] >= model.threshold_)


def test_scheme_2_relabels_by_the_oracles_probabilities():
    X, y = problem()
    skew, n = 4.0, 700
    model = mimic("Mim2ROCc", X, y, skew=skew, n_samples=n, random_state=9, ccp_alpha=0.0)
    rng = np.random.RandomState(9)
    rows = np.column_stack([rng.uniform(low, high, n) for low, high in ranges_of(X)])
    q = GaussianNB().fit(X, y).predict_proba(rows)[:, 0]
    T = skew * q.sum() / ((1 - q).sum() + skew * q.sum())
    assert model.relabeling_threshold_ == pytest.approx(1 - T, abs=1e-12)
    agree = np.mean(model.predict(rows) == (q <= T))
    assert agree > 0.98  # leaves of two cases may differ
    assert agree > np.mean(model.predict(rows) == (q < 0.5)) + 0.02


def test_a_class_that_does_not_occur_is_named():
    X, y = problem(prior=0.2)
    named = np.array(["well", "sick"])[y]
    oracle = DummyClassifier(strategy="prior")
    message = "predicts class 'sick' for 0 of 20,000 invented rows, but 50 are needed"
    with pytest.raises(AbsentClassError, match=message):
        mimic("Mim2Ordb", X, named, oracle=oracle, n_samples=100)
    assert issubclass(AbsentClassError, RuntimeError)


def frame_of(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    colour = np.where(rng.random(n) < 0.2 + 0.6 * y, "red", np.array(["blue", "green"])[y])
    size = rng.normal(size=n) + 0.5 * y
    return pd.DataFrame(
        {"size": size, "colour": pd.Categorical(colour), "smokes": rng.random(n) < 0.3 + 0.4 * y}
    ), np.array(["no", "yes"])[y]


@pytest.mark.parametrize("kind", ["pandas", "polars"])
@pytest.mark.parametrize("encode", [True, False])
def test_data_frames_with_nominal_columns(kind, encode):
    frame, y = frame_of()
    if kind == "polars":
        frame = pl.DataFrame({**frame.to_dict("list")})
    steps = make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough")
    oracle = None if encode else make_pipeline(steps, LogisticRegression())
    model = mimic("Mim2Dirb", frame, y, oracle=oracle, encode=encode)
    assert model.attributes_.nominal_names == ["colour", "smokes"]
    assert model.n_features_in_ == 3
    assert model.feature_names_in_.tolist() == ["size", "colour", "smokes"]
    assert model.score(frame, y) > 0.75
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(frame), model.predict(frame))


def test_nominal_columns_of_arrays_are_named_by_number():
    frame, y = frame_of()
    table = frame.to_numpy(dtype=object)
    model = mimic("Mim2Dirb", table, y, nominal=[1, 2])
    same = mimic("Mim2Dirb", frame, y)
    assert np.array_equal(model.predict(table), same.predict(frame))
    codes = np.column_stack([frame["size"], frame["colour"].cat.codes, frame["smokes"]])
    assert np.array_equal(
        mimic("Mim2Dirb", codes.astype(float), y, nominal=[1, 2]).predict(codes),
        model.predict(table),
    )


def test_errors():
    X, y = problem()
    frame, named = frame_of()
    with pytest.raises(
        InputError, match="`costs` of `MimeticClassifier` must make each error cost more"
    ):
        MimeticClassifier(costs=rw.Costs(fp=0, fn=1)).fit(X, y)
    with pytest.raises(InputError, match="`oracle` must have predict_proba; RidgeClassifier"):
        MimeticClassifier(oracle=RidgeClassifier()).fit(X, y)
    with pytest.raises(
        InputError, match="`oracle` was fitted for the classes 0, 1, but y has 0, 2"
    ):
        MimeticClassifier(oracle=FrozenEstimator(GaussianNB().fit(X, y))).fit(X, 2 * y)
    with pytest.raises(InputError, match="`n_samples`"):
        MimeticClassifier(n_samples=0).fit(X, y)
    weightless = MimeticClassifier(oracle=KNeighborsClassifier())
    with pytest.raises(InputError, match="not taken by the oracle KNeighborsClassifier"):
        weightless.fit(X, y, sample_weight=np.ones(len(y)))
    with pytest.raises(InputError, match="`nominal` names the column 'shape'"):
        MimeticClassifier(nominal=["shape"]).fit(frame, named)
    with pytest.raises(InputError, match="`nominal` names column 7, but `X` has the columns 0"):
        MimeticClassifier(nominal=[7]).fit(X, y)
    with pytest.raises(
        InputError, match="column 'x0' does not contain numbers; name it in `nominal`"
    ):
        MimeticClassifier(nominal=[1]).fit(np.array([["a", "b"], ["c", "d"]], dtype=object), [0, 1])
    missing = frame.astype({"colour": object})
    missing.loc[3, "colour"] = None
    with pytest.raises(InputError, match="column 'colour' has no value at row 3"):
        MimeticClassifier().fit(missing, named)
    missing = frame.copy()
    missing.loc[4, "size"] = np.nan
    with pytest.raises(InputError, match="column 'size' is nan at row 4"):
        MimeticClassifier().fit(missing, named)
    unknown = frame.astype({"colour": object})
    unknown.loc[2, "colour"] = "pink"
    with pytest.raises(InputError, match="column 'colour' has 'pink' at row 2, which did not"):
        mimic("Mim0c", frame, named).predict(unknown)


ATTRIBUTES = Attributes.of(pd.DataFrame({"a": [2.0, -1.0, 5.0], "b": list("uvw")}), None)
CLASSES = np.array(["n", "p"])


def oracle(cut):
    """The second class where the number exceeds the cut."""

    def probabilities(columns):
        p = np.where(columns[0] > cut, 0.9, 0.2)
        return np.column_stack([1 - p, p])

    return probabilities


def test_numbers_are_uniform_on_their_range_and_values_equally_frequent():
    numbers, values = ATTRIBUTES.sample(30_000, np.random.RandomState(0))
    assert numbers.min() >= -1
    assert numbers.max() <= 5
    counts, _ = np.histogram(numbers, bins=6, range=(-1, 5))
    assert counts == pytest.approx(np.full(6, 5000), rel=0.06)
    found, counts = np.unique(values.astype(str), return_counts=True)
    assert found.tolist() == ["u", "v", "w"]
    assert counts == pytest.approx(np.full(3, 10_000), rel=0.04)


def test_observed_sampling_draws_from_the_columns():
    frame = pd.DataFrame({"a": [0.0] * 8 + [1.0, 9.0], "b": list("uuuuuuuuvw")})
    numbers, values = Attributes.of(frame, None, observed=True).sample(
        20_000, np.random.RandomState(0)
    )
    for drawn, common in ((numbers, 0.0), (values, "u")):
        assert len(set(drawn)) == 3
        assert np.mean(drawn == common) == pytest.approx(0.8, abs=0.015)
    X, y = problem()
    options = {"n_samples": 500, "random_state": 0, "pos_label": 1}
    model = MimeticClassifier("Mim2Ordc", sampling="observed", **options).fit(X, y)
    assert model.score(X, y) > 0.75
    with pytest.raises(InputError, match="`sampling` must be one of 'uniform', 'observed'"):
        MimeticClassifier(sampling="normal", **options).fit(X, y)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.floats(0, 1), st.integers(1, 300), st.floats(-0.5, 4.5))
def test_quotas_are_met_exactly(seed, prior, n_rows, cut):
    rng = np.random.RandomState(seed)
    rows = sample_rows(ATTRIBUTES, oracle(cut), n_rows, prior, CLASSES, rng)
    assert len(rows.positive) == n_rows
    assert (~rows.positive).sum() == round(n_rows * prior)
    assert np.array_equal(rows.positive, rows.columns[0] > cut)
    assert np.array_equal(rows.probability, np.where(rows.positive, 0.9, 0.2))


def test_dearer_misses_make_more_alarms():
    X, y = problem()
    for name in ("Mim1Dira", "Mim2Ordb", "Mim3"):
        proportions = [mimic(name, X, y, skew=skew).predict(X).mean() for skew in (0.2, 1, 10)]
        assert proportions[0] < proportions[1] < proportions[2], name


def test_weights_reach_the_oracle_and_the_proportions():
    X, y = problem()
    weights = np.where(np.arange(len(y)) < 5, 0.0, np.where(y == 1, 3.0, 1.0))
    model, kept = (MimeticClassifier("Mim0a", n_samples=600, random_state=0) for _ in range(2))
    model.fit(X, y, sample_weight=weights)
    prior = weights[y == 0].sum() / weights.sum()
    assert model.oracle_.class_prior_ == pytest.approx([prior, 1 - prior])
    assert f"{600 - round(600 * prior):,} called 1" in model.how_
    kept.fit(X[5:], y[5:], sample_weight=weights[5:])
    assert np.array_equal(kept.predict_proba(X), model.predict_proba(X))
