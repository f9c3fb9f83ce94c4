"""Another thread writes to the caller's array meanwhile: a result or an error, never a crash.

Every score is read once while it is sorted, so a result is that of values which were all in the
array; rows that no longer fit the counts of the first pass, or are nan by now, raise an error.
"""

import subprocess
import sys

import pytest

CODE = """
import collections, sys, threading, time, warnings
import numpy as np, rocwise as rw
from rocwise import kernels
from rocwise.data.rankings import rank_classes

warnings.simplefilter("ignore")
rows, dtype, nans = int(sys.argv[1]), sys.argv[2], sys.argv[3] == "nan"
rng = np.random.default_rng(1)
drawn = [rng.random(rows).astype(dtype), rng.normal(size=rows).astype(dtype) * 1e6]
if nans:
    drawn[1][::7] = np.nan
y, s = rng.integers(0, 2, rows), drawn[0].copy()
mask, done = y.astype(np.uint8), threading.Event()

def write():
    while not done.is_set():
        for values in drawn:
            np.copyto(s, values)

def in_order(classes):
    assert all((part[1:] >= part[:-1]).all() for part in classes)
    assert sum(map(len, classes)) == rows

def permutation(order):
    assert np.array_equal(np.sort(order), np.arange(rows))

calls = {
    "auc": lambda: rw.auc(y, s).value,
    "roc": lambda: rw.roc(y, s).auc,
    "compare": lambda: rw.compare(y, {"a": s, "b": drawn[0]}).difference,
    "sort": lambda: in_order(kernels.sort_by_class(mask, s)),
    "argsort": lambda: permutation(kernels.argsort(s)),
    "placements": lambda: kernels.placements(mask, s).sum(),
    "ranks": lambda: permutation(rank_classes(mask, s)[0]),
}
writer = threading.Thread(target=write)
writer.start()
counts = collections.Counter()
try:
    for name, call in calls.items():
        end = time.monotonic() + 0.12
        while time.monotonic() < end:
            try:
                result = call()
                assert result is None or result == result
                counts["results"] += 1
            except rw.InputError as error:
                assert any(word in str(error) for word in ("nan", "changed", "missing"))
                counts["errors"] += 1
finally:
    done.set()
    writer.join()
print(counts["results"] + counts["errors"], counts["errors"])
"""


@pytest.mark.parametrize(
    ("kernels", "rows", "dtype", "wrong"),
    [
        ("compiled", 3_000, "float64", "numbers"),
        ("compiled", 60_000, "float32", "numbers"),
        ("compiled", 60_000, "float64", "nan"),
        ("numpy", 60_000, "float64", "nan"),
    ],
)
def test_writing_while_rocwise_reads(kernels, rows, dtype, wrong, monkeypatch):
    monkeypatch.setenv("ROCWISE_KERNELS", "numpy" if kernels == "numpy" else "")
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(rows), dtype, wrong],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    calls, _errors = map(int, done.stdout.split())
    assert calls > 0
