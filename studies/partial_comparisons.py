"""How often paired comparisons of partial areas by influence functions reject equal models.

Two models with equal curves and correlated scores; cases within the part are few, as many as the
default asks for, and more. Run with ``python -m studies.partial_comparisons [samples] [seed]``.
"""

import sys

import numpy as np

import rocwise as rw

PART = 0.1  # largest FPR
CASES = (300, 1_000, 3_000)  # negatives within the part, and as many positives in all


def rejections(cases: int, samples: int, seed: int = 0) -> int:
    """How many of the samples are told apart at the level of 5 %."""
    rng = np.random.default_rng([seed, cases])
    y = np.repeat([0, 1], [round(cases / PART), cases])
    found = 0
    for _ in range(samples):
        shared = rng.normal(size=len(y))
        both = {name: shared + rng.normal(size=len(y)) + 1.5 * y for name in ("a", "b")}
        answer = rw.compare(y, both, max_fpr=PART, method="influence")
        found += answer.p_value < 0.05
    return found


def main(samples: int = 1000, seed: int = 0) -> None:
    """Print the table of docs/explanation/what-it-costs.md."""
    print("| cases within the part | rejected at 5 % | standard error |")
    print("|---|---|---|")
    for cases in CASES:
        share = rejections(cases, samples, seed) / samples
        error = (share * (1 - share) / samples) ** 0.5
        print(f"| {cases:,} | {100 * share:.1f} % | {100 * error:.1f} % |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
