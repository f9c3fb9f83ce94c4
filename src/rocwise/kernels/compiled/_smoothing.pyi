import numpy as np
from numpy.typing import NDArray

def limbs(scores: NDArray[np.floating]) -> tuple[int, int, int, int] | None: ...
def sums(
    negatives: NDArray[np.floating],
    positives: NDArray[np.floating],
    negative_units: NDArray[np.floating],
    positive_units: NDArray[np.floating],
    midpoint: float,
    first: tuple[int, int, int, int],
    second: tuple[int, int, int, int],
) -> tuple[tuple[float, float, float], tuple[float, float, float]]: ...
