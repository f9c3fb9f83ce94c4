"""The worker that runs rocwise on the numpy twins of its kernels (see `workers`)."""

import os
import sys
import time
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from . import answers
from .data import Sample, load

QUESTIONS = {"auc": answers.rocwise_auc, "delong": answers.rocwise_delong}


def main() -> None:
    """Answer commands until the input ends."""
    if os.environ.get("ROCWISE_KERNELS") != "numpy":
        sys.exit("Set ROCWISE_KERNELS=numpy: this worker times the numpy twins.")
    sample: Sample | None = None
    for line in sys.stdin:
        command, *words = line.rstrip("\n").split("\t")
        try:
            if command == "load":
                sample = load(Path(words[0]))
                reply = ["ok"]
            elif command == "run" and sample is not None:
                reply = ["ok", *(repr(number) for number in _run(sample, words[0], int(words[1])))]
            else:
                reply = ["error", f"`{command}` came before `load`, or is no command."]
        except Exception as error:  # whatever it is, the reader must be told
            reply = ["error", f"{type(error).__name__}: {error}".replace("\n", " ")]
        print("\t".join(reply), flush=True)


def _run(sample: Sample, question: str, calls: int) -> tuple[float, ...]:
    answer = QUESTIONS[question]
    start = time.perf_counter()
    for _ in range(calls):
        value = answer(sample)
    seconds = time.perf_counter() - start
    _refuse_compiled()
    return (seconds, *(float(number) for number in value))


def _refuse_compiled() -> None:
    """Fail if rocwise used a compiled module after all: the figure would be another one."""
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None) or ""
        if name.startswith("rocwise.") and path.endswith(tuple(EXTENSION_SUFFIXES)):
            raise RuntimeError(f"ROCWISE_KERNELS=numpy did not keep {name} from loading.")


if __name__ == "__main__":
    main()
