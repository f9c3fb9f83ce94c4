"""Volumes under the cost surface (VACC) against the naive Bayes column of the paper's Table 1.

Friedel, Rückert and Kramer, "Cost curves for abstaining classifiers", ROCML 2006: ten-fold
cross-validation in another program, printed with two digits; integrating over the whole unit
square reproduces them, over nu <= 1/2 only (as far as the plots go) it does not.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.preprocessing import OrdinalEncoder

import rocwise as rw

PRINTED = {
    "habr": ("1", 0.11, 0.75),
    "diab": ("tested_positive", 0.14, 0.76),
    "wisc": ("malignant", 0.018, 0.96),
    "vots": ("democrat", 0.046, 0.90),
}


def scored(folder, name, positive):
    table = pd.read_csv(folder / f"{name}.csv.gz")
    y = (table["target"].astype(str) == positive).to_numpy()
    features = table.drop(columns="target")
    if name == "vots":
        model = CategoricalNB()
        x = OrdinalEncoder().fit_transform(features.fillna("?").astype(str))
    else:
        model = GaussianNB()
        x = features.fillna(features.median()).to_numpy()
    folds = StratifiedKFold(10, shuffle=True, random_state=1)
    return y, cross_val_predict(model, x, y, cv=folds, method="predict_proba")[:, 1]


@pytest.mark.parametrize("name", PRINTED)
def test_naive_bayes(data_folder, name):
    positive, printed, accuracy = PRINTED[name]
    y, p = scored(data_folder, name, positive)
    assert np.mean((p > 0.5) == y) == pytest.approx(accuracy, abs=0.011)
    surface = rw.abstention_surface(y, p, grid=41)
    assert surface.volume == pytest.approx(printed, rel=0.05)
    half = surface.nu <= 0.5
    up_to_half = np.trapezoid(np.trapezoid(surface.cost[:, half], surface.nu[half]), surface.mu)
    assert up_to_half < 0.6 * printed


def test_the_volume_depends_on_the_positive_class(data_folder):
    """Haberman's survival data: 0.11 with the survivors as positives, 0.16 with the others."""
    y, p = scored(data_folder, "habr", "1")
    assert rw.abstention_surface(1 - y, 1 - p, grid=2).volume == pytest.approx(0.162, abs=0.002)
    trivial = rw.abstention_surface(y, p, grid=2)
    assert trivial.volume - trivial.versus_trivial().volume == pytest.approx(0.1207, abs=1e-4)
