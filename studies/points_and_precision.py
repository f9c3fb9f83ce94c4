"""How often intervals of average precision, at points and of calibration hold the truth.

Scores are normal: N(0, 1) for negatives, N(d, 1) for positives, so that every truth is known. Each
row counts the samples whose interval holds the truth, or whose test rejects a true hypothesis.

``python -m studies.points_and_precision`` counts what is missing and writes the table of
`docs/explanation/points-and-precision.md` (about ten minutes of one core from nothing).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from scipy.stats import norm

import rocwise as rw

from .cells import Part, Records
from .study import DOCS, Cell, Study, cells, run

Sample = tuple[np.ndarray, np.ndarray]
Found = tuple[str, str, int, int]  # question, design, samples, hits
PAGE = DOCS / "explanation" / "points-and-precision.md"
SHIFTS = (1.0, 2.0)
DESIGNS = ((10, 10), (10, 90), (20, 180), (50, 50), (50, 450), (200, 200))


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    cell: str
    question: str
    design: str
    samples: int
    hits: int


def normal_sample(rng: np.random.Generator, n_pos: int, n_neg: int, shift: float) -> Sample:
    """Scores of both classes, one standard deviation wide, `shift` apart."""
    y = np.repeat([1, 0], [n_pos, n_neg])
    return y, rng.normal(size=n_pos + n_neg) + shift * y


def true_average_precision(shift: float, share: float) -> float:
    """Mean over the positives of the precision at their score, by the trapezium rule."""
    x = np.linspace(shift - 9, shift + 9, 200_001)
    hits, alarms = share * norm.sf(x - shift), (1 - share) * norm.sf(x)
    return float(np.trapezoid(norm.pdf(x - shift) * hits / (hits + alarms), x))


def counted(samples: int, seed: int, holds: Callable[[np.random.Generator, int], bool]) -> int:
    """How many samples satisfy a condition."""
    return sum(bool(holds(np.random.default_rng([seed, k]), k)) for k in range(samples))


def average_precisions(shift: float, n_pos: int, n_neg: int, samples: int) -> Iterable[Found]:
    """Intervals of the average precision."""
    truth = true_average_precision(shift, n_pos / (n_pos + n_neg))

    def holds(rng: np.random.Generator, k: int) -> bool:  # noqa: ARG001
        sample = normal_sample(rng, n_pos, n_neg, shift)
        return truth in rw.average_precision(*sample).interval

    def drawn(rng: np.random.Generator, k: int) -> bool:
        sample = normal_sample(rng, n_pos, n_neg, shift)
        options = {"method": "bootstrap", "n_resamples": 300, "rng": k}
        return truth in rw.average_precision(*sample, **options).interval

    design = f"{n_pos} of {n_pos + n_neg}, d = {shift:g}"
    yield "average precision, auto", design, samples, counted(samples, 1, holds)
    some = samples // 4
    yield "average precision, bootstrap", design, some, counted(some, 2, drawn)


def points(n: int, samples: int) -> Iterable[Found]:
    """Measures at a fixed threshold."""
    cut, shift, share = 0.8, 1.5, 0.1
    se, sp = norm.sf(cut - shift), norm.cdf(cut)
    ppv = share * se / (share * se + (1 - share) * (1 - sp))
    truths = {
        "sensitivity": se,
        "ppv": ppv,
        "npv": (1 - share) * sp / ((1 - share) * sp + share * (1 - se)),
        "accuracy": share * se + (1 - share) * sp,
        "f1": 2 * share * se / (share * (1 + se) + (1 - share) * (1 - sp)),
        "lr_positive": se / (1 - sp),
        "lr_negative": (1 - se) / sp,
    }
    hits = dict.fromkeys(truths, 0)
    for k in range(samples):
        sample = normal_sample(np.random.default_rng([3, k]), n, n, shift)
        table = rw.at(*sample, threshold=cut, prevalence=share)
        for name, truth in truths.items():
            hits[name] += truth in table.interval(name) if table_has(table, name) else 1
    for name, found in hits.items():
        yield f"{name} at a threshold", f"{n} of {2 * n}, prevalence 0.1", samples, int(found)


def table_has(table: object, name: str) -> bool:
    """Whether a measure is defined."""
    return getattr(table, name)[0] is not np.ma.masked


def rates(n: int, samples: int) -> Iterable[Found]:
    """Points found on the curve."""
    shift = 1.5
    truth = norm.sf(norm.ppf(0.9) - shift)

    def at_rate(rng: np.random.Generator, k: int) -> bool:
        sample = normal_sample(rng, n, n, shift)
        options = {"interpolate": True, "n_resamples": 400, "rng": k}
        return truth in rw.at(*sample, specificity=0.9, **options).interval("sensitivity")

    def fixed(rng: np.random.Generator, k: int) -> bool:  # noqa: ARG001
        sample = normal_sample(rng, n, n, shift)
        return truth in rw.at(*sample, specificity=0.9, method="wilson").interval("sensitivity")

    def equal(rng: np.random.Generator, k: int) -> bool:
        sample = normal_sample(rng, n, n, shift)
        found = rw.equal_error_rate(*sample, n_resamples=400, rng=k)
        return norm.sf(shift / 2) in found.interval

    design = f"{n} of {2 * n}, d = 1.5"
    yield "sensitivity at specificity 0.9, auto", design, samples, counted(samples, 4, at_rate)
    yield "the same, threshold taken as fixed", design, samples, counted(samples, 4, fixed)
    yield "equal error rate", design, samples, counted(samples, 5, equal)


def calibrations(n: int, samples: int) -> Iterable[Found]:
    """Slope and curves of calibrated predictions."""
    hits = {"slope": 0, "loess": 0, "isotonic": 0, "quantile": 0}
    points_of = {"loess": 0, "isotonic": 0, "quantile": 0}
    for k in range(samples):
        rng = np.random.default_rng([6, k])
        p = rng.beta(2, 3, n)
        y = (rng.random(n) < p).astype(int)
        for strategy in points_of:
            found = rw.calibration(y, p, strategy=strategy, n_resamples=100, rng=k)
            inside = (found.low <= found.predicted) & (found.predicted <= found.high)
            hits[strategy] += int(inside.sum())
            points_of[strategy] += len(inside)
        hits["slope"] += 1.0 in found.slope_interval
    yield "calibration slope", f"{n} cases", samples, int(hits["slope"])
    for strategy, total in points_of.items():
        yield f"calibration curve, {strategy}", f"{n} cases", total, hits[strategy]


def equal_models(n: int, samples: int) -> Iterable[Found]:
    """Tests of equal areas and average precisions at the 5 % level."""

    def groups(rng: np.random.Generator, k: int) -> bool:  # noqa: ARG001
        y, s = normal_sample(rng, 3 * n, 3 * n, 1.0)
        return rw.auc(y, s, by=np.arange(6 * n) % 3).p_value < 0.05

    def models(rng: np.random.Generator, k: int) -> bool:  # noqa: ARG001
        y, s = normal_sample(rng, n, 3 * n, 1.0)
        other = 0.6 * (s - y) + 0.8 * rng.normal(size=4 * n) + y
        found = rw.compare(y, {"a": s, "b": other}, statistic="average-precision")
        return found.p_value < 0.05

    design = f"{n} of {2 * n} each"
    yield "equal areas of 3 groups", design, samples, counted(samples, 7, groups)
    yield "equal average precisions", f"{n} of {4 * n}", samples, counted(samples, 8, models)


def chance(n: int, method: str, samples: int) -> Iterable[Found]:
    """Tests of an area of one half at the 5 % level."""

    def null(rng: np.random.Generator, k: int) -> bool:  # noqa: ARG001
        y, s = np.repeat([0, 1], n), rng.integers(0, 5, 2 * n)
        return rw.test_auc(y, s, method=method).p_value < 0.05

    yield f"AUC 1/2, 5 scores, {method}", f"{n} of {2 * n}", samples, counted(samples, 9, null)


def rows_part(
    name: str,
    ask: Callable[..., Iterable[Found]],
    places: Sequence[tuple[object, ...]],
    *,
    samples: int = 1000,
    few: int = 4,
) -> Part:
    """A part whose cells are lines of the table."""
    return Part(name, Row, cells(places, samples, few), partial(rows_of, ask))


def rows_of(ask: Callable[..., Iterable[Found]], cell: Cell) -> list[Row]:
    """The lines of one cell."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.RocwiseWarning)
        return [Row(str(cell), *found) for found in ask(*cell.place, cell.samples)]


def table(records: Records) -> str:
    """Shares with their standard errors, as Markdown."""
    lines = ["| question | design | samples | share | standard error |"]
    lines.append("| :--- | :--- | ---: | ---: | ---: |")
    for one in (one for part in records.values() for one in part):
        share = one.hits / one.samples
        error = (share * (1 - share) / one.samples) ** 0.5
        cells_of = (one.question, one.design, one.samples, f"{share:.3f}", f"{error:.3f}")
        lines.append(f"| {' | '.join(map(str, cells_of))} |")
    return "\n".join(lines)


STUDY = Study(
    "points_and_precision",
    (
        rows_part(
            "precision",
            average_precisions,
            [(shift, *sizes) for shift, sizes in product(SHIFTS, DESIGNS)],
        ),
        rows_part("points", points, [(10,), (25,), (100,)]),
        rows_part("rates", rates, [(25,), (50,), (100,)]),
        rows_part("calibration", calibrations, [(100,), (500,)]),
        rows_part("equal_models", equal_models, [(10,), (20,), (50,), (100,)]),
        rows_part("chance", chance, list(product((5, 10, 20), ("exact", "wilcoxon", "delong")))),
    ),
    lambda records: {"points and precision": table(records)},
    (PAGE,),
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
