"""Costs and shares of several classes, checked: an (m, m) matrix and m numbers that add up to 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, listed

PRIOR_TOLERANCE = 1e-9  # of the sum of the shares


def cost_matrix(costs: Any, n_classes: int, argument: str = "costs") -> Floats:
    """A matrix costs[true, predicted] of finite numbers of at least 0, with 0 on its diagonal."""
    matrix = checks.numbers(costs, argument, infinite=True, nan=True)
    if matrix.shape != (n_classes, n_classes):
        raise InputError(
            f"`{argument}` must be a {n_classes} by {n_classes} matrix, costs[true, predicted] in "
            f"the order of the classes; got the shape {matrix.shape}."
        )
    _refuse_negative(matrix, argument)
    if np.diagonal(matrix).any():
        k = int(np.flatnonzero(np.diagonal(matrix))[0])
        raise InputError(
            f"`{argument}` must be 0 on its diagonal, where the class is right; got "
            f"{argument}[{k}, {k}] = {matrix[k, k]:g}. Subtract it from its row."
        )
    return matrix


def class_shares(prior: Any, sizes: Floats) -> Floats:
    """Shares of the classes that add up to 1; by default those of the data."""
    if prior is None:
        return np.asarray(sizes / sizes.sum())
    shares = checks.numbers(prior, "prior", infinite=True, nan=True)
    if shares.shape != sizes.shape:
        raise InputError(
            f"`prior` must have one share for each of {len(sizes)} classes; got the shape "
            f"{shares.shape}."
        )
    _refuse_negative(shares, "prior")
    if abs(shares.sum() - 1.0) > PRIOR_TOLERANCE:
        raise InputError(
            f"`prior` must add up to 1; got {listed(shares)}, which add up to {shares.sum():.10g}."
        )
    for k in np.flatnonzero((shares > 0) & (sizes == 0)):
        raise InputError(
            f"`prior` gives class {k} the share {shares[k]:g}, but `y_true` has no example of it, "
            "so its errors are unknown. Set its share to 0 or add examples."
        )
    return shares


def _refuse_negative(values: Floats, argument: str) -> None:
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        place = tuple(int(k) for k in np.argwhere(bad)[0])
        where = ", ".join(str(k) for k in place)
        raise InputError(
            f"`{argument}` must hold finite numbers of at least 0; got "
            f"{argument}[{where}] = {values[place]:g}."
        )
