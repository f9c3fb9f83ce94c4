"""How much quicker long questions are with a second thread.

``make gain`` prints the table. On a machine that others use as well, the seconds of a clock say
little, so that the processor's seconds are told too: with two threads, those of the busier of the
thread that asks and the one that helps; the clock's are told where the machine is quiet. The
best of some calls counts.
"""

import argparse
import math
from collections.abc import Callable
from time import perf_counter, process_time, thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rocwise as rw

from . import machine

Ask = Callable[[], object]
SHORTEST = 0.005  # seconds: a question that takes less needs no second thread
HEAD = (
    "| question | one thread, ms | two threads, ms | gain | by the clock |\n|---|---|---|---|---|"
)


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


def seconds(ask: Ask, number: int, calls: int) -> tuple[float, float]:
    """Processor seconds of the busier thread, and those of the clock: of the best call each."""
    best = [math.inf, math.inf]
    with rw.threads(number):
        for _ in range(calls):
            clock, all_threads, own = perf_counter(), process_time(), thread_time()
            ask()
            asking = thread_time() - own
            helping = process_time() - all_threads - asking
            took = max(asking, helping), perf_counter() - clock
            best = [min(pair) for pair in zip(best, took, strict=True)]
    return best[0], best[1]


def line_of(name: str, ask: Ask, calls: int) -> str:
    """One line of the table."""
    ask()
    (alone, alone_clock), (shared, shared_clock) = (seconds(ask, n, calls) for n in (1, 2))
    gain = f"{alone / shared:.2f}" if alone > SHORTEST else "short"
    told = machine.describe()
    quiet = told["load"] < told["cores"]
    clock = f"{alone_clock / shared_clock:.2f}" if quiet else "busy"
    cells = (name, f"{alone * 1e3:.1f}", f"{shared * 1e3:.1f}", gain, clock)
    return f"| {' | '.join(cells)} |"


def main(words: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads_gain", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--calls", type=int, default=3)
    options = parser.parse_args(words)
    told = machine.describe()
    print(HEAD)
    for name, ask in questions(options.rows, options.resamples).items():
        print(line_of(name, ask, options.calls), flush=True)
    versions = {"rocwise": rw.__version__, "numpy": np.__version__}
    print(f"\n{machine.sentence(told, versions, machine.load())}")


if __name__ == "__main__":
    main()
