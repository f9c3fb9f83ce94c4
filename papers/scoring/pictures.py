"""Areas with their intervals, learner beside learner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from papers.shared.figures import canvas, keep

COLORS = {"naive Bayes": "#0072B2", "tree": "#D55E00", "logistic": "#009E73"}


def draw(found: Sequence[Any], folder: Path) -> None:
    """One dot with its t interval for every data set and learner."""
    names = list(dict.fromkeys(one.data for one in found))
    figure = canvas(7.1, 3.2)
    axes = figure.subplots()
    for place, (learner, color) in enumerate(COLORS.items()):
        here = [one for one in found if one.learner == learner]
        x = [names.index(one.data) + 0.22 * (place - 1) for one in here]
        reach = [
            [one.value - one.t_low for one in here],
            [one.t_high - one.value for one in here],
        ]
        values = [one.value for one in here]
        axes.errorbar(x, values, yerr=reach, fmt="o", color=color, markersize=4, label=learner)
    axes.set_xticks(range(len(names)), names)
    axes.set_ylabel("AUC, mean of ten folds")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, ncols=3, loc="lower left")
    keep(figure, folder / "areas.svg")
