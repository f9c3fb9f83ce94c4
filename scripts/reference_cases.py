"""Cases of the reference results: every public function, data form and choice of options."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import io
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import rocwise as rw

SEED = object()  # replaces `rng` among the options of a case
CLOSED_FORM = 1e-9
ITERATIVE = 1e-6  # optimizers and long recursions
TEMPORARY = tempfile.TemporaryDirectory(prefix="rocwise-reference-")
FOLDER = Path(TEMPORARY.name)

# --- data -----------------------------------------------------------------------------------------


def two_class_columns(n: int, decimals: int | None, seed: int = 3) -> dict[str, np.ndarray]:
    """Labels, three models' scores in (0, 1), weights, clusters, folds and subgroups."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 5 < 2).astype(int)
    shift = np.repeat(rng.normal(0, 0.08, n // 3 + 1), 3)[:n]
    scores = {
        "a": 0.38 + 0.22 * y + shift + rng.normal(0, 0.16, n),
        "b": 0.42 + 0.14 * y + shift + rng.normal(0, 0.18, n),
        "c": 0.45 + 0.06 * y + rng.normal(0, 0.2, n),
    }
    clipped = {name: np.clip(s, 0.011, 0.989) for name, s in scores.items()}
    if decimals is not None:
        clipped = {name: np.round(s, decimals) for name, s in clipped.items()}
    return {
        "ill": y,
        **clipped,
        "w": np.round(rng.uniform(0.5, 2.5, n), 2),
        "patient": np.arange(n) // 3,
        "site": np.where(np.arange(n) % 4 < 2, "north", "south"),
        "fold": np.arange(n) // 3 % 5,
    }


PLAIN = two_class_columns(120, None)
TIES = two_class_columns(150, 1)
LARGE = two_class_columns(3000, 3)
COSTS = rw.Costs(fp=1, fn=3)
WITH_REJECTION = rw.Costs(fp=1, fn=3, abstain=0.2)


@cache
def source(kind: str) -> Any:
    """The columns of PLAIN in a frame or a file."""
    frame = pd.DataFrame(PLAIN)
    if kind == "csv":
        frame.to_csv(FOLDER / "cases.csv", index=False)
        return FOLDER / "cases.csv"
    if kind == "parquet":
        frame.to_parquet(FOLDER / "cases.parquet")
        return FOLDER / "cases.parquet"
    if kind == "large.csv":
        pd.DataFrame(LARGE).to_csv(FOLDER / "large.csv", index=False)
        return FOLDER / "large.csv"
    return {"pandas": frame, "polars": pl.DataFrame(PLAIN), "arrow": pa.table(PLAIN)}[kind]


def one_model_forms() -> dict[str, tuple[tuple[Any, ...], dict[str, Any]]]:
    """Arguments of a function of one model, by data form."""
    y, s = PLAIN["ill"], PLAIN["a"]
    names = {"label": "ill", "score": "a"}
    sketch = rw.TallySketch()
    sketch.update(y, s)
    with_nan = np.where(np.arange(y.size) == 7, np.nan, s)
    clustered = named("tally")(y, s, groups=PLAIN["patient"])
    return {
        "plain": ((y, s), {}),
        "ties": ((TIES["ill"], TIES["a"]), {}),
        "weights": ((y, s), {"sample_weight": PLAIN["w"]}),
        "tied weights": ((TIES["ill"], TIES["a"]), {"sample_weight": TIES["w"]}),
        "groups": ((y, s), {"groups": PLAIN["patient"]}),
        "groups in tally": ((clustered,), {}),
        "weighted groups": ((y, s), {"sample_weight": PLAIN["w"], "groups": PLAIN["patient"]}),
        "by": ((y, s), {"by": PLAIN["site"]}),
        "lower": ((y, 1 - s), {"direction": "lower"}),
        "float32": ((y, s.astype(np.float32)), {}),
        "lists": ((y.tolist(), s.tolist()), {}),
        "texts": ((np.where(y == 1, "yes", "no"), s), {"pos_label": "yes"}),
        "missing": ((y, with_nan), {"missing": "drop"}),
        "resolution": ((y, s), {"resolution": 40}),
        "sketch": ((sketch,), {}),
        "pandas": ((source("pandas"),), names),
        "polars": ((source("polars"),), names),
        "arrow": ((source("arrow"),), names),
        "csv": ((source("csv"),), names),
        "parquet": ((source("parquet"),), names),
        "csv by": ((source("csv"),), names | {"by": "site"}),
        "csv weights": ((source("csv"),), names | {"sample_weight": "w"}),
        "csv memory_limit": ((source("large.csv"),), names | {"memory_limit": "100MB"}),
        "parquet memory_limit": ((source("parquet"),), names | {"memory_limit": "100MB"}),
        "models": ((rw.pair(y, {m: PLAIN[m] for m in "ab"}),), {}),
        "large": ((LARGE["ill"], LARGE["a"]), {}),
    }


def paired_forms() -> dict[str, tuple[tuple[Any, ...], dict[str, Any]]]:
    """Arguments of a function of several models, by data form."""
    y, two = PLAIN["ill"], {m: PLAIN[m] for m in "ab"}
    tied = {m: TIES[m] for m in "ab"}
    names = {"label": "ill", "scores": ["a", "b"]}
    return {
        "plain": ((y, two), {}),
        "three": ((y, two | {"c": PLAIN["c"]}), {}),
        "ties": ((TIES["ill"], tied), {}),
        "weights": ((y, two), {"sample_weight": PLAIN["w"]}),
        "groups": ((y, two), {"groups": PLAIN["patient"]}),
        "tied groups": ((TIES["ill"], tied), {"groups": TIES["patient"]}),
        "weighted groups": ((y, two), {"groups": PLAIN["patient"], "sample_weight": PLAIN["w"]}),
        "lower": ((y, {m: 1 - s for m, s in two.items()}), {"direction": "lower"}),
        "lists": ((y.tolist(), {m: s.tolist() for m, s in two.items()}), {}),
        "pandas": ((source("pandas"),), names),
        "polars": ((source("polars"),), names),
        "csv": ((source("csv"),), names),
        "parquet": ((source("parquet"),), names),
        "csv memory_limit": ((source("large.csv"),), names | {"memory_limit": "100MB"}),
        "large": ((LARGE["ill"], {m: LARGE[m] for m in "ab"}), {}),
    }


# --- names: the newer first -----------------------------------------------------------------------

NEWER = {
    "multiclass_auc": "multiclass.auc",
    "multiclass_roc": "multiclass.roc",
    "compare_multiclass": "multiclass.compare",
    "hum": "multiclass.hum",
    "class_weights": "multiclass.class_weights",
    "metaclass": "multiclass.metaclass",
    "multiclass.multiclass_brier": "multiclass.brier",
    "ordinal_auc": "ordinal.auc",
    "ordinal_test": "ordinal.null_test",
    "ordinal_thresholds": "ordinal.thresholds",
    "compare_ordinal": "ordinal.compare",
    "roc_surface": "ordinal.surface",
    "vus_best_order": "ordinal.best_order",
    "rec": "regression.rec",
    "rroc": "regression.rroc",
    "rec_band": "regression.band",
    "compare_rec": "regression.compare",
    "tango_interval": "inference.tango_interval",
    "cv_interval": "inference.cv_interval",
}


def looked_up(path: str) -> Any:
    """The object with a dotted name below `rocwise`, or None."""
    found: Any = rw
    for part in path.split("."):
        if not hasattr(found, part):
            with contextlib.suppress(ImportError):
                __import__(f"{found.__name__}.{part}")
        found = getattr(found, part, None)
        if found is None:
            return None
    return found


def named(name: str) -> Callable[..., Any]:
    """A public function by its older name, wherever it is now."""
    found = looked_up(NEWER.get(name, name)) or looked_up(name) or MERGED.get(name)
    if found is None:
        raise LookupError(f"rocwise has no {name}")
    return found


def _threshold_by_group(y: Any, s: Any, g: Any, **options: Any) -> dict[str, Any]:
    found = rw.threshold(y, s, by=g, **options).to_dict()
    return found | {"points": found["results"], "kind": "GroupThresholds"}


def _abstain_within(*data: Any, **options: Any) -> Any:
    if "groups" in options:
        raise TypeError("abstain_within had no clusters")
    return rw.abstain(*data, **options)


MERGED = {
    "tally_frame": lambda frame, **options: rw.tally(frame, **options),
    "tally_classes": lambda negative, positive: rw.tally(negative=negative, positive=positive),
    "pair_frame": lambda frame, **options: rw.pair(frame, **options),
    "threshold_by_group": lambda y, s, g, **options: _threshold_by_group(y, s, g, **options),
    "abstain_within": lambda *data, **options: _abstain_within(*data, **options),
    "signal_detection_counts": lambda a, b, c, d: rw.signal_detection(
        hits=a, n_signal=b, false_alarms=c, n_noise=d
    ),
}

# --- choices of two-class functions ---------------------------------------------------------------


def each(option: str, *values: Any, **others: Any) -> list[dict[str, Any]]:
    """One choice for every value of an option."""
    return [{option: value} | others for value in values]


AREA_METHODS = (
    "auto delong wilson logit hanley-mcneil jackknife exact-bootstrap unbiased score hoeffding"
)
PROPORTIONS = "wilson wilson-continuity clopper-pearson mid-p jeffreys agresti-coull arcsine logit"
RULES = (
    "youden ameans closest product equal maximin minimax accuracy f1 mcc kappa odds-ratio "
    "chi-square predictive-sum predictive-product predictive-closest predictive-equal "
    "predictive-maximin prevalence"
)
CONSTRAINTS = {
    "min-sensitivity": 0.8,
    "min-specificity": 0.8,
    "min-precision": 0.6,
    "min-npv": 0.7,
    "max-alarms": 40,
    "min-lr-positive": 2,
    "max-lr-negative": 0.5,
}
KINDS = (
    "fixed-width joint-regions working-hotelling pointwise pointwise-binormal simultaneous future"
)
DRAWN = {"n_resamples": 200, "rng": SEED}
PART = {"max_fpr": 0.3}
LONG = {"n_resamples": 4000, "rng": SEED}

# options without which a function cannot run, then every other choice
ONE_MODEL: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "abstain": (
        {"costs": WITH_REJECTION},
        [{"prevalence": 0.3}, {"costs": rw.Costs(fp=1, fn=3, abstain=(0.3, 0.1))}],
    ),
    "abstain_within": (
        {"costs": COSTS, "max_abstention": 0.2},
        [
            {"max_abstention": None, "max_cost": 0.3},
            {"max_abstention": None, "max_cost": 0.3, "per": "case"},
        ],
    ),
    "abstention_surface": ({"grid": 5}, [*each("method", "exact", "grid"), {"prevalence": 0.3}]),
    "at": (
        {"threshold": 0.5},
        [
            *each("method", *PROPORTIONS.split()),
            {"method": "bootstrap", **DRAWN},
            {"prevalence": 0.1},
            {"costs": COSTS},
            *({"threshold": None, axis: 0.8} for axis in ("sensitivity", "specificity")),
            *(
                {"threshold": None, axis: [0.8, 0.9], "interpolate": True}
                for axis in ("sensitivity", "specificity")
            ),
            {"threshold": None, "fpr": 0.1},
            {"threshold": None, "alarms": 30},
            {"threshold": None, "specificity": 0.8, "method": "bootstrap", **DRAWN},
        ],
    ),
    "auc": (
        {},
        [
            *each("method", *AREA_METHODS.split()),
            *each("method", "bootstrap", "bca", **DRAWN),
            {"method": "bootstrap", **LONG},
            *each("method", "delong", "wilson", "logit", **PART),
            *each("method", "bootstrap", "bca", **PART, **DRAWN),
            {"max_fpr": 0.3, "standardize": True},
            {"fpr_range": (0.1, 0.4)},
            {"tpr_range": (0.6, 1.0), "method": "delong"},
            {"tpr_range": (0.6, 1.0), "method": "bootstrap", **DRAWN},
            {"level": 0.8},
        ],
    ),
    "auc_intervals": (DRAWN, []),
    "auc_variance": (
        {"method": "delong"},
        each("method", "jackknife", "exact-bootstrap", "unbiased", "hanley-mcneil"),
    ),
    "average_precision": (
        {},
        [
            {"method": "logit"},
            {"method": "bootstrap", **DRAWN},
            {"prevalence": 0.1},
            {"interpolation": "davis-goadrich"},
            {"interpolation": "davis-goadrich", "method": "bootstrap", **DRAWN},
            {"cohort": True},
        ],
    ),
    "band": (
        {"kind": "pointwise", **DRAWN},
        [
            *each("kind", *KINDS.split()),
            *each("future", True, kind="fixed-width"),
            *each("joint", True, kind="joint-regions"),
            *each("slope", "paper", "sd", kind="fixed-width"),
            *each("ks", "table", "exact", kind="joint-regions"),
            *each("stratified", True, kind="simultaneous"),
            *each("stratified", True, kind="future"),
            {"kind": "simultaneous", "level": 0.8},
        ],
    ),
    "binormal": ({}, [{"level": 0.8}]),
    "bootstrap": (
        DRAWN,
        [
            *each("statistic", "smooth-auc", "youden-threshold", "average-precision"),
            *each("statistic", "precision-recall-area", "equal-error-rate"),
            {"statistic": rw.statistics.SensitivityAt(0.8)},
            {"statistic": rw.statistics.SpecificityAt(0.8)},
            {"statistic": rw.statistics.PartialArea(max_fpr=0.3)},
            {"statistic": rw.statistics.PrecisionAt(0.7)},
            {"statistic": rw.statistics.LeastCost(COSTS, 0.3)},
            *each("method", "bca", "bootstrap-t"),
            {"statistic": "average-precision", "method": "bca"},
        ],
    ),
    "brier": ({}, []),
    "calibration": (
        {"n_resamples": 100, "rng": SEED},
        each("strategy", "uniform", "isotonic", "loess"),
    ),
    "confident_segment": ({}, [{"level": 0.8}]),
    "cost_curve": ({}, []),
    "decision_curve": ({}, [{"prevalence": 0.1}, {"thresholds": [0.1, 0.3, 0.5]}]),
    "det": ({}, []),
    "equal_error_rate": (DRAWN, []),
    "guaranteed_threshold": (
        {"rate": "fpr", "alpha": 0.5, "delta": 0.2},
        each("rate", "fnr", "fdr", "for", "error"),
    ),
    "h_measure": ({}, [{"severity": 0.5}]),
    "hull": ({}, []),
    "lift": ({}, []),
    "precision_recall": ({}, []),
    "probabilistic_auc": ({}, []),
    "reliable": (
        {"positive": 0.6, "negative": 0.6},
        [
            *each("metric", "f", "m"),
            {"rule": "paper"},
            {"costs": COSTS},
            {"skew": 0.5},
            {"metric": "m", "m": 0.1},
        ],
    ),
    "roc": ({}, [{"drop_intermediate": True}]),
    "scored_auc": ({}, []),
    "smooth_roc": ({}, [*each("midpoint", "calibrated", "class-means", 0.5), {"rescale": True}]),
    "soft_auc": ({}, [{"beta": 3.0}]),
    "step_area": ({}, each("ties", "optimistic", "pessimistic")),
    "test_auc": (
        {},
        [
            *each(
                "method",
                "jackknife",
                "exact-bootstrap",
                "unbiased",
                "hanley-mcneil",
                "logit",
                "score",
                null=0.6,
            ),
            *each("method", "exact", "wilcoxon"),
            *each("alternative", "greater", "less", null=0.6),
        ],
    ),
    "threshold": (
        {"rule": "youden"},
        [
            *each("rule", *RULES.split()),
            {"rule": "cost", "costs": COSTS},
            {"rule": "cost", "costs": COSTS, "prevalence": 0.1},
            {"rule": "f-beta", "beta": 2.0},
            *({"rule": rule, "constraint": value} for rule, value in CONSTRAINTS.items()),
            *each("ties", "strict", "mild", "middle"),
        ],
    ),
    "thresholds": ({}, [{"costs": COSTS}]),
}
COMPARISONS = "auto delong wilson jackknife exact-bootstrap unbiased influence"
TEST_DRAWS = {"n_resamples": 200, "rng": SEED}
PAIRED: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "auc_covariance": ({}, each("method", "jackknife", "exact-bootstrap", "unbiased")),
    "compare": (
        {},
        [
            *each("method", *COMPARISONS.split()),
            *each(
                "method",
                "bootstrap",
                "permutation",
                "permutation-monte-carlo",
                "venkatraman",
                **TEST_DRAWS,
            ),
            *each("transform", "none", method="permutation", **TEST_DRAWS),
            {"method": "permutation-asymptotic"},
            {"method": "venkatraman", "ties": "midrank", **TEST_DRAWS},
            *each("alternative", "greater", "less"),
            *each("alternative", "non-inferior", "equivalent", margin=0.1),
            {"max_fpr": 0.3, **TEST_DRAWS},
            *each("method", "delong", "influence", **PART),
            {"fpr_range": (0.1, 0.5), "method": "influence"},
            {"tpr_range": (0.5, 1.0), "method": "influence"},
            {"at_sensitivity": 0.8, **TEST_DRAWS},
            {"at_specificity": 0.8, **TEST_DRAWS},
            *each("statistic", "average-precision", "smooth-auc", "equal-error-rate", **TEST_DRAWS),
            {"statistic": "average-precision", "method": "influence"},
        ],
    ),
    "compare_at": (
        {"threshold": 0.5, **TEST_DRAWS},
        [
            {"threshold": None, "specificity": 0.8},
            {"threshold": None, "alarms": 30},
            {"prevalence": 0.1},
        ],
    ),
    "compare_curves": ({"curve": "decision", **TEST_DRAWS}, each("curve", "cost")),
    "summary": (
        {},
        [{"rule": "f1"}, {"threshold": 0.4}, {"costs": COSTS, "rule": "cost"}, {"reference": "b"}],
    ),
}
FORMS_OF_CHOICES = ("plain", "ties", "weights", "groups", "groups in tally", "large")
QUICK_FORMS = ("plain", "ties", "weights", "groups", "csv", "lower")
SLOW = {"permutation", "venkatraman", "permutation-monte-carlo"}


