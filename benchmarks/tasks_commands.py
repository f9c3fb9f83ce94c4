"""Whole processes, from their start to their end: long tables, JSON, pictures of many panels.

The figure is the time of the processor, all threads together: what a busy machine adds is no
part of it. The least of some runs counts.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from .data import write_csv
from .rows import Row, Status, at_most
from .tasks import Setting, Task
from .tasks_startup import PROGRAM, installed

ROUNDS, QUICK_ROUNDS = 5, 2
ROWS = 100_000
PANELS = """
import numpy as np, rocwise as rw
rng = np.random.default_rng(0)
y = np.arange({rows}) % 7
scores = rng.random((len(y), 7)) + 0.5 * np.eye(7)[y]
curves = rw.multiclass_roc(y, scores / scores.sum(axis=1, keepdims=True))
curves.plot(beside=True)[0].figure.savefig({path!r})
"""


def tasks() -> Iterator[Task]:
    """Every distinct score as text and as JSON, and seven panels in one picture."""
    yield Task("long-tables", ["thresholds", "roc"], _tables)
    yield Task("class-panels", ["multiclass_roc"], _panels)


def _tables(setting: Setting) -> list[Row]:
    rows = setting.rows(ROWS)
    asked = (("thresholds", "--all"), ("thresholds", "--json"), ("roc", "--all"), ("roc", "--json"))
    with tempfile.TemporaryDirectory(prefix="rocwise-bench-") as folder:
        table = str(write_csv(Path(folder) / "scores.csv", rows))
        return [
            _row(
                f"`rocwise {name} {how}` of {rows:,} scores",
                [str(PROGRAM), name, table, "--label", "y", "--score", "p", how],
                0.5,
                setting,
            )
            for name, how in asked
        ]


def _panels(setting: Setting) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="rocwise-bench-") as folder:
        script = PANELS.format(rows=2_000, path=str(Path(folder) / "panels.svg"))
        title = "Seven class panels, drawn and saved"
        return [_row(title, [sys.executable, "-c", script], 2.0, setting)]


def _row(title: str, command: Sequence[str], seconds: float, setting: Setting) -> Row:
    bar = at_most(seconds, "s")
    try:
        found = [_processor(command) for _ in range(QUICK_ROUNDS if setting.quick else ROUNDS)]
    except RuntimeError as error:
        return Row(title, bar=bar, status=Status.BROKEN, note=str(error))
    note = "processor seconds of the whole process, its start included"
    best = min(found)
    return Row(title, ours=best, bar=bar, status=bar.judge(best), note=note, raw={"seconds": found})


def _processor(command: Sequence[str]) -> float:
    """Processor seconds of a process that ends well."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**installed(), "MPLBACKEND": "agg"},
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
            raise RuntimeError(lines[-1] if lines else f"ended with {process.returncode}")
    return used.ru_utime + used.ru_stime
