"""Figures 3 and 4: surfaces of least costs with their windows, and differences of surfaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from papers.shared.figures import canvas, keep

SHOWN = "breast-w"  # of figure 3
QUANTITIES = ("cost", "rate", "lower", "upper")
WORDS = ("least cost", "share left undecided", "lower threshold", "upper threshold")
PAIRS = (  # of figure 4: two large differences, two small ones
    *(("credit-a", "NB", "SVM"), ("bupa", "NB", "RF")),
    *(("haberman", "J48", "NB"), ("diabetes", "RF", "SVM")),
)
HIGHEST = 0.5  # cost of abstaining: beyond it the window is empty


def draw(
    cells: Sequence[tuple[str, str]], surface: Callable[[str, str], Any], folder: Path
) -> None:
    """What of both figures was counted."""
    learners = [learner for data, learner in cells if data == SHOWN]
    if learners:
        windows({name: surface(SHOWN, name) for name in learners}, folder / "figure-3.svg")
    pairs = [pair for pair in PAIRS if {(pair[0], pair[1]), (pair[0], pair[2])} <= set(cells)]
    if pairs:
        differences(pairs, surface, folder / "figure-4.svg")


def windows(surfaces: dict[str, Any], path: Path) -> None:
    """One row for each learner, up to an abstention cost of one half as in the paper."""
    from matplotlib.ticker import MaxNLocator

    figure = canvas(7.1, 1.5 * len(surfaces) + 0.9)
    rows = figure.subplots(len(surfaces), 4, squeeze=False, sharex=True, sharey=True)
    tops = {
        name: min(1.0, max(float(getattr(one, name).max()) for one in surfaces.values()))
        for name in QUANTITIES
    }
    for row, (learner, one) in zip(rows, surfaces.items(), strict=True):
        kept = one.nu <= HIGHEST
        for axes, name in zip(row, QUANTITIES, strict=True):
            values = np.clip(np.asarray(getattr(one, name))[:, kept].T, 0, 1)  # ±inf: no window
            shown = axes.pcolormesh(
                *(one.mu, one.nu[kept], values),
                vmin=0,
                vmax=tops[name],
                cmap="cividis",
                rasterized=True,
            )
            axes.tick_params(labelsize=7)
        row[0].set_ylabel(learner, fontsize=9)
    for place, words in enumerate(WORDS):
        rows[0, place].set_title(words, fontsize=8)
        shown = rows[-1, place].collections[0]
        bar = figure.colorbar(shown, ax=list(rows[:, place]), location="bottom", shrink=0.9)
        bar.ax.tick_params(labelsize=6)
        bar.locator = MaxNLocator(3)
    figure.supxlabel("cost of a false alarm", fontsize=8)
    figure.supylabel("cost of abstaining", fontsize=8)
    keep(figure, path)


def differences(
    pairs: Sequence[tuple[str, str, str]], surface: Callable[[str, str], Any], path: Path
) -> None:
    """The first less the second, each on its own scale; blue where the first is cheaper."""
    from matplotlib.ticker import MaxNLocator

    figure = canvas(7.1, 2.9)
    row = figure.subplots(1, len(pairs), squeeze=False, sharey=True)[0]
    for axes, (data, first, second) in zip(row, pairs, strict=True):
        one = surface(data, first).difference(surface(data, second))
        widest = float(np.abs(one.cost).max())
        shown = axes.pcolormesh(
            one.mu, one.nu, one.cost.T, cmap="RdBu_r", vmin=-widest, vmax=widest, rasterized=True
        )
        axes.set_title(f"{data}:\n{first} less {second}", fontsize=8)
        axes.tick_params(labelsize=7)
        bar = figure.colorbar(shown, ax=axes, location="bottom", shrink=0.9)
        bar.ax.tick_params(labelsize=6)
        bar.locator = MaxNLocator(3)
    row[0].set_ylabel("cost of abstaining", fontsize=8)
    figure.supxlabel("cost of a false alarm", fontsize=8)
    keep(figure, path)
