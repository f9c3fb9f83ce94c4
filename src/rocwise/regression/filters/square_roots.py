"""Triangular roots of covariances: made by orthogonal rotations, never from the covariance itself.

Arrays may carry leading axes, so that many series are dealt with at once. A covariance is written
by its *rows* A, as A'A; its root is the lower triangle T with T T' = A'A.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from scipy.linalg import blas, lapack

from rocwise.arrays import Flags, Floats
from rocwise.errors import RocwiseWarning, warn

ROUNDING = float(np.finfo(np.float64).eps)
FEWEST_BLOCKED = 48  # columns from which rotations in blocks take half the time
BLOCK, BELOW_TRIANGLE = 32, 16  # columns at a time, and where a triangle is among the rows
_dgeqrt = getattr(lapack, "dgeqrt", None)  # older scipy has none
_dtpqrt = getattr(lapack, "dtpqrt", None)


class LostDefinitenessWarning(RocwiseWarning):
    """Rounding made a covariance indefinite; it was rebuilt from its clipped eigenvalues."""


@cache
def _lower_mask(size: int) -> Floats:
    return np.tril(np.ones((size, size)))


def qrl(matrix: Floats) -> Floats:
    """Lower triangle T with T T' = A A' and a diagonal that is not negative.

    >>> qrl(np.array([[3.0, 4.0], [0.0, 2.0]]))
    array([[5. , 0. ],
           [1.6, 1.2]])
    """
    return np.asarray(positive_diagonal(root_of_rows(np.atleast_2d(matrix).T[None]))[0])


def root_of_rows(rows: Floats) -> Floats:
    """Lower triangles T with T T' = rows' rows, for rows (batch, m, n); diagonals of any sign."""
    batch, height, width = rows.shape
    if batch == 1 and width == 1:
        column = rows[0, :, 0]
        return np.array([[[math.sqrt(column @ column)]]])
    if height < width:
        rows = np.concatenate([rows, np.zeros((batch, width - height, width))], axis=1)
    # one series goes to LAPACK directly, in a third of the time of numpy.linalg.qr
    upper: Floats
    upper = _triangle(rows[0])[None] if batch == 1 else np.linalg.qr(rows, mode="r")  # type: ignore[assignment]
    return np.asarray(upper.transpose(0, 2, 1) * _lower_mask(width))


def root_with_triangle(triangle: Floats, rows: Floats) -> Floats:
    """Lower triangles T with T T' = U' U + rows' rows, for upper triangles U (batch, n, n).

    >>> root_with_triangle(np.array([[[3.0]]]), np.array([[[4.0]]]))
    array([[[5.]]])
    """
    batch, _height, width = rows.shape
    if batch > 1 or width < FEWEST_BLOCKED or _dtpqrt is None:
        return root_of_rows(np.concatenate([rows, triangle], axis=1))
    upper = np.asarray(_dtpqrt(0, BELOW_TRIANGLE, triangle[0], rows[0])[0])
    return upper.T[None] * _lower_mask(width)


def _triangle(rows: Floats) -> Floats:
    """R of the rotation of these rows, with anything below its diagonal."""
    width = rows.shape[1]
    if width < FEWEST_BLOCKED or _dgeqrt is None:
        return np.asarray(lapack.dgeqrf(rows)[0][:width])
    return np.asarray(_dgeqrt(BLOCK, rows)[0][:width])


def cholesky(covariance: Floats) -> Floats:
    """Lower triangles of definite covariances (batch, n, n)."""
    return np.asarray(np.linalg.cholesky(covariance), dtype=np.float64)


def positive_diagonal(roots: Floats) -> Floats:
    """The same triangles with columns turned so that no diagonal is negative."""
    return np.asarray(roots * np.copysign(1.0, np.einsum("...ii->...i", roots))[..., None, :])


def cholupdate(root: Floats, vector: Floats, sign: int = 1) -> Floats:
    """Root of T T' + v v' (`sign=1`) or T T' - v v' (`sign=-1`), without forming either.

    >>> cholupdate(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([1.0, 0.5]), -1).round(4)
    array([[1.7321, 0.    ],
           [0.866 , 1.    ]])
    """
    batched = np.asarray(root, dtype=np.float64)[None]
    column = np.asarray(vector, dtype=np.float64)[None]
    if sign > 0:
        rows = np.concatenate([batched.transpose(0, 2, 1), column[:, None, :]], axis=1)
        return np.asarray(positive_diagonal(root_of_rows(rows))[0])
    lowered, failed = _downdated(batched, column)
    if failed.any():
        raise np.linalg.LinAlgError("the difference of the covariances is not positive definite")
    return np.asarray(positive_diagonal(lowered)[0])


def downdated_or_rebuilt(root: Floats, columns: Floats) -> Floats:
    """Roots of T T' - sum of c c' over the columns; a failure is rebuilt, with a warning."""
    lowered, failed = root, np.zeros(len(root), dtype=bool)
    for j in range(columns.shape[2]):
        lowered, failed_here = _downdated(lowered, columns[:, :, j])
        failed |= failed_here
    if failed.any():
        wanted = root[failed] @ root[failed].transpose(0, 2, 1)
        removed = columns[failed] @ columns[failed].transpose(0, 2, 1)
        lowered = lowered.copy()
        lowered[failed] = _clipped_root(wanted - removed)
        warn(
            "A covariance was no longer positive definite after the update; it was rebuilt from "
            "its eigenvalues, clipped at rounding error. Weights that are not negative "
            "(alpha=1, beta=2, kappa=0) never need this.",
            LostDefinitenessWarning,
        )
    return lowered


def _downdated(root: Floats, vector: Floats) -> tuple[Floats, Flags]:
    """Subtract v v' by hyperbolic rotations; say in which members of the batch that failed."""
    root, vector = root.copy(), vector.copy()
    failed = np.zeros(len(root), dtype=bool)
    for k in range(root.shape[1]):
        pivot, entry = root[:, k, k].copy(), vector[:, k].copy()
        radicand = (np.abs(pivot) - np.abs(entry)) * (np.abs(pivot) + np.abs(entry))
        nothing = (pivot == 0) & (entry == 0)
        failed |= ~((radicand > 0) | nothing)
        safe = np.where(failed | nothing, 1.0, pivot)
        new = np.where(failed | nothing, safe, np.sqrt(np.abs(radicand)))
        cosine, sine = new / safe, np.where(failed, 0.0, entry) / safe
        root[:, k, k] = np.where(nothing, 0.0, new)
        below = root[:, k + 1 :, k]
        below[...] = (below - sine[:, None] * vector[:, k + 1 :]) / cosine[:, None]
        vector[:, k + 1 :] = cosine[:, None] * vector[:, k + 1 :] - sine[:, None] * below
    return root, failed


