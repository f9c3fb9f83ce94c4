"""Statistics of resampled curves by compiled readers; what has none is left to its formula."""

import numpy as np

from rocwise.arrays import Amounts, Codes, Counts, Floats, Ranks, Scores
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.compiled import _reading
from rocwise.kernels.compiled.resampling import replicate_parts, resample_counts, row_amounts
from rocwise.kernels.compiled.sorting import argsort
from rocwise.kernels.plain import reading
from rocwise.kernels.readers import Choice, Formula, Order, Reader, order_of
from rocwise.kernels.threads import run_parts

KINDS = {name: number for number, name in enumerate(_reading.NAMES)}


def resample_readings(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    formula: Formula,
    reader: Reader | None,
    threads: int | None = None,
) -> Floats:
    """Compiled twin of `plain.reading.resample_readings`.

    Examples
    --------
    >>> pos, neg = np.array([2, 0]), np.array([0, 3])
    >>> resample_readings(pos, neg, 7, 0, 2, lambda p, n: (p * n).sum(axis=1), None).tolist()
    [0, 0]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    if reader is None:
        parts = [
            formula(*resample_counts(pos, neg, seed, start, stop))
            for start, stop in tables.chunks(first, last, pos.size)
        ]
        return np.concatenate(parts)
    if tables.draws_counts(pos, neg):
        held = np.stack([tables.cumulative(pos), tables.cumulative(neg)]).astype(np.float64)

        def of_counts(start: int, stop: int) -> Floats:
            drawn = resample_counts(pos, neg, seed, start, stop)
            return read_amounts(*drawn, held, formula, reader)

        return tables.in_chunks(of_counts, first, last, pos.size)
    read = np.empty((last - first, reader.width))
    told = _told(reader)
    ranks = _ranks(pos, neg)
    run_parts(
        _reading.resampled,
        [
            (KINDS[reader.kind], seed, first + a, first + b, *ranks, *told, read[a:b])
            for a, b in replicate_parts(_rows(ranks), read, threads)
        ],
    )
    answer = reader.answer(read)
    for line in np.flatnonzero(np.isnan(read).any(axis=1)):
        drawn = resample_counts(pos, neg, seed, first + int(line), first + int(line) + 1)
        answer[line] = formula(*drawn)[0]
    return answer


def read_amounts(
    pos: Amounts, neg: Amounts, held: Floats, formula: Formula, reader: Reader | None
) -> Floats:
    """Compiled twin of `plain.reading.read_amounts`.

    Examples
    --------
    >>> drawn = np.array([[2.0, 0.0]])
    >>> read_amounts(drawn, drawn, np.zeros((2, 3)), lambda p, n: p[:, 0], None).tolist()
    [2.0]
    """
    if reader is None:
        return formula(pos, neg)
    read = np.empty((len(pos), reader.width))
    of_pos, of_neg = (np.ascontiguousarray(part, np.float64) for part in (pos, neg))
    _reading.read_amounts(KINDS[reader.kind], of_pos, of_neg, held, *_told(reader), read)
    answer = reader.answer(read)
    wrong = np.flatnonzero(np.isnan(read).any(axis=1))
    if len(wrong):
        answer[wrong] = formula(pos[wrong], neg[wrong])
    return answer


def read_rows(
    rows: tables.SignedRows,
    times: Counts,
    held: Floats,
    formula: Formula,
    reader: Reader | None,
) -> Floats:
    """Compiled twin of `plain.reading.read_rows`.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> read_rows(rows, np.array([[2, 3]]), np.zeros((2, 3)), lambda p, n: p[:, 0], None).tolist()
    [2.0]
    """
    if reader is None or times.dtype.kind not in "biu":
        return formula(*row_amounts(rows, times))
    tables.check_times(rows, times)
    read = np.empty((len(times), reader.width))
    drawn = np.ascontiguousarray(times, np.int64)
    _reading.read_rows(KINDS[reader.kind], drawn, *rows, held, *_told(reader), read)
    answer = reader.answer(read)
    wrong = np.flatnonzero(np.isnan(read).any(axis=1))
    if len(wrong):
        answer[wrong] = formula(*row_amounts(rows, times[wrong]))
    return answer


def choose_rows(
    rows: tables.SignedRows, times: Counts, chosen: Choice, told: Floats | None
) -> tuple[Counts, Floats]:
    """Compiled twin of `plain.reading.choose_rows`.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> choose_rows(rows, np.array([[1, 0]]), lambda tp, fp: np.array([1]), None)
    (array([1]), array([[0., 0., 0., 1.]]))
    """
    if told is None:
        return reading.choose_rows(rows, times, chosen, None)
    tables.check_times(rows, times)
    places, absent = np.empty(len(times), np.int64), np.empty((len(times), 4))
    _reading.choose_rows(np.ascontiguousarray(times, np.int64), *rows, told, places, absent)
    return places, absent


def resample_paired_readings(
    mask: Codes,
    orders: list[Order],
    seed: int,
    first: int,
    last: int,
    formulas: list[Formula],
    readers: list[Reader] | None,
    threads: int | None = None,
) -> Floats:
    """Compiled twin of `plain.reading.resample_paired_readings`.

    Examples
    --------
    >>> mask = np.array([0, 1, 1], np.uint8)
    >>> order = paired_order(mask, np.array([0.1, 0.2, 0.3]))
    >>> above = lambda pos, neg: pos[:, 0]
    >>> resample_paired_readings(mask, [order], 7, 0, 1, [above], None).shape
    (1, 1)
    """
    numpy_twin = reading.resample_paired_readings
    if readers is None:
        return numpy_twin(mask, orders, seed, first, last, formulas, None)
    n_pos = int(np.count_nonzero(mask))
    n_neg = len(mask) - n_pos
    tables.check_replicates(np.array([n_pos]), np.array([n_neg]), seed, first, last)
    told = [_told(reader) for reader in readers]
    layout = (
        *(list(arrays) for arrays in zip(*orders, strict=True)),
        [numbers for numbers, _ in told],
        [scores for _, scores in told],
    )
    read = np.empty((last - first, len(orders), readers[0].width))
    start = KINDS[readers[0].kind], seed
    run_parts(
        _reading.resampled_together,
        [
            (*start, first + a, first + b, n_pos, n_neg, *layout, read[a:b])
            for a, b in replicate_parts(len(mask) * len(orders), read, threads)
        ],
    )
    answer = np.stack([own.answer(read[:, m]) for m, own in enumerate(readers)], axis=1)
    for line in np.flatnonzero(np.isnan(read).any(axis=(1, 2))):
        place = first + int(line)
        answer[line] = numpy_twin(mask, orders, seed, place, place + 1, formulas, None)[0]
    return answer


def paired_order(mask: Codes, scores: Scores) -> Order:
    """Compiled twin of `plain.reading.paired_order`.

    Examples
    --------
    >>> paired_order(np.array([0, 1], np.uint8), np.array([0.1, 0.2])).codes.tolist()
    [1, 0]
    """
    return order_of(mask, scores, argsort)


def resample_curves(
    pos: Counts, neg: Counts, seed: int, first: int, last: int
) -> tuple[Floats, Floats]:
    """Compiled twin of `plain.reading.resample_curves`.

    Examples
    --------
    >>> tp, fp = resample_curves(np.array([1, 2]), np.array([2, 1]), 7, 0, 3)
    >>> tp[:, -1].tolist(), fp[:, 0].tolist()
    ([3.0, 3.0, 3.0], [0.0, 0.0, 0.0])
    """
    tables.check_replicates(pos, neg, seed, first, last, one_by_one=True)
    tp, fp = np.empty((2, last - first, pos.size + 1))
    _reading.curves(seed, first, last, *_ranks(pos, neg), tp, fp)
    return tp, fp


def resample_left_out(
    pos: Counts, neg: Counts, seed: int, first: int, last: int, places: Counts
) -> Counts:
    """Compiled twin of `plain.reading.resample_left_out`.

    Examples
    --------
    >>> resample_left_out(np.array([1, 0]), np.array([0, 1]), 7, 0, 1, np.array([1])).tolist()
    [[0, 0, 0, 0]]
    """
    tables.check_replicates(pos, neg, seed, first, last, one_by_one=True)
    result = np.empty((last - first, 4), np.int64)
    asked = np.ascontiguousarray(places, np.int64)
    _reading.left_out(seed, first, last, *_ranks(pos, neg), asked, result)
    return result


def resample_thresholds(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    chosen: Choice,
    told: Floats | None,
    threads: int | None = None,
) -> tuple[Counts, Counts]:
    """Compiled twin of `plain.reading.resample_thresholds`.

    Examples
    --------
    >>> pos, neg = np.array([1, 0]), np.array([0, 1])
    >>> resample_thresholds(pos, neg, 7, 0, 1, lambda tp, fp: (tp - fp).argmax(axis=1), None)
    (array([1]), array([[0, 0, 0, 0]]))
    """
    tables.check_replicates(pos, neg, seed, first, last, one_by_one=True)
    if told is None:
        parts = [
            chosen(*resample_curves(pos, neg, seed, start, stop))
            for start, stop in tables.chunks(first, last, 2 * pos.size)
        ]
        places = np.concatenate(parts)
        above = np.maximum(places, 0)
        return places, resample_left_out(pos, neg, seed, first, last, above)
    places, absent = np.empty(last - first, np.int64), np.empty((last - first, 4), np.int64)
    ranks = _ranks(pos, neg)
    run_parts(
        _reading.chosen,
        [
            (seed, first + a, first + b, *ranks, told, places[a:b], absent[a:b])
            for a, b in replicate_parts(_rows(ranks), places, threads)
        ],
    )
    return places, absent


def _told(reader: Reader) -> tuple[Floats, Floats | None]:
    scores = None if reader.scores is None else np.ascontiguousarray(reader.scores, np.float64)
    return np.ascontiguousarray(reader.numbers, np.float64), scores


def _ranks(pos: Counts, neg: Counts) -> tuple[Ranks, Ranks]:
    """Rows of each class above each place; `check_replicates` has refused more than 2**31."""
    return tables.cumulative(pos, np.int32), tables.cumulative(neg, np.int32)


def _rows(ranks: tuple[Ranks, Ranks]) -> int:
    return int(ranks[0][-1]) + int(ranks[1][-1])
