"""Calls that work, for every public name: the fuzzer spoils one argument of them at a time.

A name that is not in `SPECIAL` is called with what `USUAL` has for the arguments it needs, so that
new names are walked as soon as they are listed in a stub.
"""

import functools
import importlib
import inspect
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import rocwise as rw
from fuzz.side_effects import tidy_caller

RNG = np.random.default_rng(5)
N = 60
Y = np.arange(N) % 2
S = np.round(np.clip(0.35 + 0.25 * Y + RNG.normal(0, 0.18, N), 0.01, 0.99), 2)
T = np.round(np.clip(0.4 + 0.15 * Y + RNG.normal(0, 0.2, N), 0.01, 0.99), 2)
FRAME = pd.DataFrame({"ill": Y, "a": S, "b": T})
CLASSES = np.arange(45) % 3
CONFIDENCES = np.round(RNG.random((45, 3)) + 0.4 * np.eye(3)[CLASSES], 2)
CONFIDENCES /= CONFIDENCES.sum(axis=1, keepdims=True)
RANKS = np.round(RNG.normal(size=45) + CLASSES, 1)
TRUTH, FORECAST, OTHER = np.round(RNG.normal(size=(3, 120)), 2)
SERIES = np.sin(np.arange(40) / 3)
X = np.column_stack([S, T])
COSTS = rw.Costs(fp=1, fn=2, abstain=0.2)
GROUPS = np.where(np.arange(N) % 4 < 2, "north", "south")
TIMES = np.round(RNG.exponential(0.5 + 1.5 * (1 - S)), 2) + 0.01
EVENTS = (np.arange(N) % 3 > 0).astype(int)
FOLLOWED = rw.survival.follow_up(TIMES, EVENTS, {"a": S, "b": T})
STUDY = rw.datasets.reader_study(n_readers=3, n_pos=10, n_neg=10)
LESIONS = rw.datasets.marked_lesions(n_readers=1, separation=(1.0,))

USUAL: dict[str, Any] = {
    "data": Y, "y_true": Y, "y_score": S, "y_pred": S, "costs": COSTS, "level": 0.95,
    "scores": {"a": S, "b": T},
    "X": X, "y": Y, "fpr": [0.1, 0.4], "tpr": [0.5, 0.85],
    "n_pos": 30, "n_neg": 30, "auc": 0.8, "curves": [(Y, S), (Y, T)], "sample": np.exp(S),
    "label": "ill", "score": "a", "rule": "youden",
    "p_values": [0.01, 0.2], "recall": 0.5, "threshold": 0.5, "k": 3,
    "negative": S[Y == 0],
    "positive": S[Y == 1], "n": 10, "n_resamples": 100, "method": None, "rng": 1,
}  # fmt: skip
ALWAYS = {"data", "y_score", "scores"}  # of the usual; the others only where they are required

ROWS = {"data": Y, "y_score": S}
MANY = {"y_true": CLASSES, "y_score": CONFIDENCES}
RANKED = {"y_true": CLASSES, "y_score": RANKS}
PAIR = {"data": Y, "other": {"a": S, "b": T}}
DRAWN = {"n_resamples": 100, "rng": 1}
FILTER = {
    "process_noise": [[0.1]], "observation_noise": [[1.0]], "initial_mean": [0.0],
    "initial_covariance": [[1.0]],
}  # fmt: skip
TREE = {"X": X, "y": Y}
CENSORED = {"data": TIMES, "event": EVENTS, "score": S}
AT_TIMES = CENSORED | {"times": [0.5, 1.0]}


def follower() -> Any:
    from rocwise.regression.filters import KalmanFilter

    return KalmanFilter([[1.0]], [[1.0]], **FILTER)


def autoregression() -> Any:
    from rocwise.regression.forecasting import fit_linear, lag_rows

    return fit_linear(*lag_rows(SERIES, 2))


