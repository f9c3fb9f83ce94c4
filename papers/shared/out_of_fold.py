"""Scores of rows by models that have not seen them; no model is trained twice."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from papers.shared.data import DataSet, entries
from papers.shared.learners import LEARNERS

FOLDS = 10
SEED = 2006


def cache_folder() -> Path:
    """Where scores are kept: the folder in `ROCWISE_CACHE`, or one beside the papers."""
    named = os.environ.get("ROCWISE_CACHE")
    return Path(named) if named else Path(__file__).parents[2] / ".cache" / "papers"


def out_of_fold(data: DataSet, learner: str, run: int = 0) -> NDArray[np.float64]:
    """Chance of the positive class for every row, all folds of a run together.

    Run r has the same folds for all learners, so that their scores are paired.
    """
    path = cache_folder() / f"{key(data, learner, run)}.npy"
    if path.exists():
        return np.asarray(np.load(path))
    chance = fresh_out_of_fold(data, LEARNERS[learner](), run)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}.npy")
    np.save(beside, chance)
    beside.replace(path)
    return np.asarray(chance)


def fresh_out_of_fold(data: DataSet, model: Any, run: int = 0) -> NDArray[np.float64]:
    """The same of any model, which is trained."""
    splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED + run)
    chance = cross_val_predict(
        model, data.features, data.labels, cv=splitter, method="predict_proba"
    )
    return np.asarray(chance[:, 1])


def on_test_part(data: DataSet, learner: str) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Labels and chances of the test part by a model of the training part of the file."""
    rows = data.train_rows
    model = LEARNERS[learner]().fit(data.features[:rows], data.labels[:rows])
    return data.labels[rows:], np.asarray(model.predict_proba(data.features[rows:])[:, 1])


def key(data: DataSet, learner: str, run: int) -> str:
    """Another file for other data, another learner or another scikit-learn."""
    import sklearn

    told: tuple[Any, ...] = (
        entries()[data.name].sha256,
        tuple(data.features.columns),
        data.positive,
        repr(LEARNERS[learner]()),
        FOLDS,
        SEED + run,
        sklearn.__version__,
    )
    told_by = hashlib.sha256(repr(told).encode()).hexdigest()[:12]
    return f"{data.name}-{learner.replace(' ', '-')}-{run}-{told_by}"
