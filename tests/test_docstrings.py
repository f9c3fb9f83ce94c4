"""Docstring examples run, each by itself; public names have one; none is an essay."""

import ast
import doctest
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import rocwise

SOURCE = Path(__file__).parents[1] / "src"
FILES = sorted((SOURCE / "rocwise").rglob("*.py"))
LONGEST_DOCSTRING = 40


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_examples_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(module_name(path))
    outcome = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert outcome.failed == 0


def public_objects() -> list[str]:
    return [name for name in rocwise.__all__ if callable(getattr(rocwise, name))]


@pytest.mark.parametrize("name", public_objects())
def test_public_name_has_an_example(name: str) -> None:
    value = getattr(rocwise, name)
    if isinstance(value, type) and issubclass(value, Warning | Exception):
        pytest.skip("an exception is shown where it is raised")
    assert ">>> " in (value.__doc__ or ""), f"rocwise.{name} has no example"


def docstrings(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield node.name, len(text.splitlines())


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_docstrings_are_short(path: Path) -> None:
    long = {name: lines for name, lines in docstrings(path) if lines > LONGEST_DOCSTRING}
    assert not long, f"move theory to docs/explanation: {long}"
