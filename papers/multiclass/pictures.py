"""Cost relative to naive Bayes on every data set: the paper's best search, published and here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from papers.shared.figures import canvas, keep
from papers.shared.paper import Expected

DRAWN = {
    "lp": ("LP (14)", "#999999", "x"),
    "ga1": ("GA (1)", "#D55E00", "o"),
    "ours": ("sweep or pair moves", "#0072B2", "s"),
}


def draw(found: Sequence[Any], expected: Expected, folder: Path) -> None:
    """One picture: ratios on a logarithmic axis, data sets from the worst to the best."""
    costs = {
        data: [one for one in found if one.data == data and one.table == 2]
        for data in dict.fromkeys(one.data for one in found)
    }
    kept = {data: folds for data, folds in costs.items() if mean(folds, "nb") > 0}
    order = sorted(kept, key=lambda data: mean(kept[data], "ours") / mean(kept[data], "nb"))
    figure = canvas(7.1, 1.2 + 0.2 * len(order))
    axes = figure.subplots()
    places = range(len(order))
    for name, (label, color, marker) in DRAWN.items():
        ratios = [mean(kept[data], name) / mean(kept[data], "nb") for data in order]
        axes.plot(ratios, places, marker, color=color, label=f"{label}, here", ms=5)
    published = [expected["table-2"][data] for data in order]
    ratios = [row[4] / row[0] if not math.isnan(row[4]) else math.nan for row in published]
    axes.plot(ratios, places, "o", mfc="none", color="#D55E00", label="GA (1), published", ms=7)
    axes.axvline(1, color="black", lw=0.8)
    axes.set_xscale("log")
    ticks = (0.1, 0.2, 0.5, 1, 2, 5)
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_yticks(places, order, fontsize=8)
    axes.grid(alpha=0.3)
    axes.set_xlabel("mean cost per row, naive Bayes = 1")
    axes.legend(frameon=False, fontsize=8, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    keep(figure, folder / "costs.svg")


def mean(folds: Sequence[Any], method: str) -> float:
    """Over folds; nan where the method was not asked."""
    told = [getattr(one, method) for one in folds]
    return math.nan if None in told else float(np.mean(told))
