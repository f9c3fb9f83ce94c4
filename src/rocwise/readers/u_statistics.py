"""Variances of AUCs pooled over readings, by U-statistics (Gallas et al. 2009).

They need no design: readers may read any cases in any modality.
"""

import math
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.errors import InputError
from rocwise.readers.cells import PairSums
from rocwise.readers.mean_of_readers import Mean


class Moments(NamedTuple):
    """Moments of the kernels of two modalities, their coefficients, and the pooled AUCs."""

    moments: Floats  # M1..M8
    plugged_in: Floats  # the same from all pairs, biased
    coefficients: Floats  # c1..c8

    @property
    def shares(self) -> Floats:
        """Proportions of pairs of readings with the same negative, positive and reader."""
        c = self.coefficients
        return np.array([c[[0, 2, 4, 6]].sum(), c[[0, 1, 4, 5]].sum(), c[:4].sum()])

    @property
    def components(self) -> Floats:
        """Variance components of negatives, positives and readers, from the biased moments."""
        b = self.plugged_in
        return np.asarray(b[[6, 5, 3]] - b[7])


def moments_of(
    sums: PairSums, cells: tuple[Places, Places], readers: tuple[Places, Places]
) -> Moments:
    """Moments of the cells of two modalities, which may be one and the same."""
    block = np.ix_(*cells)
    same = readers[0][:, None] == readers[1][None, :]
    apart, counted = (each[:, block[0], block[1]] for each in sums.disjoint())
    whole, n_whole = (each[:, block[0], block[1]] for each in (sums.sums, sums.counts))

    def split(each: Floats, rest: Floats) -> Floats:
        return np.concatenate([(each * same).sum(axis=(1, 2)), (each * rest).sum(axis=(1, 2))])

    everything = np.ones_like(same)
    c = split(counted, ~same)
    moments = _ratios(split(apart, ~same), c)
    plugged_in = _ratios(split(whole, everything), split(n_whole, everything))
    coefficients = c / n_whole[3].sum()
    coefficients[7] -= 1
    return Moments(moments, plugged_in, coefficients)


def _ratios(sums: Floats, counts: Floats) -> Floats:
    return np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)


def pooled(sums: PairSums, values: Floats, cells: Places) -> float:
    """The AUC of all readings of some cells; readers weigh by their pairs of cases."""
    pairs = np.sqrt(np.diagonal(sums.counts[3])[cells])
    return float(values[cells] @ pairs / pairs.sum())


def pooled_mean(
    sums: PairSums,
    values: Floats,
    cells: list[Places],
    readers: list[Places],
    method: str,
) -> Mean:
    """The pooled AUC of one modality, or the difference of two, with the df of Gallas (BDG)."""
    own = [moments_of(sums, (c, c), (r, r)) for c, r in zip(cells, readers, strict=True)]
    terms = [(1.0, each) for each in own]
    if len(cells) == 2:
        cross = moments_of(sums, (cells[0], cells[1]), (readers[0], readers[1]))
        terms.append((-2.0, cross))
    variance = sum(
        sign * float(m.coefficients @ (m.plugged_in if method == "mle" else m.moments))
        for sign, m in terms
    )
    estimates = [pooled(sums, values, each) for each in cells]
    value = estimates[0] - (estimates[1] if len(cells) == 2 else 0.0)
    shares = np.max([each.shares for each in own], axis=0)
    f = np.maximum(np.round(1 / shares - 1), 1.0)
    g = sum(sign * m.components * (m.shares > 0) for sign, m in terms)
    squares = float((g**2 / f**3).sum())
    df = max(variance**2 / squares, float(f.min())) if squares > 0 else math.inf
    return Mean(value, variance, df, variance)


def check_variance(found: Mean, method: str) -> None:
    """An error for a negative variance, of which there is no test."""
    if found.variance < -1e-15:
        name, other = ("MLE", "") if method == "mle" else ("unbiased", ", or 'mle', conservative")
        raise InputError(
            f"the {name} variance is negative ({found.variance:.3g}): too few readers; use "
            f"method='or'{other}."
        )
