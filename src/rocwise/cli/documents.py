"""Answers as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocwise.results import Result


def document(answers: Mapping[str, Result]) -> str:
    """The `to_dict()` of one answer, or an object with that of each model."""
    plain = {name: answer.to_dict() for name, answer in answers.items()}
    if len(plain) == 1:
        (only,) = plain.values()
        return lines_of(only)
    return lines_of(plain)


def lines_of(content: Mapping[str, Any], indent: str = "") -> str:
    """An object with one member per line; lists stay on theirs, however long.

    >>> print(lines_of({"a": 1, "b": {"c": [1, 2]}}))
    {
      "a": 1,
      "b": {
        "c": [1, 2]
      }
    }
    """
    deeper = indent + "  "
    members = []
    for name, value in content.items():
        text = lines_of(value, deeper) if isinstance(value, dict) and value else _plain(value)
        members.append(f"{deeper}{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"


def _plain(value: Any) -> str:
    return json.dumps(value, allow_nan=False)
