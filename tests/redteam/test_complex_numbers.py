"""Errors for complex numbers name the argument: numpy would drop the imaginary part."""

import warnings

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.bands import threshold_regions
from rocwise.binary.scored_auc import scored_roc
from rocwise.regression import filters

Y = np.arange(20) % 2
S = np.linspace(0.05, 0.95, 20)
SERIES = np.linspace(0, 1, 12)


def filtered(kind=filters.ExtendedKalmanFilter, y=SERIES, **changed):
    given = {
        "transition": lambda x: 0.9 * x,
        "observation": lambda x: x,
        "process_noise": 0.1,
        "observation_noise": 0.2,
        "initial_mean": [0.0],
        "initial_covariance": 1.0,
    }
    return kind(**(given | changed)).filter(y, progress=False)


def late(x):
    """Real at the first state, complex from the next one on."""
    return x if np.all(x == 0) else x + 1j


CASES = {
    "rec": ("loss", lambda: rw.regression.rec(S, S + 0.1, loss=lambda a, b: (a - b) * 1j)),
    "rec, list": (
        "loss",
        lambda: rw.regression.rec([1.0, 2.0], [1.0, 3.0], loss=lambda a, b: [1j, 2]),
    ),
    "rec, real part only": (
        "loss",
        lambda: rw.regression.rec(S, S, loss=lambda a, b: (a - b) + 0j),
    ),
    "compare_rec": (
        "loss",
        lambda: rw.regression.compare(
            S, {"a": S + 0.1, "b": S}, loss=lambda a, b: np.abs(a - b) + 1j
        ),
    ),
    "rec, forecast": ("y_pred", lambda: rw.regression.rec(S, S + 1j)),
    "regions": ("thresholds", lambda: threshold_regions(Y, S, thresholds=1j)),
    "regions, array": ("thresholds", lambda: threshold_regions(Y, S, thresholds=[0.5, 1j])),
    "decision curve": ("thresholds", lambda: rw.decision_curve(Y, S, thresholds=[0.1 + 1j])),
    "guarantee": (
        "thresholds",
        lambda: rw.guaranteed_threshold(Y, S, rate="fdr", alpha=0.4, thresholds=1j),
    ),
    "scored_roc": ("tau", lambda: scored_roc(Y, S, tau=1j)),
    "at": ("threshold", lambda: rw.at(Y, S, threshold=1j)),
    "scores": ("y_score", lambda: rw.auc(Y, S + 1j)),
    "filter, y": ("y", lambda: filtered(y=SERIES + 1j)),
    "filter, noise": ("process_noise", lambda: filtered(process_noise=0.1 + 1j)),
    "filter, mean": ("initial_mean", lambda: filtered(initial_mean=[1j])),
    "transition": ("transition", lambda: filtered(transition=lambda x: x * 1j)),
    "transition, later": ("transition", lambda: filtered(transition=late)),
    "observation": ("observation", lambda: filtered(observation=lambda x: x + 1j)),
    "observation, many": (
        "observation",
        lambda: filtered(
            filters.UnscentedKalmanFilter, observation=lambda x: x + 1j, vectorized=True
        ),
    ),
    "jacobian": (
        "transition_jacobian",
        lambda: filtered(transition_jacobian=lambda x: np.array([[0.9 + 1j]])),
    ),
}


@pytest.mark.parametrize(("argument", "call"), CASES.values(), ids=CASES)
def test_complex_numbers_raise_with_the_name(argument, call):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(rw.InputError, match=f"`{argument}`"):
            call()


def test_the_same_filter_takes_real_numbers():
    assert np.isfinite(filtered().log_likelihood)
    assert np.isfinite(filtered(transition_jacobian=lambda x: [[0.9]]).log_likelihood)
