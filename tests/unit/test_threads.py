"""`rw.threads`: results do not depend on the number of threads."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.kernels.threads import thread_limit
from rocwise.multiclass import micro_auc

RNG = np.random.default_rng(7)
Y = RNG.permutation(np.repeat([0, 1], 60))
S = Y + RNG.normal(size=120)
T = Y + RNG.normal(size=120)
CLASSES = RNG.permutation(np.repeat([0, 1, 2], 40))
TABLE = np.eye(3)[CLASSES] + RNG.normal(size=(120, 3))
OTHER = np.eye(3)[CLASSES] + RNG.normal(size=(120, 3))
P = 1 / (1 + np.exp(-S))
MODELS = {"a": S, "b": T}
DRAWN = {"n_resamples": 120, "rng": 1}

CALLS = {
    "at": lambda **o: rw.at(Y, S, sensitivity=0.8, method="bootstrap", **o),
    "auc": lambda **o: rw.auc(Y, S, method="bootstrap", **o),
    "auc_intervals": lambda **o: rw.auc_intervals(Y, S, **o),
    "average_precision": lambda **o: rw.average_precision(Y, S, method="bootstrap", **o),
    "band": lambda **o: rw.band(Y, S, **o),
    "bootstrap": lambda **o: rw.bootstrap(Y, S, statistic="youden-threshold", **o),
    "calibration": lambda **o: rw.calibration(Y, P, strategy="isotonic", **o),
    "compare": lambda **o: rw.compare(Y, MODELS, method="bootstrap", **o),
    "compare_at": lambda **o: rw.compare_at(Y, MODELS, specificity=0.8, **o),
    "compare_curves": lambda **o: rw.compare_curves(Y, MODELS, **o),
    "multiclass.compare": lambda **o: rw.multiclass.compare(
        CLASSES, {"a": TABLE, "b": OTHER}, method="bootstrap", **o
    ),
    "ordinal.compare": lambda **o: rw.ordinal.compare(
        CLASSES, {"a": TABLE[:, 2], "b": OTHER[:, 2]}, method="bootstrap", **o
    ),
    "compare_rec": lambda **o: rw.regression.compare(
        S, {"a": T, "b": T + 0.5}, method="bootstrap", **o
    ),
    "equal_error_rate": lambda **o: rw.equal_error_rate(Y, S, **o),
    "multiclass.auc": lambda **o: rw.multiclass.auc(CLASSES, TABLE, method="bootstrap", **o),
    "multiclass.roc": lambda **o: rw.multiclass.roc(CLASSES, TABLE, bands=True, **o),
    "ordinal.auc": lambda **o: rw.ordinal.auc(CLASSES, TABLE[:, 2], method="bootstrap", **o),
    "rec_band": lambda **o: rw.regression.band(rw.regression.rec(S, T), kind="bootstrap", **o),
    "micro_auc": lambda **o: micro_auc(CLASSES, TABLE, max_fpr=0.5, **o),
    "threshold": lambda **o: rw.threshold(Y, S, rule="youden").uncertainty(**o),
    "window": lambda **o: rw.abstain(Y, S, costs=rw.Costs(fp=1, fn=1, abstain=0.2)).uncertainty(
        **o
    ),
    "cost curve": lambda **o: rw.cost_curve(Y, S).band(**o),
    "decision curve": lambda **o: rw.decision_curve(Y, P).band(**o),
    "precision-recall": lambda **o: rw.precision_recall(Y, S).band(**o),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_results_do_not_depend_on_the_number_of_threads(call):
    results = []
    for number in (1, 3):
        with rw.threads(number):
            results.append(call(**DRAWN).to_dict())
    assert results[0] == results[1] == call(**DRAWN).to_dict()


@pytest.mark.parametrize("wrong", [0, -1, 2.5, "2", True, [2], 10**6])
def test_invalid_numbers_raise(wrong):
    with pytest.raises(rw.InputError, match="`number` must"):
        rw.threads(wrong)


def test_lazy_intervals_use_the_setting_of_the_call(monkeypatch):
    limits = []
    with rw.threads(5):
        estimate = rw.multiclass.auc(CLASSES, TABLE, **DRAWN)
    made = type(estimate._measure), "error_and_interval"
    monkeypatch.setattr(*made, lambda *_: limits.append(thread_limit()) or (0.1, None))
    assert estimate.standard_error == 0.1
    assert limits == [5]
