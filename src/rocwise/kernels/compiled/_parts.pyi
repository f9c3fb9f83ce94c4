from typing import Any

import numpy as np
from numpy.typing import NDArray

def segment_areas(
    x0: NDArray[np.float64],
    x1: NDArray[np.float64],
    y0: NDArray[np.float64],
    y1: NDArray[np.float64],
    low: float,
    high: float,
) -> NDArray[np.float64]: ...
def positive_influences(
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    low: float,
    high: float,
    area: float,
    noise: float,
) -> NDArray[np.float64]: ...
def negative_influences(
    x0: NDArray[np.float64],
    x1: NDArray[np.float64],
    y0: NDArray[np.float64],
    y1: NDArray[np.float64],
    low: float,
    high: float,
    at_low: float,
    at_high: float,
    shift: float,
    noise: float,
) -> NDArray[np.float64]: ...
def precision_steps(
    tp: NDArray[Any],
    fp: NDArray[Any],
    pos: NDArray[Any],
    n_pos: float,
    n_neg: float,
    odds: float,
    precision: NDArray[np.float64],
    gained: NDArray[np.float64],
    by_hits: NDArray[np.float64],
    by_alarms: NDArray[np.float64],
) -> tuple[float, float, float]: ...
def sum_upwards(column: NDArray[np.float64]) -> None: ...
def doubled_area(tp: NDArray[np.int64], fp: NDArray[np.int64], first: int, last: int) -> int: ...