@dataclasses.dataclass(frozen=True)
class Case:
    """One call; the argument is the seed."""

    run: Callable[[int], Any]
    tolerance: float = CLOSED_FORM
    n_resamples: int = 200
    quick: bool = False


def call(name: str, data: tuple[Any, ...], options: dict[str, Any], quick: bool = False) -> Case:
    """A case that calls a public function, with a seed and few resamples where it takes them."""
    with contextlib.suppress(LookupError, ValueError):
        if options.get("by") == "site" and isinstance(data[0], BeyondMemory):
            raise LookupError  # resampling is not possible there
        accepted = inspect.signature(named(name)).parameters
        options = {k: v for k, v in DRAWN.items() if k in accepted} | options

    def run(seed: int) -> Any:
        seeded = {k: seed if v is SEED else v for k, v in options.items()}
        files = [file_beyond_memory(d.decimals) if isinstance(d, BeyondMemory) else d for d in data]
        return named(name)(*files, **seeded)

    iterative = name in {"binormal", "fit_distribution", "predict_roc", "rank_features"}
    iterative |= options.get("method") in {"soft", "genetic-soft"}
    return Case(
        run,
        tolerance=1e-4 if iterative else CLOSED_FORM,
        n_resamples=options.get("n_resamples", 200),
        quick=quick,
    )


