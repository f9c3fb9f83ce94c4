import numpy as np
from numpy.typing import NDArray

def around(
    values: NDArray[np.float64], changes: NDArray[np.float64], buckets: int
) -> tuple[float, float, float, float, int]: ...
def rows_between(
    values: NDArray[np.float64],
    changes: NDArray[np.float64],
    low: float,
    high: float,
    out: NDArray[np.float64],
) -> int: ...
def cut_at(
    values: NDArray[np.float64], changes: NDArray[np.float64], highest: float
) -> tuple[float, float, float]: ...
def better(
    rivals: NDArray[np.float64],
    own: NDArray[np.float64],
    weight: float,
    own_losses: NDArray[np.float64],
    out: NDArray[np.float64],
    own_first: bool,
) -> bool: ...
def ratios(
    own: NDArray[np.float64],
    own_losses: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    out: NDArray[np.float64],
) -> float: ...
def group_ratios(
    table: NDArray[np.float64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    columns: NDArray[np.int64],
    out: NDArray[np.float64],
) -> bool: ...
