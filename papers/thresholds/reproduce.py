"""What 22 ways to copy an oracle cost: Tables 2 to 4, and the same on invented problems."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from studies.simulation import markdown

import rocwise as rw
from papers.shared.paper import Expected, Paper, Part, Records
from papers.thresholds import synthetic
from papers.thresholds.claims import KINDS, Fold, Means, claims
from papers.thresholds.copies import ALWAYS, CONFIGURATIONS, OURS, SKEWS, ResultT, results
from papers.thresholds.experiments import (
    EXPERIMENTS,
    ORACLES,
    SEED,
    Experiment,
    known,
    oracle,
    rows_of,
)
from papers.thresholds.pictures import draw

FOLDS = 5
INVENTED = 3_000  # rows; the paper has 10,000


@dataclass(frozen=True)
class Task:
    """An oracle of a data set, all folds."""

    experiment: Experiment
    oracle: str
    invented: int

    def __str__(self) -> str:
        return f"{self.experiment}, {self.oracle}, {self.invented} rows"


def tasks(quick: bool) -> list[Task]:
    """All experiments with both oracles; two small ones with few invented rows when quick."""
    if quick:
        few = (EXPERIMENTS[7], EXPERIMENTS[10], EXPERIMENTS[20])
        return [Task(each, "naive Bayes", 300) for each in few]
    return [Task(each, name, INVENTED) for each in EXPERIMENTS for name in ORACLES]


def count(task: Task) -> list[Fold]:
    """Every fold tested once."""
    table, label = rows_of(task.experiment)
    splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    found = []
    for fold, (train, test) in enumerate(splitter.split(table, label)):
        rows, old = table.iloc[train], label[train]
        said, as_they_came = results(
            *(rows, old, known(rows, table.iloc[test]), oracle(task.oracle, rows)),
            *(task.invented, SEED + fold),
        )
        for model in (*CONFIGURATIONS, "Oracle", *OURS):
            by_skew = {skew: said[model, skew] for skew in SKEWS}
            numbers = of_model(by_skew, label[test], len(label) / 10)
            found.append(Fold(*named(task), fold, model, *numbers, type_of(model) in as_they_came))
    return found


def type_of(model: str) -> str:
    """Of the invented rows; none for what is no copy."""
    return "d" if model == "Mim3" else model[-1] if model in CONFIGURATIONS else ""


def named(task: Task) -> tuple[str, str, str, str]:
    """The first fields of a record."""
    return str(task), task.experiment.data, task.experiment.kind, task.oracle


def of_model(
    by_skew: Mapping[int, ResultT], label: NDArray[np.int64], rows: float
) -> tuple[float, ...]:
    """Cost of so many rows at every skew, then accuracy and AUC, means over the skews."""
    truth = label == 1
    costs = [
        rows * float(np.where(truth, skew * ~one.called, one.called).mean())
        for skew, one in by_skew.items()
    ]
    right = [float((one.called == truth).mean()) for one in by_skew.values()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.DirectionWarning)  # some copies rank badly
        areas = [rw.auc(label, one.chance).value for one in by_skew.values()]
    values = (*costs, float(np.mean(right)), float(np.mean(areas)))
    return tuple(round(value, 5) for value in values)


def tables(records: Records, expected: Expected) -> Mapping[str, str]:
    """Tables 2 to 4 with the published numbers, and the invented problems."""
    means = Means(records["folds"])
    return {
        "table-2": table_2(means, expected),
        "table-3": table_3(means, expected),
        "table-4": table_4(means, expected),
        "as-they-came": as_they_came(records["folds"]),
        **synthetic.tables(records["synthetic"]),
    }


def as_they_came(found: Sequence[Fold]) -> str:
    """How many copies could not have the shares of classes that they ask for."""
    copies = [one for one in found if one.model in CONFIGURATIONS]
    sets = sorted({one.data for one in copies if one.as_they_came})
    told = f" (of {', '.join(sets)})" if sets else ""
    return (
        f"That is so for {sum(one.as_they_came for one in copies)} of {len(copies)} copies{told}."
    )


def both(published: float | None, here: float, digits: int = 2) -> str:
    """A published number and ours."""
    told = "" if published is None else f"{published:.{digits}f}"
    return f"{told or '–'} / {here:.{digits}f}"


def table_2(means: Means, expected: Expected) -> str:
    """Cost by skew; ours below the 22."""
    rows = []
    for model in (*CONFIGURATIONS, "Oracle", *OURS):
        published = expected["table-2"].get(model, [None] * 6)
        here = [*means.costs(model), means.cost(model)]
        cells = [both(*pair) for pair in zip(published, here, strict=True)]
        rows.append((model, *cells, f"{means.error(model):.2f}"))
    return markdown(("model", *(f"skew {skew}" for skew in SKEWS), "mean", "s.e."), rows)


def table_3(means: Means, expected: Expected) -> str:
    """Accuracy and cost by kind of experiment."""
    rows = []
    for model in (*CONFIGURATIONS, "Oracle", *OURS):
        published = expected["table-3"].get(model, [None] * 6)
        here = [
            value
            for kind in KINDS
            for value in (means.accuracy(model, kind), means.cost(model, kind))
        ]
        rows.append((model, *(both(*pair, 1) for pair in zip(published, here, strict=True))))
    heads = [f"{kind}, {what}" for kind in KINDS for what in ("accuracy", "cost")]
    return markdown(("model", *heads), rows)


def table_4(means: Means, expected: Expected) -> str:
    """AUC by kind of experiment."""
    rows = []
    for model in (*CONFIGURATIONS, "Oracle", *OURS):
        if model != ALWAYS:
            published = expected["table-4"].get(model, [None] * 3)
            here = [means.area(model, kind) for kind in KINDS]
            rows.append((model, *(both(*pair, 3) for pair in zip(published, here, strict=True))))
    return markdown(("model", *KINDS), rows)


def sentence(records: Records) -> str:
    """What matters most."""
    means = Means(records["folds"])
    best = min(CONFIGURATIONS, key=means.cost)
    always = float(means.costs(ALWAYS)[-1])
    cheaper = sum(float(means.costs(name)[-1]) < always for name in CONFIGURATIONS)
    there = sum(PAPER.expected["table-2"][name][4] < always for name in CONFIGURATIONS)
    return (
        f"The cheapest model is {best} here and Mim2Ordb there. At skew 10, {cheaper} of the "
        f"{len(CONFIGURATIONS)} models here and {there} in the paper are cheaper than always "
        f"predicting class 1 ({always:.1f})."
    )


def pictures(records: Records, folder: Path) -> None:
    """Costs of all models by skew, published and here."""
    draw(Means(records["folds"]), PAPER.expected, folder)


PAPER = Paper(
    name="thresholds",
    citation="Blanco-Vega, Ferri, Hernández-Orallo and Ramírez-Quintana (2006)",
    parts=(
        Part("folds", Fold, tasks, count),
        Part("synthetic", synthetic.Cell, synthetic.tasks, synthetic.count),
    ),
    tables=tables,
    pictures=pictures,
    claims=claims,
    sentence=sentence,
)
