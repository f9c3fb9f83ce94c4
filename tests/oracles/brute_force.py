"""Slow, plain definitions that the fast code is compared with."""

import numpy as np


def kernel(x, y):
    """psi of every (negative, positive): 1, 1/2 or 0 (F1.2)."""
    x, y = np.asarray(x, float)[:, None], np.asarray(y, float)[None, :]
    return (x < y) + 0.5 * (x == y)


def variances(H, G):
    """The four estimators F2.1 to F2.4 from their definition, for kernel matrices H and G."""
    N, M = H.shape
    h, g = H.mean(), G.mean()
    SN = ((H.mean(1) - h) * (G.mean(1) - g)).sum()
    SM = ((H.mean(0) - h) * (G.mean(0) - g)).sum()
    R = (
        (H - H.mean(1)[:, None] - H.mean(0)[None, :] + h)
        * (G - G.mean(1)[:, None] - G.mean(0)[None, :] + g)
    ).sum()
    delong = SN / (N * (N - 1)) + SM / (M * (M - 1))
    return {
        "delong": delong,
        "jackknife": (SN / (N - 1) ** 2 + SM / (M - 1) ** 2) * (N + M - 1) / (N + M),
        "exact-bootstrap": SN / N**2 + SM / M**2 + R / (N * M) ** 2,
        "unbiased": delong - R / (N * M * (N - 1) * (M - 1)),
    }
