"""Columns by the compiled loops, shared out among the threads: one pass, nothing in between."""

from itertools import accumulate

import numpy as np

from rocwise.arrays import Amounts, Counts, Floats, Mask
from rocwise.kernels.columns import plain
from rocwise.kernels.compiled import _columns
from rocwise.kernels.long_arrays import far_apart, on_large_pages
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.row_formulas import parts_of_rows, run_models
from rocwise.kernels.threads import run_parts, steps_between_signals

LARGEST_EXACT = 2**53  # whole numbers up to it are added as floats without rounding


def threshold_measure(
    measure: str,
    tp: Amounts,
    fp: Amounts,
    n_pos: float,
    n_neg: float,
    *,
    out: Floats | None = None,
) -> Floats:
    """Compiled twin of `plain.threshold_measure`."""
    if n_pos + n_neg > LARGEST_EXACT or not _same_kind(tp, fp) or not _writable(out, tp.size):
        return plain.threshold_measure(measure, tp, fp, n_pos, n_neg, out=out)
    tp, fp = np.ascontiguousarray(tp), np.ascontiguousarray(fp)
    number, made = plain.MEASURES.index(measure), on_large_pages(tp.size) if out is None else out

    def fill(start: int, stop: int) -> None:
        for rows in steps_between_signals(start, stop):
            _columns.fill_measure(tp, fp, n_pos, n_neg, number, *rows, made)

    run_parts(fill, far_apart(parts_of_rows(tp.size)))
    return made


def _same_kind(tp: Amounts, fp: Amounts) -> bool:
    """Whether both columns are counts, or both sums of weights, as the loops read them."""
    return tp.dtype == fp.dtype and tp.dtype in (np.int64, np.float64) and tp.shape == fp.shape


def _writable(out: Floats | None, rows: int) -> bool:
    """Whether the loops can write to what was given, if anything."""
    if out is None:
        return True
    return out.dtype == np.float64 and out.shape == (rows,) and out.flags.c_contiguous


def placement_influences(placements: Counts, mask: Mask) -> tuple[Floats, Floats, Floats]:
    """Compiled twin of `plain.placement_influences`."""
    placements = np.ascontiguousarray(placements, np.int64)
    mask = np.ascontiguousarray(mask, np.uint8)
    if placements.ndim != 2 or placements.shape[1:] != mask.shape:
        raise ValueError(f"`placements` has shape {placements.shape}, `mask` {mask.shape}.")
    models, n_pos = len(placements), int(np.count_nonzero(mask))
    memory = on_large_pages(placements.size)  # one array: the shorter is too short for large pages
    positives = memory[: models * n_pos].reshape(models, n_pos)
    negatives = memory[models * n_pos :].reshape(models, mask.size - n_pos)

    def fill(placed: Counts, pos: Floats, neg: Floats) -> float:
        return _fill_influences(mask, placed, pos, neg)

    rows = list(zip(placements, positives, negatives, strict=True))
    return np.array(run_models(fill, rows, rows=mask.size)), positives, negatives


def _fill_influences(mask: Mask, placed: Counts, pos: Floats, neg: Floats) -> float:
    """Write the influences of one model, and tell its area."""
    parts = parts_of_rows(mask.size)

    def look(start: int, stop: int) -> tuple[int, int]:
        return _columns.placed_positives(mask, placed, start, stop)

    seen = run_parts(look, parts)  # of each part: positives, and the sum of their placements
    firsts = accumulate((n_pos for n_pos, _ in seen[:-1]), initial=0)
    area = plain.area_of(sum(total for _, total in seen), pos.size, neg.size)

    def fill(first: int, start: int, stop: int) -> None:
        _columns.fill_influences(mask, placed, area, start, stop, first, pos, neg)

    run_parts(fill, far_apart((first, *part) for first, part in zip(firsts, parts, strict=True)))
    return area


def chebyshev(x: Floats, coefficients: Floats, offset: float, scale: float) -> Floats:
    """Compiled twin of `plain.chebyshev`.

    Examples
    --------
    >>> chebyshev(np.array([0.0, 1.0]), np.array([1.0, 0.0, 2.0]), 0.0, 0.5).tolist()
    [-1.0, 0.0]
    """
    refuse_nan(x, coefficients, offset, scale, what="the terms of a polynomial")
    if len(coefficients) < 3:
        raise ValueError("a polynomial needs three coefficients at least.")
    values = np.empty(len(x))
    at, terms = (np.ascontiguousarray(numbers, np.float64) for numbers in (x, coefficients))
    _columns.fill_chebyshev(at, terms, offset, scale, values)
    return values
