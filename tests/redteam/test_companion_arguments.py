"""Errors for arguments of the wrong type that accompany others name them."""

import numpy as np
import pytest

import rocwise as rw

Y = np.arange(20) % 2
S = np.linspace(0.05, 0.95, 20)
FOLDS = np.arange(20) // 4 % 2


@pytest.mark.parametrize("wrong", ["x", 0.5, 1, object(), {"value": 0.5}, rw.roc(Y, S)])
def test_the_area_in_a_legend_must_be_an_area(wrong):
    with pytest.raises(rw.InputError, match=r"`auc` must be the result of rw\.auc"):
        rw.roc(Y, S).plot(auc=wrong)


@pytest.mark.parametrize("features", ["junk", np.ones((20, 2)), 0])
@pytest.mark.parametrize("scores", [S, {"a": S, "b": S[::-1]}], ids=["one", "several"])
def test_features_without_models_raise(features, scores):
    with pytest.raises(rw.InputError, match="`X` belongs to the dict"):
        rw.cross_validated_auc(Y, scores, FOLDS, X=features)
