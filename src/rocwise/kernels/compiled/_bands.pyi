import numpy as np
from numpy.typing import NDArray

def gaps(
    seed: int,
    first: int,
    last: int,
    stratified: bool,
    by_blocks: bool,
    slope: float,
    floor: float,
    tp_rank: NDArray[np.int64],
    fp_rank: NDArray[np.int64],
    points: NDArray[np.float64],
    least: NDArray[np.float64],
    places: NDArray[np.int32],
    fprs: NDArray[np.float64],
    result: NDArray[np.float64],
) -> None: ...
def crossings(
    seed: int,
    first: int,
    last: int,
    stratified: bool,
    by_blocks: bool,
    slope: float,
    tp_rank: NDArray[np.int64],
    fp_rank: NDArray[np.int64],
    lines: NDArray[np.float64],
    result: NDArray[np.float64],
) -> None: ...
def pair_gaps(
    seed: int,
    first: int,
    last: int,
    stratified: bool,
    by_blocks: bool,
    slope: float,
    floor: float,
    tp_rank: NDArray[np.int64],
    fp_rank: NDArray[np.int64],
    result: NDArray[np.float64],
) -> None: ...
def heights(
    seed: int,
    first: int,
    last: int,
    tp_rank: NDArray[np.int64],
    fp_rank: NDArray[np.int64],
    targets: NDArray[np.float64],
    result: NDArray[np.float64],
) -> None: ...