def _clipped_root(covariance: Floats) -> Floats:
    values, vectors = np.linalg.eigh((covariance + covariance.transpose(0, 2, 1)) / 2)
    floor = values[:, -1:].clip(min=np.finfo(np.float64).tiny) * values.shape[1] * ROUNDING
    kept = np.maximum(values, floor)
    return root_of_rows(np.sqrt(kept)[:, :, None] * vectors.transpose(0, 2, 1))


def rows_of_noise(covariance: Floats) -> Floats:
    """Square matrices A with A'A = the covariance (..., n, n), which may be singular."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(np.sqrt(values.clip(min=0.0))[..., :, None] * vectors.swapaxes(-1, -2))


def solve_root(root: Floats, right: Floats, *, transposed: bool = False) -> Floats:
    """Solve T x = b, or T' x = b, for lower triangles T (batch, n, n)."""
    if root.shape[1] == 1:
        return right / root
    if len(root) == 1:
        if not root[0].diagonal().all():
            raise np.linalg.LinAlgError("singular root")
        # dtrsm and not dtrtrs, which OpenBLAS hands to threads however small the matrix is
        return np.asarray(blas.dtrsm(1.0, root[0], right[0], lower=1, trans_a=transposed))[None]
    return np.asarray(np.linalg.solve(root.swapaxes(1, 2) if transposed else root, right))
