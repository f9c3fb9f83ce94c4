"""Class weights by the paper's searches and by exact ones: Tables 1 and 2."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from studies.simulation import markdown

import rocwise as rw
from papers.multiclass.claims import claims, recounted
from papers.multiclass.experiments import (
    DATA_SETS,
    FOLDS,
    MATRICES,
    METHODS,
    SEED,
    STEPS,
    Floats,
    cost_matrices,
    cost_of,
    out_of_fold,
    rows_of,
    sample_of,
)
from papers.multiclass.pictures import draw
from papers.multiclass.verdicts import Score, score
from papers.shared.claims import Claim
from papers.shared.paper import Expected, Paper, Part, Records

PAPERS_OWN = {"mc": "MetaClass", "lp": "LP (14)", "ga15": "GA (15)", "ga1": "GA (1)"}
OTHERS = {
    "lf": "Lachiche-Flach",
    "og": "cost columns",
    "ours": "sweep or pair moves",
    "risk": "least expected cost",
}
SMALL = ("Post-Op", "Bridges 2 (span)", "Bridges 2 (material)", "Bridges 2 (type)")
TRIED = ("lp", "genetic-soft", "genetic", "sequential", "passes", "pair-moves", "milp")
NURSERY = "Nursery"
SECONDS = 20.0  # for the 0/1 program


@dataclass(frozen=True)
class Task:
    """One fold of a data set."""

    data: str
    fold: int

    def __str__(self) -> str:
        return f"{self.data}, fold {self.fold}"


@dataclass(frozen=True)
class Fold:
    """Mean cost of the rows of a fold by every method; errors cost 1 in table 1."""

    cell: str
    data: str
    table: int
    fold: int
    nb: float
    mc: float
    lp: float | None
    ga15: float | None
    ga1: float
    lf: float
    og: float
    ours: float
    risk: float


@dataclass(frozen=True)
class Fitted:
    """Cost on the rows fitted to, of one method; whether it is proven to be the least."""

    cell: str
    data: str
    method: str
    cost: float
    proven: bool
    seconds: float


def tasks(quick: bool) -> list[Task]:
    """Ten folds of every data set; three of two small sets when quick."""
    sets, folds = (("Post-Op", "Glass"), 3) if quick else (DATA_SETS, FOLDS)
    return [Task(data, fold) for data in sets for fold in range(folds)]


def count(task: Task) -> list[Fold]:
    """Both tables; costs are means over the matrices that this fold meets."""
    sample, m = sample_of(task.data, task.fold)
    matrices = cost_matrices(m)
    met = [matrices[(task.fold + step) % MATRICES] for step in STEPS]
    found = []
    for table, costs in ((1, [1.0 - np.eye(m)]), (2, met)):
        numbers = [mean([cost_of(method, sample, each) for each in costs]) for method in METHODS]
        found.append(Fold(str(task), task.data, table, task.fold, *numbers))  # type: ignore[arg-type]
    return found


def mean(values: Sequence[float | None]) -> float | None:
    """Of all; None if there is none."""
    told = [value for value in values if value is not None]
    return round(float(np.mean(told)), 6) if told else None


def small_tasks(quick: bool) -> list[str]:
    """Data small enough for the 0/1 program; none of it is quick."""
    return ["Post-Op"] if quick else list(SMALL)


def count_fitted(name: str) -> list[Fitted]:
    """Each method on out-of-fold chances of the whole set and the first cost matrix."""
    table, codes = rows_of(name)
    m = int(codes.max()) + 1
    scores, costs = out_of_fold(table, codes, m), cost_matrices(m)[0]
    found = []
    for method in TRIED:
        began = time.process_time()
        one = rw.multiclass.class_weights(
            *(codes, scores), costs=costs, method=method, rng=SEED, progress=False,
            time_limit=SECONDS if method == "milp" else None,
        )  # fmt: skip
        spent = time.process_time() - began
        found.append(Fitted(name, name, method, one.cost, one.optimal, spent))
    return found


@dataclass(frozen=True)
class Split:
    """One decision of the tree on nursery.

    `least_gap` is the least difference of the rows of two groups of its classes.
    """

    cell: str
    left: str
    right: str
    left_rows: int
    right_rows: int
    least_gap: int
    threshold: float


def tree_tasks(_quick: bool) -> list[str]:
    """Figure 1."""
    return [NURSERY]


def count_splits(name: str) -> list[Split]:
    """The tree on out-of-fold chances of the whole set, errors cost 1."""
    table, codes = rows_of(name)
    m = int(codes.max()) + 1
    tree = rw.multiclass.metaclass(codes, out_of_fold(table, codes, m))
    sizes = np.bincount(codes)
    return [
        Split(
            name,
            *(" ".join(f"C{k + 1}" for k in group) for group in (left, right)),
            *(int(sizes[list(group)].sum()) for group in (left, right)),
            *(least_gap(sizes[[*left, *right]]), one.threshold),
        )
        for one in tree.root.splits()
        for left, right in [(one.left_classes, one.right_classes)]
    ]


def least_gap(sizes: np.ndarray) -> int:
    """Over all ways to make two groups."""
    signs = np.array(list(product((-1, 1), repeat=len(sizes))))
    return int(np.abs(signs @ sizes).min())


def splits_table(found: Sequence[Split]) -> str:
    """Figure 1 as numbers."""
    rows = [
        (one.left, one.left_rows, one.right, one.right_rows, f"{one.threshold:.4g}")
        for one in found
    ]
    return markdown(("left if f1/f2 ≥ θ", "rows", "right", "rows", "θ"), rows)


def differences(found: Sequence[Fold], table: int, method: str, other: str) -> list[Floats]:
    """Folds of every data set that both were run on."""
    by_data: dict[str, list[tuple[float, float]]] = {}
    for one in found:
        if one.table == table:
            pair = getattr(one, method), getattr(one, other)
            by_data.setdefault(one.data, []).append(pair)
    pairs = [np.array(each, float) for each in by_data.values()]  # None is nan
    return [each[:, 0] - each[:, 1] for each in pairs if not np.isnan(each).any()]


def tables(records: Records, expected: Expected) -> Mapping[str, str]:
    """Both tables, their wins and losses, and the proven optima."""
    found = records["folds"]
    return {
        "table-1": by_data(found, 1, expected),
        "table-2": by_data(found, 2, expected),
        "wins": wins(found, expected),
        "against": against(found),
        "fitted": fitted_table(records["fitted"]),
        "figure-1": splits_table(records["splits"]),
    }


def by_data(found: Sequence[Fold], table: int, expected: Expected) -> str:
    """Means over the folds, published / here, and others' methods here."""
    rows = []
    for data in dict.fromkeys(one.data for one in found):
        folds = [one for one in found if (one.data, one.table) == (data, table)]
        published = expected[f"table-{table}"][data]
        names = ("nb", *PAPERS_OWN)
        cells = [
            f"{shown(there)} / {shown(mean_of(folds, name))}"
            for name, there in zip(names, published, strict=True)
        ]
        others = [shown(mean_of(folds, name)) for name in OTHERS if table == 2 or name != "risk"]
        rows.append((data, expected["classes"][data], *cells, *others))
    last = list(OTHERS.values()) if table == 2 else list(OTHERS.values())[:-1]
    return markdown(("data", "m", "naive Bayes", *PAPERS_OWN.values(), *last), rows)


