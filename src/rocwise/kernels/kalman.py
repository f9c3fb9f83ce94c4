"""The likelihood of a linear state-space model by the Kalman filter."""

from functools import partial
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Flags, Floats
from rocwise.kernels.selection import compiled_module
from rocwise.kernels.threads import even_chunks, interruptible, run_tasks, thread_limit

_kalman = compiled_module("_kalman")
STEPS_PER_THREAD = 5_000


class LinearModel(NamedTuple):
    """x -> A x + offset, y = H x, and what is known of x one step before the first y."""

    transition: Floats
    observation: Floats
    offset: Floats
    initial_mean: Floats
    initial_covariance: Floats


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
    matrices = [np.ascontiguousarray(part, np.float64) for part in (*model, observed)]
    size, width = len(matrices[0]), len(matrices[1])
    if matrices[0].shape != (size, size) or matrices[1].shape != (width, size):
        raise ValueError(f"`model` has shapes {matrices[0].shape} and {matrices[1].shape}.")
    if process.shape[1:] != (size, size) or noise.shape != (len(process), width, width):
        raise ValueError(f"noises have shape {process.shape} and {noise.shape}.")
    if matrices[5].shape[1:] != (width,) or present.shape != matrices[5].shape:
        raise ValueError(f"`observed` has shape {matrices[5].shape}, `present` {present.shape}.")
    if _kalman is None:
        return _by_numpy(model, observed, present, process, noise)
    seen = np.ascontiguousarray(present, np.uint8)
    noises = np.ascontiguousarray(process, np.float64), np.ascontiguousarray(noise, np.float64)
    result = np.empty(len(process))
    threads = min(thread_limit(), 1 + len(process) * len(observed) // STEPS_PER_THREAD)
    steps = len(process) * len(observed) * size * size
    run_tasks(
        partial(interruptible, _kalman.log_likelihoods, rows=steps),
        [
            (*matrices, seen, noises[0][a:b], noises[1][a:b], result[a:b])
            for a, b in even_chunks(len(process), threads)
        ],
    )
    return result


def _by_numpy(
    model: LinearModel, observed: Floats, present: Flags, process: Floats, noise: Floats
) -> Floats:
    """The numpy twin: all pairs of noises side by side."""
    A, H, offset, start, covariance = model
    x = np.repeat(start[None], len(process), axis=0)
    P = np.repeat(covariance[None], len(process), axis=0)
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
            total -= 0.5 * (squares + np.linalg.slogdet(S)[1] + len(view) * np.log(2 * np.pi))
            x = x + np.einsum("bij,bj->bi", gain, error)
            kept = eye - gain @ view
            P = kept @ P @ kept.transpose(0, 2, 1) + gain @ own @ gain.transpose(0, 2, 1)
    return np.where(np.isfinite(total), total, -np.inf)


def _finite(matrices: Floats) -> Floats:
    whole = np.asarray(np.isfinite(matrices).all(axis=(1, 2)))
    return np.where(whole[:, None, None], matrices, 0.0)
