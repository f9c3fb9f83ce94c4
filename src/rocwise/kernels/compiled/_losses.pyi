import numpy as np
from numpy.typing import NDArray

def signed_sums(
    octets: NDArray[np.uint8], values: NDArray[np.float64], result: NDArray[np.float64]
) -> None: ...
def largest_heights(
    signs: NDArray[np.int8],
    rows: NDArray[np.int32],
    steps: NDArray[np.int8],
    ends: NDArray[np.uint8],
    result: NDArray[np.int64],
) -> None: ...
def highest_of_words(
    words: NDArray[np.uint16],
    rows: NDArray[np.int32],
    steps: NDArray[np.int8],
    ends: NDArray[np.uint8],
    result: NDArray[np.int64],
) -> None: ...
def drawn_moments(
    drawn: NDArray[np.int64],
    values: NDArray[np.float64],
    means: NDArray[np.float64],
    spreads: NDArray[np.float64],
) -> None: ...
def resampled_moments(
    seed: int,
    first: int,
    last: int,
    values: NDArray[np.float64],
    means: NDArray[np.float64],
    spreads: NDArray[np.float64],
) -> None: ...
def largest_distances(
    seed: int, first: int, last: int, ranks: NDArray[np.int64], result: NDArray[np.int64]
) -> None: ...
