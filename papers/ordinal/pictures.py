"""Figures 2 to 7 of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import rocwise as rw
from rocwise.plotting import save

COLOURS = {2: "#0072B2", 3: "#D55E00", 4: "#009E73", 5: "#CC79A7"}
PAIRS = (("consecutive", "volume"), ("pairwise", "volume"), ("pairwise", "consecutive"))


def draw(means: Sequence[Any], rankings: Sequence[Any], folder: Path) -> None:
    """The surface, the measures over the distance, and random rankings."""
    folder.mkdir(parents=True, exist_ok=True)
    surface(folder / "figure-2.svg")
    over_distance(means, folder / "figures-3-to-6.svg")
    scatter(rankings, folder / "figure-7.svg")


def surface(path: Path) -> None:
    """Three normal classes in two features, scored by their sum, as in the paper's picture."""
    rng = np.random.default_rng(2006)
    centres, spreads = ((10, 10), (20, 10), (20, 20)), (5, 5, 7)
    rows = [rng.normal(c, s, (100, 2)) for c, s in zip(centres, spreads, strict=True)]
    score = np.concatenate(rows).sum(axis=1)
    save(rw.roc_surface(np.repeat([1, 2, 3], 100), score, decimals=0), path)


def over_distance(means: Sequence[Any], path: Path) -> None:
    """Counted means as dots, expected values as lines."""
    figure, panels = panels_of(3)
    for axes, name in zip(panels, ("volume", "consecutive", "pairwise"), strict=True):
        for classes, colour in COLOURS.items():
            here = sorted(
                (one.shift, one.mean, one.expected)
                for one in means
                if (one.measure, one.classes) == (name, classes)
            )
            shifts, counted, expected = zip(*here, strict=True)
            axes.plot(shifts, expected, color=colour, linewidth=1, label=f"{classes} classes")
            axes.plot(shifts, counted, ".", color=colour, markersize=3)
        axes.set(title=name, xlabel="distance of means")
        axes.grid(alpha=0.3)
    panels[0].legend(frameon=False, fontsize=7)
    figure.savefig(path, metadata={"Date": None})


def scatter(rankings: Sequence[Any], path: Path) -> None:
    """One dot for each random ranking."""
    figure, panels = panels_of(3)
    for axes, (a, b) in zip(panels, PAIRS, strict=True):
        x, y = ([getattr(one, name) for one in rankings] for name in (a, b))
        axes.plot(x, y, ".", color=COLOURS[2], markersize=2, alpha=0.5, rasterized=False)
        axes.set(xlabel=a, ylabel=b)
    figure.savefig(path, metadata={"Date": None})


def panels_of(count: int) -> tuple[Any, Any]:
    """A row of panels."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.1, 2.6), layout="constrained")
    FigureCanvasSVG(figure)
    return figure, figure.subplots(1, count)
