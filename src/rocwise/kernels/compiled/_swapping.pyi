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
def count_midranks(
    ranked: NDArray[np.uint8], starts: NDArray[np.uint8], counts: NDArray[np.uint32]
) -> None: ...
def sum_midranks(first: NDArray[np.uint32], second: NDArray[np.uint32]) -> None: ...
def place_midranks(
    order: NDArray[np.int64],
    ranked: NDArray[np.uint8],
    starts: NDArray[np.uint8],
    placed: NDArray[np.uint32],
    result: NDArray[np.int64],
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
