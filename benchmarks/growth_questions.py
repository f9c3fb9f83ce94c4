"""What `make growth` asks, at which sizes, and how the time should grow with them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import rocwise as rw

from . import growth_data as data

ROWS = (100, 1_000, 10_000, 100_000, 1_000_000)
DRAWN = (100, 1_000, 10_000, 100_000)  # of questions that draw 1,000 or 2,000 resamples
RESAMPLES = (10, 100, 1_000, 10_000)
STATES = (2, 8, 32, 128)
LINEAR, CUBIC = "one pass", "products of matrices"


@dataclass(frozen=True)
class Question:
    """A question: data of a size, what is asked of them, and the slope of its theory.

    `binary` questions, about two classes, may hold eight times their input.
    """

    name: str
    axis: str
    sizes: tuple[int, ...]
    make: Callable[[int], Any]
    ask: Callable[[Any], Any]
    slope: float = 1.0
    theory: str = ""
    binary: bool = True

    @property
    def by_rows(self) -> bool:
        """Whether it is asked about rows of two classes, which can be given in fewer bytes."""
        return self.binary and self.axis == "rows" and self.make is not data.two_samples


def bytes_of(made: Any) -> int:
    """Bytes of arrays; of a tally or of pairs those of int64 labels and float64 scores.

    >>> bytes_of((np.zeros(10), {"a": np.zeros(5)}))
    120
    """
    if isinstance(made, np.ma.MaskedArray):
        return made.nbytes + np.ma.getmask(made).nbytes
    if isinstance(made, np.ndarray):
        return made.nbytes
    if isinstance(made, (tuple, list)):
        return sum(map(bytes_of, made))
    if isinstance(made, Mapping):
        return sum(map(bytes_of, made.values()))
    if isinstance(made, rw.Tally):
        return 16 * int(made.n_pos + made.n_neg)
    if isinstance(made, rw.Pairs):
        return 8 * int(made.n_pos + made.n_neg) * (1 + len(made.names))
    return 0


def questions() -> list[Question]:
    """All of them, by what grows."""
    return [
        *_by_rows(),
        *_bands(),
        *_by_drawn_rows(),
        *_by_unlike_rows(),
        *_by_resamples(),
        *_by_models(),
        *_by_groups(),
        *_by_classes(),
        *_forecasts(),
        *_filters(),
    ]


def _by_rows() -> Iterator[Question]:
    """Answers that draw nothing, from labels and scores as they come."""
    asked: dict[str, Callable[[Any], Any]] = {
        "auc": lambda d: rw.auc(*d),
        "auc(max_fpr)": lambda d: rw.auc(*d, max_fpr=0.1),
        "roc": lambda d: rw.roc(*d).fpr,
        "precision_recall": lambda d: rw.precision_recall(*d).precision,
        "thresholds": lambda d: rw.thresholds(*d),
        "thresholds, all columns": lambda d: list(rw.thresholds(*d).to_frame().values()),
        "threshold": lambda d: rw.threshold(*d, rule="youden"),
        "cost_curve": lambda d: rw.cost_curve(*d).area,
        "decision_curve": lambda d: rw.decision_curve(*d).net_benefit,
        "abstain": lambda d: rw.abstain(*d, costs=data.COSTS),
        "smooth_roc": lambda d: rw.smooth_roc(*d).auc,
        "calibration": lambda d: rw.calibration(*d),
        "binormal": lambda d: rw.binormal(*d),
        "threshold_regions(clopper-pearson)": data.exact_regions,
        "fit_distribution": lambda d: rw.fit_distribution(d[1]),
        "predict_roc": lambda d: rw.predict_roc(d[1][d[0] == 0], d[1][d[0] == 1]),
    }
    for name, ask in asked.items():
        yield Question(name, "rows", ROWS, data.rows, ask, theory=LINEAR)
    yield Question(
        "auc(sample_weight)",
        "rows",
        ROWS,
        data.weighted,
        lambda d: rw.auc(d[0], d[1], sample_weight=d[2]),
        theory=LINEAR,
    )
    of_two: dict[str, Callable[[Any], Any]] = {
        "pair": lambda d: rw.pair(*d),
        "compare": lambda d: rw.compare(*d),
        "compare(permutation)": lambda d: rw.compare(*d, method="permutation"),
    }
    for name, ask in of_two.items():
        yield Question(name, "rows", ROWS, data.models, ask, theory=LINEAR)
    sizes, ask = (30_000, 100_000, 300_000, 1_000_000), data.compare_early  # fewer: resampled
    yield Question("compare(max_fpr)", "rows", sizes, data.models, ask, theory=LINEAR)


def _bands() -> Iterator[Question]:
    for kind in data.BANDS:
        yield Question(f"band({kind})", "rows", ROWS, data.rows, data.band(kind), theory=LINEAR)


def _by_drawn_rows() -> Iterator[Question]:
    """One pass over the tally for each of 1,000 or 2,000 resamples."""
    of_one: dict[str, Callable[[Any], Any]] = {
        "bootstrap(auc)": data.bootstrap("auc"),
        "bootstrap(partial area)": data.bootstrap(rw.statistics.PartialArea(max_fpr=0.1)),
        "bootstrap(sensitivity at)": data.bootstrap(rw.statistics.SensitivityAt(0.9)),
        "bootstrap(Youden)": data.bootstrap("youden-threshold"),
        "bootstrap(smAUC)": data.bootstrap("smooth-auc"),
        "bootstrap(average precision)": data.bootstrap("average-precision"),
        "equal_error_rate": lambda d: rw.equal_error_rate(*d, rng=1),
        "at(specificity)": lambda d: rw.at(*d, specificity=0.9, rng=1),
        "auc_intervals": data.intervals,
        "cost band": data.cost_band,
        "threshold uncertainty": data.uncertainty,
        "abstention uncertainty": data.window_uncertainty,
    }
    for name, ask in of_one.items():
        yield Question(name, "rows", DRAWN, data.rows, ask, theory=LINEAR)
    of_two: dict[str, Callable[[Any], Any]] = {
        "compare(bootstrap)": data.drawn(),
        "compare(bootstrap, max_fpr)": data.drawn(max_fpr=0.1),
        "compare(bootstrap, at_specificity)": data.compare_at,
        "compare_at(threshold)": lambda d: rw.compare_at(*d, threshold=0.5, **data.DRAWN),
        "compare(bootstrap, smAUC)": data.drawn(statistic="smooth-auc"),
        "compare_curves": data.compare_costs,
        "compare(venkatraman)": data.venkatraman,
    }
    for name, ask in of_two.items():
        yield Question(name, "rows", DRAWN, data.models, ask, theory=LINEAR)
    unpaired = data.venkatraman_unpaired
    yield Question(
        "compare(venkatraman), unpaired", "rows", DRAWN, data.two_samples, unpaired, theory=LINEAR
    )


def _by_unlike_rows() -> Iterator[Question]:
    """The same where rows have weights, or form clusters of twenty."""
    asked: dict[str, Callable[[Any], Any]] = {
        "bootstrap(auc)": lambda t: rw.bootstrap(t, **data.DRAWN),
        "band(pointwise)": lambda t: rw.band(t, kind="pointwise", rng=1),
        "threshold uncertainty": data.uncertainty,
        "abstention uncertainty": lambda t: rw.abstain(t, costs=data.COSTS).uncertainty(
            **data.DRAWN
        ),
        "calibration": lambda t: rw.calibration(t, rng=1),
    }
    for held, tally in (("weights", data.weighted_tally), ("clusters", data.clustered_tally)):
        for name, ask in asked.items():
            yield Question(
                f"{name}, {held}", "rows", DRAWN, tally, ask, theory=LINEAR, binary=False
            )
    for held, pairs in (("weights", data.weighted_pairs), ("clusters", data.clustered_pairs)):
        yield Question(
            f"compare(bootstrap), {held}",
            "rows",
            DRAWN,
            pairs,
            lambda both: rw.compare(both, method="bootstrap", **data.DRAWN),
            theory=LINEAR,
            binary=False,
        )


def _by_resamples() -> Iterator[Question]:
    """Ten thousand rows, more and more resamples."""
    held, both = data.tally(10_000), data.pairs(10_000)
    asked: dict[str, Callable[[int], Any]] = {
        "bootstrap(auc)": lambda b: rw.bootstrap(held, n_resamples=b, **data.DRAWN),
        "band(simultaneous)": lambda b: rw.band(held, n_resamples=b, rng=1),
        "cost band": lambda b: rw.cost_curve(held).band(n_resamples=b, **data.DRAWN),
        "compare(bootstrap)": lambda b: rw.compare(
            both, method="bootstrap", n_resamples=b, **data.DRAWN
        ),
        "compare(venkatraman)": lambda b: rw.compare(
            both, method="venkatraman", n_resamples=b, **data.DRAWN
        ),
    }
    for name, ask in asked.items():
        yield Question(f"{name}, 10,000 rows", "resamples", RESAMPLES, int, ask, theory=LINEAR)


def _by_models() -> Iterator[Question]:
    many, counts = partial(data.models, 10_000), (2, 10, 50, 200)
    pairs = "every pair"
    yield Question("pair, 10,000 rows", "models", counts, many, lambda d: rw.pair(*d))
    yield Question(
        "compare, 10,000 rows", "models", counts, many, lambda d: rw.compare(*d), 2, pairs
    )
    yield Question(
        "compare(bootstrap), 10,000 rows",
        "models",
        counts[:3],
        many,
        data.drawn(),
        theory="one walk each",
    )
    yield Question(
        "compare(unbiased), 10,000 rows",
        "models",
        counts[:3],
        many,
        lambda d: rw.compare(*d, method="unbiased"),
        2,
        pairs,
    )


def _by_groups() -> Iterator[Question]:
    counts, sort = (10, 100, 1_000, 3_000), "one sort by group and score"
    yield Question(
        "threshold_by_group, 200,000 rows", "groups", counts, data.groups, data.by_group, 0, sort
    )
    yield Question(
        "auc(groups), 200,000 rows",
        "clusters",
        counts,
        data.groups,
        lambda d: rw.auc(d[0], d[1], groups=d[2]),
        0,
        sort,
    )


def _by_classes() -> Iterator[Question]:
    counts, few = (3, 10, 50), partial(data.classes, 20_000)
    each = "one sort each"
    yield Question(
        "multiclass_auc, 20,000 rows", "classes", counts, few, data.class_interval, 1, each, False
    )
    yield Question(
        "multiclass_roc, 20,000 rows",
        "classes",
        counts,
        few,
        lambda d: rw.multiclass_roc(*d),
        1,
        each,
        False,
    )
    yield Question(
        "multiclass_auc(bootstrap), 2,000 rows",
        "classes",
        (3, 5, 10),
        partial(data.classes, 2_000),
        data.class_bootstrap,
        2,
        "every pair",
        False,
    )
    by_rows: dict[str, tuple[Any, Any]] = {
        "multiclass_auc(bootstrap)": (data.three_classes, data.class_bootstrap),
        "ordinal_auc(bootstrap)": (data.stages, data.ordinal_bootstrap),
        "class_weights_under, 50 matrices": (data.three_classes, data.uncertain_weights),
    }
    for name, (make, ask) in by_rows.items():
        yield Question(name, "rows", DRAWN, make, ask, 1, LINEAR, False)
    yield Question(
        "roc_surface",
        "rows",
        DRAWN,
        data.stages,
        lambda d: rw.roc_surface(*d),
        2,
        "every pair of cuts",
        False,
    )


def _forecasts() -> Iterator[Question]:
    by_rows: dict[str, tuple[Any, Any]] = {
        "rec_band(bootstrap)": (data.forecasts, data.rec_band),
        "compare_rec(swap-sup)": (data.forecasts, data.rec_test("swap-sup")),
        "compare_rec(bootstrap)": (data.forecasts, data.rec_test("bootstrap")),
        "ModelTreeRegressor, 10 columns": (data.table, data.model_tree),
        "FilterRegressor": (data.lagged, data.filter_regressor),
    }
    for name, (make, ask) in by_rows.items():
        yield Question(name, "rows", DRAWN, make, ask, 1, LINEAR, False)


def _filters() -> Iterator[Question]:
    steps = (100, 1_000, 10_000)
    yield Question(
        "fit_noise, 4 states", "steps", steps, data.series, data.fit_noise, 1, LINEAR, False
    )
    for kind in ("KalmanFilter", "UnscentedKalmanFilter", *data.SQUARE_ROOTS):
        make = partial(data.series, 300, kind=kind)
        name = f"{kind}, 300 steps"
        yield Question(name, "states", STATES, make, data.followed, 3, CUBIC, False)
