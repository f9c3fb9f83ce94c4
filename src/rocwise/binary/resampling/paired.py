"""The bootstrap of several curves at once: rows are drawn together, or samples apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Array, Counts, Floats, Integers, Places
from rocwise.binary.resampling.binned import (
    AT_RATES,
    InBins,
    ends_at_rate,
    has_very_many_scores,
    in_bins,
)
from rocwise.binary.resampling.curve_statistics import Area
from rocwise.binary.resampling.draws import drawn_units
from rocwise.binary.resampling.equal_rows import EqualRows, equal_rows, rows_read
from rocwise.binary.resampling.forms_of_statistics import (
    AnyStatistic,
    evaluated,
    formula_and_reader,
)
from rocwise.binary.resampling.replicates import refuse_undefined, replicates
from rocwise.binary.roc import sums_from_zero
from rocwise.binary.unit_scores import of_model
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.data.tally_rows import TallyRows, numbered
from rocwise.errors import ScoreRangeError
from rocwise.inference.chunked_draws import ROWS_PER_CELL, in_chunks
from rocwise.kernels.long_arrays import give_back
from rocwise.kernels.resampling_tables import in_chunks as in_cached_chunks
from rocwise.progress import Report


class UnpairedMoments(NamedTuple):
    """Estimates and variances of independent samples, and the bins of those drawn in bins."""

    estimates: list[float]
    variances: list[float]
    bins: tuple[InBins, ...]


def paired_bootstrap(
    pairs: Pairs,
    statistic: AnyStatistic,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
    *,
    exact: bool = False,
) -> tuple[Floats, Floats]:
    """Estimates of all models and the covariance matrix of their resampled values.

    Very many scores are joined where a statistic at a rate does not tell them apart.
    """
    each = 8 * len(pairs.names)
    n_resamples = checks.size(n_resamples, "n_resamples", at_least=2, bytes_each=each)
    estimates = np.array([evaluated_of(pairs, name, statistic) for name in pairs.names])
    drawn = pairs
    if isinstance(statistic, AT_RATES) and not exact:
        drawn = joined_scores(pairs, lambda data: ends_at_rate(data, statistic))
    values = paired_replicates(drawn, statistic, n_resamples, seed, progress)
    refuse_undefined(values, float(estimates.sum()), statistic)
    return estimates, np.atleast_2d(np.cov(values.T))


def joined_scores(pairs: Pairs, ends_of: Callable[[Tally], Places | None]) -> Pairs:
    """The pairs with the scores of each model joined, from one of the given ends to the next.

    Themselves where a model has not very many scores, or no ends: then every score is needed.
    """
    if pairs.weights is not None or pairs.groups is not None:
        return pairs
    ends = {}
    for name in pairs.names:
        data = pairs.tally(name).for_once()
        found = ends_of(data) if has_very_many_scores(data) else None
        if found is None:
            return pairs
        ends[name] = found
    return pairs.joined(ends)


def evaluated_of(pairs: Pairs, name: str, statistic: AnyStatistic) -> float:
    """The statistic of one model; a refusal of its scores names the model and the row."""
    try:
        return evaluated(pairs.tally(name).for_once(), statistic)
    except ScoreRangeError as problem:
        raise of_model(problem, pairs, name) from None


def paired_replicates(
    pairs: Pairs,
    statistic: AnyStatistic,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None = None,
) -> Floats:
    """The statistic of every model on the same resampled rows or clusters: (n_resamples, k)."""
    pairs = _with_weight(pairs)
    cells = 1 + len(pairs) * len(pairs.names) // ROWS_PER_CELL
    alike = None if pairs.groups is not None else _equal_rows(pairs)
    if alike or pairs.weights is not None or pairs.groups is not None:
        draw, cells = _amounts_drawn(pairs, alike, statistic, seed)
    elif statistic == Area():
        draw = _areas_drawn(pairs, seed)
    else:
        formulas, readers = _readings(pairs, statistic)
        draw = _curves_drawn(pairs, formulas, readers, seed)
        cells = cells if readers else 10 * len(pairs)
    give_back(len(pairs))  # what models were sorted and judged in
    label = f"paired bootstrap of {statistic.name}"
    return in_chunks(draw, n_resamples, cells, progress, label)


def _areas_drawn(pairs: Pairs, seed: int) -> Callable[[int, int], Floats]:
    scale = 2.0 * pairs.n_pos * pairs.n_neg
    scores = np.stack([pairs.scores(name) for name in pairs.names])
    layout = kernels.paired_placing(pairs.mask, scores)
    del scores

    def draw(first: int, last: int) -> Floats:
        doubled = kernels.resample_paired_doubled_u(layout, seed, first, last)
        return np.asarray(doubled / scale)

    return draw


def _readings(
    pairs: Pairs, statistic: AnyStatistic
) -> tuple[list[kernels.Formula], list[kernels.Reader] | None]:
    """The statistic of every model as a function of counts, and as what compiled code reads.

    The latter is None for a user's own. Columns that neither needs are not kept.
    """
    found = [formula_and_reader(pairs.tally(name).for_once(), statistic) for name in pairs.names]
    known = [reader for _, reader in found if reader is not None]
    return [formula for formula, _ in found], known if len(known) == len(found) else None


def _curves_drawn(
    pairs: Pairs,
    formulas: list[kernels.Formula],
    readers: list[kernels.Reader] | None,
    seed: int,
) -> Callable[[int, int], Floats]:
    """Draw how often each row is taken, then walk along each model's order."""
    orders = [kernels.paired_order(pairs.mask, pairs.scores(name)) for name in pairs.names]

    def draw(first: int, last: int) -> Floats:
        return kernels.resample_paired_readings(
            pairs.mask, orders, seed, first, last, formulas, readers
        )

    return draw


