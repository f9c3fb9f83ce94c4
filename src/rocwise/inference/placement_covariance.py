"""The covariance of measures that are sums of one part from every row."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Array, Codes, Floats, Places


def spread_of_parts(
    parts: Floats,
    codes: Codes,
    sizes: Floats,
    weights: Floats | None = None,
    clusters: Places | None = None,
) -> Floats:
    """Covariance matrix (B12) of several measures from their parts, one row per measure.

    With weights or clusters it is that of `_spread_of_units`.
    """
    if weights is not None or clusters is not None:
        return _spread_of_units(parts, codes, sizes, weights, clusters)
    total = np.zeros((len(parts), len(parts)))
    for k, size in enumerate(sizes):
        own = parts[:, codes == k]
        centred = own - own.mean(axis=1, keepdims=True)
        total += products(centred, centred) / (size - 1) / size
    return total


def _spread_of_units(
    parts: Floats,
    codes: Codes,
    sizes: Floats,
    weights: Floats | None,
    clusters: Places | None,
) -> Floats:
    """The same for rows that stand for more than one case, or that are not independent.

    A row moves a measure by w (V - mean of V) / W, with W the weight of its class; rows of one
    cluster move it together. With S_k the sums of these over the members of class k in each
    cluster, the covariance is the sum over classes k, l of f_kl S_k S_l', where f_kk = I_k / (I_k
    - 1) with I_k clusters that hold class k, and f_kl = I / (I - 1) with I clusters: for two
    classes the cluster-robust variance of the AUC, for clusters of one row (B12). Without
    clusters I_k is Kish's effective number of rows.
    """
    n = len(codes)
    held = np.ones(n) if weights is None else weights
    units = np.arange(n) if clusters is None else clusters
    n_units = int(units.max()) + 1
    sums: list[Floats] = []
    for k, size in enumerate(sizes):
        own = codes == k
        share = held[own] / size
        centred = parts[:, own] - (parts[:, own] @ share)[:, None]
        moved = [np.bincount(units[own], each * share, minlength=n_units) for each in centred]
        sums.append(np.asarray(moved, np.float64))
    total = np.zeros((len(parts), len(parts)))
    for k, first in enumerate(sums):
        own = held[codes == k]
        members = float(own.sum()) ** 2 / float(own @ own)  # Kish's effective number of rows
        if clusters is not None:
            members = len(np.unique(units[codes == k]))
        total += members / (members - 1) * products(first, first)
        if clusters is not None:
            for second in sums[:k]:
                cross = products(first, second)
                total += n_units / (n_units - 1) * (cross + cross.T)
    return total


def products(first: Array, second: Array) -> Floats:
    """Sums of products of the rows of two tables, the same to the last bit on every machine.

    Matrix multiplication adds in an order that depends on the number of threads.

    >>> products(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [5.0, 6.0]]))
    array([[11., 17.]])
    """
    return np.asarray(np.einsum("ik,jk->ij", first, second))
