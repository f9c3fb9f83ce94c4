"""Calls of every function that may rest on resamples: with them, and by a formula alone."""

import numpy as np

import rocwise as rw
from call_forms import COSTS, PATIENT, A, B, N, Y
from rocwise.datasets import marked_lesions, reader_study

DRAWN = {"n_resamples": 100}
Y3 = np.arange(N) % 3
P3, Q3 = np.random.default_rng(1).dirichlet([1, 1, 1], (2, N))
X = np.arange(N) / 10
F, G = X + np.random.default_rng(2).normal(size=(2, N))
PAIRS = rw.pair(Y, {"a": A, "b": B})
UNPAIRED = rw.tally(Y, A), rw.tally(Y[:100], B[:100])
REC = rw.regression.rec(X, F)
CLASSES = {"a": P3, "b": Q3}
STUDY = reader_study(3, 20, 20)
READINGS = {name: getattr(STUDY, name) for name in ("case", "reader", "modality")}
MARKED = marked_lesions(2, 20, 20)
MARKS = {name: name for name in ("case", "score", "lesion", "lesions")}
CELLS = {"reader": "reader", "modality": "modality", "figure": "sensitivity"}

CALLS = {
    "at": lambda **k: rw.at(Y, A, specificity=0.8, **k),
    "at alarms": lambda **k: rw.at(Y, A, alarms=0.3, **k),
    "at clusters": lambda **k: rw.at(Y, A, threshold=0.5, groups=PATIENT, **k),
    "at own measure": lambda **k: rw.at(
        Y, A, threshold=0.5, metrics={"hits": lambda tp, fp, fn, tn: tp}, **k
    ),
    "auc": lambda **k: rw.auc(Y, A, method="bootstrap", **k),
    "auc bca": lambda **k: rw.auc(Y, A, method="bca", **k),
    "auc part": lambda **k: rw.auc(Y, A, max_fpr=0.2, method="bootstrap", **k),
    "auc_intervals": lambda **k: rw.auc_intervals(Y, A, **k),
    "average_precision": lambda **k: rw.average_precision(Y, A, method="bootstrap", **k),
    "band": lambda **k: rw.band(Y, A, kind="pointwise", **k),
    "band fixed": lambda **k: rw.band(Y, A, kind="fixed-width", **k),
    "bootstrap": lambda **k: rw.bootstrap(Y, A, **k),
    "bootstrap threshold": lambda **k: rw.bootstrap(Y, A, statistic="youden-threshold", **k),
    "calibration": lambda **k: rw.calibration(Y, A, strategy="isotonic", **k),
    "compare": lambda **k: rw.compare(PAIRS, method="bootstrap", **k),
    "compare unpaired": lambda **k: rw.compare(*UNPAIRED, method="bootstrap", **k),
    "compare part": lambda **k: rw.compare(PAIRS, max_fpr=0.2, **k),
    "compare permutation": lambda **k: rw.compare(PAIRS, method="permutation-monte-carlo", **k),
    "compare venkatraman": lambda **k: rw.compare(PAIRS, method="venkatraman", **k),
    "compare_at": lambda **k: rw.compare_at(PAIRS, threshold=0.5, **k),
    "compare_curves": lambda **k: rw.compare_curves(PAIRS, curve="decision", **k),
    "equal_error_rate": lambda **k: rw.equal_error_rate(Y, A, **k),
    "summary": lambda **k: rw.summary(PAIRS, method="bootstrap", **k),
    "summary clusters": lambda **k: rw.summary(Y, {"a": A, "b": B}, groups=PATIENT, **k),
    "threshold": lambda **k: rw.threshold(Y, A, rule="youden").uncertainty(**k),
    "abstain": lambda **k: rw.abstain(Y, A, costs=COSTS).uncertainty(**k),
    "precision_recall": lambda **k: rw.precision_recall(Y, A).band(**k),
    "cost_curve": lambda **k: rw.cost_curve(Y, A).band(**k),
    "decision_curve": lambda **k: rw.decision_curve(Y, A).band(**k),
    "multiclass.auc": lambda **k: rw.multiclass.auc(Y3, P3, method="bootstrap", **k),
    "multiclass.compare": lambda **k: rw.multiclass.compare(Y3, CLASSES, method="bootstrap", **k),
    "multiclass.micro_auc": lambda **k: rw.multiclass.micro_auc(Y3, P3, max_fpr=0.3, **k),
    "multiclass.roc": lambda **k: rw.multiclass.roc(Y3, P3, bands=True, **k),
    "ordinal.auc": lambda **k: rw.ordinal.auc(Y3, A, method="bootstrap", **k),
    "ordinal.compare": lambda **k: rw.ordinal.compare(
        Y3, {"a": A, "b": B}, method="bootstrap", **k
    ),
    "readers.compare": lambda **k: rw.readers.compare(
        STUDY.y_true, STUDY.y_score, **READINGS, covariance="bootstrap", **k
    ),
    "froc": lambda **k: rw.froc(MARKED.marks, MARKED.cases, **MARKS, **k),
    "froc readers": lambda **k: rw.froc(MARKED.marks, MARKED.cases, **MARKS, **CELLS, **k),
    "regression.band": lambda **k: rw.regression.band(REC, kind="bootstrap", **k),
    "regression.compare": lambda **k: rw.regression.compare(
        X, {"f": F, "g": G}, method="permutation", **k
    ),
}
FORMULAS = {
    "at": lambda **k: rw.at(Y, A, threshold=0.5, **k),
    "auc": lambda **k: rw.auc(Y, A, **k),
    "average_precision": lambda **k: rw.average_precision(Y, A, **k),
    "band": lambda **k: rw.band(Y, A, kind="joint-regions", **k),
    "calibration": lambda **k: rw.calibration(Y, A, **k),
    "compare": lambda **k: rw.compare(PAIRS, **k),
    "summary": lambda **k: rw.summary(PAIRS, **k),
    "multiclass.auc": lambda **k: rw.multiclass.auc(Y3, P3, **k),
    "ordinal.auc": lambda **k: rw.ordinal.auc(Y3, A, **k),
    "readers.compare": lambda **k: rw.readers.compare(STUDY.y_true, STUDY.y_score, **READINGS, **k),
}
