"""How often the interval of an area over a REC curve holds the true mean loss.

Run with ``python studies/rec_areas.py``; the tables are in docs/explanation/rec-curves.md.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

import numpy as np

import rocwise as rw

Draw = Callable[[np.random.Generator, int], np.ndarray]
FAMILIES: dict[str, tuple[Draw, str, float]] = {
    "normal, absolute": (lambda rng, n: rng.normal(size=n), "absolute", math.sqrt(2 / math.pi)),
    "normal, squared": (lambda rng, n: rng.normal(size=n), "squared", 1.0),
    "exponential, absolute": (lambda rng, n: rng.exponential(size=n), "absolute", 1.0),
    "t with 3 df, absolute": (
        lambda rng, n: rng.standard_t(3, size=n),
        "absolute",
        2 * math.sqrt(3) / math.pi,
    ),
    "t with 5 df, squared": (lambda rng, n: rng.standard_t(5, size=n), "squared", 5 / 3),
    "70 % exact, else exponential": (
        lambda rng, n: (rng.random(n) < 0.3) * rng.exponential(size=n),
        "absolute",
        0.3,
    ),
}
SIZES = (10, 30, 100, 300)


def series(rng: np.random.Generator, n: int) -> np.ndarray:
    """Errors of a stationary autoregression with correlation 0.7 and variance 1."""
    noise = rng.normal(size=n) * math.sqrt(1 - 0.49)
    errors = np.empty(n)
    last = rng.normal()
    for k in range(n):
        last = errors[k] = 0.7 * last + noise[k]
    return errors


def covered(draw: Draw, loss: str, mean: float, n: int, samples: int, block: int = 1) -> float:
    """The share of samples whose interval holds the mean loss; without an interval: missed."""
    rng = np.random.default_rng([n, block, samples])
    hits = 0
    for _ in range(samples):
        limits = rw.rec(np.zeros(n), draw(rng, n), loss=loss).aoc_interval(block=block)
        hits += limits is not None and limits.low <= mean <= limits.high
    return hits / samples


def cell(share: float, samples: int) -> str:
    """A percentage with its standard error."""
    return f"{100 * share:.1f} ± {100 * math.sqrt(share * (1 - share) / samples):.1f}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2000)
    samples = parser.parse_args().samples
    print("| errors, loss | " + " | ".join(f"n = {n}" for n in SIZES) + " |")
    print("|---|" + "---|" * len(SIZES))
    for name, (draw, loss, mean) in FAMILIES.items():
        cells = [cell(covered(draw, loss, mean, n, samples), samples) for n in SIZES]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    print("\n| n | block 1 | block 5 | block 10 | block 20 |\n|---|---|---|---|---|")
    mean = math.sqrt(2 / math.pi)
    for n in (100, 300, 1000):
        cells = [
            cell(covered(series, "absolute", mean, n, samples, block), samples)
            for block in (1, 5, 10, 20)
        ]
        print(f"| {n} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
