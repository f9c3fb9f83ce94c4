import numpy as np
from numpy.typing import NDArray

def stand(
    mask: NDArray[np.uint8],
    placed: NDArray[np.int64],
    counts: NDArray[np.int32],
    rank: NDArray[np.int32],
    lower: NDArray[np.int32],
    upper: NDArray[np.int32],
) -> bool: ...
def sum_placements(
    lower: NDArray[np.int32], upper: NDArray[np.int32], n_neg: int
) -> tuple[int, int, int, int, int]: ...
def reorder(
    to: NDArray[np.int32], values: NDArray[np.int32], target: NDArray[np.int32]
) -> None: ...
def count_below(
    places: NDArray[np.int32],
    askers: NDArray[np.int32],
    taken: NDArray[np.int32],
    lower: NDArray[np.int32],
    upper: NDArray[np.int32],
) -> int: ...
