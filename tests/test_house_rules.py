"""Rules of the house that can be checked by reading: sizes, names, warnings, who uses what.

Each test lists everything that breaks its rule, so that one run shows all there is to do.
"""

import ast
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import rocwise

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "rocwise"
PYTHON = sorted(SOURCE.rglob("*.py"))
ALL_CODE = [*PYTHON, *sorted(SOURCE.rglob("*.px[di]")), *sorted(SOURCE.rglob("*.pyx"))]
LONGEST_FUNCTION = 60
WITHOUT_MEANING = {"utils", "util", "helpers", "misc", "common", "manager"}
# The field has its own words: input, function, time limit, population, score, loop, step.
METAPHORS = {
    *("door", "doors", "desk", "desks", "room", "rooms", "clock", "clocks", "crowd", "crowds"),
    *("walk", "walks", "walking", "move", "moves", "magnitude", "magnitudes", "invent", "invented"),
}
# "pair-moves" is the name of a method in the interface; to make room for a label is plain English.
MEANT_SO = {"pair_moves", "PairMoves", "makes_room"}


def place(path: Path) -> str:
    return path.relative_to(ROOT if ROOT / "src" not in path.parents else SOURCE).as_posix()


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def lines_with(pattern: str, files: list[Path]) -> list[str]:
    """Places of the lines that match, as `file:line`."""
    return [
        f"{place(path)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(pattern, line)
    ]


def nodes_like(wanted: Callable[[ast.AST], bool], files: list[Path]) -> list[str]:
    return [
        f"{place(path)}:{node.lineno}"
        for path in files
        for node in ast.walk(tree_of(path))
        if wanted(node)
    ]


# --- sizes


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Each function with its length in lines, its docstring not counted."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            yield node.name, lines - len((ast.get_docstring(node) or "").splitlines())


def test_functions_are_small() -> None:
    long = {
        f"{place(path)}: {name}": lines
        for path in PYTHON
        for name, lines in functions(path)
        if lines > LONGEST_FUNCTION
    }
    assert not long, f"split these functions: {long}"


# --- names


