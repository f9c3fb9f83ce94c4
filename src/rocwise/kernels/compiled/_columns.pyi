from typing import Any

import numpy as np
from numpy.typing import NDArray

def fill_measure(
    tp: NDArray[Any],
    fp: NDArray[Any],
    n_pos: float,
    n_neg: float,
    measure: int,
    start: int,
    stop: int,
    out: NDArray[np.float64],
) -> None: ...
def placed_positives(
    mask: NDArray[np.uint8], placements: NDArray[np.int64], start: int, stop: int
) -> tuple[int, int]: ...
def fill_influences(
    mask: NDArray[np.uint8],
    placements: NDArray[np.int64],
    area: float,
    start: int,
    stop: int,
    pos_before: int,
    positives: NDArray[np.float64],
    negatives: NDArray[np.float64],
) -> None: ...
def fill_chebyshev(
    x: NDArray[np.float64],
    coefficients: NDArray[np.float64],
    offset: float,
    scale: float,
    result: NDArray[np.float64],
) -> None: ...
