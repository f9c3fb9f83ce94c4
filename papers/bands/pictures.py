"""How much of the new curves bands hold, over the size of the sample."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any


def draw(found: Sequence[Any], folder: Path) -> None:
    """One panel for each kind of band, one line for each population."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    kinds = list(dict.fromkeys(one.cell for one in found))
    thetas = sorted({one.theta for one in found})
    figure = Figure(figsize=(7.1, 3.2), layout="constrained")
    FigureCanvasSVG(figure)
    panels = figure.subplots(1, len(kinds), sharey=True)
    names = {"fixed-width future": "widened by √2 (the paper's)", "future": "calibrated on pairs"}
    for axes, kind in zip(panels, kinds, strict=True):
        axes.axhline(0.9, color="grey", linewidth=0.8)
        for place, theta in enumerate(thetas):
            here = sorted(
                (one.size, one.share, one.error)
                for one in found
                if (one.cell, one.theta) == (kind, theta)
            )
            sizes, shares, errors = zip(*here, strict=True)
            colour = (0.1, 0.2 + 0.1 * place, 0.75 - 0.1 * place)
            axes.errorbar(sizes, shares, errors, color=colour, label=f"θ = {theta}", linewidth=1)
        axes.set(xscale="log", xlabel="cases in the sample", title=names[kind])
        axes.title.set_fontsize(9)
        axes.grid(alpha=0.3)
    panels[0].set_ylabel("new curves inside (0.90 asked)")
    panels[1].legend(frameon=False, fontsize=7, ncols=2, loc="upper right")
    figure.savefig(folder / "figure-5.svg", metadata={"Date": None})
