"""Pairs of a negative and a positive that two models order alike, without a table of all pairs."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Floats, Integers, Mask
from rocwise.kernels.threads import run_tasks


class ModelRanks(NamedTuple):
    """How a model orders the negatives against the positives, in the order of the rows.

    `negatives` are ranks among the negatives, from 0 on, ties in any order; `lower` and `upper`
    the negatives below each positive, and below or tied.
    """

    negatives: Integers
    lower: Integers
    upper: Integers


def kernel_products(mask: Mask, placements: Integers) -> Floats:
    """Sums over all pairs of the products of two models' kernels: 1 in order, 1/2 where tied.

    `placements` has a line for each model: twice the placement of each row in the other class.
    """
    ranked = run_tasks(model_ranks, [(mask, placed) for placed in placements], len(mask))
    products = np.diag([(3 * each.lower.sum() + each.upper.sum()) / 4 for each in ranked])
    indices = list(combinations(range(len(ranked)), 2))
    sums = run_tasks(_kernel_product, [(ranked[a], ranked[b]) for a, b in indices], len(mask))
    for (a, b), found in zip(indices, sums, strict=True):
        products[a, b] = products[b, a] = found
    return products


def model_ranks(mask: Mask, placed: Integers) -> ModelRanks:
    """Ranks by one model, from twice the placement of each row within the other class.

    The negatives below a positive are those whose placement is at most twice the positives below
    it: a negative that is tied with it, or above, has more.
    """
    of_neg, of_pos = placed[mask == 0], placed[mask != 0]
    below = np.searchsorted(np.sort(of_pos), of_pos, side="left")
    lower = np.searchsorted(np.sort(of_neg), 2 * below, side="right")
    return ModelRanks(np.argsort(np.argsort(of_neg)), lower, of_pos - lower)


def _kernel_product(first: ModelRanks, second: ModelRanks) -> float:
    """The sum for two models: for each positive, the negatives below it by both.

    Negatives are ordered by the first model. Their ranks by the second are split by their bits,
    highest first (a wavelet matrix): at each bit a query knows how many of its ranks fall on the
    lower side, and follows the side of its bound.
    """
    ranks = second.negatives[np.argsort(first.negatives)]
    stop = np.tile(np.concatenate([first.lower, first.upper]), 2)
    bound = np.concatenate([second.lower, second.lower, second.upper, second.upper])
    start, total = np.zeros_like(stop), 0
    for bit in reversed(range(len(ranks).bit_length())):
        is_low = (ranks >> bit) & 1 == 0
        lows = np.append(0, np.cumsum(is_low))
        start_low, stop_low = lows[start], lows[stop]
        goes_high = (bound >> bit) & 1 == 1
        total += int((stop_low - start_low)[goes_high].sum())
        start = np.where(goes_high, lows[-1] + start - start_low, start_low)
        stop = np.where(goes_high, lows[-1] + stop - stop_low, stop_low)
        ranks = np.concatenate([ranks[is_low], ranks[~is_low]])
    return total / 4