def mean_of(folds: Sequence[Fold], method: str) -> float:
    """Over folds; nan where the method was not asked."""
    told = [getattr(one, method) for one in folds]
    return math.nan if None in told else float(np.mean(told))


def shown(value: float) -> str:
    """Three digits, or n/a."""
    return "n/a" if math.isnan(value) else f"{value:.3f}"


def wins(found: Sequence[Fold], expected: Expected) -> str:
    """Against naive Bayes: printed, recounted from the printed numbers, and here."""
    rows = []
    for table in (1, 2):
        for place, (method, name) in enumerate({**PAPERS_OWN, **OTHERS}.items()):
            if table == 1 and method == "risk":
                continue
            there = ("", "", "")
            if method in PAPERS_OWN:
                printed = expected["printed"]
                there = (
                    printed[f"table-{table}"][place],
                    recounted(expected, table, place + 1),
                    printed[f"significant-{table}"][place],
                )
            elif f"table-{table}-{method}" in expected["printed"]:
                record, sure = expected["printed"][f"table-{table}-{method}"]
                there = (record, "", sure)
            one = score(differences(found, table, method, "nb"))
            pairs = ["/".join(map(str, each)) for each in (one.student, one.corrected)]
            here = (f"{one.wins}/{one.losses}", *pairs, f"{one.p_wilcoxon:.4f}")
            rows.append((table, name, *there, *here))
    heads = ("table", "method", "W/L printed", "recounted", "significant", "W/L here")
    return markdown((*heads, "Student's t", "corrected t", "Wilcoxon p"), rows)


