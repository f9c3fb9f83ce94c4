"""Several classes along one score with the compiled loops; see `plain.classes`."""

from typing import Literal

import numpy as np

from rocwise.arrays import Codes, Counts, Floats, Integers, Ranks
from rocwise.kernels.compiled import _classes
from rocwise.kernels.compiled.resampling import replicate_parts
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.ordering import FACTORIALS
from rocwise.kernels.resampling_tables import check_ranked
from rocwise.kernels.threads import heard, run_parts

_FACTORIALS = np.array(FACTORIALS)
Kind = Literal["wins", "pairs", "volume", "tied wins"]


def class_wins(ranked: Codes, starts: Codes, held: Floats, own: int, n_classes: int) -> Floats:
    """Compiled twin of `plain.classes.class_wins`.

    Examples
    --------
    >>> rows = np.array([0, 1, 0], np.uint8), np.ones(3, np.uint8), np.ones(3)
    >>> class_wins(*rows, 0, 2).tolist()
    [4.0, 2.0]
    """
    wins = np.zeros(n_classes)
    rows = _as_read(ranked, starts, held, n_classes)
    heard(_classes.class_wins, *rows, own, wins, rows=ranked.size)
    refuse_nan(wins, what="the amounts")  # nan in a row is nan in a sum
    return wins


def class_credits(
    ranked: Codes,
    starts: Codes,
    held: Floats,
    order: Integers,
    own: int,
    sizes: Floats,
    weights: Floats,
    out: Floats | None = None,
) -> Floats:
    """Compiled twin of `plain.classes.class_credits`.

    Examples
    --------
    >>> rows = np.array([1, 0], np.uint8), np.ones(2, np.uint8), np.ones(2)
    >>> order, sizes, weights = np.array([1, 0]), np.array([1.0, 2.0]), np.array([0.0, 1.0])
    >>> class_credits(*rows, order, 0, sizes, weights).tolist()
    [0.5, 1.0]
    """
    rows = _as_read(ranked, starts, held, len(sizes))
    if sizes.shape != weights.shape or not 0 <= own < len(sizes):
        raise ValueError(f"`own` is {own}, of {len(sizes)} `sizes` and {len(weights)} `weights`.")
    order = np.ascontiguousarray(order, np.int64)
    if order.shape != ranked.shape or (
        len(order) and not 0 <= order.min() <= order.max() < len(order)
    ):
        raise ValueError(f"`order` must hold places from 0 to {len(ranked) - 1}, one of each row.")
    refuse_nan(held, sizes, weights, what="the amounts, sizes or weights")
    told = (np.ascontiguousarray(each, np.float64) for each in (sizes, weights))
    out = np.empty(len(ranked)) if out is None else out
    heard(_classes.class_credits, *rows, order, own, *told, out, rows=ranked.size)
    return out


def pair_wins(
    ranked: Codes, starts: Codes, held: Floats, n_classes: int, *, credit: bool
) -> Floats:
    """Compiled twin of `plain.classes.pair_wins`.

    Examples
    --------
    >>> rows = np.array([0, 1, 0], np.uint8), np.ones(3, np.uint8), np.ones(3)
    >>> pair_wins(*rows, 2, credit=False).tolist()
    [[2.0, 2.0], [2.0, 0.0]]
    """
    wins = np.zeros((n_classes, n_classes))
    rows = _as_read(ranked, starts, held, n_classes)
    heard(_classes.pair_wins, *rows, credit, wins, rows=ranked.size * n_classes)
    refuse_nan(wins, what="the amounts")
    return wins


def held_volume(
    ranked: Codes, starts: Codes, held: Floats, sizes: Floats, *, strict: bool
) -> float:
    """Compiled twin of `plain.classes.held_volume`.

    Examples
    --------
    >>> rows = np.array([0, 1, 0, 1], np.uint8), np.ones(4, np.uint8), np.ones(4)
    >>> held_volume(*rows, np.array([2.0, 2.0]), strict=True)
    0.75
    """
    rows = _as_read(ranked, starts, held, len(sizes))
    shares = np.ascontiguousarray(sizes, np.float64)
    told = *rows, shares, _FACTORIALS, strict
    volume = heard(_classes.held_volume, *told, rows=ranked.size * len(sizes))
    refuse_nan(volume, what="the amounts or the sizes")
    return volume