def label_of(options: Mapping[str, Any]) -> str:
    """Options in words, without what only bounds the work."""
    shown = {k: v for k, v in options.items() if k not in ("rng", "n_resamples", "evolution")}
    words = [f"{k}={short(v)}" for k, v in shown.items()]
    long = options.get("n_resamples", 0) > 200
    return ", ".join([*words, f"n_resamples={options['n_resamples']}"] if long else words)


def short(value: Any) -> str:
    """A value in a case's name."""
    plain = value is None or isinstance(value, (str, int, float, tuple, list))
    return str(value) if plain else type(value).__name__


def table_cases(
    table: Mapping[str, tuple[dict[str, Any], list[dict[str, Any]]]], forms: Mapping[str, Any]
) -> Iterator[tuple[str, Case]]:
    """Each function on every data form, and each choice on some of them."""
    for name, (base, choices) in table.items():
        for form, (data, more) in forms.items():
            yield f"{name} | {form} |", call(name, data, base | more, form in QUICK_FORMS)
        for index, choice in enumerate(choices):
            for form in FORMS_OF_CHOICES:
                if form not in forms or (form == "large" and SLOW & set(map(str, choice.values()))):
                    continue
                data, more = forms[form]
                quick = form == "plain" or (form == "weights" and index % 3 == 0)
                yield (
                    f"{name} | {form} | {label_of(choice)}",
                    call(name, data, base | choice | more, quick),
                )


