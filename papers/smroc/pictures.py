"""Figures 4, 5 and 7 of the paper, drawn from the counted runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from papers.smroc.claims import BAYES, TREE, Areas, differences, means

SOLID = {"color": "#0072B2", "marker": ".", "linestyle": "-"}
OPEN = {"color": "#D55E00", "marker": "o", "markerfacecolor": "none", "linestyle": ""}


def draw(runs: Sequence[Areas], folder: Path) -> None:
    """One file for each figure."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, learner in ((4, TREE), (5, BAYES)):
        lines = [one for one in means(runs) if one.learner == learner]
        panels(lines, folder / f"figure-{number}.svg", f"{learner}: mean over the runs")
    panels(differences(runs), folder / "figure-7.svg", "naive Bayes less tree: mean difference")


def panels(lines: Sequence[Any], path: Path, words: str) -> None:
    """Spread above, mean below; data sets in falling order of the area's mean."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    lines = sorted(lines, key=lambda one: -one.area)
    figure = Figure(figsize=(7.1, 4.4), layout="constrained")
    FigureCanvasSVG(figure)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 3))
    places = range(len(lines))
    for axes, area, smooth in (
        (above, "area_spread", "smooth_spread"),
        (below, "area", "smooth"),
    ):
        axes.plot(places, [getattr(one, area) for one in lines], label="AUC", **SOLID)
        axes.plot(places, [getattr(one, smooth) for one in lines], label="smAUC", **OPEN)
        axes.grid(alpha=0.3)
    above.set_ylabel("standard deviation")
    below.set_ylabel(words)
    below.set_xticks(places, [one.data for one in lines], rotation=60)
    if any(one.area < 0 for one in lines):
        below.axhline(0, color="black", linewidth=0.8)
    above.legend(frameon=False, ncols=2)
    figure.savefig(path, metadata={"Date": None})
