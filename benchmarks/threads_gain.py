"""How much quicker kernels and long questions are with a second thread.

``make gain`` prints a table of kernels and one for each group of questions, with too small a gain
in bold; ``ARGS="--only band"`` asks what has the word in its name or in that of its group, and
``ARGS="--page docs/how-to/run-in-parallel.md"`` writes all of it into the page.

One thread and two take turns, so that both meet the same neighbours, and the best call of each
counts: by the processor (with two threads, that of the busier of the thread that asks and the one
that helps) and by the clock. A turn is two calls, of which the second finds rows where the first
has left them. All questions of a table have their turns, and then all again, since a rented machine
is slow for seconds at a time. The first line of a table is work of which two threads share nothing:
no question can gain more than that on this machine, now.
"""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Thread
from time import perf_counter, process_time, thread_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import rocwise as rw
from rocwise import kernels

from . import machine
from .gain_kernels import GROUP as KERNELS
from .gain_kernels import longest_calls
from .gain_questions import Ask, Questions, questions
from .growth import page_with

SHORTEST = 0.005  # seconds: a question that takes less needs no second thread
ENOUGH = 1.7  # the gain to reach, where the machine can
ALIKE = 0.95  # gains of equal work differ by so much
CALLS = 2  # of a turn: the first also moves rows from one processor's cache to the other's
ROUNDS = 3  # of a table
TURNS, SECONDS = 40, 0.5  # calls of a question in a round, and how long they may take together
PIECES, PIECE_ROWS = 256, 2**14  # rows that stay in a near cache while they are sorted
CEILING = "two threads that share nothing"
BEGIN, END = "<!-- gain: begin -->", "<!-- gain: end -->"
HEAD = "| one thread, ms | two threads, ms | gain | by the clock | of what the machine can |"


class Took(NamedTuple):
    """Seconds of the busier thread on its processor, and of the clock."""

    processor: float
    clock: float


class Gain(NamedTuple):
    """How many times as quick two threads were, by their processors and by the clock."""

    processor: float
    clock: float

    @classmethod
    def of(cls, alone: Took, shared: Took) -> "Gain":
        """The gain of two threads over one."""
        return cls(alone.processor / shared.processor, alone.clock / shared.clock)

    def below(self, machine_gain: "Gain") -> bool:
        """Whether work is shared less evenly than asked for and than the machine can."""
        return self.processor < ALIKE * min(ENOUGH, machine_gain.processor)


def took(ask: Ask) -> Took:
    """What one call takes."""
    clock, all_threads, own = perf_counter(), process_time(), thread_time()
    ask()
    asking = thread_time() - own
    helping = process_time() - all_threads - asking
    return Took(max(asking, helping), perf_counter() - clock)


def in_turns(one: Ask, two: Ask, turns: int) -> tuple[Took, Took]:
    """The best call of each of two askings that take turns, a few or for some seconds."""
    one(), two()  # loads modules, and what is kept between calls
    found: list[list[Took]] = [[], []]
    begun = perf_counter()
    while len(found[0]) < turns and (perf_counter() - begun < SECONDS or len(found[0]) < 3):
        for ask, taken in zip((one, two), found, strict=True):
            taken.extend(took(ask) for _ in range(CALLS))
    alone, shared = map(best_of, found)
    return alone, shared


def best_of(taken: Iterable[Took]) -> Took:
    """The least of each."""
    return Took(*map(min, zip(*taken, strict=True)))


def in_rounds(asked: dict[str, tuple[Ask, Ask]], turns: int) -> dict[str, tuple[Took, Took]]:
    """The best calls of every question's two askings, whose turns come round a few times."""
    found: dict[str, list[tuple[Took, Took]]] = {name: [] for name in asked}
    for _ in range(ROUNDS):
        for name, (one, two) in asked.items():
            found[name].append(in_turns(one, two, turns))
    best = {name: tuple(map(best_of, zip(*each, strict=True))) for name, each in found.items()}
    return {name: (alone, shared) for name, (alone, shared) in best.items()}


def with_threads(ask: Ask, number: int) -> Ask:
    """A question that is asked with so many threads."""

    def limited() -> None:
        with rw.threads(number):
            ask()

    return limited


def sort_pieces(pieces: NDArray[np.float64]) -> None:
    """Sort copies of rows, a piece at a time: compiled work that holds no lock."""
    for piece in pieces:
        np.sort(piece)


def sort_halves(pieces: NDArray[np.float64]) -> None:
    """The same by two threads, which neither write to nor wait for anything of each other."""
    helper = Thread(target=sort_pieces, args=(pieces[1::2],))
    helper.start()
    sort_pieces(pieces[::2])
    helper.join()


