"""Run one AUC and print the peak memory it added, as JSON: `memory_probe NAME FOLDER`."""

import json
import re
import sys
from pathlib import Path

import numpy as np

from . import answers
from .data import Sample

CALLS = {"rocwise": answers.rocwise_auc, "scikit-learn": answers.sklearn_auc}


def main() -> None:
    """Load, warm up on a few rows, forget the peak so far, call, and read the new peak."""
    name, folder = sys.argv[1], Path(sys.argv[2])
    label, score = np.load(folder / "label.npy"), np.load(folder / "score.npy")
    call = CALLS[name]
    call(Sample(label[:1000], score[:1000], score[:1000]))
    Path("/proc/self/clear_refs").write_text("5")  # 5: reset the peak to the present size
    before = _status_bytes("VmRSS")
    value = call(Sample(label, score, score))
    found = {
        "peak_bytes": _status_bytes("VmHWM") - before,
        "input_bytes": label.nbytes + score.nbytes,
        "auc": value[0],
    }
    print(json.dumps(found))


def _status_bytes(field: str) -> int:
    """A field of this process's status; the peak of `getrusage` would include the parent's."""
    text = Path("/proc/self/status").read_text()
    found = re.search(rf"^{field}:\s+(\d+) kB", text, re.MULTILINE)
    if found is None:
        sys.exit(f"The kernel does not report {field}.")
    return 1024 * int(found[1])


if __name__ == "__main__":
    main()
