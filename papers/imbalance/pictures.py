"""Figures 5 and 6: curves with their confident parts, and confident area over mean difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import rocwise as rw

COLOURS = {"S": "#000000", "T": "#0072B2", "F": "#009E73", "B": "#D55E00"}
WORDS = {"S": "stump", "T": "tree", "F": "forest", "B": "naive Bayes"}


def draw(found: Sequence[Any], scored: Callable[[Any], Any], folder: Path) -> None:
    """One panel for each data set in either figure."""
    folder.mkdir(parents=True, exist_ok=True)
    figure, panels = grid(found)
    for data, axes in panels.items():
        for one in (one for one in found if one.data == data):
            curve(axes, one, rw.tally(*scored(SimpleNamespace(data=data, letter=one.letter))))
        axes.set_title(data, fontsize=9)
    finish(figure, panels, "false positive rate", "true positive rate", folder / "figure-5.svg")
    figure, panels = grid(found)
    for data, axes in panels.items():
        for one in (one for one in found if one.data == data and one.points):
            axes.plot(one.difference, one.confident_area, "o", color=COLOURS[one.letter])
            place = (one.difference, one.confident_area)
            axes.annotate(one.letter, place, (5, 3), textcoords="offset points", fontsize=8)
        axes.set_title(data, fontsize=9)
        axes.margins(0.2)
        axes.locator_params(nbins=4)
    finish(figure, panels, "mean difference (b - c) / n", "confident area", folder / "figure-6.svg")


def curve(axes: Any, one: Any, tally: rw.Tally) -> None:
    """A thin curve with its confident part thick."""
    whole, part = rw.roc(tally), rw.confident_segment(tally)
    axes.plot(whole.fpr, whole.tpr, color=COLOURS[one.letter], linewidth=0.8)
    axes.plot(part.fpr, part.tpr, color=COLOURS[one.letter], linewidth=3, label=WORDS[one.letter])


def grid(found: Sequence[Any]) -> tuple[Any, dict[str, Any]]:
    """Two rows of panels, one for each data set."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(one.data for one in found))
    figure = Figure(figsize=(7.1, 4.8), layout="constrained")
    FigureCanvasSVG(figure)
    panels = figure.subplots(2, (len(names) + 1) // 2, squeeze=False).ravel()
    return figure, dict(zip(names, panels, strict=False))


def finish(figure: Any, panels: dict[str, Any], across: str, up: str, path: Path) -> None:
    """Words and file."""
    figure.supxlabel(across, fontsize=9)
    figure.supylabel(up, fontsize=9)
    handles, labels = next(iter(panels.values())).get_legend_handles_labels()
    if handles:
        next(reversed(panels.values())).legend(handles, labels, frameon=False, fontsize=7)
    figure.savefig(path, metadata={"Date": None})
