"""The smAUC of models or samples by influence functions, in place of a bootstrap."""

from __future__ import annotations

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.binary.areas.influences import Influences
from rocwise.binary.areas.part_influences import of_rows
from rocwise.binary.curves.smooth_influences import midpoint_is_regular, smooth_influence
from rocwise.binary.resampling.score_statistics import SmoothArea
from rocwise.binary.smooth_roc import SmoothRoc, smooth_curve, warn_of_midpoint
from rocwise.binary.unit_scores import of_model, unit_scores
from rocwise.data.mergeable.summed_pairs import SummedPairs
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, ScoreRangeError
from rocwise.inference.class_spreads import SpreadByClass

MANY_CASES = 1_000  # of either class, from which influence functions compare the smAUC by default


def influences_hold(data: Pairs | Tally, statistic: SmoothArea) -> bool:
    """Whether influence functions compare the smAUC by default: many cases, alike and apart.

    Rows with weights and clusters are left to the bootstrap, which draws the shares of the classes
    with them; so are scores on so few levels that the midpoint leaps from one to the next.
    """
    if isinstance(data, SummedPairs) or min(data.n_pos, data.n_neg) < MANY_CASES:
        return False
    if has_unlike_rows(data):
        return False
    samples = [data.tally(name) for name in data.names] if isinstance(data, Pairs) else [data]
    try:
        return all(
            midpoint_is_regular(each, _curve(each, statistic), statistic.midpoint)
            for each in samples
        )
    except ScoreRangeError:
        return False  # refused where the model is known


def has_unlike_rows(data: Pairs | Tally) -> bool:
    """Whether rows have weights or belong to clusters."""
    if isinstance(data, Pairs):
        return data.weights is not None or data.groups is not None
    return data.weighted or data.clustered


def smooth_influences(pairs: Pairs, statistic: SmoothArea) -> Influences:
    """The smAUC of every model and the influence of every row on each."""
    areas, of_positives, of_negatives = [], [], []
    positive, negative = np.flatnonzero(pairs.mask == 1), np.flatnonzero(pairs.mask == 0)
    for name in pairs.names:
        data = pairs.tally(name)
        try:
            curve, found = _curve_and_influence(data, statistic)
        except ScoreRangeError as problem:
            raise of_model(problem, pairs, name) from None
        moved = of_rows(pairs, name, *found)
        areas.append(curve.auc)
        of_positives.append(moved[positive])
        of_negatives.append(moved[negative])
    return Influences(np.array(areas), np.stack(of_positives), np.stack(of_negatives))


def smooth_spread(data: Tally, statistic: SmoothArea) -> tuple[float, SpreadByClass]:
    """The smAUC of one sample and its variance."""
    curve, found = _curve_and_influence(data, statistic)
    return curve.auc, spread_of(data, found)


def spread_of(data: Tally, moved: tuple[Floats, Floats]) -> SpreadByClass:
    """The variance of a number that positives and negatives at each score move by so much."""
    parts = []
    for each, counts, name in zip(
        moved, (data.pos, data.neg), ("positive", "negative"), strict=True
    ):
        size = float(counts.sum())
        if size < 2:
            raise InputError(f"method='influence' needs at least two {name}s; got {size:g}.")
        parts.append(size / (size - 1) * kernels.dot(counts.astype(np.float64), each * each))
    sizes = float(data.n_pos), float(data.n_neg)
    return SpreadByClass(sum(parts), (parts[0], parts[1]), sizes)


def _curve_and_influence(
    data: Tally, statistic: SmoothArea
) -> tuple[SmoothRoc, tuple[Floats, Floats]]:
    unit_scores(data, "the smAUC", rescale=statistic.rescale)  # words its own refusal
    curve = _curve(data, statistic)
    warn_of_midpoint(curve.midpoint)
    return curve, smooth_influence(data, curve, statistic.midpoint)


def _curve(data: Tally, statistic: SmoothArea) -> SmoothRoc:
    return smooth_curve(data, statistic.midpoint, rescale=statistic.rescale)