def ceiling() -> tuple[Ask, Ask]:
    """What the machine can: fixed work by one thread, and by two that do half of it each."""
    pieces = np.random.default_rng(1).random((PIECES, PIECE_ROWS))
    return lambda: sort_pieces(pieces), lambda: sort_halves(pieces)


def line_of(name: str, alone: Took, shared: Took, most: Gain) -> str:
    """One line of a table; `most` is what the machine can gain, and less than that is bold."""
    gain = Gain.of(alone, shared)
    evenly = f"**{gain.processor:.2f}**" if gain.below(most) else f"{gain.processor:.2f}"
    seconds = (f"{each.processor * 1e3:.1f}" for each in (alone, shared))
    gains = (evenly, f"{gain.clock:.2f}", f"{gain.clock / most.clock:.0%}")
    return f"| {' | '.join((name, *seconds, *gains))} |"


class Found(NamedTuple):
    """What a group told: lines that were printed, bold ones among them, and what was too short."""

    lines: list[str]
    bold: list[str]
    short: list[str]


def ask_all(group: str, asked: Questions, turns: int) -> Found:
    """Print the table of a group: its name, what the machine can, and every long question."""
    found = Found([], [], [])

    def tell(line: str) -> None:
        print(line, flush=True)
        found.lines.append(line)

    both = {name: (with_threads(ask, 1), with_threads(ask, 2)) for name, ask in asked.items()}
    taken = in_rounds({CEILING: ceiling(), **both}, turns)
    bare = taken.pop(CEILING)
    most = Gain.of(*bare)
    tell(f"\n| {group} {HEAD}\n|---|---|---|---|---|---|\n{line_of(CEILING, *bare, most)}")
    for name, (alone, shared) in taken.items():
        if alone.processor <= SHORTEST:
            found.short.append(name)
            continue
        tell(line_of(name, alone, shared, most))
        if Gain.of(alone, shared).below(most):
            found.bold.append(name)
    return found


def chosen(asked: dict[str, Questions], word: str) -> dict[str, Questions]:
    """The questions that have a word in their name or in that of their group."""
    kept = {
        group: {
            name: ask for name, ask in each.items() if word.lower() in f"{group} {name}".lower()
        }
        for group, each in asked.items()
    }
    return {group: each for group, each in kept.items() if each}


def verdict(found: Sequence[Found]) -> str:
    """How many questions gain too little, and which are too short to gain."""
    asked = sum(len(each.lines) - 1 for each in found)
    bold = sum(len(each.bold) for each in found)
    short = [name for each in found for name in each.short]
    words = f"\n{bold} of {asked} gain less than {ENOUGH} and than the machine can: the bold ones."
    return f"{words}\n\nAt most 5 ms: {'; '.join(short)}." if short else words


def stolen_words(before: Sequence[int], after: Sequence[int]) -> str:
    """How much of the wanted time went to other machines; nothing where no one counts that."""
    spent = [late - early for early, late in zip(before, after, strict=True)]
    wanted = sum(spent) - sum(spent[3:5])
    if not wanted:
        return ""
    return f" Other machines took {spent[7] / wanted:.0%} of the processors' busy time."


def main(words: list[str] | None = None) -> None:
    """Print the table, and write it into a page if there is one."""
    options = _parsed(words)
    told, before = machine.describe(), machine.ticks()
    asked = chosen(questions(options.rows, options.resamples), options.only)
    asked = {KERNELS: longest_calls(asked)} | asked
    found = [ask_all(group, each, options.turns) for group, each in asked.items()]
    lines = [line for each in found for line in each.lines]
    versions = {
        "rocwise": f"{rw.__version__} with {kernels.ACTIVE} kernels",
        "numpy": np.__version__,
    }
    where = machine.sentence(told, versions, machine.load())
    last = [verdict(found), f"\n{where}{stolen_words(before, machine.ticks())}"]
    print("\n".join(last))
    if options.page is not None:
        text = options.page.read_text(encoding="utf-8")
        made = page_with(text, "\n".join([*lines, *last]).strip(), BEGIN, END)
        options.page.write_text(made, encoding="utf-8")


def _parsed(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads_gain", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--resamples", type=int, default=500)
    parser.add_argument("--only", default="", help="questions with this word")
    parser.add_argument("--turns", type=int, default=TURNS, help="at most so many of a question")
    parser.add_argument("--page", type=Path, help="page whose table is to be replaced")
    options = parser.parse_args(words)
    if options.only and options.page is not None:
        parser.error("a page has all questions: leave out --only")
    return options


if __name__ == "__main__":
    main()