# --- other outcomes, single functions -------------------------------------------------------------


def class_columns(n: int = 150, m: int = 3) -> dict[str, Any]:
    """Labels 0..m-1, a matrix of scores, an ordinal score, weights and clusters."""
    rng = np.random.default_rng(5)
    y = np.arange(n) % m
    raw = np.exp(rng.normal(0, 1, (n, m)) + 1.2 * np.eye(m)[y])
    other = np.exp(rng.normal(0, 1, (n, m)) + 0.8 * np.eye(m)[y])
    return {
        "y": y,
        "a": raw / raw.sum(axis=1, keepdims=True),
        "b": other / other.sum(axis=1, keepdims=True),
        "s": np.round(y + rng.normal(0, 1, n), 1),
        "t": np.round(y + rng.normal(0, 1.5, n), 1),
        "w": np.round(rng.uniform(0.5, 2.5, n), 2),
        "patient": np.arange(n) // 4,
    }


CLASSES = class_columns()
FOUR = class_columns(80, 4)
CLASS_COSTS = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [3.0, 2.0, 0.0]])
CLASS_FORMS = {
    "plain": {},
    "weights": {"sample_weight": CLASSES["w"]},
    "groups": {"groups": CLASSES["patient"]},
    "weighted groups": {"sample_weight": CLASSES["w"], "groups": CLASSES["patient"]},
}
WEIGHT_METHODS = "sequential passes cost-columns lp milp soft sweep pair-moves auto"
EVOLVED = {
    "rng": SEED,
    "evolution": looked_up("multiclass.Evolution")(population=8, generations=10),
}
MULTICLASS: dict[str, list[dict[str, Any]]] = {
    "multiclass_auc": [
        *each("average", "hand-till", "ovr", "ovr-weighted", "ovo-weighted"),
        *each("method", "delong", "logit"),
        {"method": "bootstrap", **DRAWN},
    ],
    "multiclass_roc": [{}, {"bands": True, **DRAWN}],
    "multiclass.micro_auc": [DRAWN, {"max_fpr": 0.3, **DRAWN}],
    "multiclass.multiclass_brier": [{}],
    "multiclass.partial_class_areas": [{"max_fpr": 0.3}, {"tpr_range": (0.5, 1.0)}],
    "multiclass.class_cost": [{"costs": CLASS_COSTS}, {}],
    "hum": [*each("rule", "sum", "product", "euclid"), {"n_tuples": 500, "rng": SEED}],
    "class_weights": [
        *each("method", *WEIGHT_METHODS.split(), costs=CLASS_COSTS),
        *each("method", "genetic-soft", "genetic", costs=CLASS_COSTS, **EVOLVED),
        {"prior": [0.2, 0.3, 0.5]},
    ],
    "multiclass.class_weights_under": [
        {"cost_samples": CLASS_COSTS * np.arange(1, 5)[:, None, None], "criterion": criterion}
        for criterion in ("expected", "minimax-regret")
    ],
    "metaclass": [{}, {"costs": CLASS_COSTS}, {"average": "pair"}],
}
PAIRED_CLASSES = {
    "compare_multiclass": [
        *each("average", "hand-till", "ovr", "ovr-weighted", "ovo-weighted"),
        *each("method", "delong", "wilson"),
        {"method": "bootstrap", **DRAWN},
        {"alternative": "non-inferior", "margin": 0.1},
    ],
    "compare_ordinal": [
        *each("measure", "volume", "consecutive", "pairwise", "pairs"),
        *each("method", "delong", "wilson", "plug-in", "unbiased"),
        {"method": "bootstrap", **DRAWN},
        {"ties": "strict"},
    ],
}
ORDINAL = {
    "ordinal_auc": [
        *each("measure", "volume", "consecutive", "pairwise", "pairs"),
        *each("ties", "strict", measure="volume"),
        *each("method", "delong", "logit", "plug-in", "unbiased"),
        {"method": "bootstrap", **DRAWN},
        {"method": "bootstrap", "measure": "pairs", **DRAWN},
        {"direction": "lower"},
    ],
    "ordinal_test": [
        *each("measure", "volume", "consecutive", "pairwise", "pairs"),
        *each("alternative", "greater", "less"),
    ],
    "ordinal_thresholds": [{}, {"costs": CLASS_COSTS}, {"prior": [0.2, 0.3, 0.5]}],
    "roc_surface": [{}, {"decimals": 0}],
    "vus_best_order": [{}, {"ties": "credit"}],
}


