"""Which single feature tells the classes apart: predicted and empirical AUC and Ameans of each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import checks
from rocwise.binary.areas import whole_area
from rocwise.binary.crossings import best_of_normals
from rocwise.binary.curves import rates_from_zero
from rocwise.binary.densities import GaussianMixture, gaussian_of
from rocwise.binary.intervals import area_interval
from rocwise.binary.partial import WHOLE
from rocwise.errors import InputError
from rocwise.pairs import Pairs
from rocwise.results import Result
from rocwise.tallies import ScoreColumn, Tally

Floats = NDArray[np.float64]
DIRECTIONS = ("higher", "lower", "auto")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class FeatureRanking(Result):
    """Features from the most to the least discriminating, one entry each in every array."""

    feature: NDArray[Any]
    predicted_auc: Floats
    predicted_auc_low: Floats
    predicted_auc_high: Floats
    auc: Floats
    auc_low: Floats
    auc_high: Floats
    predicted_ameans: Floats
    predicted_ameans_low: Floats
    predicted_ameans_high: Floats
    ameans: Floats
    ameans_low: Floats
    ameans_high: Floats
    predicted_threshold: Floats
    direction: NDArray[Any]
    level: float

    def _sentence(self) -> str:
        best = (
            f"{len(self.feature)} features; best is {self.feature[0]} with predicted AUC "
            f"{self.predicted_auc[0]:.3f} (empirical {self.auc[0]:.3f})"
        )
        reversed_ = int(np.count_nonzero(self.predicted_auc < 0.5))
        if not reversed_:
            return best
        return f"{best}; {reversed_} below 0.5: direction='auto' ranks those by 1 - AUC"


def rank_features(data: Pairs, *, direction: str = "higher", level: float = 0.95) -> FeatureRanking:
    """Order features by the AUC that normal distributions predict, beside the empirical one.

    Parameters
    ----------
    X : 2-D array, data frame or dict of columns
        The features.
    y : sequence
        The class of each row; `pos_label=` says which one is positive.
    direction : {"higher", "lower", "auto"}
        Which values mean positive; "auto" lets each feature point where its means do, and the
        column `direction` says which.
    level : float, default 0.95
        Confidence level: delta method for the predicted values, DeLong for `auc`, Newcombe's
        square-and-add of Wilson intervals at the best threshold for `ameans`, which does not
        know that the threshold was chosen on the same rows.

    Returns
    -------
    FeatureRanking
        `to_frame()` has one row per feature, descending by `predicted_auc`, with `auc`,
        `predicted_ameans`, `ameans`, the limits `..._low` and `..._high`, and the threshold.

    Examples
    --------
    >>> import rocwise as rw
    >>> X = {"weight": [1.0, 2.0, 3.0, 2.5, 4.0, 5.0], "noise": [1.0, 3.0, 2.0, 1.5, 3.5, 2.0]}
    >>> rw.rank_features(X, [0, 0, 0, 1, 1, 1]).feature.tolist()
    ['weight', 'noise']
    """
    checks.one_of(direction, "direction", DIRECTIONS)
    checks.fraction(level, "level")
    if data.weights is not None:
        raise InputError("weights are not supported by `rank_features`; leave them out.")
    rows = [_row(data, name, direction, level) for name in data.names]
    order = np.argsort([-row["predicted_auc"] for row in rows], kind="stable")
    columns = {key: np.array([rows[k][key] for k in order]) for key in rows[0]}
    return FeatureRanking(
        feature=np.array(data.names, dtype=object)[order],
        level=level,
        origin=data.origin,
        **columns,
    )


def _row(data: Pairs, name: str, direction: str, level: float) -> dict[str, Any]:
    values = np.asarray(data.scores(name), dtype=np.float64)
    positives, negatives = values[data.mask == 1], values[data.mask == 0]
    lower = direction == "lower" or (direction == "auto" and positives.mean() < negatives.mean())
    sign = -1.0 if lower else 1.0
    negative = gaussian_of(sign * negatives, f"X[{name!r}] of the negatives")
    positive = gaussian_of(sign * positives, f"X[{name!r}] of the positives")
    sizes = len(negatives), len(positives)
    tally = Tally.from_rows(data.mask, ScoreColumn(sign * values, None, data.origin))
    empirical = whole_area(tally)
    _, limits = area_interval(
        tally, WHOLE, empirical, method="delong", level=level, n_resamples=1, rng=0, variance=None
    )
    area = _predicted_area(negative, positive, sizes, level)
    best = _predicted_ameans(negative, positive, sizes, level)
    return {
        **_spread("predicted_auc", *area),
        **_spread("auc", empirical, limits.low, limits.high),
        **_spread("predicted_ameans", *best[:3]),
        **_spread("ameans", *_observed_ameans(tally, level)),
        "predicted_threshold": sign * best[3],
        "direction": "lower" if lower else "higher",
    }


def _spread(name: str, value: float, low: float, high: float) -> dict[str, float]:
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def _predicted_area(
    negative: GaussianMixture, positive: GaussianMixture, sizes: tuple[int, int], level: float
) -> tuple[float, float, float]:
    """Phi(delta) with limits from the normal approximation of delta = (m_P - m_N) / S."""
    variances = np.array([negative.width**2, positive.width**2])
    counts = np.array(sizes, dtype=np.float64)
    total = float(variances.sum())
    delta = float(positive.centres[0] - negative.centres[0]) / math.sqrt(total)
    of_means = float((variances / counts).sum()) / total
    of_sds = delta**2 / (4 * total**2) * float((2 * variances**2 / (counts - 1)).sum())
    normal = NormalDist()
    reach = normal.inv_cdf((1 + level) / 2) * math.sqrt(of_means + of_sds)
    return normal.cdf(delta), normal.cdf(delta - reach), normal.cdf(delta + reach)


def _predicted_ameans(
    negative: GaussianMixture, positive: GaussianMixture, sizes: tuple[int, int], level: float
) -> tuple[float, float, float, float]:
    """The largest predicted Ameans, its limits on the logit scale, and the threshold.

    At the best threshold the derivative by the threshold is 0, so only the derivatives by the two
    means and sds enter its variance.
    """
    threshold, value = best_of_normals(negative, positive)
    if not math.isfinite(threshold):
        return value, value, value, threshold
    normal = NormalDist()
    variance = 0.0
    for density, n in ((negative, sizes[0]), (positive, sizes[1])):
        z = (threshold - float(density.centres[0])) / density.width
        by_mean = normal.pdf(z) / (2 * density.width)
        by_sd = z * by_mean
        variance += density.width**2 * (by_mean**2 / n + by_sd**2 / (2 * (n - 1)))
    if value >= 1:
        return value, value, value, threshold
    logit = math.log(value / (1 - value))
    reach = normal.inv_cdf((1 + level) / 2) * math.sqrt(variance) / (value * (1 - value))
    low, high = (1 / (1 + math.exp(-(logit + side * reach))) for side in (-1, 1))
    return value, low, high, threshold


def _observed_ameans(tally: Tally, level: float) -> tuple[float, float, float]:
    """The largest mean of sensitivity and specificity, with square-and-add Wilson limits."""
    fpr, tpr = rates_from_zero(tally)
    best = int(np.argmax(np.round(tpr - fpr, 12)))
    rates = ((float(tpr[best]), tally.n_pos), (1 - float(fpr[best]), tally.n_neg))
    value = sum(rate for rate, _ in rates) / 2
    down = up = 0.0
    for rate, n in rates:
        low, high = wilson(rate, n, level)
        down += (rate - low) ** 2
        up += (high - rate) ** 2
    return value, value - math.sqrt(down) / 2, value + math.sqrt(up) / 2


def wilson(rate: float, n: float, level: float) -> tuple[float, float]:
    """Wilson's score interval of a proportion.

    >>> [round(limit, 4) for limit in wilson(0.9, 10, 0.95)]
    [0.5958, 0.9821]
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return max(0.0, centre - reach), min(1.0, centre + reach)
