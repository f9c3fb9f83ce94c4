"""Coverage of bootstrap intervals, of precision bands, and of intervals of NRI and IDI.

Negatives are N(0, 1), positives N(d, 1). The models that NRI and IDI compare use one marker or two
and are calibrated. NRI has a closed form; the true IDI and categorical NRI are those of a sample of
two million.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
from scipy.special import expit
from scipy.stats import norm

import rocwise as rw
from rocwise.binary import reclassification

from . import populations as pop
from .simulation import Counts, Proportion, Records, Study, markdown, proportions

DESIGNS = ((20, 20), (20, 180), (50, 50), (50, 450), (200, 200))  # positives, negatives
METHODS = ("percentile", "bca", "bootstrap-t")
CATEGORIES = (0.1, 0.3)
LARGE = 1_000_000  # observations of each class of a sample that stands for the population


def normal_sample(rng: np.random.Generator, n_pos: int, n_neg: int, d: float) -> pop.Sample:
    """Labels and scores."""
    y = pop.labels(n_pos, n_neg)
    return y, rng.normal(size=n_pos + n_neg) + d * y


def true_precision(recall: np.ndarray, d: float, prevalence: float) -> np.ndarray:
    """Precision at a recall."""
    fpr = norm.sf(norm.isf(recall) + d)
    return prevalence * recall / (prevalence * recall + (1 - prevalence) * fpr)


def precision_bands(d: float, n_pos: int, n_neg: int, samples: int) -> Counts:
    """Simultaneous coverage of the curve, and pointwise coverage at all recalls."""
    found, design = Counts(), f"{n_pos} of {n_pos + n_neg}, d = {d:g}"
    for k in range(samples):
        sample = normal_sample(np.random.default_rng([21, k]), n_pos, n_neg, d)
        curve = rw.precision_recall(*sample)
        for kind in ("simultaneous", "pointwise"):
            band = curve.band(kind=kind, n_resamples=300, rng=k)
            truth = true_precision(band.recall, d, n_pos / (n_pos + n_neg))
            inside = (band.lower <= truth + 1e-12) & (truth <= band.upper + 1e-12)
            if kind == "simultaneous":
                found.add(f"precision band, simultaneous | {design}", inside.all())
            else:
                name = f"precision band, pointwise, at each recall | {design}"
                found.add(name, inside.sum(), len(inside))
    return found


def true_values(n_pos: int, n_neg: int, d: float) -> dict[str, tuple[Any, float]]:
    """Statistics and their true values, by name."""
    prevalence, auc = n_pos / (n_pos + n_neg), norm.cdf(d / 2**0.5)
    rate, precision = rw.statistics.SensitivityAt(0.8), rw.statistics.PrecisionAt(0.5)
    return {
        "auc": ("auc", auc),
        "average-precision": ("average-precision", pop.average_precision(auc, prevalence)),
        "equal-error-rate": ("equal-error-rate", norm.sf(d / 2)),
        rate.name: (rate, norm.sf(norm.ppf(0.8) - d)),
        precision.name: (precision, true_precision(np.array([0.5]), d, prevalence)[0]),
    }


def intervals(n_pos: int, n_neg: int, name: str, method: str, samples: int) -> Counts:
    """Intervals of one statistic by one method; samples without an interval are left out."""
    found, d = Counts(), 1.5
    statistic, truth = true_values(n_pos, n_neg, d)[name]
    for k in range(samples):
        sample = normal_sample(np.random.default_rng([22, k]), n_pos, n_neg, d)
        options = {"method": method, "n_resamples": 300, "rng": k}
        try:
            result = rw.bootstrap(*sample, statistic=statistic, **options)
        except rw.InputError:  # resamples without variance, or all on one side of the estimate
            continue
        found.add(
            f"{name}, {method} | {n_pos} of {n_pos + n_neg}, d = {d}", truth in result.interval
        )
    return found


def two_models(rng: np.random.Generator, n: int, gain: float, prevalence: float) -> tuple:
    """Labels, and calibrated probabilities from one marker and from two."""
    y = pop.labels(round(n * prevalence), n - round(n * prevalence))
    first, second = rng.normal(size=n) + y, rng.normal(size=n) + gain * y
    logit = np.log(prevalence / (1 - prevalence)) + first - 0.5
    return y, expit(logit), expit(logit + gain * second - gain**2 / 2)


@cache
def true_reclassification(gain: float, prevalence: float) -> dict[str, float]:
    """True NRI, categorical NRI and IDI."""
    y, old, new = two_models(np.random.default_rng(23), 2 * LARGE, gain, prevalence)
    change = new - old
    moves = np.sign(np.searchsorted(CATEGORIES, new) - np.searchsorted(CATEGORIES, old))
    return {
        "NRI": 2 * (2 * norm.cdf(gain / 2) - 1),
        "NRI of categories": moves[y == 1].mean() - moves[y == 0].mean(),
        "IDI": change[y == 1].mean() - change[y == 0].mean(),
    }


def reclassifications(gain: float, prevalence: float, n: int, samples: int) -> Counts:
    """Intervals of NRI and IDI of two given models."""
    found, truth = Counts(), true_reclassification(gain, prevalence)
    design = f"{round(n * prevalence)} of {n}, second marker {gain:g}"
    for k in range(samples):
        y, old, new = two_models(np.random.default_rng([24, k]), n, gain, prevalence)
        models = {"old": old, "new": new}
        plain = reclassification(y, models)
        categorical = reclassification(y, models, cuts=CATEGORIES)
        for name, interval in zip(
            truth, (plain.nri_interval, categorical.nri_interval, plain.idi_interval), strict=True
        ):
            found.add(f"{name} | {design}", truth[name] in interval)
    return found


# Percentile intervals of an AUC, d = 1 and 30% positives

ROWS, SMALL = 140_000, 2_000
TRUTH = pop.NORMAL.cdf(1 / 2**0.5)


def _sample(rng: np.random.Generator, n: int) -> pop.Sample:
    y = np.repeat([0, 1], [n * 7 // 10, n * 3 // 10])
    return y, rng.normal(size=n) + y


def delong_intervals(samples: int) -> Counts:
    """DeLong intervals of large samples."""
    rng, found = np.random.default_rng(0), Counts()
    for _ in range(samples):
        result = rw.auc(*_sample(rng, ROWS), method="delong")
        found.add(f"the same samples of {ROWS:,} rows | DeLong", TRUTH in result.interval)
    return found


def percentile_intervals(resamples: int, samples: int) -> Counts:
    """Percentile and DeLong intervals of the same small samples."""
    rng, found = np.random.default_rng([1, resamples]), Counts()
    name = f"samples of {SMALL:,} rows"
    for number in range(samples):
        data = rw.tally(*_sample(rng, SMALL))
        result = rw.auc(data, method="bootstrap", n_resamples=resamples, rng=number)
        found.add(f"{name} | {resamples:,} resamples", TRUTH in result.interval)
        delong = rw.auc(data, method="delong")
        found.add(f"{name} | DeLong, of those", TRUTH in delong.interval)
    return found


def tables(records: Records) -> dict[str, str]:
    """Coverage by method and design."""

    def row(one: Proportion) -> list[str]:
        return [
            *one.quantity.split(" | "),
            str(one.samples),
            f"{one.value:.3f}",
            f"{one.error:.3f}",
        ]

    resampled = [*records["precision"], *records["methods"], *records["reclassification"]]
    percentiles = [
        [*one.quantity.split(" | "), f"{one.samples:,}", f"{one.percent}%"]
        for one in [*records["delong"], *records["percentile"]]
    ]
    return {
        "resampled intervals": markdown(
            ["statistic", "design", "samples", "coverage", "standard error"], map(row, resampled)
        ),
        "percentile intervals": markdown(["data", "interval", "samples", "coverage"], percentiles),
    }


STATISTICS = [
    (*sizes, *each) for sizes in DESIGNS[:2] for each in product(true_values(*sizes, 1.5), METHODS)
]
MODELS = ((0.5, 40), (0.5, 100), (0.5, 400), (0.1, 200), (0.1, 1000))  # prevalence, observations
BANDS = [(d, *sizes) for d, sizes in product((1.0, 2.0), DESIGNS)]
PAIRS = [(gain, *model) for gain, model in product((0.25, 0.75), MODELS)]
STUDY = Study(
    "bootstrap",
    (
        proportions("precision", BANDS, precision_bands, samples=250, few=4),
        proportions("methods", STATISTICS, intervals, samples=200, few=4),
        proportions("reclassification", PAIRS, reclassifications, samples=1000, few=4),
        proportions("delong", [()], delong_intervals, samples=400, few=4),
        proportions("percentile", [(500,), (2000,)], percentile_intervals, samples=4000, few=20),
    ),
    tables,
)
