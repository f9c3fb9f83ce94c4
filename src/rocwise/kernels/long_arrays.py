"""Memory of long arrays, which the system gives out in large pages from end to end.

Memory is given when it is first written to, a page at a time: by pages of 4 kB that takes as long
as to write three times as much, by pages of 2 MB hardly longer than to write it. Numpy asks for
large pages where it makes an array of 4 MB or more; the system has them only where 2 MB begin and
end at a multiple of 2 MB, which leaves up to 4 MB of small pages at the ends of every array.
"""

import ctypes
import sys
from collections.abc import Iterable
from math import prod
from typing import TypeVar

import numpy as np
from numpy.typing import DTypeLike

from rocwise.arrays import Array
from rocwise.kernels.threads import PIECES_PER_THREAD

Part = TypeVar("Part")
MANY_ROWS = 2**18  # of which a column of numbers is 2 MB
LARGE_PAGE = 2**21  # bytes
MOST_WASTED = 1 / 4  # of an array: what the last large page may hold beyond its end
NEVER_REUSED = 2**25  # bytes; the allocator of Linux has longer arrays in memory of their own


def on_large_pages(shape: int | tuple[int, ...], dtype: DTypeLike = np.float64) -> Array:
    """An array like that of `np.empty`, on large pages where it is long enough to fill them.

    Examples
    --------
    >>> on_large_pages((2, 3), np.int64).shape
    (2, 3)
    """
    kind = np.dtype(dtype)
    size = kind.itemsize * (shape if isinstance(shape, int) else prod(shape))
    wasted = -size % LARGE_PAGE
    if wasted >= MOST_WASTED * size:
        return np.empty(shape, kind)
    memory = np.empty(size + wasted + LARGE_PAGE, np.uint8)
    first = -memory.ctypes.data % LARGE_PAGE
    return memory[first : first + size].view(kind).reshape(shape)


def beside_nothing(shape: tuple[int, ...], dtype: DTypeLike = np.float64) -> Array:
    """The same for a table that is most of what a question holds.

    A long one takes none of the memory that was freed before and lies between what is kept: that
    is first given back to the system, so that it is not held beside the table.

    Examples
    --------
    >>> beside_nothing((2, 3)).shape
    (2, 3)
    """
    if np.dtype(dtype).itemsize * prod(shape) > NEVER_REUSED:
        _trim()
    return on_large_pages(shape, dtype)


def give_back(rows: int) -> None:
    """Let the system have memory that was freed and lies between what is kept.

    That is worth the time before a question takes several columns of many rows.

    Examples
    --------
    >>> give_back(1_000_000)
    """
    if rows >= MANY_ROWS:
        _trim()


def _trim() -> None:
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:  # of the GNU library alone
        trim(0)


def far_apart(parts: Iterable[Part]) -> list[Part]:
    """Parts of a long array in an order in which threads that take turns write to other pages.

    Neighbours would both wait for the page that they share, and the system makes it twice.

    Examples
    --------
    >>> far_apart(range(8))
    [0, 4, 1, 5, 2, 6, 3, 7]
    """
    numbered = sorted(enumerate(parts), key=lambda part: (part[0] % PIECES_PER_THREAD, part[0]))
    return [part for _, part in numbered]
