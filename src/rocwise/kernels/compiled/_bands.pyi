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
def furthest(
    seed: int,
    first: int,
    last: int,
    with_origin: bool,
    tp_rank: NDArray[np.int64],
    fp_rank: NDArray[np.int64],
    directions: NDArray[np.float64],
    likely: NDArray[np.int64],
    result: NDArray[np.int64],
) -> None: ...
def lay_points(
    fpr: NDArray[np.float64],
    tpr: NDArray[np.float64],
    slope: float,
    scale: NDArray[np.float64],
    points: NDArray[np.float64],
    first: int,
    last: int,
) -> None: ...
def lay_places(
    points: NDArray[np.float64],
    evenly: NDArray[np.float64],
    places: NDArray[np.int32],
    fprs: NDArray[np.float64],
    first: int,
    last: int,
) -> None: ...
def held_gaps(
    times: NDArray[np.int64],
    units: NDArray[np.int32],
    weights: NDArray[np.float64],
    starts: NDArray[np.int64],
    slope: float,
    floor: float,
    points: NDArray[np.float64],
    least: NDArray[np.float64],
    places: NDArray[np.int32],
    fprs: NDArray[np.float64],
    result: NDArray[np.float64],
) -> None: ...
def held_pair_gaps(
    times: NDArray[np.int64],
    units: NDArray[np.int32],
    weights: NDArray[np.float64],
    starts: NDArray[np.int64],
    slope: float,
    floor: float,
    result: NDArray[np.float64],
) -> None: ...
def held_crossings(
    times: NDArray[np.int64],
    units: NDArray[np.int32],
    weights: NDArray[np.float64],
    starts: NDArray[np.int64],
    slope: float,
    lines: NDArray[np.float64],
    result: NDArray[np.float64],
) -> None: ...