def class_cases() -> Iterator[tuple[str, Case]]:
    """Several classes, ordered and not."""
    y = CLASSES["y"]
    pairs = {"compare_multiclass": ("a", "b"), "compare_ordinal": ("s", "t")}
    for table in (MULTICLASS, PAIRED_CLASSES, ORDINAL):
        for name, choices in table.items():
            scores = CLASSES["s" if table is ORDINAL else "a"]
            if name in pairs:
                scores = {m: CLASSES[m] for m in pairs[name]}
            for index, choice in enumerate(choices):
                for form, more in CLASS_FORMS.items():
                    key = f"{name} | {form} | {label_of(choice)}"
                    quick = form == "plain" or (form == "weights" and index == 0)
                    yield key, call(name, (y, scores), choice | more, quick)
    for name in ("multiclass_auc", "hum", "class_weights", "metaclass"):
        yield f"{name} | four classes |", call(name, (FOUR["y"], FOUR["a"]), {}, True)
    for name in ("ordinal_auc", "ordinal_test", "ordinal_thresholds"):
        yield f"{name} | four classes |", call(name, (FOUR["y"], FOUR["s"]), {}, True)
    samples = {"rng": SEED, "n_samples": 100}
    yield (
        "multiclass.sample_costs",
        call("multiclass.sample_costs", (CLASS_COSTS, 2 * CLASS_COSTS), samples),
    )


TIMES = np.arange(60)
SERIES = np.sin(0.3 * TIMES) + 0.3 * np.cos(1.7 * TIMES)
TARGET = np.round(10 + 3 * SERIES + np.random.default_rng(8).normal(0, 1, 60), 2)
FORECASTS = {
    "m1": np.round(10 + 3 * SERIES, 1),
    "m2": np.round(10.4 + 2 * SERIES, 1),
    "m3": np.round(9.5 + 3 * SERIES + np.random.default_rng(9).normal(0, 0.5, 60), 1),
}


def regression_cases() -> Iterator[tuple[str, Case]]:
    """REC and RROC curves and what is done with them."""
    two = {m: FORECASTS[m] for m in ("m1", "m2")}
    m1 = (TARGET, FORECASTS["m1"])
    for options in (
        {},
        {"loss": "squared"},
        {"sample_weight": PLAIN["w"][:60]},
        *each("null", "mean", "median", "last", y_train=TARGET[:30]),
        *each("null", "mean", 9.0, FORECASTS["m2"]),
    ):
        text = str({k: np.asarray(v).ravel()[:1].tolist() for k, v in options.items()})
        yield f"rec | {text}", call("rec", m1, options, True)
    yield "rroc", call("rroc", m1, {}, True)
    for kind in ("dkw", "bootstrap"):
        for block in (1, 4):
            key = f"rec_band | kind={kind}, block={block}"
            options = {"kind": kind, "block": block, **DRAWN}
            yield key, Case(partial(rec_band, options), quick=True)
    tests = (
        "permutation",
        "permutation-sup",
        "wilcoxon",
        "diebold-mariano",
        "bootstrap",
        "block-bootstrap",
    )
    for method in tests:
        for models, predictions in (("two", two), ("three", FORECASTS)):
            for choice in (
                {},
                {"loss": "squared"},
                {"horizon": 3},
                {"tolerance": 0.8},
                {"up_to": 1.0},
            ):
                key = f"compare_rec | {models} | {label_of({'method': method} | choice)}"
                options = {"method": method, **choice, **DRAWN}
                yield key, call("compare_rec", (TARGET, predictions), options, models == "two")
    yield (
        "compare_rec | nine rows",
        call("compare_rec", (TARGET[:9], {m: p[:9] for m, p in two.items()}), {"rng": SEED}, True),
    )


