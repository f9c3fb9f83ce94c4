"""Record the numbers of every public function, or check that they are still the same.

    python scripts/reference_results.py record FILE [--only PATTERN] [--quick]
    python scripts/reference_results.py check FILE [--only PATTERN] [--quick]

Every case is recorded with two seeds: what both agree on is a closed form and must agree to 1e-9,
the rest must agree within Monte Carlo error. A case that raised must
raise the same class. `--only` takes a part of a case's name or a pattern ("auc |*weights*").
"""

from __future__ import annotations

import argparse
import dataclasses
import fnmatch
import gzip
import json
import math
import numbers
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from reference_cases import Case, all_cases

IGNORED = {
    "certain",
    "origin",
    "rocwise",
    "schema",
    "seconds",
    "version",
    "seed",
    "created",
    "n_resamples",
}
CONTAINERS = {"results"}  # levels of a result without a meaning of their own
LONGEST = 10  # longer arrays are stored as a digest
ABSOLUTE = 1e-11
SHARE_OF_WIDTH = 0.25  # of an interval, that its ends may move at 200 resamples
DRAWN_ENDS = ("low", "high", "lower", "upper", "standard_error", "p_value", "p_adjusted")
Numbers = dict[str, Any]

# --- results to numbers ---------------------------------------------------------------------------