def against(found: Sequence[Fold]) -> str:
    """Ours against each of the others, over data sets."""
    rows = []
    for table in (1, 2):
        for method, name in {"nb": "naive Bayes", **PAPERS_OWN, **OTHERS}.items():
            if method == "ours" or (table == 1 and method == "risk"):
                continue
            one = score(differences(found, table, "ours", method))
            corrected = "/".join(map(str, one.corrected))
            rows.append(
                (table, name, f"{one.wins}/{one.losses}", corrected, f"{one.p_wilcoxon:.4f}")
            )
    return markdown(("table", "sweep or pair moves against", "W/L", "corrected t", "p"), rows)


def fitted_table(found: Sequence[Fitted]) -> str:
    """Costs on the rows fitted to; the proven ones are marked."""
    rows = []
    for data in dict.fromkeys(one.data for one in found):
        ours = {one.method: one for one in found if one.data == data}
        cells = [
            f"{ours[method].cost:.3f}{' (proven)' if ours[method].proven else ''}"
            for method in TRIED
        ]
        rows.append((data, *cells, f"{ours['milp'].seconds:.1f}"))
    return markdown(("data", *TRIED, "seconds of milp"), rows)


def stated(records: Records, expected: Expected) -> Sequence[Claim]:
    """All statements."""
    found: Sequence[Fold] = records["folds"]
    names = ("nb", *PAPERS_OWN)
    folds: dict[tuple[int, str], list[Fold]] = {}
    for one in found:
        folds.setdefault((one.table, one.data), []).append(one)
    means = {key: {name: mean_of(own, name) for name in names} for key, own in folds.items()}

    def against(table: int, method: str, other: str) -> Score:
        return score(differences(found, table, method, other))

    return claims(means, against, records["fitted"], records["splits"], expected)


def sentence(records: Records) -> str:
    """What matters most."""
    found = records["folds"]
    ours, plain = (score(differences(found, 2, "ours", name)) for name in ("ga1", "nb"))
    return (
        f"Sweeps and pair moves win {plain.wins} of {len({one.data for one in found})} against "
        f"naive Bayes and {ours.wins} to {ours.losses} against GA (1), the search that the paper "
        f"recommends (Wilcoxon p = {ours.p_wilcoxon:.4f})."
    )


def pictures(records: Records, folder: Path) -> None:
    """Costs relative to naive Bayes, by data set."""
    draw(records["folds"], PAPER.expected, folder)


PAPER = Paper(
    name="multiclass",
    citation="Deng, Bourke, Scott and Vinodchandran (2006)",
    parts=(
        Part("folds", Fold, tasks, count),
        Part("fitted", Fitted, small_tasks, count_fitted),
        Part("splits", Split, tree_tasks, count_splits),
    ),
    tables=tables,
    pictures=pictures,
    claims=stated,
    sentence=sentence,
)
