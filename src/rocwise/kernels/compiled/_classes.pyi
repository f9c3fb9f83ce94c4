import numpy as np
from numpy.typing import NDArray

NAMES: tuple[str, ...]

def class_wins(
    ranked: NDArray[np.uint8],
    starts: NDArray[np.uint8],
    held: NDArray[np.float64],
    own: int,
    result: NDArray[np.float64],
) -> None: ...
def class_credits(
    ranked: NDArray[np.uint8],
    starts: NDArray[np.uint8],
    held: NDArray[np.float64],
    order: NDArray[np.int64],
    own: int,
    sizes: NDArray[np.float64],
    weights: NDArray[np.float64],
    result: NDArray[np.float64],
) -> None: ...
def pair_wins(
    ranked: NDArray[np.uint8],
    starts: NDArray[np.uint8],
    held: NDArray[np.float64],
    credit: bool,
    result: NDArray[np.float64],
) -> None: ...
def held_volume(
    ranked: NDArray[np.uint8],
    starts: NDArray[np.uint8],
    held: NDArray[np.float64],
    sizes: NDArray[np.float64],
    factorials: NDArray[np.float64],
    strict: bool,
) -> float: ...
def tuple_credits(
    table: NDArray[np.float64],
    chosen: NDArray[np.int64],
    noise: float,
    tied: float,
    result: NDArray[np.float64],
    start: int,
    stop: int,
) -> int: ...
def resampled(
    kind: int,
    seed: int,
    first: int,
    last: int,
    sizes: NDArray[np.int64],
    ranked: NDArray[np.uint8],
    places: NDArray[np.int32],
    starts: NDArray[np.uint8],
    credit: bool,
    result: NDArray[np.float64],
) -> None: ...
