"""Formulas of whole columns, and columns by class: some thousand rows at a time, on all threads."""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from rocwise.arrays import Array, Codes
from rocwise.kernels.long_arrays import far_apart, on_large_pages
from rocwise.kernels.threads import pieces, run_parts, thread_limit, threads

Answer = TypeVar("Answer")
STEP = 2**14  # rows whose intermediate columns stay in a near cache
# Rows of a step of several threads: each call of numpy hands on the interpreter's lock, and who
# waits for it falls asleep. To be woken takes as long as some ten thousand rows.
SHARED_STEP = 2**17
ROWS_PER_THREAD = 100_000  # fewer are done before a second thread has started


def row_by_row(
    formula: Callable[..., Array],
    *columns: Array,
    dtype: DTypeLike = np.float64,
    out: Array | None = None,
) -> Array:
    """What a formula makes of each row of the columns, which is all that it may look at.

    The numbers, of type `dtype` or in `out`, are those of ``formula(*columns)``, without its
    long intermediate columns.

    Examples
    --------
    >>> row_by_row(lambda hits, alarms: hits / (hits + alarms), np.array([3, 1]), np.array([1, 1]))
    array([0.75, 0.5 ])
    """
    rows = len(columns[0])
    if rows <= STEP and out is None:
        return np.asarray(formula(*columns))
    made = on_large_pages(rows, dtype) if out is None else out

    def fill(start: int, stop: int) -> None:
        for some in steps_of_rows(start, stop, rows):
            made[some] = formula(*(column[some] for column in columns))

    run_parts(fill, far_apart(parts_of_rows(rows)))
    return made


def sums_of_rows(add: Callable[..., tuple[float, ...]], *columns: Array) -> tuple[float, ...]:
    """Sums over all rows, given what adds up some of them: the same with any number of threads.

    The sums of each step of rows are added up with one rounding.

    Examples
    --------
    >>> sums_of_rows(lambda hits, alarms: (hits.sum(), alarms.sum()), np.arange(4), np.ones(4))
    (6.0, 4.0)
    """
    rows = len(columns[0])
    found: list[tuple[float, ...]] = [()] * max(1, -(-rows // SHARED_STEP))

    def fill(start: int, stop: int) -> None:
        for step in range(start, stop):
            some = slice(step * SHARED_STEP, (step + 1) * SHARED_STEP)
            found[step] = add(*(column[some] for column in columns))

    threads = min(thread_limit(), 1 + rows // ROWS_PER_THREAD) if rows >= ROWS_PER_THREAD else 1
    run_parts(fill, pieces(len(found), threads))
    return tuple(math.fsum(of_steps) for of_steps in zip(*found, strict=True))


def split_by_class(table: Array, mask: Codes) -> tuple[Array, Array]:
    """The columns of a table (models, rows) that are positive, and the others, in their order.

    Examples
    --------
    >>> split_by_class(np.array([[5, 6, 7]]), np.array([0, 1, 0], np.uint8))
    (array([[6]]), array([[5, 7]]))
    """
    parts = parts_of_rows(len(mask))
    counts = [int(np.count_nonzero(mask[slice(*part)])) for part in parts]
    firsts = [0, *accumulate(counts)]
    n_pos = firsts.pop()
    pos = on_large_pages((len(table), n_pos), table.dtype)
    neg = on_large_pages((len(table), len(mask) - n_pos), table.dtype)

    def fill(in_pos: int, start: int, stop: int) -> None:
        in_neg = start - in_pos
        for some in steps_of_rows(start, stop, len(mask)):
            for flags, target, place in (
                (mask[some] != 0, pos, in_pos),
                (mask[some] == 0, neg, in_neg),
            ):
                rows = np.flatnonzero(flags)
                target[:, place : place + len(rows)] = np.take(table[:, some], rows, axis=1)
            in_pos += int(np.count_nonzero(mask[some]))
            in_neg = some.stop - in_pos

    run_parts(fill, far_apart((first, *part) for first, part in zip(firsts, parts, strict=True)))
    return pos, neg


def stacked(columns: Sequence[Array]) -> Array:
    """A copy of the columns, each a row of one table.

    Examples
    --------
    >>> stacked([np.array([1, 2]), np.array([3, 4])])
    array([[1, 2],
           [3, 4]])
    """
    table = on_large_pages((len(columns), len(columns[0])), columns[0].dtype)

    def fill(start: int, stop: int) -> None:
        for target, column in zip(table, columns, strict=True):
            target[start:stop] = column[start:stop]

    run_parts(fill, far_apart(parts_of_rows(len(columns[0]))))
    return table


def parts_of_rows(rows: int) -> list[tuple[int, int]]:
    """What threads take of so many rows, of which each takes a nanosecond or some.

    Examples
    --------
    >>> parts_of_rows(5)
    [(0, 5)]
    """
    if rows < ROWS_PER_THREAD:  # one part, however many threads there may be
        return [(0, rows)]
    return pieces(rows, min(thread_limit(), 1 + rows // ROWS_PER_THREAD))


def steps_of_rows(start: int, stop: int, rows: int) -> list[slice]:
    """Steps of a part of all rows: short ones where these are too few to be shared by threads.

    Examples
    --------
    >>> steps_of_rows(0, 20_000, 20_000)
    [slice(0, 16384, None), slice(16384, 20000, None)]
    """
    step = SHARED_STEP if rows >= ROWS_PER_THREAD else STEP
    return [slice(first, min(first + step, stop)) for first in range(start, stop, step)]


def run_models(
    task: Callable[..., Answer], models: Sequence[tuple[Any, ...]], rows: int
) -> list[Answer]:
    """Call ``task(*model)`` for every model, whose rows the task itself shares out to threads.

    As many models as the threads can share evenly are done side by side, each by one thread: to
    share each pass over each model they would wait for each other more often, and for memory
    that both write to. All threads share the rows of each of the others.

    Examples
    --------
    >>> run_models(pow, [(2, 3), (3, 2)], rows=1)
    [8, 9]
    """
    number = thread_limit() if rows >= ROWS_PER_THREAD else 1
    alone = len(models) // number * number if number > 1 else 0

    def by_one_thread(*model: Any) -> Answer:
        with threads(1):
            return task(*model)

    done = run_parts(by_one_thread, models[:alone]) if alone else []
    return done + [task(*model) for model in models[alone:]]
