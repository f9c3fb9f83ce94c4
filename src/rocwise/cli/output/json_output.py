"""Answers as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rocwise.cli.output.json_columns import JsonText, long_columns
from rocwise.results import json_safe

if TYPE_CHECKING:
    from rocwise.results import Result


def document(
    answers: Mapping[str, Result],
    *,
    of_each: Mapping[str, Mapping[str, Any]] | None = None,
    of_all: Mapping[str, Any] | None = None,
) -> str:
    """The `to_dict()` of one answer, or an object with that of each model.

    `of_each` has further members for each model, `of_all` further members beside the models.
    """
    more = of_each or {}
    with long_columns():
        plain = {
            name: {**answer.to_dict(), **json_safe(more.get(name, {}))}
            for name, answer in answers.items()
        }
    beside = {_free(name, plain): json_safe(value) for name, value in (of_all or {}).items()}
    if len(plain) == 1:
        (only,) = plain.values()
        return lines_of({**only, **beside})
    return lines_of({**plain, **beside})


def _free(name: str, taken: Mapping[str, Any]) -> str:
    """The name, with a line after it while a model has the same one."""
    while name in taken:
        name += "_"
    return name


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
    if isinstance(value, JsonText):
        return value.text
    try:
        return json.dumps(value, allow_nan=False)
    except TypeError:  # there is a JsonText inside
        if isinstance(value, dict):
            return (
                f"{{{', '.join(f'{json.dumps(name)}: {_plain(v)}' for name, v in value.items())}}}"
            )
        if isinstance(value, list):
            return f"[{', '.join(map(_plain, value))}]"
        raise
