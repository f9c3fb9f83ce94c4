"""Tables whose bytes were spoiled: every way to read them must give the same result or error."""

import gzip
import io
import random
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import rocwise as rw
from fuzz.walker import Outcome
from rocwise.engines import duckdb_access, sources

GOOD = {"same result", "same error"}
N_CASES = 6_000  # of each kind
KINDS = ("csv", "tsv", "csv.gz", "csv.zst", "parquet")
TOKENS = [
    *(b'"', b'""', b",", b",,", b"\t", b";", b"\r", b"\n", b"\r\n", b"\n\n", b"\0", b"\xff"),
    *(b"\xef\xbb\xbf", b"NA", b"nan", b"null", b"true", b"inf", b"-inf", b"1e999", b"1e-999"),
    *(b"9007199254740993", b"1_0", b"9" * 30, b"9" * 5000, b"0x1", b"-0.0", b" ", b"#", b"'"),
    *(b"\\", b"\xc2\xa0", b"\xd9\xa3", b"\x1a"),
]
HEADERS = ("y,a,b", "y,a,b", "y,a,b", '"y","a","b"', "y,a,A", "b,a,y", "y,a,a", "y,a,b,")


@dataclass(frozen=True)
class Case:
    """A spoiled file: its kind, and the number that its bytes are drawn with."""

    kind: str
    number: int

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.number}"


def cases(seed: int = 0, fraction: float = 1.0) -> list[Case]:
    """All cases, or a proportion of them, in an order drawn with the seed."""
    first = seed * N_CASES
    every = [Case(kind, first + number) for number in range(N_CASES) for kind in KINDS]
    return random.Random(seed).sample(every, max(1, round(fraction * len(every))))


def run(case: Case) -> Outcome:
    """Read the file in every way and compare."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        path = Path(folder) / f"t.{case.kind}"
        path.write_bytes(content(case))
        ways = {how: _read(path, **options) for how, options in _ways(case).items()}
    kinds = {kind for kind, _ in ways.values()}
    for kind in ("foreign", "undefined"):
        if kind in kinds:
            return Outcome(case.key, kind, repr(ways)[:500])
    if len(set(ways.values())) > 1:
        return Outcome(case.key, "differ", repr(ways)[:500])
    return Outcome(case.key, f"same {kinds.pop()}", "")


def content(case: Case) -> bytes:
    """The bytes of the spoiled file."""
    rng = random.Random(f"{case.kind} {case.number}")
    if case.kind == "parquet":
        return _spoiled(_parquet(rng), rng, tokens=False)
    text = _spoiled(_text(rng, "\t" if case.kind == "tsv" else ","), rng, tokens=True)
    if case.kind == "csv.gz":
        packed = gzip.compress(text, mtime=0)
        return _spoiled(packed, rng, tokens=False) if rng.random() < 0.3 else packed
    if case.kind == "csv.zst":
        packed = pa.compress(text, codec="zstd", asbytes=True)
        return _spoiled(packed, rng, tokens=False) if rng.random() < 0.3 else packed
    return text


def _text(rng: random.Random, delimiter: str) -> bytes:
    cells = rng.choice([
        lambda: f"{rng.gauss(0, 1):.3g}", lambda: str(rng.randrange(5)), lambda: repr(rng.random()),
        lambda: rng.choice(["low", "high"]), lambda: str(2**53 + rng.randrange(4)),
    ])  # fmt: skip
    end = rng.choice(["\n", "\n", "\r\n"])
    rows = [f"{rng.randrange(2)},{cells()},{rng.randrange(9)}" for _ in range(rng.randrange(1, 30))]
    return (end.join([rng.choice(HEADERS), *rows, ""]).replace(",", delimiter)).encode()


def _parquet(rng: random.Random) -> bytes:
    n = rng.randrange(1, 50)
    draws = np.random.default_rng(rng.randrange(2**32))
    columns: dict[str, Any] = {
        "y": draws.integers(0, 2, n),
        "a": rng.choice([draws.normal(size=n), draws.integers(0, 4, n), draws.random(n) > 0.5]),
    }
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer, compression=rng.choice(["none", "snappy", "zstd"]))
    return buffer.getvalue()


def _spoiled(data: bytes, rng: random.Random, *, tokens: bool) -> bytes:
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        place = rng.randrange(len(data) + 1)
        how = rng.randrange(5 if tokens else 4)
        if how == 0:
            data = data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]
        elif how == 1:
            data = data[:place] + data[place + rng.randrange(8) :]
        elif how == 2:
            data = data[:place] + data[max(0, place - rng.randrange(20)) :]
        elif how == 3 and rng.random() < 0.3:
            data = data[:place]
        elif tokens:
            data = data[:place] + rng.choice(TOKENS) + data[place:]
    return data


def _ways(case: Case) -> dict[str, dict[str, Any]]:
    """How the file is read: with or without haste, as rows or as counts."""
    hasty: dict[str, dict[str, Any]] = {
        "rows": {"size": -1, "counts": False},
        "counts": {"size": -1, "counts": True},
    }
    if case.kind == "parquet":
        return hasty
    return {"small": {"size": sources.SMALL_FILE_BYTES, "counts": False}, **hasty}


def _read(path: Path, *, size: int, counts: bool) -> tuple[str, str]:
    """What kind of outcome it is, and the result to the last bit or the sentence."""
    with (
        mock.patch.object(sources, "SMALL_FILE_BYTES", size),
        mock.patch.object(duckdb_access, "counting_pays", return_value=counts),
    ):
        return _outcome(lambda: rw.tally(path, label="y", score="a", missing="drop"))


def _outcome(call: Callable[[], Any]) -> tuple[str, str]:
    try:
        tally = call()
    except rw.InputError as problem:
        return "error", str(problem)
    except Exception as problem:
        return "foreign", f"{type(problem).__name__}: {problem}"
    if np.isnan(np.asarray(tally.scores, dtype=float)).any():
        return "undefined", repr(tally.scores)
    return "result", repr([tally.scores.tolist(), tally.pos.tolist(), tally.neg.tolist()])
