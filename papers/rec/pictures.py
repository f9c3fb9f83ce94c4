"""REC curves of forecasters, as in figures 2 to 7."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studies.stacked_filters import forecasts, mackey_glass

import rocwise as rw
from rocwise.plotting import save

SHOWN = {
    "figure-3": ("null", "ekf", "sr-ukf", "sr-cdkf"),
    "figure-6": ("null", "sr-ukf", "stack-2", "stack-3", "stack-4"),
}


def draw(found: Sequence[Any], folder: Path) -> None:
    """Curves on the noisy Mackey-Glass series, and areas relative to the null model."""
    folder.mkdir(parents=True, exist_ok=True)
    truth, by_name = forecasts(mackey_glass(0.2), 0)
    for file, names in SHOWN.items():
        save(rw.rec(truth, {name: by_name[name] for name in names}), folder / f"{file}.svg")
    relative(found, folder / "areas.svg")


def relative(found: Sequence[Any], path: Path) -> None:
    """One column of dots for each series: area over that of the null model."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    series = list(dict.fromkeys(one.series for one in found))
    null = {one.cell: one.absolute for one in found if one.forecaster == "null"}
    figure = Figure(figsize=(7.1, 3.4), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.subplots()
    for place, (name, marker) in enumerate(
        {"network": "x", "sr-ukf": "o", "stack-4": "s", "linear stack": "^"}.items()
    ):
        here = [one for one in found if one.forecaster == name]
        x = [series.index(one.series) + 0.18 * (place - 1.5) for one in here]
        y = [one.absolute / null[one.cell] for one in here]
        axes.plot(x, y, marker, markersize=4, label=name)
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set_xticks(range(len(series)), series, rotation=30, ha="right", fontsize=8)
    axes.set_ylabel("area over the curve,\nrelative to the null model")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, ncols=4, fontsize=8)
    figure.savefig(path, metadata={"Date": None})
