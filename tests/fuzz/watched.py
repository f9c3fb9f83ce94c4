"""Long walks in a process of their own, which is watched, may be killed, and goes on where it was.

Each part of the fuzzer is a list of cases in an order drawn with a seed. What came of a case is one
line of a file in `build/fuzz`, so that a walk that was stopped goes on with the next case. A case
in which the process dies or hangs is recorded.
"""

import json
import os
import resource
import selectors
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATE = ROOT / "build" / "fuzz"
SILENCE = 40.0  # seconds without a word after which a process is deaf
MEMORY = 8 * 2**30


def walk(part: str, seed: int, fraction: float, *, fresh: bool = False) -> list[dict[str, str]]:
    """Outcomes of all cases of a part, those of earlier runs included."""
    STATE.mkdir(parents=True, exist_ok=True)
    state = STATE / f"{part}-{seed}-{fraction:g}.jsonl"
    if fresh:
        state.unlink(missing_ok=True)
    while True:
        done = _lines(state)
        if done and done[-1].get("kind") == "the end":
            return done[:-1]
        end = _child(part, seed, fraction, len(done), state)
        print(f"{part}: {len(_lines(state)):,} cases; {end}", flush=True)
        if len(_lines(state)) == len(done):
            raise SystemExit(f"{part} cannot begin; run `python -m fuzz {part} --child 0`")


def _lines(state: Path) -> list[dict[str, str]]:
    if not state.exists():
        return []
    return [json.loads(line) for line in state.read_text(encoding="utf-8").splitlines()]


def _child(part: str, seed: int, fraction: float, first: int, state: Path) -> str:
    command = [sys.executable, "-m", "fuzz", part, "--seed", str(seed), "--fraction", str(fraction)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests"), "MPLBACKEND": "Agg"}
    process = subprocess.Popen(
        [*command, "--child", str(first)], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    with selectors.DefaultSelector() as waiting, state.open("a", encoding="utf-8") as file:
        waiting.register(process.stdout, selectors.EVENT_READ)
        begun = None
        while waiting.select(SILENCE if begun else 10 * SILENCE):
            line = process.stdout.readline()
            if not line:
                break
            message = json.loads(line)
            if "begun" in message:
                begun = message["begun"]
                continue
            file.write(line)
            file.flush()
            begun = None if message["kind"] == "the end" else begun
        silent = process.poll() is None and begun is not None
        process.kill()
        code = process.wait()
        if begun:
            kind = "deaf" if silent else "crash"
            lines = {"key": begun, "kind": kind, "detail": f"exit {code}"}
            file.write(json.dumps(lines) + "\n")
            return f"{kind} in {begun}"
    return "done"


def summarize(part: str, found: list[dict[str, str]]) -> Counter[str]:
    """Print how often each kind of outcome occurred."""
    counts = Counter(outcome["kind"] for outcome in found)
    print(f"\n{part}: {sum(counts.values()):,} cases")
    for kind, count in counts.most_common():
        print(f"  {count:8,}  {kind}")
    return counts


def send(**message: str) -> None:
    """One line from a child to the process that watches it."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def limit_memory() -> None:
    """Let the process fail, not the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
