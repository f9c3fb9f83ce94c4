"""Functions accept weights, or raise an error with their name and an alternative."""

import warnings

import numpy as np
import pytest

import rocwise as rw
from fuzz.calls import N, S, Y, targets

WEIGHTS = np.random.default_rng(0).integers(1, 4, N) + 0.5
CALLS = [
    target
    for target in targets()
    if "sample_weight" in target.parameters and np.shape(target.working.get("data")) == (N,)
]


@pytest.mark.parametrize("target", CALLS, ids=lambda target: target.name)
def test_errors_name_the_function(target):
    function = target.name.rpartition(".")[2]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            target.call(**target.working, sample_weight=WEIGHTS)
        except rw.InputError as error:
            words = str(error)
            assert f"`{function}`" in words or "method=" in words or "kind=" in words
            assert "weight" in words


def test_sums_of_placements():
    weighted = rw.tally(Y, S, sample_weight=WEIGHTS)
    with pytest.raises(rw.InputError, match=r"`Tally\.placement_sums` .* use rw\.auc"):
        _ = weighted.placement_sums
