"""Writes one page per public name, and a list of them by topic, from the lists of the packages.

The classes of the results have pages too, under the topic of the folder that they are defined in.
"""

import importlib
import inspect
import pkgutil
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import rocwise
from rocwise.results import Result

# Where public names live that are not on top; packages with a stub of their own come by themselves.
FURTHER_MODULES = [
    "rocwise.binary.bands",
    "rocwise.datasets",
    "rocwise.errors",
    "rocwise.plotting",
    "rocwise.regression.filters",
    "rocwise.regression.forecasting",
    "rocwise.regression.network_training",
    "rocwise.statistics",
]
# Packages whose stub lists what other folders use, not users.
INSIDE = {"rocwise.inputs"}
# Headings of the list: the first folder of the module that defines a name, then its topic.
FOLDERS = {
    "inputs": "Data",
    "data": "Data",
    "binary": "Two classes",
    "multiclass": "Several classes",
    "readers": "Reader studies",
    "survival": "Survival data",
    "ordinal": "Ordered classes",
    "regression": "Regression",
    "estimators": "Estimators",
    "inference": "Inference",
    "plotting": "Plots",
    "reporting": "Reports",
    "serving": "Reports",
    "costs": "Options",
    "progress": "Options",
    "kernels": "Options",
    "statistics": "Options",
    "datasets": "Example data",
    "results": "Results",
    "references": "Results",
    "errors": "Errors and warnings",
}
ANALYSES = ("binary", "multiclass", "ordinal", "readers", "regression", "survival")
# What scikit-learn and Python describe themselves.
OTHERS_CLASSES = (
    *("Exception", "tuple", "dict"),
    *("BaseEstimator", "ClassifierMixin", "RegressorMixin", "TransformerMixin"),
)
OTHERS_METHODS = (
    "get_metadata_routing",
    *(f"set_{method}_request" for method in ("fit", "partial_fit", "predict", "score")),
)
LAST_HEADING = "More"


@dataclass(frozen=True)
class PublicName:
    """One name of the public interface and where it is described."""

    module: str
    name: str
    kind: str
    heading: str
    value: Any

    @property
    def path(self) -> str:
        return f"{self.module}.{self.name}"

    @property
    def page(self) -> str:
        # `Tally` and `tally` are one file on some systems, so classes get an ending.
        return f"{self.path}-class" if self.kind in {"class", "exception"} else self.path


def public_names() -> list[PublicName]:
    """Every public name, heading by heading, functions before the classes of their results."""
    modules = list(dict.fromkeys(["rocwise", *_packages_with_stub(), *FURTHER_MODULES]))
    found = [each for name in modules for each in _names_of(importlib.import_module(name))]
    found += [_described(each.__module__, each.__name__, each) for each in _results(found)]
    first = _first_of_each(found)
    order = {heading: place for place, heading in enumerate(_headings(first))}
    return sorted(first, key=lambda e: (order[e.heading], e.kind != "function", e.name.lower()))


def _packages_with_stub() -> list[str]:
    root = Path(rocwise.__file__).parent
    folders = (stub.parent.relative_to(root).parts for stub in root.rglob("*/__init__.pyi"))
    return sorted({".".join(("rocwise", *parts)) for parts in folders} - INSIDE)


def _names_of(module: ModuleType) -> list[PublicName]:
    own = {n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__}
    exceptions = [n for n in own if inspect.isclass(getattr(module, n))]
    names = [n for n in getattr(module, "__all__", exceptions) if not n.startswith("__")]
    return [_described(module.__name__, name, getattr(module, name)) for name in names]


def _described(module: str, name: str, value: Any) -> PublicName:
    if inspect.isclass(value):
        kind = "exception" if issubclass(value, BaseException) else "class"
    elif inspect.ismodule(value):
        kind = "module"
    else:
        kind = "function" if callable(value) else "data"
    home = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", module)
    return PublicName(module, name, kind, heading_of(home), value)


def heading_of(module: str) -> str:
    """The topic that a module belongs to, as its folder says.

    >>> heading_of("rocwise.binary.reported_points"), heading_of("rocwise.costs")
    ('Two classes: reported points', 'Options')
    """
    _, folder, *topic = module.split(".") if "." in module else (module, "")
    heading = FOLDERS.get(folder, LAST_HEADING)
    if folder in ANALYSES and folder != "ordinal" and topic:
        return f"{heading}: {topic[0].replace('_', ' ')}"
    return heading


def _headings(found: list[PublicName]) -> list[str]:
    """In the order of the folders, topics by name."""
    ranks = {heading: place for place, heading in enumerate([*FOLDERS.values(), LAST_HEADING])}
    return sorted({e.heading for e in found}, key=lambda h: (ranks[h.partition(":")[0]], h))


def _first_of_each(found: list[PublicName]) -> list[PublicName]:
    """Each thing where it is public first: on top rather than in its package."""
    seen: dict[int, PublicName] = {}
    for each in found:
        seen.setdefault(id(each.value), each)
    return list(seen.values())


def _results(found: list[PublicName]) -> list[type]:
    """The classes of all results: those that public functions return, and that nothing refines."""
    for folder in ("inference", *ANALYSES):
        package = importlib.import_module(f"rocwise.{folder}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    classes, left = [], [Result]
    while left:
        left += (below := left.pop().__subclasses__())
        ours = [each for each in below if each.__module__.startswith("rocwise.")]
        classes += [each for each in ours if not each.__name__.startswith("_")]
    functions = (inspect.unwrap(each.value) for each in found if each.kind == "function")
    returned = " ".join(str(inspect.signature(each).return_annotation) for each in functions)
    named = set(re.findall(r"\w+", returned))
    return [each for each in classes if each.__name__ in named or not each.__subclasses__()]


def write_reference_pages(folder: Path) -> None:
    """Bring `folder` up to date: `index.rst` and one page for each public name.

    A page that stays the same is not written, so that the build need not read it again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = public_names()
    pages = {f"{each.page}.rst": _page(each) for each in names} | {"index.rst": _list(names)}
    for path in folder.iterdir():
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _page(each: PublicName) -> str:
    # Not in the tree at the side, which every page would repeat: the list leads here.
    lines = [":orphan:", "", each.name, "=" * len(each.name), ""]
    lines += [f":doc:`Every public name <index>`, {each.heading}", ""]
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
        lines += [f"   ~{member}" for member in members] + [""]
    return "\n".join([*lines, ""])
