"""Chains through ordered classes with the compiled loops; see `plain_ordering` for the meaning."""

import numpy as np

from rocwise.arrays import Codes, Floats
from rocwise.kernels.compiled import _ordering
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.threads import heard


def chain_volume(ranked: Codes, starts: Codes, sizes: Floats, *, strict: bool) -> float:
    """Compiled twin of `plain_ordering.chain_volume`.

    Examples
    --------
    >>> rows = np.array([0, 1, 0, 1], np.uint8), np.ones(4, np.uint8)
    >>> chain_volume(*rows, np.array([2.0, 2.0]), strict=True)
    0.75
    """
    rows = _as_read(ranked, starts, sizes)
    return heard(_ordering.chain_volume, *rows, strict, rows=ranked.size * sizes.size)


def chain_parts(ranked: Codes, starts: Codes, sizes: Floats, *, strict: bool) -> Floats:
    """Compiled twin of `plain_ordering.chain_parts`.

    Examples
    --------
    >>> rows = np.array([0, 1, 0, 1], np.uint8), np.ones(4, np.uint8)
    >>> chain_parts(*rows, np.array([2.0, 2.0]), strict=True).tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    rows = _as_read(ranked, starts, sizes)
    parts = np.empty(len(ranked))
    mixed = heard(_ordering.count_mixed, *rows, rows=ranked.size)
    kept = np.empty((mixed, len(sizes) + 1))
    heard(_ordering.chain_parts, *rows, strict, parts, kept, rows=ranked.size * sizes.size)
    return parts


def _as_read(ranked: Codes, starts: Codes, sizes: Floats) -> tuple[Codes, Codes, Floats]:
    """Arrays as the compiled loops read them: checked here, since the loops trust their input."""
    if ranked.ndim != 1 or ranked.shape != starts.shape or sizes.ndim != 1:
        raise ValueError(
            f"`ranked` has shape {ranked.shape}, `starts` {starts.shape}, `sizes` {sizes.shape}."
        )
    if not 1 <= len(sizes) <= 256 or (len(ranked) and int(ranked.max()) >= len(sizes)):
        raise ValueError(f"`ranked` must hold classes below {len(sizes)}, at most 256 of them.")
    if len(starts) and not starts[0]:
        raise ValueError("the first row must start a score.")
    refuse_nan(sizes, what="the sizes")
    return (
        np.ascontiguousarray(ranked, np.uint8),
        np.ascontiguousarray(starts, np.uint8),
        np.ascontiguousarray(sizes, np.float64),
    )
