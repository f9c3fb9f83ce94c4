"""How time and memory grow with rows, models, classes, groups, resamples, steps and states.

``make growth`` prints the table; ``make growth ARGS="--page docs/explanation/what-it-costs.md"``
writes it into the page as well. Times are processor seconds of all threads, the best of some
calls. Every question has a process of its own, and its memory is what that process holds at most
above what it held before the call with the largest size. Questions about two classes are asked once
more of a million rows in fewer bytes, of which the same memory is a larger multiple.
"""

import argparse
import ctypes
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from . import growth_data, machine
from .growth_fits import HEAD, Measured, line_of
from .growth_questions import Question, bytes_of, questions

CALLS, SECONDS = 5, 0.5  # calls of a question, and how long they may take together
LONGEST_CALL = 20.0  # a size that promises to take longer is not asked
BUSY = 0.1  # share of the processors' time taken by others, from which times are less certain
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
LONGEST = 100.0  # seconds for all sizes of a question
BEGIN, END = "<!-- growth: begin -->", "<!-- growth: end -->"
NO_BREAK = "\N{NO-BREAK SPACE}"
NARROW = {"labels": growth_data.short_labels, "scores": growth_data.single_scores}
NARROW_ROWS, NARROW_RESAMPLES = 1_000_000, 100  # more resamples take longer, not more memory
STATUS, PEAK = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def measured(question: Question, size: int) -> Measured:
    """Seconds of the best call; bytes that the first one needed, was given and answered with."""
    return _asked(question, question.make(size), size, CALLS)


def measured_narrow(question: Question, kind: str) -> Measured:
    """The same of one call with a million rows in fewer bytes."""
    growth_data.DRAWN["n_resamples"] = NARROW_RESAMPLES
    question.ask(NARROW[kind](question.make(question.sizes[0])))  # loads modules
    return _asked(question, NARROW[kind](question.make(NARROW_ROWS)), NARROW_ROWS, 1)


def _asked(question: Question, data: Any, size: int, calls: int) -> Measured:
    before = _forget_peak()
    best, total, held, answered = math.inf, 0.0, 0, 0
    for call in range(calls):
        begun = process_time()
        answer = question.ask(data)
        took = process_time() - begun
        if call == 0:
            held, answered = _held("VmHWM") - before, bytes_of(answer)
        del answer  # before the next one is made
        best, total = min(best, took), total + took
        if total > SECONDS:
            break
    return Measured(size, best, max(held, 0), bytes_of(data), answered)


def _forget_peak() -> int:
    """Give freed memory back to the system, forget the peak so far, and say what is held now."""
    if PEAK.exists():
        ctypes.CDLL(None).malloc_trim(0)
        PEAK.write_text("5")
    return _held("VmRSS")


def _held(field: str) -> int:
    """A field of this process's status in bytes; 0 where the system does not tell."""
    text = STATUS.read_text() if STATUS.exists() else ""
    found = re.search(rf"^{field}:\s+(\d+) kB", text, re.MULTILINE)
    return 1024 * int(found[1]) if found else 0


def all_sizes(question: Question, sizes: tuple[int, ...]) -> None:
    """Print a line for each size, while the next one promises to be quick enough."""
    question.ask(question.make(sizes[0]))  # loads modules
    for k, size in enumerate(sizes):
        found = measured(question, size)
        print(json.dumps(found), flush=True)
        steps = sizes[k + 1] / size if k + 1 < len(sizes) else 1.0
        if found.seconds * steps**question.slope > LONGEST_CALL:
            break


def in_a_process(number: int, *options: str) -> tuple[list[Measured], str]:
    """What was found for one question where nothing else was asked, and why there is no more."""
    command = [sys.executable, "-m", "benchmarks.growth", "--one", str(number), *options]
    problem = ""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
        lines = done.stdout
        if done.returncode:
            problem = (done.stderr.strip().splitlines() or ["it ended"])[-1]
    except subprocess.TimeoutExpired as late:
        lines, problem = (late.stdout or b"").decode(), f"stopped after {LONGEST:.0f} s"
    return [Measured(*json.loads(line)) for line in lines.splitlines()], problem


def page_with(text: str, table: str, begin: str = BEGIN, end: str = END) -> str:
    """The page with its table replaced; a size, its number and the unit stay on one line."""
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    kept = re.sub(r"(?<=\d:) (?=\d)|(?<=\d) (?=(?:µs|ms|s|MB)\b)", NO_BREAK, table)
    return f"{before}{begin}\n{kept}\n{end}{after}"


def main() -> int:
    """Measure all questions, each in a process of its own; 1 when one of them failed."""
    given = _parse()
    asked = questions()
    if given.one is not None:
        question = asked[given.one]
        if given.narrow:
            print(json.dumps(measured_narrow(question, given.narrow)))
        else:
            all_sizes(question, question.sizes[: 2 if given.quick else None])
        return 0
    told, before, lines, failed = machine.describe(), machine.ticks(), [HEAD], 0
    print(HEAD, flush=True)
    for number, question in enumerate(asked):
        if given.only and not any(word in question.name for word in given.only):
            continue
        found, problem = in_a_process(number, *["--quick"] * given.quick)
        kinds = NARROW if question.by_rows and not given.quick else ()
        narrow = [in_a_process(number, "--narrow", kind) for kind in kinds]
        failed += bool(problem) + sum(bool(why) for _, why in narrow)
        lines.append(line_of(question, found, problem, [each for each, _ in narrow]))
        print(lines[-1], flush=True)
    spent = [late - early for early, late in zip(before, machine.ticks(), strict=True)]
    lines.append(f"\n{where(told, spent, sum(os.times()[:4]) * TICKS_PER_SECOND)}")
    print(lines[-1])
    if given.page is not None:
        text = given.page.read_text(encoding="utf-8")
        given.page.write_text(page_with(text, "\n".join(lines)), encoding="utf-8")
    return int(failed > 0)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--page", type=Path, help="page whose table is to be replaced")
    parser.add_argument("--quick", action="store_true", help="two smallest sizes of each question")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="questions with a word")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--narrow", choices=NARROW, help=argparse.SUPPRESS)
    return parser.parse_args()


def where(told: Mapping[str, object], spent: Sequence[int], own: float) -> str:
    """The machine, and what else it did: `spent` as `machine.ticks`, `own` of them ours."""
    machine_words = (
        f"{told['processor']}, {told['cores']} cores, Python {told['python']}, {told['day']}"
    )
    if not spent or not sum(spent):
        return f"{machine_words}."
    idle, stolen = sum(spent[3:5]), spent[7]
    others = max(sum(spent) - idle - stolen - own, 0.0)
    shares = [part / sum(spent) for part in (others, stolen)]
    busy = " The machine was busy with other work: times are good to a factor of two."
    return (
        f"{machine_words}; meanwhile {shares[0]:.0%} of the processors' time went to other work "
        f"and {shares[1]:.0%} to other machines." + busy * (sum(shares) > BUSY)
    )


if __name__ == "__main__":
    sys.exit(main())
