"""What the tests of the command line pass around: outcomes of commands, files of scores."""

import json
from collections.abc import Callable
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
