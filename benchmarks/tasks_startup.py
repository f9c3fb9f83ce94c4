"""Waiting before the first answer: the import, and the command line."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from .data import write_csv
from .rows import Bar, Row, Status, at_most
from .tasks import Setting, Task

ROUNDS, QUICK_ROUNDS = 21, 5
PROGRAM = Path(sys.executable).with_name("rocwise")


def tasks() -> Iterator[Task]:
    """Import over numpy's, first answer over numpy's, a small file, the help text."""
    yield Task("start-up", ["auc"], _startup)


def installed() -> dict[str, str]:
    """The environment of a process that finds its modules compiled, as after an installation."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "rocwise-bytecode")}


def _startup(setting: Setting) -> list[Row]:
    first_answer = "import numpy, rocwise; rocwise.auc([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4])"
    with tempfile.TemporaryDirectory(prefix="rocwise-bench-") as folder:
        table = write_csv(Path(folder) / "scores.csv", rows=1000)
        commands = {
            "numpy": [sys.executable, "-c", "import numpy"],
            "import": [sys.executable, "-c", "import numpy, rocwise"],
            "answer": [sys.executable, "-c", first_answer],
            "auc": [str(PROGRAM), "auc", str(table), "--label", "y", "--score", "p"],
            "help": [str(PROGRAM), "--help"],
        }
        seconds, problems = _wall_times(commands, QUICK_ROUNDS if setting.quick else ROUNDS)
    numpy = statistics.median(seconds["numpy"])
    lines = (
        ("`import rocwise`, over `import numpy`", "import", numpy, at_most(0.040, "s")),
        ("import and first AUC, over `import numpy`", "answer", numpy, None),
        ("`rocwise auc` on a csv of 1,000 rows", "auc", 0.0, at_most(0.350, "s")),
        ("`rocwise --help`", "help", 0.0, at_most(0.200, "s")),
    )
    return [
        Row(title, bar=bar, status=problems[name][0], note=problems[name][1])
        if name in problems
        else _row(title, seconds[name], baseline, bar)
        for title, name, baseline, bar in lines
    ]


def _row(title: str, seconds: Sequence[float], baseline: float, bar: Bar | None) -> Row:
    own = statistics.median(seconds) - baseline
    return Row(
        title,
        ours=own,
        bar=bar,
        status=Status.NOT_JUDGED if bar is None else bar.judge(own),
        note=f"median of {len(seconds)} starts",
        raw={"seconds": list(seconds), "baseline": baseline},
    )


def _wall_times(
    commands: dict[str, list[str]], rounds: int
) -> tuple[dict[str, list[float]], dict[str, tuple[Status, str]]]:
    """Interleaved wall times, after one start each that fills the caches; and what failed."""
    problems: dict[str, tuple[Status, str]] = {}
    for name, command in commands.items():
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, env=installed())
        except subprocess.CalledProcessError as error:
            last = (error.stderr.strip().splitlines() or ["it ended with an error"])[-1]
            problems[name] = (Status.BROKEN, last)
        except FileNotFoundError:
            problems[name] = (Status.ABSENT, "no `rocwise` command beside this Python")
    working = {name: command for name, command in commands.items() if name not in problems}
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    around = installed()
    for _ in range(rounds):
        for name, command in working.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True, env=around)
            seconds[name].append(time.perf_counter() - start)
    return seconds, problems
