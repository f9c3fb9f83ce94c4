"""Figures 5 to 8: confident parts of curves, their areas, and the intervals behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import rocwise as rw
from papers.shared.figures import canvas, keep

COLORS = {"S": "#000000", "T": "#0072B2", "F": "#009E73", "B": "#D55E00"}
WORDS = {"S": "stump", "T": "tree", "F": "forest", "B": "naive Bayes"}


def draw(found: Sequence[Any], scored: Callable[[Any], Any], folder: Path) -> None:
    """One panel for each data set in either figure."""
    figure, panels = grid(found)
    for data, axes in panels.items():
        for one in (one for one in found if one.data == data):
            curve(axes, one, rw.tally(*scored(SimpleNamespace(data=data, letter=one.letter))))
        axes.set_title(data, fontsize=9)
    finish(figure, panels, "false positive rate", "true positive rate", folder / "figure-5.svg")
    figure, panels = grid(found)
    for data, axes in panels.items():
        for one in (one for one in found if one.data == data and one.points):
            axes.plot(one.difference, one.confident_area, "o", color=COLORS[one.letter])
            place = (one.difference, one.confident_area)
            axes.annotate(one.letter, place, (5, 3), textcoords="offset points", fontsize=8)
        axes.set_title(data, fontsize=9)
        axes.margins(0.25)
        axes.locator_params(nbins=3)
        axes.tick_params(labelsize=7)
    finish(figure, panels, "mean difference (b - c) / n", "confident area", folder / "figure-6.svg")
    for number, data in ((7, "dis"), (8, "spectf")):
        if any(one.data == data for one in found):
            intervals(data, scored, folder / f"figure-{number}.svg")


def intervals(data: str, scored: Callable[[Any], Any], path: Path) -> None:
    """Figures 7 and 8: Tango's interval at every threshold; those that hold 0 are confident."""
    found = {
        letter: rw.confident_segment(rw.tally(*scored(SimpleNamespace(data=data, letter=letter))))
        for letter in WORDS
    }
    figure = canvas(7.1, 4.6)
    for axes, (letter, one) in zip(figure.subplots(2, 2).ravel(), found.items(), strict=True):
        differences, low, high = one.intervals()
        at = one.curve_thresholds
        shown = (low <= 0) & (high >= 0) & np.isfinite(at)
        axes.axhline(0, color="grey", linewidth=0.8)
        axes.vlines(at[shown], low[shown], high[shown], color=COLORS[letter], linewidth=0.8)
        axes.plot(at[shown], differences[shown], ".", color=COLORS[letter], markersize=4)
        count = int(shown.sum())
        axes.set_title(f"{WORDS[letter]}: {count} confident", fontsize=9)
        axes.set_xlim(-0.03, 1.03)
    figure.supxlabel("threshold", fontsize=9)
    figure.supylabel("(b - c) / n and its interval", fontsize=9)
    keep(figure, path)


def curve(axes: Any, one: Any, tally: rw.Tally) -> None:
    """A thin curve with its confident part thick."""
    whole, part = rw.roc(tally), rw.confident_segment(tally)
    axes.plot(whole.fpr, whole.tpr, color=COLORS[one.letter], linewidth=0.8)
    axes.plot(part.fpr, part.tpr, color=COLORS[one.letter], linewidth=3, label=WORDS[one.letter])


def grid(found: Sequence[Any]) -> tuple[Any, dict[str, Any]]:
    """Two rows of panels, one for each data set."""
    names = list(dict.fromkeys(one.data for one in found))
    figure = canvas(7.1, 4.8)
    panels = figure.subplots(2, (len(names) + 1) // 2, squeeze=False).ravel()
    return figure, dict(zip(names, panels, strict=False))


def finish(figure: Any, panels: dict[str, Any], across: str, up: str, path: Path) -> None:
    """Words and file."""
    figure.supxlabel(across, fontsize=9)
    figure.supylabel(up, fontsize=9)
    handles, labels = next(iter(panels.values())).get_legend_handles_labels()
    if handles:
        next(reversed(panels.values())).legend(handles, labels, frameon=False, fontsize=7)
    keep(figure, path)
