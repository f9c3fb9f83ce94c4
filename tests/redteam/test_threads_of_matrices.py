"""Standard errors are the same to the last bit, however many threads multiply matrices."""

import os
import subprocess
import sys

import pytest

CODE = """
import numpy as np, rocwise as rw
rng = np.random.default_rng(0)
y = rng.integers(0, 4, 60_000)
scores = rng.random((len(y), 4)) + 0.3 * np.eye(4)[y]
print(rw.multiclass.auc(y, scores).standard_error.hex())
"""
COUNTS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


@pytest.mark.parametrize("threads", ["2", "4"])
def test_standard_errors(threads):
    found = {
        subprocess.run(
            [sys.executable, "-c", CODE],
            env=os.environ | dict.fromkeys(COUNTS, number),
            capture_output=True, text=True, check=True, timeout=120,
        ).stdout
        for number in ("1", threads)
    }  # fmt: skip
    assert len(found) == 1
