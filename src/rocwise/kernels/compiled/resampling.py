"""Replicates of compiled loops that draw rows, shared out among the threads."""

import numpy as np
from numpy.typing import NDArray

from rocwise.kernels.threads import pieces, thread_limit

DRAWS_PER_THREAD = 200_000


def replicate_parts(
    rows: int, result: NDArray[np.generic], threads: int | None
) -> list[tuple[int, int]]:
    """Replicates of each part; a thread is worth starting for many draws only."""
    replicates = result.shape[0]
    if threads is None:
        threads = min(thread_limit(), 1 + rows * replicates // DRAWS_PER_THREAD)
    return pieces(replicates, threads)
