import numpy as np
from numpy.typing import NDArray

NAMES: tuple[str, ...]

def resampled(
    kind: int,
    seed: int,
    first: int,
    last: int,
    tp_rank: NDArray[np.int32],
    fp_rank: NDArray[np.int32],
    numbers: NDArray[np.float64],
    scores: NDArray[np.float64] | None,
    result: NDArray[np.float64],
) -> None: ...
def read_amounts(
    kind: int,
    pos: NDArray[np.float64],
    neg: NDArray[np.float64],
    held: NDArray[np.float64],
    numbers: NDArray[np.float64],
    scores: NDArray[np.float64] | None,
    result: NDArray[np.float64],
) -> None: ...
def read_rows(
    kind: int,
    times: NDArray[np.int64],
    units: NDArray[np.int32],
    weights: NDArray[np.float64],
    starts: NDArray[np.int64],
    held: NDArray[np.float64],
    numbers: NDArray[np.float64],
    scores: NDArray[np.float64] | None,
    result: NDArray[np.float64],
) -> None: ...
def choose_rows(
    times: NDArray[np.int64],
    units: NDArray[np.int32],
    weights: NDArray[np.float64],
    starts: NDArray[np.int64],
    numbers: NDArray[np.float64],
    places: NDArray[np.int64],
    result: NDArray[np.float64],
) -> None: ...
def resampled_together(
    kind: int,
    seed: int,
    first: int,
    last: int,
    n_pos: int,
    n_neg: int,
    codes: list[NDArray[np.uint32]],
    ends: list[NDArray[np.uint8]],
    numbers: list[NDArray[np.float64]],
    scores: list[NDArray[np.float64] | None],
    result: NDArray[np.float64],
) -> None: ...
def chosen(
    seed: int,
    first: int,
    last: int,
    tp_rank: NDArray[np.int32],
    fp_rank: NDArray[np.int32],
    numbers: NDArray[np.float64],
    places: NDArray[np.int64],
    result: NDArray[np.int64],
) -> None: ...
def left_out(
    seed: int,
    first: int,
    last: int,
    tp_rank: NDArray[np.int32],
    fp_rank: NDArray[np.int32],
    places: NDArray[np.int64],
    result: NDArray[np.int64],
) -> None: ...
def curves(
    seed: int,
    first: int,
    last: int,
    tp_rank: NDArray[np.int32],
    fp_rank: NDArray[np.int32],
    tp: NDArray[np.float64],
    fp: NDArray[np.float64],
) -> None: ...
