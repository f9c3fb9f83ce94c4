"""Regression problems for the comparison of naive Bayes and model trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papers.shared.data import read

Floats = NDArray[np.float64]
MOST_ROWS = 1000
SETS = {  # file and target; targets that Weka's collection of regression problems has, too
    **{"pwLinear": ("", ""), "diabetes": ("", "")},
    **{"abalone": ("abalone", "target"), "calhous": ("calhous", "target")},
    "echo months": ("echo", "survival"),
    "cholesterol": ("hrth", "chol"),
    "drinks": ("liver", "drinks"),
    "tumor size": ("breast-cancer", "tumor-size"),
}
LEFT_OUT = {"echo months": ["alive-at-1", "target"]}  # they tell the target


def regression_set(name: str) -> tuple[Floats, Floats]:
    """Features and target; at most 1,000 rows drawn at random, gaps filled with the mean."""
    if name == "pwLinear":
        return piecewise_linear(200)
    if name == "diabetes":
        from sklearn.datasets import load_diabetes

        X, y = load_diabetes(return_X_y=True)
        return X, y
    import pandas as pd

    file, target = SETS[name]
    data = read(file)
    table = data.features.assign(target=data.target)
    table = table.dropna(subset=[target]).drop(columns=LEFT_OUT.get(name, []))
    table = table.dropna(axis="columns", thresh=len(table) // 2)  # columns that are mostly empty
    table = table.sample(min(MOST_ROWS, len(table)), random_state=2006)
    y = table[target].astype(str).str.extract(r"([\d.]+)")[0]  # of "10-14" the first number
    features = pd.get_dummies(table.drop(columns=target), dtype=float)
    return features.fillna(features.mean()).to_numpy(float), y.to_numpy(float)


def piecewise_linear(n: int) -> tuple[Floats, Floats]:
    """Breiman's piecewise linear data."""
    rng = np.random.default_rng(2006)
    X = rng.integers(-1, 2, (n, 10)).astype(float)
    X[:, 0] = rng.choice([-1.0, 1.0], n)
    slopes = np.array([3.0, 2.0, 1.0])
    mean = np.where(X[:, 0] > 0, 3 + X[:, 1:4] @ slopes, -3 + X[:, 4:7] @ slopes)
    return X, mean + rng.normal(0, np.sqrt(2), n)
