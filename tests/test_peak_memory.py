"""Peak memory of the main functions with ten million rows."""

import subprocess
import sys

import pytest

MOST_BYTES = 2e9
SCRIPT = """
import resource, sys
import numpy as np
import rocwise as rw
rng = np.random.default_rng(1)
y = rng.random(10_000_000) < 0.3
s = rng.normal(size=len(y)) + y
eval(sys.argv[1])
print(1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="units of ru_maxrss differ elsewhere")
@pytest.mark.parametrize(
    "call",
    [
        "rw.auc(y, s)",
        "rw.roc(y, s).tpr",
        "rw.compare(y, {'a': s, 'b': -s})",
        "rw.threshold(y, s, rule='youden')",
        "rw.average_precision(y, s)",
        "rw.bootstrap(y, s, n_resamples=10, rng=1)",
    ],
)
def test_peak_stays_below_two_gigabytes(call):
    command = [sys.executable, "-c", SCRIPT, call]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout.splitlines()[-1]) < MOST_BYTES
