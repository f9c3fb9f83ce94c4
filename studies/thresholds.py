"""Thresholds with a guarantee, thresholds with an interval, target PPV and NPV, expected costs."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr
from scipy.stats import beta, norm

import rocwise as rw

from .populations import Sample
from .simulation import (
    Cell,
    Counts,
    Part,
    Proportion,
    Records,
    Study,
    by_cell,
    cells,
    markdown,
    proportions,
    standard_error,
)

Rng = np.random.Generator


# Guarantees: the true rate exceeds alpha with probability delta at most. The empirical threshold is
# the best one whose observed rate is at most alpha.

DELTA = 0.1
RULES = {"fpr": "min-specificity", "fnr": "min-sensitivity", "fdr": "min-precision"}
RULES |= {"for": "min-npv", "error": "accuracy"}


@dataclass(frozen=True)
class Population:
    """How samples are drawn, true TPR and FPR at a threshold, and the prevalence."""

    sample: Callable[[Rng, int], Sample]
    rates: Callable[[float], tuple[float, float]]
    prevalence: float


def _normal(decimals: int) -> Population:
    """Two normal classes one standard deviation apart, half positive, rounded scores."""
    half = 0.5 * 10.0**-decimals  # a rounded score is at least t if the score is at least t - half

    def sample(rng: Rng, n: int) -> Sample:
        y = np.repeat([0, 1], n // 2)
        return y, np.round(rng.normal(size=len(y)) + y, decimals)

    def rates(cut: float) -> tuple[float, float]:
        return float(norm.sf(cut - half, loc=1)), float(norm.sf(cut - half))

    return Population(sample, rates, 0.5)


def _calibrated() -> Population:
    """Scores are true risks with the distribution Beta(1, 2)."""

    def sample(rng: Rng, n: int) -> Sample:
        risk = rng.beta(1, 2, n)
        return (rng.random(n) < risk).astype(np.int64), risk

    def rates(cut: float) -> tuple[float, float]:
        return float(beta.sf(cut, 2, 2)), float(beta.sf(cut, 1, 3))

    return Population(sample, rates, 1 / 3)


def _broken() -> Population:
    """Uniform scores, which are true risks up to 0.8; above, the risk is 0.3."""

    def hits(cut: float) -> float:
        """P(positive and score >= cut)."""
        low = max(0.8**2 - min(cut, 0.8) ** 2, 0.0) / 2
        return low + 0.3 * (1 - max(cut, 0.8))

    def sample(rng: Rng, n: int) -> Sample:
        score = rng.random(n)
        return (rng.random(n) < np.where(score < 0.8, score, 0.3)).astype(np.int64), score

    def rates(cut: float) -> tuple[float, float]:
        cut = min(max(cut, 0.0), 1.0)
        return hits(cut) / hits(0.0), ((1 - cut) - hits(cut)) / (1 - hits(0.0))

    return Population(sample, rates, hits(0.0))


POPULATIONS = {"normal": _normal(6), "rounded": _normal(1)}
POPULATIONS |= {"calibrated": _calibrated(), "broken": _broken()}
GUARANTEES = [  # rate, population, observations, alpha
    (rate, name, n, alpha)
    for rate, alphas, sizes in (
        ("fpr", {"normal": 0.1, "rounded": 0.1}, (100, 400)),
        ("fnr", {"normal": 0.1, "rounded": 0.1}, (100, 400)),
        ("fdr", {"calibrated": 0.4, "broken": 0.55}, (300, 2000)),
        ("for", {"calibrated": 0.2, "broken": 0.2}, (300, 2000)),
        ("error", {"calibrated": 0.3, "broken": 0.42}, (300, 2000)),
    )
    for name, alpha in alphas.items()
    for n in sizes
]


def true_rate(population: Population, rate: str, cut: float) -> float:
    """The rate in the population if scores of at least `cut` are predicted positive."""
    tpr, fpr = population.rates(cut)
    prevalence = population.prevalence
    tp, fp = prevalence * tpr, (1 - prevalence) * fpr
    fn, tn = prevalence - tp, 1 - prevalence - fp
    errors = {"fpr": fp, "fnr": fn, "fdr": fp, "for": fn, "error": fp + fn}[rate]
    among = {"fpr": fp + tn, "fnr": tp + fn, "fdr": tp + fp, "for": tn + fn, "error": 1.0}[rate]
    return errors / among if among > 0 else 0.0


def guarantees(rate: str, name: str, n: int, alpha: float, samples: int) -> Counts:
    """Violations by the certified and by the empirical threshold, and how many are certified."""
    population, found = POPULATIONS[name], Counts()
    seed = zlib.crc32(f"{rate} {name} {n} {alpha}".encode())
    for sample in range(samples):
        data = rw.tally(*population.sample(np.random.default_rng([20, seed, sample]), n))
        constraint = None if rate == "error" else 1 - alpha
        try:
            cut = rw.threshold(data, rule=RULES[rate], constraint=constraint).threshold
        except rw.InputError:
            cut = math.inf
        found.add("empirical violates", true_rate(population, rate, cut) > alpha)
        try:
            cut = rw.guaranteed_threshold(data, rate=rate, alpha=alpha, delta=DELTA).threshold
        except rw.InputError:  # no threshold can be certified
            cut = None
        found.add("certified", cut is not None)
        violates = cut is not None and true_rate(population, rate, cut) > alpha
        found.add("certified violates", violates)
    return found


def guarantee_table(records: Sequence[Proportion]) -> str:
    """Percentages with standard errors."""
    rows = []
    for (rate, name, n, alpha), own in zip(GUARANTEES, by_cell(records).values(), strict=True):
        empirical, certified, violated = own
        share = f"{100 * certified.count / certified.samples:.1f}"
        row = [rate, name, f"{n:,}", f"{alpha:g}", _percent(violated), share, _percent(empirical)]
        rows.append(row)
    heads = ["rate", "scores", "cases", "limit", "certified: exceeds, %", "certified, %"]
    return markdown([*heads, "empirical: exceeds, %"], rows)


def _percent(one: Proportion) -> str:
    return (
        f"{100 * one.count / one.samples:.1f} ± {100 * standard_error(one.count, one.samples):.1f}"
    )


# Intervals of a threshold: normal classes one standard deviation apart, half positive

FP_FN = rw.Costs(fp=1, fn=3)
BEST = {"youden": 0.5, "cost": 0.5 - math.log(3)}  # likelihood ratio 1, and 1/3


@dataclass(frozen=True)
class Chosen:
    """Coverage of the best threshold, and mean estimates and true value of the criterion."""

    cell: str
    rule: str
    n: int
    samples: int
    covered: int
    width: float
    in_sample: float
    out_of_bag: float
    true: float
    error: float  # standard error of the difference of the last two


def true_value(rule: str, cut: float) -> float:
    """Youden index, or expected cost at a prevalence of one half, in the population."""
    tpr, fpr = float(norm.sf(cut, loc=1)), float(norm.sf(cut))
    return tpr - fpr if rule == "youden" else 0.5 * FP_FN.fn * (1 - tpr) + 0.5 * FP_FN.fp * fpr


def chosen(cell: Cell) -> list[Chosen]:
    """One rule and sample size."""
    rule, n = cell.settings
    seed, y = zlib.crc32(f"{rule} {n}".encode()), np.repeat([0, 1], n // 2)
    covered, rows = 0, []
    for sample in range(cell.samples):
        rng = np.random.default_rng([21, seed, sample])
        point = rw.threshold(y, rng.normal(size=len(y)) + y, rule=rule, costs=FP_FN)
        found = point.uncertainty(n_resamples=300, rng=rng)
        covered += BEST[rule] in found.interval
        width = (
            min(found.interval.high, 10.0) - found.interval.low
        )  # an infinite limit counts as 10
        estimates = float(found.in_sample[0]), float(found.out_of_bag[0])
        rows.append([width, *estimates, true_value(rule, found.threshold)])
    table = np.array(rows)
    error = (table[:, 2] - table[:, 3]).std() / math.sqrt(cell.samples)
    means = [round(float(value), 4) for value in (*table.mean(axis=0), error)]
    return [Chosen(str(cell), rule, n, cell.samples, int(covered), *means)]


def chosen_table(records: Sequence[Chosen]) -> str:
    """Coverage and mean values."""
    rows = []
    for one in records:
        coverage = _percent(Proportion(one.cell, "", one.samples, one.covered))
        row = [one.rule, one.n, coverage, f"{one.width:.2f}", f"{one.in_sample:.3f}"]
        rows.append([*row, f"{one.out_of_bag:.3f}", f"{one.true:.3f} ± {one.error:.3f}"])
    heads = ["rule", "cases", "coverage %", "mean width", "in sample", "out of bag", "true"]
    return markdown(heads, rows)


# Target PPV and NPV, and the expected cost of an abstention interval, on new data. Negatives are
# N(0, 1), positives N(1.5, 1), the prevalence is 0.3.

PREVALENCE, SHIFT = 0.3, 1.5
SIZES = (200, 500, 2000, 10_000)
PPV, NPV = 0.9, 0.95
COSTS = rw.Costs(fp=1, fn=5, abstain=0.4)


@dataclass(frozen=True)
class Values:
    """Mean predictive values on new data, and how often they are below the target."""

    cell: str
    n: int
    samples: int
    unattainable: int
    ppv: float
    ppv_below: float
    npv: float
    npv_below: float
    undecided: float


@dataclass(frozen=True)
class Cost:
    """Mean expected cost of the best interval: apparent, out-of-bag and true."""

    cell: str
    n: int
    samples: int
    apparent: float
    out_of_bag: float
    true: float


def sample_of(n: int, rng: Rng) -> Sample:
    """Labels and scores with both classes."""
    while True:
        y = (rng.random(n) < PREVALENCE).astype(int)
        if 0 < y.sum() < n:
            return y, rng.normal(SHIFT * y)


def true_values(lower: float, upper: float) -> tuple[float, float]:
    """NPV of scores up to `lower` and PPV of scores from `upper` on.

    >>> [round(p, 3) for p in true_values(0.0, 1.5)]
    [0.946, 0.762]
    """
    tp, fp = PREVALENCE * ndtr(SHIFT - upper), (1 - PREVALENCE) * ndtr(-upper)
    tn, fn = (1 - PREVALENCE) * ndtr(lower), PREVALENCE * ndtr(lower - SHIFT)
    return float(tn / (tn + fn)), float(tp / (tp + fp))


def true_cost(lower: float, upper: float) -> float:
    """Expected cost of an abstention interval."""
    fnr, tpr = ndtr(lower - SHIFT), ndtr(SHIFT - upper)
    tnr, fpr = ndtr(lower), ndtr(-upper)
    undecided = PREVALENCE * (1 - fnr - tpr) + (1 - PREVALENCE) * (1 - tnr - fpr)
    return float(5 * PREVALENCE * fnr + (1 - PREVALENCE) * fpr + 0.4 * undecided)


def target_values(cell: Cell) -> list[Values]:
    """True PPV and NPV of the thresholds of `reliable`."""
    (n,) = cell.settings
    rng, found = np.random.default_rng([1, n]), []
    for _ in range(cell.samples):
        y, s = sample_of(n, rng)
        try:
            rule = rw.reliable(y, s, positive=PPV, negative=NPV)
        except rw.errors.UnattainableError:
            continue
        lower, upper = rule.lower_mixed, rule.upper_threshold
        if np.isfinite([lower, upper]).all():
            npv, ppv = true_values(lower, upper)
            found.append((ppv, npv, float(np.mean(rule.decide(s) == -1))))
    table = np.array(found)
    ppv, npv, undecided = table.mean(axis=0).tolist()
    below = (table[:, :2] < [PPV, NPV]).mean(axis=0).tolist()
    unattainable = cell.samples - len(found)
    place = (str(cell), n, cell.samples, unattainable)
    return [Values(*place, ppv, below[0], npv, below[1], undecided)]


def costs(cell: Cell) -> list[Cost]:
    """Expected cost of the best abstention interval."""
    (n,) = cell.settings
    rng, found = np.random.default_rng([1, n]), []
    for seed in range(cell.samples):
        interval = rw.abstain(*sample_of(n, rng), costs=COSTS)
        result = interval.uncertainty(n_resamples=100, rng=seed)
        truth = true_cost(interval.lower, interval.upper)
        found.append((interval.expected_cost, result.out_of_bag_cost or np.nan, truth))
    means = np.nanmean(np.array(found), axis=0).tolist()
    return [Cost(str(cell), n, cell.samples, *means)]


def values_table(records: Sequence[Values]) -> str:
    """Predictive values on new data."""
    rows = []
    for one in records:
        unattainable = f"{100 * one.unattainable / one.samples:.1f}%" if one.unattainable else "0"
        row = [f"{one.n:,}", unattainable, f"{one.ppv:.3f}", f"{100 * one.ppv_below:.0f}%"]
        row += [f"{one.npv:.3f}", f"{100 * one.npv_below:.0f}%", f"{one.undecided:.2f}"]
        rows.append(row)
    heads = ["cases", "unattainable", "PPV", f"PPV below {PPV}"]
    return markdown([*heads, "NPV", f"NPV below {NPV}", "undecided"], rows)


def cost_table(records: Sequence[Cost]) -> str:
    """Expected costs on new data."""
    rows = [
        [f"{one.n:,}", *(f"{cost:.3f}" for cost in (one.apparent, one.out_of_bag, one.true))]
        for one in records
    ]
    return markdown(["cases", "apparent cost", "out of bag", "on new cases"], rows)


def tables(records: Records) -> dict[str, str]:
    """One table for each part."""
    return {
        "guarantees": guarantee_table(records["guarantees"]),
        "chosen thresholds": chosen_table(records["chosen"]),
        "target precision": values_table(records["target_values"]),
        "costs on new cases": cost_table(records["costs"]),
    }


RULE_SIZES = [(rule, n) for rule in BEST for n in (60, 200)]
STUDY = Study(
    "thresholds",
    (
        proportions("guarantees", GUARANTEES, guarantees, samples=2000, few=20),
        Part("chosen", Chosen, cells(RULE_SIZES, 1000, 5), chosen),
        Part("target_values", Values, cells([(n,) for n in SIZES], 1000, 20), target_values),
        Part("costs", Cost, cells([(n,) for n in SIZES[:3]], 200, 5), costs),
    ),
    tables,
)
