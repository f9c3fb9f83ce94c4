"""Pictures of papers: a canvas, and files that are the same in every run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, PINK, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#999999"


def canvas(width: float, height: float) -> Figure:
    """An empty picture, in inches."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(figure)
    return figure


def keep(figure: Figure, path: Path) -> None:
    """Write it without a date and with names that do not change."""
    import matplotlib

    path.parent.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context({"svg.hashsalt": path.name}):
        figure.savefig(path, metadata={"Date": None})
