"""The smoothed bootstrap: resamples of normal kernel estimates of the two score densities.

Every score drawn gets a normal error on the scale of the normal scores of all cases, so that
monotone transformations change nothing; its standard deviation is Silverman's bandwidth of the
class.
A re-chosen threshold converges at the cube root of the sample size, and the ordinary bootstrap of
such an estimator is inconsistent. Percentiles of the smoothed bootstrap are conservative (Léger &
MacGibbon 2006).
"""

from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from rocwise.arrays import Array, Floats, Places, Weights
from rocwise.binary.bootstrap import sampling
from rocwise.data.tally import Tally
from rocwise.kernels import resample

MOST_CELLS = 2000  # candidate thresholds of a resample: neighbors among more scores are joined
MOST_NODES, ALL_NODES = 400, 4_000_000  # of the quadrature of a kernel: for a score, for all scores


def normal_scores(data: Tally) -> Floats:
    """Normal quantiles of the mid-ranks of the scores, from the most positive score down."""
    from scipy.special import ndtri

    cases = data.pos + data.neg
    return np.asarray(-ndtri((np.cumsum(cases) - cases / 2) / float(cases.sum())))


def bandwidths(data: Tally, scores: Floats) -> tuple[float, float] | None:
    """Silverman's bandwidths of both classes; None for scores too coarse to be smoothed.

    Those are scores whose typical distance to the next one is more than a bandwidth: ratings on a
    few levels. Their thresholds are a choice between levels, and the ordinary bootstrap covers it.
    """
    of_pos, of_neg = (
        _silverman(scores, class_weights, size)
        for class_weights, size in zip((data.pos, data.neg), data.effective_sizes, strict=True)
    )
    gaps = -np.diff(scores)
    return (of_pos, of_neg) if len(gaps) and min(of_pos, of_neg) > np.median(gaps) else None


def _silverman(scores: Floats, class_weights: Weights, size: float) -> float:
    """0.9 min(standard deviation, interquartile range / 1.34) n^(-1/5) (Silverman 1986, 3.31)."""
    total, upto = float(class_weights.sum()), np.cumsum(class_weights)
    away = scores - float(scores @ class_weights) / total
    sd = float(np.sqrt(away**2 @ class_weights / total * size / (size - 1)))
    upper, lower = scores[np.searchsorted(upto, [total / 4, 3 * total / 4])]
    if upper > lower:
        sd = min(sd, float(upper - lower) / 1.34)
    return float(0.9 * sd * size**-0.2)


def smoothed_draws(
    data: Tally,
    falling: Floats,
    widths: tuple[float, float],
    formula: resample.Formula,
    reader: resample.Reader | None,
    seed: int,
) -> tuple[Places, Callable[[int, int], Floats]]:
    """Candidate scores by their index, and a function of smoothed resampled counts at them.

    `falling` are the scores on the scale on which they are smoothed, the most positive first.
    Each copy of a row or cluster that was drawn gets its own error, the same for all rows of the
    cluster. Counts of many rows of equal weight are drawn from the kernel estimate at once.
    """
    every = -(-len(data) // MOST_CELLS)
    places = np.minimum(np.arange(every, len(data) + every, every), len(data)) - 1
    edges = -falling[places]

    def counts(scores: Floats, class_weights: Weights) -> Floats:
        cells = np.minimum(np.searchsorted(edges, -scores), len(edges) - 1)
        return np.asarray(np.bincount(cells, class_weights, minlength=len(edges)), np.float64)

    if data.rows is None and data.n_pos + data.n_neg > MOST_CELLS:
        expected = [
            counts(*_kernel_nodes(falling, class_weights, width))
            for class_weights, width in zip((data.pos, data.neg), widths, strict=True)
        ]
        units, rows = resample.units_of_scores(*expected)
        models = [resample.Model(rows, formula, reader)]
        return places, lambda first, last: resample.resample(units, models, seed, first, last)[:, 0]
    units, rows = sampling(data)
    scores = falling[np.cumsum(rows.ends) - rows.ends]
    weights = np.ones(len(scores)) if rows.weights is None else np.abs(rows.weights)
    positive = rows.codes >= 0
    width_of = np.where(positive, *widths)

    def one(replicate: int) -> Floats:
        times = resample.multiplicities(units, seed, replicate, replicate + 1)[0]
        generator = np.random.Generator(np.random.Philox(key=seed + (replicate << 64)))
        errors = generator.standard_normal(int(times.sum()))
        of_rows = times[rows.units]
        copies = np.repeat(np.arange(len(scores)), of_rows)
        first = (np.cumsum(times) - times)[rows.units] - (np.cumsum(of_rows) - of_rows)
        own = errors[np.arange(len(copies)) + first[copies]]
        drawn, up = scores[copies] + width_of[copies] * own, positive[copies]
        both = [counts(drawn[flags], weights[copies[flags]])[None] for flags in (up, ~up)]
        return formula(*both)

    return places, lambda first, last: np.concatenate([one(b) for b in range(first, last)])


def _kernel_nodes(scores: Floats, class_weights: Weights, width: float) -> tuple[Array, Array]:
    """Equally likely values of the normal kernel at each score, and their weights."""
    present = np.flatnonzero(class_weights)
    n_nodes = int(np.clip(ALL_NODES // len(present), 8, MOST_NODES))
    kernel = NormalDist()
    nodes = np.array([kernel.inv_cdf((k + 0.5) / n_nodes) for k in range(n_nodes)])
    values = scores[present, None] + width * nodes
    return values.ravel(), np.repeat(class_weights[present] / n_nodes, n_nodes)
