"""Files and functions stay small enough to read in one go."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "rocwise"
PYTHON = sorted(SOURCE.rglob("*.py"))
ALL_CODE = [*PYTHON, *sorted(SOURCE.rglob("*.px[di]")), *sorted(SOURCE.rglob("*.pyx"))]
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
NAMES_WITHOUT_MEANING = {"utils", "util", "helpers", "misc", "common", "manager"}


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCE))


@pytest.mark.parametrize("path", ALL_CODE, ids=name_of)
def test_files_are_small(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_FILE, f"{lines} lines: split it by topic"


@pytest.mark.parametrize("path", ALL_CODE, ids=name_of)
def test_files_are_named_after_what_they_hold(path: Path) -> None:
    assert path.stem.strip("_") not in NAMES_WITHOUT_MEANING


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Each function with its length in lines, its docstring not counted."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            yield node.name, lines - len((ast.get_docstring(node) or "").splitlines())


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
def test_functions_are_small(path: Path) -> None:
    long = {name: lines for name, lines in functions(path) if lines > LONGEST_FUNCTION}
    assert not long, f"split these functions: {long}"
