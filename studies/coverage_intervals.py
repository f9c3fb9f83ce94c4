"""Default intervals and the settings of their coverage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from scipy import special

import rocwise as rw

from . import populations as pop
from .coverage_entries import Entry, Result, Rng, sized

SLOW = 500  # samples of bootstrap methods
NAMED = ("delong", "logit", "score", "hanley-mcneil", "hoeffding", "bootstrap", "bca")
coverage = partial(sized, "coverage")


def covers(truth: float, interval: Any) -> bool:
    """Whether the interval covers the true value, up to rounding."""
    return bool(interval.low - 1e-12 <= truth <= interval.high + 1e-12)


def roc_auc(m: int, n: int, auc: float, sd: float, options: dict[str, Any], rng: Rng) -> Result:
    """`auc` of normal scores; the true partial AUC is integrated numerically."""
    data = pop.one_model(rng, m, n, auc, sd)
    truth = partial_auc(auc, options["max_fpr"]) if "max_fpr" in options else auc
    return covers(truth, rw.auc(*data, **options).interval)


def partial_auc(auc: float, max_fpr: float) -> float:
    """Partial AUC of the binormal curve."""
    fpr = np.linspace(0, max_fpr, 20_001)
    return float(np.trapezoid(special.ndtr(pop.shift_of(auc) + special.ndtri(fpr)), fpr))


def ratings(m: int, n: int, auc: float, rng: Rng) -> Result:
    """`auc` of five ratings."""
    y, s = pop.one_model(rng, m, n, auc)
    return covers(pop.auc_of_ratings(auc), rw.auc(y, pop.ratings(s)).interval)


def skewed(m: int, n: int, auc: float, rng: Rng) -> Result:
    """`auc` of exponential scores."""
    y = pop.labels(m, n)
    scale = np.where(y == 1, auc / (1 - auc), 1)
    return covers(auc, rw.auc(y, scale * rng.exponential(size=m + n)).interval)


def weighted(m: int, n: int, auc: float, heaviest: float, rng: Rng) -> Result:
    """`auc` with inverse probability weights for sampling by score."""
    y, s, weights = pop.sampled_by_score(rng, m, n, auc, heaviest)
    return covers(auc, rw.auc(y, s, sample_weight=weights).interval)


def any_weights(m: int, n: int, auc: float, rng: Rng) -> Result:
    """`auc` with uninformative weights."""
    y, s = pop.one_model(rng, m, n, auc)
    return covers(auc, rw.auc(y, s, sample_weight=np.exp(rng.normal(size=m + n))).interval)


def clustered(m: int, n: int, auc: float, rng: Rng) -> Result:
    """`auc` of clusters of four."""
    y, (s,), groups = pop.one_class_clusters(rng, m, n, 4, 1, auc)
    return covers(auc, rw.auc(y, s, groups=groups).interval)


def named(m: int, n: int, auc: float, sd: float, rng: Rng) -> Result:
    """`auc` by other methods on the same sample."""
    data = rw.tally(*pop.one_model(rng, m, n, auc, sd))
    return {name: covers(auc, rw.auc(data, method=name, rng=1).interval) for name in NAMED}


def aucs() -> Iterator[Entry]:
    """`auc`."""
    for m, n, auc, sd in (
        *((2, 20, 0.8, 1), (3, 50, 0.8, 1), (5, 5, 0.7, 1), (5, 50, 0.9, 1), (10, 10, 0.7, 1)),
        *((10, 10, 0.95, 1), (20, 20, 0.97, 1), (20, 2000, 0.95, 1), (30, 30, 0.5, 1)),
        *((30, 300, 0.9, 1), (50, 50, 0.99, 1), (50, 500, 0.97, 1), (500, 500, 0.9, 1)),
        *((12, 12, 0.9, 3), (50, 500, 0.9, 2), (100, 100, 0.9, 0.3)),
    ):
        wide = "" if sd == 1 else f", SD {sd}"
        yield coverage("auc", f", AUC {auc}{wide}", roc_auc, m, n, auc, sd, {})
    for m, n, auc in ((8, 8, 0.8), (15, 40, 0.8), (100, 100, 0.9)):
        yield coverage("auc", f", AUC {auc}, 5 ratings", ratings, m, n, auc)
    for m, n, auc in ((20, 20, 0.8), (8, 80, 0.95)):
        yield coverage("auc", f", AUC {auc}, exponential", skewed, m, n, auc)
    tops = ((10, 50, 0.9, 0.2), (50, 50, 0.9, 0.1), (100, 30, 0.8, 0.2), (200, 200, 0.9, 0.2))
    for m, n, auc, top in tops:
        yield coverage(
            f"auc(max_fpr={top})", f", AUC {auc}", roc_auc, m, n, auc, 1, {"max_fpr": top}
        )


def weighted_aucs() -> Iterator[Entry]:
    """`auc` with weights or clusters."""
    name = "auc(sample_weight=)"
    for m, n in ((10, 40), (30, 30), (100, 400)):
        yield coverage(name, ", AUC 0.8, any weights", any_weights, m, n, 0.8)
    for m, n, most in ((40, 80, 10), (300, 1200, 10), (300, 1200, 50), (1000, 4000, 50)):
        setting = f", AUC 0.8, weights by score to {most}"
        yield coverage(name, setting, weighted, m, n, 0.8, most, samples=SLOW)
    for m, n, auc in ((3, 3, 0.8), (5, 15, 0.8), (10, 10, 0.9), (40, 40, 0.8)):
        yield coverage("auc(groups=)", f" clusters of 4, AUC {auc}", clustered, m, n, auc)


def point(m: int, n: int, auc: float, axis: str, value: float, rng: Rng) -> Result:
    """Measures of `at` that have an interval, in a cohort with at least two of each class."""
    n_pos = 0
    while min(n_pos, m + n - n_pos) < 2:
        n_pos = int(rng.binomial(m + n, m / (m + n)))
    y, s = pop.one_model(rng, n_pos, m + n - n_pos, auc)
    shift = pop.shift_of(auc)
    cut = {
        "threshold": value,
        "specificity": special.ndtri(value),
        "sensitivity": shift - special.ndtri(value),
    }[axis]
    truths = pop.measures(special.ndtr(shift - cut), special.ndtr(cut), m / (m + n))
    if axis != "threshold":  # likelihood ratios are covered when the free rate is
        truths = {name: truth for name, truth in truths.items() if not name.startswith("lr")}
    found = rw.at(y, s, **{axis: value}, rng=rng)
    limits = {
        name: (found.columns.get(f"{name}_low"), found.columns.get(f"{name}_high"))
        for name in truths
    }
    return {
        name: bool(low[0] - 1e-12 <= truths[name] <= high[0] + 1e-12)
        for name, (low, high) in limits.items()
        if name != axis and low is not None and is_defined(low[0])
    }


def is_defined(value: Any) -> bool:
    """Whether a measure is defined; with few observations it may not be."""
    return not np.ma.is_masked(value) and not np.isnan(float(value))


def points() -> Iterator[Entry]:
    """`at`."""
    sizes = ((3, 50, 0.8), (10, 30, 0.8), (30, 30, 0.95), (50, 500, 0.95), (300, 300, 0.8))
    for (m, n, auc), (axis, value) in product(
        sizes, (("threshold", 0.8), ("specificity", 0.8), ("sensitivity", 0.8))
    ):
        samples = 1000 if axis == "threshold" else SLOW
        name = f"at({axis}={value})"
        yield coverage(name, f", AUC {auc}", point, m, n, auc, axis, value, samples=samples)


def chosen(m: int, n: int, auc: float, costs: float | None, rng: Rng) -> Result:
    """Interval of a threshold; the best one by cost has a known likelihood ratio."""
    data = pop.one_model(rng, m, n, auc)
    shift = pop.shift_of(auc)
    if costs is None:
        found, truth = rw.threshold(*data, rule="youden"), shift / 2
    else:
        found = rw.threshold(*data, rule="cost", costs=rw.Costs(fp=1, fn=costs), prevalence=0.5)
        truth = shift / 2 - np.log(costs) / shift
    return covers(truth, found.uncertainty(rng=rng).interval)


def equal_errors(m: int, n: int, auc: float, rng: Rng) -> Result:
    """The equal error rate."""
    data = pop.one_model(rng, m, n, auc)
    return covers(
        special.ndtr(-pop.shift_of(auc) / 2), rw.equal_error_rate(*data, rng=rng).interval
    )


def precision(m: int, n: int, auc: float, rng: Rng) -> Result:
    """The average precision."""
    truth = pop.average_precision(auc, m / (m + n))
    return covers(truth, rw.average_precision(*pop.one_model(rng, m, n, auc)).interval)


def whole_curve(m: int, n: int, auc: float, rng: Rng) -> Result:
    """Whether the simultaneous band contains the whole curve."""
    fpr = np.linspace(0, 1, 2001)
    curve = fpr, special.ndtr(pop.shift_of(auc) + special.ndtri(fpr))
    return rw.band(*pop.one_model(rng, m, n, auc), rng=rng).contains(curve)


def decisions() -> Iterator[Entry]:
    """Thresholds, error rates, precision and bands."""
    for costs, (m, n) in product((None, 3.0), ((5, 50), (20, 20), (20, 200), (200, 200))):
        name = f'threshold(rule="{"youden" if costs is None else "cost"}").uncertainty()'
        yield coverage(name, ", AUC 0.85", chosen, m, n, 0.85, costs, samples=200)
    for m, n in ((5, 50), (10, 30), (20, 200), (100, 100)):
        yield coverage("equal_error_rate", ", AUC 0.85", equal_errors, m, n, 0.85, samples=SLOW)
    for m, n, auc in ((5, 100, 0.8), (10, 90, 0.9), (20, 20, 0.8), (50, 450, 0.9), (200, 200, 0.8)):
        yield coverage("average_precision", f", AUC {auc}", precision, m, n, auc)
    for m, n, auc in ((10, 10, 0.8), (10, 200, 0.8), (50, 50, 0.95), (100, 100, 0.8)):
        yield coverage("band", f", AUC {auc}", whole_curve, m, n, auc, samples=SLOW)


def several_classes(sizes: tuple[int, ...], gap: float, rng: Rng) -> Result:
    """Hand and Till's M."""
    found = rw.multiclass.auc(*pop.classes(rng, sizes, gap))
    return covers(special.ndtr(gap / 2**0.5), found.interval)


