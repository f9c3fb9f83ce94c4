"""Docstring examples run, each by itself; public names have one; none is an essay."""

import doctest
import importlib
import sys
from pathlib import Path

import pytest

import rocwise

SOURCE = Path(__file__).parents[1] / "src"
FILES = sorted((SOURCE / "rocwise").rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_examples_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(module_name(path))
    outcome = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
    assert outcome.failed == 0


def functions_and_classes() -> list[str]:
    """Public names that can be used; exceptions are shown where they are raised."""
    values = {name: getattr(rocwise, name) for name in rocwise.__all__}
    raised = {n for n, v in values.items() if isinstance(v, type) and issubclass(v, Exception)}
    return [name for name, value in values.items() if callable(value) and name not in raised]


@pytest.mark.parametrize("name", functions_and_classes())
def test_public_name_has_an_example(name: str) -> None:
    description = getattr(rocwise, name).__doc__ or ""
    assert ">>> " in description, f"rocwise.{name} has no example"
