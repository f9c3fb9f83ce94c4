"""How often bands of precision, BCa and bootstrap-t intervals, and those of NRI and IDI hold.

Scores are normal: N(0, 1) for negatives, N(d, 1) for positives. Models whose probabilities are
compared know one marker, or two, and are calibrated, so that NRI has a closed form and IDI and the
NRI of categories follow from two million cases.

    python -m studies.resampled_intervals > table.md
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator

import numpy as np
from scipy.special import expit
from scipy.stats import norm

import rocwise as rw
from rocwise.binary.costs import reclassification

from .points_and_precision import Row, normal_sample, print_table, true_average_precision

DESIGNS = ((20, 20), (20, 180), (50, 50), (50, 450), (200, 200))
LARGE = 1_000_000  # cases of each class behind a truth without a formula
CUTS = (0.1, 0.3)


def true_precision(recall: np.ndarray, shift: float, share: float) -> np.ndarray:
    """The precision where the recall is reached."""
    alarms = norm.sf(norm.isf(recall) + shift)
    return share * recall / (share * recall + (1 - share) * alarms)


def precision_bands(samples: int) -> Iterator[Row]:
    """Whole curves, and single recalls."""
    some = max(samples // 2, 1)
    for shift in (1.0, 2.0):
        for n_pos, n_neg in DESIGNS:
            held, single, cells = 0, 0, 0
            for k in range(some):
                sample = normal_sample(np.random.default_rng([21, k]), n_pos, n_neg, shift)
                curve = rw.precision_recall(*sample)
                for kind in ("simultaneous", "pointwise"):
                    band = curve.band(kind=kind, n_resamples=300, rng=k)
                    truth = true_precision(band.recall, shift, n_pos / (n_pos + n_neg))
                    inside = (band.lower <= truth + 1e-12) & (truth <= band.upper + 1e-12)
                    held += bool(inside.all()) if kind == "simultaneous" else 0
                    single += int(inside.sum()) if kind == "pointwise" else 0
                cells += len(band.recall)
            design = f"{n_pos} of {n_pos + n_neg}, d = {shift:g}"
            yield "precision band, simultaneous", design, some, held
            yield "precision band, pointwise, at each recall", design, cells, single


def resampled(samples: int) -> Iterator[Row]:
    """Intervals of `bootstrap` for statistics of the curve."""
    shift, some = 1.5, max(samples // 4, 1)
    for n_pos, n_neg in DESIGNS[:2]:
        share = n_pos / (n_pos + n_neg)
        truths = {
            "auc": norm.cdf(shift / 2**0.5),
            "average-precision": true_average_precision(shift, share),
            "equal-error-rate": norm.sf(shift / 2),
            rw.statistics.SensitivityAt(0.8): norm.sf(norm.ppf(0.8) - shift),
            rw.statistics.PrecisionAt(0.5): true_precision(np.array([0.5]), shift, share)[0],
        }
        for statistic, truth in truths.items():
            for method in ("percentile", "bca", "bootstrap-t"):
                hits = asked = 0
                for k in range(some):
                    sample = normal_sample(np.random.default_rng([22, k]), n_pos, n_neg, shift)
                    options = {"method": method, "n_resamples": 300, "rng": k}
                    try:
                        found = rw.bootstrap(*sample, statistic=statistic, **options)
                    except rw.InputError:  # no spread, or all resamples on one side
                        continue
                    asked, hits = asked + 1, hits + (truth in found.interval)
                name = statistic if isinstance(statistic, str) else statistic.name
                yield f"{name}, {method}", f"{n_pos} of {n_pos + n_neg}, d = 1.5", asked, hits


def two_models(rng: np.random.Generator, n: int, gain: float, share: float) -> tuple:
    """Labels, and calibrated probabilities by one marker and by two."""
    y = np.repeat([1, 0], [round(n * share), n - round(n * share)])
    first, second = rng.normal(size=n) + y, rng.normal(size=n) + gain * y
    logit = np.log(share / (1 - share)) + first - 0.5
    return y, expit(logit), expit(logit + gain * second - gain**2 / 2)


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


def reclassifications(samples: int) -> Iterator[Row]:
    """Intervals of NRI and IDI between models that were fixed beforehand."""
    for gain in (0.25, 0.75):
        for share, sizes in ((0.5, (40, 100, 400)), (0.1, (200, 1000))):
            truth = true_reclassification(gain, share)
            for n in sizes:
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
                    yield name, design, samples, found


PARTS = {"bands": precision_bands, "bootstrap": resampled, "reclassification": reclassifications}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000, help="of each design")
    parser.add_argument("--only", choices=sorted(PARTS), help="one part of the table")
    options = parser.parse_args()
    parts = [PARTS[options.only]] if options.only else list(PARTS.values())
    print_table(row for part in parts for row in part(options.samples))


if __name__ == "__main__":
    warnings.simplefilter("ignore", rw.RocwiseWarning)
    main()
