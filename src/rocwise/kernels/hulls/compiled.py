"""Corners of hulls by the compiled loops: threads share the points, one joins what they leave."""

import numpy as np

from rocwise.arrays import Amounts, Counts, Floats, Places
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.compiled import _hulls
from rocwise.kernels.compiled.resampling import replicate_parts
from rocwise.kernels.hulls import plain
from rocwise.kernels.hulls.isotonic import fits_of_counts
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.row_formulas import parts_of_rows
from rocwise.kernels.threads import run_parts


def concave_corners(x: Amounts, y: Amounts) -> Places:
    """Compiled twin of `plain.concave_corners`."""
    x, y, slack = plain.as_points(x, y)
    if slack > 1 and (np.isnan(x).any() or np.isnan(y).any()):
        refuse_nan(x, y, what="the points")

    def corners_of(places: Counts) -> Counts:
        return places[: _hulls.chain(x, y, places, slack)]

    points = len(x) + 1
    if points <= plain.FEW:
        return corners_of(np.arange(points, dtype=np.int64)).astype(np.intp, copy=False)
    knots = corners_of(plain.spread_out(points))

    def look(start: int, stop: int) -> Counts:
        kept = np.empty(stop - start, np.int64)  # memory is only given for what is written
        before = int(np.searchsorted(knots, start, side="right")) - 1
        return kept[: _hulls.above(x, y, knots[before:], start, stop, kept)]

    above = np.concatenate(run_parts(look, parts_of_rows(points)))
    return corners_of(above).astype(np.intp, copy=False)


def resample_isotonic(
    pos: Counts, neg: Counts, seed: int, first: int, last: int, places: Places
) -> Floats:
    """Compiled twin of `plain.resample_isotonic`."""
    tables.check_replicates(pos, neg, seed, first, last)
    if tables.draws_counts(pos, neg):
        return fits_of_counts(pos, neg, seed, first, last, places, concave_corners)
    ranks = tables.cumulative(pos), tables.cumulative(neg)
    asked, fits = np.ascontiguousarray(places, np.int64), np.empty((last - first, len(places)))
    rows = int(ranks[0][-1] + ranks[1][-1])
    run_parts(
        _hulls.isotonic_fits,
        [
            (seed, first + a, first + b, *ranks, asked, fits[a:b])
            for a, b in replicate_parts(rows, fits, None)
        ],
    )
    return fits
