"""Processes that answer questions about the same sample: R, and rocwise with other kernels.

A worker reads one command per line and answers with one line, fields separated by tabs:
`load FOLDER ROWS` -> `ok`; `run QUESTION CALLS ARGUMENT` -> `ok SECONDS VALUE ...`;
`versions` -> `ok NAME=VERSION ...`; a failure -> `error SENTENCE`.
It times itself, so that starting, loading and talking are not counted.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from .data import Sample
from .stopwatch import Timed

HERE = Path(__file__).parent


class WorkerError(RuntimeError):
    """The worker answered with an error, or ended."""


class Worker:
    """One such process, started when first asked and ended by `close`."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None):
        self._command = list(command)
        self._environment = {**os.environ, **(environment or {})}
        self._process: subprocess.Popen[str] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="rocwise-bench-")
        self._loaded: Sample | None = None

    def measure(self, sample: Sample, question: str, calls: int, argument: int = 0) -> Timed:
        """Answer `question` about `sample` `calls` times; seconds are those of one call."""
        self._load(sample)
        seconds, *value = self._ask("run", question, str(calls), str(argument))
        return Timed(float(seconds) / calls, tuple(float(number) for number in value))

    def versions(self) -> dict[str, str]:
        """Name -> version of what the worker can use."""
        return dict(field.split("=", 1) for field in self._ask("versions"))

    def close(self) -> None:
        """End the process and remove its files."""
        if self._process is not None:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.kill()
            self._process.wait()
            self._process.stdin.close()
            self._process.stdout.close()
            self._process = None
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _load(self, sample: Sample) -> None:
        if self._loaded is not sample:
            sample.save(Path(self._folder.name))
            self._ask("load", self._folder.name, str(sample.rows))
            self._loaded = sample

    def _ask(self, *words: str) -> list[str]:
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write("\t".join(words) + "\n")
            process.stdin.flush()
        except BrokenPipeError as error:
            raise WorkerError(f"{self._command[0]} ended before `{words[0]}`.") from error
        kind, *fields = process.stdout.readline().rstrip("\n").split("\t")
        if kind != "ok":
            raise WorkerError(" ".join(fields) or f"{self._command[0]} ended during `{words[0]}`.")
        return fields

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            # A session of its own: Ctrl-C reaches us alone, and we end the worker in order.
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
                cwd=HERE.parent,
            )
        return self._process


def r_worker() -> Worker | None:
    """R with the peers written in it; None without R."""
    program = shutil.which("Rscript")
    return None if program is None else Worker([program, "--vanilla", str(HERE / "peers.R")])


def plain_worker() -> Worker:
    """Python with the numpy twins of the compiled kernels."""
    return Worker([sys.executable, "-m", "benchmarks.plain_worker"], {"ROCWISE_KERNELS": "numpy"})
