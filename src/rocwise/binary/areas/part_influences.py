"""How much every row moves the partial areas of several models on the same rows."""

from __future__ import annotations

from math import ceil, floor
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Counts, Floats, Places, Scores
from rocwise.binary.areas.influences import Influences
from rocwise.binary.curves.parts import (
    ROUNDING,
    Part,
    Stretch,
    influence_within,
    partial_area,
    partial_influence,
)
from rocwise.binary.roc import curve_points
from rocwise.data.pairs import Pairs
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import run_models


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
