"""Figures 2 to 7 of the paper: a surface, two curves, and how the measures go together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import rocwise as rw
from papers.shared.figures import BLUE, GREEN, GREY, ORANGE, PINK, canvas, keep
from rocwise.plotting import save

COLORS = {2: BLUE, 3: ORANGE, 4: GREEN, 5: PINK}
NAMES = {"volume": "VUS", "consecutive": "Cons", "pairwise": "Ovo", "pairs": "Pairs"}
RELATIONS = {
    4: ("volume", "consecutive"),
    5: ("volume", "pairwise"),
    6: ("consecutive", "pairwise"),
}


def draw(means: Sequence[Any], rankings: Sequence[Any], folder: Path) -> None:
    """The surface, its two curves, the measures against each other, and random rankings."""
    folder.mkdir(parents=True, exist_ok=True)
    label, score = example()
    save(rw.ordinal.surface(label, score, decimals=0), folder / "figure-2.svg")
    curves(label, score, folder / "figure-3.svg")
    relations(means, folder / "figures-4-to-6.svg")
    over_distance(means, folder / "over-distance.svg")
    scatter(rankings, folder / "figure-7.svg")


def example() -> tuple[np.ndarray, np.ndarray]:
    """Three normal classes in two features, scored by their sum, as in the paper's picture."""
    rng = np.random.default_rng(2006)
    centres, spreads = ((10, 10), (20, 10), (20, 20)), (5, 5, 7)
    rows = [rng.normal(c, s, (100, 2)) for c, s in zip(centres, spreads, strict=True)]
    return np.repeat([1, 2, 3], 100), np.concatenate(rows).sum(axis=1)


def curves(label: np.ndarray, score: np.ndarray, path: Path) -> None:
    """Class 1 against the rest, and class 3 against the rest."""
    figure, panels = panels_of(2, 3.2)
    for axes, cut in zip(panels, (1, 2), strict=True):
        curve = rw.roc((label > cut).astype(int), score)
        area = rw.auc((label > cut).astype(int), score).value
        axes.plot(curve.fpr, curve.tpr, color=BLUE, linewidth=1.2)
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.6)
        words = f"above class {cut}: AUC {area:.3f}"
        axes.set(title=words, xlabel="false positive rate", aspect="equal")
        axes.title.set_fontsize(9)
        axes.grid(alpha=0.3)
    panels[0].set_ylabel("true positive rate")
    keep(figure, path)


def relations(means: Sequence[Any], path: Path) -> None:
    """Figures 4 to 6: one measure over another, a dot for each distance of the means."""
    figure, panels = panels_of(3)
    value = {(one.classes, one.shift, one.measure): one.mean for one in means}
    shifts = sorted({one.shift for one in means})
    for axes, (number, (across, up)) in zip(panels, RELATIONS.items(), strict=True):
        for classes, color in COLORS.items():
            x, y = ([value[classes, shift, name] for shift in shifts] for name in (across, up))
            axes.plot(x, y, ".-", color=color, linewidth=0.8, markersize=3, label=f"r = {classes}")
        axes.set(xlabel=NAMES[across], ylabel=NAMES[up], title=f"figure {number}")
        axes.title.set_fontsize(9)
        axes.grid(alpha=0.3)
    panels[-1].legend(frameon=False, fontsize=8)
    keep(figure, path)


def over_distance(means: Sequence[Any], path: Path) -> None:
    """Counted means as dots, expected values as lines."""
    figure, panels = panels_of(3)
    for axes, name in zip(panels, ("volume", "consecutive", "pairwise"), strict=True):
        for classes, color in COLORS.items():
            here = sorted(
                (one.shift, one.mean, one.expected)
                for one in means
                if (one.measure, one.classes) == (name, classes)
            )
            shifts, counted, expected = zip(*here, strict=True)
            axes.plot(shifts, expected, color=color, linewidth=1, label=f"r = {classes}")
            axes.plot(shifts, counted, ".", color=color, markersize=3)
        axes.set(title=NAMES[name], xlabel="distance of means")
        axes.title.set_fontsize(9)
        axes.grid(alpha=0.3)
    panels[0].legend(frameon=False, fontsize=8)
    keep(figure, path)


def scatter(rankings: Sequence[Any], path: Path) -> None:
    """Figure 7: histograms on the diagonal, one dot for each random ranking beside it."""
    figure = canvas(7.1, 7.1)
    grid = figure.subplots(len(NAMES), len(NAMES))
    for row, up in enumerate(NAMES):
        for column, across in enumerate(NAMES):
            axes = grid[row, column]
            x, y = ([getattr(one, name) for one in rankings] for name in (across, up))
            if up == across:
                axes.hist(x, 25, color=BLUE)
                axes.set_yticks([])
            else:
                axes.plot(x, y, ".", color=BLUE, markersize=1.5, alpha=0.5, rasterized=True)
            axes.tick_params(labelsize=7)
            axes.locator_params(nbins=3)
            if row == len(NAMES) - 1:
                axes.set_xlabel(NAMES[across], fontsize=9)
            if column == 0:
                axes.set_ylabel(NAMES[up], fontsize=9)
    keep(figure, path)


def panels_of(count: int, height: float = 2.6) -> tuple[Any, Any]:
    """A row of panels."""
    figure = canvas(7.1, height)
    return figure, figure.subplots(1, count)
