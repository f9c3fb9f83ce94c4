"""Several classes along one score with the compiled loops; see `plain.classes`."""

import numpy as np

from rocwise.arrays import Codes, Floats
from rocwise.kernels.compiled import _classes
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.ordering import FACTORIALS
from rocwise.kernels.threads import heard

_FACTORIALS = np.array(FACTORIALS)


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
