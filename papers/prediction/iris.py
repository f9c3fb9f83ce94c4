"""Measurements of the second and third kind of iris, and distances to their means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

FEATURES = ("sepal length", "sepal width", "petal length", "petal width")
Classes = tuple[NDArray[Any], NDArray[Any]]


def measurements() -> dict[str, Classes]:
    """Values of versicolor (class 2) and virginica (class 3) for every feature and distance."""
    from sklearn.datasets import load_iris

    iris = load_iris()
    second, third = iris.data[iris.target == 1], iris.data[iris.target == 2]
    found = {name: (second[:, k], third[:, k]) for k, name in enumerate(FEATURES)}
    for name, center in (("2", second.mean(axis=0)), ("3", third.mean(axis=0))):
        away = [np.linalg.norm(rows - center, axis=1) for rows in (second, third)]
        found[f"distance to mean {name}"] = (away[0], away[1])
    return found


def statistics(names: Sequence[str]) -> list[tuple[str, str, float, float]]:
    """Mean and standard deviation of both classes."""
    return [
        (name, f"{word} class {number}", float(value), 0.0)
        for name in names
        for number, values in zip((2, 3), measurements()[name], strict=True)
        for word, value in (("mean", values.mean()), ("sd", values.std(ddof=1)))
    ]


def differences() -> list[tuple[str, str, float, float]]:
    """Of the means of both classes, by feature."""
    found = measurements()
    return [
        (name, "difference of the means", float(third.mean() - second.mean()), 0.0)
        for name, (second, third) in ((name, found[name]) for name in FEATURES)
    ]
