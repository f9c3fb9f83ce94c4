from typing import Any

import numpy as np
from numpy.typing import NDArray

def limbs(scores: NDArray[np.float64]) -> Any: ...
def sums(
    negatives: NDArray[np.float64], positives: NDArray[np.float64], midpoint: float
) -> tuple[float, float, float]: ...
