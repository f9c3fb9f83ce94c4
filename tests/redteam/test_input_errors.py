"""Invalid input that once raised an error of another package, or none."""

import time
import warnings
from decimal import Decimal
from typing import get_args

import numpy as np
import pandas as pd
import pytest

import rocwise as rw
from rocwise.binary.cross_validation import Method
from rocwise.datasets import binormal_example
from rocwise.multiclass import Evolution
from rocwise.plotting import plot
from rocwise.regression import filters
from rocwise.regression.forecasting import fit_linear

Y = np.arange(40) % 2
RNG = np.random.default_rng(9)
S, T = RNG.random(40) + 0.3 * Y, RNG.random(40)
PAIRS = rw.pair(Y, {"a": S, "b": T})
CLASSES, TABLE = np.arange(45) % 3, RNG.dirichlet(np.ones(3), 45)
NOISES = {"process_noise": 0.1, "observation_noise": 0.2}
START = NOISES | {"initial_mean": [0.0], "initial_covariance": 1.0}


def unscented(transition=lambda x: x, observation=lambda x: x, **more):
    return filters.UnscentedKalmanFilter(transition, observation, **START, **more)


INVALID = {
    # options about rows do not go with a tally or pairs
    "pos_label": lambda: rw.auc(rw.tally(Y, S), pos_label=1),
    "sample_weight": lambda: rw.auc(rw.tally(Y, S), sample_weight=np.ones(40)),
    "direction": lambda: rw.auc(rw.tally(Y, S), direction="lower"),
    "groups": lambda: rw.compare(PAIRS, groups=np.arange(40)),
    # nothing where something is needed
    "auc_covariance": lambda: rw.auc_covariance(None),
    "curves": lambda: rw.average_roc(None),
    "scores": lambda: rw.pair(pd.DataFrame({"y": Y, "a": S}), label="y", scores=None),
    "families": lambda: rw.fit_distribution(S, families=1),
    "order": lambda: rw.multiclass.class_weights(CLASSES, TABLE, order=1),
    "name": lambda: PAIRS.tally(["a"]),
    # filters
    "vectorized": lambda: unscented(vectorized="x"),
    "transition": lambda: unscented(None),
    "observation": lambda: unscented(observation=lambda x: "text"),
    "alpha": lambda: unscented(alpha=1e-300),
    "rows": lambda: fit_linear(np.sin(np.arange(40.0)), 3),
    # values that others choke on
    "pos_label, NA": lambda: rw.auc(np.array(["p", "q"] * 20), S, pos_label=pd.NA),
    "y_score": lambda: rw.auc(Y, [Decimal("sNaN"), *map(Decimal, range(39))]),
    "y_true": lambda: rw.auc(np.zeros(40, [("a", "f8"), ("b", "i4")]), S),
    "resolution": lambda: rw.auc(Y, S, resolution=np.array([5, 6])),
    "fpr": lambda: rw.band(Y, S, kind="fixed-width", n_resamples=20, rng=1).at("x"),
    # the parameter's own name, not that of one of its members
    "value": lambda: rw.isometric("precision+", value=[0.5, 7.0], skew=1),
    "names": lambda: PAIRS.select(names=["z"]),
    "results": lambda: plot(results=5),
    # whatever the method, options are looked at
    "rng": lambda: rw.multiclass.auc(CLASSES, TABLE, rng="x"),
    "n_resamples": lambda: rw.multiclass.auc(CLASSES, TABLE, n_resamples="x"),
    "n_pos": lambda: binormal_example(10**9),
}


@pytest.mark.parametrize("case", INVALID)
def test_errors_contain_the_name(case):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(rw.InputError, match=rf"\b{case.partition(',')[0]}\b"):
            INVALID[case]()


def test_names_that_help_shows_are_taken():
    expected = rw.compare(PAIRS).difference
    assert rw.compare(data=PAIRS).difference == expected
    assert rw.compare(y_true=Y, scores={"a": S, "b": T}).difference == expected


def test_a_tally_of_nothing():
    with pytest.raises(rw.InputError, match=r"rw\.tally"):
        rw.Tally()


def test_groups_of_plain_objects_are_groups_by_identity():
    own = [object() for _ in Y]
    shared = [own[k // 2] for k in range(40)]
    numbers = [k // 2 for k in range(40)]
    by_object, by_number = (rw.auc(Y, S, groups=codes) for codes in (shared, numbers))
    assert by_object.standard_error == by_number.standard_error


def test_estimators_do_not_choose_the_positive_class_by_the_alphabet():
    labels = np.where(Y == 1, "case", "control")
    model = rw.estimators.ThresholdClassifier(costs=rw.Costs(fp=1, fn=100), cv=2)
    with pytest.raises(rw.InputError, match="pos_label"):
        model.fit(S[:, None], labels)
    chosen = model.set_params(pos_label="case").fit(S[:, None], labels)
    assert (chosen.predict(S[:, None])[Y == 1] == "case").mean() >= 0.8  # misses cost a lot


@pytest.mark.parametrize("method", get_args(Method))
def test_intervals_of_two_folds_stay_within_0_and_1(method):
    found = rw.cross_validated_auc(Y, S, np.arange(40) // 20, method=method)
    assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1


def test_a_limit_of_time_holds_for_large_populations():
    began = time.process_time()
    rw.multiclass.class_weights(
        CLASSES, TABLE, method="genetic", evolution=Evolution(population=100_000), time_limit=0.5,
        rng=1,
    )  # fmt: skip
    assert time.process_time() - began < 5


def test_features_of_any_scale_are_ranked_without_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        found = rw.rank_features(np.c_[S, T] * 1e200, Y)
    assert np.isfinite(found.auc).all()
