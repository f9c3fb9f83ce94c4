"""Type checkers find the mistakes in a user's code, and nothing wrong with the rest of it."""

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
CODE = ROOT / "tests" / "typing" / "user_code.py"
LINES = CODE.read_text(encoding="utf-8").splitlines()
CACHE = ROOT / ".mypy_cache" / "user_code"  # kept, since without it mypy reads all of numpy
MISTAKES = {number for number, line in enumerate(LINES, 1) if line.endswith("  # mistake")}


def lines_of_mypy(_: Path) -> set[int]:
    command = [sys.executable, "-m", "mypy", "--config-file=", "--no-error-summary"]
    command += [f"--cache-dir={CACHE}", "--follow-imports=silent", str(CODE)]
    done = run(command, {"MYPYPATH": str(ROOT / "src")})
    return {int(number) for number in re.findall(r"user_code\.py:(\d+): error", done)}


def lines_of_pyright(folder: Path) -> set[int]:
    settings = {"include": [str(CODE)], "extraPaths": [str(ROOT / "src")]}
    settings |= {"typeCheckingMode": "standard", "pythonVersion": "3.11"}
    settings["reportMissingModuleSource"] = False  # stubs of packages that are not needed here
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--project", str(folder)]
    result = json.loads(run([*command, "--pythonpath", sys.executable], {}))
    found = [d for d in result["generalDiagnostics"] if d["severity"] == "error"]
    return {diagnostic["range"]["start"]["line"] + 1 for diagnostic in found}


def run(command: list[str], more: dict[str, str], folder: Path = ROOT) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, env=os.environ | more
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("checker", "lines_of"), [("mypy", lines_of_mypy), ("basedpyright", lines_of_pyright)]
)
def test_mistakes_are_found_and_nothing_else(checker, lines_of, tmp_path):
    pytest.importorskip(checker)
    found = lines_of(tmp_path)
    assert len(MISTAKES) > 25
    assert {n: LINES[n - 1] for n in MISTAKES - found} == {}, "not found"
    assert {n: LINES[n - 1] for n in found - MISTAKES} == {}, "flagged for nothing"


@pytest.mark.slow
def test_every_public_type_is_known_but_those_of_scikit_learn(tmp_path):
    pytest.importorskip("basedpyright")
    venv.create(tmp_path, with_pip=False)
    (site_packages,) = tmp_path.glob("lib/python3*/site-packages")
    for path in Path(np.__file__).parents[1].iterdir():
        if "rocwise" not in path.name:  # it would be found by a path, which counts as not installed
            (site_packages / path.name).symlink_to(path)
    (site_packages / "rocwise").symlink_to(ROOT / "src" / "rocwise")
    command = [sys.executable, "-m", "basedpyright", "--verifytypes", "rocwise"]
    command += ["--ignoreexternal", "--outputjson"]
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"  # of the Python that is requested
    symbols = json.loads(run(command, {"PATH": path}, tmp_path))["typeCompleteness"]["symbols"]
    public = [symbol for symbol in symbols if symbol["isExported"]]
    unknown = {symbol["name"] for symbol in public if not symbol["isTypeKnown"]}
    assert len(public) > 7000
    # what a class inherits from a package without types of its own is not known
    assert {name for name in unknown if not name.startswith("rocwise.estimators.")} == set()
