"""The first area of a process loads what it needs, and not the rest of the house."""

import subprocess
import sys

PROGRAM = """
import sys
import numpy as np
import rocwise as rw
rw.auc(np.arange(100) % 2, np.linspace(0, 1, 100))
print(*sys.modules)
"""
NOT_NEEDED = {
    "narwhals",
    "pandas",
    "scipy",
    "rocwise.inputs.several_classes",
    "rocwise.plotting",
    "rocwise.data.class_rows",
}


def test_what_the_first_area_does_not_load():
    loaded = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
    ).stdout.split()
    assert "rocwise.data.tally" in loaded
    assert not NOT_NEEDED.intersection(loaded)
