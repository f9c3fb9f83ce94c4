"""How often a threshold with a guarantee breaks its promise: ``python -m studies.guarantees``.

Samples come from worlds whose true rates are known at every threshold. Beside the certified
threshold stands the usual one: the best whose *observed* rate keeps the limit. The command counts
what is missing and writes a table of `docs/guide/guaranteed-thresholds.md`.
"""

from __future__ import annotations

import math
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta, norm

import rocwise as rw

from .cells import Part
from .kept_counts import standard_error
from .study import Cell, Study, cells, run

SEED, DELTA, RUNS = 20, 0.1, 2000
NAIVE = {"fpr": "min-specificity", "fnr": "min-sensitivity", "fdr": "min-precision"}
NAIVE |= {"for": "min-npv", "error": "accuracy"}
Sample = tuple[NDArray[np.int64], NDArray[np.float64]]


@dataclass(frozen=True)
class World:
    """Where cases come from, and the true (P(called | positive), P(called | negative))."""

    name: str
    draw: Callable[[np.random.Generator, int], Sample]
    rates: Callable[[float], tuple[float, float]]
    share: float  # of positives


def _normal(decimals: int) -> World:
    """Two normal classes one standard deviation apart, half of the cases each."""
    half = 0.5 * 10.0**-decimals  # a rounded score reaches t when the score reaches t - half

    def draw(rng: np.random.Generator, n: int) -> Sample:
        y = np.repeat([0, 1], n // 2)
        return y, np.round(rng.normal(size=len(y)) + y, decimals)

    def rates(cut: float) -> tuple[float, float]:
        return float(norm.sf(cut - half, loc=1)), float(norm.sf(cut - half))

    return World("normal" if decimals > 3 else "rounded", draw, rates, 0.5)


def _calibrated() -> World:
    """Scores are true risks, distributed as Beta(1, 2)."""

    def draw(rng: np.random.Generator, n: int) -> Sample:
        risk = rng.beta(1, 2, n)
        return (rng.random(n) < risk).astype(np.int64), risk

    def rates(cut: float) -> tuple[float, float]:
        return float(beta.sf(cut, 2, 2)), float(beta.sf(cut, 1, 3))

    return World("calibrated", draw, rates, 1 / 3)


def _broken() -> World:
    """Uniform scores that are true risks up to 0.8; beyond, only 0.3 are positive."""

    def hits(cut: float) -> float:
        """P(positive and score >= cut)."""
        low = max(0.8**2 - min(cut, 0.8) ** 2, 0.0) / 2
        return low + 0.3 * (1 - max(cut, 0.8))

    def draw(rng: np.random.Generator, n: int) -> Sample:
        score = rng.random(n)
        return (rng.random(n) < np.where(score < 0.8, score, 0.3)).astype(np.int64), score

    share = hits(0.0)

    def rates(cut: float) -> tuple[float, float]:
        cut = min(max(cut, 0.0), 1.0)
        return hits(cut) / share, ((1 - cut) - hits(cut)) / (1 - share)

    return World("broken", draw, rates, share)


WORLDS = {world.name: world for world in (_normal(6), _normal(1), _calibrated(), _broken())}


def true_rate(world: World, rate: str, cut: float) -> float:
    """The rate in the population when scores of at least `cut` are called positive."""
    tpr, fpr = world.rates(cut)
    tp, fp = world.share * tpr, (1 - world.share) * fpr
    fn, tn = world.share - tp, 1 - world.share - fp
    errors = {"fpr": fp, "fnr": fn, "fdr": fp, "for": fn, "error": fp + fn}[rate]
    among = {"fpr": fp + tn, "fnr": tp + fn, "fdr": tp + fp, "for": tn + fn, "error": 1.0}[rate]
    return errors / among if among > 0 else 0.0


@dataclass(frozen=True)
class Count:
    """How often the true rate exceeded the limit."""

    cell: str
    rate: str
    world: str
    n: int
    alpha: float
    runs: int
    answered: int
    failed: int
    naive_failed: int


def settings() -> Iterator[tuple[str, str, int, float]]:
    """Every cell of the study."""
    for rate, worlds, sizes in (
        ("fpr", {"normal": 0.1, "rounded": 0.1}, (100, 400)),
        ("fnr", {"normal": 0.1, "rounded": 0.1}, (100, 400)),
        ("fdr", {"calibrated": 0.4, "broken": 0.55}, (300, 2000)),
        ("for", {"calibrated": 0.2, "broken": 0.2}, (300, 2000)),
        ("error", {"calibrated": 0.3, "broken": 0.42}, (300, 2000)),
    ):
        for world, alpha in worlds.items():
            for n in sizes:
                yield rate, world, n, alpha


def count(cell: Cell) -> list[Count]:
    """One cell; replicate r depends on its place and r alone."""
    (rate, name, n, alpha), runs = cell.place, cell.samples
    world = WORLDS[name]
    answered = failed = naive_failed = 0
    place = zlib.crc32(f"{rate} {world.name} {n} {alpha}".encode())
    for replicate in range(runs):
        y, s = world.draw(np.random.default_rng([SEED, place, replicate]), n)
        t = rw.tally(y, s)
        naive_failed += true_rate(world, rate, _naive(t, rate, alpha)) > alpha
        try:
            cut = rw.guaranteed_threshold(t, rate=rate, alpha=alpha, delta=DELTA).threshold
        except rw.InputError:
            continue  # nothing was promised
        answered += 1
        failed += true_rate(world, rate, cut) > alpha
    return [Count(str(cell), rate, name, n, alpha, runs, answered, failed, naive_failed)]


def _naive(t: rw.Tally, rate: str, alpha: float) -> float:
    constraint = None if rate == "error" else 1 - alpha
    try:
        return rw.threshold(t, rule=NAIVE[rate], constraint=constraint).threshold
    except rw.InputError:
        return math.inf


def table(counts: Sequence[Count]) -> str:
    """The counts as a table of percentages with standard errors."""
    heads = [
        "rate",
        "world",
        "cases",
        "limit",
        "certified: exceeds, %",
        "certified at all, %",
        "usual: exceeds, %",
    ]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for one in counts:
        cells = [
            one.rate,
            one.world,
            f"{one.n:,}",
            f"{one.alpha:g}",
            _percent(one.failed, one.runs),
            f"{100 * one.answered / one.runs:.1f}",
            _percent(one.naive_failed, one.runs),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _percent(hits: int, runs: int) -> str:
    return f"{100 * hits / runs:.1f} ± {100 * standard_error(hits, runs):.1f}"


STUDY = Study(
    "guarantees",
    (Part("rates", Count, cells(list(settings()), RUNS, 20), count),),
    lambda records: {"guarantees": table(records["rates"])},
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