def _as_read(
    ranked: Codes, starts: Codes, held: Floats, n_classes: int
) -> tuple[Codes, Codes, Floats]:
    """Arrays as the compiled loops read them: checked here, since the loops trust their input."""
    if not ranked.ndim == 1 == held.ndim or not ranked.shape == starts.shape == held.shape:
        raise ValueError(
            f"`ranked` has shape {ranked.shape}, `starts` {starts.shape}, `held` {held.shape}."
        )
    if not 1 <= n_classes <= 256 or (len(ranked) and int(ranked.max()) >= n_classes):
        raise ValueError(f"`ranked` must hold classes below {n_classes}, at most 256 of them.")
    if len(starts) and not starts[0]:
        raise ValueError("the first row must start a score.")
    return (
        np.ascontiguousarray(ranked, np.uint8),
        np.ascontiguousarray(starts, np.uint8),
        np.ascontiguousarray(held, np.float64),
    )


def resample_class_wins(
    ranked: Codes,
    places: Ranks,
    sizes: Counts,
    seed: int,
    first: int,
    last: int,
    threads: int | None = None,
    *,
    starts: Codes | None = None,
) -> Floats:
    """Compiled twin of `plain.classes.resample_class_wins`.

    Examples
    --------
    >>> ranked, places = np.array([[0, 1], [0, 1]], np.uint8), np.array([[0, 1], [0, 1]], np.int32)
    >>> resample_class_wins(ranked, places, np.array([1, 1]), 1, 0, 1).tolist()
    [[[1.0, 0.0], [2.0, 1.0]]]
    """
    drawn = (seed, first, last)
    kind: Kind = "wins" if starts is None else "tied wins"
    return _resampled(
        kind, ranked, places, sizes, drawn, len(sizes), threads=threads, starts=starts
    )


def resample_pair_wins(
    ranked: Codes,
    places: Ranks,
    sizes: Counts,
    seed: int,
    first: int,
    last: int,
    *,
    credit: bool,
    threads: int | None = None,
) -> Floats:
    """Compiled twin of `plain.classes.resample_pair_wins`.

    Examples
    --------
    >>> ranked, places = np.array([[0, 1]], np.uint8), np.array([[0, 1]], np.int32)
    >>> resample_pair_wins(ranked, places, np.array([1, 1]), 1, 0, 1, credit=False).tolist()
    [[[[0.0, 2.0], [0.0, 0.0]]]]
    """
    drawn, m = (seed, first, last), len(sizes)
    wins = _resampled("pairs", ranked, places, sizes, drawn, m * m, threads=threads, credit=credit)
    return wins.reshape(-1, len(ranked), m, m)


def resample_volumes(
    ranked: Codes,
    places: Ranks,
    sizes: Counts,
    seed: int,
    first: int,
    last: int,
    threads: int | None = None,
) -> Floats:
    """Compiled twin of `plain.classes.resample_volumes`.

    Examples
    --------
    >>> ranked, places = np.array([[0, 1]], np.uint8), np.array([[0, 1]], np.int32)
    >>> resample_volumes(ranked, places, np.array([1, 1]), 1, 0, 1).tolist()
    [[1.0]]
    """
    drawn = (seed, first, last)
    return _resampled("volume", ranked, places, sizes, drawn, 1, threads=threads)[:, :, 0]


def _resampled(
    kind: Kind,
    ranked: Codes,
    places: Ranks,
    sizes: Counts,
    drawn: tuple[int, int, int],
    width: int,
    *,
    threads: int | None,
    credit: bool = False,
    starts: Codes | None = None,
) -> Floats:
    """`width` numbers of each replicate and column, shared out among the threads."""
    check_ranked(ranked, places, sizes, *drawn, starts=starts)  # loops trust their input
    seed, first, last = drawn
    told = (
        np.ascontiguousarray(sizes, np.int64),
        np.ascontiguousarray(ranked, np.uint8),
        np.ascontiguousarray(places, np.int32),
        np.ascontiguousarray(ranked if starts is None else starts, np.uint8),
        credit,
    )
    result = np.empty((last - first, len(ranked), width))
    start, parts = _classes.NAMES.index(kind), replicate_parts(ranked.size, result, threads)
    run_parts(
        _classes.resampled,
        [(start, seed, first + a, first + b, *told, result[a:b]) for a, b in parts],
    )
    return result
