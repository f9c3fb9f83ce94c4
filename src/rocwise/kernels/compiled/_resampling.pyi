from typing import Any

import numpy as np
from numpy.typing import NDArray

def placement_sums(
    seed: int,
    first: int,
    last: int,
    kind: int,
    counted: int,
    lower: NDArray[np.int32],
    upper: NDArray[np.int32],
    result: NDArray[np.int64],
) -> None: ...
def heights(
    seed: int,
    first: int,
    last: int,
    tp_rank: NDArray[np.int64],
    fp_rank: NDArray[np.int64],
    targets: NDArray[np.float64],
    walk: bool,
    result: NDArray[np.float64],
) -> None: ...
def group_counts(
    seed: int,
    first: int,
    last: int,
    kind: int,
    ranks: NDArray[np.int64],
    result: NDArray[np.int64],
) -> None: ...
def paired_sums(
    seed: int,
    first: int,
    last: int,
    neg_order: NDArray[np.int32],
    pos_order: NDArray[np.int32],
    lower: NDArray[np.int32],
    upper: NDArray[np.int32],
    result: NDArray[Any],
) -> None: ...
def drawn_times(
    seed: int,
    replicate: int,
    members: NDArray[np.int64],
    sizes: NDArray[np.int64],
    result: NDArray[np.float64],
) -> None: ...
def class_counts(
    seed: int, first: int, last: int, n_pos: int, n_neg: int, result: NDArray[np.int64]
) -> None: ...
def pooled_counts(
    seed: int,
    first: int,
    last: int,
    classes: NDArray[np.uint8],
    attempts: int,
    result: NDArray[np.int64],
) -> bool: ...
def row_amounts(
    times: NDArray[Any],
    units: NDArray[np.int32],
    weights: NDArray[np.float64],
    starts: NDArray[np.int64],
    pos: NDArray[np.float64],
    neg: NDArray[np.float64],
) -> None: ...