SPECIAL: dict[str, list[dict[str, Any]]] = {
    "rocwise.Costs": [{"fp": 1, "fn": 2, "abstain": 0.2}],
    "rocwise.Interval": [{"low": 0.1, "high": 0.9}],
    "rocwise.abstention_surface": [ROWS | {"grid": 5}],
    "rocwise.adjusted_roc": [ROWS | {"covariates": T}],
    "rocwise.auc": [ROWS, ROWS | DRAWN | {"method": "bootstrap"}, ROWS | DRAWN | {"max_fpr": 0.3}],
    "rocwise.at": [ROWS | {"threshold": 0.5}, ROWS | {"sensitivity": 0.8}],
    "rocwise.auc_contours": [{}],
    "rocwise.auc_covariance": [{"data": Y, "scores": {"a": S, "b": T}}],
    "rocwise.auc_variance": [ROWS | {"method": "delong"}],
    "rocwise.auc_intervals": [ROWS | DRAWN],
    "rocwise.average_roc": [
        {"curves": [(Y, S), (Y, T)]},
        {"curves": [(Y, S), (Y, T)], "how": "threshold"},
        {"curves": [(Y, S), (Y, T)], "interval": "fixed-width"},
    ],
    "rocwise.band": [
        ROWS | DRAWN | {"kind": kind}
        for kind in ("pointwise", "simultaneous", "fixed-width", "working-hotelling")
    ],
    "rocwise.binormal": [ROWS],
    "rocwise.bootstrap": [ROWS | DRAWN],
    "rocwise.multiclass.class_weights": [
        MANY | {"rng": 1},
        MANY | {"rng": 1, "method": "genetic"},
        MANY | {"rng": 1, "method": "pair-moves"},
    ],
    "rocwise.compare": [
        PAIR,
        PAIR | DRAWN | {"method": "bootstrap"},
        PAIR | DRAWN | {"method": "permutation"},
        PAIR | DRAWN | {"method": "venkatraman"},
    ],
    "rocwise.compare_at": [{"data": Y, "scores": {"a": S, "b": T}, "threshold": 0.5} | DRAWN],
    "rocwise.compare_curves": [
        {"data": Y, "scores": {"a": S, "b": T}, "curve": "decision"} | DRAWN,
        {"data": Y, "scores": {"a": S, "b": T}, "curve": "cost"} | DRAWN,
    ],
    "rocwise.multiclass.compare": [
        {"y_true": CLASSES, "scores": {"a": CONFIDENCES, "b": CONFIDENCES[:, ::-1]}} | DRAWN | more
        for more in ({}, {"method": "bootstrap"})
    ],
    "rocwise.ordinal.compare": [
        {"y_true": CLASSES, "scores": {"a": RANKS, "b": -RANKS}} | DRAWN | more
        for more in ({}, {"method": "bootstrap"})
    ],
    "rocwise.regression.compare": [
        {"y_true": TRUTH, "predictions": {"a": FORECAST, "b": OTHER}} | DRAWN | more
        for more in ({}, {"method": "diebold-mariano"})
    ],
    "rocwise.cross_validated_auc": [{"y_true": Y, "y_score": S, "folds": np.arange(N) // 2 % 5}],
    "rocwise.inference.cv_interval": [
        {"fold_values": [0.7, 0.8, 0.9]},
        {"fold_values": [0.7, 0.8, 0.9], "corrected": True, "test_fraction": 0.2},
    ],
    "rocwise.multiclass.hum": [MANY | {"rng": 1}, MANY | {"n_tuples": 50, "rng": 1}],
    "rocwise.froc": [
        {
            "marks": LESIONS.marks, "cases": LESIONS.cases, "case": "case", "score": "score",
            "lesion": "lesion", "lesions": "lesions",
        } | DRAWN
    ],
    "rocwise.isometric": [{"metric": "precision+", "value": 0.8, "skew": 2}],
    "rocwise.multiclass.metaclass": [MANY],
    "rocwise.multiclass.auc": [MANY | DRAWN, MANY | DRAWN | {"method": "bootstrap"}],
    "rocwise.multiclass.roc": [MANY | DRAWN, MANY | DRAWN | {"bands": True}],
    "rocwise.ordinal.auc": [RANKED | DRAWN, RANKED | DRAWN | {"method": "bootstrap"}],
    "rocwise.ordinal.null_test": [RANKED],
    "rocwise.ordinal.thresholds": [RANKED],
    "rocwise.pair": [
        {"y_true": Y, "scores": {"a": S, "b": T}},
        {"y_true": FRAME, "label": "ill", "scores": ["a", "b"]},
    ],
    "rocwise.tally": [
        {"y_true": Y, "y_score": S},
        {"y_true": FRAME, "label": "ill", "score": "a"},
        {"negative": S[Y == 0], "positive": S[Y == 1]},
    ],
    "rocwise.predict_roc": [{"negative": S[Y == 0], "positive": S[Y == 1]}],
    "rocwise.regression.rec": [{"y_true": TRUTH, "y_pred": FORECAST}],
    "rocwise.regression.band": [
        {"curve": rw.regression.rec(TRUTH, FORECAST)} | DRAWN | more
        for more in ({}, {"kind": "bootstrap"})
    ],
    "rocwise.readers.compare": [
        {
            "data": STUDY.y_true, "y_score": STUDY.y_score, "case": STUDY.case,
            "reader": STUDY.reader, "modality": STUDY.modality,
        }
    ],
    "rocwise.readers.plan": [
        {
            "pilot": {"var_modality_reader": 0.0005, "auc": 0.8, "r1": 0.47, "r2": 0.3, "r3": 0.2},
            "difference": 0.1, "n_readers": 5,
        }
    ],
    "rocwise.reliable": [ROWS | {"positive": 0.6, "negative": 0.6}],
    "rocwise.report": [
        {"data": Y, "scores": {"a": S, "b": T}, "n_resamples": 20, "bands": ("pointwise",)},
        {"data": CLASSES, "scores": {"a": CONFIDENCES}, "task": "multiclass"},
        {"data": CLASSES, "scores": {"a": RANKS}, "task": "ordinal"},
        {"data": TRUTH, "scores": {"a": FORECAST}, "task": "regression"},
    ],
    "rocwise.studio": [{"data": FRAME, "scores": ["a"], "label": "ill", "open_browser": False}],
    "rocwise.partial_results": [{}],
    "rocwise.ordinal.surface": [RANKED],
    "rocwise.regression.rroc": [{"y_true": TRUTH, "y_pred": FORECAST}],
    "rocwise.sample_size": [{"auc": 0.8, "null": 0.7}, {"auc": 0.8, "other": 0.7}],
    "rocwise.signal_detection": [
        {"fpr": 0.1, "tpr": 0.7},
        {"hits": 7, "n_signal": 10, "false_alarms": 1, "n_noise": 10},
    ],
    "rocwise.summary": [{"data": Y, "scores": {"a": S, "b": T}}],
    "rocwise.inference.tango_interval": [{"b": 5, "c": 3, "n": 30}],
    "rocwise.threads": [{"number": 2}],
    "rocwise.threshold": [
        ROWS | {"rule": "youden"},
        ROWS | {"rule": "cost", "costs": COSTS},
        ROWS | {"by": GROUPS, "rule": "youden"},
    ],
    "rocwise.threshold_without_labels": [{"y_score": S, "costs": COSTS}],
    "rocwise.thresholds": [ROWS],
    "rocwise.survival.at": [AT_TIMES | {"threshold": 0.5}, AT_TIMES | {"sensitivity": 0.8}],
    "rocwise.survival.auc": [AT_TIMES, AT_TIMES | DRAWN | {"method": "bootstrap"}],
    "rocwise.survival.brier": [AT_TIMES],
    "rocwise.survival.calibration": [AT_TIMES],
    "rocwise.survival.compare": [{"data": FOLLOWED, "times": [0.5, 1.0]}],
    "rocwise.survival.concordance": [CENSORED],
    "rocwise.survival.follow_up": [{"data": TIMES, "event": EVENTS, "scores": S}],
    "rocwise.survival.roc": [AT_TIMES],
    "rocwise.ordinal.best_order": [RANKED],
    "rocwise.binary.roc_points": [{"at_zero": [0.1, 0.4], "at_one": [0.5, 0.2]}],
    "rocwise.binary.detectable_auc": [{"n_pos": 30, "n_neg": 30}],
    "rocwise.multiclass.Evolution": [{}],
    "rocwise.multiclass.partial_class_areas": [MANY | {"max_fpr": 0.3}],
    "rocwise.multiclass.class_cost": [MANY],
    "rocwise.multiclass.class_weights_under": [
        MANY | {"cost_samples": np.ones((4, 3, 3)) - np.eye(3)}
    ],
    "rocwise.multiclass.sample_costs": [{"low": 1, "high": 10, "n_classes": 3, "rng": 1}],
    "rocwise.regression.block_length": [{"n": 100, "horizon": 2}],
    "rocwise.regression.filters.fit_noise": [
        {"model": follower(), "y": SERIES[:, None], "method": "grid"}
    ],
    "rocwise.statistics.Area": [{}],
    "rocwise.statistics.LeastCost": [{"costs": COSTS, "prevalence": 0.3}],
    "rocwise.statistics.PartialArea": [{"max_fpr": 0.3}],
    "rocwise.statistics.SensitivityAt": [{"specificity": 0.8}],
    "rocwise.statistics.SpecificityAt": [{"sensitivity": 0.8}],
    "rocwise.statistics.SmoothArea": [{}],
    "rocwise.statistics.YoudenThreshold": [{}],
    "rocwise.datasets.binormal_example": [{}],
    "rocwise.regression.forecasting.fit_linear": [
        {"rows": SERIES[:39, None], "target": SERIES[1:]}
    ],
    "rocwise.regression.forecasting.fit_neural": [
        {"rows": SERIES[:39, None], "target": SERIES[1:], "hidden": 2}
    ],
    "rocwise.regression.forecasting.lag_rows": [{"series": SERIES, "order": 2}],
    "rocwise.regression.forecasting.scaled_differences": [{"series": SERIES, "n_fit": 20}],
    "rocwise.regression.forecasting.series_filter": [
        {
            "model": autoregression(), "process_variance": 0.1, "observation_variance": 1.0,
            "initial_mean": [0.0, 0.0], "initial_covariance": np.eye(2),
        }
    ],
    "rocwise.regression.network_training.train_network": [
        {"series": SERIES, "order": 2, "hidden": 2, "random_state": 0}
    ],
    "rocwise.regression.network_training.fit_neural_by_filter": [
        {"rows": SERIES[:39, None], "target": SERIES[1:], "hidden": 2}
    ],
    "rocwise.estimators.scorer": [{"name": "partial_auc"}],
    "rocwise.estimators.scorers": [{}],
    "rocwise.estimators.survival_auc_scorer": [{"times": [0.5]}],
    "rocwise.estimators.ThresholdClassifier": [
        {"rule": "youden", "cv": 2}, {"costs": rw.Costs(1, 2), "cv": 2}
    ],
    "rocwise.estimators.AbstainingClassifier": [{"costs": COSTS, "cv": 2}],
    "rocwise.estimators.ReliableClassifier": [{"positive": 0.6, "negative": 0.6, "cv": 2}],
    "rocwise.estimators.ClassWeightClassifier": [{"cv": 2, "random_state": 0}],
    "rocwise.estimators.MetaClassClassifier": [{"cv": 2, "random_state": 0}],
    "rocwise.estimators.MimeticClassifier": [{"n_samples": 200, "random_state": 0}],
    "rocwise.estimators.FilterRegressor": [
        {}, {"transition": "mlp", "hidden": 2, "random_state": 0}
    ],
    "rocwise.estimators.StackedFilterRegressor": [{"filters": ["ekf"]}],
}  # fmt: skip
"""Arguments of calls that work; several where an option has a meaning under one method only."""

PACKAGES = (
    "rocwise.binary.bands",
    "rocwise.statistics",
    "rocwise.datasets",
    "rocwise.estimators",
    "rocwise.regression.forecasting",
    "rocwise.regression.network_training",
)
INSIDE = ("rocwise.inputs", "rocwise.ordinal", "rocwise.plotting")  # for the package's own modules
MADE_BY_OTHERS = {
    "FollowUp",
    "LinearAutoregression",
    "MarkedLesions",
    "NeuralAutoregression",
    "ReaderStudy",
    "ScoredCases",
}
DATA_HOLDERS = {"Tally", "Pairs"}  # made by `tally` and `pair`; their makers are walked


@dataclass(frozen=True)
class Target:
    """Something to call: its name, what calls it, its parameters, and arguments that work."""

    name: str
    call: Callable[..., Any] = field(repr=False)
    parameters: dict[str, inspect.Parameter] = field(repr=False)
    working: dict[str, Any] = field(repr=False)


def targets() -> list[Target]:
    """Every public function, class, estimator, filter and maker of data, in a fixed order."""
    found = {name: target for package in packages() for name, target in _of_package(package)}
    return [each for name in sorted(found) for each in found[name]]


def packages() -> list[str]:
    """Packages that list public names."""
    root = Path(rw.__file__).parent
    stubs = sorted(root.rglob("__init__.pyi"))
    listed = [".".join(("rocwise", *stub.parent.relative_to(root).parts)) for stub in stubs]
    return [name for name in dict.fromkeys([*listed, *PACKAGES]) if name not in INSIDE]


def public_names(package: str) -> list[str]:
    """Names that a package lists, or that a module defines itself."""
    module = importlib.import_module(package)
    own = [n for n, v in vars(module).items() if getattr(v, "__module__", None) == package]
    return sorted(getattr(module, "__all__", [name for name in own if not name.startswith("_")]))


def _of_package(package: str) -> Iterator[tuple[str, list[Target]]]:
    module = importlib.import_module(package)
    for short in public_names(package):
        value, name = getattr(module, short), f"{package}.{short}"
        if short in DATA_HOLDERS:
            yield from _makers(name, value)
        elif hasattr(value, "from_predictions"):
            full = f"{name}.from_predictions"
            yield full, [_target(full, value.from_predictions, _predictions(short))]
        elif callable(value) and not _is_no_function(value):
            yield name, [_target(name, value, working) for working in working_calls(name, value)]


def _predictions(display: str) -> dict[str, Any]:
    """What a display of scikit-learn's kind is made from."""
    if display == "RecDisplay":
        return {"y_true": TRUTH, "y_pred": FORECAST}
    return {"y_true": Y, "y_score": S} | ({"costs": COSTS} if "Abstention" in display else {})


def _is_no_function(value: Any) -> bool:
    """Errors, protocols and classes of results, which users catch or read but do not make."""
    from rocwise.results import Result

    if not inspect.isclass(value):
        return False
    protocol = getattr(value, "_is_protocol", False)
    made_by_others = value.__name__ in MADE_BY_OTHERS
    return protocol or made_by_others or issubclass(value, (BaseException, Result))


def working_calls(name: str, value: Any) -> list[dict[str, Any]]:
    """Arguments that work: the special ones, or the usual ones of what is needed."""
    if name in SPECIAL:
        return SPECIAL[name]
    if ".filters." in name:
        return [_filter_arguments(value)]
    parameters = inspect.signature(value).parameters
    usual = USUAL | (MANY if ".multiclass." in name else {})
    needed = {
        each.name: usual[each.name]
        for each in parameters.values()
        if each.name in usual and (each.default is each.empty or each.name in ALWAYS)
    }
    if "y_score" in needed:
        needed.pop("scores", None)  # another name of `score`
    return [needed]


def _filter_arguments(kind: Any) -> dict[str, Any]:
    if kind.__name__ == "KalmanFilter":
        return {"transition": [[1.0]], "observation": [[1.0]], **FILTER}
    return {"transition": _itself, "observation": _itself, **FILTER}


def _itself(state: Any) -> Any:
    return state


def _target(name: str, value: Any, working: dict[str, Any]) -> Target:
    parameters = {
        each.name: each
        for each in inspect.signature(value).parameters.values()
        if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
    }
    return Target(name, _caller(name, value), parameters, working)


def _caller(name: str, value: Any) -> Callable[..., Any]:
    tidy = tidy_caller(name, value)
    if tidy is not None:
        return tidy
    if ".estimators." in name and hasattr(value, "fit"):
        return functools.partial(_fitted, value)
    if ".filters." in name and inspect.isclass(value):
        return functools.partial(_filtered, value)
    if ".statistics." in name:
        return functools.partial(_resampled, value)
    return value  # type: ignore[no-any-return]


def _fitted(kind: Any, **options: Any) -> Any:
    model = kind(**options)
    if "Regressor" in kind.__name__:
        rows, target = SERIES[:39, None], SERIES[1:]
    elif kind.__name__ in {"ClassWeightClassifier", "MetaClassClassifier"}:
        rows, target = CONFIDENCES, CLASSES
    else:
        rows, target = X, Y
    model.fit(rows, target)
    return model.predict(rows)


def _filtered(kind: Any, **options: Any) -> Any:
    return kind(**options).filter(SERIES[:, None])


def _resampled(kind: Any, **options: Any) -> Any:
    return rw.bootstrap(Y, S, statistic=kind(**options), n_resamples=100, rng=1)


def _makers(name: str, kind: Any) -> Iterator[tuple[str, list[Target]]]:
    if kind is rw.Tally:
        counts = {"scores": [3.0, 2.0, 1.0], "pos": [2, 1, 0], "neg": [0, 1, 2]}
        ordered = {"neg": [1.0, 1.0, 2.0], "pos": [2.0, 3.0, 3.0]}
        for maker, working in (("from_counts", counts), ("from_sorted", ordered)):
            full = f"{name}.{maker}"
            yield full, [_target(full, _calling(getattr(kind, maker)), working)]
    else:
        pairs = rw.pair(Y, {"a": S, "b": T})
        for method, argument in (("tally", "a"), ("scores", "a"), ("select", ["a"])):
            full = f"{name}.{method}"
            value = getattr(pairs, method)
            first = next(iter(inspect.signature(value).parameters))
            yield full, [_target(full, value, {first: argument})]


def _calling(maker: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(maker)
    def area_of(*data: Any, **options: Any) -> Any:
        return rw.auc(maker(*data, **options))

    return area_of


def result_methods(target: Target) -> list[Target]:
    """Methods of a target's result that take arguments, as targets of their own."""
    from rocwise.results import Result

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = target.call(**target.working)
        except Exception:  # a new name that needs a line in `SPECIAL`; a test fails
            return []
    return methods_of(result) if isinstance(result, (Result, rw.Interval)) else []


def methods_of(result: Any) -> list[Target]:
    """Public methods that take arguments; one of a base class goes by the name of that class."""
    found = []
    for name, method in inspect.getmembers(result, inspect.ismethod):
        parameters = inspect.signature(method).parameters
        if not name.startswith("_") and name not in WRITTEN_OUT and parameters:
            kind = type(result).__name__
            working = METHODS.get(f"{kind}.{name}", METHODS.get(name)) or _usual_of(parameters)
            if working is None:  # a test names it
                UNKNOWN.add(f"{kind}.{name}")
            else:
                found.append(_target(method.__func__.__qualname__, method, working))
    return found


def _usual_of(parameters: Any) -> dict[str, Any] | None:
    needed = [name for name, each in parameters.items() if each.default is each.empty]
    return {name: USUAL[name] for name in needed} if USUAL.keys() >= set(needed) else None


UNKNOWN: set[str] = set()
"""Methods of results for which no arguments are known: they need a line in `METHODS`."""


WRITTEN_OUT = {
    "plot",
    "to_csv",
    "to_docx",
    "to_html",
    "to_latex",
    "to_markdown",
}  # plots and files have fuzzers of their own
METHODS: dict[str, dict[str, Any]] = {
    "AbstentionSurface.difference": {"other": rw.abstention_surface(Y, T, grid=5)},
    "AbstentionSurface.highest_nu": {"mu": np.array([0.2, 0.5])},
    "Band.contains": {"curve": rw.roc(Y, S)},
    "BinormalBand.contains": {"curve": rw.roc(Y, S)},
    "BinormalFit.limits": {"fpr": np.array([0.1, 0.4]), "multiplier": 2.0},
    "RecCurve.crossings": {"other": rw.regression.rec(TRUTH, OTHER)},
    "RecCurve.dominates": {"other": rw.regression.rec(TRUTH, OTHER)},
    "RecCurve.order": {"other": rw.regression.rec(TRUTH, OTHER)},
    "RecBand.contains": {"curve": rw.regression.rec(TRUTH, FORECAST)},
    "MulticlassRoc.only": {"name": "1"},
    "OrdinalThresholds.predict": {"y_score": RANKS},
    "ClassWeights.predict_columns": {"y_score": CONFIDENCES},
    "MetaClass.predict_columns": {"y_score": CONFIDENCES},
    "UncertainClassWeights.predict_columns": {"y_score": CONFIDENCES},
    "MetaClass.group_words": {"group": (0, 1)},
    "Lift.at": {"share": 0.2},
    "compute": {"function": "auc"},
    "requested_text": {"row": 0},
    "threshold_text": {"row": 0},
    "RecCurve.share_at": {"tolerance": 0.5},
    "PointsTable.interval": {"measure": "ppv"},
    "RocSurface.height": {"tpr1": 0.4, "tpr3": 0.3},
    "RocSurface.section": {"tpr3": 0.3},
    "RrocCurve.best_shift": {"over": 1.0, "under": 2.0},
    "RrocCurve.cost_of": {"over": 1.0, "under": 2.0},
    "ThresholdTable.threshold_text": {"row": 2},
    "ClassWeights.predict": {"y_score": CONFIDENCES},
    "MetaClass.predict": {"y_score": CONFIDENCES},
    "UncertainClassWeights.predict": {"y_score": CONFIDENCES},
    "aoc_up_to": {"tolerance": 0.5},
    "hits_at": {"tolerance": 0.5},
    "within": {"tolerance": 0.5},
    "RecBand.at": {"tolerance": 0.5},
    "CostCurve.at": {"probability_cost": 0.5},
    "CostLines.at": {"probability_cost": 0.5},
    "forecast": {"result": follower().filter(SERIES[:, None]), "steps": 3},
    "filter": {"y": SERIES[:, None]},
    "smooth": {"y": SERIES[:, None]},
    "with_noise": {"process_noise": [[0.1]], "observation_noise": [[1.0]]},
}
"""Arguments of methods of results that work, by `Class.method` or by the method's name."""
