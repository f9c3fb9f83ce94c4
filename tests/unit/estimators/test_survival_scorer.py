"""The scorer of the time-dependent AUC."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

import rocwise as rw
from rocwise.estimators import survival_auc_scorer

RNG = np.random.default_rng(3)
RISK = RNG.random(200)
TIME, END = RNG.exponential(0.5 / RISK), RNG.exponential(1, 200)
Y = np.empty(200, dtype=[("event", bool), ("time", float)])
Y["event"], Y["time"] = TIME <= END, np.minimum(TIME, END)


class Model(BaseEstimator):
    def predict(self, X):
        return X[:, 0]


def test_the_mean_of_the_areas():
    score = pickle.loads(pickle.dumps(survival_auc_scorer([0.25, 0.5])))
    expected = rw.survival.auc(Y["time"], Y["event"], RISK, times=[0.25, 0.5]).value.mean()
    assert score(Model(), RISK[:, None], Y) == expected
    frame = pd.DataFrame(Y)[["time", "event"]]
    assert score(Model(), RISK[:, None], frame) == expected
    incident = survival_auc_scorer(0.5, kind="incident")(Model(), RISK[:, None], Y)
    assert incident == rw.survival.auc(Y["time"], Y["event"], RISK, 0.5, kind="incident").value[0]


def test_other_outcomes_raise():
    with pytest.raises(rw.InputError, match="two columns, events"):
        survival_auc_scorer(1)(Model(), RISK[:, None], pd.DataFrame({"time": Y["time"]}))
    with pytest.raises(rw.InputError, match="followed beyond t = 100"):
        survival_auc_scorer(100)(Model(), RISK[:, None], Y)
