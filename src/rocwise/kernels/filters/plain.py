"""The likelihood of a linear model by the Kalman filter, many pairs of noises side by side."""

import numpy as np

from rocwise.arrays import Flags, Floats
from rocwise.kernels.linear_models import LinearModel


def linear_log_likelihoods(
    model: LinearModel, observed: Floats, present: Flags, process: Floats, noise: Floats
) -> Floats:
    """Log likelihood of a series (T, d) under pairs of noises (c, L, L) and (c, d, d).

    `present` says what of the series was observed. A pair under which a covariance is no longer
    positive definite, or the state no longer finite, gets minus infinity.

    Examples
    --------
    >>> one = np.ones((1, 1))
    >>> level = LinearModel(one, one, np.zeros(1), np.zeros(1), one)
    >>> linear_log_likelihoods(level, one, one == 1, one[None], one[None]).round(4).tolist()
    [-1.6349]
    """
    A, H, offset, start, spread = model
    x = np.repeat(start[None], len(process), axis=0)
    P = np.repeat(spread[None], len(process), axis=0)
    total = np.zeros(len(process))
    eye = np.eye(len(A))
    with np.errstate(all="ignore"):
        for y, seen in zip(observed, present, strict=True):
            x, P = x @ A.T + offset, A @ P @ A.T + process
            if not seen.any():
                continue
            view, own = H[seen], noise[:, seen][:, :, seen]
            cross = P @ view.T
            S = view @ cross + own
            bad = ~(np.isfinite(S).all(axis=(1, 2)) & (np.linalg.eigvalsh(_finite(S))[:, 0] > 0))
            total[bad] = -np.inf
            S[bad] = np.eye(len(view))
            error = y[seen] - x @ view.T
            gain = np.linalg.solve(S, cross.transpose(0, 2, 1)).transpose(0, 2, 1)
            squares = np.einsum("bi,bi->b", error, np.linalg.solve(S, error[:, :, None])[:, :, 0])
            logs = np.linalg.slogdet(S)[1]
            total -= 0.5 * (squares + logs + len(view) * np.log(2 * np.pi))
            x = x + np.einsum("bij,bj->bi", gain, error)
            kept = eye - gain @ view
            turned = gain.transpose(0, 2, 1)
            P = kept @ P @ kept.transpose(0, 2, 1) + gain @ own @ turned
    return np.where(np.isfinite(total), total, -np.inf)


def _finite(matrices: Floats) -> Floats:
    whole = np.asarray(np.isfinite(matrices).all(axis=(1, 2)))
    return np.where(whole[:, None, None], matrices, 0.0)