def words_of(name: str) -> set[str]:
    """The words in `snake_case` and in `CamelCase`, small."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)}


def named_things(path: Path) -> Iterator[str]:
    yield path.stem if path.stem != "__init__" else path.parent.name
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name


def test_names_are_meaningful() -> None:
    heaps = [place(path) for path in ALL_CODE if path.stem.strip("_") in WITHOUT_MEANING]
    assert not heaps, f"name these after what they hold: {heaps}"


def test_names_are_words_of_the_field() -> None:
    found = sorted(
        {
            f"{place(path)}: {name}"
            for path in PYTHON
            for name in named_things(path)
            if words_of(name) & METAPHORS and name.strip("_") not in MEANT_SO
        }
    )
    assert not found, f"say what the field says: {found}"


@pytest.mark.parametrize(
    ("name", "words"),
    [("first_crowd", {"first", "crowd"}), ("WalkingClock", {"walking", "clock"}), ("_x", {"x"})],
)
def test_words_of_a_name(name: str, words: set[str]) -> None:
    assert words_of(name) == words


def packages() -> list[str]:
    stubs = sorted(SOURCE.rglob("__init__.pyi"))
    return [".".join(("rocwise", *stub.parent.relative_to(SOURCE).parts)) for stub in stubs]


@pytest.mark.parametrize("package", packages())
def test_no_module_hides_a_public_name(package: str) -> None:
    """Importing the module `x` of a package would replace its function `x`."""
    module = importlib.import_module(package)
    folder = Path(module.__file__ or "").parent
    modules = {path.stem for path in folder.glob("*.py")} | {p.name for p in folder.glob("*/")}
    both = modules & set(module.__all__)
    hidden = {name for name in both if not inspect.ismodule(getattr(module, name))}
    assert not hidden, f"rename these modules of {package}: {hidden}"


def test_pytest_collects_no_public_name() -> None:
    for name in rocwise.__all__:
        if name.startswith("test"):
            assert getattr(rocwise, name).__test__ is False, f"rocwise.{name} looks like a test"


def test_every_folder_says_what_it_is() -> None:
    short = [
        place(path)
        for path in SOURCE.rglob("__init__.py")
        if len((ast.get_docstring(tree_of(path)) or "").split()) < 8
    ]
    assert not short, f"say in the docstring what the topic is and what others may use: {short}"


# --- warnings and refusals


def but(*exceptions: str) -> list[Path]:
    return [path for path in PYTHON if not place(path).startswith(exceptions)]


def test_warnings_find_the_callers_line_by_themselves() -> None:
    found = lines_with(r"warnings\.warn\(|\bstacklevel\b", but("errors.py"))
    assert not found, f"use errors.warn: {found}"


def test_the_library_silences_no_warnings() -> None:
    # the filters are those of the whole process, and threads would leave them changed for good;
    # the command line and the studio's tasks have a process of their own
    found = lines_with(r"\bcatch_warnings\b", but("cli/", "serving/computing/"))
    assert not found, f"ask for what does not warn: {found}"


def rewritten_refusals(tree: ast.Module) -> Iterator[int]:
    """Lines on which the text of a caught exception is changed."""
    caught = {n.name for n in ast.walk(tree) if isinstance(n, ast.ExceptHandler) and n.name}
    texts = {f"str({name})" for name in caught} | {f"{name}.args[0]" for name in caught}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changed = [node.func.value] if node.func.attr == "replace" else []
            changed = node.args if node.func.attr in {"sub", "subn"} else changed
            if any(ast.unparse(text) in texts for text in changed):
                yield node.lineno


@pytest.mark.parametrize(
    ("call", "lines"),
    [
        ("str(problem).replace('a', 'b')", [4]),
        ("re.sub('a', 'b', str(problem))", [4]),
        ("problem.args[0].replace('a', 'b')", [4]),
        ("str(cell).replace('a', 'b')", []),
    ],
)
def test_a_rewritten_refusal_is_found(call: str, lines: list[int]) -> None:
    code = f"try:\n    ask()\nexcept ValueError as problem:\n    {call}\n"
    assert list(rewritten_refusals(ast.parse(code))) == lines


def test_refusals_are_worded_where_they_are_raised() -> None:
    """Names go down, text does not come up."""
    found = [
        f"{place(path)}:{line}" for path in PYTHON for line in rewritten_refusals(tree_of(path))
    ]
    assert not found, f"pass the name of the argument down: {found}"


def test_arrays_are_named_once() -> None:
    def aliases(node: ast.AST) -> bool:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        return isinstance(value, ast.Subscript) and ast.unparse(value.value) == "NDArray"

    assert aliases(ast.parse("Floats = NDArray[float]").body[0])
    found = nodes_like(aliases, but("arrays.py"))
    assert not found, f"take the names of rocwise.arrays: {found}"


# --- who uses what

PUBLIC_MODULES = {
    *("rocwise", "rocwise.datasets", "rocwise.errors", "rocwise.inference", "rocwise.multiclass"),
    *("rocwise.estimators", "rocwise.estimators.mimetic", "rocwise.plotting", "rocwise.statistics"),
    *("rocwise.regression.filters", "rocwise.regression.forecasting"),
    *("rocwise.regression.network_training", "rocwise.regression.state_space_models"),
    *(package for package in packages() if package.startswith("rocwise.binary")),
}
INSIDE = {
    "docs/reference_pages.py": {"rocwise.results"},  # finds the classes of answers
    "docs/explanation/tally.md": {"rocwise.kernels.placement_sums"},  # shows how parts add up
    "studies/fixed_rates.py": {"rocwise.inference.effective_sizes"},  # of `at`, faster
    "studies/stacked_filters.py": {"rocwise.estimators.forecasters"},  # ensembles of a paper
    "studies/test_studies.py": {"rocwise.inference.effective_sizes"},  # confirmed
}
IMPORT = re.compile(r"^(?:>>> |\.\.\. )?\s*(?:from (rocwise[\w.]*) import|import (rocwise[\w.]*))")


def users() -> list[Path]:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").glob("*.py")]
    folders = (ROOT / name for name in ("studies", "benchmarks", "papers"))
    scripts = [path for folder in folders for path in folder.rglob("*.py")]
    return sorted(path for path in [*pages, *scripts] if "_build" not in path.parts)


def imported_by(path: Path) -> set[str]:
    matches = map(IMPORT.match, path.read_text(encoding="utf-8").splitlines())
    return {match[1] or match[2] for match in matches if match}


def test_pages_studies_and_benchmarks_use_public_names() -> None:
    inside = {place(path): imported_by(path) - PUBLIC_MODULES for path in users()}
    found = {path: modules for path, modules in inside.items() if modules}
    assert found == INSIDE, "use rw.*, or say in INSIDE why not"


def test_imports_are_seen_in_code_and_on_pages() -> None:
    lines = [
        "from rocwise.a import b",
        ">>> import rocwise.c",
        "    import rocwise",
        "of rocwise.x",
    ]
    found = [match[1] or match[2] for match in map(IMPORT.match, lines) if match]
    assert found == ["rocwise.a", "rocwise.c", "rocwise"]
