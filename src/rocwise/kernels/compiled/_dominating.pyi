import numpy as np
from numpy.typing import NDArray

def count_below(
    places: NDArray[np.int32],
    taken: NDArray[np.int32],
    lower: NDArray[np.int32],
    upper: NDArray[np.int32],
) -> int: ...
