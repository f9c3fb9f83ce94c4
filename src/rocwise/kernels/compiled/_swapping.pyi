import numpy as np
from numpy.typing import NDArray

def swapped_gaps(
    coins: NDArray[np.uint8],
    first: NDArray[np.int32],
    second: NDArray[np.int32],
    signs: NDArray[np.int8],
    result: NDArray[np.int64],
) -> None: ...
def coin_sums(
    coins: NDArray[np.uint8], values: NDArray[np.int64], result: NDArray[np.int64]
) -> None: ...
def sum_ranked(
    ranked: NDArray[np.uint8], starts: NDArray[np.uint8]
) -> tuple[int, int, int, int, int, int, int]: ...
def place_midranks(
    order: NDArray[np.int64],
    ranked: NDArray[np.uint8],
    starts: NDArray[np.uint8],
    other_ranked: NDArray[np.uint8],
    other_starts: NDArray[np.uint8],
    result: NDArray[np.int64],
) -> None: ...
def subtract_placed(
    mask: NDArray[np.uint8],
    start: int,
    stop: int,
    placed: NDArray[np.int64],
    other: NDArray[np.int64],
) -> None: ...
def dealt_gaps(
    seed: int,
    begin: int,
    end: int,
    numbers: NDArray[np.int64],
    before: NDArray[np.int32],
    tied: NDArray[np.uint8],
    first: NDArray[np.int32],
    second: NDArray[np.int32],
    widths: NDArray[np.float64],
    result: NDArray[np.float64],
) -> None: ...
