"""How much quicker long questions are with a second thread.

``make gain`` prints the table; ``make gain ARGS="--page docs/how-to/run-in-parallel.md"`` writes it
into the page as well. One thread and two take turns, so that both meet the same neighbours, and the
best turn of each counts: by the processor (with two threads, that of the busier of the thread that
asks and the one that helps) and by the clock. The first line is work of which two threads share
nothing: no question can gain more than that on this machine, now.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from time import perf_counter, process_time, thread_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import rocwise as rw

from . import machine
from .growth import page_with

Ask = Callable[[], object]
SHORTEST = 0.005  # seconds: a question that takes less needs no second thread
TURNS, SECONDS = 40, 3.0  # turns of a question, and how long they may take together
PIECES, PIECE_ROWS = 256, 2**14  # rows that stay in a near cache while they are sorted
CEILING = "two threads that share nothing"
BEGIN, END = "<!-- gain: begin -->", "<!-- gain: end -->"
HEAD = (
    "| question | one thread, ms | two threads, ms | gain | by the clock "
    "| of what the machine can |\n|---|---|---|---|---|---|"
)


class Took(NamedTuple):
    """Seconds of the busier thread on its processor, and of the clock."""

    processor: float
    clock: float


def scores_of(rows: int) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Labels, 30 % of them positive, and probabilities of two models."""
    rng = np.random.default_rng(1)
    y = (rng.random(rows) < 0.3).astype(np.int64)
    first, second = (1 / (1 + np.exp(-y - rng.normal(size=rows))) for _ in range(2))
    return y, first, second


def questions(rows: int, drawn: int) -> dict[str, Ask]:
    """What is asked: whole tables of `rows`, and resamples of a tenth of them."""
    y, first, second = scores_of(rows)
    few = slice(0, rows // 10)
    tally, pairs = rw.tally(y[few], first[few]), {"a": first[few], "b": second[few]}
    short = first.astype(np.float32)
    draws: dict[str, Any] = {"n_resamples": drawn, "rng": 1}
    return {
        "`auc`, float64": lambda: rw.auc(y, first),
        "`auc`, float32": lambda: rw.auc(y, short),
        "`roc`": lambda: rw.roc(y, first),
        "`thresholds`, with `ppv`, `f1` and `mcc`": lambda: _measures(y, first),
        "`compare`, two models, DeLong": lambda: rw.compare(y, {"a": first, "b": second}),
        "`bootstrap` of the area": lambda: rw.bootstrap(tally, **draws),
        "`bootstrap` of a partial area": lambda: rw.bootstrap(
            tally, statistic=rw.statistics.PartialArea(max_fpr=0.2), **draws
        ),
        "`bootstrap` of Youden's threshold": lambda: rw.bootstrap(
            tally, statistic="youden-threshold", **draws
        ),
        "`band`, simultaneous": lambda: rw.band(tally, **draws),
        "`band`, pointwise": lambda: rw.band(tally, kind="pointwise", **draws),
        "`compare`, two models, bootstrap": lambda: rw.compare(
            y[few], pairs, method="bootstrap", **draws
        ),
        "`cost_curve(...).band`": lambda: rw.cost_curve(tally).band(**draws),
        "`rec_band`, bootstrap": lambda: rw.rec_band(
            rw.rec(first[few], second[few]), kind="bootstrap", **draws
        ),
    }


def _measures(y: NDArray[np.int64], score: NDArray[np.float64]) -> object:
    table = rw.thresholds(y, score)
    return table.ppv, table.f1, table.mcc


def took(ask: Ask) -> Took:
    """What one call takes."""
    clock, all_threads, own = perf_counter(), process_time(), thread_time()
    ask()
    asking = thread_time() - own
    helping = process_time() - all_threads - asking
    return Took(max(asking, helping), perf_counter() - clock)


def in_turns(one: Ask, two: Ask, turns: int) -> tuple[Took, Took]:
    """The best of each of two askings that take turns, a few or for some seconds."""
    one(), two()  # loads modules, and what is kept between calls
    found: list[list[Took]] = [[], []]
    begun = perf_counter()
    while len(found[0]) < turns and (perf_counter() - begun < SECONDS or len(found[0]) < 3):
        for ask, taken in zip((one, two), found, strict=True):
            taken.append(took(ask))
    alone, shared = (Took(*map(min, zip(*taken, strict=True))) for taken in found)
    return alone, shared


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


def ceiling(turns: int) -> tuple[Took, Took]:
    """What the machine can: fixed work by one thread, and by two that do half of it each."""
    pieces = np.random.default_rng(1).random((PIECES, PIECE_ROWS))
    return in_turns(lambda: sort_pieces(pieces), lambda: sort_halves(pieces), turns)


def line_of(name: str, alone: Took, shared: Took, most: float) -> str:
    """One line of the table; `most` is what the clock can gain on this machine."""
    clock = alone.clock / shared.clock
    gains = (f"{alone.processor / shared.processor:.2f}", f"{clock:.2f}", f"{clock / most:.0%}")
    if alone.processor <= SHORTEST:
        gains = ("short",) * 3
    seconds = (f"{each.processor * 1e3:.1f}" for each in (alone, shared))
    return f"| {' | '.join((name, *seconds, *gains))} |"


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
    alone, shared = ceiling(options.turns)
    most = alone.clock / shared.clock
    lines = [HEAD, line_of(CEILING, alone, shared, most)]
    print("\n".join(lines), flush=True)
    for name, ask in questions(options.rows, options.resamples).items():
        found = in_turns(with_threads(ask, 1), with_threads(ask, 2), options.turns)
        lines.append(line_of(name, *found, most))
        print(lines[-1], flush=True)
    versions = {"rocwise": rw.__version__, "numpy": np.__version__}
    where = machine.sentence(told, versions, machine.load())
    lines.append(f"\n{where}{stolen_words(before, machine.ticks())}")
    print(lines[-1])
    if options.page is not None:
        text = options.page.read_text(encoding="utf-8")
        made = page_with(text, "\n".join(lines), BEGIN, END)
        options.page.write_text(made, encoding="utf-8")


def _parsed(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads_gain", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--turns", type=int, default=TURNS, help="at most so many of a question")
    parser.add_argument("--page", type=Path, help="page whose table is to be replaced")
    return parser.parse_args(words)


if __name__ == "__main__":
    main()