def rec_band(options: dict[str, Any], seed: int) -> Any:
    """Band of a REC curve."""
    curve = named("rec")(TARGET, FORECASTS["m1"])
    return named("rec_band")(curve, **options | {"rng": seed})


def moved(x: Any, *noise: Any) -> Any:
    """A transition of two states."""
    new = np.array([0.9 * x[0] + 0.4 * np.sin(x[1]), 0.8 * x[1] - 0.3 * np.tanh(x[0])])
    return new + noise[0] if noise else new


def seen(x: Any, *noise: Any) -> Any:
    """An observation of one number."""
    new = np.array([x[0] + 0.2 * x[1] ** 2])
    return new + noise[0] if noise else new


def filter_of(kind: str, noise: str) -> Any:
    """A filter over two states."""
    filters = looked_up("regression.filters")
    given = {
        "process_noise": np.array([[0.05, 0.01], [0.01, 0.1]]),
        "observation_noise": np.array([[0.2]]),
        "initial_mean": np.array([0.1, -0.2]),
        "initial_covariance": np.diag([0.5, 0.8]),
    }
    if kind == "KalmanFilter":
        matrices = np.array([[0.9, 0.3], [-0.2, 0.8]]), np.array([[1.0, 0.2]])
        return filters.KalmanFilter(*matrices, **given, offset=[0.01, 0.02])
    return getattr(filters, kind)(moved, seen, **given, noise=noise)


def filter_run(kind: str, noise: str, task: str, _seed: int) -> Any:
    """One thing done with a filter."""
    model = filter_of(kind, noise)
    y = np.where(TIMES % 11 == 5, np.nan, SERIES) if task == "skip" else SERIES
    missing = "skip" if task == "skip" else "raise"
    if task == "smooth":
        return model.smooth(y)
    if task.startswith("fit_noise"):
        method = task.split()[1]
        fitted = looked_up("regression.filters").fit_noise(model, y, method=method, progress=False)
        return {k: v for k, v in fitted.to_dict().items() if k not in ("filter", "n_evaluations")}
    result = model.filter(y, missing=missing)
    return model.forecast(result, steps=4) if task == "forecast" else result


def filter_cases() -> Iterator[tuple[str, Case]]:
    """Six filters, both forms of noise, everything they do."""
    roots = [
        f"{p}{k}KalmanFilter"
        for p in ("", "SquareRoot")
        for k in ("Unscented", "CentralDifference")
    ]
    for kind in ("KalmanFilter", "ExtendedKalmanFilter", *roots):
        for noise in ("additive",) if kind == "KalmanFilter" else ("additive", "augmented"):
            for task in ("filter", "skip", "smooth", "forecast"):
                run = partial(filter_run, kind, noise, task)
                yield f"{kind} | {noise} | {task}", Case(run, tolerance=1e-7, quick=True)
        for task in ("fit_noise likelihood", "fit_noise grid"):
            run = partial(filter_run, kind, "additive", task)
            yield f"{kind} | {task}", Case(run, tolerance=1e-4, quick=kind == "KalmanFilter")


def planning_cases() -> Iterator[tuple[str, Case]]:
    """Planning, reported points, distributions, score-only functions, intervals of shares."""
    for variance in ("obuchowski", "hanley-mcneil", "binormal"):
        for correlation in (None, 0.4):
            options = {"variance": variance, "correlation": correlation}
            key = f"variance={variance}, correlation={correlation}"
            yield f"sample_size | {key}", call("sample_size", (0.8, 0.7), options, True)
            more = options | {"n_pos": 60, "n_neg": 90}
            yield f"power | {key}", call("power", (0.8, 0.7), more, True)
        for options in ({"sides": 1}, {"null": 0.6, "ratio": 2.0}):
            both = options | {"variance": variance}
            yield f"sample_size | one {label_of(both)}", call("sample_size", (0.8,), both, True)
    points = ([0.1, 0.3], [0.5, 0.9])
    yield "auc_bounds | point", call("auc_bounds", (0.2, 0.7), {}, True)
    yield "auc_bounds | points", call("auc_bounds", points, {"policy": "hull"}, True)
    for quantity in ("a", "gap"):
        yield f"auc_contours | {quantity}", call("auc_contours", (quantity,), {}, True)
    yield "signal_detection", call("signal_detection", (0.1, 0.7), {}, True)
    yield "signal_detection_counts", call("signal_detection_counts", (40, 50, 8, 60), {}, True)
    for metric in ("precision+", "precision-", "f+", "f-", "m+", "m-"):
        yield (
            f"isometric | {metric}",
            call("isometric", (metric, 0.7), {"skew": 0.8, "m": 0.1}, True),
        )
    negative, positive = (PLAIN["a"][PLAIN["ill"] == k] for k in (0, 1))
    for key, data in {"moments": ((0.0, 1.0), (1.5, 1.2)), "samples": (negative, positive)}.items():
        yield f"predict_roc | {key}", call("predict_roc", data, {}, True)
    yield "fit_distribution", call("fit_distribution", (np.round(positive, 3),), {}, True)
    X = np.column_stack([PLAIN[m] for m in "abc"])
    for direction in ("higher", "lower", "auto"):
        options = {"direction": direction}
        yield (
            f"rank_features | {direction}",
            call("rank_features", (X, PLAIN["ill"]), options, True),
        )
    yield "nroc", call("nroc", (PLAIN["a"],), {}, True)
    for method in ("rank", "direct", "nroc"):
        options = {"costs": COSTS, "method": method}
        yield (
            f"threshold_without_labels | {method}",
            call("threshold_without_labels", (PLAIN["a"],), options, True),
        )
    yield "tango_interval", call("tango_interval", (12, 5, 80), {}, True)
    yield "cv_interval", call("cv_interval", ([0.7, 0.8, 0.75, 0.9],), {}, True)
    corrected = {"corrected": True, "test_fraction": 0.2}
    yield "cv_interval | corrected", call("cv_interval", ([0.7, 0.8, 0.75],), corrected, True)
    for method in PROPORTIONS.split():
        yield (
            f"inference.proportion_interval | {method}",
            call("inference.proportion_interval", (7, 20), {"method": method}, True),
        )
    yield "inference.holm", call("inference.holm", ([0.01, 0.04, 0.03],), {}, True)


