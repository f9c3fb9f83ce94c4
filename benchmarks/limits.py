"""Questions that rocwise asks alone, each with the seconds that it may take.

What they answer is compared with other computations by the tests; no peer offers most of it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import rocwise as rw

from . import growth_data as data

MANY, MILLION = 100_000, 1_000_000
Make, Ask = Callable[[int], Any], Callable[[Any], Any]


@dataclass(frozen=True)
class Limit:
    """A question about so many rows, and the seconds that it may take."""

    name: str
    needs: str
    rows: int
    seconds: float
    make: Make
    ask: Ask
    counted: str = "rows"


def limits() -> Iterator[Limit]:
    """All of them, by topic."""
    yield from _one_model()
    yield from _bands()
    yield from _two_models()
    yield from _classes()
    yield from _forecasts()
    yield from _filters()
    yield from _forms()


def _one_model() -> Iterator[Limit]:
    early = rw.statistics.PartialArea(max_fpr=0.1)
    at_90 = rw.statistics.SensitivityAt(0.9)
    asked: list[tuple[str, str, int, float, Ask]] = [
        ("Bootstrap of a partial area", "bootstrap", MANY, 1, data.bootstrap(early)),
        ("Bootstrap of a sensitivity", "bootstrap", MANY, 1, data.bootstrap(at_90)),
        (
            "Bootstrap of Youden's threshold",
            "bootstrap",
            MANY,
            1,
            data.bootstrap("youden-threshold"),
        ),
        ("Bootstrap of smAUC", "bootstrap", MANY, 2, data.bootstrap("smooth-auc")),
        ("Cost band", "cost_curve", MANY, 2, data.cost_band),
        ("Threshold uncertainty", "threshold", MANY, 2, data.uncertainty),
        ("Abstention uncertainty", "abstain", MANY, 2, data.window_uncertainty),
        ("Bootstrap of the area", "bootstrap", MILLION, 1, data.bootstrap("auc")),
        ("All intervals of the area", "auc_intervals", MANY, 1, data.intervals),
        ("All intervals of the area", "auc_intervals", MILLION, 1, data.intervals),
        ("Binormal fit", "binormal", MILLION, 1, lambda d: rw.binormal(*d)),
        ("Clopper-Pearson at every threshold", "thresholds", MILLION, 1, data.exact_regions),
    ]
    for name, needs, rows, seconds, ask in asked:
        yield Limit(name, needs, rows, seconds, data.rows, ask)  # no tally: it keeps draws
    yield Limit(
        "10,000 groups", "threshold_by_group", MILLION, 0.5, data.many_groups, data.by_group
    )


def _bands() -> Iterator[Limit]:
    for kind in data.BANDS:
        yield Limit(f"Band, {kind}", "band", MILLION, 1, data.rows, data.band(kind))


def _two_models() -> Iterator[Limit]:
    asked: list[tuple[str, str, int, float, Ask]] = [
        ("Partial areas compared", "compare", MILLION, 0.2, data.compare_early),
        ("Partial areas compared by bootstrap", "compare", MANY, 3, data.drawn(max_fpr=0.1)),
        (
            "Specificities at a sensitivity compared by bootstrap",
            "compare",
            MANY,
            3,
            data.drawn(at_sensitivity=0.9),
        ),
        ("smAUC compared by bootstrap", "compare", MANY, 3, data.drawn(statistic="smooth-auc")),
        ("Cost curves compared by bootstrap", "compare_curves", MANY, 3, data.compare_costs),
        ("Venkatraman's test, paired", "compare", MANY, 2, data.venkatraman),
    ]
    for name, needs, rows, seconds, ask in asked:
        yield Limit(name, needs, rows, seconds, data.models, ask)
    apart = data.venkatraman_unpaired
    yield Limit("Venkatraman's test, unpaired", "compare", MANY, 2, data.two_samples, apart)


def _classes() -> Iterator[Limit]:
    asked: list[tuple[str, str, int, float, Make, Ask]] = [
        (
            "50 classes, interval",
            "multiclass_auc",
            MANY,
            3,
            data.fifty_classes,
            data.class_interval,
        ),
        (
            "3 classes, bootstrap",
            "multiclass_auc",
            MANY,
            2,
            data.three_classes,
            data.class_bootstrap,
        ),
        (
            "Class weights under 50 costs",
            "class_weights",
            10_000,
            5,
            data.three_classes,
            data.uncertain_weights,
        ),
        (
            "Class weights under 50 costs",
            "class_weights",
            MANY,
            10,
            data.three_classes,
            data.uncertain_weights,
        ),
        ("Ordered classes, bootstrap", "ordinal_auc", MANY, 1, data.stages, data.ordinal_bootstrap),
        ("ROC surface", "roc_surface", 10_000, 1, data.stages, lambda d: rw.roc_surface(*d)),
    ]
    yield from (Limit(*each) for each in asked)


def _forecasts() -> Iterator[Limit]:
    asked: list[tuple[str, str, int, float, Make, Ask]] = [
        ("REC band by bootstrap", "rec_band", MANY, 1, data.forecasts, data.rec_band),
        ("REC swap test", "compare_rec", MANY, 1, data.forecasts, data.rec_test("swap-sup")),
        ("REC bootstrap test", "compare_rec", MANY, 1, data.forecasts, data.rec_test("bootstrap")),
        ("Model tree, 10 columns", "estimators", 10_000, 1, data.table, data.model_tree),
        ("FilterRegressor", "estimators", MANY, 5, data.lagged, data.filter_regressor),
    ]
    yield from (Limit(*each) for each in asked)


def _filters() -> Iterator[Limit]:
    yield Limit("fit_noise", "rec", 10_000, 5, data.series, data.fit_noise, "steps")
    for kind in ("KalmanFilter", *data.SQUARE_ROOTS):
        make = partial(data.series, states=128, kind=kind)
        yield Limit(f"{kind}, 128 states", "rec", 300, 1, make, data.followed, "steps")


def _forms() -> Iterator[Limit]:
    """What goes in as text, and what comes out as plain numbers."""
    area = partial(_area, pos_label="yes")
    yield Limit("Area with labels of text", "auc", MILLION, 0.1, _text_labels, area)
    yield Limit(
        "ROC curve as a dictionary", "roc", MILLION, 0.2, lambda n: rw.roc(*data.rows(n)), _plain
    )


def _text_labels(n: int) -> Any:
    import pandas as pd

    y, scores = data.rows(n)
    return pd.Series(np.array(["no", "yes"], dtype=object)[y]), scores


def _area(held: Any, **more: Any) -> Any:
    return rw.auc(*held, **more)


def _plain(answer: Any) -> Any:
    return answer.to_dict()
