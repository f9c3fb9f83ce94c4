"""Peak memory of one AUC, in a process of its own, over the bytes of its input."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from .agreement import Relative
from .data import binormal
from .memory_probe import CALLS
from .peers import SKLEARN
from .rows import Row, Status, at_most
from .tasks import Setting, Task
from .workers import HERE

PROC_STATUS = Path("/proc/self/status")


def tasks() -> Iterator[Task]:
    """One size, labels as they usually come (int64)."""
    yield Task("memory", ["auc"], _memory)


def _memory(setting: Setting) -> list[Row]:
    sample = binormal(setting.rows(10_000_000))
    title = f"Peak memory of AUC over its input, {sample.rows:,} rows"
    bar = at_most(3, "x")
    if not PROC_STATUS.exists():
        return [Row(title, bar=bar, note="not measured: needs Linux's /proc")]
    with tempfile.TemporaryDirectory(prefix="rocwise-bench-") as folder:
        np.save(Path(folder) / "label.npy", sample.label)
        np.save(Path(folder) / "score.npy", sample.first)
        del sample
        try:
            found = {
                name: _probe(name, folder)
                for name in CALLS
                if name == "rocwise" or setting.versions.get(SKLEARN.name)
            }
        except subprocess.CalledProcessError as error:
            return [Row(title, status=Status.BROKEN, note=error.stderr.strip()[-200:])]
    return [_row(title, found)]


def _row(title: str, found: dict[str, dict[str, float]]) -> Row:
    ours, theirs = found["rocwise"], found.get("scikit-learn")
    bar = at_most(3, "x")
    peer = "scikit-learn" if theirs else ""
    if theirs and not Relative().holds((ours["auc"],), (theirs["auc"],)):
        note = f"rocwise {ours['auc']}, scikit-learn {theirs['auc']}"
        return Row(title, peer, status=Status.DISAGREES, note=note)
    own = ours["peak_bytes"] / ours["input_bytes"]
    other = theirs["peak_bytes"] / theirs["input_bytes"] if theirs else None
    return Row(
        title,
        peer,
        ours=own,
        theirs=other,
        unit="x",
        ratio=None if other is None else other / own,
        bar=bar,
        status=bar.judge(own),
        note=f"input {ours['input_bytes'] / 2**20:.0f} MiB, not counted in the peak",
        raw=dict(found),
    )


def _probe(name: str, folder: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.memory_probe", name, folder],
        capture_output=True,
        text=True,
        check=True,
        cwd=HERE.parent,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found
