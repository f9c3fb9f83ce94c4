"""Ranking of single features by predicted and empirical AUC and Ameans."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.auc import area_interval
from rocwise.binary.densities import GaussianMixture
from rocwise.binary.partial_area import WHOLE
from rocwise.binary.predicted_roc import DirectionOrAuto, best_of_normals
from rocwise.binary.roc import roc_rates, whole_area
from rocwise.data.pairs import Pairs
from rocwise.data.tally import ScoreColumn, Tally
from rocwise.errors import InputError, count_of, ends_traceback
from rocwise.inference.intervals import logit_limits, newcombe_interval, normal_quantile
from rocwise.inference.proportions import Limits, square_and_add
from rocwise.inputs.coercion import Missing, as_features
from rocwise.results import Result, result

NORMAL = NormalDist()
SAFE = 1e-30  # values from here to its inverse may be squared twice


@ends_traceback
def rank_features(
    X: Any,
    y: Any,
    *,
    direction: DirectionOrAuto = "higher",
    level: float = 0.95,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> "FeatureRanking":
    """Rank features by their AUC.

    The order is that of the AUC predicted by normal distributions of each class; the empirical AUC
    is given too.

    Parameters
    ----------
    X : 2-D array, DataFrame or dict of columns
        Features.
    y : array-like
        Labels.
    direction : {"higher", "lower", "auto"}, default "higher"
        Which values mean positive; "auto" selects the direction of the means for each feature.
    level : float, default 0.95
        Confidence level: delta method for predicted values, as in `auc` for `auc`, and Newcombe's
        square-and-add of Wilson intervals for `ameans` at the best threshold, which ignores that
        the threshold was selected on the same rows.
    pos_label : scalar, optional
        Label of the positive class; required unless it is 1 or True.
    missing : {"raise", "drop"}, default "raise"
        What to do with rows in which any feature is missing.

    Returns
    -------
    FeatureRanking
        Result with one row per feature in ``to_frame()``, in descending order of `predicted_auc`,
        with `auc`, `predicted_ameans`, `ameans`, limits and threshold. A constant feature has AUC
        0.5 and a `note`.

    See Also
    --------
    auc : AUC with a confidence interval.
    predict_roc : ROC curve of two given distributions.

    Examples
    --------
    >>> import rocwise as rw
    >>> X = {"weight": [1.0, 2.0, 3.0, 2.5, 4.0, 5.0], "noise": [1.0, 3.0, 2.0, 1.5, 3.5, 2.0]}
    >>> ranking = rw.rank_features(X, [0, 0, 0, 1, 1, 1])
    >>> dict(zip(ranking.feature.tolist(), ranking.auc.round(3).tolist()))
    {'weight': 0.889, 'noise': 0.611}
    >>> ax = ranking.plot()
    """
    data = as_features(X, y, pos_label=pos_label, missing=missing)
    checks.one_of(direction, "direction", get_args(DirectionOrAuto))
    level = checks.level(level)
    if min(data.n_pos, data.n_neg) < 2:
        raise InputError(
            f"`y` has {printing.classes(data.n_pos, data.n_neg)}; the standard deviation of a "
            "class needs two cases or more."
        )
    rows = [_row(data, name, direction, level) for name in data.names]
    order = np.argsort([-row["predicted_auc"] for row in rows], kind="stable")
    columns = {key: np.array([rows[k][key] for k in order]) for key in rows[0]}
    return FeatureRanking(
        feature=np.array(data.names, dtype=object)[order],
        level=level,
        origin=data.origin,
        **columns,
    )


@result
class FeatureRanking(Result):
    """Features ranked by AUC, one entry per feature in every array."""

    feature: Array
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
    direction: Array
    note: Array
    level: float

    def _sentence(self) -> str:
        best = (
            f"{count_of(len(self.feature), 'feature')}; best is {self.feature[0]} with predicted "
            f"AUC {self.predicted_auc[0]:.3f} (empirical {self.auc[0]:.3f})"
        )
        reversed_ = int(np.count_nonzero(self.predicted_auc < 0.5))
        if not reversed_:
            return best
        return f"{best}; {reversed_} below 0.5: direction='auto' ranks those by 1 - AUC"


def _row(data: Pairs, name: str, direction: DirectionOrAuto, level: float) -> dict[str, Any]:
    values = _finite_values(data, name)
    largest, unit = float(np.abs(values).max()), 1.0
    if largest and not SAFE <= largest <= 1 / SAFE:  # squares must neither vanish nor overflow
        unit = math.ldexp(1.0, math.frexp(largest)[1] - 1)
    positives, negatives = values[data.mask == 1] / unit, values[data.mask == 0] / unit
    lower = direction == "lower" or (direction == "auto" and positives.mean() < negatives.mean())
    sign = -1.0 if lower else 1.0
    classes = NormalClass.of(sign * negatives), NormalClass.of(sign * positives)
    tally = Tally.from_rows(data.mask, ScoreColumn(sign * values, None, data.origin))
    empirical = whole_area(tally)
    _, limits = area_interval(tally, WHOLE, empirical, method="auto", level=level)
    best, threshold = predicted_ameans(*classes, level)
    fpr, tpr = roc_rates(tally)
    top = int(np.argmax(np.round(tpr - fpr, 12)))
    rates = (float(tpr[top]), tally.n_pos), (1 - float(fpr[top]), tally.n_neg)
    found = {
        "predicted_auc": predicted_auc(*classes, level),
        "auc": Limits(empirical, limits.low, limits.high),
        "predicted_ameans": best,
        "ameans": square_and_add(rates, level),
    }
    ends = {"": 0, "_low": 1, "_high": 2}
    return {
        **{f"{key}{end}": each[k] for key, each in found.items() for end, k in ends.items()},
        "predicted_threshold": sign * threshold * unit,
        "direction": "lower" if lower else "higher",
        "note": _note(*classes),
    }


def _finite_values(data: Pairs, name: str) -> Floats:
    values = np.asarray(data.scores(name), dtype=np.float64)
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        kept = " of those kept" if data.origin.n_dropped else ""
        raise InputError(
            f"`X[{name!r}]` must contain finite numbers (means and sds are computed); got "
            f"{values[bad[0]]:g} at row {bad[0]}{kept}. Leave the feature or the row out."
        )
    return values


def _note(negative: "NormalClass", positive: "NormalClass") -> str:
    """A remark on a feature that does not vary in a class."""
    if negative.sd and positive.sd:
        return ""
    if not negative.sd and not positive.sd:
        same = negative.mean == positive.mean
        return "constant" if same else "constant within each class"
    return f"constant among the {'positives' if negative.sd else 'negatives'}"


@dataclass(frozen=True)
class NormalClass:
    """The normal distribution of the values of one class; the sd may be 0."""

    mean: float
    sd: float
    n: int

    @classmethod
    def of(cls, values: Floats) -> "NormalClass":
        """With the mean and the sd (ddof=1); equal values have an sd of exactly 0."""
        if values.min() == values.max():
            return cls(float(values[0]), 0.0, len(values))
        return cls(float(values.mean()), float(values.std(ddof=1)), len(values))

    def probability_above(self, t: float) -> float:
        """Probability of a value above t."""
        return NORMAL.cdf((self.mean - t) / self.sd) if self.sd else float(self.mean > t)


def predicted_auc(negative: NormalClass, positive: NormalClass, level: float) -> Limits:
    """Phi(delta) with normal limits of delta = (m_P - m_N) / S, or Newcombe's without variance."""
    variances = np.array([negative.sd**2, positive.sd**2])
    counts = np.array([negative.n, positive.n], dtype=np.float64)
    total, apart = float(variances.sum()), positive.mean - negative.mean
    if total == 0:
        value = 0.5 if apart == 0 else float(apart > 0)
        return Limits(value, *newcombe_interval(value, positive.n, negative.n, level))
    delta = apart / math.sqrt(total)
    of_means = float((variances / counts).sum()) / total
    of_sds = delta**2 / (4 * total**2) * float((2 * variances**2 / (counts - 1)).sum())
    reach = normal_quantile(level) * math.sqrt(of_means + of_sds)
    found = Limits(*(NORMAL.cdf(delta + side * reach) for side in (0, -1, 1)))
    if _is_point(found, negative, positive):
        return Limits(found.value, *newcombe_interval(found.value, positive.n, negative.n, level))
    return found


def predicted_ameans(
    negative: NormalClass, positive: NormalClass, level: float
) -> tuple[Limits, float]:
    """The largest predicted Ameans with limits on the logit scale, and its threshold."""
    threshold = best_threshold(negative, positive)
    tpr, tnr = positive.probability_above(threshold), 1 - negative.probability_above(threshold)
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
    found = Limits(value, *logit_limits(value, normal_quantile(level) * math.sqrt(variance)))
    return (by_rates if _is_point(found, negative, positive) else found), threshold


def best_threshold(negative: NormalClass, positive: NormalClass) -> float:
    """The threshold t of the rule "positive above t" with the largest Ameans; inf at chance."""
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
