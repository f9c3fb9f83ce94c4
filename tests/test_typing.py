"""Type checkers find the mistakes in a user's code, and nothing wrong with the rest of it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

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
    answer = json.loads(run([*command, "--pythonpath", sys.executable], {}))
    found = [d for d in answer["generalDiagnostics"] if d["severity"] == "error"]
    return {diagnostic["range"]["start"]["line"] + 1 for diagnostic in found}


def run(command: list[str], more: dict[str, str]) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | more
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
