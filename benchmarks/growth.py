"""How time and memory grow with rows, models, classes, groups, steps and states.

``make growth`` prints the table; ``make growth ARGS="--page docs/explanation/what-it-costs.md"``
writes it into the page as well. Times are processor seconds of all threads, the best of some
calls; memory is what a fresh process holds at most above what it held before the call.
"""

import argparse
import json
import math
import resource
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from time import process_time

from . import machine
from .growth_questions import Question, questions

CALLS, SECONDS = 5, 1.0  # calls of a question, and how long they may take together
LONGEST = 240.0  # seconds for all sizes of a question
STEEPER = 0.25  # slopes this much above their theory are marked
BEGIN, END = "<!-- growth: begin -->", "<!-- growth: end -->"
HEAD = "| question | by | time | slope | theory | memory |\n|---|---|---|---|---|---|"


def measured(question: Question, size: int) -> tuple[float, float]:
    """Seconds of the best call, and MB that the first one needed."""
    data = question.make(size)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    best, total = math.inf, 0.0
    for call in range(CALLS):
        begun = process_time()
        question.ask(data)
        took = process_time() - begun
        if call == 0:
            held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        best, total = min(best, took), total + took
        if call and total > SECONDS:  # the first call may load modules
            break
    return best, held / 1024


def in_a_process(number: int, quick: bool) -> list[tuple[int, float, float]]:
    """Size, seconds and MB of one question, measured where nothing else was."""
    command = [sys.executable, "-m", "benchmarks.growth", "--one", str(number)]
    command += ["--quick"] if quick else []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
        lines = done.stdout
    except subprocess.TimeoutExpired as late:
        lines = (late.stdout or b"").decode()
    return [tuple(json.loads(line)) for line in lines.splitlines()]


def line_of(question: Question, found: list[tuple[int, float, float]]) -> str:
    """One line of the table; a slope above its theory is marked."""
    slopes = [
        math.log(later[1] / first[1]) / math.log(later[0] / first[0])
        for first, later in pairwise(found)
    ]
    slope = slopes[-1] if slopes else math.nan
    mark = " **steep**" if slope > question.slope + STEEPER else ""
    times = "; ".join(f"{size:,}: {_seconds(took)}" for size, took, _ in found) or "no answer"
    memory = f"{max(held for *_, held in found):,.0f} MB" if found else ""
    theory = f"{question.slope:g}"
    return (
        f"| {question.name} | {question.axis} | {times} | {slope:.2f}{mark} | {theory} | {memory} |"
    )


def _seconds(took: float) -> str:
    return f"{took * 1e3:.3g} ms" if took < 1 else f"{took:.3g} s"


def page_with(text: str, table: str) -> str:
    """The page with its table replaced."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def main() -> None:
    """Measure all questions, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", type=Path, help="page whose table is to be replaced")
    parser.add_argument("--quick", action="store_true", help="two smallest sizes of each question")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    asked = questions()
    if given.one is not None:
        for size in asked[given.one].sizes[: 2 if given.quick else None]:
            print(json.dumps([size, *measured(asked[given.one], size)]), flush=True)
        return
    lines = [HEAD]
    print(HEAD, flush=True)
    for number, question in enumerate(asked):
        lines.append(line_of(question, in_a_process(number, given.quick)))
        print(lines[-1], flush=True)
    told = machine.describe()
    where = f"Measured on {told['processor']}, {told['cores']} cores, Python {told['python']}, "
    lines.append(f"\n{where}{told['day']}, load {told['load']}.")
    print(lines[-1])
    if given.page is not None:
        text = given.page.read_text(encoding="utf-8")
        given.page.write_text(page_with(text, "\n".join(lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
