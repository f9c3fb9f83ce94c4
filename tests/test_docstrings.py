"""Docstring examples run, each by itself; public names have one; none is an essay."""

import doctest
import importlib
import sys
from pathlib import Path

import pytest
from reference_pages import public_names

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


NOT_CHECKED = {
    *("GL01", "GL02", "GL03", "GL08"),  # blank lines at the ends
    "SA04",  # an entry of See Also may be a name alone
    "ES01",  # an extended summary is optional
}


CLASSES = [e for e in public_names() if e.kind == "class" and "Parameters\n" in e.value.__doc__]


@pytest.mark.parametrize("name", [e.path for e in CLASSES])
def test_parameters_of_a_class_have_types_and_descriptions(name: str) -> None:
    validate = pytest.importorskip("numpydoc.validate").validate
    errors = validate(name)["errors"]
    assert [error for error in errors if error[0].startswith("PR")] == []


@pytest.mark.parametrize("name", [e.path for e in public_names() if e.kind == "function"])
def test_docstring_of_a_function_is_valid(name: str) -> None:
    """One entry per parameter with its type, Returns, See Also and Examples."""
    validate = pytest.importorskip("numpydoc.validate").validate
    errors = validate(name)["errors"]
    assert [error for error in errors if error[0] not in NOT_CHECKED] == []
