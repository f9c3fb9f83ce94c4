"""Tests that permute: of two areas (Bandos, Rockette, Gur) and of two curves (Venkatraman)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwise.arrays import Array
from rocwise.binary.comparisons.few_cases import (
    sample_intervals,
    summed_tallies,
    tallies_of,
)
from rocwise.binary.comparisons.permutation import Transform, permutation_outcome
from rocwise.binary.comparisons.plans import ComparisonPlan
from rocwise.binary.comparisons.venkatraman import (
    TieRanking,
    venkatraman_paired,
    venkatraman_unpaired,
)
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import MisuseWarning, warn
from rocwise.inference.comparison_results import Comparison
from rocwise.progress import Report

COARSE = 0.5  # a model with less than this share of the other's distinct scores is coarse


def areas_permuted(
    pairs: Pairs,
    plan: ComparisonPlan,
    transform: Transform,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> Comparison:
    """The permutation test of Bandos, Rockette and Gur (F3.1 to F3.7)."""
    how = {
        "permutation": "auto",
        "permutation-exact": "exact",
        "permutation-asymptotic": "asymptotic",
        "permutation-monte-carlo": "monte-carlo",
    }[plan.method]
    first, second = pairs.names
    outcome = permutation_outcome(
        pairs.mask,
        pairs.scores(first),
        pairs.scores(second),
        how=how,
        transform=transform,
        alternative=plan.alternative,
        n_resamples=n_resamples,
        seed=seed,
        progress=progress if callable(progress) else None,
    )
    samples = tallies_of(pairs) if outcome.sums is None else summed_tallies(pairs, outcome.sums)
    estimates = dict(zip(pairs.names, map(plan.area, samples), strict=True))
    return Comparison(
        estimates=estimates,
        intervals=sample_intervals(samples, plan, None),
        level=plan.level,
        difference=estimates[first] - estimates[second],
        standard_error=math.sqrt(outcome.variance),
        interval=None,
        statistic=outcome.z,
        p_value=outcome.p_value,
        method=f"{outcome.how} permutation test",
        alternative=plan.alternative,
        seed=seed if outcome.how.lower().startswith("monte") else None,
        origin=pairs.origin,
    )


def curves_permuted(
    data: Pairs | Tally,
    other: Tally | None,
    plan: ComparisonPlan,
    ties: TieRanking,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> Comparison:
    """Are the two curves the same everywhere? (F3.8, F3.9)."""
    report = progress if callable(progress) else None
    options: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "progress": report}
    if isinstance(data, Pairs):
        first, second = (data.scores(name) for name in data.names)
        if ties == "midrank":
            _warn_of_coarse_marker([len(sample) for sample in tallies_of(data)])
        outcome = venkatraman_paired(data.mask, first, second, ties=ties, **options)
        samples = tallies_of(data)
    else:
        assert other is not None
        classes = [*_class_scores(data), *_class_scores(other)]
        outcome = venkatraman_unpaired(*classes, ties=ties, **options)
        samples = [data, other]
    estimates = dict(zip(plan.names, map(plan.area, samples), strict=True))
    one, two = estimates.values()
    return Comparison(
        estimates=estimates,
        intervals=sample_intervals(samples, plan, None),
        level=plan.level,
        difference=one - two,
        standard_error=None,
        interval=None,
        statistic=outcome.statistic,
        p_value=outcome.p_value,
        method=f"Venkatraman test of equal curves, {outcome.how}",
        seed=None if "exact" in outcome.how else seed,
        origin=data.origin,
    )


def _warn_of_coarse_marker(n_distinct: list[int]) -> None:
    """Exchanged ranks of a coarse and a fine marker do not look like those of the data."""
    few, many = sorted(n_distinct)
    if few < COARSE * many:
        warn(
            f"one model has {few:,} distinct scores and the other {many:,}: with ties='midrank' "
            "the test then rejects equal curves too often or too seldom (0.5 to 11 % of the time "
            "at the 5 % level). Pass ties='random'.",
            MisuseWarning,
        )


def _class_scores(sample: Tally) -> tuple[Array, Array]:
    """Scores of the negatives and of the positives of a sample, from the highest down.

    Ranks that keep ties stand for them where there is a table alone.
    """
    classes = sample.oriented_classes
    if classes is not None:
        return classes[0][::-1], classes[1][::-1]
    ranks = np.arange(len(sample), 0, -1, dtype=np.float64)
    return np.repeat(ranks, sample.neg), np.repeat(ranks, sample.pos)
