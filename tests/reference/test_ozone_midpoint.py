"""The midpoint trap on the data where it was found: ozone days, which naive Bayes over-predicts."""

import gzip

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

import rocwise as rw


def test_the_estimated_midpoint_leaves_the_scores(data_folder):
    with gzip.open(data_folder / "oz8h.csv.gz", "rt") as lines:
        header = lines.readline().strip().split(",")
        columns = [k for k, name in enumerate(header) if name != "Date"]
        table = np.genfromtxt(lines, delimiter=",", usecols=columns)
    X, y = table[:, :-1], table[:, -1].astype(int)
    assert (X.shape, y.sum(), header[-1]) == ((2534, 72), 160, "target")
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    model = make_pipeline(SimpleImputer(), GaussianNB())
    risk = cross_val_predict(model, X, y, cv=folds, method="predict_proba")[:, 1]
    with pytest.warns(rw.errors.MidOutOfRangeWarning):
        trapped = rw.smooth_roc(y, risk)
    # of ten runs with other folds: 2.757, 0.8239, 0.9427 (sd 0.0002), 0.8078 (sd 0.0010)
    assert trapped.midpoint == pytest.approx(2.757, abs=0.05)
    assert rw.auc(y, risk).value == pytest.approx(0.8239, abs=0.003)
    assert trapped.auc == pytest.approx(0.9427, abs=0.001)
    assert rw.smooth_roc(y, risk, midpoint="calibrated").auc == pytest.approx(0.8078, abs=0.005)
