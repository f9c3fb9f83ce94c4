"""Command lines with one spoiled option: a result or an error, never a traceback."""

import contextlib
import io
import os
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fuzz.values import short
from fuzz.walker import Outcome

GOOD = {"result", "error", "help"}
VALUES = ("", "x", "nan", "inf", "-1", "0", "1", "0.5", "1e-320", "1e400", "9" * 30,
          "9" * 5000,
          "1,2", "-", "--", "\x1b[31m", "a" * 3000, "0.99999999999999999", "é",
          "1_000")  # fmt: skip
TABLE = np.random.default_rng(3).normal(size=(60, 3)).round(2)
BASE = {
    "auc": ["{file}", "--label", "y", "--score", "a"],
    "band": ["{file}", "--label", "y", "--score", "a", "--resamples", "50"],
    "compare": ["{file}", "--label", "y", "--scores", "a,b"],
    "costs": ["{file}", "--label", "y", "--score", "p"],
    "threshold": ["{file}", "--label", "y", "--score", "a", "--rule", "youden"],
    "thresholds": ["{file}", "--label", "y", "--score", "a"],
    "det": ["{file}", "--label", "y", "--score", "a", "--resamples", "50"],
    "roc": ["{file}", "--label", "y", "--score", "a"],
    "power": ["--auc", "0.8", "--n-pos", "30", "--n-neg", "30"],
    "bounds": ["--point", "0.1,0.6"],
    "abstain": ["{file}", "--label", "y", "--score", "a", "--cost-fp", "1", "--cost-fn", "2",
                "--cost-abstain", "0.2"],
    "reliable": ["{file}", "--label", "y", "--score", "a", "--positive", "0.6"],
    "segment": ["{file}", "--label", "y", "--score", "a"],
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A command with one option given one value."""

    command: str
    option: str
    value: str

    @property
    def key(self) -> str:
        return f"{self.command} {self.option} {short(ascii(self.value), 40)}"


def cases(seed: int = 0, fraction: float = 1.0) -> list[Case]:
    every = [
        Case(command, option, value)
        for command in BASE
        for option in _options(command)
        for value in VALUES
    ]
    random.Random(seed).shuffle(every)
    return every[: round(fraction * len(every))]


def _options(command: str) -> list[str]:
    """What the help of a command lists."""
    import re

    _, words, _ = _ran([command, "--help"])
    return sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", words)) - {"--help", "--plot"})


def run(case: Case) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cases.csv"
        rows = [f"{k % 2},{a},{b},{1 / (1 + np.exp(-c)):.3f}" for k, (a, b, c) in enumerate(TABLE)]
        file.write_text("\n".join(["y,a,b,p", *rows]) + "\n")
        base = [word.format(file=file) for word in BASE[case.command]]
        before = os.getcwd()
        os.chdir(folder)
        try:
            code, _, error = _ran([case.command, *base, case.option, case.value])
        except Exception as problem:
            return Outcome(case.key, "traceback", f"{type(problem).__name__}: {short(problem)}")
        finally:
            os.chdir(before)
    if "Traceback" in error:
        return Outcome(case.key, "traceback", short(error[-300:], 300))
    return Outcome(case.key, "result" if code == 0 else "error", short(error))


def _ran(words: list[str]) -> tuple[int, str, str]:
    from rocwise.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as stopped:
            code = stopped.code if isinstance(stopped.code, int) else 1
    return int(code or 0), out.getvalue(), err.getvalue()
