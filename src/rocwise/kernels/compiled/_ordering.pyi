import numpy as np
from numpy.typing import NDArray

def name_rows(
    entries: NDArray[np.floating],
    codes: NDArray[np.uint8],
    start: int,
    stop: int,
    ranked: NDArray[np.uint8],
    starts: NDArray[np.uint8],
) -> None: ...
def chain_volume(
    ranked: NDArray[np.uint8],
    starts: NDArray[np.uint8],
    sizes: NDArray[np.float64],
    strict: bool,
) -> float: ...
def count_mixed(
    ranked: NDArray[np.uint8], starts: NDArray[np.uint8], sizes: NDArray[np.float64]
) -> int: ...
def chain_parts(
    ranked: NDArray[np.uint8],
    starts: NDArray[np.uint8],
    sizes: NDArray[np.float64],
    strict: bool,
    parts: NDArray[np.float64],
    kept: NDArray[np.float64],
) -> None: ...
