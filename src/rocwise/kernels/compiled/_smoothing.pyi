from typing import Any

import numpy as np
from numpy.typing import NDArray

def limbs(scores: NDArray[np.floating]) -> Any: ...
def sums(
    negatives: NDArray[np.floating],
    positives: NDArray[np.floating],
    negative_units: NDArray[np.floating],
    positive_units: NDArray[np.floating],
    midpoint: float,
) -> tuple[float, float, float]: ...