def ordered_classes(sizes: tuple[int, ...], gap: float, rng: Rng) -> Result:
    """The volume under the surface."""
    y = np.repeat(np.arange(3), sizes)
    return covers(pop.volume(gap), rw.ordinal.auc(y, rng.normal(size=len(y)) + gap * y).interval)


def calibration(n_groups: int, size: int, grouped: bool, rng: Rng) -> Result:
    """Slope, intercept and calibration-in-the-large of calibrated probabilities."""
    y, p, groups = pop.calibrated(rng, n_groups, size)
    found = rw.calibration(y, p, rng=rng, **({"groups": groups} if grouped else {}))
    return {
        "slope": covers(1, found.slope_interval),
        "intercept": covers(0, found.intercept_interval),
        "in the large": covers(0, found.in_the_large_interval),
    }


def cross_validated(n: int, n_folds: int, rng: Rng) -> Result:
    """The mean AUC of the models of the folds."""
    y, s, folds, truth = pop.out_of_fold(rng, n, n_folds)
    return covers(truth, rw.cross_validated_auc(y, s, folds).interval)


ERRORS: dict[str, tuple[float, Callable[[Rng, int], Any]]] = {
    "normal": ((2 / np.pi) ** 0.5, lambda rng, n: rng.normal(size=n)),
    "t, 3 df": (2 * 3**0.5 / np.pi, lambda rng, n: rng.standard_t(3, n)),
    "lognormal": (np.exp(0.5), lambda rng, n: rng.lognormal(size=n)),
    "Pareto 2.5": (5 / 3, lambda rng, n: 1 + rng.pareto(2.5, n)),
}


