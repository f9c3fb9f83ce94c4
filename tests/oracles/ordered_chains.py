"""Chains through ordered classes, one by one: slow, and plain to see."""

from itertools import groupby, pairwise, product
from math import factorial, prod

import numpy as np


def credit_of(scores, *, strict=False):
    """What one chain earns: 1 if rising, 0 if falling somewhere, ties by runs."""
    pairs = list(pairwise(scores))
    if strict:
        return float(all(a < b for a, b in pairs))
    if any(a > b for a, b in pairs):
        return 0.0
    return 1.0 / prod(factorial(len(list(run))) for _, run in groupby(scores))


def tensor(y, f, *, strict=False):
    """Credit of every chain: one axis per class, rows of a class in their order."""
    y, f = np.asarray(y), np.asarray(f)
    classes = [f[y == label].tolist() for label in np.unique(y)]
    credits = [credit_of(chain, strict=strict) for chain in product(*classes)]
    return np.array(credits).reshape([len(rows) for rows in classes])


def volume(y, f, *, strict=False):
    """Mean credit."""
    return float(tensor(y, f, strict=strict).mean())


def covariances(h, g=None):
    """(unbiased, plug-in, DeLong) covariance of two measures from the credits of all chains."""
    g = h if g is None else g
    r, sizes = h.ndim, np.array(h.shape, float)
    axes = range(r)
    subsets = [[k for k in axes if code >> k & 1] for code in range(2**r)]
    sums = []
    for S in subsets:
        rest = tuple(k for k in axes if k not in S)
        sums.append(float((h.sum(axis=rest) * g.sum(axis=rest)).sum()))
    product = h.mean() * g.mean()
    pairs = np.prod(sizes * (sizes - 1))
    distinct = sum((-1) ** len(S) * total for S, total in zip(subsets, sums, strict=True)) / pairs
    plug_in = 0.0
    for S, total in zip(subsets, sums, strict=True):
        rest = [k for k in axes if k not in S]
        zeta = total / (np.prod(sizes[S]) * np.prod(sizes[rest] ** 2)) - product
        plug_in += np.prod(sizes[rest] - 1) * zeta / np.prod(sizes) if S else 0.0
    delong = 0.0
    for k in axes:
        rest = tuple(j for j in axes if j != k)
        delong += np.cov(h.mean(axis=rest), g.mean(axis=rest))[0, 1] / sizes[k]
    return product - distinct, plug_in, delong


def pair_area(y, f, low, high, *, strict=False):
    """Proportion of (low, high) pairs of rows in order."""
    x, z = np.asarray(f)[np.isin(y, low)][:, None], np.asarray(f)[np.isin(y, high)]
    return float(((x < z) + (0.0 if strict else 0.5) * (x == z)).mean())
