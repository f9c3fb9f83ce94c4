"""How often do the intervals for the AUC hold the true value? Prints a Markdown table.

Scores are normal with unit variance, the positives shifted by d, so the true AUC is Phi(d / sqrt 2)
exactly. Run `make coverage-study`, or this file with `--help`.
"""

import argparse
import math
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

import rocwise as rw
from rocwise.errors import RocwiseWarning

METHODS = ("delong", "logit", "hanley-mcneil", "jackknife", "exact-bootstrap", "unbiased")
AREAS = (0.7, 0.9, 0.97)
SIZES = ((10, 10), (20, 80), (100, 100))


@dataclass(frozen=True)
class Coverage:
    """What one method did in one setting."""

    area: float
    n_pos: int
    n_neg: int
    method: str
    hits: int
    replicates: int
    mean_width: float

    def row(self) -> str:
        """One line of the table, with the Monte Carlo error of the coverage."""
        share = self.hits / self.replicates
        cautious = (self.hits + 1) / (self.replicates + 2)  # 2000 of 2000 is not beyond doubt
        error = math.sqrt(cautious * (1 - cautious) / self.replicates)
        return (
            f"| {self.area} | {self.n_pos} | {self.n_neg} | {self.method} "
            f"| {100 * share:.1f} ± {100 * error:.1f} | {self.mean_width:.3f} |"
        )


def samples(
    area: float, n_pos: int, n_neg: int, replicates: int, seed: int
) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    """Labels and scores of each replicate; every method sees the same ones."""
    shift = math.sqrt(2) * NormalDist().inv_cdf(area)
    labels = np.repeat([1, 0], [n_pos, n_neg])
    rng = np.random.default_rng([seed, round(1000 * area), n_pos, n_neg])
    for _ in range(replicates):
        yield labels, rng.normal(size=n_pos + n_neg) + shift * labels


def coverage(
    area: float, size: tuple[int, int], method: str, *, level: float, replicates: int, seed: int
) -> Coverage:
    """Count the intervals that hold the true area."""
    hits, width = 0, 0.0
    for labels, scores in samples(area, *size, replicates, seed):
        low, high = rw.auc(labels, scores, method=method, level=level).interval
        hits += low <= area <= high
        width += high - low
    return Coverage(area, *size, method, hits, replicates, width / replicates)


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--level", type=float, default=0.95)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--method", action="append", help=f"default: {', '.join(METHODS)}")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> None:
    """Print the table, a line as soon as it is known."""
    options = parsed(arguments)
    # Samples with an area below one half are part of the study, not a mistake.
    warnings.simplefilter("ignore", RocwiseWarning)
    print(f"rocwise {rw.__version__}, level {options.level}, {options.replicates} replicates\n")
    print("| true AUC | positives | negatives | method | coverage, % | mean width |")
    print("|---|---|---|---|---|---|")
    for area in AREAS:
        for size in SIZES:
            for method in options.method or METHODS:
                answer = coverage(
                    area,
                    size,
                    method,
                    level=options.level,
                    replicates=options.replicates,
                    seed=options.seed,
                )
                print(answer.row(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
