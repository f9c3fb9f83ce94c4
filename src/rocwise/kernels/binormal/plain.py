"""Numpy twins of the loops of the binormal fit (F6.8 to F6.10)."""

import numpy as np

from rocwise.arrays import Floats
from rocwise.kernels.binormal.steps import BinormalRows, BinormalStep, Taken
from rocwise.kernels.vector_products import dot

NARROW = 0.01
"""Width of a category, in multiples of what the density changes over, up to which it is smooth."""


def binormal_rows(
    counts: Floats,
    a: float,
    b: float,
    cuts: Floats,
    room: Floats | None = None,  # noqa: ARG001
) -> BinormalRows:
    """Log likelihood of categories, and the rows of the information of the cut points.

    `counts` (2, K) are whole numbers of cases, negatives first. Negatives are N(0, 1), positives
    N(a / b, 1 / b**2). A table that is needed no more may be given as `room` for the new one.

    Examples
    --------
    >>> rows = binormal_rows(np.ones((2, 2)), 0.0, 1.0, np.zeros(1))
    >>> round(rows.log_likelihood, 4), rows.least, rows.table[[0, 3], 0].round(4).tolist()
    (-2.7726, 0.5, [2.5465, -1.2732])
    """
    totals = counts.sum(axis=1)
    sides = np.stack([cuts, b * cuts - a])
    densities = np.exp(-0.5 * sides * sides) / np.sqrt(2 * np.pi)
    widths = np.diff(cuts)
    shares = np.stack([_shares(sides[0], widths, densities[0]),
                       _shares(sides[1], b * widths, densities[1])])  # fmt: skip
    with np.errstate(all="ignore"):  # shares that are 0 or nan are told
        rates = counts / shares
        logs = np.where(counts > 0, counts * np.log(shares), 0.0)
        drops = densities * (rates[:, :-1] - rates[:, 1:])
        gradient = drops[0] + b * drops[1]
        scaled = np.stack([densities[0], b * densities[1]])
        diagonal, beside = np.zeros((2, len(cuts)))
        for total, share, density in zip(totals, shares, scaled, strict=True):
            diagonal += total * density**2 * (1 / share[:-1] + 1 / share[1:])
            beside[:-1] -= total * density[:-1] * density[1:] / share[1:-1]
        # derivatives of the shares in (a, b), one row each, and what they share with the cuts
        edges = np.pad(np.stack([-densities[1], cuts * densities[1]]), ((0, 0), (1, 1)))
        slopes = np.diff(edges, axis=1)
        per_share = slopes / shares[1]
        own = totals[1] * np.einsum("ik,jk->ij", slopes, per_share)
        crossed = totals[1] * scaled[1] * (per_share[:, :-1] - per_share[:, 1:])
        value = float(logs.sum())
        return BinormalRows(
            np.stack([diagonal, beside, gradient, *crossed]),
            *(value if np.isfinite(value) else -np.inf, -float(drops[1].sum())),
            *(dot(cuts, drops[1]), float(own[0, 0]), float(own[0, 1]), float(own[1, 1])),
            *(float(np.abs(gradient).max()), float(shares.min()) if np.all(shares > 0) else 0.0),
        )


def _shares(x: Floats, widths: Floats, densities: Floats) -> Floats:
    """Normal probabilities below, between and above the places x.

    Wide ones are taken in the nearer tail to keep their digits, narrow ones by Euler and
    Maclaurin's formula: a difference of two probabilities would leave them few.
    """
    from scipy.special import ndtr

    low, high = x[:-1], x[1:]
    wide = np.where(low > 0, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low))
    narrow = widths * (1.0 + np.maximum(np.abs(low), np.abs(high))) < NARROW
    first, third = x * densities, (3.0 - x * x) * x * densities
    with np.errstate(all="ignore"):
        bent = widths * np.diff(first) * (1 / 12) + widths**3 * np.diff(third) * (1 / 720)
    smooth = widths * (0.5 * (densities[:-1] + densities[1:]) + bent)
    return np.concatenate([ndtr(x[:1]), np.where(narrow, smooth, wide), ndtr(-x[-1:])])


def binormal_step(rows: BinormalRows, *, cuts: bool = True) -> BinormalStep | None:
    """Expected information of the binormal model solved for the gradient.

    None where the information is not positive definite. The steps of the cut points are found
    where they are asked for.

    Examples
    --------
    >>> step = binormal_step(binormal_rows(np.ones((2, 3)), 0.0, 1.0, np.array([-0.4, 0.4])))
    >>> abs(step.a) < 1e-12, step.cuts.round(3).tolist()
    (True, [-0.031, 0.031])
    """
    from scipy.linalg import LinAlgError, solveh_banded

    diagonal, beside, *sides = rows.table
    try:
        solved = solveh_banded(
            np.stack([np.append(0.0, beside[:-1]), diagonal]), np.column_stack(sides)
        )
    except (LinAlgError, ValueError):
        return None
    taken = np.einsum("ik,kj->ij", np.stack(sides), solved)
    left = Taken(
        *(taken[0, 1], taken[0, 2], taken[1, 1], taken[1, 2], taken[2, 2], taken[0, 0]),
    )
    covariance = left.covariance(rows)
    if covariance is None:
        return None
    a, b = left.solved(rows, covariance)
    step = left.step(rows, a, b, covariance)
    if not cuts:
        return step
    steps = solved[:, 0] - solved[:, 1] * a - solved[:, 2] * b
    return step._replace(cuts=steps, farthest=float(np.abs(steps).max()))
