"""How much every row moves the partial areas of several models on the same rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts, Floats, Places, Scores
from rocwise.binary.auc import Influences
from rocwise.binary.partial_area import (
    ROUNDING,
    Part,
    Stretch,
    height_at,
    influence_within,
    partial_area,
    partial_influence,
)
from rocwise.binary.roc import curve_points, roc_rates
from rocwise.binary.smooth_roc import SmoothRoc, smooth_curve, warn_of_midpoint
from rocwise.binary.statistics import SensitivityAt, SmoothArea, SpecificityAt, evaluated
from rocwise.binary.unit_scores import of_model, unit_scores
from rocwise.data.pairs import Pairs
from rocwise.data.smooth_steps import theta
from rocwise.data.summed_rows import SummedPairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, ScoreRangeError
from rocwise.inference.variance import SpreadByClass
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import run_models

REACH = 2.0  # standard errors of the midpoint: scores that far away it may pass
MANY_SCORES = 20  # distinct ones within reach of the midpoint: it moves as if smoothly
USUAL_MIDPOINTS = 0.1, 0.9  # beyond them densities may change within its reach
BLOCK = 2**14  # scores at a time, so that what is made of them stays in the caches


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """Distinct scores from 0 to 1, descending, with their cases, and how the midpoint was asked."""

    scores: Floats
    pos: Array
    neg: Array
    sizes: tuple[float, float]
    midpoint: str | float

    @classmethod
    def of(cls, data: Tally, curve: SmoothRoc, midpoint: str | float) -> _Scores:
        scores = unit_scores(data, "the smAUC", rescale=curve.rescaled)
        return cls(scores, data.pos, data.neg, (float(data.n_pos), float(data.n_neg)), midpoint)

    def blocks(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[slice, Floats]]:
        """Places of scores; and scores, positives and negatives there, in rows."""
        stop = len(self.scores) if stop is None else stop
        for first in range(start, stop, BLOCK):
            places = slice(first, min(first + BLOCK, stop))
            yield places, np.stack([self.scores[places], self.pos[places], self.neg[places]])

    def between(self, low: float, high: float) -> slice:
        """Where the scores from `low` to `high` are."""
        rising = self.scores[::-1]
        first = int(np.searchsorted(rising, low, side="left"))
        last = int(np.searchsorted(rising, high, side="right"))
        return slice(len(rising) - last, len(rising) - first)

    def factor(self, kind: int) -> float:
        """What a score of a positive (0) or negative (1) adds to the midpoint (1.2)."""
        if self.midpoint == "estimated":
            return 0.5 / self.sizes[0]
        return 0.5 / self.sizes[kind] if self.midpoint == "class-means" else 0.0

    def error_of_midpoint(self) -> float:
        """Standard error of the midpoint; 0 for one that was given."""
        if not self.factor(0):
            return 0.0
        sums, squares = np.zeros(2), np.zeros(2)
        for _, (scores, *counts) in self.blocks():
            for kind, held in enumerate(counts):
                weighted = held * scores
                sums[kind] += weighted.sum()
                squares[kind] += kernels.dot(weighted, scores)
        spreads = squares - sums**2 / self.sizes
        factors = np.array([self.factor(0), self.factor(1)])
        return math.sqrt(max(kernels.dot(factors**2, spreads), 0.0))


def smooth_influence(data: Tally, curve: SmoothRoc, midpoint: str | float) -> tuple[Floats, Floats]:
    """What a positive and a negative at each distinct score add to the smAUC, less their means.

    `curve` is that of the data, `midpoint` how its midpoint was asked for. Sums of their squares
    over the cases of a class are what it has of the variance of the smAUC.
    """
    table = _Scores.of(data, curve, midpoint)
    positives, negatives = np.empty(len(table.scores)), np.empty(len(table.scores))
    rate = _rate_of_midpoint(table, curve)
    V, H = curve.alpha_v, curve.alpha_h
    means = [0.0, 0.0]
    risen = run = 0.0
    for places, (scores, pos, neg) in table.blocks():
        of_pos, of_neg = theta(scores, curve.midpoint)
        up, right = pos * of_pos + neg * of_neg, pos * of_neg + neg * of_pos
        above, before = np.cumsum(up), np.cumsum(right)
        side = (risen + above - up / 2) / (V * H) - curve.auc / H
        rise = (H - run - before + right / 2) / (V * H) - curve.auc / V
        risen, run = risen + float(above[-1]), run + float(before[-1])
        for kind, (moved, u, r, held) in enumerate(
            ((positives, of_pos, of_neg, pos), (negatives, of_neg, of_pos, neg))
        ):
            moved[places] = u * rise + r * side + (rate * table.factor(kind)) * scores
            means[kind] += kernels.dot(held, moved[places]) / table.sizes[kind]
    positives -= means[0]
    negatives -= means[1]
    return positives, negatives


def midpoint_is_regular(data: Tally, curve: SmoothRoc, midpoint: str | float) -> bool:
    """Whether resamples move the midpoint past many distinct scores, or not at all."""
    table = _Scores.of(data, curve, midpoint)
    reach = REACH * table.error_of_midpoint()
    near = table.between(curve.midpoint - reach, curve.midpoint + reach)
    usual = USUAL_MIDPOINTS[0] <= curve.midpoint <= USUAL_MIDPOINTS[1]
    return not table.factor(0) or (usual and near.stop - near.start >= MANY_SCORES)


def _rate_of_midpoint(table: _Scores, curve: SmoothRoc) -> float:
    """Change of the smAUC with the midpoint (1.18); cases within its reach are counted."""
    middle, reach = curve.midpoint, REACH * table.error_of_midpoint()
    low, high = max(middle - reach, 0.0), min(middle + reach, 1.0)
    if low >= high:
        return 0.0
    near = table.between(low, high)
    excess = (table.pos[near] - table.neg[near]).astype(np.float64)
    passed = kernels.dot(excess, 1.0 - 2.0 * table.scores[near]) / (high - low)
    V, H = curve.alpha_v, curve.alpha_h
    above, after = _around_midpoint(table, middle)
    return passed * ((after - above) / (V * H) + curve.auc * (1 / H - 1 / V))


def _around_midpoint(table: _Scores, middle: float) -> tuple[float, float]:
    """The rise of the scores from the midpoint up, and the run of those below it."""
    place = table.between(middle, np.inf).stop
    above = after = 0.0
    for _, (scores, pos, neg) in table.blocks(0, place):
        above += float((pos * scores + neg * (1.0 - scores)).sum())
    for _, (scores, pos, neg) in table.blocks(place):
        after += float((pos * scores + neg * (1.0 - scores)).sum())
    return above, after


def part_influences(pairs: Pairs, part: Part) -> Influences:
    """Partial areas of all models and the influence of every row on each.

    `partial_influence` has the formula; covariances follow as for whole areas.
    """
    k, n_pos = len(pairs.names), pairs.n_pos
    memory = on_large_pages(k * len(pairs))  # one array: a shorter one may fill no large pages
    positives = memory[: k * n_pos].reshape(k, n_pos)
    negatives = memory[k * n_pos :].reshape(k, len(pairs) - n_pos)

    def fill(name: str, of_positives: Floats, of_negatives: Floats) -> float:
        classes = pairs.tally(name).oriented_classes
        moved = of_negatives, of_positives
        if classes is None:  # there is a table alone, or scores stand for others
            return _of_all_rows(pairs, name, part, moved)
        return _of_near_rows(pairs, name, part, classes, moved)

    models = list(zip(pairs.names, positives, negatives, strict=True))
    areas = run_models(fill, models, len(pairs))
    return Influences(np.array(areas), positives, negatives)


def _of_all_rows(pairs: Pairs, name: str, part: Part, out: tuple[Floats, Floats]) -> float:
    """The partial area of a model whose rows may have weights; writes what each row moves."""
    data = pairs.tally(name)
    fpr, tpr, _, _ = curve_points(data)
    moved = of_rows(pairs, name, *partial_influence(fpr, tpr, part))
    for label, total in enumerate((data.n_neg, data.n_pos)):
        np.divide(moved[pairs.mask == label], total, out=out[label])
    return partial_area(fpr, tpr, part)


class Reached(NamedTuple):
    """The rates of a curve that a part looks at, and the lowest and highest score there."""

    fpr: Floats
    tpr: Floats
    span: tuple[float, float]


def _of_near_rows(
    pairs: Pairs, name: str, part: Part, classes: tuple[Scores, Scores], out: tuple[Floats, Floats]
) -> float:
    """The same of rows that are all alike: only those that the part looks at are sorted."""
    fpr, tpr, span = reached(classes, part)
    n_neg, n_pos = map(len, classes)
    of_positive, of_negative = influence_within(Stretch(0, fpr, tpr), part)
    negatives, positives = (
        kernels.ByScore(each.within / total, each.before / total, each.after / total)
        for each, total in ((of_negative, n_neg), (of_positive, n_pos))
    )
    kernels.values_by_class(pairs.mask, pairs.scores(name), span, negatives, positives, out)
    return partial_area(fpr, tpr, part)


def reached(classes: tuple[Scores, Scores], part: Part) -> Reached:
    """What a part looks at of the curve of two sorted classes; the rest of it is not made.

    >>> classes = np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.5, 5.0])
    >>> fpr, tpr, span = reached(classes, Part("fpr", 0.0, 0.3))
    >>> fpr.tolist(), tpr.tolist(), span
    ([0.0, 0.0, 0.25, 0.5], [0.0, 0.5, 0.5, 0.5], (3.0, 5.0))
    """
    along = classes[part.axis == "tpr"]
    before = floor((part.low - ROUNDING) * len(along)) - 2
    behind = ceil((part.high + ROUNDING) * len(along)) + 1
    high = along[-1 - before] if before > 0 else np.inf
    low = along[-1 - behind] if behind < len(along) else -np.inf
    starts = [int(np.searchsorted(own, low, side="left")) for own in classes]
    stops = [int(np.searchsorted(own, high, side="right")) for own in classes]
    near = (own[start:stop] for own, start, stop in zip(classes, starts, stops, strict=True))
    scores, hits, alarms = kernels.curve_counts(*near, numbers=True)
    fpr, tpr = (
        (np.concatenate([[0], counts]) + (len(own) - stop)) / len(own)
        for counts, own, stop in zip((alarms, hits), classes, stops, strict=True)
    )
    rates = tpr if part.axis == "tpr" else fpr
    first = max(int(np.searchsorted(rates, part.low - ROUNDING, side="left")) - 1, 0)
    last = min(int(np.searchsorted(rates, part.high + ROUNDING, side="right")), len(scores))
    span = float(scores[last - 1]), float(scores[first])
    return Reached(fpr[first : last + 1], tpr[first : last + 1], span)


def of_rows(pairs: Pairs, name: str, of_positive: Floats, of_negative: Floats) -> Floats:
    """The influence of every row, times its weight, from those of the scores of the tally."""
    rows = kernels.argsort(pairs.scores(name))[::-1]
    if len(of_positive) < len(rows):  # rows share scores
        places = _places(pairs, name, rows)
        of_positive, of_negative = of_positive[places], of_negative[places]
    moved = np.empty(len(pairs))
    moved[rows] = np.where(pairs.mask[rows], of_positive, of_negative)
    return moved if pairs.weights is None else moved * pairs.weights


def _places(pairs: Pairs, name: str, order: Counts) -> Places:
    """Of rows from the highest score down, the place of their score in the tally.

    Rows without weight move nothing.
    """
    ranked = pairs.scores(name)[order]
    new = np.append(True, ranked[1:] != ranked[:-1])
    if pairs.weights is None:
        return np.asarray(np.cumsum(new) - 1)
    group = np.cumsum(new) - 1  # scores that no row with weight has are not in the tally
    held = np.bincount(group, pairs.weights[order]) > 0
    return np.asarray(np.maximum(np.cumsum(held) - 1, 0)[group])


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


def point_influence(data: Tally, at: float, *, mirrored: bool) -> tuple[Floats, Floats]:
    """What a positive and a negative at each distinct score add to the height at a rate.

    The rate is an FPR; or, mirrored, 1 - TPR, and the height the specificity there. Both have the
    mean 0 over the cases of their class; sums of their squares are the variance of the height.
    """
    fpr, tpr = roc_rates(data)
    n_across, n_up = float(data.n_neg), float(data.n_pos)
    if mirrored:
        fpr, tpr = 1.0 - tpr[::-1], 1.0 - fpr[::-1]
        n_across, n_up = n_up, n_across
    reach = REACH * math.sqrt(at * (1.0 - at) / n_across)
    low, high = max(at - reach, 0.0), min(at + reach, 1.0)
    rise = height_at(fpr, tpr, high) - height_at(fpr, tpr, low)
    slope = rise / (high - low) if high > low else 0.0
    called = _called(fpr, at)
    up = (called - kernels.dot(np.diff(tpr), called)) / n_up
    across = -slope * (called - at) / n_across
    return (across[::-1], up[::-1]) if mirrored else (up, across)


def _called(rates: Floats, at: float) -> Floats:
    """For each segment, the share of its cases at or before the rate; all on a vertical part."""
    before, after = rates[:-1], rates[1:]
    called = (before <= at + 1e-12).astype(np.float64)
    k = int(np.searchsorted(rates, at + 1e-12, side="right")) - 1
    if k < len(called) and after[k] > before[k]:
        called[k] = min(max((at - before[k]) / (after[k] - before[k]), 0.0), 1.0)
    return called


PointRate = SensitivityAt | SpecificityAt
MANY_BEYOND = 1_000  # cases on either side of the given rate, and of the other class
MANY_ASIDE = 100  # cases on either side of the rate that is compared


def influences_hold_at(data: Pairs | Tally, statistic: PointRate) -> bool:
    """Whether influence functions compare the rate by default: many cases around the point."""
    if isinstance(data, SummedPairs) or has_unlike_rows(data):
        return False
    n_given, n_compared = _sizes(data, statistic)
    at, _ = _place(statistic)
    beyond = round(n_given * min(at, 1 - at), 6)  # 1 - 0.9 is a little less than 0.1
    if min(beyond, n_compared) < MANY_BEYOND:
        return False
    samples = [data.tally(name) for name in data.names] if isinstance(data, Pairs) else [data]
    rates = [evaluated(each, statistic) for each in samples]
    return all(n_compared * min(rate, 1 - rate) >= MANY_ASIDE for rate in rates)


def point_influences(pairs: Pairs, statistic: PointRate) -> Influences:
    """The rate of every model and the influence of every row on each."""
    at, mirrored = _place(statistic)
    tallies = [pairs.tally(name) for name in pairs.names]
    moved = np.stack(
        [
            of_rows(pairs, name, *point_influence(data, at, mirrored=mirrored))
            for name, data in zip(pairs.names, tallies, strict=True)
        ]
    )
    rates = np.array([evaluated(data, statistic) for data in tallies])
    return Influences(rates, moved[:, pairs.mask == 1], moved[:, pairs.mask == 0])


def point_spread(data: Tally, statistic: PointRate) -> tuple[float, SpreadByClass]:
    """The rate of one sample and its variance."""
    at, mirrored = _place(statistic)
    found = point_influence(data, at, mirrored=mirrored)
    return evaluated(data, statistic), spread_of(data, found)


def _place(statistic: PointRate) -> tuple[float, bool]:
    """The rate at which the curve is read, and whether it is read from its other end."""
    if isinstance(statistic, SensitivityAt):
        return 1.0 - statistic.specificity, False
    return 1.0 - statistic.sensitivity, True


def _sizes(data: Pairs | Tally, statistic: PointRate) -> tuple[float, float]:
    """Cases of the class whose rate is given, and of the one whose rate is compared."""
    negatives, positives = float(data.n_neg), float(data.n_pos)
    given_first = isinstance(statistic, SensitivityAt)
    return (negatives, positives) if given_first else (positives, negatives)