def mean_loss(n: int, errors: str, rng: Rng) -> Result:
    """The area over the REC curve."""
    truth, draw = ERRORS[errors]
    return covers(truth, rw.regression.rec(draw(rng, n), np.zeros(n)).interval)


def others() -> Iterator[Entry]:
    """Several classes, calibration, folds, regression."""

    def entry(name: str, setting: str, few: int, function: Any, *more: Any) -> Entry:
        return Entry(name, "coverage", setting, few, partial(function, *more))

    for sizes in ((5, 30, 30), (10, 10, 10), (30, 30, 30)):
        names, few = "/".join(map(str, sizes)), min(sizes)
        yield entry("multiclass.auc", f"{names}, AUC 0.76", few, several_classes, sizes, 1.0)
        volume = f"{names}, VUS {pop.volume(1.0):.2f}"
        yield entry("ordinal.auc", volume, few, ordered_classes, sizes, 1.0)
    for n in (50, 200, 1000):
        yield entry("calibration", f"{n} cases", n // 2, calibration, n, 1, False)
    for k, size in ((5, 40), (10, 40), (40, 10)):
        setting = f"{k} clusters of {size}"
        yield entry("calibration(groups=)", setting, k, calibration, k, size, True)
    for n, folds in ((100, 5), (300, 5), (300, 10)):
        setting = f"{n} cases, {folds} folds"
        yield entry("cross_validated_auc", setting, n // 2, cross_validated, n, folds)
    for errors, n in product(ERRORS, (30, 200)):
        yield entry("regression.rec", f"{n} cases, {errors}", n, mean_loss, n, errors)


def methods() -> Iterator[Entry]:
    """Named methods of `auc`."""
    for m, n, auc, sd in (
        *((5, 50, 0.9, 1), (10, 90, 0.97, 1), (20, 20, 0.8, 1), (20, 20, 0.8, 3)),
        *((50, 450, 0.97, 1), (50, 450, 0.97, 2), (200, 200, 0.9, 1)),
    ):
        setting = f", AUC {auc}" + ("" if sd == 1 else f", SD {sd}")
        yield coverage("auc(method=)", setting, named, m, n, auc, sd, samples=SLOW)


INTERVALS = (*aucs(), *weighted_aucs(), *points(), *decisions(), *others(), *methods())
