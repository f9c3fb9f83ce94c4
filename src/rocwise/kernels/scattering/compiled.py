"""Values of scores, written to the rows that have them with the compiled loops."""

from itertools import accumulate

import numpy as np

from rocwise.arrays import Counts, Floats, Mask, Scores
from rocwise.errors import InputError
from rocwise.kernels.compiled import _scattering
from rocwise.kernels.compiled.sorting import ordered_entries, readable, useful_threads
from rocwise.kernels.long_arrays import far_apart
from rocwise.kernels.no_nan import CHANGED, refuse_found
from rocwise.kernels.row_formulas import parts_of_rows
from rocwise.kernels.scattering.plain import ByScore, check_places, check_scores
from rocwise.kernels.threads import heard, run_parts


def values_by_class(
    mask: Mask,
    scores: Scores,
    span: tuple[float, float],
    negatives: ByScore,
    positives: ByScore,
    out: tuple[Floats, Floats],
) -> None:
    """Compiled twin of `plain.values_by_class`: only rows with scores of the span are sorted.

    Examples
    --------
    >>> mask, scores = np.array([1, 0, 0, 1], np.uint8), np.array([0.9, 0.4, 0.1, 0.4])
    >>> out = np.empty(2), np.empty(2)
    >>> of_class = ByScore(np.array([0.5]), 1.0, 0.0), ByScore(np.array([5.0]), 6.0, 4.0)
    >>> values_by_class(mask, scores, (0.4, 0.4), *of_class, out)
    >>> out[0].tolist(), out[1].tolist()
    ([0.5, 0.0], [6.0, 5.0])
    """
    mask, scores = readable(mask, scores)
    check_places(mask, scores, out)
    parts = parts_of_rows(mask.size)

    def count(start: int, stop: int) -> tuple[int, int]:
        return heard(_scattering.count_near, mask, scores, start, stop, *span, rows=stop - start)

    counted = run_parts(count, parts)
    for (_, near), (start, stop) in zip(counted, parts, strict=True):
        if near < 0:
            refuse_found(scores[start:stop], start)
    firsts = list(accumulate((n_pos for n_pos, _ in counted), initial=0))
    nears = list(accumulate((near for _, near in counted), initial=0))
    near_scores, near_places = np.empty(nears[-1], scores.dtype), np.empty(nears[-1], np.int64)
    beyond = np.array([negatives.below, positives.below, negatives.above, positives.above])

    def write(part: int, start: int, stop: int) -> bool:
        places = firsts[part], nears[part], nears[part + 1]
        told = mask, scores, start, stop, *span, *places, beyond, *out, near_scores, near_places
        return heard(_scattering.write_far, *told, rows=stop - start)

    if not all(run_parts(write, far_apart((part, *rows) for part, rows in enumerate(parts)))):
        raise InputError(CHANGED)
    _write_near(near_scores, near_places, negatives, positives, out)


def _write_near(
    scores: Scores,
    places: Counts,
    negatives: ByScore,
    positives: ByScore,
    out: tuple[Floats, Floats],
) -> None:
    """Write the values of the rows within the span to their places."""
    size = scores.size
    entries = ordered_entries(np.zeros(size, np.uint8), scores, useful_threads(size))[1]
    parts = parts_of_rows(size)

    def count(start: int, stop: int) -> int:
        return heard(_scattering.count_scores, entries, start, stop, size, rows=stop - start)

    found = run_parts(count, parts)
    for of_class in (negatives, positives):
        check_scores(sum(found), of_class)
    values = [np.ascontiguousarray(each.within, np.float64) for each in (negatives, positives)]
    above = list(accumulate(found[::-1], initial=0))[-2::-1]

    def write(start: int, stop: int, scores_above: int) -> None:
        told = entries, places, start, stop, size, scores_above, *values, *out
        heard(_scattering.write_near, *told, rows=stop - start)

    run_parts(write, [(*rows, number) for rows, number in zip(parts, above, strict=True)])
