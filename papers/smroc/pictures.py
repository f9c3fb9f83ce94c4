"""Figures 4 to 7 of the paper, drawn from the counted runs and one run of the ozone data."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rocwise as rw
from papers.shared.figures import BLUE, GREY, ORANGE, canvas, keep
from papers.smroc.claims import BAYES, TREE, differences, means

SOLID = {"color": "#0072B2", "marker": ".", "linestyle": "-"}
OPEN = {"color": "#D55E00", "marker": "o", "markerfacecolor": "none", "linestyle": ""}


def draw(runs: Sequence[Any], folder: Path) -> None:
    """One file for each figure."""
    for number, learner in ((4, TREE), (5, BAYES)):
        lines = [one for one in means(runs) if one.learner == learner]
        panels(lines, folder / f"figure-{number}.svg", learner)
    panels(differences(runs), folder / "figure-7.svg", "naive Bayes less tree")


def ozone(data: str, scored: Mapping[str, tuple[Any, Any]], path: Path) -> None:
    """Figure 6: both curves of both learners on one data set, labels and scores given."""
    figure = canvas(7.1, 3.8)
    for axes, (learner, (label, score)) in zip(
        figure.subplots(1, 2, sharey=True), scored.items(), strict=True
    ):
        curve = rw.roc(label, score)
        with warnings.catch_warnings():  # the midpoint is what is shown here
            warnings.simplefilter("ignore", rw.errors.MidOutOfRangeWarning)
            smooth = rw.smooth_roc(label, score)
        half = rw.smooth_roc(label, score, midpoint=0.5)
        axes.plot(curve.fpr, curve.tpr, color=BLUE, lw=1.3, label="ROC")
        axes.plot(
            smooth.x,
            smooth.y,
            "--",
            color=ORANGE,
            lw=1.3,
            label=f"smROC, midpoint {smooth.midpoint:.2f}",
        )
        axes.plot(half.x, half.y, ":", color="black", lw=1.3, label="smROC, midpoint ½")
        axes.plot([0, 1], [0, 1], color=GREY, lw=0.6)
        axes.set(xlabel="false positive rate", title=f"{learner} on {data}", aspect="equal")
        axes.grid(alpha=0.3)
        axes.legend(frameon=False, fontsize=8, loc="lower right")
    figure.axes[0].set_ylabel("true positive rate")
    keep(figure, path)


def panels(lines: Sequence[Any], path: Path, words: str) -> None:
    """Spread above, mean below; data sets in falling order of the area's mean."""
    lines = sorted(lines, key=lambda one: -one.area)
    figure = canvas(7.1, 4.4)
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
    below.set_ylabel("mean")
    above.set_title(f"{words}, ten runs", fontsize=10)
    below.set_xticks(places, [one.data for one in lines], rotation=60)
    if any(one.area < 0 for one in lines):
        below.axhline(0, color="black", linewidth=0.8)
    above.legend(frameon=False, ncols=2)
    keep(figure, path)
