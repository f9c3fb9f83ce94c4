"""What the front desks share: a door is built when its question is first asked."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

Parameters = Iterable[inspect.Parameter]


def door_and_home(doors: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[str, str]]:
    """The door and the module of every question, from the questions of each module by door.

    >>> door_and_home({"takes_data": {"curves": "roc hull"}})
    {'roc': ('takes_data', 'curves'), 'hull': ('takes_data', 'curves')}
    """
    return {
        name: (door, home)
        for door, homes in doors.items()
        for home, names in homes.items()
        for name in names.split()
    }


def opened(name: str, doors: Mapping[str, tuple[str, str]], desk: dict[str, Any], room: str) -> Any:
    """The door of a question, kept in the names of its desk; its analysis is loaded only now."""
    if name not in doors:
        raise AttributeError(f"module {desk['__name__']!r} has no attribute {name!r}")
    door, home = doors[name]
    answer = desk[door](getattr(import_module(f"{room}.{home}"), name))
    desk[name] = answer
    return answer


def signature_with(
    answer: Callable[..., Any], data: Parameters, about_data: Parameters
) -> inspect.Signature:
    """What help shows: the data, the options of the analysis, then those about the data."""
    described = inspect.signature(answer)
    _, *options = described.parameters.values()
    return described.replace(parameters=[*data, *options, *about_data])
