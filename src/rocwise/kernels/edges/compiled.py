"""What bands are made of, with the compiled loops, shared out among the threads."""

from itertools import accumulate, pairwise

import numpy as np

from rocwise.arrays import Counts, Floats
from rocwise.kernels.compiled import _edges
from rocwise.kernels.edges import plain
from rocwise.kernels.edges.plain import SAME
from rocwise.kernels.long_arrays import far_apart, on_large_pages
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.row_formulas import parts_of_rows
from rocwise.kernels.threads import heard, run_parts

Part = tuple[int, int, int, int]  # first and end of the vertices of the lower and the upper line


def band_edges(
    lower_x: Floats, lower_y: Floats, upper_x: Floats, upper_y: Floats
) -> tuple[Floats, Floats, Floats]:
    """Compiled twin of `edges.plain.band_edges`.

    Examples
    --------
    >>> one, line = np.array([0.0, 1.0]), np.array([0.0, 0.5])
    >>> [column.tolist() for column in band_edges(one, line, np.array([0.0, 0.5]), one)]
    [[0.0, 0.5, 1.0], [0.0, 0.25, 0.5], [0.0, 1.0, 1.0]]
    """
    columns = (lower_x, lower_y, upper_x, upper_y)
    plain.refuse_lines(*columns)
    lines = tuple(np.ascontiguousarray(column, np.float64) for column in columns)
    parts = _parts(lines[0], lines[2])

    def count(*part: int) -> int:
        return heard(_edges.counted, *lines, SAME, *part, rows=_vertices(*part))

    ends = [0, *accumulate(run_parts(count, parts))]
    edges = on_large_pages((3, ends[-1]))

    def fill(*part: int) -> None:
        rows = _vertices(*part[:4])
        heard(_edges.filled, *lines, SAME, *part[:4], edges, part[4], rows=rows)

    points = list(pairwise(ends))
    run_parts(fill, far_apart((*part, *own) for part, own in zip(parts, points, strict=True)))
    for edge in edges[1:]:
        _joined(edge, points)
    return edges[0], edges[1], edges[2]


def moved_lines(
    x: Floats,
    y: Floats,
    down_dx: Floats | float,
    down_dy: Floats | float,
    up_dx: Floats | float,
    up_dy: Floats | float,
) -> Floats:
    """Compiled twin of `edges.plain.moved_lines`.

    Examples
    --------
    >>> rates = np.array([0.0, 0.5])
    >>> moved_lines(rates, rates, 0.25, 0.5, 0.25, 0.5)[:, 1:-1].tolist()
    [[0.75, 0.25], [1.5, 1.0], [-0.25, 0.25], [0.5, 1.0]]
    """
    given = (x, y, down_dx, down_dy, up_dx, up_dy)
    refuse_nan(*given, what="the curve or its moves")
    columns = [np.atleast_1d(np.ascontiguousarray(column, np.float64)) for column in given]
    lines = on_large_pages((4, len(x) + 2))

    def fill(first: int, last: int) -> None:
        _edges.moved_lines(columns, lines, first, last)

    run_parts(fill, far_apart(parts_of_rows(len(x))))
    return lines


def edges_area(x: Floats, lower: Floats, upper: Floats) -> float:
    """Compiled twin of `edges.plain.edges_area`.

    Examples
    --------
    >>> edges_area(np.array([0.0, 1.0]), np.array([0.0, 0.0]), np.array([0.5, 1.0]))
    0.75
    """
    columns = [np.ascontiguousarray(column, np.float64) for column in (x, lower, upper)]
    areas = on_large_pages(len(x) - 1)

    def fill(first: int, last: int) -> None:
        _edges.trapezoids(columns, areas, first, last)

    run_parts(fill, far_apart(parts_of_rows(len(areas))))
    found = float(areas.sum())
    if found != found:
        refuse_nan(*columns, what="the edges")
    return found


def straight_runs(tp: Counts, fp: Counts) -> tuple[Counts, Counts, Counts]:
    """Compiled twin of `edges.plain.straight_runs`.

    Examples
    --------
    >>> tp, fp = np.array([1, 2, 2, 2, 3]), np.array([0, 0, 1, 2, 2])
    >>> [column.tolist() for column in straight_runs(tp, fp)]
    [[1, 3, 4], [2, 0, 1], [0, 2, 0]]
    """
    if tp.dtype != np.int64 or fp.dtype != np.int64:
        return plain.straight_runs(tp, fp)
    above = np.ascontiguousarray(tp), np.ascontiguousarray(fp)
    rows = parts_of_rows(len(tp))

    def count(first: int, last: int) -> tuple[int, int]:
        return heard(_edges.counted_runs, *above, first, last, rows=last - first)

    found = run_parts(count, rows)
    ends = list(pairwise([0, *accumulate(runs for runs, _ in found)]))
    table = on_large_pages((3, ends[-1][1]), np.int64)

    def fill(first: int, last: int, before: int, begin: int, end: int) -> None:
        told = first, before, table, begin, end
        heard(_edges.filled_runs, *above, *told, rows=last - first)

    before = accumulate((last for _, last in found[:-1]), max, initial=-1)
    parts = zip(rows, before, ends, strict=True)
    run_parts(fill, far_apart((*part, end, *own) for part, end, own in parts))
    return table[0], table[1], table[2]


def _parts(lower_x: Floats, upper_x: Floats) -> list[Part]:
    """Stretches of both lines that can be walked on their own."""
    rows = len(lower_x) + len(upper_x)
    swapped = len(lower_x) < len(upper_x)  # places to cut at are looked for on the longer line
    longer, other = (upper_x, lower_x) if swapped else (lower_x, upper_x)
    cuts = [(0, 0)]
    for first, _ in parts_of_rows(rows)[1:]:
        cuts.append(_edges.start_of(longer, other, first * len(longer) // rows, SAME))
    cuts.append((len(longer), len(other)))
    found = [(i, i_end, j, j_end) for (i, j), (i_end, j_end) in pairwise(cuts)]
    return [(j, j_end, i, i_end) for i, i_end, j, j_end in found] if swapped else found


def _vertices(i: int, i_end: int, j: int, j_end: int) -> int:
    return i_end - i + j_end - j


def _joined(edge: Floats, parts: list[tuple[int, int]]) -> None:
    """Let no part of an edge begin below where the one before has ended."""
    top = -np.inf
    for first, last in parts:
        if first < last:
            part = edge[first:last]
            part[: np.searchsorted(part, top)] = top
            top = part[-1]
