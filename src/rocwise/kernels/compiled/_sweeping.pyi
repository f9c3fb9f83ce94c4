import numpy as np
from numpy.typing import NDArray

def cheapest(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    crossing: NDArray[np.float64],
    bases: NDArray[np.float64],
    changes: NDArray[np.float64],
    sides: tuple[NDArray[np.int64], NDArray[np.int64]],
    begin: int,
    end: int,
    tolerance: float,
    bound: float,
) -> tuple[float, int, int, int]: ...
def largest(
    table: NDArray[np.float64],
    weights: NDArray[np.float64],
    among: NDArray[np.int64],
    values: NDArray[np.float64],
    lines: NDArray[np.int64],
) -> bool: ...
