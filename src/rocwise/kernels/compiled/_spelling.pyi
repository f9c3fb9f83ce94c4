import numpy as np
from numpy.typing import NDArray

def join_floats(values: NDArray[np.float64], between: bytes, absent: bytes) -> str: ...
def join_integers(values: NDArray[np.int64], between: bytes) -> str: ...
def cell_columns(
    text: bytes,
    n_columns: int,
    wanted: NDArray[np.int64],
    delimiter: int,
    values: NDArray[np.float64],
    kinds: NDArray[np.uint8],
    missing: NDArray[np.uint8],
) -> int: ...
def digits_between(
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    single: bool,
    whole: NDArray[np.int64],
    places: NDArray[np.int64],
    found: NDArray[np.bool_],
) -> None: ...
def digits_before_point(whole: NDArray[np.int64], places: NDArray[np.int64]) -> int: ...
def align_decimals(
    whole: NDArray[np.int64], places: NDArray[np.int64], front: int, signs: NDArray[np.uint8]
) -> None: ...
def word_cells(text: bytes, n_columns: int, wanted: int, delimiter: int) -> list[str]: ...
