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
def word_cells(text: bytes, n_columns: int, wanted: int, delimiter: int) -> list[str]: ...
