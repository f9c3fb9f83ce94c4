"""Areas over REC curves of filters and of their stackings, on series at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from studies.stacked_filters import forecasts, mackey_glass

import rocwise as rw
from papers.rec.pictures import draw
from papers.shared.data import data_file
from papers.shared.pages import markdown
from papers.shared.paper import Expected, Finding, Paper, Part, Records

MADE = {"Mackey-Glass": 0.0, "Mackey-Glass, 20% noise": 0.2}
MEASURED = (
    *("laser", "darwin", "sunspots", "lynx", "airline", "co2", "nile", "nottem", "mintemp"),
)
LONGEST = 1500
SEEDS, QUICK_SEEDS = (0, 1, 2), (0,)
FILTERS = ("ekf", "sr-ukf", "sr-cdkf")
STACKS = ("stack-1", "stack-2", "stack-3", "stack-4")
LEVEL = 0.05
NAMED = {"A": "laser", "Darwin": "darwin", "Mackey-Glass": "Mackey-Glass"}  # in the paper: here


@dataclass(frozen=True)
class Task:
    """A series, and the seed of the network that all filters share."""

    series: str
    seed: int

    def __str__(self) -> str:
        return f"{self.series}, seed {self.seed}"


@dataclass(frozen=True)
class Area:
    """Area over the REC curve, and Diebold and Mariano's test against the best filter."""

    cell: str
    series: str
    seed: int
    forecaster: str
    cases: int
    absolute: float
    squared: float
    p_value: float


def tasks(quick: bool) -> list[Task]:
    """Every series with every seed; the first of those that are made when quick."""
    names = tuple(MADE)[:1] if quick else (*MADE, *MEASURED)
    return [Task(name, seed) for name in names for seed in (QUICK_SEEDS if quick else SEEDS)]


def series_of(name: str) -> np.ndarray:
    """Made by the delay equation, or read."""
    if name in MADE:
        return mackey_glass(MADE[name])
    return np.loadtxt(data_file(name), delimiter=",", skiprows=1, usecols=1)[:LONGEST]


def count(task: Task) -> list[Area]:
    """Forecasts of the last quarter, none of which has seen it."""
    truth, found = forecasts(series_of(task.series), task.seed)
    areas = {name: rw.regression.rec(truth, forecast).aoc for name, forecast in found.items()}
    best = min(FILTERS, key=areas.__getitem__)
    return [
        Area(
            *(str(task), task.series, task.seed, name, len(truth), areas[name]),
            *(
                rw.regression.rec(truth, found[name], loss="squared").aoc,
                p_value(truth, found, name, best),
            ),
        )
        for name in found
    ]


def p_value(truth: np.ndarray, found: Mapping[str, np.ndarray], name: str, best: str) -> float:
    """Of equal mean errors; 1 for the best filter itself."""
    if name == best or np.array_equal(found[name], found[best]):
        return 1.0
    pair = {"this": found[name], "best": found[best]}
    return float(rw.regression.compare(truth, pair, method="diebold-mariano").p_value)


def tables(records: Records, expected: Expected) -> Mapping[str, str]:
    """Table 3 in the paper's form, all forecasters, and what is published."""
    found: Sequence[Area] = records["areas"]
    return {
        "areas": areas_table(found),
        "stackings": stackings_table(found),
        "published": published_table(found, expected),
    }


def medians(found: Sequence[Area]) -> dict[tuple[str, str], float]:
    """Over the seeds, by series and forecaster."""
    groups: dict[tuple[str, str], list[float]] = {}
    for one in found:
        groups.setdefault((one.series, one.forecaster), []).append(one.absolute)
    return {place: float(np.median(values)) for place, values in groups.items()}


def areas_table(found: Sequence[Area]) -> str:
    """Medians over the seeds; the smallest of a row is bold."""
    middle = medians(found)
    names = list(dict.fromkeys(one.forecaster for one in found))
    rows = []
    for series in dict.fromkeys(one.series for one in found):
        values = [middle[series, name] for name in names]
        told = [f"**{v:.4f}**" if v == min(values) else f"{v:.4f}" for v in values]
        cases = next(one.cases for one in found if one.series == series)
        rows.append((f"{series} ({cases})", *told))
    return markdown(("series (cases judged)", *names), rows)


def stackings_table(found: Sequence[Area]) -> str:
    """Against the best filter of the same run: better, worse, and significantly so."""
    rows = []
    for name in (*STACKS, "linear stack", "network"):
        better, worse = against_filters(found, name)
        rows.append(
            (
                *(name, len(better), sum(one.p_value < LEVEL for one in better)),
                *(len(worse), sum(one.p_value < LEVEL for one in worse)),
            )
        )
    heads = ("", "better", "of these significant", "worse", "of these significant")
    return markdown(heads, rows)


def against_filters(found: Sequence[Area], name: str) -> tuple[list[Area], list[Area]]:
    """Runs in which a forecaster is better or worse than the best filter."""
    best = {
        cell: min(one.absolute for one in found if one.cell == cell and one.forecaster in FILTERS)
        for cell in {one.cell for one in found}
    }
    mine = [one for one in found if one.forecaster == name]
    better = [one for one in mine if one.absolute < best[one.cell]]
    return better, [one for one in mine if one.absolute > best[one.cell]]


def published_table(found: Sequence[Area], expected: Expected) -> str:
    """Table 3 as printed, with ours beside it where the series is at hand."""
    middle = medians(found)
    there = {one.series for one in found}
    rows = []
    for series, values in expected["table-3"].items():
        ours = NAMED.get(series, "")
        cells = [
            f"{value:.6f}" + (f" / {middle[ours, name]:.4f}" if ours in there else "")
            for name, value in zip(STACKS[1:], values, strict=True)
        ]
        rows.append((series, ours if ours in there else "not at hand", *cells))
    return markdown(("series", "here", "stack 2", "stack 3", "stack 4"), rows)


def finding(records: Records, _expected: Expected) -> Finding:
    """Whether stackings beat filters, as the paper says they do on all series."""
    found: Sequence[Area] = records["areas"]
    better, worse = against_filters(found, "stack-4")
    clearly = sum(one.p_value < LEVEL for one in better)
    middle = medians(found)
    series = {one.series for one in found}
    gap = max(abs(middle[s, "sr-ukf"] / middle[s, "sr-cdkf"] - 1) for s in series)
    third = {one.cell: one.absolute for one in found if one.forecaster == "stack-3"}
    alone = {one.cell: one.absolute for one in found if one.forecaster == "sr-ukf"}
    ahead = sum(third[cell] < alone[cell] for cell in third)
    sentence = (
        f"Stacking 3 is better than the SR-UKF in {ahead} of {len(third)} runs, where the paper "
        "has it better on all series; all three filters stacked are better than the best of them "
        f"in {len(better)} of {len(better) + len(worse)}, significantly in {clearly}. Both "
        f"square-root filters differ by up to {gap:.1%}. "
        "Its series are mostly not at hand, and its split, metric and training are not given."
    )
    good = ahead > 0.9 * len(third)
    return Finding("reproduced" if good else "not reproduced", sentence)


PAPER = Paper(
    name="rec",
    citation="de Pina and Zaverucha (2006)",
    claim="Stackings of sigma-point Kalman filters have better REC curves than the filters alone.",
    parts=(Part("areas", Area, tasks, count),),
    tables=tables,
    pictures=lambda records, folder: draw(records["areas"], series_of, Path(folder)),
    finding=finding,
)
