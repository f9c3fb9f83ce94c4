"""Figures 2 to 5 of the paper."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import rocwise as rw
from papers.prediction.iris import measurements
from papers.shared.figures import canvas, keep

Normal = tuple[float, float]


def draw(folder: Path) -> None:
    """One file for each figure."""
    curves(figure_2(), folder / "figure-2.svg")
    means = {f"mean of positives {m}": ((0.0, 2.0), (float(m), 1.0)) for m in (0, 1, 2, 3, 4)}
    curves(predicted(means), folder / "figure-3.svg")
    spreads = {f"sd of negatives {s}": ((0.0, float(s)), (2.0, 2.0)) for s in (1, 2, 3, 4)}
    curves(predicted(spreads), folder / "figure-4.svg")
    curves(predicted(iris_classes()), folder / "figure-5.svg")


def predicted(classes: Mapping[str, tuple[Normal, Normal]]) -> dict[str, Any]:
    """Predicted curves by name."""
    return {name: rw.predict_roc(*pair) for name, pair in classes.items()}


def iris_classes() -> dict[str, tuple[Normal, Normal]]:
    """Mean and deviation of both classes, the lower one first."""
    found = {}
    for name, pair in measurements().items():
        low, high = sorted((float(one.mean()), float(one.std(ddof=1))) for one in pair)
        found[name] = (low, high)
    return found


def figure_2() -> dict[str, Any]:
    """The predicted curve and those of two samples."""
    rng = np.random.default_rng(2014)
    found = predicted({"predicted": ((4.0, 3.0), (8.0, 2.0))})
    for name, negatives, positives in (
        ("1000 + 1000 cases", 1000, 1000),
        ("500 + 1000", 500, 1000),
    ):
        scores = np.concatenate([rng.normal(4, 3, negatives), rng.normal(8, 2, positives)])
        found[name] = rw.roc(np.repeat([0, 1], [negatives, positives]), scores)
    return found


def curves(results: Mapping[str, Any], path: Path) -> None:
    """Curves in one square, with a circle where the mean of accuracies is largest."""
    figure = canvas(4.6, 4.4)
    axes = figure.subplots()
    for name, result in results.items():
        fpr, tpr = np.asarray(result.fpr), np.asarray(result.tpr)
        (line,) = axes.plot(fpr, tpr, label=name, linewidth=1.3)
        best = int(np.argmax(tpr - fpr))
        axes.plot(fpr[best], tpr[best], "o", color=line.get_color(), markerfacecolor="none")
    axes.plot([0, 1], [0, 1], color="grey", linewidth=0.6, linestyle=":")
    axes.set(xlabel="false positive rate", ylabel="true positive rate", aspect="equal")
    axes.legend(frameon=False, loc="lower right", fontsize=8)
    keep(figure, path)
