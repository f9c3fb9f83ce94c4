import numpy as np
from numpy.typing import NDArray

def swapped_gaps(
    coins: NDArray[np.uint8],
    first: NDArray[np.int32],
    second: NDArray[np.int32],
    signs: NDArray[np.int8],
    result: NDArray[np.int64],
) -> None: ...
