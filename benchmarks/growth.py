"""Growth of run time with the number of rows: `make growth`.

Each function runs with 10,000, 100,000 and 1,000,000 rows (or the sizes given). The slope of the
logarithm of time is printed; the exit code is 1 when one of them exceeds 1.3 (O(n log n) is about
1.1) or a function fails. The last column is the peak memory of the largest size.
"""

import argparse
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import rocwise as rw

SIZES = (10_000, 100_000, 1_000_000)
STEEPEST = 1.3
DRAWN = {"n_resamples": 100, "rng": 1}
COSTS = rw.Costs(fp=1, fn=5, abstain=0.3)
Data = dict[str, Any]


def data_of(rows: int) -> Data:
    """Labels, two models' probabilities, weights and clusters of four rows."""
    rng = np.random.default_rng(1)
    y = (rng.random(rows) < 0.3).astype(np.int64)
    signal = rng.normal(size=rows) + y
    a, b = (1 / (1 + np.exp(-signal - rng.normal(size=rows))) for _ in range(2))
    weights, clusters = rng.uniform(0.5, 2, rows), np.arange(rows) // 4
    return {"y": y, "a": a, "b": b, "models": {"a": a, "b": b}, "w": weights, "c": clusters}


FUNCTIONS: dict[str, Callable[[Data], object]] = {
    "auc": lambda d: rw.auc(d["y"], d["a"]),
    "auc, weights": lambda d: rw.auc(d["y"], d["a"], sample_weight=d["w"]),
    "auc, clusters": lambda d: rw.auc(d["y"], d["a"], groups=d["c"]),
    "partial auc": lambda d: rw.auc(d["y"], d["a"], max_fpr=0.1),
    "roc": lambda d: rw.roc(d["y"], d["a"]).tpr,
    "average_precision": lambda d: rw.average_precision(d["y"], d["a"]),
    "smooth_roc": lambda d: rw.smooth_roc(d["y"], d["a"]).auc,
    "compare": lambda d: rw.compare(d["y"], d["models"]),
    "compare, partial": lambda d: rw.compare(d["y"], d["models"], max_fpr=0.1),
    "compare, bootstrap": lambda d: rw.compare(d["y"], d["models"], method="bootstrap", **DRAWN),
    "bootstrap": lambda d: rw.bootstrap(d["y"], d["a"], **DRAWN),
    "bootstrap, clusters": lambda d: rw.bootstrap(d["y"], d["a"], groups=d["c"], **DRAWN),
    "band": lambda d: rw.band(d["y"], d["a"], **DRAWN),
    "threshold": lambda d: rw.threshold(d["y"], d["a"], rule="youden"),
    "at": lambda d: rw.at(d["y"], d["a"], threshold=0.5),
    "abstain": lambda d: rw.abstain(d["y"], d["a"], costs=COSTS),
    "calibration": lambda d: rw.calibration(d["y"], d["a"]),
    "decision_curve": lambda d: rw.decision_curve(d["y"], d["a"]),
    "cost_curve": lambda d: rw.cost_curve(d["y"], d["a"]),
    "binormal": lambda d: rw.binormal(d["y"], d["a"]),
}


def seconds(name: str, rows: int) -> float:
    """The best of up to five calls within two seconds."""
    data = data_of(rows)
    best, spent = math.inf, 0.0
    for _ in range(5):
        start = time.perf_counter()
        FUNCTIONS[name](data)
        taken = time.perf_counter() - start
        best, spent = min(best, taken), spent + taken
        if spent > 2:
            break
    return best


def slope(sizes: list[int], times: list[float]) -> float:
    """Least-squares slope of log time on log rows.

    >>> round(slope([10, 100, 1000], [1.0, 10.0, 100.0]), 6)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def one(name: str, sizes: list[int]) -> int:
    """Measure one function in this process and print its row."""
    FUNCTIONS[name](data_of(1000))  # imports
    times = [seconds(name, rows) for rows in sizes]
    steep = slope(sizes[-2:], times[-2:])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cells = " | ".join(f"{1e3 * each:.3g} ms" for each in times)
    print(f"| {name} | {cells} | {steep:.2f} | {peak:.0f} MB |", flush=True)
    return int(steep > STEEPEST)


def main() -> int:
    """Measure every function in a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--only", default="", help="functions whose name contains this")
    parser.add_argument("--sizes", type=float, nargs="+", default=SIZES)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes]
    if options.one:
        return one(options.one, sizes)
    print("| function | " + " | ".join(f"{n:,} rows" for n in sizes) + " | slope | peak |")
    print("|---|" + "---|" * (len(sizes) + 2), flush=True)
    failed = 0
    for name in FUNCTIONS:
        if options.only in name:
            command = [sys.executable, "-m", "benchmarks.growth", "--one", name, "--sizes"]
            failed += subprocess.run([*command, *map(str, sizes)], check=False).returncode != 0
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
