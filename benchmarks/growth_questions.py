"""What `make growth` asks, at which sizes, and how the time should grow with them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import rocwise as rw

from . import growth_data as data

ROWS = (1_000, 10_000, 100_000, 1_000_000)
DRAWN = (1_000, 10_000, 100_000)  # of questions that draw 1,000 or 2,000 resamples
STATES = (8, 32, 128)
SQUARE_ROOT = "SquareRootUnscentedKalmanFilter"


@dataclass(frozen=True)
class Question:
    """A question: data of a size, what is asked of them, and the slope of its theory."""

    name: str
    axis: str
    sizes: tuple[int, ...]
    make: Callable[[int], Any]
    ask: Callable[[Any], Any]
    slope: float = 1.0


def questions() -> list[Question]:
    """All of them, by what grows."""
    return [*_of_two_classes(), *_of_resamples(), *_of_several(), *_of_forecasts(), *_of_filters()]


def _of_two_classes() -> list[Question]:
    return [
        Question("auc", "rows", ROWS, data.rows, lambda d: rw.auc(*d)),
        Question("roc", "rows", ROWS, data.rows, lambda d: rw.roc(*d)),
        Question("thresholds", "rows", ROWS, data.rows, lambda d: rw.thresholds(*d)),
        Question("compare", "rows", ROWS, data.pairs, rw.compare),
        Question("compare(max_fpr)", "rows", ROWS[1:], data.pairs, data.compare_early),
        Question("binormal", "rows", ROWS, data.tally, rw.binormal),
        Question("compare", "models", (2, 10, 50), partial(data.pairs, 10_000), rw.compare, 2.0),
        Question("threshold_by_group", "groups", (10, 100, 1_000), data.groups, data.by_group),
    ]


def _of_resamples() -> list[Question]:
    early = rw.statistics.PartialArea(max_fpr=0.1)
    statistics = {
        "auc": "auc",
        "partial area": early,
        "sensitivity at": rw.statistics.SensitivityAt(0.9),
        "Youden": "youden-threshold",
        "smAUC": "smooth-auc",
    }
    return [
        *(
            Question(f"bootstrap({name})", "rows", DRAWN, data.tally, data.bootstrap(statistic))
            for name, statistic in statistics.items()
        ),
        Question("cost band", "rows", DRAWN, data.tally, data.cost_band),
        Question("threshold uncertainty", "rows", DRAWN, data.tally, data.uncertainty),
        Question("abstention uncertainty", "rows", DRAWN, data.tally, data.window_uncertainty),
        Question(
            "compare(at_specificity)",
            "rows",
            DRAWN,
            data.pairs,
            lambda d: rw.compare(d, at_specificity=0.9, **data.DRAWN),
        ),
        Question(
            "compare_curves",
            "rows",
            DRAWN,
            data.pairs,
            lambda d: rw.compare_curves(d, **data.DRAWN),
        ),
        Question("compare(venkatraman)", "rows", DRAWN, data.pairs, data.venkatraman),
        Question("band", "rows", DRAWN, data.tally, lambda d: rw.band(d, rng=1)),
    ]


def _of_several() -> list[Question]:
    few = partial(data.classes, 20_000)
    return [
        Question("multiclass_auc", "classes", (3, 10, 50), few, data.class_interval),
        Question(
            "multiclass_auc(bootstrap)", "rows", DRAWN, data.three_classes, data.class_bootstrap
        ),
        Question("ordinal_auc(bootstrap)", "rows", DRAWN, data.stages, data.ordinal_bootstrap),
        Question(
            "roc_surface", "rows", ROWS[:3], data.stages, lambda d: rw.roc_surface(*d), slope=2.0
        ),
    ]


def _of_forecasts() -> list[Question]:
    return [
        Question("rec_band(bootstrap)", "rows", DRAWN, data.forecasts, data.rec_band),
        Question("compare_rec(swap-sup)", "rows", DRAWN, data.forecasts, data.rec_test("swap-sup")),
        Question(
            "compare_rec(bootstrap)", "rows", DRAWN, data.forecasts, data.rec_test("bootstrap")
        ),
        Question("ModelTreeRegressor", "rows", DRAWN[:2], data.table, data.model_tree),
    ]


def _of_filters() -> list[Question]:
    square_root = partial(data.series, 300, kind=SQUARE_ROOT)
    plain = partial(data.series, 300)
    return [
        Question("fit_noise, 4 states", "steps", DRAWN[:2], data.series, data.fit_noise),
        Question("KalmanFilter, 300 steps", "states", STATES, plain, data.followed, 3.0),
        Question("Square-root UKF, 300 steps", "states", STATES, square_root, data.followed, 3.0),
    ]
