"""How often each test rejects equal areas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from papers.shared.figures import canvas, keep

LINES = {"delong": ("#0072B2", "o-"), "permutation-asymptotic": ("#D55E00", "s--")}


def draw(cells: Sequence[Any], folder: Path) -> None:
    """One panel for each size and correlation shown, rejections over the area."""
    sizes = sorted({one.size for one in cells})
    correlations = sorted({one.correlation for one in cells})
    figure = canvas(7.1, 1.9 * len(sizes) + 0.6)
    grid = figure.subplots(len(sizes), len(correlations), sharex=True, sharey=True, squeeze=False)
    for row, size in enumerate(sizes):
        for column, correlation in enumerate(correlations):
            axes = grid[row, column]
            axes.axhline(0.05, color="grey", linewidth=0.7)
            for method, (color, style) in LINES.items():
                here = sorted(
                    (one.area, one.rate)
                    for one in cells
                    if (one.size, one.correlation, one.gain, one.method)
                    == (size, correlation, 0.0, method)
                )
                label = method.removesuffix("-asymptotic")
                axes.plot(*zip(*here, strict=True), style, color=color, markersize=3, label=label)
            if row == 0:
                axes.set_title(f"correlation {correlation}", fontsize=8)
            if column == 0:
                axes.set_ylabel(f"{size} of each class", fontsize=8)
    figure.supxlabel("AUC of both models", fontsize=9)
    figure.supylabel("equality rejected", fontsize=9)
    grid[0, 0].legend(frameon=False, fontsize=7)
    keep(figure, folder / "sizes.svg")
