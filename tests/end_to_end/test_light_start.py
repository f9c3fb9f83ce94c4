"""Starting rocwise loads numpy and itself, and nothing heavy."""

import json
import subprocess
import sys

import pytest

HEAVY = {
    "duckdb",
    "ibis",
    "matplotlib",
    "narwhals",
    "pandas",
    "polars",
    "pyarrow",
    "pyspark",
    "scipy",
    "scipy.stats",
    "sklearn",
    "starlette",
    "torch",
    "uvicorn",
}
# `rocwise --help` prints text: it needs no array, no network, no JSON.
NOT_FOR_HELP = {*HEAVY, "asyncio", "dataclasses", "decimal", "http.server", "numpy", "sqlite3"}
MOST_FOR_HELP = 20  # modules of our own; the commands are described without being loaded

IMPORT = "import rocwise"
LOOK_AROUND = "import rocwise; dir(rocwise); rocwise.__version__"
HELP = """
import contextlib, io
from rocwise.cli import main
with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.suppress(SystemExit):
    main(["--help"])
assert "usage" in printed.getvalue().lower()
"""
# Methods that need no quantile of scipy.special.
CLOSED = ["delong", "logit", "score", "hoeffding", "hanley-mcneil"]
FIRST_AREA = """
import rocwise
for y_score in ([0.1, 0.2, 0.3, 0.4], [0.1, 0.3, 0.2, 0.4], [4, 3, 1, 2]):
    rocwise.auc([0, 1, 0, 1] * 12, y_score * 12, method={method!r})
    rocwise.auc([0, 1, 0, 1], y_score, method={method!r})
"""
# Proof that the measurement sees a package once something does load it.
CONTROL = "import rocwise, scipy.stats"


def all_loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after running `code`."""
    report = "\nimport sys\nloaded = sorted(sys.modules)\nimport json\nprint(json.dumps(loaded))"
    done = subprocess.run(
        [sys.executable, "-c", code + report], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def loaded_by(code: str) -> set[str]:
    """The heavy packages among them."""
    return all_loaded_by(code) & HEAVY


@pytest.mark.parametrize("code", [IMPORT, LOOK_AROUND, HELP], ids=["import", "dir", "help"])
def test_start_loads_nothing_heavy(code: str) -> None:
    assert loaded_by(code) == set()


@pytest.mark.parametrize("method", CLOSED)
def test_the_first_area_loads_nothing_heavy(method: str) -> None:
    assert loaded_by(FIRST_AREA.format(method=method)) == set()


def test_the_measurement_sees_what_is_loaded() -> None:
    assert "scipy.stats" in loaded_by(CONTROL)


def test_help_loads_little() -> None:
    """What holds its 200 ms: the time itself is a row of `make bench`."""
    loaded = all_loaded_by(HELP)
    assert not loaded & NOT_FOR_HELP
    assert len([name for name in loaded if name.split(".")[0] == "rocwise"]) <= MOST_FOR_HELP
