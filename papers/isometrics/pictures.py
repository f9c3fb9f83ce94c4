"""Figures 1 to 7: lines of equal metric, and reliable classifiers between two of them."""

from __future__ import annotations

from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

import rocwise as rw
from papers.shared.figures import BLUE, ORANGE, canvas, keep
from rocwise.plotting import save

VALUES = (0.1, 0.3, 0.5, 0.7, 0.9)
FANS = {  # positive class solid, negative class dashed
    "figure-1": ("precision", {}),
    "figure-2": ("f", {"alpha": 1.0}),
    "figure-3": ("m", {"m": 0.1}),
}
CASES = {  # what is asked of both precisions, around a hull
    "case 1: on the hull": (0.80, 0.80),
    "case 2: below it": (0.70, 0.72),
    "case 3: above it": (0.90, 0.88),
}


def draw(folder: Path) -> None:
    """One file for each figure."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (metric, more) in FANS.items():
        fans(metric, more, folder / f"{name}.svg")
    cases(folder / "figure-4.svg")
    for name, metric, positive, negative, m in (
        ("figure-5", "precision", 0.93, 0.87, 0.0),
        ("figure-6", "f", 0.72, 0.75, 0.0),
        ("figure-7", ("precision", "m"), 0.97, 0.55, 0.1),
    ):
        label, score = sample(0.3 if name == "figure-7" else 2.0 if name == "figure-6" else 1.0)
        rule = rw.reliable(
            label, score, positive=positive, negative=negative, metric=metric, m=m, rule="paper"
        )
        save(rule, folder / f"{name}.svg")


def line(axes: Any, one: Any, **style: Any) -> None:
    """A line of equal metric, as far as it lies in the square."""
    fpr = np.linspace(0, 1, 501)
    tpr = one.tpr(fpr)
    inside = (tpr >= 0) & (tpr <= 1)
    axes.plot(fpr[inside], tpr[inside], **style)
    if inside.any() and "label" not in style:
        place = np.flatnonzero(inside)[int(0.62 * inside.sum())]
        axes.annotate(
            f"{one.value:g}",
            (fpr[place], tpr[place]),
            fontsize=7,
            ha="center",
            va="center",
            color=style["color"],
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
        )


def square(axes: Any) -> None:
    """The unit square with its names."""
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.set_xlabel("false positive rate", fontsize=9)
    axes.set_ylabel("true positive rate", fontsize=9)


def fans(metric: str, more: dict[str, float], path: Path) -> None:
    """Lines of five values for either class, at skew 1."""
    figure = canvas(3.5, 3.6)
    axes = figure.subplots()
    for sign, style, color in (("+", "-", BLUE), ("-", "--", ORANGE)):
        for one in rw.isometric(f"{metric}{sign}", VALUES, skew=1.0, **more).lines:
            line(axes, one, ls=style, color=color, lw=1.2)
    square(axes)
    axes.set_title("positive class solid, negative class dashed", fontsize=8)
    keep(figure, path)


def cases(path: Path) -> None:
    """Figure 4: where two lines meet, on a curve of normal scores with d' = 1.68."""
    figure = canvas(7.1, 2.8)
    fpr = np.linspace(0, 1, 501)
    normal = NormalDist()
    shift = 2 * normal.inv_cdf(0.8)  # so that both precisions of 0.8 meet on it, at skew 1
    tpr = [normal.cdf(shift + normal.inv_cdf(x)) if 0 < x < 1 else x for x in fpr]
    for axes, (words, (positive, negative)) in zip(
        figure.subplots(1, 3, sharey=True), CASES.items(), strict=True
    ):
        axes.plot(fpr, tpr, color="black", lw=1.2)
        line(axes, rw.isometric("precision+", positive, skew=1.0), color=BLUE, lw=1.2)
        line(axes, rw.isometric("precision-", negative, skew=1.0), color=ORANGE, lw=1.2, ls="--")
        square(axes)
        axes.set_title(words, fontsize=9)
    for axes in figure.axes[1:]:
        axes.set_ylabel("")
    keep(figure, path)


def sample(skew: float) -> tuple[np.ndarray, np.ndarray]:
    """Normal scores with so many negatives per positive; the paper does not give its curves."""
    rng = np.random.default_rng(7)
    positives = 400
    negatives = round(positives * skew)
    label = np.repeat([0, 1], [negatives, positives])
    return label, rng.normal(1.6 * label)
