"""Public names of a package, listed once in its `__init__.pyi` and loaded when first used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def attach(
    package: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package from the stub beside its `__init__.py`.

    The stub holds one line for each name, such as
    ``from .binary.areas.empirical import auc as auc``; ``from . import x as x`` is a subpackage.
    """
    with open(file.removesuffix("c") + "i", encoding="utf-8") as stub:  # __init__.pyi
        home_of = {words[3]: words[1] for words in map(str.split, stub) if words[:1] == ["from"]}
    names = sorted(home_of)

    def load(name: str) -> Any:
        """Load a public name; Python asks only for those that are not there yet."""
        import sys
        from importlib import import_module

        home = home_of.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if home == ".":
            return import_module(f"{package}.{name}")
        value = getattr(import_module(home, package), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: [*names, "__version__"] if package == "rocwise" else names, names
