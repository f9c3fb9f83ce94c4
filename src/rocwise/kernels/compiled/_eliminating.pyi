import numpy as np
from numpy.typing import NDArray

def eliminate(
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    rows: NDArray[np.int64],
    bounds: NDArray[np.int64],
    nodes: NDArray[np.int64],
    columns: NDArray[np.int64],
    first: int,
    last: int,
    limits: tuple[float, float, float],
    intercepts: NDArray[np.float64],
    coefficients: NDArray[np.float64],
    errors: NDArray[np.float64],
    solved: NDArray[np.bool_],
) -> None: ...
