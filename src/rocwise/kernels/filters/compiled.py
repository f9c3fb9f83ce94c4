"""The likelihood of a linear model with the compiled loop, pairs shared out among the threads."""

from functools import partial

import numpy as np

from rocwise.arrays import Flags, Floats
from rocwise.kernels.compiled import _filtering
from rocwise.kernels.linear_models import LinearModel
from rocwise.kernels.threads import even_parts, heard, run_parts, thread_limit

STEPS_PER_THREAD = 5_000


def linear_log_likelihoods(
    model: LinearModel,
    observed: Floats,
    present: Flags,
    process: Floats,
    noise: Floats,
    threads: int | None = None,
) -> Floats:
    """Compiled twin of `filters.plain.linear_log_likelihoods`.

    Examples
    --------
    >>> one = np.ones((1, 1))
    >>> level = LinearModel(one, one, np.zeros(1), np.zeros(1), one)
    >>> linear_log_likelihoods(level, one, one == 1, one[None], one[None]).round(4).tolist()
    [-1.6349]
    """
    told = [np.ascontiguousarray(part, np.float64) for part in (*model, observed)]
    size, width = len(told[0]), len(told[1])
    if told[0].shape != (size, size) or told[1].shape != (width, size):
        raise ValueError(f"`model` has matrices of shape {told[0].shape} and {told[1].shape}.")
    if process.shape[1:] != (size, size) or noise.shape != (len(process), width, width):
        raise ValueError(f"noises have shape {process.shape} and {noise.shape}.")
    if told[5].shape[1:] != (width,) or present.shape != told[5].shape:
        raise ValueError(f"`observed` has shape {told[5].shape}, `present` {present.shape}.")
    seen = np.ascontiguousarray(present, np.uint8)
    noises = np.ascontiguousarray(process, np.float64), np.ascontiguousarray(noise, np.float64)
    result = np.empty(len(process))
    if threads is None:
        threads = min(thread_limit(), 1 + len(process) * len(observed) // STEPS_PER_THREAD)
    steps = len(process) * len(observed) * size * size
    run_parts(
        partial(heard, _filtering.log_likelihoods, rows=steps),
        [
            (*told, seen, noises[0][a:b], noises[1][a:b], result[a:b])
            for a, b in even_parts(len(process), threads)
        ],
    )
    return result
