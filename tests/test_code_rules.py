"""Rules of the code base that can be checked by reading it."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "rocwise"
PYTHON = sorted(SOURCE.rglob("*.py"))
PACKAGES = [
    ".".join(("rocwise", *stub.parent.relative_to(SOURCE).parts))
    for stub in sorted(SOURCE.rglob("__init__.pyi"))
]


def lines_with(pattern: str, *exceptions: str) -> list[str]:
    """Lines of the source that match, as `file:line`."""
    return [
        f"{path.relative_to(SOURCE)}:{number}"
        for path in PYTHON
        if not path.relative_to(SOURCE).as_posix().startswith(exceptions)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(pattern, line)
    ]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_hides_a_public_name(package: str) -> None:
    """Importing the module `x` of a package would replace its function `x`."""
    module = importlib.import_module(package)
    folder = Path(module.__file__ or "").parent
    modules = {path.stem for path in folder.glob("*.py")} | {p.name for p in folder.glob("*/")}
    both = modules & set(module.__all__)
    hidden = {name for name in both if not inspect.ismodule(getattr(module, name))}
    assert not hidden, f"rename these modules of {package}: {hidden}"


def test_warnings_go_through_one_function() -> None:
    assert lines_with(r"warnings\.warn\(|\bstacklevel\b", "errors.py") == []


def test_the_library_silences_no_warnings() -> None:
    # Warning filters belong to the whole process. Commands and jobs have a process of their own; a
    # report writes on the page what would be a warning.
    assert lines_with(r"\bcatch_warnings\b", "cli/", "serving/", "reporting/") == []


PUBLIC_MODULES = {
    *("rocwise", "rocwise.datasets", "rocwise.errors", "rocwise.plotting", "rocwise.statistics"),
    *("rocwise.regression.forecasting", "rocwise.regression.network_training"),
    "rocwise.estimators.mimetic",
    *PACKAGES,
}
IMPORT = re.compile(r"^(?:>>> |\.\.\. )?\s*(?:from (rocwise[\w.]*) import|import (rocwise[\w.]*))")
INTERNAL = {
    "docs/extensions/reference_pages.py": {"rocwise.results"},  # finds the result classes
    "docs/guide/tally.md": {"rocwise.kernels.ranks"},  # shows that sums add up
}


def users() -> Iterator[Path]:
    yield ROOT / "README.md"
    for folder, pattern in (("docs", "*.md"), ("docs", "*.py"), ("benchmarks", "*.py")):
        yield from (p for p in (ROOT / folder).rglob(pattern) if "_build" not in p.parts)
    yield from (ROOT / "papers").rglob("*.py")


def test_pages_and_benchmarks_use_public_names() -> None:
    found = {}
    for path in users():
        matches = map(IMPORT.match, path.read_text(encoding="utf-8").splitlines())
        modules = {match[1] or match[2] for match in matches if match} - PUBLIC_MODULES
        if modules:
            found[path.relative_to(ROOT).as_posix()] = modules
    assert found == INTERNAL


def test_every_package_has_a_docstring() -> None:
    without = [
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("__init__.py")
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert without == []
