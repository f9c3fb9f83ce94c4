"""Resampling, several classes, filters and trees: rocwise alone, each against its time limit.

What they answer is compared with other computations by the tests; no peer offers most of it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import rocwise as rw

from . import growth_data as data
from .races import Race
from .rows import Row, at_most
from .stopwatch import stopwatch
from .tasks import Setting, Task

FIRST = 1_000  # rows asked about before the clock starts, so that modules are loaded


@dataclass(frozen=True)
class Limit:
    """A question about so many rows, and the seconds that it may take."""

    name: str
    needs: str
    rows: int
    seconds: float
    make: Callable[[int], Any]
    ask: Callable[[Any], Any]


def _limits() -> list[Limit]:
    early = rw.statistics.PartialArea(max_fpr=0.1)
    at_90 = rw.statistics.SensitivityAt(0.9)
    many = 100_000
    asked: list[tuple[str, str, int, float, Callable[[int], Any], Callable[[Any], Any]]] = [
        ("Bootstrap of a partial area", "bootstrap", many, 1, data.tally, data.bootstrap(early)),
        ("Bootstrap of a sensitivity", "bootstrap", many, 1, data.tally, data.bootstrap(at_90)),
        (
            "Bootstrap of Youden's threshold",
            "bootstrap",
            many,
            1,
            data.tally,
            data.bootstrap("youden-threshold"),
        ),
        ("Bootstrap of smAUC", "bootstrap", many, 2, data.tally, data.bootstrap("smooth-auc")),
        ("Cost band", "cost_curve", many, 2, data.tally, data.cost_band),
        ("Threshold uncertainty", "threshold", many, 2, data.tally, data.uncertainty),
        ("Abstention uncertainty", "abstain", many, 2, data.tally, data.window_uncertainty),
        ("Bootstrap of the area", "bootstrap", 1_000_000, 1, data.tally, data.bootstrap("auc")),
        ("Partial areas compared", "compare", 1_000_000, 0.2, data.pairs, data.compare_early),
        ("Venkatraman's test, paired", "compare", many, 2, data.pairs, data.venkatraman),
        (
            "50 classes, interval",
            "multiclass_auc",
            many,
            3,
            data.fifty_classes,
            data.class_interval,
        ),
        (
            "3 classes, bootstrap",
            "multiclass_auc",
            many,
            2,
            data.three_classes,
            data.class_bootstrap,
        ),
        ("Ordered classes, bootstrap", "ordinal_auc", many, 1, data.stages, data.ordinal_bootstrap),
        ("ROC surface", "roc_surface", 10_000, 1, data.stages, lambda d: rw.roc_surface(*d)),
        ("REC band by bootstrap", "rec_band", many, 1, data.forecasts, data.rec_band),
        ("REC swap test", "compare_rec", many, 1, data.forecasts, data.rec_test("swap-sup")),
        ("REC bootstrap test", "compare_rec", many, 1, data.forecasts, data.rec_test("bootstrap")),
        ("10,000 groups", "threshold_by_group", 1_000_000, 0.5, data.many_groups, data.by_group),
        ("fit_noise", "regression", 10_000, 5, data.series, data.fit_noise),
        ("Model tree, 10 columns", "regression", 10_000, 1, data.table, data.model_tree),
        ("Binormal fit", "binormal", 1_000_000, 1, data.tally, rw.binormal),
    ]
    return [Limit(*each) for each in asked]


def tasks() -> Iterator[Task]:
    """One task for each question."""
    for limit in _limits():
        name = "limit-" + limit.name.lower().replace(" ", "-").replace(",", "")
        yield Task(name, [limit.needs], partial(_row, limit))


def _row(limit: Limit, setting: Setting) -> list[Row]:
    rows = setting.rows(limit.rows)
    limit.ask(limit.make(FIRST))
    held = limit.make(rows)
    title = f"{limit.name}, {rows:,} rows"
    measure = stopwatch(lambda: limit.ask(held), lambda _: ())
    return setting.race(Race(title, measure, limit=at_most(limit.seconds, "s")))
