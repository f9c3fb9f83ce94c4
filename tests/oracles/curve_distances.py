"""The distance of two ROC curves along lines of one slope, and curves of resampled rows."""

import numpy as np

from rocwise.kernels import bands


def curve_distance(first, second, slope):
    """The largest distance along lines of slope -`slope` (F6.5)."""
    lines = [tpr + slope * fpr for fpr, tpr in (first, second)]
    union = np.concatenate(lines)
    gaps = np.interp(union, lines[0], first[0]) - np.interp(union, lines[1], second[0])
    return float(np.sqrt(1.0 + slope * slope) * np.abs(gaps).max())


def resampled_curves(data, seed, n_resamples):
    """FPR and TPR of resamples of all rows of a tally."""
    tp, fp = (np.append(0, np.cumsum(counts)) for counts in (data.pos, data.neg))
    return list(bands._curves(bands.RowSample(tp, fp, seed), 0, n_resamples))
