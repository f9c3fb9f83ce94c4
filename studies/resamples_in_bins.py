"""How often bootstrap intervals of very many scores hold the truth, in bins and of every row.

Both are made of the same samples: ``python -m studies.resamples_in_bins [samples] [seed]``.
"""

import math
import sys
from statistics import NormalDist

import numpy as np

import rocwise as rw

ROWS = 140_000
SHIFT = 1.0  # between the classes, both normal with variance 1
RESAMPLES = 500
TRUTHS = {
    "AUC": NormalDist().cdf(SHIFT / math.sqrt(2)),
    "sensitivity at specificity 0.9": NormalDist().cdf(SHIFT - NormalDist().inv_cdf(0.9)),
}
STATISTICS = {
    "AUC": rw.statistics.Area(),
    "sensitivity at specificity 0.9": rw.statistics.SensitivityAt(0.9),
}


def counted(samples: int, seed: int = 0) -> dict[tuple[str, bool], tuple[int, float]]:
    """For each statistic, in bins or not: intervals that hold the truth, and their mean width."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [ROWS * 7 // 10, ROWS * 3 // 10])
    found = {(name, exact): (0, 0.0) for name in TRUTHS for exact in (False, True)}
    for number in range(samples):
        data = rw.tally(y, rng.normal(size=ROWS) + SHIFT * y)
        for (name, exact), (held, width) in found.items():
            answer = rw.bootstrap(
                data,
                statistic=STATISTICS[name],
                n_resamples=RESAMPLES,
                rng=number,
                exact=exact,
                progress=False,
            )
            low, high = answer.interval
            found[name, exact] = held + (low <= TRUTHS[name] <= high), width + high - low
    return {key: (held, width / samples) for key, (held, width) in found.items()}


def main(samples: int = 400, seed: int = 0) -> None:
    """Print the table of docs/explanation/variances-and-intervals.md."""
    print("| statistic | resampled | held the truth | standard error | mean width |")
    print("|---|---|---|---|---|")
    for (name, exact), (held, width) in counted(samples, seed).items():
        share = held / samples
        error = math.sqrt(share * (1 - share) / samples)
        how = "every row" if exact else "in bins"
        print(f"| {name} | {how} | {100 * share:.1f} % | {100 * error:.1f} % | {width:.6f} |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
