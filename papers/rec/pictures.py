"""REC curves of forecasters, as in figures 2 to 7."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import rocwise as rw
from papers.rec.forecasts import forecasts
from papers.rec.problems import piecewise_linear
from papers.shared.figures import canvas, keep
from rocwise.estimators import ModelTreeRegressor, NaiveBayesRegressor
from rocwise.plotting import save

TOP = 3.0  # ratios beyond are drawn at the edge
FILTERS = ("null", "ekf", "sr-ukf", "sr-cdkf")
STACKS = ("null", "sr-ukf", "stack-2", "stack-3", "stack-4")
SHOWN = {  # number of the figure: series here, forecasters
    3: ("laser", FILTERS),
    4: ("Mackey-Glass", FILTERS),
    5: ("sunspots", FILTERS),
    6: ("Mackey-Glass, 20% noise", STACKS),
    7: ("darwin", ("null", "sr-ukf", "stack-3")),
}


def draw(found: Sequence[Any], series_of: Callable[[str], Any], folder: Path) -> None:
    """Curves of the series that were counted, and areas relative to the null model."""
    folder.mkdir(parents=True, exist_ok=True)
    there = {one.series for one in found}
    for number, (series, names) in SHOWN.items():
        if series in there:
            truth, by_name = forecasts(series_of(series), 0)
            shown = {name: by_name[name] for name in names}
            save(rw.regression.rec(truth, shown), folder / f"figure-{number}.svg")
    piecewise(folder / "figure-2.svg")
    relative(found, folder / "areas.svg")


def piecewise(path: Path) -> None:
    """Figure 2: Breiman's piecewise linear data, 200 training rows and 1,000 new ones."""
    X, y = piecewise_linear(1200)
    old, new = slice(0, 200), slice(200, None)
    models = {"naive Bayes": NaiveBayesRegressor(), "model tree": ModelTreeRegressor()}
    shown = {name: model.fit(X[old], y[old]).predict(X[new]) for name, model in models.items()}
    save(rw.regression.rec(y[new], {"null": np.full(1000, np.median(y[old])), **shown}), path)


def relative(found: Sequence[Any], path: Path) -> None:
    """One column of dots for each series: area over that of the null model."""
    series = list(dict.fromkeys(one.series for one in found))
    null = {one.cell: one.absolute for one in found if one.forecaster == "null"}
    figure = canvas(7.1, 3.4)
    axes = figure.subplots()
    for place, (name, marker) in enumerate(
        {"network": "x", "sr-ukf": "o", "stack-4": "s", "linear stack": "^"}.items()
    ):
        here = [one for one in found if one.forecaster == name]
        x = [series.index(one.series) + 0.18 * (place - 1.5) for one in here]
        y = [min(one.absolute / null[one.cell], TOP) for one in here]
        axes.plot(x, y, marker, markersize=4, label=name, clip_on=False)
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_ylim(0.08, TOP)
    ticks = (0.1, 0.2, 0.5, 1, 2)
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xticks(range(len(series)), series, rotation=30, ha="right", fontsize=8)
    axes.set_ylabel("area over the curve,\nrelative to the null model")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, ncols=4, fontsize=8)
    keep(figure, path)