def _equal_rows(pairs: Pairs) -> EqualRows | None:
    """Rows that are equal in class, weight and all scores, where they are many."""
    weights = [] if pairs.weights is None else [pairs.weights]
    return equal_rows([pairs.mask, *(pairs.scores(name) for name in pairs.names), *weights])


def _amounts_drawn(
    pairs: Pairs, alike: EqualRows | None, statistic: AnyStatistic, seed: int
) -> tuple[Callable[[int, int], Floats], int]:
    """Rows with weights, clusters, or numbers of equal rows: drawn, then summed for each model.

    Also how many numbers a replicate holds: what compiled code reads is made a few at a time.
    """
    kept = pairs if alike is None else pairs.rows(alike.firsts)
    rows = _rows_in_place(kept, None if alike is None else alike.counts)
    of_rows, times = drawn_units(rows, seed)
    orders = [_descending(kept.scores(name)) for name in pairs.names]
    models = [_in_order(rows, *order).signed(of_rows[order[0]]) for order in orders]
    tallies = [pairs.tally(name) for name in pairs.names]
    readings = [formula_and_reader(tally, statistic) for tally in tallies]
    held = [np.stack([sums_from_zero(tally.pos), sums_from_zero(tally.neg)]) for tally in tallies]
    told = zip(models, held, readings, strict=True)
    read = [rows_read(model, own, *reading) for model, own, reading in told]

    def draw(first: int, last: int) -> Floats:
        drawn = times(first, last)
        return np.stack([values(drawn) for values in read], axis=1)

    if any(reader is None for _, reader in readings):
        return draw, 10 * len(rows)
    width = 1 + len(rows) // 4  # as for one model
    cells = 1 + len(rows) * len(models) // ROWS_PER_CELL
    return lambda first, last: in_cached_chunks(draw, first, last, width), cells


def _rows_in_place(pairs: Pairs, counts: Counts | None) -> TallyRows:
    """The rows of pairs in their own order: what is drawn for all models alike."""
    every = np.arange(len(pairs))
    return TallyRows(pairs.mask == 1, every, pairs.weights, counts, numbered(pairs.groups))


def _in_order(rows: TallyRows, order: Integers, starts: Places) -> TallyRows:
    """The rows of one model from its most positive score down."""
    weights = None if rows.weights is None else rows.weights[order]
    return TallyRows(rows.positive[order], starts, weights)


def _with_weight(pairs: Pairs) -> Pairs:
    """The rows that have any weight; others are none."""
    if pairs.weights is None or pairs.weights.all():
        return pairs
    return pairs.rows(np.flatnonzero(pairs.weights))


def _descending(scores: Array) -> tuple[Integers, Places]:
    """Rows from the most positive score down, and where each distinct score starts."""
    order = kernels.argsort(scores)[::-1]
    ranked = scores[order]
    return order, np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))


def unpaired_bootstrap(
    samples: tuple[Tally, Tally],
    statistic: AnyStatistic,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
    *,
    exact: bool = False,
) -> UnpairedMoments:
    """Estimates of two independent samples and the variances of their resampled values.

    Samples of very many distinct scores are drawn in bins, where these serve the statistic.
    """
    n_resamples = checks.size(n_resamples, "n_resamples", at_least=2)
    estimates = [evaluated(sample, statistic) for sample in samples]
    variances, bins = [], []
    for number, sample in enumerate(samples):
        found = None if exact else in_bins(sample, statistic)
        if found is not None:
            bins.append(found)
        values = replicates(
            sample if found is None else found.tally,
            statistic if found is None or found.own is None else found.own,
            n_resamples=n_resamples,
            seed=(seed + number) % 2**63,  # two samples must not share their draws
            progress=progress,
            exact=exact,
        )
        variances.append(float(values.var(ddof=1)))
    return UnpairedMoments(estimates, variances, tuple(bins))