def flattened(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Numbers of a result with their paths; long arrays as a digest."""
    value = as_plain(value)
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key not in IGNORED:
                yield from flattened(item, path if key in CONTAINERS else f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        yield from of_sequence(list(value), path)
    elif value is None or isinstance(value, numbers.Real):
        yield path, rounded(value)


def as_plain(value: Any) -> Any:
    """Dictionaries, lists and numbers instead of results and arrays."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if dataclasses.is_dataclass(value):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    return value


def of_sequence(values: list[Any], path: str) -> Iterator[tuple[str, Any]]:
    """Numbers of a list: of numbers, of rows with the same keys, or of anything."""
    values = [as_plain(item) for item in values]
    if len(values) > 3 and same_keys(values):
        yield from flattened({key: [row[key] for row in values] for key in values[0]}, path)
        return
    if all(item is None or isinstance(item, numbers.Real) for item in values):
        yield path, [rounded(v) for v in values] if len(values) <= LONGEST else digest(values)
        return
    if all(isinstance(item, list) for item in values) and len(values) > LONGEST:
        widths = {len(item) for item in values}
        if len(widths) == 1:
            columns = {str(i): [item[i] for item in values] for i in range(widths.pop())}
            yield from flattened(columns, path)
            return
    for index, item in enumerate(values):
        yield from flattened(item, f"{path}[{index}]")


def same_keys(values: list[Any]) -> bool:
    """Whether all are rows of one table."""
    rows = all(isinstance(row, Mapping) for row in values)
    return rows and len({tuple(row) for row in values}) == 1


def digest(values: list[Any]) -> list[Any]:
    """Length, number of values without a number, mean, a weighted mean, and some of the values."""
    known = np.array([v for v in values if rounded(v) is not None], float)
    waves = np.cos(np.arange(known.size))  # depends on the order
    means = [known.mean(), (known * waves).mean()] if known.size else [0.0, 0.0]
    n = len(values)
    some = [values[i] for i in (0, 1, n // 4, n // 2, 3 * n // 4, n - 2, n - 1)]
    return [n, n - known.size, *map(rounded, means), *map(rounded, some)]


def rounded(value: Any) -> Any:
    """A number with 13 significant digits; None where it is not finite."""
    if value is None or not math.isfinite(value):
        return None
    if isinstance(value, (bool, int)):
        return int(value)
    return float(f"{float(value):.13g}")


# --- recording ------------------------------------------------------------------------------------


def outcome(case: Case, seed: int = 1) -> tuple[Numbers, str | None]:
    """Numbers of a case, or the class of its error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return dict(flattened(case.run(seed))), None
        except LookupError as problem:
            if "rocwise has no" in str(problem):
                return {}, "missing function"
            return {}, type(problem).__name__
        except Exception as problem:
            return {}, type(problem).__name__


def recorded(case: Case) -> dict[str, Any]:
    """What is stored of a case."""
    values, error = outcome(case)
    if error is not None:
        return {"error": error}
    others = [outcome(case, seed)[0] for seed in (2, 3)]
    drawn = {key for key in values if any(other.get(key) != values[key] for other in others)}
    if drawn:  # seeds may agree by chance
        drawn |= {key for key in values if key.endswith(DRAWN_ENDS)}
    ranges = {key: range_of([row.get(key) for row in (values, *others)]) for key in drawn}
    return {"values": values, "drawn": ranges} if ranges else {"values": values}


def range_of(rows: list[Any]) -> float:
    """The largest range of a number over the seeds."""
    columns = zip(*(row if isinstance(row, list) else [row] for row in rows), strict=False)
    known = [[v for v in column if v is not None] for column in columns]
    return rounded(max((max(column) - min(column) for column in known if column), default=0.0))


# --- comparing ------------------------------------------------------------------------------------


def differences(case: Case, stored: dict[str, Any], seed: int) -> Iterator[tuple[str, str, float]]:
    """Kind, text and size of each difference from the stored numbers."""
    found, error = outcome(case, seed)
    if error != stored.get("error"):
        yield "error", f"{stored.get('error') or 'a result'} became {error or 'a result'}", math.inf
        return
    drawn = stored.get("drawn", {})
    for key, value in stored.get("values", {}).items():
        if key not in found:
            yield "missing", f"{key} is gone", math.inf
            continue
        if not isinstance(value, list) or not isinstance(found[key], list):
            value, new = [value], [found[key]]
        else:
            new = found[key]
        if len(value) != len(new):
            yield "closed form", f"{key}: {len(value)} numbers became {len(new)}", math.inf
        elif key in drawn:
            yield from monte_carlo(case, key, (value, new), stored)
        else:
            yield from closed_form(case, key, value, new)


def closed_form(
    case: Case, key: str, value: list[Any], new: list[Any]
) -> Iterator[tuple[str, str, float]]:
    """The largest difference of numbers that should be equal."""
    worst = max(zip(value, new, strict=True), key=lambda pair: gap(*pair), default=(0, 0))
    if gap(*worst) > case.tolerance:
        yield "closed form", f"{key}: {worst[0]} became {worst[1]}", gap(*worst)


def gap(a: float | None, b: float | None) -> float:
    """The relative difference of two numbers."""
    if a is None or b is None or isinstance(a, list) or isinstance(b, list):
        return 0.0 if a == b else math.inf
    return 0.0 if abs(a - b) <= ABSOLUTE else abs(a - b) / max(abs(a), abs(b))


def monte_carlo(
    case: Case, key: str, both: tuple[list[Any], list[Any]], stored: dict[str, Any]
) -> Iterator[tuple[str, str, float]]:
    """A difference of resampled numbers, in the units of what is allowed."""
    value = both[0]
    numbered = list(zip(*both, strict=True))[: 3 if key.endswith("replicates") else None]
    pairs = [(a, b) for a, b in numbered if a is not None and b is not None]
    if not pairs or max(gap(a, b) for a, b in pairs) <= case.tolerance:
        return
    allowed = bound(key, value, stored["values"]) * math.sqrt(200 / case.n_resamples)
    allowed += 2 * stored["drawn"][key]
    worst = max(pairs, key=lambda pair: abs(pair[0] - pair[1]))
    size = abs(worst[0] - worst[1]) / allowed if allowed else math.inf
    kind = "Monte Carlo" if size <= 1 else "beyond Monte Carlo error"
    yield kind, f"{key}: {worst[0]} became {worst[1]}", size


def bound(key: str, value: list[Any], stored: Numbers) -> float:
    """How far resampled numbers may move at 200 resamples."""
    if "p_value" in key or "p_adjusted" in key or key.endswith(".p"):
        return 0.1
    size = max((abs(v) for v in value if v is not None), default=0.0)
    if key.endswith("statistic"):
        return max(0.5, SHARE_OF_WIDTH * size)
    level, stem = key, key.rpartition(".")[2].rpartition("_")[0]
    while level:
        level = level[: max(level.rfind("."), level.rfind("["), 0)]
        for inner in (".", ".interval.", f".{stem}_"):
            width = widest(stored.get(f"{level}{inner}low"), stored.get(f"{level}{inner}high"))
            if width > 0:
                return SHARE_OF_WIDTH * width
    return SHARE_OF_WIDTH * size if "error" in key else max(0.1, SHARE_OF_WIDTH * size)


def widest(low: Any, high: Any) -> float:
    """The width of the widest interval."""
    if low is None or high is None:
        return 0.0
    lows, highs = (end if isinstance(end, list) else [end] for end in (low, high))
    ends = [(a, b) for a, b in zip(lows, highs, strict=False) if a is not None and b is not None]
    return max((b - a for a, b in ends), default=0.0)


# --- command line ---------------------------------------------------------------------------------


def chosen(arguments: argparse.Namespace) -> dict[str, Case]:
    """The cases that the options select."""
    cases = all_cases()
    if arguments.quick:
        cases = {name: case for name, case in cases.items() if case.quick}
    if arguments.only is None:
        return cases
    pattern = arguments.only if "*" in arguments.only else f"*{arguments.only}*"
    return {name: case for name, case in cases.items() if fnmatch.fnmatchcase(name, pattern)}


def record(cases: dict[str, Case], file: Path, seed: int) -> int:
    """Record the cases that the file lacks and those that differ from it."""
    start = time.perf_counter()
    found = json.loads(gzip.decompress(file.read_bytes())) if file.exists() else {}
    for name, case in cases.items():
        changed = name not in found or any(
            kind != "Monte Carlo" for kind, _, _ in differences(case, found[name], seed)
        )
        if changed:
            found[name] = recorded(case)
            print(f"recorded: {name}")
    text = json.dumps(found, separators=(",", ":"), sort_keys=True)
    file.write_bytes(gzip.compress(text.encode(), mtime=0))
    errors = Counter(row["error"] for row in found.values() if "error" in row)
    print(f"{len(found)} cases in {time.perf_counter() - start:.0f} s; errors: {dict(errors)}")
    return 0


def check(cases: dict[str, Case], file: Path, seed: int) -> int:
    """Compare what the cases give now with the file; 1 if something differs too much."""
    stored = json.loads(gzip.decompress(file.read_bytes()))
    start, failed, drawn = time.perf_counter(), 0, []
    for name, case in cases.items():
        if name not in stored:
            print(f"not recorded: {name}")
            continue
        found = list(differences(case, stored[name], seed))
        drawn += [(size, name, text) for kind, text, size in found if kind == "Monte Carlo"]
        bad = [row for row in found if row[0] != "Monte Carlo"]
        failed += bool(bad)
        for kind, text, size in bad[:5]:
            print(f"{kind} | {name} | {text} ({size:.2g})", flush=True)
        if len(bad) > 5:
            print(f"... and {len(bad) - 5} more of {name}")
    for size, name, text in sorted(drawn, reverse=True)[:10]:
        print(f"Monte Carlo, allowed | {name} | {text} ({size:.0%} of the bound)")
    print(
        f"{len(cases)} cases in {time.perf_counter() - start:.0f} s: {failed} differ, "
        f"{len(drawn)} numbers within Monte Carlo error"
    )
    return int(failed > 0)


def main() -> int:
    """Read the words and run."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("action", choices=("record", "check"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", help="part of a case's name, or a pattern with *")
    parser.add_argument("--quick", action="store_true", help="a subset of less than a minute")
    parser.add_argument("--seed", type=int, default=1, help="another seed tries the bounds")
    arguments = parser.parse_args()
    if arguments.action == "record":
        return record(chosen(arguments), arguments.file, arguments.seed)
    return check(chosen(arguments), arguments.file, arguments.seed)


if __name__ == "__main__":
    sys.exit(main())
