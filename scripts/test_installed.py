"""Tests the rocwise that is installed, not the one in src/: run with the Python that has it.

python scripts/test_installed.py [--kernels compiled|numpy] [options of pytest]

It needs pytest and hypothesis. What needs an optional package is tested where that package is
there, so the same list serves a bare wheel and one with every extra.
"""

import argparse
import os
import subprocess
import sys
import sysconfig
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
ALWAYS = (
    "tests/unit/kernels",
    "tests/laws/test_kernel_laws.py",
    "tests/laws/test_tally_laws.py",
    "tests/unit/inference",
    "tests/unit/binary/test_auc.py",
    "tests/unit/binary/test_compare.py",
    "tests/redteam/test_races.py",
    "tests/redteam/test_without_lock.py",
)
# packages that all must be there, and what is then tested too
WHERE = {
    ("pandas", "polars", "pyarrow"): (
        "tests/unit/inputs/test_two_classes.py",
        "tests/unit/inputs/test_labels.py",
        "tests/unit/inputs/test_scores.py",
        "tests/unit/engines/test_frames.py",
        "tests/unit/engines/test_text_files.py",
        "tests/unit/test_results.py",
    ),
    ("duckdb", "pandas", "polars", "pyarrow", "ibis"): (
        "tests/unit/engines/conformance/test_tallies.py",
    ),
    ("sklearn", "pandas", "polars"): (
        "tests/unit/binary/test_scored_auc.py",
        "tests/unit/estimators/test_in_scikit_learn.py",
        "tests/unit/estimators/test_decision_rules.py",
        "tests/unit/estimators/test_named_scorers.py",
    ),
    ("matplotlib", "sklearn"): ("tests/unit/estimators/test_displays.py",),
    ("duckdb", "python_calamine"): ("tests/unit/engines/test_text_formats.py",),
    ("matplotlib",): ("tests/unit/plotting/test_saving.py",),
    ("starlette", "uvicorn", "httpx2"): ("tests/unit/serving/test_app.py",),
}
# what other packages, old and new, deprecate among themselves is no fault of this one
QUIET = ("-W", "ignore::DeprecationWarning", "-W", "ignore::FutureWarning")
SHOWN = (
    "numpy", "scipy", "narwhals", "pandas", "polars", "pyarrow", "duckdb", "scikit-learn",
    "matplotlib", "starlette", "uvicorn",
)  # fmt: skip


def chosen() -> list[str]:
    """The files of tests whose packages are there."""
    found = list(ALWAYS)
    for packages, files in WHERE.items():
        if all(find_spec(package) for package in packages):
            found += files
    return found


def versions() -> str:
    """What is tested with what, in a line."""
    free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    modules = {"scikit-learn": "sklearn"}
    found = [name for name in SHOWN if find_spec(modules.get(name, name))]
    parts = [f"Python {sys.version.split()[0]}{free}"]
    parts += [f"{name} {metadata.version(name)}" for name in found]
    return ", ".join(parts)


def check_installed(kernels: str | None) -> None:
    """End where it is the checkout that would be tested, or other kernels than were built."""
    import rocwise
    from rocwise.kernels import ACTIVE

    home = Path(rocwise.__file__).resolve()
    if home.is_relative_to(ROOT / "src"):
        sys.exit(f"{home} is the checkout; install a wheel first")
    if kernels not in (None, ACTIVE):
        sys.exit(f"the kernels are {ACTIVE}, not {kernels}")
    print(f"rocwise {rocwise.__version__} in {home.parent}, kernels: {ACTIVE}")


def main() -> None:
    """Check what is installed, then run its tests from the root of the repository."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kernels", choices=("compiled", "numpy"))
    options, more = parser.parse_known_args()
    check_installed(options.kernels)
    print(versions(), flush=True)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        *QUIET,
        *chosen(),
        *more,
    ]
    environment = os.environ | {"HYPOTHESIS_PROFILE": "quick"}
    sys.exit(subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
