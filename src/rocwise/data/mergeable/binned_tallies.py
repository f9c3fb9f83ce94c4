"""Tallies with fewer scores: neighbours share a bin, and what that may cost is told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts
from rocwise.data.score_columns import Squares
from rocwise.data.tally import Tally


def binned(tally: Tally, resolution: int) -> Tally:
    """The same tally in at most `resolution` bins of about equal size, with its error bound.

    Bins never split a score, and a bin is named by its least positive score, so every threshold
    of the result still recounts exactly. Only the order inside bins is lost: pairs of a positive
    and a negative in one bin now count one half, hence |error of AUC| <= sum(p*n) / (2*P*N).
    """
    pos, neg = tally.pos, tally.neg
    if resolution >= len(pos):
        return tally
    mass = np.cumsum(pos + neg).astype(np.float64)
    cuts = np.searchsorted(mass, mass[-1] * np.arange(1, resolution + 1) / resolution * (1 - 1e-15))
    last = np.unique(np.minimum(cuts, len(mass) - 1))
    first = np.concatenate([[0], last[:-1] + 1])
    bin_pos, bin_neg = np.add.reduceat(pos, first), np.add.reduceat(neg, first)
    bound = _mixed_pairs(bin_pos, bin_neg, tally) / 2
    before = 0.0 if tally.origin.exact_area else tally.error_bound  # else it is in `bound`
    squares = tally.squares and Squares(
        np.add.reduceat(tally.squares.pos, first), np.add.reduceat(tally.squares.neg, first)
    )
    return Tally.from_counts(
        tally.scores[last],
        bin_pos,
        bin_neg,
        squares=squares,
        rows=None if tally.rows is None else tally.rows.joined(first),
        origin=replace(tally.origin, error_bound=before + bound, exact_area=False),
    )


def _mixed_pairs(bin_pos: Amounts, bin_neg: Amounts, tally: Tally) -> float:
    """Share of the pairs whose scores differ but whose bin is the same, rounded upwards."""
    if tally.weighted:
        kept = kernels.dot(tally.pos, tally.neg)
        gained = kernels.dot(bin_pos, bin_neg) - kept
        noise = 4 * len(tally) * np.finfo(np.float64).eps * (gained + kept)
        return (max(gained, 0.0) + noise) / (tally.n_pos * tally.n_neg)
    gained_pairs = kernels.table_sums(bin_pos, bin_neg).ties - tally.placement_sums.ties
    share = gained_pairs / (int(tally.n_pos) * int(tally.n_neg))
    return float(np.nextafter(share, 1.0)) if share else 0.0