def fold_cases() -> Iterator[tuple[str, Case]]:
    """Folds, unpaired models, averages, sketches, tables of counts, subgroups' thresholds."""
    y, a, fold = PLAIN["ill"], PLAIN["a"], PLAIN["fold"]
    for method in ("corrected-t", "influence", "t"):
        for form in ("plain", "weights", "groups"):
            more = {
                "weights": {"sample_weight": PLAIN["w"]},
                "groups": {"groups": PLAIN["patient"]},
            }
            options = {"method": method} | more.get(form, {})
            yield (
                f"cross_validated_auc | {form} | {method}",
                call("cross_validated_auc", (y, a, fold), options, True),
            )
    for method in ("corrected-t", "influence"):
        options = {"folds": fold, "method": method}
        data = (y, {m: PLAIN[m] for m in "ab"})
        yield f"compare | folds | {method}", call("compare", data, options, True)
    halves = [rw.tally(y[i::4], a[i::4]) for i in range(4)]
    for how in ("vertical", "threshold"):
        for interval in ("t", "quantile"):
            options = {"how": how, "interval": interval}
            yield f"average_roc | {how}, {interval}", call("average_roc", (halves,), options, True)
    unpaired = (rw.tally(y[:60], a[:60]), rw.tally(y[60:], PLAIN["b"][60:]))
    for method in ("auto", *COMPARISONS.split()[1:], "bootstrap", "venkatraman", "permutation"):
        options = {"method": method, **DRAWN}
        yield f"compare | unpaired | {method}", call("compare", unpaired, options, True)
    for rule in ("youden", "f1", "min-sensitivity", "max-alarms"):
        options = {"rule": rule} | (
            {"constraint": CONSTRAINTS[rule]} if rule in CONSTRAINTS else {}
        )
        yield (
            f"threshold_by_group | {rule}",
            call("threshold_by_group", (y, a, PLAIN["site"]), options, True),
        )
    yield "tally | frame", Case(lambda _: table_of("tally_frame", source("csv")), quick=True)
    yield (
        "tally | classes",
        Case(lambda _: table_of("tally_classes", a[y == 0], a[y == 1]), quick=True),
    )
    yield "TallySketch", Case(sketched, quick=True)


@cache
def file_beyond_memory(decimals: int | None) -> Path:
    """More rows than 100 MB hold, with distinct scores or few."""
    rng = np.random.default_rng(1)
    n = 1_700_000
    y = rng.integers(0, 2, n)
    columns = {m: y * shift + rng.normal(size=n) for m, shift in (("a", 1.0), ("b", 0.8))}
    shares = {m: 1 / (1 + np.exp(-s)) for m, s in columns.items()}
    if decimals is not None:
        shares = {m: np.round(s, decimals) for m, s in shares.items()}
    site = np.where(np.arange(n) % 3 == 0, "north", "south")
    path = FOLDER / f"beyond-{decimals}.parquet"
    pd.DataFrame({"ill": y.astype(np.int8), **shares, "site": site}).to_parquet(
        path, row_group_size=50_000
    )
    return path


def beyond_memory_cases() -> Iterator[tuple[str, Case]]:
    """Files that do not fit into `memory_limit`: areas are exact, curves are in bins."""
    one = {"label": "ill", "score": "a", "memory_limit": "100MB"}
    two = {"label": "ill", "scores": ["a", "b"], "memory_limit": "100MB"}
    exact = {
        "auc": [{}, {"by": "site"}],
        "smooth_roc": [{}],
        "test_auc": [{}],
        "auc_variance": [{}],
    }
    binned = {
        "auc": [PART],
        "roc": [{}],
        "average_precision": [{}],
        "threshold": [{}],
        "lift": [{}],
    }
    for decimals, table in (
        (None, exact),
        (None, binned),
        (4, exact),
        (4, binned | {"brier": [{}]}),
    ):
        for name, choices in table.items():
            for choice in choices:
                options = ONE_MODEL[name][0] | one | choice
                case = call(name, (BeyondMemory(decimals),), options)
                rounding = 1e-4 if decimals is None and table is not exact else CLOSED_FORM
                key = f"{name} | beyond memory, {decimals} decimals | {label_of(choice)}"
                yield key, dataclasses.replace(case, tolerance=rounding)
        if table is exact:
            key = f"compare | beyond memory, {decimals} decimals"
            yield key, call("compare", (BeyondMemory(decimals),), two)


@dataclasses.dataclass(frozen=True)
class BeyondMemory:
    """A file that is written when it is first needed."""

    decimals: int | None


def table_of(name: str, *data: Any) -> dict[str, Any]:
    """Scores and counts of a tally."""
    options = {"label": "ill", "score": "a", "sample_weight": "w"} if name == "tally_frame" else {}
    tally = named(name)(*data, **options)
    return {k: getattr(tally, k) for k in ("scores", "pos", "neg", "n_pos", "n_neg")}


def sketched(_seed: int) -> dict[str, Any]:
    """Two sketches merged and stored."""
    parts = [rw.TallySketch(64), rw.TallySketch(64)]
    for start, part in enumerate(parts):
        part.update(LARGE["ill"][start::2], LARGE["a"][start::2])
    whole = rw.TallySketch.from_bytes(parts[0].merge(parts[1]).to_bytes())
    return {"bound": whole.error_bound, "auc": rw.auc(whole), "roc": rw.roc(whole)}


