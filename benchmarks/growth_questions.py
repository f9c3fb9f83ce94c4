"""What `make growth` asks, at which sizes, and how the time should grow with them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import rocwise as rw

ROWS = (1_000, 10_000, 100_000, 1_000_000)
DRAWN = (1_000, 10_000, 100_000)  # of questions that draw 1,000 or 2,000 resamples
COSTS = rw.Costs(fp=1, fn=5, abstain=0.3)


@dataclass(frozen=True)
class Question:
    """A question: data of a size, what is asked of them, and the slope of its theory."""

    name: str
    axis: str
    sizes: tuple[int, ...]
    make: Callable[[int], Any]
    ask: Callable[[Any], Any]
    slope: float = 1.0


def _columns(n: int, models: int = 1) -> tuple[Any, list[Any]]:
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(np.int64)
    return y, [
        1 / (1 + np.exp(0.8 - y * (1 + 0.2 * k) - rng.normal(size=n))) for k in range(models)
    ]


def _rows(n: int) -> Any:
    y, scores = _columns(n)
    return y, scores[0]


def _tally(n: int) -> Any:
    found = rw.tally(*_rows(n))
    len(found.scores)
    return found


def _pairs(n: int, models: int = 2) -> Any:
    y, scores = _columns(n, models)
    return rw.pair(y, {f"m{k}": column for k, column in enumerate(scores)})


def _classes(n: int, classes: int) -> Any:
    rng = np.random.default_rng(0)
    y = rng.integers(0, classes, n)
    scores = rng.random((n, classes)) + 0.5 * np.eye(classes)[y]
    return y, scores / scores.sum(axis=1, keepdims=True)


def _groups(groups: int) -> Any:
    y, scores = _columns(200_000)
    return y, scores[0], np.random.default_rng(1).integers(0, groups, len(y))


def _forecasts(n: int) -> Any:
    rng = np.random.default_rng(0)
    y = rng.normal(size=n)
    return y, {"a": y + rng.normal(size=n), "b": y + 1.1 * rng.normal(size=n)}


def _series(steps: int, states: int = 4) -> Any:
    from rocwise.regression.filters import KalmanFilter

    model = KalmanFilter(
        0.9 * np.eye(states) + 0.05 * np.eye(states, k=1),
        np.ones((1, states)),
        process_noise=0.1 * np.eye(states),
        observation_noise=0.5,
        initial_mean=np.zeros(states),
        initial_covariance=np.eye(states),
    )
    return model, np.random.default_rng(0).normal(size=steps)


def _bootstrap(statistic: Any) -> Callable[[Any], Any]:
    return lambda data: rw.bootstrap(data, statistic=statistic, rng=1, progress=False)


def _uncertainty(data: Any) -> Any:
    return rw.threshold(data, rule="youden").uncertainty(rng=1, progress=False)


def _fit_noise(model_and_series: Any) -> Any:
    from rocwise.regression.filters import fit_noise

    return fit_noise(*model_and_series, progress=False)


def questions() -> list[Question]:
    """All of them, by what grows."""
    early = rw.statistics.PartialArea(max_fpr=0.1)
    at_90 = rw.statistics.SensitivityAt(0.9)
    drawn = {"rng": 1, "progress": False}
    swaps = {"method": "swap-sup", "n_resamples": 1000}
    return [
        Question("auc", "rows", ROWS, _rows, lambda d: rw.auc(*d)),
        Question("roc", "rows", ROWS, _rows, lambda d: rw.roc(*d)),
        Question("thresholds", "rows", ROWS, _rows, lambda d: rw.thresholds(*d)),
        Question("compare", "rows", ROWS, _pairs, rw.compare),
        Question(
            "compare(max_fpr)", "rows", ROWS[1:], _pairs, lambda d: rw.compare(d, max_fpr=0.1)
        ),
        Question("binormal", "rows", ROWS, _tally, rw.binormal),
        Question("bootstrap(auc)", "rows", DRAWN, _tally, _bootstrap("auc")),
        Question("bootstrap(partial area)", "rows", DRAWN, _tally, _bootstrap(early)),
        Question("bootstrap(sensitivity at)", "rows", DRAWN, _tally, _bootstrap(at_90)),
        Question("bootstrap(Youden)", "rows", DRAWN, _tally, _bootstrap("youden-threshold")),
        Question("bootstrap(smAUC)", "rows", DRAWN, _tally, _bootstrap("smooth-auc")),
        Question("cost band", "rows", DRAWN, _tally, lambda d: rw.cost_curve(d).band(**drawn)),
        Question("threshold uncertainty", "rows", DRAWN, _tally, _uncertainty),
        Question(
            "abstention uncertainty",
            "rows",
            DRAWN,
            _tally,
            lambda d: rw.abstain(d, costs=COSTS).uncertainty(**drawn),
        ),
        Question(
            "compare(at_specificity)",
            "rows",
            DRAWN,
            _pairs,
            lambda d: rw.compare(d, at_specificity=0.9, **drawn),
        ),
        Question("compare_curves", "rows", DRAWN, _pairs, lambda d: rw.compare_curves(d, **drawn)),
        Question("band", "rows", DRAWN, _tally, lambda d: rw.band(d, rng=1)),
        Question(
            "rec_band(bootstrap)",
            "rows",
            DRAWN,
            _forecasts,
            lambda d: rw.rec_band(rw.rec(d[0], d[1]["a"]), kind="bootstrap", **drawn),
        ),
        Question(
            "compare_rec(swap-sup)",
            "rows",
            DRAWN,
            _forecasts,
            lambda d: rw.compare_rec(*d, **swaps, **drawn),
        ),
        Question("compare", "models", (2, 10, 50), lambda k: _pairs(10_000, k), rw.compare, 2.0),
        Question(
            "multiclass_auc",
            "classes",
            (3, 10, 50),
            lambda m: _classes(20_000, m),
            lambda d: rw.multiclass_auc(*d).interval,
        ),
        Question(
            "threshold_by_group",
            "groups",
            (10, 100, 1_000),
            _groups,
            lambda d: rw.threshold_by_group(*d, rule="youden"),
        ),
        Question("fit_noise, 4 states", "steps", DRAWN[:2], _series, _fit_noise),
        Question(
            "KalmanFilter, 300 steps",
            "states",
            (8, 32, 128),
            lambda states: _series(300, states),
            lambda d: d[0].filter(d[1], progress=False),
            3.0,
        ),
    ]
