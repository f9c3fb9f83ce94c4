"""Starting rocwise loads numpy and itself, and nothing heavy."""

import json
import subprocess
import sys

import pytest

HEAVY = {
    "duckdb",
    "matplotlib",
    "narwhals",
    "pandas",
    "polars",
    "pyarrow",
    "scipy",
    "scipy.stats",
    "sklearn",
}

IMPORT = "import rocwise"
LOOK_AROUND = "import rocwise; dir(rocwise); rocwise.__version__"
HELP = """
import contextlib, io
from rocwise.cli import main
with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.suppress(SystemExit):
    main(["--help"])
assert "usage" in printed.getvalue().lower()
"""
# Proof that the measurement sees a package once something does load it.
CONTROL = "import rocwise, scipy.stats"


def loaded_by(code: str) -> set[str]:
    """The heavy packages that a fresh interpreter has loaded after running `code`."""
    report = (
        f"\nimport json, sys\nprint(json.dumps([m for m in {sorted(HEAVY)} if m in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + report], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("code", [IMPORT, LOOK_AROUND, HELP], ids=["import", "dir", "help"])
def test_start_loads_nothing_heavy(code: str) -> None:
    assert loaded_by(code) == set()


def test_the_measurement_sees_what_is_loaded() -> None:
    assert "scipy.stats" in loaded_by(CONTROL)
