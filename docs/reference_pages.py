"""Writes one page per public name, and a list of them, from the `__all__` of the package.

The classes of the answers have pages too: they are found by what the public functions return.
"""

import importlib
import inspect
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

# Where the public names live besides the package itself.
FURTHER_MODULES = [
    "rocwise.estimators",
    "rocwise.regression.filters",
    "rocwise.regression.forecasting",
    "rocwise.regression.network_training",
]

# Headings of the list, by the module that defines a name; the first prefix that fits decides.
HEADINGS = {
    "rocwise.inputs": "Data",
    "rocwise.primitives.tallies": "Data",
    "rocwise.primitives.pairs": "Data",
    "rocwise.questions": "Questions about two classes",
    "rocwise.inputs.folds": "Questions about two classes",
    "rocwise.binary": "Questions about two classes",
    "rocwise.multiclass": "More than two classes",
    "rocwise.ordinal": "Ordered classes",
    "rocwise.regression": "Regression",
    "rocwise.estimators": "Estimators",
    "rocwise.plotting": "Pictures",
    "rocwise.reporting": "Report and studio",
    "rocwise.serving": "Report and studio",
    "rocwise.costs": "Options",
    "rocwise.results": "Results",
    "rocwise.errors": "Errors and warnings",
}
# What scikit-learn and Python describe themselves.
OTHERS_CLASSES = (
    *("Exception", "tuple", "dict"),
    *("BaseEstimator", "ClassifierMixin", "RegressorMixin", "TransformerMixin"),
)
OTHERS_METHODS = (
    "get_metadata_routing",
    *(f"set_{method}_request" for method in ("fit", "partial_fit", "predict", "score")),
)
ANSWERS = "Answers"
LAST_HEADING = "More"


@dataclass(frozen=True)
class PublicName:
    """One name of the public interface and where it is described."""

    module: str
    name: str
    kind: str
    heading: str

    @property
    def path(self) -> str:
        return f"{self.module}.{self.name}"

    @property
    def page(self) -> str:
        # `Tally` and `tally` are one file on some systems, so classes get an ending.
        return f"{self.path}-class" if self.kind in {"class", "exception"} else self.path


def public_names() -> list[PublicName]:
    """Every public name, in the order of the headings."""
    modules = ["rocwise", *filter(_exists, FURTHER_MODULES)]
    found = [each for name in modules for each in _names_of(importlib.import_module(name))]
    known = {(each.name, each.kind) for each in found}
    found += [each for each in _answers(found) if (each.name, each.kind) not in known]
    order = [*dict.fromkeys(HEADINGS.values()), ANSWERS, LAST_HEADING]
    return sorted(found, key=lambda each: (order.index(each.heading), each.name.lower()))


def _exists(module: str) -> bool:
    parent = module.rpartition(".")[0]
    return (parent == "rocwise" or _exists(parent)) and find_spec(module) is not None


def _names_of(module: ModuleType) -> list[PublicName]:
    names = [name for name in module.__all__ if not name.startswith("__")]
    return [_described(module.__name__, name, getattr(module, name)) for name in names]


def _described(module: str, name: str, value: object) -> PublicName:
    if inspect.isclass(value):
        kind = "exception" if issubclass(value, BaseException) else "class"
    elif inspect.ismodule(value):
        kind = "module"
    else:
        kind = "function" if callable(value) else "data"
    home = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", module)
    heading = next((HEADINGS[p] for p in HEADINGS if home.startswith(p)), LAST_HEADING)
    return PublicName(module, name, kind, heading)


def _answers(found: list[PublicName]) -> list[PublicName]:
    """The classes that public functions say they return."""
    classes = set()
    for each in found:
        value = getattr(importlib.import_module(each.module), each.name)
        if each.kind == "function":
            function = inspect.unwrap(value)
            answer = inspect.signature(function).return_annotation
            answer = function.__globals__.get(answer, answer)
            if inspect.isclass(answer) and answer.__module__.startswith("rocwise."):
                classes.add(answer)
    return [PublicName(each.__module__, each.__name__, "class", ANSWERS) for each in classes]


def write_reference_pages(folder: Path) -> None:
    """Fill `folder` anew: `index.rst` and one page for each public name."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    names = public_names()
    for each in names:
        (folder / f"{each.page}.rst").write_text(_page(each), encoding="utf-8")
    (folder / "index.rst").write_text(_list(names), encoding="utf-8")


def _page(each: PublicName) -> str:
    lines = [each.name, "=" * len(each.name), ""]
    lines += [f".. auto{each.kind}:: {each.path}"]
    if each.kind in {"class", "exception"}:
        lines += ["   :members:", f"   :inherited-members: {', '.join(OTHERS_CLASSES)}"]
        lines += [f"   :exclude-members: {', '.join(OTHERS_METHODS)}"]
    return "\n".join([*lines, ""])


def _list(names: list[PublicName]) -> str:
    lines = ["Every public name", "=================", ""]
    for heading in dict.fromkeys(each.heading for each in names):
        members = [each.path for each in names if each.heading == heading]
        lines += [heading, "-" * len(heading), "", ".. autosummary::", "   :nosignatures:", ""]
        lines += [f"   {member}" for member in members] + [""]
    lines += [".. toctree::", "   :hidden:", ""] + [f"   {each.page}" for each in names]
    return "\n".join([*lines, ""])
