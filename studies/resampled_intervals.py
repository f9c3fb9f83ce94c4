"""How often bands of precision, BCa and bootstrap-t intervals, and those of NRI and IDI hold.

Scores are normal: N(0, 1) for negatives, N(d, 1) for positives. Models whose probabilities are
compared know one marker, or two, and are calibrated, so that NRI has a closed form and IDI and the
NRI of categories follow from two million cases.

``python -m studies.resampled_intervals`` counts what is missing and writes the table of
`docs/validation/precision.md` (half an hour of one core from nothing).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from scipy.special import expit
from scipy.stats import norm

import rocwise as rw
from rocwise.binary import reclassification

from . import populations as pop
from .cells import Part, Records
from .study import Cell, Study, cells, run

Sample = tuple[np.ndarray, np.ndarray]
Found = tuple[str, str, int, int]  # question, design, samples, hits
DESIGNS = ((20, 20), (20, 180), (50, 50), (50, 450), (200, 200))
LARGE = 1_000_000  # cases of each class behind a truth without a formula
CUTS = (0.1, 0.3)


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


def true_precision(recall: np.ndarray, shift: float, share: float) -> np.ndarray:
    """The precision where the recall is reached."""
    alarms = norm.sf(norm.isf(recall) + shift)
    return share * recall / (share * recall + (1 - share) * alarms)


def precision_bands(shift: float, n_pos: int, n_neg: int, samples: int) -> Iterable[Found]:
    """Whole curves, and single recalls."""
    held, single, points = 0, 0, 0
    for k in range(samples):
        sample = normal_sample(np.random.default_rng([21, k]), n_pos, n_neg, shift)
        curve = rw.precision_recall(*sample)
        for kind in ("simultaneous", "pointwise"):
            band = curve.band(kind=kind, n_resamples=300, rng=k)
            truth = true_precision(band.recall, shift, n_pos / (n_pos + n_neg))
            inside = (band.lower <= truth + 1e-12) & (truth <= band.upper + 1e-12)
            held += bool(inside.all()) if kind == "simultaneous" else 0
            single += int(inside.sum()) if kind == "pointwise" else 0
        points += len(band.recall)
    design = f"{n_pos} of {n_pos + n_neg}, d = {shift:g}"
    yield "precision band, simultaneous", design, samples, held
    yield "precision band, pointwise, at each recall", design, points, single


def truths_of(n_pos: int, n_neg: int, shift: float) -> dict[str, tuple[Any, float]]:
    """Statistics of the curve by name, with their true values."""
    share = n_pos / (n_pos + n_neg)
    rate, precision = rw.statistics.SensitivityAt(0.8), rw.statistics.PrecisionAt(0.5)
    return {
        "auc": ("auc", norm.cdf(shift / 2**0.5)),
        "average-precision": (
            "average-precision",
            pop.average_precision(norm.cdf(shift / 2**0.5), share),
        ),
        "equal-error-rate": ("equal-error-rate", norm.sf(shift / 2)),
        rate.name: (rate, norm.sf(norm.ppf(0.8) - shift)),
        precision.name: (precision, true_precision(np.array([0.5]), shift, share)[0]),
    }


def resampled(n_pos: int, n_neg: int, name: str, method: str, samples: int) -> Iterable[Found]:
    """Intervals of `bootstrap` for a statistic of the curve."""
    shift, hits, asked = 1.5, 0, 0
    statistic, truth = truths_of(n_pos, n_neg, shift)[name]
    for k in range(samples):
        sample = normal_sample(np.random.default_rng([22, k]), n_pos, n_neg, shift)
        options = {"method": method, "n_resamples": 300, "rng": k}
        try:
            found = rw.bootstrap(*sample, statistic=statistic, **options)
        except rw.InputError:  # no spread, or all resamples on one side
            continue
        asked, hits = asked + 1, hits + (truth in found.interval)
    yield f"{name}, {method}", f"{n_pos} of {n_pos + n_neg}, d = 1.5", asked, int(hits)


def two_models(rng: np.random.Generator, n: int, gain: float, share: float) -> tuple:
    """Labels, and calibrated probabilities by one marker and by two."""
    y = np.repeat([1, 0], [round(n * share), n - round(n * share)])
    first, second = rng.normal(size=n) + y, rng.normal(size=n) + gain * y
    logit = np.log(share / (1 - share)) + first - 0.5
    return y, expit(logit), expit(logit + gain * second - gain**2 / 2)


@cache
def true_reclassification(gain: float, share: float) -> dict[str, float]:
    """NRI without and with categories, and IDI, of very many cases."""
    y, old, new = two_models(np.random.default_rng(23), 2 * LARGE, gain, share)
    change = new - old
    moves = np.sign(np.searchsorted(CUTS, new) - np.searchsorted(CUTS, old))
    return {
        "NRI": 2 * (2 * norm.cdf(gain / 2) - 1),
        "NRI of categories": moves[y == 1].mean() - moves[y == 0].mean(),
        "IDI": change[y == 1].mean() - change[y == 0].mean(),
    }


def reclassifications(gain: float, share: float, n: int, samples: int) -> Iterable[Found]:
    """Intervals of NRI and IDI between models that were fixed beforehand."""
    truth = true_reclassification(gain, share)
    hits = dict.fromkeys(truth, 0)
    for k in range(samples):
        y, old, new = two_models(np.random.default_rng([24, k]), n, gain, share)
        models = {"old": old, "new": new}
        plain = reclassification(y, models)
        cut = reclassification(y, models, cuts=CUTS)
        hits["NRI"] += truth["NRI"] in plain.nri_interval
        hits["IDI"] += truth["IDI"] in plain.idi_interval
        hits["NRI of categories"] += truth["NRI of categories"] in cut.nri_interval
    for name, found in hits.items():
        design = f"{round(n * share)} of {n}, second marker {gain:g}"
        yield name, design, samples, int(found)


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


METHODS = ("percentile", "bca", "bootstrap-t")
ASKED = [
    (*sizes, name, method)
    for sizes in DESIGNS[:2]
    for name, method in product(truths_of(*sizes, 1.5), METHODS)
]
SIZES = ((0.5, 40), (0.5, 100), (0.5, 400), (0.1, 200), (0.1, 1000))  # shares of positives, cases
STUDY = Study(
    "resampled_intervals",
    (
        rows_part(
            "bands",
            precision_bands,
            [(shift, *sizes) for shift, sizes in product((1.0, 2.0), DESIGNS)],
            samples=250,
        ),
        rows_part("bootstrap", resampled, ASKED, samples=200),
        rows_part(
            "reclassification",
            reclassifications,
            [(gain, *sizes) for gain, sizes in product((0.25, 0.75), SIZES)],
        ),
    ),
    lambda records: {"resampled intervals": table(records)},
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
