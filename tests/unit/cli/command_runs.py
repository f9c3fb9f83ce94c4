"""What the tests of the command line pass around: outcomes of commands, files of scores."""

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


def members(text):
    """Members of a document of --json, its results by name, and members of a single result."""
    document = json.loads(text)
    results = document["results"]
    only = next(iter(results.values())) if len(results) == 1 else {}
    return {**document, **results, **only}


class Scores(NamedTuple):
    path: Path
    ill: np.ndarray
    a: np.ndarray
    b: np.ndarray


def write_csv(path, header, *columns):
    """Columns as a csv file, numbers with all their digits."""
    cells = [[str(item) for item in np.asarray(column).tolist()] for column in columns]
    lines = [",".join(header), *(",".join(row) for row in zip(*cells, strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


SCHEMA = json.loads(files("rocwise.cli").joinpath("output.schema.json").read_text("utf-8"))
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def errors(value, schema=SCHEMA, at="$"):
    """Where a value differs from the schema; the keywords that ours has."""
    if "$ref" in schema:
        yield from errors(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], at)
    if "anyOf" in schema and all(any(errors(value, each)) for each in schema["anyOf"]):
        yield f"{at}: none of anyOf"
    if "const" in schema and value != schema["const"]:
        yield f"{at}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    is_bool = isinstance(value, bool) and "boolean" not in kinds
    if kinds and (is_bool or not any(isinstance(value, TYPES[kind]) for kind in kinds)):
        yield f"{at}: {value!r:.60} is not {kinds}"
    if isinstance(value, (int, float)) and not (
        schema.get("minimum", -np.inf) <= value
        and schema.get("exclusiveMinimum", -np.inf) < value < schema.get("exclusiveMaximum", np.inf)
    ):
        yield f"{at}: {value!r} is out of bounds"
    if isinstance(value, list) and "items" in schema:
        for k, each in enumerate(value):
            yield from errors(each, schema["items"], f"{at}[{k}]")
    if isinstance(value, dict):
        yield from (f"{at}: no {name}" for name in schema.get("required", []) if name not in value)
        if len(value) < schema.get("minProperties", 0):
            yield f"{at}: too few members"
        others = schema.get("additionalProperties", True)
        for name, each in value.items():
            own = schema.get("properties", {}).get(name, others)
            if own is False:
                yield f"{at}: {name} is unknown"
            elif own is not True:
                yield from errors(each, own, f"{at}.{name}")
