"""Areas over REC curves of filters and of their stackings, on series at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import KFold
from studies.simulation import markdown

import rocwise as rw
from papers.rec.claims import NAMED, claims, medians
from papers.rec.forecasts import forecasts, lags_of, mackey_glass
from papers.rec.pictures import draw
from papers.rec.problems import SETS, regression_set
from papers.shared.data import data_file
from papers.shared.paper import Expected, Paper, Part, Records
from rocwise.estimators import ModelTreeRegressor, NaiveBayesRegressor

MADE = {"Mackey-Glass": 0.0, "Mackey-Glass, 20% noise": 0.2}
MEASURED = (
    *("laser", "darwin", "sunspots", "lynx", "airline", "co2", "nile", "nottem", "mintemp"),
)
LONGEST = 1500
SEEDS, QUICK_SEEDS = range(7), (0,)
FILTERS = ("ekf", "sr-ukf", "sr-cdkf")
ALL_FILTERS = ("ekf", "sr-ukf", "sr-cdkf", "ukf", "cdkf")
STACKS = ("stack-1", "stack-2", "stack-3", "stack-4")
LEVEL = 0.05


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
    """Forecasts of the last quarter, which none was fitted to."""
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


@dataclass(frozen=True)
class Forms:
    """Areas of filters, square-root forms and learners on the lags; dominance; a test."""

    cell: str
    series: str
    seed: int
    ukf: float
    sr_ukf: float
    cdkf: float
    sr_cdkf: float
    ekf: float
    dominates_cdkf: bool
    dominates_ekf: bool
    model_tree: float
    bayes: float
    stack_3: float
    stacked_sr_ukf: float
    p_stack_3: float


def count_forms(task: Task) -> list[Forms]:
    """All five filters share a network; both learners have the same lags."""
    truth, found = forecasts(series_of(task.series), task.seed, ALL_FILTERS)
    curves = {name: rw.regression.rec(truth, own) for name, own in found.items()}
    areas = [curves[name].aoc for name in ("ukf", "sr-ukf", "cdkf", "sr-cdkf", "ekf")]
    wins = [curves["sr-ukf"].dominates(curves[name]) for name in ("sr-cdkf", "ekf")]
    three = forecasts(series_of(task.series), task.seed)[1]  # the filters of the stackings
    pair = {name: three[name] for name in ("stack-3", "sr-ukf")}
    test = rw.regression.compare(truth, pair, method="diebold-mariano")
    X, y, cut = lags_of(series_of(task.series))
    learned = [
        rw.regression.rec(y[cut:], model.fit(X[:cut], y[:cut]).predict(X[cut:])).aoc
        for model in (ModelTreeRegressor(), NaiveBayesRegressor())
    ]
    return [
        Forms(
            *(str(task), task.series, task.seed, *areas, *wins, *learned),
            *(rw.regression.rec(truth, own).aoc for own in pair.values()),
            float(test.p_value),
        )
    ]


@dataclass(frozen=True)
class Learners:
    """Naive Bayes for regression and the model tree on one problem, five folds."""

    cell: str
    data: str
    rows: int
    bayes: float
    tree: float
    dominates: bool
    p_value: float


def learner_tasks(quick: bool) -> list[str]:
    """The regression problems at hand."""
    return ["pwLinear"] if quick else list(SETS)


def count_learners(name: str) -> list[Learners]:
    """Forecasts of held-out folds by both."""
    X, y = regression_set(name)
    found = {"tree": np.empty(len(y)), "bayes": np.empty(len(y))}
    for train, test in KFold(5, shuffle=True, random_state=0).split(X):
        for label, model in (("tree", ModelTreeRegressor()), ("bayes", NaiveBayesRegressor())):
            found[label][test] = model.fit(X[train], y[train]).predict(X[test])
    curves = {label: rw.regression.rec(y, own) for label, own in found.items()}
    p_value = rw.regression.compare(y, found, method="permutation", rng=0).p_value
    areas = curves["bayes"].aoc, curves["tree"].aoc
    wins = curves["tree"].dominates(curves["bayes"])
    return [Learners(name, name, len(y), *areas, wins, float(p_value))]


def tables(records: Records, expected: Expected) -> Mapping[str, str]:
    """Table 3 in the paper's form, all forecasters, and what is published."""
    found: Sequence[Area] = records["areas"]
    return {
        "areas": areas_table(found),
        "stackings": stackings_table(found),
        "published": published_table(found, expected),
        "learners": learners_table(records["learners"]),
    }


def learners_table(found: Sequence[Learners]) -> str:
    """Areas of both learners, and the test."""
    rows = [
        (one.data, one.rows, f"{one.bayes:.4g}", f"{one.tree:.4g}", f"{one.p_value:.2g}")
        for one in found
    ]
    return markdown(("data", "rows", "naive Bayes", "model tree", "p"), rows)


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
    """Table 3 as printed, with squared and absolute areas here where the series is at hand."""
    absolute, squared = medians(found), medians(found, "squared")
    there = {one.series for one in found}
    rows = []
    for series, values in expected["table-3"].items():
        ours = NAMED.get(series, "")
        cells = [
            f"{value:.6f}"
            + (
                f" / {squared[ours, name]:.6f} ({absolute[ours, name]:.4f})"
                if ours in there
                else ""
            )
            for name, value in zip(STACKS[1:], values, strict=True)
        ]
        rows.append((series, ours if ours in there else "not at hand", *cells))
    return markdown(("series", "here", "stack 2", "stack 3", "stack 4"), rows)


def sentence(records: Records) -> str:
    """What matters most."""
    forms: Sequence[Forms] = records["forms"]
    ahead = sum(one.stack_3 < one.stacked_sr_ukf for one in forms)
    return (
        f"Stacking 3 is better than the SR-UKF in {ahead} of {len(forms)} runs, where the paper "
        "has it significantly better on all series. Most series are not at hand; split and "
        "training are not given, and the published areas look like squared errors."
    )


PAPER = Paper(
    name="rec",
    citation="de Pina and Zaverucha (2006)",
    parts=(
        Part("areas", Area, tasks, count),
        Part("forms", Forms, tasks, count_forms),
        Part("learners", Learners, learner_tasks, count_learners),
    ),
    tables=tables,
    pictures=lambda records, folder: draw(records["areas"], series_of, folder),
    claims=claims,
    sentence=sentence,
)
