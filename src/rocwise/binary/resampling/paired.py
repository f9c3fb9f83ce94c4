"""The bootstrap of several curves at once: rows are drawn together, or samples apart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Array, Floats, Integers, Places
from rocwise.binary.resampling.curve_statistics import Area
from rocwise.binary.resampling.replicates import (
    ROWS_PER_CELL,
    AnyStatistic,
    evaluated,
    of_counts,
    replicates,
)
from rocwise.binary.unit_scores import of_model
from rocwise.errors import ScoreRangeError
from rocwise.inference.chunked_draws import in_chunks
from rocwise.primitives.pairs import Pairs
from rocwise.primitives.tallies import Tally
from rocwise.progress import Report


def paired_bootstrap(
    pairs: Pairs,
    statistic: AnyStatistic,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> tuple[Floats, Floats]:
    """Estimates of all models and the covariance matrix of their resampled values."""
    checks.whole(n_resamples, "n_resamples", at_least=2)
    estimates = np.array([evaluated_of(pairs, name, statistic) for name in pairs.names])
    values = paired_replicates(pairs, statistic, n_resamples, seed, progress)
    return estimates, np.atleast_2d(np.cov(values.T))


def evaluated_of(pairs: Pairs, name: str, statistic: AnyStatistic) -> float:
    """The statistic of one model; a refusal of its scores names the model and the row."""
    try:
        return evaluated(pairs.tally(name), statistic)
    except ScoreRangeError as problem:
        raise of_model(problem, pairs, name) from None


def paired_replicates(
    pairs: Pairs,
    statistic: AnyStatistic,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None = None,
) -> Floats:
    """The statistic of every model on the same resampled rows: (n_resamples, k)."""
    if statistic == Area():
        draw = _areas_drawn(pairs, seed)
        cells = 1 + len(pairs) * len(pairs.names) // ROWS_PER_CELL
    else:
        draw = _curves_drawn(pairs, statistic, seed)
        cells = 10 * len(pairs)
    label = f"paired bootstrap of {statistic.name}"
    return in_chunks(draw, n_resamples, cells, progress, label)


def _areas_drawn(pairs: Pairs, seed: int) -> Callable[[int, int], Floats]:
    scale = 2.0 * pairs.n_pos * pairs.n_neg
    scores = np.stack([pairs.scores(name) for name in pairs.names])

    def draw(first: int, last: int) -> Floats:
        doubled = kernels.resample_paired_doubled_u(pairs.mask, scores, seed, first, last)
        return np.asarray(doubled / scale)

    return draw


def _curves_drawn(pairs: Pairs, statistic: AnyStatistic, seed: int) -> Callable[[int, int], Floats]:
    """Draw how often each row is taken, then sum the draws along each model's order."""
    pos, neg = (np.asarray(pairs.mask == label, dtype=np.int64) for label in (1, 0))
    orders = [_descending(pairs.scores(name)) for name in pairs.names]
    readings = [of_counts(pairs.tally(name), statistic) for name in pairs.names]

    def draw(first: int, last: int) -> Floats:
        drawn = kernels.resample_counts(pos, neg, seed, first, last)
        columns = []
        for (order, starts), values in zip(orders, readings, strict=True):
            pos_counts, neg_counts = (
                np.add.reduceat(counts[:, order], starts, axis=1) for counts in drawn
            )
            columns.append(values(pos_counts, neg_counts))
        return np.stack(columns, axis=1)

    return draw


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
) -> tuple[list[float], list[float]]:
    """Estimates of two independent samples and the variances of their resampled values."""
    checks.whole(n_resamples, "n_resamples", at_least=2)
    estimates = [evaluated(sample, statistic) for sample in samples]
    variances = []
    for number, sample in enumerate(samples):
        values = replicates(
            sample,
            statistic,
            n_resamples=n_resamples,
            seed=(seed + number) % 2**63,  # two samples must not share their draws
            progress=progress,
        )
        variances.append(float(values.var(ddof=1)))
    return estimates, variances
