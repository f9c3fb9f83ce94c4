from typing import Any

import numpy as np
from numpy.typing import NDArray

def chain(x: NDArray[Any], y: NDArray[Any], places: NDArray[np.int64], slack: float) -> int: ...
def above(
    x: NDArray[Any],
    y: NDArray[Any],
    knots: NDArray[np.int64],
    start: int,
    stop: int,
    kept: NDArray[np.int64],
) -> int: ...
def isotonic_fits(
    seed: int,
    first: int,
    last: int,
    tp_rank: NDArray[np.int64],
    fp_rank: NDArray[np.int64],
    places: NDArray[np.int64],
    result: NDArray[np.float64],
) -> None: ...
