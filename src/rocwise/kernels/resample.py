"""The bootstrap: draw multiplicities of sampling units, accumulate curves, read a statistic.

Replicate b depends on (seed, b) alone. A numpy formula is the twin of every compiled reader.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Array, Codes, Counts, Flags, Floats, Ranks, Weights, Words
from rocwise.errors import InputError
from rocwise.kernels.selection import compiled_module
from rocwise.kernels.threads import chunks, run_tasks, thread_limit

_resample = compiled_module("_resample")

Formula = Callable[..., Floats]  # a statistic of counts (resamples, scores) of both classes
MOST_ROWS = 2**31 - 1
MOST_ATTEMPTS = 1000  # to draw every class
ROWS_PER_THREAD = 200_000  # drawn rows that are worth a thread
CELLS_AT_ONCE = 2**21  # counts of resamples that a formula takes together
# identical rows are drawn together where this is cheaper than one by one: the cost, in rows, of a
# multinomial draw to begin with, and for each distinct score
ROWS_TO_BEGIN, ROWS_PER_SCORE = 10_000, 40
STEP, ALL_BITS = 0x9E3779B97F4A7C15, 2**64 - 1
NEGATIVE, POSITIVE = 0, 1
# measures and limits of threshold rules, which compiled code selects by their index here
MEASURES = (
    "sensitivity",
    "specificity",
    "cost",
    "youden",
    "ameans",
    "closest",
    "product",
    "equal",
    "maximin",
    "minimax",
    "accuracy",
    "f-beta",
    "mcc",
    "kappa",
    "odds-ratio",
    "chi-square",
    "predictive-sum",
    "predictive-product",
    "predictive-closest",
    "predictive-equal",
    "predictive-maximin",
    "prevalence",
)
LIMITS = (
    "",
    "min-sensitivity",
    "min-specificity",
    "min-precision",
    "min-npv",
    "max-alarms",
    "min-lr-positive",
    "max-lr-negative",
)


class Units(NamedTuple):
    """Sampling units, rows or clusters, numbered one stratum after another."""

    strata: Counts  # units of each stratum; as many are drawn from it
    classes: Flags | None = None  # units with rows of each class: a draw without one is repeated
    counts: Weights | None = None  # (expected) identical rows of each unit; None: one each

    @property
    def size(self) -> int:
        """Number of units."""
        return int(self.strata.sum())


class RankedRows(NamedTuple):
    """Rows of one model from the highest score down."""

    codes: Ranks  # unit u of a positive, ~u of a negative
    ends: Codes  # 1 at the last row of each score
    weights: Floats | None = None  # below 0 for negatives; None: 1 each

    @property
    def units(self) -> Ranks:
        """The unit of each row."""
        return self.codes ^ (self.codes >> 31)


class Reader(NamedTuple):
    """A statistic that compiled code reads; its numpy formula is the twin."""

    kind: str  # "area", "part", "sensitivity", ...
    numbers: Floats  # parameters
    scores: Floats | None = None  # distinct ones from the highest down, where it needs them
    width: int = 1  # how many numbers it reads off a curve
    finished: Callable[[Floats], Floats] | None = None  # from these to what the formula returns

    def values(self, read: Floats) -> Floats:
        """What the formula would return."""
        return read[:, 0] if self.finished is None else self.finished(read)


class Model(NamedTuple):
    """Ranked rows, and a statistic of them as a formula and, where known, as a reader."""

    rows: RankedRows
    formula: Formula
    reader: Reader | None = None


def ranked_rows(
    positive: Flags, ends: Array, units: Array, weights: Floats | None = None
) -> RankedRows:
    """Rows from the highest score down."""
    units = np.asarray(units, np.int32)
    return RankedRows(
        np.where(positive, units, ~units),
        np.ascontiguousarray(ends, np.uint8),
        None if weights is None else np.where(positive, weights, -weights),
    )


def units_of_counts(pos: Counts, neg: Counts) -> tuple[Units, RankedRows]:
    """Sampling units of a table of counts: its rows, or with many ties all rows of a score."""
    if "f" in (pos.dtype.kind, neg.dtype.kind):
        raise InputError(
            "resamples draw rows, and this tally has weights without its rows; make it from "
            "labels, scores and `sample_weight`."
        )
    n_pos, n_neg = int(pos.sum()), int(neg.sum())
    if min(n_pos, n_neg) < 1:
        raise ValueError("Both classes need at least one row to draw from.")
    if draws_counts(pos, neg):
        return units_of_scores(pos, neg)
    n_rows = n_pos + n_neg
    if n_rows > MOST_ROWS:
        raise InputError(
            f"at most {MOST_ROWS:,} rows can be resampled one by one; there are {n_rows:,}."
        )
    positive, ends = _rows_of_counts(pos, neg, n_rows)
    hits = np.cumsum(positive, dtype=np.int32)
    numbers = np.where(positive, hits - 1, np.arange(n_pos, n_pos + n_rows, dtype=np.int32) - hits)
    return Units(np.array([n_pos, n_neg])), ranked_rows(positive, ends, numbers)


def units_of_scores(pos: Weights, neg: Weights) -> tuple[Units, RankedRows]:
    """Sampling units of a table of counts or expected counts: all rows of a score and class."""
    scores = len(pos)
    units = Units(np.array([scores, scores]), counts=np.concatenate([pos, neg]))
    positive = np.tile([True, False], scores)
    numbers = np.arange(2 * scores).reshape(2, scores).T.ravel()
    return units, ranked_rows(positive, ~positive, numbers)


def _rows_of_counts(pos: Counts, neg: Counts, n_rows: int) -> tuple[Flags, Codes]:
    """Whether each row is positive, of equal scores the positives first; 1 at ends of scores."""
    if len(pos) == n_rows:
        return pos > 0, np.ones(n_rows, np.uint8)
    both = np.stack([pos, neg], axis=1).ravel()
    ends = np.zeros(n_rows, np.uint8)
    ends[np.cumsum(pos + neg) - 1] = 1
    return np.repeat(np.tile([True, False], len(pos)), both), ends


def draws_counts(pos: Counts, neg: Counts) -> bool:
    """Whether identical rows of a table are drawn together: a multinomial count for each score."""
    return bool(ROWS_TO_BEGIN + ROWS_PER_SCORE * pos.size < pos.sum() + neg.sum())


def multiplicities(units: Units, seed: int, first: int, last: int) -> Counts:
    """How often each unit is in the replicates first..last: (replicate, unit)."""
    _check_replicates(seed, first, last)
    if _resample is None or units.counts is not None:
        found = [_one_draw(units, seed, replicate) for replicate in range(first, last)]
        return np.array(found, np.int64).reshape(last - first, units.size)
    times = np.empty((last - first, units.size), np.uint8)
    if not _resample.multiplicities(*_design(units), seed, first, times):
        raise lacking_class()
    return times.astype(np.int64)


def resample(
    units: Units,
    models: Sequence[Model],
    seed: int,
    first: int,
    last: int,
    *,
    with_left_out: bool = False,
) -> Floats:
    """The statistic of every model, and of what is left out, on replicates of shared units."""
    _check_replicates(seed, first, last)
    readers = [model.reader for model in models if model.reader is not None]
    if _resample is None or len(readers) < len(models):
        return _by_formula(units, models, seed, first, last, with_left_out)
    rows = [model.rows for model in models]
    read = _read(units, rows, readers, seed, first, last)
    found = np.stack([reader.values(read[:, k]) for k, reader in enumerate(readers)], axis=1)
    if readers[0].kind == "smooth":  # nan where only an exact sum decides the side of a score
        for line in np.flatnonzero(np.isnan(found).any(axis=1)).tolist():
            own = first + line, first + line + 1
            found[line] = _by_formula(units, models, seed, *own, with_left_out)[0]
    return found


def _read(
    units: Units,
    rows: Sequence[RankedRows],
    readers: Sequence[Reader],
    seed: int,
    first: int,
    last: int,
) -> Floats:
    """What compiled readers read: (replicate, model, number); threads share the replicates."""
    width = readers[0].width
    result = np.empty((last - first, len(rows), width))
    sizes = None if units.counts is None else units.counts.astype(np.float64)

    def fill(start: int, stop: int) -> None:
        models = [
            _resample.Model(own, np.ascontiguousarray(reader.numbers, np.float64), reader.scores)
            for own, reader in zip(rows, readers, strict=True)
        ]
        begin = first + start
        given = None if sizes is None else multiplicities(units, seed, begin, first + stop)
        part = result[start:stop]
        design = _design(units)
        if not _resample.resample(
            readers[0].kind, models, *design, seed, begin, given, sizes, part
        ):
            raise lacking_class()

    work = (last - first) * len(rows) * len(rows[0].codes)
    run_tasks(fill, chunks(last - first, min(thread_limit(), 1 + work // ROWS_PER_THREAD)))
    return result


def _design(units: Units) -> tuple[Counts, Codes, int]:
    classes = np.zeros((0, units.size)) if units.classes is None else units.classes
    return units.strata.astype(np.int64), np.ascontiguousarray(classes, np.uint8), MOST_ATTEMPTS


def _by_formula(
    units: Units, models: Sequence[Model], seed: int, first: int, last: int, with_left_out: bool
) -> Floats:
    """The numpy version, also for statistics written in Python."""
    rows = [model.rows for model in models]
    cells = sum(len(own.codes) for own in rows) * (2 if with_left_out else 1)
    step = max(1, CELLS_AT_ONCE // cells)
    counts = _counts_by_numpy if _resample is None else _counts_by_reader
    parts = []
    for start in range(first, last, step):
        drawn = counts(units, rows, seed, start, min(start + step, last), with_left_out)
        found = [model.formula(*own) for model, own in zip(models, drawn, strict=True)]
        parts.append(np.stack(found, axis=1))
    return np.concatenate(parts)


def _counts_by_numpy(
    units: Units,
    rows: Sequence[RankedRows],
    seed: int,
    first: int,
    last: int,
    with_left_out: bool,
) -> list[tuple[Weights, ...]]:
    """Counts of both classes at each score of every model, then of what was left out."""
    times = multiplicities(units, seed, first, last)
    absent = left_out(units, times) if with_left_out else None
    return [
        counts_of(own, times) + (() if absent is None else counts_of(own, absent)) for own in rows
    ]


def _counts_by_reader(
    units: Units,
    rows: Sequence[RankedRows],
    seed: int,
    first: int,
    last: int,
    with_left_out: bool,
) -> list[tuple[Weights, ...]]:
    """The same by compiled code."""
    scores = [int(own.ends.sum()) for own in rows]
    columns = 4 if with_left_out else 2
    kind = "counts-and-left-out" if with_left_out else "counts"
    reader = Reader(kind, np.empty(0), width=columns * max(scores))
    read = _read(units, rows, [reader] * len(rows), seed, first, last)
    return [
        tuple(read[:, k, column * m : (column + 1) * m] for column in range(columns))
        for k, m in enumerate(scores)
    ]


def counts_of(rows: RankedRows, times: Array) -> tuple[Weights, Weights]:
    """Positives and negatives at each score where unit u is there times[b, u] times."""
    counts = times[:, rows.units]
    counts = counts if rows.weights is None else counts * np.abs(rows.weights)
    starts = np.flatnonzero(np.append(1, rows.ends[:-1]))
    positive = rows.codes >= 0
    return (
        np.add.reduceat(np.where(positive, counts, 0), starts, axis=1),
        np.add.reduceat(np.where(positive, 0, counts), starts, axis=1),
    )


def left_out(units: Units, times: Counts) -> Floats:
    """Rows of each unit that a resample has left out: of h identical ones h (1 - 1/h)^d."""
    if units.counts is None:
        return np.asarray(times == 0, np.float64)
    sizes = units.counts.astype(np.float64)
    return np.where(sizes > 0, sizes * (1 - 1 / np.maximum(sizes, 1)) ** times, 0.0)


def lacking_class() -> InputError:
    """The error where no resample that was tried has every class."""
    return InputError(
        f"no cluster bootstrap sample of {MOST_ATTEMPTS} contains every class: too few clusters "
        "have the rarer classes. Use an interval that needs no resamples, such as method='delong'."
    )


def _check_replicates(seed: int, first: int, last: int) -> None:
    if not 0 <= seed < 2**64:
        raise ValueError(f"`seed` must be from 0 to 2**64 - 1, but it is {seed}.")
    if not 0 <= first <= last < 2**62:
        raise ValueError(f"Replicates must satisfy 0 <= first <= last; got {first} and {last}.")


def _one_draw(units: Units, seed: int, replicate: int) -> Counts:
    """The first draw of a replicate that has every class."""
    draws = (_row_draws if units.counts is None else _count_draws)(units, seed, replicate)
    if units.classes is None:
        return next(draws)
    for times in islice(draws, MOST_ATTEMPTS):
        if all((times[own] > 0).any() for own in units.classes):
            return times
    raise lacking_class()


def _row_draws(units: Units, seed: int, replicate: int) -> Iterator[Counts]:
    """Draws of units by splitmix64: the upper 64 bits of (random number) * (number of units)."""
    state = stream_key(seed, replicate, POSITIVE)
    while True:
        parts = []
        for stratum, size in enumerate(units.strata.tolist()):
            if stratum == 1 and len(units.strata) == 2:
                state = stream_key(seed, replicate, NEGATIVE)
            steps = np.arange(1, size + 1, dtype=np.uint64) * np.uint64(STEP)
            drawn = _scaled(_mixed(np.uint64(state) + steps), size)
            parts.append(np.bincount(drawn.view(np.int64), minlength=size))
            state = (state + size * STEP) & ALL_BITS
        yield np.concatenate(parts).astype(np.int64, copy=False)


def _count_draws(units: Units, seed: int, replicate: int) -> Iterator[Counts]:
    """Multinomial counts of identical rows, stratum by stratum."""
    from numpy.random import Generator, Philox

    assert units.counts is not None
    generator = Generator(Philox(key=seed + (replicate << 64)))
    counts = np.split(units.counts, np.cumsum(units.strata)[:-1])
    while True:
        yield np.concatenate(
            [generator.multinomial(round(own.sum()), own / (own.sum() or 1)) for own in counts]
        )


def stream_key(seed: int, replicate: int, kind: int) -> int:
    """Where the stream of one class starts in a replicate."""
    start = int(_mixed(np.array([(seed + STEP) & ALL_BITS], np.uint64))[0])
    key = (start + (2 * replicate + kind + 1) * STEP) & ALL_BITS
    return int(_mixed(np.array([key], np.uint64))[0])


def _mixed(state: Words) -> Words:
    """The output function of splitmix64, in place."""
    state ^= state >> np.uint64(30)
    state *= np.uint64(0xBF58476D1CE4E5B9)
    state ^= state >> np.uint64(27)
    state *= np.uint64(0x94D049BB133111EB)
    state ^= state >> np.uint64(31)
    return state


def _scaled(words: Words, size: int) -> Words:
    """Upper 64 bits of words * size, for size < 2**32."""
    half, factor = np.uint64(32), np.uint64(size)
    carried = ((words & np.uint64(0xFFFFFFFF)) * factor) >> half
    return ((words >> half) * factor + carried) >> half
