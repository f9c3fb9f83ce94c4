"""What two normal classes predict for one feature, with limits that are never a single point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary.distributions.crossings import best_of_normals
from rocwise.binary.distributions.densities import GaussianMixture
from rocwise.inference.intervals.interval_limits import newcombe_limits, normal_quantile
from rocwise.inference.intervals.proportions import Limits, square_and_add

NORMAL = NormalDist()


@dataclass(frozen=True)
class NormalClass:
    """The normal distribution that stands for the values of one class; the sd may be 0."""

    mean: float
    sd: float
    n: int

    @classmethod
    def of(cls, values: Floats) -> NormalClass:
        """With the mean and the sd (ddof=1); equal values have an sd of exactly 0."""
        if values.min() == values.max():
            return cls(float(values[0]), 0.0, len(values))
        return cls(float(values.mean()), float(values.std(ddof=1)), len(values))

    def share_above(self, t: float) -> float:
        """Probability of a value above t."""
        return NORMAL.cdf((self.mean - t) / self.sd) if self.sd else float(self.mean > t)


def predicted_auc(negative: NormalClass, positive: NormalClass, level: float) -> Limits:
    """Phi(delta) with limits from the normal approximation of delta = (m_P - m_N) / S.

    Without any spread, or where both limits round to the value, Newcombe's score limits.
    """
    variances = np.array([negative.sd**2, positive.sd**2])
    counts = np.array([negative.n, positive.n], dtype=np.float64)
    total, apart = float(variances.sum()), positive.mean - negative.mean
    if total == 0:
        value = 0.5 if apart == 0 else float(apart > 0)
        return Limits(value, *newcombe_limits(value, positive.n, negative.n, level))
    delta = apart / math.sqrt(total)
    of_means = float((variances / counts).sum()) / total
    of_sds = delta**2 / (4 * total**2) * float((2 * variances**2 / (counts - 1)).sum())
    reach = normal_quantile(level) * math.sqrt(of_means + of_sds)
    found = Limits(*(NORMAL.cdf(delta + side * reach) for side in (0, -1, 1)))
    if _is_point(found, negative, positive):
        return Limits(found.value, *newcombe_limits(found.value, positive.n, negative.n, level))
    return found


def predicted_ameans(
    negative: NormalClass, positive: NormalClass, level: float
) -> tuple[Limits, float]:
    """The largest predicted Ameans with limits on the logit scale, and its threshold.

    At the best threshold the derivative by the threshold is 0, so only the derivatives by the two
    means and sds enter its variance. Where these leave a single point (no threshold beats chance,
    or the classes lie far apart), the limits are those of the two rates at the threshold.
    """
    threshold = best_threshold(negative, positive)
    tpr, tnr = positive.share_above(threshold), 1 - negative.share_above(threshold)
    value = max(0.5, (tpr + tnr) / 2)
    plain = square_and_add(((tpr, positive.n), (tnr, negative.n)), level)
    by_rates = Limits(value, max(0.5, plain.low), plain.high)  # some threshold always has 1/2
    if not 0.5 < value < 1:
        return by_rates, threshold
    variance = 0.0
    for each in (negative, positive):
        if each.sd:
            z = (threshold - each.mean) / each.sd
            by_mean = NORMAL.pdf(z) / (2 * each.sd)
            variance += each.sd**2 * by_mean**2 * (1 / each.n + z * z / (2 * (each.n - 1)))
    logit = math.log(value / (1 - value))
    reach = normal_quantile(level) * math.sqrt(variance) / (value * (1 - value))
    found = Limits(value, *((1 + math.tanh((logit + side * reach) / 2)) / 2 for side in (-1, 1)))
    return (by_rates if _is_point(found, negative, positive) else found), threshold


def best_threshold(negative: NormalClass, positive: NormalClass) -> float:
    """The threshold t of the rule "positive above t" with the largest Ameans; inf at chance.

    A class without spread is a single point, which a threshold just below it puts above.
    """
    apart = positive.mean - negative.mean
    if negative.sd and positive.sd:
        classes = (
            GaussianMixture(np.array([each.mean]), each.sd, "") for each in (negative, positive)
        )
        return best_of_normals(*classes)[0]
    if not negative.sd and not positive.sd:
        return negative.mean + apart / 2 if apart > 0 else math.inf
    if not negative.sd:
        return negative.mean
    return float(np.nextafter(positive.mean, -math.inf))


def _is_point(found: Limits, negative: NormalClass, positive: NormalClass) -> bool:
    """Whether the limits are closer together than a tenth of one case could move the value."""
    return found.high - found.low < 0.1 / max(negative.n, positive.n)
