import numpy as np
from numpy.typing import NDArray

def count(codes: NDArray[np.int64], start: int, stop: int, counts: NDArray[np.int64]) -> bool: ...
def place(
    codes: NDArray[np.int64],
    start: int,
    stop: int,
    next_place: NDArray[np.int64],
    order: NDArray[np.int64],
) -> bool: ...
def count_classes(
    codes: NDArray[np.int64],
    mask: NDArray[np.uint8],
    start: int,
    stop: int,
    counts: NDArray[np.int64],
) -> bool: ...
def place_scores(
    codes: NDArray[np.int64],
    mask: NDArray[np.uint8],
    scores: NDArray[np.float64],
    start: int,
    stop: int,
    next_place: NDArray[np.int64],
    target: NDArray[np.float64],
) -> int: ...
def merge_groups(
    values: NDArray[np.float64],
    bounds: NDArray[np.int64],
    first: int,
    last: int,
    scores: NDArray[np.float64],
    tp: NDArray[np.int64],
    fp: NDArray[np.int64],
    starts: NDArray[np.int64],
) -> int: ...
