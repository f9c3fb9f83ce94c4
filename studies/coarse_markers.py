"""How often Venkatraman's test with midranks rejects equal curves when one marker is coarse.

Both markers have the same true curve: the second is the first grouped into a few levels, or an
independent one so grouped, and the first is spread evenly inside each level. Run with
``python studies/coarse_markers.py``; the table is in docs/explanation/permutation-tests.md.
"""

from __future__ import annotations

import argparse
import warnings
from typing import Literal

import numpy as np

import rocwise as rw

LEVEL = 0.05
Ties = Literal["midrank", "random"]
TIES: tuple[Ties, ...] = ("midrank", "random")


def drawn(rng: np.random.Generator, n: int, levels: int) -> tuple[np.ndarray, ...]:
    """Labels, a fine marker, and a coarse one with the same true curve (with lines, not steps)."""
    mask = (np.arange(n) < n // 2).astype(np.uint8)
    shared = rng.normal(size=n)
    edges = np.linspace(-1.5, 2.5, levels - 1)
    coarse, base = (
        np.digitize(mask + 0.7 * shared + 0.7 * rng.normal(size=n), edges) for _ in range(2)
    )
    return mask, base + rng.random(n), coarse.astype(float)


def rejected(n: int, levels: int, ties: Ties, samples: int, resamples: int) -> float:
    """The share of samples in which the p value is at most the level."""
    rng = np.random.default_rng([n, levels])
    found = 0
    for sample in range(samples):
        mask, fine, coarse = drawn(rng, n, levels)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rw.errors.MisuseWarning)  # it is what is counted here
            outcome = rw.compare(
                mask,
                {"fine": fine, "coarse": coarse},
                method="venkatraman",
                ties=ties,
                n_resamples=resamples,
                rng=sample,
            )
        found += outcome.p_value <= LEVEL
    return found / samples


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=399)
    options = parser.parse_args()
    print("| n | levels | midrank | random |\n|---|---|---|---|")
    for n in (60, 200):
        for levels in (2, 3, 5, 10, 20):
            cells = [rejected(n, levels, ties, options.samples, options.resamples) for ties in TIES]
            errors = [(p * (1 - p) / options.samples) ** 0.5 for p in cells]
            shown = [f"{100 * p:.1f} ± {100 * e:.1f} %" for p, e in zip(cells, errors, strict=True)]
            print(f"| {n} | {levels} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
