"""Answers as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rocwise.results import json_safe

if TYPE_CHECKING:
    from rocwise.results import Result


def document(
    answers: Mapping[str, Result],
    *,
    of_each: Mapping[str, Mapping[str, Any]] | None = None,
    of_all: Mapping[str, Any] | None = None,
) -> list[str]:
    """The `to_dict()` of one answer, or an object with that of each model, in pieces.

    `of_each` has further members for each model, `of_all` further members beside the models.
    """
    more = of_each or {}
    plain = {
        name: {**answer.to_dict(), **json_safe(more.get(name, {}))}
        for name, answer in answers.items()
    }
    beside = {_free(name, plain): json_safe(value) for name, value in (of_all or {}).items()}
    if len(plain) == 1:
        (only,) = plain.values()
        return list(pieces_of({**only, **beside}))
    return list(pieces_of({**plain, **beside}))


def _free(name: str, taken: Mapping[str, Any]) -> str:
    """The name, with a line after it while a model has the same one."""
    while name in taken:
        name += "_"
    return name


def pieces_of(content: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """An object with one member per line; lists stay on theirs, however long.

    >>> print("".join(pieces_of({"a": 1, "b": {"c": [1, 2]}})))
    {
      "a": 1,
      "b": {
        "c": [1, 2]
      }
    }
    """
    deeper = indent + "  "
    yield "{"
    before = "\n"
    for name, value in content.items():
        yield f"{before}{deeper}{json.dumps(name)}: "
        if isinstance(value, dict) and value:
            yield from pieces_of(value, deeper)
        else:
            yield json.dumps(value, allow_nan=False)
        before = ",\n"
    yield f"\n{indent}}}"
