"""Statistics of an ROC curve, as arguments of `bootstrap` and `compare`.

Their interval is `rw.bootstrap(t, statistic=...)`, their difference between models
`rw.compare(pairs, statistic=...)`. Any object with a `name` and `of_curves(fpr, tpr, thresholds)`
for curves in rows (`Statistic`), or with a `name` and `of_counts(tally)` (`ScoreStatistic`), may
are used in their place.

Examples
--------
>>> import rocwise as rw
>>> t = rw.tally([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7])
>>> rw.bootstrap(t, statistic=rw.statistics.SensitivityAt(specificity=0.75), rng=1).value
1.0
"""

from rocwise.binary.statistics import (
    Area,
    AveragePrecision,
    EqualErrorRate,
    LeastCost,
    PartialArea,
    PrecisionAt,
    ScoreStatistic,
    SensitivityAt,
    SmoothArea,
    SpecificityAt,
    Statistic,
    YoudenThreshold,
)

__all__ = [
    "Area",
    "AveragePrecision",
    "EqualErrorRate",
    "LeastCost",
    "PartialArea",
    "PrecisionAt",
    "ScoreStatistic",
    "SensitivityAt",
    "SmoothArea",
    "SpecificityAt",
    "Statistic",
    "YoudenThreshold",
]
