import numpy as np
from numpy.typing import NDArray

def split(
    columns: NDArray[np.float64],
    y: NDArray[np.float64],
    orders: NDArray[np.int64],
    bounds: NDArray[np.int64],
    first: int,
    last: int,
    fewest: int,
    least: int,
    flat: float,
    rounding: float,
    features: NDArray[np.int64],
    cuts: NDArray[np.float64],
) -> None: ...
def divide(
    orders: NDArray[np.int64],
    bounds: NDArray[np.int64],
    features: NDArray[np.int64],
    is_below: NDArray[np.bool_],
    ends: NDArray[np.int64],
    divided: NDArray[np.int64],
) -> None: ...
