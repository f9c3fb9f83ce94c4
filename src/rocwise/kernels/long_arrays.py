"""Plain numpy under names that callers still use."""

from collections.abc import Iterable
from typing import TypeVar

import numpy as np

Part = TypeVar("Part")
on_large_pages = beside_nothing = np.empty


def give_back(rows: int) -> None:
    """Nothing."""


def far_apart(parts: Iterable[Part]) -> list[Part]:
    """The parts."""
    return list(parts)
