"""The questions, asked of each Python implementation; every answer is a tuple of numbers.

Packages are imported inside the functions: a missing peer must not stop the others.
Each function touches all it returns, so nothing computed on demand escapes the clock.
"""

import numpy as np
from numpy.typing import NDArray

from .agreement import Value
from .data import Sample

REPLICATES = 2000
BAND_RATES = (0.1, 0.3, 0.6)
Points = tuple[NDArray[np.floating], NDArray[np.floating], NDArray[np.floating]]


def rocwise_auc(sample: Sample) -> Value:
    """The area alone; the interval that comes with it is part of the price."""
    import rocwise as rw

    return (rw.auc(sample.label, sample.first).value,)


def rocwise_delong(sample: Sample) -> Value:
    """Area and DeLong interval."""
    import rocwise as rw

    area = rw.auc(sample.label, sample.first)
    return area.value, area.interval.low, area.interval.high


def rocwise_compare(sample: Sample) -> Value:
    """Paired DeLong test: both areas, |z|, p."""
    import rocwise as rw

    test = rw.compare(rw.pair(sample.label, sample.both))
    return (*test.estimates.values(), abs(test.statistic), test.p_value)


def rocwise_bootstrap(sample: Sample) -> Value:
    """Percentile interval from stratified replicates."""
    import rocwise as rw

    area = rw.auc(
        sample.label, sample.first, method="bootstrap", n_resamples=REPLICATES, rng=20_261
    )
    return area.interval.low, area.interval.high


def rocwise_exact_bootstrap(sample: Sample) -> Value:
    """Variance of the paired difference over all resamples, without drawing any."""
    import rocwise as rw

    pairs = rw.pair(sample.label, sample.both)
    error = rw.compare(pairs, method="exact-bootstrap").standard_error
    if error is None:
        raise TypeError("compare(method='exact-bootstrap') gave no standard error.")
    return (error**2,)


def rocwise_permutation(sample: Sample) -> Value:
    """Exact two-sided p of the paired permutation test on ranks."""
    import rocwise as rw

    return (rw.compare(rw.pair(sample.label, sample.both), method="permutation").p_value,)


def sklearn_auc(sample: Sample) -> Value:
    from sklearn.metrics import roc_auc_score

    return (float(roc_auc_score(sample.label, sample.first)),)


def torchmetrics_auc(sample: Sample) -> Value:
    import torch
    from torchmetrics.functional.classification import binary_auroc

    scores, labels = torch.from_numpy(sample.first), torch.from_numpy(sample.label)
    return (float(binary_auroc(scores, labels)),)


def confidenceinterval_delong(sample: Sample) -> Value:
    from confidenceinterval import roc_auc_score

    area, (low, high) = roc_auc_score(sample.label, sample.first, confidence_level=0.95)
    return float(area), float(low), float(high)


def mlstatkit_compare(sample: Sample) -> Value:
    from MLstatkit import Delong_test

    z, p, area_1, area_2 = Delong_test(
        sample.label, sample.first, sample.second, return_ci=False, return_auc=True
    )
    return area_1, area_2, abs(z), p


def rocwise_curve(sample: Sample) -> Points:
    import rocwise as rw

    curve = rw.roc(sample.label, sample.first)
    return curve.fpr, curve.tpr, curve.thresholds


def sklearn_curve(sample: Sample) -> Points:
    from sklearn.metrics import roc_curve

    points: Points = roc_curve(sample.label, sample.first)
    return points


def sklearn_full_curve(sample: Sample) -> Points:
    from sklearn.metrics import roc_curve

    points: Points = roc_curve(sample.label, sample.first, drop_intermediate=False)
    return points


def torchmetrics_curve(sample: Sample) -> Points:
    import torch
    from torchmetrics.functional.classification import binary_roc

    scores, labels = torch.from_numpy(sample.first), torch.from_numpy(sample.label)
    fpr, tpr, thresholds = binary_roc(scores, labels)
    return fpr.numpy(), tpr.numpy(), thresholds.numpy()


def curve_value(points: Points) -> Value:
    """Area and three heights: the same however many collinear points are kept.

    No vertical step of the curve stands at such odd false positive rates.
    """
    fpr, tpr = (np.asarray(rates, dtype=np.float64) for rates in points[:2])
    heights = np.interp([0.0503149, 0.2071067, 0.6180339], fpr, tpr)
    return float(np.trapezoid(tpr, fpr)), *(float(height) for height in heights)


def rocwise_band(sample: Sample) -> Value:
    """Simultaneous band: lower bounds, then upper bounds, at three false positive rates."""
    import rocwise as rw

    band = rw.band(
        sample.label,
        sample.first,
        kind="simultaneous",
        level=0.95,
        n_resamples=REPLICATES,
        rng=20_261,
    )
    lower, upper = band.at(np.array(BAND_RATES))
    return (*map(float, lower), *map(float, upper))


def rocwise_fixed_width(sample: Sample) -> Value:
    """Fixed-width band, read like the other bands."""
    import rocwise as rw

    band = rw.band(
        sample.label,
        sample.first,
        kind="fixed-width",
        level=0.95,
        n_resamples=REPLICATES,
        rng=20_261,
    )
    lower, upper = band.at(np.array(BAND_RATES))
    return (*map(float, lower), *map(float, upper))


def rocwise_binormal(sample: Sample) -> Value:
    """Area of the binormal fit."""
    import rocwise as rw

    return (rw.binormal(sample.label, sample.first).auc,)


def rocci_band(sample: Sample) -> Value:
    import warnings

    from rocci import RocciWarning, roc_band

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocciWarning)  # it remarks on tied scores
        band = roc_band(
            sample.label, sample.first, confidence=0.95, n_boot=REPLICATES, random_state=1
        )
    lower = np.interp(BAND_RATES, band.fpr, band.lower)
    upper = np.interp(BAND_RATES, band.fpr, band.upper)
    return (*map(float, lower), *map(float, upper))
