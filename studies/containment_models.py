"""Models and data sets of the containment study on real data."""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .containment_world import SEED

Labels = NDArray[np.int64]

# Which rows of a data set's target are positive
DATA_SETS: dict[str, Callable[[Any], Any]] = {
    "adult": lambda target: target == ">50K",
    "letter": lambda target: target == "V",
    "calhous": lambda target: target > target.median(),
    "covertype": lambda target: target.astype(str) == "2",
    "letter-a": lambda target: target == "A",
    "intrusion": lambda target: target != "normal",
    "intcensor": lambda target: target == 1,
}
FILES = {"letter-a": "letter"}  # where the file has another name


def data_folder() -> Path:
    """Where the data sets are."""
    named = os.environ.get("ROCWISE_DATA")
    return Path(named) if named else Path(__file__).parents[2] / "shared" / "data"


@functools.lru_cache(maxsize=1)
def read(name: str) -> tuple[NDArray[np.float64], Labels]:
    """Numbers for all features (codes for words), standardised, and labels."""
    import pandas as pd

    table = pd.read_csv(data_folder() / f"{FILES.get(name, name)}.csv.gz")
    target, features = table.iloc[:, -1], table.iloc[:, :-1]
    words = features.select_dtypes(exclude="number").columns
    numbers = pd.get_dummies(features, columns=list(words), dtype=float).to_numpy(float)
    numbers = np.nan_to_num(numbers)
    spread = numbers.std(axis=0)
    return (numbers - numbers.mean(axis=0)) / np.where(spread > 0, spread, 1.0), np.asarray(
        DATA_SETS[name](target), np.int64
    )


def models() -> dict[str, Any]:
    """Models by the letters of the tables of Macskassy, Provost and Rosset (2005)."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    return {
        "LR": LogisticRegression(max_iter=500, C=0.1),
        "NB": GaussianNB(var_smoothing=1e-3),
        "tree": DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
    }


def scored(name: str, trained_on: int) -> Iterator[tuple[str, Labels, NDArray[np.float64]]]:
    """Each model's scores of the cases it was not trained on."""
    features, label = read(name)
    order = np.random.default_rng(SEED).permutation(len(label))
    train, rest = order[:trained_on], order[trained_on:]
    for letters, model in models().items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # 100 cases may not settle a model: that is the study
            model.fit(features[train], label[train])
            chance = model.predict_proba(features[rest])[:, 1]
        yield letters, label[rest], chance
