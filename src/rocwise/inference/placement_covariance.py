"""The covariance of measures that are sums of one part from every row."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Codes, Floats


def spread_of_parts(parts: Floats, codes: Codes, sizes: Floats) -> Floats:
    """Covariance matrix (B12) of several measures from their parts, one row per measure."""
    total = np.zeros((len(parts), len(parts)))
    for k, size in enumerate(sizes):
        own = parts[:, codes == k]
        centred = own - own.mean(axis=1, keepdims=True)
        total += centred @ centred.T / (size - 1) / size
    return total
