"""Corners of hulls by the compiled loops: threads share the points, one joins what they leave."""

import numpy as np

from rocwise.arrays import Amounts, Counts, Places
from rocwise.kernels.compiled import _hulls
from rocwise.kernels.compiled.scanning import holds_nan
from rocwise.kernels.hulls import plain
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.row_formulas import parts_of_rows
from rocwise.kernels.threads import run_parts


def concave_corners(x: Amounts, y: Amounts) -> Places:
    """Compiled twin of `plain.concave_corners`."""
    x, y, slack = plain.as_points(x, y)
    if slack > 1 and holds_nan(x, y):
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
