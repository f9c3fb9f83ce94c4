import numpy as np
from numpy.typing import NDArray

def exact_sum(scores: NDArray[np.floating]) -> tuple[int, int] | None: ...
def sums(
    negatives: NDArray[np.floating],
    positives: NDArray[np.floating],
    negative_units: NDArray[np.floating],
    positive_units: NDArray[np.floating],
    cuts: NDArray[np.int64],
    middle: int,
    upward: bool,
    first: int,
    last: int,
) -> list[tuple[float, float, float]]: ...
def points(
    scores: NDArray[np.float64],
    pos: NDArray[np.float64] | NDArray[np.int64],
    neg: NDArray[np.float64] | NDArray[np.int64],
    midpoint: float,
    cumulated: bool,
    x: NDArray[np.float64] | None,
    y: NDArray[np.float64] | None,
) -> None: ...
