"""All functions for two classes, each with its required options."""

import functools

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import rocwise as rw

RNG = np.random.default_rng(3)
N = 120
Y = np.arange(N) % 2
A = np.round(np.clip(0.35 + 0.25 * Y + RNG.normal(0, 0.18, N), 0.01, 0.99), 2)
B = np.round(np.clip(0.4 + 0.15 * Y + RNG.normal(0, 0.2, N), 0.01, 0.99), 2)
SITE = np.where(np.arange(N) % 4 < 2, "north", "south")
PATIENT = np.arange(N) // 3
COLUMNS = {"ill": Y, "a": A, "b": B, "site": SITE, "patient": PATIENT}
COSTS = rw.Costs(fp=1, fn=2, abstain=0.2)

ONE_MODEL = {
    "abstain": {"costs": COSTS},
    "abstention_surface": {"grid": 5},
    "at": {"threshold": 0.5},
    "auc": {},
    "auc_intervals": {"n_resamples": 50, "rng": 1},
    "auc_variance": {"method": "delong"},
    "average_precision": {},
    "band": {"kind": "pointwise", "n_resamples": 20, "rng": 1},
    "binormal": {},
    "bootstrap": {"n_resamples": 20, "rng": 1},
    "brier": {},
    "calibration": {},
    "confident_segment": {},
    "cost_curve": {},
    "decision_curve": {},
    "det": {},
    "equal_error_rate": {"n_resamples": 20, "rng": 1},
    "guaranteed_threshold": {"rate": "fpr", "alpha": 0.5, "delta": 0.2},
    "h_measure": {},
    "hull": {},
    "lift": {},
    "precision_recall": {},
    "probabilistic_auc": {},
    "reliable": {"positive": 0.6, "negative": 0.6},
    "roc": {},
    "scored_auc": {},
    "smooth_roc": {},
    "soft_auc": {},
    "step_area": {},
    "test_auc": {},
    "threshold": {"rule": "youden"},
    "thresholds": {},
}
PAIRED = {
    "auc_covariance": {},
    "compare": {},
    "compare_at": {"threshold": 0.5, "n_resamples": 20, "rng": 1},
    "summary": {},
    "compare_curves": {"curve": "decision", "n_resamples": 20, "rng": 1},
}


def call_of(name, options):
    """The function with its required options; it returns plain values."""

    @functools.wraps(getattr(rw, name))
    def call(*data, **more):
        return plain(getattr(rw, name)(*data, **options, **more))

    return call


def plain(result):
    """What there is to compare in a result: all but where the numbers came from."""
    if isinstance(result, np.ndarray):
        return result.tolist()
    if not hasattr(result, "to_dict"):
        return result
    return _without_origin(result.to_dict())


def _without_origin(value):
    if isinstance(value, dict):
        return {k: _without_origin(v) for k, v in value.items() if k != "origin"}
    return [_without_origin(item) for item in value] if isinstance(value, list) else value


def sources(folder):
    """The same columns as frames of three libraries and as files."""
    frame = pd.DataFrame(COLUMNS)
    frame.to_csv(folder / "cases.csv", index=False)
    frame.to_parquet(folder / "cases.parquet")
    found = {
        "pandas": frame,
        "polars": pl.DataFrame(COLUMNS),
        "polars lazy": pl.LazyFrame(COLUMNS),
        "pyarrow": pa.table(COLUMNS),
        "path": folder / "cases.csv",
        "text of a path": str(folder / "cases.csv"),
    }
    try:
        import duckdb  # noqa: F401
    except ImportError:
        return found
    return found | {"parquet": folder / "cases.parquet"}