def estimator_cases() -> Iterator[tuple[str, Case]]:
    """Fitted attributes and predictions of the estimators."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(120, 3)) + 0.8 * PLAIN["ill"][:, None]
    X3 = rng.normal(size=(120, 3)) + (np.arange(120) % 3)[:, None]
    windows = np.lib.stride_tricks.sliding_window_view(np.tile(SERIES, 3), 5)
    lagged = (windows[:, :4], windows[:, 4])
    two, three = (X, PLAIN["ill"]), (X3, np.arange(120) % 3)
    small = {"random_state": 1, "n_samples": 300}
    table = {
        "ThresholdClassifier": (two, [{}, {"rule": "youden"}, {"costs": COSTS}]),
        "AbstainingClassifier": (two, [{"costs": WITH_REJECTION}]),
        "ReliableClassifier": (two, [{"positive": 0.7, "negative": 0.7}]),
        "MimeticClassifier": (two, [small, small | {"configuration": "Mim3"}]),
        "ProbabilityEstimatingTree": (two, [{"random_state": 1}]),
        "ClassWeightClassifier": (three, [{"random_state": 1}, {"costs": CLASS_COSTS}]),
        "MetaClassClassifier": (three, [{"random_state": 1}, {"average": "pair"}]),
        "ModelTreeRegressor": (lagged, [{}, {"prune": False}, {"smoothing": 0.0}]),
        "NaiveBayesRegressor": (lagged, [{}, {"statistic": "mean"}]),
        "FilterRegressor": (
            lagged,
            [
                *each("filter", "ekf", "ukf", "cdkf", "sr-ukf", "sr-cdkf"),
                *each("transition", "mlp", "mlp-filter", random_state=1, hidden=2),
            ],
        ),
        "StackedFilterRegressor": (lagged, [{}, {"filters": "stack-1"}]),
    }
    for name, (data, choices) in table.items():
        for options in choices:
            neural = "transition" in options
            yield (
                f"estimators.{name} | {label_of(options)}",
                Case(
                    partial(fitted, name, data, options),
                    tolerance=1e-3 if neural else ITERATIVE,
                    quick=not neural,
                ),
            )


def fitted(name: str, data: tuple[Any, Any], options: dict[str, Any], _seed: int) -> dict[str, Any]:
    """What an estimator learned and predicts."""
    model = getattr(rw.estimators, name)(**options).fit(*data)
    learned = ("threshold_", "point_", "window_", "rule_", "weights_", "result_", "log_likelihood_")
    found = {k: getattr(model, k) for k in learned if hasattr(model, k)}
    found["predicted"] = model.predict(data[0][:40])
    if hasattr(model, "predict_proba"):
        found["probabilities"] = model.predict_proba(data[0][:10])
    return found


def report_of(y: Any, scores: Any, options: dict[str, Any], seed: int) -> Any:
    """The numbers on a page, without a file."""
    options = options | {"rng": seed} | ({} if "task" in options else {"n_resamples": 100})
    try:
        return rw.report(y, scores, path=None, **options)
    except TypeError:  # the older order of arguments
        return rw.report(y, scores=scores, **options)


def page_cases() -> Iterator[tuple[str, Case]]:
    """Reports and the command line."""
    two = {m: PLAIN[m] for m in "ab"}
    yield "report | binary", Case(partial(report_of, PLAIN["ill"], two, {}))
    for task, y, scores in (
        ("multiclass", CLASSES["y"], CLASSES["a"]),
        ("ordinal", CLASSES["y"], {m: CLASSES[m] for m in "st"}),
        ("regression", TARGET, FORECASTS),
    ):
        run = partial(report_of, y, scores, {"task": task})
        yield f"report | {task}", Case(run)
    file, model = str(source("csv")), ["--label", "ill", "--score", "a"]
    for words in (
        ["auc", file, *model, "--score", "b"],
        ["auc", file, *model, "--max-fpr", "0.3"],
        ["roc", file, *model],
        ["pr", file, *model],
        ["det", file, *model, "--seed", "1", "--resamples", "100"],
        ["compare", file, *model, "--score", "b"],
        ["threshold", file, *model, "--cost-fp", "1", "--cost-fn", "5"],
        ["thresholds", file, *model],
        ["at", file, *model, "--specificity", "0.9"],
        ["abstain", file, *model, "--cost-fp", "1", "--cost-fn", "5", "--cost-abstain", "0.2"],
        ["reliable", file, *model, "--positive", "0.6", "--negative", "0.6"],
        ["segment", file, *model],
        ["smooth", file, *model],
        ["costs", file, *model],
        ["bounds", "--fpr", "0.2", "--tpr", "0.7"],
        ["power", "--auc", "0.8", "--n-pos", "50", "--n-neg", "70"],
        ["predict", "--negative", "0", "1", "--positive", "1", "1.2"],
        ["rec", file, "--target", "a", "--prediction", "b", "--seed", "1"],
        ["multiclass", file, "--label", "ill", "--score", "a", "--score", "b"],
        ["ordinal", file, *model],
    ):
        shown = " ".join(words).replace(file, "FILE")
        yield f"rocwise {shown}", Case(partial(command, words), tolerance=ITERATIVE, quick=True)


def command(words: list[str], _seed: int) -> Any:
    """What a command writes with --json."""
    from rocwise.cli import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        status = main([*words, "--json"])
    return {"status": status, "out": json.loads(out.getvalue() or "null")}


def all_cases() -> dict[str, Case]:
    """Every case by its name."""
    found: dict[str, Case] = {}
    for cases in (
        table_cases(ONE_MODEL, one_model_forms()),
        table_cases(PAIRED, paired_forms()),
        fold_cases(),
        beyond_memory_cases(),
        class_cases(),
        regression_cases(),
        filter_cases(),
        planning_cases(),
        estimator_cases(),
        page_cases(),
    ):
        for name, case in cases:
            if name in found:
                raise ValueError(f"two cases are called {name!r}")
            found[name] = case
    return found
