"""Which kernels are in use: the compiled ones if all of them are there, else their numpy twins."""

import os
from importlib import import_module
from typing import Any

COMPILED = (
    "_chains",
    "_cuts",
    "_ranks",
    "_sort",
    "_resample",
    "_bands",
    "_losses",
    "_permute",
)


def _compiled_is_usable() -> bool:
    if os.environ.get("ROCWISE_KERNELS", "") == "numpy":
        return False
    try:
        for name in COMPILED:
            import_module(f"rocwise.kernels.compiled.{name}")
    except ImportError:
        return False
    return True


ACTIVE = "compiled" if _compiled_is_usable() else "numpy"


def compiled_module(name: str) -> Any:
    """The compiled module of a family of kernels, or None where the numpy twins are in use."""
    return import_module(f"rocwise.kernels.compiled.{name}") if ACTIVE == "compiled" else None
