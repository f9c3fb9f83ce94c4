"""What both bootstrap implementations share: layouts, checks, and draws on tables with ties.

Where a table has few distinct scores for its rows, whole counts are drawn (a multinomial per
class) instead of rows, and the cost of a replicate no longer depends on the number of rows.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rocwise.arrays import Array, Codes, Counts, Flags, Floats, Places, Ranks
from rocwise.errors import InputError
from rocwise.kernels.threads import even_parts, run_parts, thread_limit

# Drawing counts costs as much as this many rows to begin with, and as this many per score.
ROWS_TO_BEGIN = 10_000
ROWS_PER_GROUP = 40
MOST_ROWS = 2**31 - 1
MOST_CLASSES = 256  # a class is one byte
MOST_ATTEMPTS = 1000  # to draw every class before the clusters are refused
_CHUNK_CELLS = 2**16  # half a megabyte: what stays near the processor
CELLS_PER_THREAD = 50_000  # drawn counts for which a thread is worth starting
Number = TypeVar("Number", bound=np.generic)


class SignedRows(NamedTuple):
    """Rows from the highest score down: what each is drawn with, its weight, and the scores.

    Weights are below 0 for negatives; `starts` has the first row of each score, and the end.
    """

    units: Ranks
    weights: Floats
    starts: Counts


def draws_counts(pos: Counts, neg: Counts) -> bool:
    """Whether replicates of this table are drawn as counts per score instead of rows.

    Examples
    --------
    >>> few, many = np.array([50, 10]), np.array([50_000, 10_000])
    >>> draws_counts(few, few), draws_counts(many, many)
    (False, True)
    """
    return bool(ROWS_TO_BEGIN + ROWS_PER_GROUP * pos.size < pos.sum() + neg.sum())


def check_replicates(
    pos: Counts, neg: Counts, seed: int, first: int, last: int, *, one_by_one: bool = False
) -> None:
    """Refuse what the generator cannot count; rows may be drawn `one_by_one` whatever the ties."""
    if not 0 <= seed < 2**64:
        raise ValueError(f"`seed` must be from 0 to 2**64 - 1, but it is {seed}.")
    if not 0 <= first <= last < 2**62:
        raise ValueError(f"Replicates must satisfy 0 <= first <= last; got {first} and {last}.")
    if pos.ndim != 1 or pos.shape != neg.shape:
        raise ValueError(f"`pos` has shape {pos.shape} but `neg` has shape {neg.shape}.")
    if "f" in (pos.dtype.kind, neg.dtype.kind):
        raise InputError(
            "resamples draw rows, and this tally has weights without its rows; make it from "
            "labels, scores and `sample_weight`."
        )
    if min(pos.min(initial=0), neg.min(initial=0)) < 0:
        raise ValueError("`pos` and `neg` must not hold negative counts.")
    if min(pos.sum(), neg.sum()) < 1:
        raise ValueError("Both classes need at least one row to draw from.")
    one_by_one = one_by_one or not draws_counts(pos, neg)
    if one_by_one and max(pos.sum(), neg.sum()) > MOST_ROWS:
        raise InputError(
            f"rows are drawn one by one here, of at most {MOST_ROWS:,} in a class; "
            f"one of these has {int(max(pos.sum(), neg.sum())):,}."
        )


def check_ranks(tp_rank: Counts, fp_rank: Counts, seed: int, first: int, last: int) -> None:
    """The same for rows of each class before every vertex of a curve, which rise from 0."""
    if tp_rank.ndim != 1 or tp_rank.shape != fp_rank.shape or len(tp_rank) < 2:
        raise ValueError(f"`tp_rank` has shape {tp_rank.shape}, `fp_rank` {fp_rank.shape}.")
    check_replicates(tp_rank[-1:], fp_rank[-1:], seed, first, last, one_by_one=True)
    if any(rank[0] != 0 or (rank[1:] < rank[:-1]).any() for rank in (tp_rank, fp_rank)):
        raise ValueError("`tp_rank` and `fp_rank` must rise from 0.")


def signed_rows(
    positive: Flags, starts: Places, weights: Floats | None, units: Array | None
) -> SignedRows:
    """Rows with a weight (1 each without weights) and a unit (themselves, without units).

    Examples
    --------
    >>> signed_rows(np.array([True, False]), np.array([0]), None, None).weights.tolist()
    [1.0, -1.0]
    """
    held = 1.0 if weights is None else weights
    return SignedRows(
        np.ascontiguousarray(np.arange(len(positive)) if units is None else units, np.int32),
        np.where(positive, held, np.negative(held)),
        np.append(starts, len(positive)).astype(np.int64, copy=False),
    )


def check_times(rows: SignedRows, times: NDArray[np.generic]) -> None:
    """Refuse a table that does not have every unit of the rows."""
    if times.ndim != 2 or times.shape[1] <= rows.units.max(initial=-1):
        raise ValueError(f"`times` has shape {times.shape}: each unit needs a column.")


def check_members(members: Counts, sizes: Counts, seed: int, replicate: int) -> None:
    """Refuse classes that do not hold every row once, and what the generator cannot count."""
    check_replicates(sizes, sizes, seed, replicate, replicate)
    if sizes.min() < 1 or sizes.sum() != len(members):
        raise ValueError("`sizes` must say how many `members` each class has, at least one.")
    if members.min() < 0 or members.max() >= len(members):
        raise ValueError("`members` must hold each row once.")


def cumulative(counts: Array, dtype: DTypeLike = np.int64) -> Array:
    """Cumulative counts, with a leading zero, along the last axis.

    Examples
    --------
    >>> cumulative(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    result = np.zeros((*counts.shape[:-1], counts.shape[-1] + 1), dtype)
    np.cumsum(counts, axis=-1, dtype=dtype, out=result[..., 1:])
    return result


def false_positive_targets(n_neg: int, fpr_grid: Floats) -> Floats:
    """False positives at each rate; a rate meant to be a whole number of them is one.

    Examples
    --------
    >>> false_positive_targets(100, np.array([0.57])).tolist()
    [57.0]
    """
    rates = np.asarray(fpr_grid, np.float64)
    if rates.ndim != 1 or not ((rates >= 0) & (rates <= 1)).all():
        raise ValueError("`fpr_grid` must be a list of false positive rates from 0 to 1.")
    targets = rates * n_neg
    whole = np.rint(targets)
    return np.where(np.abs(targets - whole) <= 1e-12 * n_neg, whole, targets)


def heights_at(fp: Counts, tp: Counts, targets: Floats) -> Floats:
    """True positives where the polyline through (fp, tp) passes each target.

    Examples
    --------
    >>> heights_at(np.array([0, 0, 2]), np.array([0, 1, 3]), np.array([0.0, 1.0])).tolist()
    [1.0, 2.0]
    """
    left = np.searchsorted(fp, targets, side="right") - 1
    right = np.minimum(left + 1, fp.size - 1)
    width = (fp[right] - fp[left]).astype(np.float64)
    width[width == 0.0] = 1.0  # beyond the last vertex the height stays
    share = (targets - fp[left]) / width
    return tp[left] + (tp[right] - tp[left]) * share


def multinomial_counts(
    pos: Counts, neg: Counts, seed: int, first: int, last: int
) -> tuple[Counts, Counts]:
    """Counts per score of the replicates, drawn directly: replicate b uses (seed, b) alone."""
    from numpy.random import Generator, Philox

    n_pos, n_neg = int(pos.sum()), int(neg.sum())
    pos_share, neg_share = pos / max(n_pos, 1), neg / max(n_neg, 1)
    drawn = np.empty((2, last - first, pos.size), np.int64)
    for replicate in range(first, last):
        generator = Generator(Philox(key=seed + (replicate << 64)))
        drawn[0, replicate - first] = generator.multinomial(n_pos, pos_share)
        drawn[1, replicate - first] = generator.multinomial(n_neg, neg_share)
    return drawn[0], drawn[1]


def in_chunks(
    task: Callable[[int, int], NDArray[Number]], first: int, last: int, width: int
) -> NDArray[Number]:
    """What the task gives for every replicate, in runs that fit a cache, on several threads."""
    runs = chunks(first, last, width)
    parts = even_parts(
        len(runs), min(thread_limit(), 1 + (last - first) * width // CELLS_PER_THREAD)
    )
    told = [(runs[start:stop],) for start, stop in parts]
    made = run_parts(lambda own: [task(*run) for run in own], told)
    return np.concatenate([piece for pieces in made for piece in pieces])


def chunks(first: int, last: int, width: int) -> list[tuple[int, int]]:
    """Cut replicates into runs whose tables of `width` columns fit a cache."""
    step = max(1, _CHUNK_CELLS // max(width, 1))
    return [(start, min(start + step, last)) for start in range(first, last, step)]


def check_ranked(
    ranked: Codes,
    places: Ranks,
    sizes: Counts,
    seed: int,
    first: int,
    last: int,
    *,
    starts: Codes | None = None,
) -> None:
    """Refuse columns of ranked rows that the walks of drawn rows could not read."""
    check_replicates(sizes, sizes, seed, first, last)
    rows = int(sizes.sum())
    if sizes.min() < 1 or len(sizes) > MOST_CLASSES:
        raise ValueError(f"`sizes` must hold a row of each of at most {MOST_CLASSES} classes.")
    if ranked.ndim != 2 or ranked.shape != places.shape or ranked.shape[1] != rows:
        raise ValueError(f"`ranked` and `places` must be columns of {rows} rows each.")
    if ranked.size and int(ranked.max()) >= len(sizes):
        raise ValueError(f"`ranked` must hold classes below {len(sizes)}.")
    if places.size and not 0 <= int(places.min()) <= int(places.max()) < rows:
        raise ValueError(f"`places` must be from 0 to {rows - 1}.")
    if starts is not None and (starts.shape != ranked.shape or not starts[:, :1].all()):
        raise ValueError("`starts` must mark the first row of each column, and be as long.")
