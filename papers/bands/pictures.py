"""How often bands hold the true curve, and new curves, over the size of the sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from papers.shared.figures import canvas, keep

NEW = {"fixed-width future": "widened by √2 (the paper's)", "future": "calibrated on pairs"}
TRUE = {
    "joint-regions": "joint regions (SJR)",
    "fixed-width": "fixed width (FWB)",
    "working-hotelling": "Working-Hotelling (WHB)",
    "simultaneous": "simultaneous (ours)",
}


def draw(true: Sequence[Any], new: Sequence[Any], folder: Path) -> None:
    """Figure 5, and Table 3 as a picture."""
    panels(true, TRUE, "true curve inside (nominal 0.90)", folder / "figure-5.svg")
    panels(new, NEW, "new curves inside (nominal 0.90)", folder / "table-3.svg")


def panels(found: Sequence[Any], names: Mapping[str, str], words: str, path: Path) -> None:
    """One panel for each kind of band, one line for each population."""
    thetas = sorted({one.theta for one in found})
    figure = canvas(7.1, 3.2)
    row = figure.subplots(1, len(names), sharey=True)
    for axes, (kind, name) in zip(row, names.items(), strict=True):
        axes.axhline(0.9, color="grey", linewidth=0.8)
        for place, theta in enumerate(thetas):
            here = sorted(
                (one.size, one.share, one.error)
                for one in found
                if (one.cell, one.theta) == (kind, theta)
            )
            sizes, shares, errors = zip(*here, strict=True)
            color = (0.1, 0.2 + 0.1 * place, 0.75 - 0.1 * place)
            axes.errorbar(sizes, shares, errors, color=color, label=f"θ = {theta}", linewidth=1)
        axes.set(xscale="log", xlabel="cases in the sample", title=name)
        axes.title.set_fontsize(9)
        axes.grid(alpha=0.3)
    row[0].set_ylabel(words)
    figure.legend(
        *row[0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=7,
        fontsize=7,
        frameon=False,
    )
    keep(figure, path)
